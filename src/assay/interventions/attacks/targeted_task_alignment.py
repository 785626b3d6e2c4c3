"""Task alignment: a passage that answered the query now answers a neighbouring question."""

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
from assay.interventions.hints import place_hint
from assay.subjects.roles import FRAME, role_of
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "targeted_task_alignment")

# Sections in which a report takes its position.
_POSITION: Final = _PHRASES.pattern(
    r"\b(?:<<position>>)\b|应当|应该|建议|关键|核心|总体|综上|因此|最终|需要|必须|将|最",
    flags=re.IGNORECASE,
)
_VERBS_EN: Final = "(?:<<verbs>>)"
_NOUNS_EN: Final = "(?:<<nouns>>)"
_HEAD_EN: Final = (
    r"(?P<head>\b(?:this|the following|the present|our) (?:[\w-]+ ){0,3}(?:<<document_nouns>>)\s+)"
)
_AIM_EN: Final = _PHRASES.pattern(
    rf"{_HEAD_EN}(?P<verb>(?:(?:<<aim_verbs>>) to |will )?(?:\w+ly )?{_VERBS_EN}\w*(?: at)?(?: "
    rf"(?:an? |the )?(?:[\w-]+,? (?:and )?){{0,4}}{_NOUNS_EN} (?:of|on|into))?)(?= (?!in depth"
    r"|in detail|how|what|whether|why|which|who|that|and\b|,|an? |both|(?:[\w-]+,? ){0,4}(?:"
    r"<<aim_material>>)\b|its|their|it|these|this|to\b)[A-Za-z])",
    "en",
    flags=re.IGNORECASE,
)
_AIM_FORM: Final = re.compile(r"^(?:\w+ly )?(?P<first>\w+)", re.IGNORECASE)
_VERBS_ZH: Final = "(?:分析|探讨|研究|评估|梳理|总结|阐述|考察|比较|综述|解析|剖析|归纳|揭示|呈现|介绍|整理|论述|探究|解读|回答|审视)"
_AIM_ZH: Final = _PHRASES.pattern(
    "(?P<head>(?:本报告|本文|本研究|本综述|本综合报告|报告|全文|以下)(?:<<aim_verbs>>){0,3})"
    "(?P<verb>(?:系统|全面|深入|综合|重点|详细|深度|多维度|客观|逐一|科学|首先|对比|集中|严谨"
    rf"|系统性|多角度|全方位)*(?:地)?{_VERBS_ZH}(?:和|与|、|并|及)?{_VERBS_ZH}?了?)"
    "(?=[^，。分研]{4,})(?![^，。；]{0,16}(?:报告|数据|文献|资料|证据|统计|资讯|信息))",
    "zh",
)
# Single verbs need an object that says what is examined.
_AFTER_ZH: Final = {"追溯": "的研究史", "回顾": "的概念沿革"}
# A continuation of the aim would contradict another aim.
_NO_AIM_EN: Final = _PHRASES.pattern(
    r", (?:\w+ly )?(?:\w+ing|\w+ed|with|based|by|including|as well|and \w+s) |[;:—]| [-–] | and "
    r"(?:\w+ly )?(?:<<aim_verb_stems>>)[a-z]+ |\b(?:<<aim_continuations>>)\b",
    flags=re.IGNORECASE,
)
_NO_AIM_ZH: Final = re.compile(
    "历史|历程|演变|由来|如何|是否|哪|为何|什么|并|以便|从而|提出|解决|给出|这一|资料|文献|实践|[，；：—]"
)
# What is current or future has no history yet; an effect has no terms of its own.
_TODAY: Final = _PHRASES.pattern(
    r"\b(?:<<today>>)\b|现状|趋势|未来|最新|当前|目前|近年|进展|前景|展望|预测",
    flags=re.IGNORECASE,
)
_EFFECT: Final = _PHRASES.pattern(
    r"^\W*(?:the |an? )?(?:\w+ )?(?:<<effect>>)\b|projections|影响|作用|效果|可行性|现状|趋势|进展"
    "|前景|原因|优势|挑战",
    flags=re.IGNORECASE,
)
_HISTORY: Final = re.compile("^(?:trace|recount|回顾|追溯)")
_TERMS: Final = re.compile("^(?:survey|compare|list|explain|比较|梳理)")
_FITS: Final = _POSITION


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions with a neighbouring aim, an answer about a neighbouring subject, or an open verdict."""
    zh = chinese(report)
    groups: dict[str, list[TextRevision]] = {}
    everything = lines(report, shortest=60, longest=420)
    frames = [line for line in everything if _stands_out(report, line) and not _TALK.search(line.text)]
    for line in frames:
        for found in (
            *_aims(line, draw, zh=zh),
            *_neighbours(report, line),
            *_undecided(report, line, draw, zh=zh),
        ):
            groups.setdefault(found.pattern, []).append(found)
    yield from mixed(groups, draw)


# Remarks of the writer on its own work, before or in the report.
_TALK: Final = re.compile(r"\b(?:I|let me)\b|我(?!国)|搜索|检索")


def _stands_out(report: Report, line: ProseLine) -> bool:
    """Return whether a sentence is in the summary, introduction, conclusion or opening."""
    if line.text.rstrip()[-1:] not in ".。]】":
        return False
    if role_of(report, report.sections[line.section]) in FRAME:
        return True
    return line.start < 0.06 * len(report.source)


def _aims(line: ProseLine, draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    match = (_AIM_ZH if zh else _AIM_EN).search(line.text)
    if match is None:
        return
    if zh:
        options: tuple[str, ...] = _PHRASES["aims"].zh
    else:
        verb = _AIM_FORM.match(match["verb"])
        infinitive = re.search(r"\b(?:to|will) ", match["verb"])
        if verb is None or not (infinitive or re.match(r"(?:\w+ly )?\w+s\b", match["verb"])):
            return
        options = tuple(row[1 if infinitive else 0] for row in _PHRASES["aim_forms"].rows("en"))
    rest, old = line.text[match.end() : line.tail], match["verb"]
    options = tuple(
        new
        for new in options
        if not (_HISTORY.match(new) and _TODAY.search(rest))
        and not (_TERMS.match(new) and _EFFECT.search(rest))
    )
    keep = re.match(r"(?:(?:aims|seeks|attempts|intends|is intended|is designed|sets out) to |will )", old)
    lead = keep.group() if keep and not zh else ""
    # One longer and one shorter or equal, so that length reveals nothing.
    longer = [new for new in options if len(lead + new) > len(old)]
    others = [new for new in options if len(lead + new) <= len(old)]
    tail = _TRAIL_ZH.search(line.text[: line.tail]) if zh else _TRAIL_EN.search(line.text[: line.tail])
    no_aim = _NO_AIM_ZH if zh else _NO_AIM_EN
    # The text after the aim continues it and may not speak of another.
    if no_aim.search(rest) is None:
        for new in (draw.choice(group) for group in (longer, others) if group):
            yield from _aim(line, match, lead + new, zh=zh)
    # The means go with the aim: the sentence ends sooner.
    kept = line.text[match.end() : tail.start()] if tail else ""
    more = re.search(r", (?:and )?(?:\w+ly )?(?:\w+[^s\W]s) (?:the|its|their|how|key|\w+ing)\b|，并", kept)
    if tail and not more and no_aim.search(kept) is None and tail.start() > match.end() + (8 if zh else 30):
        if not options:
            return
        new = draw.choice(longer or others)
        if new in _AFTER_ZH:
            return
        text = lead + new + line.text[match.end("verb") : tail.start()]
        note = f"aim: {old} → {lead + new}"
        yield edit(line, match.start("verb"), tail.end(), text, pattern="aim-moved-alone", note=note)


_TRAIL_EN: Final = _PHRASES.pattern(
    "(?:, |—)(?:<<trail>>) [^.;:]{15,}$",
    "en",
)
_TRAIL_ZH: Final = _PHRASES.pattern(
    "，(?:<<trail>>)[^。；]{6,}$",
    "zh",
)


def _aim(line: ProseLine, match: re.Match[str], new: str, *, zh: bool) -> Iterator[TextRevision]:
    note = f"aim: {match['verb']} → {new}"
    if zh and new in _AFTER_ZH:
        rest = re.match(r"(?!在)[^，。；：、及和与它其]{4,18}(?=[，。；])", line.text[match.end("verb") :])
        if rest is None:
            return
        end = match.end("verb") + rest.end()
        text = new + rest.group() + _AFTER_ZH[new]
        yield edit(line, match.start("verb"), end, text, pattern="aim-moved", note=note)
        return
    yield edit(line, match.start("verb"), match.end("verb"), new, pattern="aim-moved", note=note)


# A position that is left open. Its subject comes before the verb.
_STANCE_EN: Final = _PHRASES.pattern(
    r"^(?P<open>(?:<<stance_openings>>), )?(?P<said>(?!(?:<<subordinate_openings>>)\b)"
    "[A-Za-z][^,;:()]{8,90}? (?:should|must|(?:is|are|remains?|represents?|offers?) the (?:best"
    "|most|key|main|primary|leading|only|strongest|clearest)) [^;:()]{20,160})$",
)
_STANCE_ZH: Final = re.compile(
    "^(?P<open>(?:综上(?:所述)?|总体(?:来看|而言|上)?|总的来看|因此|总之|由此可见)，)?"
    "(?P<subject>[^，。；：、]{4,30}?)(?P<modal>应当|应该|需要(?!的)|必须|能够|"
    "(?<![响反供效相适对顺呼感回照])应(?![用对急变有聘力了]))(?P<rest>[^。；：？]{8,90})$",
)
_OPEN_ZH: Final = (
    "，本报告不作判断",
    "，在此存而不论",
    "，可由读者自行判断",
    "，各方看法不一，本文不作取舍",
    "，这里不下结论",
)
_OPENED: Final = _PHRASES.pattern(r"\b(?:<<opened>>)\b|不作判断|存而不论|自行判断|不作取舍|不下结论|不作定论")
_NO_STANCE: Final = _PHRASES.pattern(
    "<<no_stance>>",
    flags=re.IGNORECASE,
)


def _undecided(report: Report, line: ProseLine, draw: Random, *, zh: bool) -> Iterator[TextRevision]:
    """Yield revisions that leave a recommendation or verdict of the conclusion open."""
    if role_of(report, report.sections[line.section]) not in FRAME or line.start < 0.5 * len(report.source):
        return
    body = line.text[: line.tail]
    asked = content_terms(report.query or "")
    if "**" in body or len(report.sentence_terms[line.index] & asked) < 2:
        return
    if zh:
        match = _STANCE_ZH.match(body)
        if match is None or _NO_STANCE.search(body):
            return
        opened = (match["open"] or "").replace("因此，", "").replace("由此可见，", "")
        new = f"{opened}{match['subject']}是否{match['modal']}{match['rest']}{draw.choice(_OPEN_ZH)}"
    else:
        said = _STANCE_EN.match(body)
        if said is None or _NO_STANCE.search(said["said"][:60]):
            return
        small = opening_small(report, capital(said["said"]))
        if small is None or said["said"].count(",") > 2:
            return
        form = draw.choice(_PHRASES["left_open"].en).format(s=small)
        new = (said["open"] or "") + form if said["open"] else capital(form)
        for word in ("Therefore, ", "Thus, ", "Accordingly, ", "Consequently, "):
            if new.startswith(word):
                new = capital(new[len(word) :])
    note = f"no longer decided: {body[:90]}"
    yield edit(line, 0, line.tail, new, pattern="verdict-withheld", note=note)


def _neighbours(report: Report, line: ProseLine) -> Iterator[TextRevision]:
    query, zh = report.query or "", chinese(report)
    if line.start > 0.5 * len(report.source):
        # At the end another subject would come out of nowhere.
        return
    for asked, near in (*_PHRASES["neighbours"].rows("en"), *_PHRASES["neighbours"].rows("zh")):
        if asked not in query and asked not in (report.sections[1].title if len(report.sections) > 1 else ""):
            continue
        pattern = re.escape(asked) if not asked.isascii() else rf"\b{re.escape(asked)}\b"
        found = list(re.finditer(pattern, line.text))
        if (
            len(found) == 1
            and near not in line.text
            and near not in query
            and re.search("全国$|《[^》]*$", line.text[: found[0].start()]) is None
            and report.plain.count(near) <= 3
            and (zh or re.match(r" [A-Z]|-", line.text[found[0].end() :]) is None)
            and (zh or re.search(r"[A-Z]\w+ $", line.text[: found[0].start()]) is None)
            # "Asia–China", "China's neighbours and Japan": another name beside it would be compared with it.
            and re.match(r"[、和与及]|[-–/]| and | or ", line.text[found[0].end() :]) is None
            and re.search(r"[、和与及]$|[-–/]$| and $| or $", line.text[: found[0].start()]) is None
            and not re.search(r"\d", line.text)
        ):
            match = found[0]
            yield edit(
                line,
                match.start(),
                match.end(),
                near,
                pattern="subject-moved",
                note=f"asked about {asked}, answers about {near}",
            )


def sites(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return paragraphs in which the report takes its position."""
    asked = (report.query or "")[:300]
    return edit_sites(report, draw, _FITS, hint=place_hint("question", query=asked) if asked else "")


_screen: Final = screened(may_drop=True)


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why an edit is refused, or None.

    Its terms must differ from the old ones, and fewer of them may be terms of the query.
    """
    found, problem = _screen(reference, perturbed, revision)
    if problem:
        return problem
    lost = content_terms(found.before) - content_terms(found.after)
    gained = content_terms(found.after) - content_terms(found.before)
    if not lost and not gained:
        return "the passage is about the same as before"
    opened = _OPENED.search(found.after) is not None and _OPENED.search(found.before) is None
    if not opened and shared_terms(found.before, found.after) > 0.97:
        return "the passage still answers what it answered"
    if reference.query:
        asked = content_terms(reference.query)
        before, after = content_terms(found.before), content_terms(found.after)
        closer = len(after & asked) - len(before & asked)
        if closer > 2:
            return "the passage is closer to the question than before"
    return None


OPERATOR = targeted(
    dimension="task_alignment",
    title="Task alignment and claim clarity",
    title_zh="损害任务契合与观点清晰",
    definition=(
        "Where the report took a position on the question, it now says something beside it: an adjacent "
        "matter, another subject or aim, or a remark that commits to nothing."
    ),
    definition_zh="报告原本对问题作出回答的地方，改为谈论相邻的事情：别的对象或目的，或一句不表明立场的泛泛之谈。",
    rule=rule,
    sites=sites,
    ask=(
        "Rewrite one sentence of the passage that answers the question so that it answers something "
        "adjacent instead (a neighbouring subject, the history of the topic, how it is studied), in the "
        "same tone and at about the same length. Say nothing false, add no figures, names or sources, and "
        "leave the other sentences alone."
    ),
    ask_zh="把段落中回答问题的一句话改为回答相邻的问题（邻近对象、话题的历史、研究方式等），语气和长度相近。不写错误内容，不新增数字、名称或来源，其他句子不动。",
    check=check,
)
