"""Qualifiers and counterpoints: a sentence's hedges become certainty, or its limitation is removed; its claim stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import shared_terms
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

_PHRASES: Final = PhraseFile("assay.interventions", "targeted_qualifiers_counterpoints")

# What may happen or be so: verbs after a hedge. Permission ("users may contact …") takes other verbs.
_HAPPENS: Final = (
    "(?:lead|increase|reduce|decrease|improve|help|become|result|affect|contribute|limit|require"
    "|offer|provide|cause|create|prove|enable|allow|exceed|reach|drive|influence|enhance"
    "|accelerate|outperform|remain|emerge|worsen|undermine|face|pose|introduce|play|serve|reshape"
    "|transform|replace|slow|hinder|boost|support|facilitate|generate|continue|trigger|weaken"
    "|strengthen|yield|benefit|lower|raise|reflect|prevent|promote|shift|delay|discourage"
    "|encourage|alter|change|impact|impair|foster|overcome|restrict|stimulate|mitigate|alleviate"
    "|compromise|expand|dominate|succeed|fail|lose|gain|grow|rise|fall|decline|bring|deliver"
    r"|achieve|address|be (?:\w+ly )?(?:<<happens>>))"
)
_THING: Final = (
    r"(?<=[a-z\])] )(?<!that )(?<!which )(?<!who )(?<!you )(?<!users )(?<!readers )(?<!one )"
    "(?<!we )(?<!or )(?<!and )(?<!as )(?<!what )(?<!than )"
)
# What is replaced, and by what; longer phrases first, so that none is read in halves.
_EN: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (_PHRASES.pattern(pattern), options)
    for pattern, options in (
        (
            rf"{_THING}(?:may|might|could) (?:potentially|possibly|also|well|even)(?= {_HAPPENS}\b)",
            ("will", "will inevitably", "will certainly", "will undoubtedly", "is bound to"),
        ),
        (
            rf"{_THING}(?:may|might|could)(?= {_HAPPENS}\b)",
            (
                "will",
                "will inevitably",
                "will certainly",
                "will necessarily",
                "will undoubtedly",
                "will invariably",
            ),
        ),
        (r"\b(?:is|are) (?:very |more |most |highly )?likely to\b", ("is certain to", "will", "is bound to")),
        (r"\b(?:is|are) expected to\b", ("is bound to", "will", "is certain to")),
        (r"\bsuggest(?= that\b)", ("prove", "establish")),
        (r"\bsuggests(?= that\b)", ("proves", "establishes")),
        (
            (
                rf"(?<=[a-z\])] )(?:often|typically|generally|usually|frequently)(?= (?:{_HAPPENS}|(?:lead"
                "|result|cause|mean|reduce|increase|improve|require|outperform|fail|remain|exceed|limit"
                r"|lack|face|struggle|show|achieve|perform|produce|provide|offer|involve|exhibit)s)\b)"
            ),
            ("always", "invariably", "inevitably"),
        ),
        (
            r"\b(?:in|for) (?:many|most|some|certain) (?:cases|situations|contexts|instances)\b",
            ("in every case", "in all cases", "without exception"),
        ),
        (
            r"\bIn (?:many|most|some|certain) (?:cases|situations|contexts|instances)\b",
            ("In every case", "In all cases", "Without exception"),
        ),
        (
            (
                "(?<=, )potentially(?= (?:lead|increas|reduc|improv|caus|result|enabl|creat|allow|limit"
                r"|enhanc|exceed|undermin|affect|lower|rais|disrupt|transform|contribut|provid|offer)\w*ing\b)"
            ),
            ("inevitably", "invariably", "certainly"),
        ),
        (
            (
                r"\blikely(?= (?:reflects?|contributes?|results?|reduces?|leads?|increases?|explains?|remains?"
                r"|depends?|plays?|represents?)\b)"
            ),
            ("undoubtedly", "certainly"),
        ),
        (r"(?:^|(?<=, ))(?:[Pp]erhaps|[Pp]resumably|[Aa]rguably)(?=[ ,])", ("undoubtedly", "unquestionably")),
    )
)
_EFFECT_ZH: Final = "(?:<<effect>>)"
_ZH: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (_PHRASES.pattern(pattern), options)
    for pattern, options in (
        (
            r"(?<![不尽有只未大无才很更最的了种])可能(?:会|将)(?=[^，。；的]{2,}(?:[，。；]|$))",
            ("必将", "必然会", "一定会", "终将", "无疑会"),
        ),
        (
            "或将(?=[^，。；的]{2,}(?:[，。；]|$))|预计将会?|(?<![很更最])有望(?=[^，。；的]{2,}(?:[，。；]|$))",
            ("必将", "必定会", "一定会", "无疑将"),
        ),
        (
            rf"(?<![不尽有只未大无才很更最的了种])可能(?={_EFFECT_ZH}[^，。；的]*(?:[，。；]|$))",
            ("必然", "必定", "必将", "势必"),
        ),
        (
            "(?:往往|通常|一般)(?=(?:会|能|需要|具有|可以|难以|存在|面临|伴随|导致|高于|低于|优于|更))",
            ("总是", "无一例外地"),
        ),
        ("在(?:一定|某种|很大|较大)程度上", ("从根本上", "完全", "彻底")),
        ("(?:似乎|看来|或许|也许)(?=[是会能有可更已不])", ("无疑", "毫无疑问")),
        ("(?:大多数情况下|多数情况下|通常情况下|一般情况下)", ("任何情况下",)),
        (
            "(?<=研究|数据|结果|证据|调查|实验|文献)(?:表明|显示|提示)(?=[，,]?[^，。的]{6,})",
            ("充分证明", "确凿证明", "已经证实"),
        ),
    )
)
# Sentences that claim nothing about the world, or keep a limit that certainty would contradict.
_NO_CLAIM: Final = _PHRASES.pattern(
    r"\b(?:<<no_claim>>)\b|[?？:：]|如果|若|假如|假设|前提|除非|估计|约为|是否|取决于|一旦|不|没有"
    "|未|例如|比如|只",
    flags=re.IGNORECASE,
)
_STILL_HEDGED: Final = _PHRASES.pattern(
    r"\b(?:<<still_hedged>>)\b|可能|或许|也许|大概|预计|有望|似乎|看来|或将|往往|通常|一般(?!的)"
    "|程度上|潜在",
    flags=re.IGNORECASE,
)
# Hedges around a claim, within which it cannot be certain.
_OUTER: Final = _PHRASES.pattern(
    r"\b(?:<<outer>>)\b|风险|担心|担忧|推测|猜测|认为|争议|有人|假说|质疑|希望|尚|据称|有学者"
    "|一些学者",
)

_DROP_EN: Final = (
    _PHRASES.pattern(
        "(?:, (?:<<drop>>) | (?:even though|provided that|unless|, (?:but )?only (?:if|when)) )"
        "[^.;:()]{18,170}$",
    ),
    re.compile(r"; however, [^.;:()]{20,190}$"),
)
_STUMP: Final = _PHRASES.pattern(r"\b(?:<<stump>>)$")
_FRONT_EN: Final = _PHRASES.pattern(
    r"^(?:<<concession_openings>>) [^,.;:()]{18,150}, (?=(?:<<clause_starts>>)\s)"
)
# What makes a clause a limit and not only a contrast.
_LIMIT: Final = _PHRASES.pattern(
    r"\b(?:<<limit>>)\b|不|未|难|限|缺|风险|挑战|问题|仅|只|受|取决|差异|争议|成本|尚|仍|有待|滞后"
    "|压力|制约|依赖|弱|除非|前提|可能",
)
_DROP_ZH: Final = (re.compile(r"[，；](?:但|不过|然而|尽管|虽然|前提是|除非|但是)[^。；]{8,70}$"),)
_FRONT_ZH: Final = re.compile(
    r"^(?:尽管|虽然|虽)[^，。；]{6,45}，(?:但是?|然而|不过|却|仍)?(?![它其他她却仍这该])"
)
# What is said to work, to grow or to be so: the object of a limit.
_CONCLUDES: Final = _PHRASES.pattern(
    r"\b(?:<<concludes>>)|提升|提高|显著|有效|优势|成为|改善|促进|增长|潜力|突出|完善|成熟|领先"
    "|良好|高|强|广|准确|可以|能够|普遍|常态|见效|趋势|增加|降低|推动|优于|快速|丰富|明显|有助于"
    "|有望|成功|主流",
)
# Words that say how far a conclusion holds.
_SCOPE: Final = _PHRASES.pattern(
    r"\b(?:<<scope>>)\b|尚|仍|有限|不确定|取决于|前提|除非|缺乏|不足|挑战|难以|风险|局限|有待|差异"
    "|波动|依赖|滞后|不均|不一|受限|争议|瓶颈|仅|成本|难度",
)
_NEGATIVE: Final = _PHRASES.pattern(
    "<<negative>>",
    flags=re.IGNORECASE,
)
_CONCEDES: Final = re.compile(r"^\W*(?:although|though|while|despite|even)|虽|尽管|即使|如果", re.IGNORECASE)
_HEDGE: Final = _PHRASES.pattern(
    r"\b(?:<<hedge>>)\b|可能|或许|也许|大概|预计|有望|似乎|看来|或将|或会|往往|通常|一般|程度上"
    "|多数|潜在|表明|显示|提示|但|不过|然而|尽管|虽|前提|除非",
    flags=re.IGNORECASE,
)
_FITS: Final = _PHRASES.pattern("<<fits>>")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that turn hedges into certainty, and revisions that remove a limitation."""
    groups: dict[str, list[TextRevision]] = {}
    for line in lines(report):
        for found in _of(report, line, draw):
            groups.setdefault(found.pattern, []).append(found)
    yield from mixed(groups, draw)


def _of(report: Report, line: ProseLine, draw: Random) -> Iterator[TextRevision]:
    zh = chinese(report)
    body = line.text[: line.tail]
    if body.count('"') or body.count("“") or line.text.rstrip()[-1:] not in ".]。】":
        # A quotation is not for the report to be certain of.
        return
    certain, done = _certain(body, _ZH if zh else _EN, draw)
    left = any(pattern.search(certain) for pattern in (_STILL_HEDGED, _OUTER))
    if done and not left and not _NO_CLAIM.search(body):
        start, end, text = _narrow(body, certain)
        strong = any(_STRONG.search(new) for _, new in done)
        if len(done) > 1 or strong:
            note = "; ".join(f"{old} → {new or 'nothing'}" for old, new in done)
            yield edit(line, start, end, text, pattern="hedges-to-certainty", note=note)
    # "To overcome these limits, …": the next sentence would refer to nothing.
    taken_up = re.match(
        r"\s*(?:[A-Z]\w+ )?(?:[A-Z]?[a-z]+ ){0,4}(?:[Tt]hese|[Tt]his|[Ss]uch|[Tt]hose)\b|[^，。]{0,6}(?:这|此|该|上述)",
        report.source[line.end : line.end + 60],
    )
    for drop in _DROP_ZH if zh else _DROP_EN:
        match = drop.search(body)
        kept = body[: match.start()] if match else ""
        if (
            match
            and len(kept) >= (14 if zh else 45)
            and len(match.group()) <= 0.62 * len(body)
            and _LIMIT.search(match.group())
            and not _CONCEDES.search(kept)
            and not _NEGATIVE.search(kept)
            and not _STUMP.search(kept)
            and _SCOPE.search(match.group())
            and _CONCLUDES.search(re.split("[;；]", kept)[-1])
            and not re.search("^(?:由于|因为|如果|为了)|datasets|我(?!国)", body)
            and not taken_up
            and kept.count("（") == kept.count("）")
            and kept.count("(") == kept.count(")")
        ):
            note = f"limit dropped: {match.group().strip(' ,;，；')[:80]}"
            yield edit(line, match.start(), match.end(), "", pattern="limit-dropped", note=note)
    front = (_FRONT_ZH if zh else _FRONT_EN).match(body)
    if (
        front
        and not taken_up
        and len(body) - front.end() >= (14 if zh else 40)
        and _LIMIT.search(front.group())
        and not _LIMIT.search(body[front.end() : front.end() + (12 if zh else 60)])
    ):
        note = f"concession dropped: {front.group().strip(' ,，')[:80]}"
        rest = body[front.end() :]
        yield edit(line, 0, front.end() + 1, capital(rest)[:1], pattern="concession-dropped", note=note)
        small = opening_small(report, capital(rest)) if not zh else rest
        # A contrast of two things concedes nothing: only a limit of the claim can be overruled.
        limit = re.sub(r"\bcost\S*|成本", "", front.group())
        conceded = _SCOPE.search(limit) and _CONCLUDES.search(rest)
        if small is not None and conceded and not any(word.search(rest) for word in (_OUTER, _STILL_HEDGED)):
            opener = draw.choice(_SURE_ZH if zh else _SURE)
            yield edit(
                line, 0, front.end() + 1, opener + small[:1], pattern="concession-overruled", note=note
            )


_SURE: Final = (
    "Without question, ",
    "There is no doubt that ",
    "In every respect, ",
    "It is settled that ",
    "Beyond any doubt, ",
    "It is certain that ",
    "Quite simply, ",
    "There can be no question that ",
)
_SURE_ZH: Final = ("毫无疑问，", "可以肯定的是，", "无论如何，", "确定无疑的是，", "事实已经证明，")
_STRONG: Final = _PHRASES.pattern("<<strong>>")


def _certain(
    body: str, table: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...], draw: Random
) -> tuple[str, list[tuple[str, str]]]:
    """Return a sentence with every hedge of a table replaced, and each pair of old and new wording."""
    done: list[tuple[str, str]] = []
    for pattern, options in table:
        choice = draw.choice(options)

        def put(match: re.Match[str], choice: str = choice) -> str:
            new = choice
            if match.group().startswith("are ") and new.startswith("is "):
                new = "are " + new[3:]
            if match.group()[:1].isupper():
                new = capital(new)
            if not new:
                return match.group()
            # "will … will inevitably … will inevitably": once is enough.
            if any(new == earlier for _, earlier in done) and new.startswith("will "):
                new = "will"
            done.append((match.group(), new))
            return new

        body = pattern.sub(put, body)
    return body, done


def _narrow(old: str, new: str) -> tuple[int, int, str]:
    """Return the span of ``old`` that differs from ``new``, cut at word boundaries, and its replacement."""
    low = 0
    while low < min(len(old), len(new)) and old[low] == new[low]:
        low += 1
    high = 0
    while high < min(len(old), len(new)) - low and old[-1 - high] == new[-1 - high]:
        high += 1
    return low, len(old) - high, new[low : len(new) - high]


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs with a hedge or a limitation."""
    return edit_sites(report, draw, _FITS)


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it must remove hedges or a limitation and keep the claim."""
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    before, after = (len(_HEDGE.findall(text)) for text in (found.before, found.after))
    if after >= before:
        return "no hedge, condition or limit is gone"
    kept = shared_terms(found.before, found.after)
    if kept < 0.35:
        return f"the claim itself is gone: {kept:.0%} of its terms are left"
    return None


OPERATOR = targeted(
    dimension="qualifiers_counterpoints",
    title="Qualifiers and counterpoints",
    title_zh="损害限定与反面意见",
    definition=(
        "A conclusion that was scoped by uncertainty, a condition or a counterpoint is stated as certain: "
        "the hedge became a certainty, or the limit it came with is gone, though nothing in the report "
        "supports the stronger claim."
    ),
    definition_zh="原本带有不确定性、条件或反面考虑的结论被写成了定论：缓和语变成了断言，或者限定条件被删去，而报告并没有支持更强说法的依据。",
    rule=rule,
    sites=sites,
    ask=(
        "Choose one claim of the passage that is hedged or limited. Turn its hedges into certainty (may → "
        "will, potential → inevitable, suggests → proves), or replace the limitation it names by a wave of "
        "the hand. Leave evidence, figures, citations and every other sentence as they are; do not make it "
        "sound like shouting."
    ),
    ask_zh=(
        "从段落中选一处带有缓和语或限定条件的论断，把缓和语改为肯定语气（可能→必然，有望→必将，表明→证明），或把它所说的局限一笔带过。"
        "证据、数字、引用和其他句子保持原样，语气仍要像研究报告。"
    ),
    check=check,
    codes=("QUA001",),
)
