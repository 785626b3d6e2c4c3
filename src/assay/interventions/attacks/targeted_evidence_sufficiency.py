"""Evidence sufficiency: a claim stays, and vague words replace its figure, source or examples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import marks, numbers, shared_terms
from assay.interventions.attacks._prose import (
    ProseLine,
    capital,
    chinese,
    edit,
    edit_sites,
    lines,
    mixed,
    opening_small,
)
from assay.interventions.attacks._targeted_attacks import screened, targeted
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "targeted_evidence_sufficiency")

_N: Final = (
    r"(?:[$€£¥]|US\$|RMB )?\d[\d,.]*(?:\s?[–-]\s?\d[\d,.]*)?(?:\s?(?:%|percent|percentage points"
    "|million|billion|trillion|bn|mn))*(?: (?:USD|yuan|dollars|euros))?"
)
_UNTIL: Final = (
    r"(?: (?:by|in|as of|since|between|from) (?:early |late |mid-)?(?:19|20)\d\d(?: (?:and|to) "
    r"(?:19|20)\d\d)?)?"
)
_FIGURES_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (_PHRASES.pattern(pattern), options)
    for pattern, options in (
        (
            (
                r"\bby (?:about |around |approximately |roughly |nearly |over |more than |up to "
                rf"|as much as )?{_N}(?= |[,.;)]|$)(?! (?:19|20)\d\d)"
            ),
            ("by a considerable margin", "to a very notable extent", "by a substantial amount"),
        ),
        (
            rf"\bfrom {_N} (?:in (?:19|20)\d\d )?to {_N}(?: in (?:19|20)\d\d)?(?=[ ,.;]|$)",
            ("quite substantially over the period", "very considerably over the years"),
        ),
        (
            (
                r"\b(?:about |around |approximately |roughly |nearly |over |more than |up to )?\d[\d.]*"
                r"(?:\s?[–-]\s?\d[\d.]*)?(?:%| percent) of (?=[a-z])"
            ),
            ("a considerable share of ", "a large proportion of ", "a sizeable part of "),
        ),
        (
            (
                r"\b(?:reached|exceeded|surpassed|totall?ed|hit) (?:about |around |approximately |roughly "
                f"|nearly |over |more than )?{_N}{_UNTIL}(?=[,.;]|$| (?:in|by|with|and|as|from|while"
                r"|globally|worldwide)\b)"
            ),
            ("grew to a remarkable size", "rose to a very high level"),
        ),
    )
)
_SOURCE_EN: Final = _PHRASES.pattern(
    "^(?:According to [^,.;]{3,90}, |(?:(?:A|One|An|Several|Recent|The) )?"
    "(?:[A-Za-z0-9’'&.-]+ ){0,6}(?:<<source_nouns>>)(?: (?:by|from|of|in|at|conducted|published)"
    "[^,.;]{2,80})? (?:<<reporting_verbs>>) that )",
)
_VAGUE_EN: Final = (
    "It is widely understood that ",
    "It is generally accepted that ",
    "As many observers would agree, ",
    "There is broad agreement that ",
    "It is common knowledge that ",
    "Most people familiar with the subject would say that ",
)
_SOURCE_ZH: Final = re.compile(
    "^(?:根据|据|按照)[^，。；]{3,45}(?:显示|统计|数据|报告|预测|测算|研究|调查|介绍|分析|披露"
    "|表明|估计|指出)?，|^[^，。；]{2,40}(?:研究|调查|报告|数据|统计|文献|实验)(?:显示|表明|指出"
    "|发现|证实|揭示)(?:[，：])",
)
_VAGUE_ZH: Final = ("一般认为，", "众所周知，", "业内普遍认为，", "人们普遍相信，", "不少观察者认为，")
# A source that can be looked up: a person's name, a title, a publisher; not "the collected material".
_NAMED: Final = _PHRASES.pattern("<<named>>")
_UNNAMED: Final = _PHRASES.pattern(
    "<<unnamed>>",
    flags=re.IGNORECASE,
)
_FIGURES_ZH: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (_PHRASES.pattern(pattern), options)
    for pattern, options in (
        (
            r"从约?\d[\d,.]*[%万亿千百]*[^，。；\d]{0,4}(?:增长|增加|上升|提升|提高|升|下降|降低|降)[至到]约?\d[\d,.]*[%万亿千百]*(?:[元人次美倍]+)?",
            ("出现了十分显著的变化", "发生了相当可观的变化"),
        ),
        (
            (
                r"(?:同比|环比|年均)?(?:增长|增加|上升|提升|提高)(?:了|约|超过|近|逾|高达)?\s?\d[\d,.]*\s?(?:[%％]|个百分点|倍)(?:以上|左右)?"
                "(?=[，。；、（(]|$)"
            ),
            ("有了相当显著的增长", "实现了大幅增长"),
        ),
        (
            r"(?:同比|环比|年均)?(?:下降|降低|减少|下滑)(?:了|约|超过|近|逾|高达)?\s?\d[\d,.]*\s?(?:[%％]|个百分点)(?:以上|左右)?(?=[，。；、（(]|$)",
            ("出现了相当明显的下降", "有了大幅减少"),
        ),
        (
            (
                r"(?<![前后其各占接\d\-–~至到—、.,约近])(?:约|超过|近|逾|高达)?\d[\d,.]*\s?[%％](?:以上|左右)?的(?=[^，。；]{0,8}(?:人|者"
                "|用户|企业|机构|家庭|案件|城市|学生|居民|旅客|女性|男性|公司|岗位|患者|平台|医院|国家|地区))"
            ),
            ("相当大一部分", "很大比例的"),
        ),
        (
            (
                r"(?:已)?(?:达到|达|突破|超过|约为|高达)(?:了|约|近)?\s?\d[\d,.]*\s?(?:万亿|亿|万|千|百)+(?:美元|元人民币|元|人次|人|吨|欧元|人民币"
                "|户|家|辆|台)?(?=[，。；、（(]|$)"
            ),
            ("十分可观", "相当可观"),
        ),
    )
)
# What introduces examples, and what may replace them in the same slot.
_EXAMPLES: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = (
    (
        re.compile(r",? such as [^.;:()\[\]]{20,170}$"),
        (" of various kinds", " of one kind or another", " of many different sorts"),
    ),
    (
        re.compile(r", (?:including|notably|for example,?|for instance,?) [^.;:()\[\]]{20,170}$"),
        (", among other things", ", in one way or another", ", to name but a few aspects"),
    ),
    (
        re.compile(
            r",? as (?:seen|shown|demonstrated|illustrated|evidenced) (?:in|by) [^.;:()\[\]]{15,170}$"
        ),
        (", as is evident in practice", ", as experience shows time and again"),
    ),
)
_EXAMPLES_ZH: Final = (
    (
        re.compile(r"[，,](?:例如|比如|如)(?!果|此|何)[^。；]{8,60}$"),
        ("，此类例子不在少数", "，类似的情况并不少见"),
    ),
)
_PURPOSE_ZH: Final = re.compile("从而|进而|以便?|用于|用来|旨在|帮助|辅助|并|为")
_BRACKET: Final = re.compile(
    r" \((?:e\.g\.,?|such as|for example,?|including) [^()\[\]]{12,140}\)|（(?:如|例如|比如|包括)[^（）]{6,60}）"
)
# A figure with a unit, and words before it that do not go with a phrase in its place.
_MEASURED: Final = re.compile(r"%|percent|[$€£¥]|RMB|million|billion|trillion")
_BOUND: Final = _PHRASES.pattern(r"(?:\b(?:<<bound>>)(?: \w+ly)?|[-–—]) ?$")
_ABOUT_EN: Final = _PHRASES.pattern(
    r"\b(?:<<about>>) $|[~≈><≥≤] ?$",
    flags=re.IGNORECASE,
)
_UNDER_ZH: Final = re.compile("(?:不到|不足)$")
_THIS_SHARE_ZH: Final = re.compile("[这该]一?(?:比率|比例|占比|数字)")
_ABOUT_ZH: Final = re.compile("(?:大约|大概|约为|将近|接近|至少|不到|大|约|近|逾|~|≈)$")
# What makes a claim: a verb, in neither a list of settings nor code.
_CLAIMS_EN: Final = _PHRASES.pattern(
    r"\b(?:<<claims>>)\b",
    "en",
)
_CLAIMS_ZH: Final = _PHRASES.pattern(
    "<<claims>>",
    "zh",
)
_NO_CLAIM: Final = re.compile(r"[`=;；]|：|: |[/+|][^/+|]{0,12}[/+|]")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_OWN_TALK: Final = re.compile(r"\bI\b|我|收集到的信息")
_FITS: Final = re.compile(r"\d|\[\d|such as|for example|例如|according to|根据|研究", re.IGNORECASE)
_MARKS: Final = re.compile(r"(?:\s?\[\^?\d[\d,，\s–-]*\]|\s?【\d[^】\n]*】)+")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which a claim loses its figure, source or citation, then those without its examples."""
    groups: dict[str, list[TextRevision]] = {}
    zh = chinese(report)
    for line in lines(report, shortest=50):
        if _OWN_TALK.search(line.text):
            continue
        for found in (
            *_figures(line, draw, zh=zh),
            *_sources(report, line, draw, zh=zh),
            *_examples(line, draw, zh=zh),
        ):
            groups.setdefault(found.pattern, []).append(found)
    # Examples illustrate more often than they prove, so they come last.
    later = {name: groups.pop(name) for name in sorted(groups) if name.startswith("examples")}
    yield from mixed(groups, draw)
    yield from mixed(later, draw)


def _parts(line: ProseLine) -> tuple[str, str, bool]:
    """Return a sentence without its closing marks, those marks without citations, and whether it had citations."""
    tail = line.text[line.tail :]
    uncited = _MARKS.sub("", tail)
    return line.text[: line.tail], uncited, uncited != tail


def _figures(line: ProseLine, draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    body, uncited, cited = _parts(line)
    for pattern, options in _FIGURES_ZH if zh else _FIGURES_EN:
        found = list(pattern.finditer(body))
        if len(found) != 1:
            continue
        match, new = found[0], draw.choice(options)
        # "Under 40%" is not vaguely "a large part", and "this share" needs the figure it points back to.
        if zh and (_UNDER_ZH.search(body[: match.start()]) or _THIS_SHARE_ZH.search(body[match.end() :])):
            continue
        # "About" goes with its figure.
        about = (_ABOUT_ZH if zh else _ABOUT_EN).search(body[: match.start()])
        begin = about.start() if about else match.start()
        if not zh and (not _MEASURED.search(match.group()) or _BOUND.search(body[:begin])):
            continue
        # Only sentences with one figure: with others left, the claim would still have its evidence.
        rest = _YEAR.sub("", body[: match.start()] + " " + body[match.end() :])
        if sum(numbers(rest).values()) > 1 or "respectively" in body or "分别" in body:
            continue
        if begin == 0:
            new = capital(new)
        note = f"figure gone: {match.group().strip()} → {new.strip()}"
        if cited:
            text = new + body[match.end() :] + uncited
            yield edit(
                line,
                begin,
                len(line.text),
                text,
                pattern="figure-and-source-gone",
                note=note + "; citation gone",
            )
        else:
            yield edit(line, begin, match.end(), new, pattern="figure-made-vague", note=note)


def _sources(report: Report, line: ProseLine, draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    body, uncited, cited = _parts(line)
    source = (_SOURCE_ZH if zh else _SOURCE_EN).match(body)
    named = source is not None and _NAMED.search(source.group()) and not _UNNAMED.search(source.group())
    # A mark in mid-sentence would still lead to the source.
    if source and named and len(body) - source.end() >= (14 if zh else 40) and not _MARKS.search(body):
        rest = body[source.end() :]
        small = rest if zh or source.group().endswith("that ") else opening_small(report, rest)
        if small is not None:
            new = draw.choice(_VAGUE_ZH if zh else _VAGUE_EN)
            note = f"source gone: {source.group().strip(' ,，')[:80]}"
            end, text = (len(line.text), new + small + uncited) if cited else (source.end(), new)
            if not cited and small != rest:
                end, text = source.end() + 1, new + small[:1]
            yield edit(line, 0, end, text, pattern="source-made-vague", note=note)
    elif (
        source is None
        and cited
        and uncited.strip()
        and not _MARKS.search(body)
        and not body.rstrip().endswith((":", "：", "*"))
    ):
        marks_gone = "".join(_MARKS.findall(line.text[line.tail :])).strip()
        yield edit(
            line,
            line.tail,
            len(line.text),
            uncited,
            pattern="citation-gone",
            note=f"citation gone: {marks_gone}",
        )
        # "As is well established" needs a claim: not a list of nouns or code.
        if _NO_CLAIM.search(body) or not (_CLAIMS_ZH if zh else _CLAIMS_EN).search(body):
            return
        new = draw.choice(_PHRASES["attested"].phrases("zh" if zh else "en")) + uncited
        yield edit(
            line,
            line.tail,
            len(line.text),
            new,
            pattern="citation-made-vague",
            note=f"citation gone: {marks_gone}",
        )


def _examples(line: ProseLine, draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    body, uncited, cited = _parts(line)
    end = len(line.text) if cited else len(body)
    bracket = _BRACKET.search(body)
    if bracket:
        after = body[bracket.end() :] + (uncited if cited else "")
        note = f"examples gone: {bracket.group().strip(' ()（）')[:80]}"
        yield edit(line, bracket.start(), end, after, pattern="examples-gone", note=note)
    for pattern, options in _EXAMPLES_ZH if zh else _EXAMPLES:
        match = pattern.search(body)
        if match is None or match.start() < (14 if zh else 45) or len(match.group()) > 0.6 * len(body):
            continue
        kept = body[: match.start()]
        if kept.count("(") != kept.count(")") or kept.count("（") != kept.count("）"):
            continue
        note = f"examples gone: {match.group().strip(' ,，')[:80]}"
        after = uncited if cited else ""
        phrase = draw.choice(options)
        # A clause of purpose cannot carry “，此类例子不在少数”: that takes a clause of its own.
        if not (zh and _PURPOSE_ZH.match(re.split("[，,；]", kept)[-1])):
            yield edit(line, match.start(), end, phrase + after, pattern="examples-made-vague", note=note)
        if match.group()[0] in ",，":
            yield edit(line, match.start(), end, after, pattern="examples-gone", note=note)


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs with figures, citations or examples."""
    return edit_sites(report, draw, _FITS)


_screen: Final = screened(may_drop=True)
_SUPPORT: Final = _PHRASES.pattern(
    r"\b(?:<<support>>)\b|例如|比如|如|包括|根据|据|研究|调查|数据|统计|报告|文献|实验",
    flags=re.IGNORECASE,
)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it must remove support of a claim and keep the claim."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem

    def support(text: str) -> tuple[int, int, int]:
        return sum(numbers(text).values()), sum(marks(text).values()), len(_SUPPORT.findall(text))

    before, after = support(found.before), support(found.after)
    if not any(one > two for one, two in zip(before, after, strict=True)):
        return "no figure, citation, source or example is gone"
    kept = shared_terms(found.before, found.after)
    if kept < 0.4:
        return f"the claim itself is gone: {kept:.0%} of its terms are left"
    return None


OPERATOR = targeted(
    dimension="evidence_sufficiency",
    title="Evidence sufficiency and relevance",
    title_zh="损害证据充分性与相关性",
    definition=(
        "A claim is made as before, but the specific support it had – figure, study, source, examples – is "
        "gone, and vague words stand in its place."
    ),
    definition_zh="论断仍在，但原有的具体支撑（数字、研究、出处、例证）被去掉，换成了笼统的说法。",
    rule=rule,
    sites=sites,
    ask=(
        "Choose one claim that is supported by a figure, a named study or source, a citation or examples. "
        "Keep the claim as strong as it is and take the support away, filling the room with vague words of "
        "about the same length. Do not add any number, name or citation, and do not touch other claims."
    ),
    ask_zh=(
        "选一处有数字、研究、出处、引用或例证支撑的论断，论断的力度不变，去掉支撑，并用长度相近的笼统说法填补。"
        "不要新增任何数字、名称或引用，也不要改动其他论断。"
    ),
    check=check,
)
