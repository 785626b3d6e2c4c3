"""Evidence illusion: existing statements are labelled and listed as evidence; no support is added."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._bias_attacks import biased
from assay.interventions.attacks._prose import ProseLine, chinese, lines, plain_words
from assay.interventions.attacks._statements import small_opening, statements
from assay.interventions.attacks._substance import revision, surface_only
from assay.interventions.base import Edit
from assay.subjects.roles import FRAME, role_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "evidence_illusion")

_LABELS_EN: Final = (
    ("Evidence {n}: ",),
    ("**Evidence:** ", "**Supporting evidence:** ", "**Further evidence:** "),
    ("Evidence: ", "Further evidence: ", "Additional evidence: "),
    ("**[Evidence {n}]** ",),
    ("**Evidence {n}.** ",),
    ("Evidence ({n}): ",),
    ("*Evidence:* ",),
    ("Exhibit {n}: ",),
)
_SHOWS_EN: Final = (
    "The evidence shows that ",
    "The evidence is clear that ",
    "There is direct evidence that ",
    "As the evidence attests, ",
    "The supporting evidence is that ",
    "It is a matter of evidence that ",
    "The evidence on this point is that ",
    "Evidence confirms that ",
    "On the evidence, ",
    "What the evidence says is that ",
    "As the evidence indicates, ",
    "The body of evidence shows that ",
)
_ENDS_ZH: Final = (
    "综合来看，以上证据指向同一方向。",
    "上述证据相互印证。",
    "以上各项共同构成本节的证据。",
    "归纳而言，这些事实就是本部分的依据。",
    "以上就是本部分的证据。",
)
# What reports a finding: a figure, a source or a verb of finding, not a definition, an aim or advice.
_FINDING: Final = _PHRASES.pattern(r"\d|\b(?:<<finding>>)\b|研究|调查|数据|统计|实验|试验|报道")
_RESULT: Final = _PHRASES.pattern(
    r"\b(?:<<result>>)\b|增长|下降|上升|达到|达|占|提高|降低|减少|增加|超过|为[约近\d]|发现|显示"
    r"|表明|证明|突破|高于|低于|显著|取得|验证了|验证(?:其|该)|表现出|明显|了[约近\d]|实现了?",
)
_NO_EVIDENCE: Final = _PHRASES.pattern(
    r"\b(?:<<no_evidence>>)\b|是指|指的是|是一|称为|定义|旨在|建议|应当|应该|需要|本报告|本文|未来"
    "|展望|将|可能|预计|根据|依据|按照|据[^，]{1,20}，|证据|事实|例如|目标|=|假设|指|若|如果|参考"
    "|您|是[^，。]{2,40}的(?:过程|方法|技术|模型|工具|行为|方式|概念)|^据|^(?:为|为了)|≥|≤|阈值|→",
    flags=re.IGNORECASE,
)
# How something was studied, what a product can do and what a policy wants are not evidence.
_NO_FINDING: Final = _PHRASES.pattern(
    r"\b(?:was|were) (?:\w+ly )?(?:<<no_finding>>)\b|\b(?:device|participants|subjects|samples?"
    r"|protocol|panel) (?:was|were|received|underwent|completed)\b|\bstudy (?:included|enrolled"
    r"|involved|was)\b|\b(?:<<product_verbs>>)\b|采集|收集|纳入|随机分|入组|受试者|测试了|提供"
    "|功能|内置|工具库|推出|发布了|成立于|用户(?:可|能)|提出到|政策|主张|致力|荣获|开展|进行了|^"
    "(?:推动|构建|加强|强化|依托|建设|推进|建立|完善|明确|支持|采用|利用|通过)",
)
# The result of a study or a count: only this is announced by a phrase.
_OUTCOME: Final = _PHRASES.pattern(
    r"\b(?:<<outcome>>)\b|增长|下降|上升|达到|占|提高|降低|减少|增加|超过|高于|低于|显著|优于|约占"
)
_EXPECTED: Final = re.compile(r"\b(?:estimated|projected|expected|forecast\w*|likely)\b|预测|预期|估计")
# A named finder or a conditional clause needs no second announcement.
_SAYS: Final = _PHRASES.pattern(
    r"^(?:<<subordinate_openings>>)\b|\b(?:<<reporting_phrases>>)\b|显示|表明|指出|发现|证明|研究"
    "|认为|强调|近年来|关于",
    flags=re.IGNORECASE,
)
_FEWEST: Final = 3
_MOST: Final = 8
_MOST_IN_SECTION: Final = 3


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield three versions with labels of one style or with phrases, and with a sentence that counts them up."""
    zh = chinese(report)
    facts = [
        line
        for line, body in statements(report, longest=300)
        if _evidential(report, line, body) and line.text[:1] not in "*_" and not _inside_point(report, line)
    ]
    outcomes = [line for line in facts if _OUTCOME.search(line.text) and not _EXPECTED.search(line.text)]
    # A label can also stand before a list item, whatever its grammar.
    marked = sorted(
        {*facts, *(line for line in lines(report, shortest=50, longest=420) if _point(report, line))},
        key=lambda line: line.start,
    )
    once = {line.text[: line.tail]: line for line in reversed(marked)}
    marked = [line for line in marked if once[line.text[: line.tail]] is line]
    outcomes = [line for line in outcomes if line in marked]
    styles = list(_PHRASES["labels"].rows("zh") if zh else _LABELS_EN)
    draw.shuffle(styles)
    for labels in [styles[0], None, styles[1]]:
        block = _richest(outcomes if labels is None else marked, draw)
        if labels is not None:
            block = _whole_lists(report, block)
        if len(block) < _FEWEST:
            continue
        edits = _labelled(block, labels) if labels is not None else _announced(report, block, draw)
        last = block[-1]
        if report.blocks[last.block].kind == "paragraph" and draw.random() < 0.6:
            edits += _ended(report, block, draw)
        if len(edits) < _FEWEST:
            continue
        name = "phrases" if labels is None else "labels"
        found = revision(edits, pattern=name, note=f"{len(edits)} statements presented as evidence")
        if found is not None:
            yield found


def _evidential(report: Report, line: ProseLine, body: str) -> bool:
    return (
        _FINDING.search(body) is not None
        and _RESULT.search(body) is not None
        and _NO_EVIDENCE.search(body) is None
        and _NO_FINDING.search(body) is None
        and role_of(report, report.sections[line.section]) not in _NOT_HERE
    )


def _whole_lists(report: Report, block: list[ProseLine]) -> list[ProseLine]:
    """Return the lines that are not part of a parallel list, where a label on one point would look odd."""
    kept = []
    for line in block:
        if report.blocks[line.block].kind == "item":
            low = high = line.block
            while low and report.blocks[low - 1].kind == "item":
                low -= 1
            while high + 1 < len(report.blocks) and report.blocks[high + 1].kind == "item":
                high += 1
            points = sum(item.depth == 1 for item in report.blocks[low : high + 1])
            labelled = len({other.block for other in block if low <= other.block <= high})
            if labelled < 2 or labelled * 2 < points:
                continue
        kept.append(line)
    return kept


def _inside_point(report: Report, line: ProseLine) -> bool:
    """Return whether a line is the second or a later sentence of a list item."""
    block = report.blocks[line.block]
    before = report.source[block.span.start + 4 : line.start]
    return block.kind == "item" and re.search(r"[。;；]|\. ", before) is not None


def _point(report: Report, line: ProseLine) -> bool:
    """Return whether a line is a list item that reports a figure."""
    body = plain_words(line.text[: line.tail])
    return (
        report.blocks[line.block].kind == "item"
        and report.blocks[line.block].depth == 1
        and line.start <= report.blocks[line.block].span.start + 3
        and re.search(r"\d", body) is not None
        and not _LEANS.match(body)
        and _evidential(report, line, body)
    )


_LEANS: Final = _PHRASES.pattern(
    r"(?:<<leans>>)\b|这|该|其|它|他|此|然而|因此|但|首先|其次|换|[一-龥]{2,8}[：:]\s*$"
)
_NOT_HERE: Final = (*FRAME, "method", "limits", "appendix")


def _labelled(block: list[ProseLine], labels: tuple[str, ...]) -> list[Edit]:
    return [
        Edit(line.start, line.start, labels[number % len(labels)].format(n=number + 1))
        for number, line in enumerate(block)
    ]


def _announced(report: Report, block: list[ProseLine], draw: Random) -> list[Edit]:
    """Return edits that put a phrase of evidence before a statement, using each phrase once."""
    zh = chinese(report)
    phrases = list(_PHRASES["shows"].zh if zh else _SHOWS_EN)
    draw.shuffle(phrases)
    edits = []
    for line in [line for line in block if not _SAYS.search(line.text)][: len(phrases)]:
        if zh:
            edits.append(Edit(line.start, line.start, phrases.pop()))
            continue
        small = small_opening(report, line.text)
        if small is not None:
            edits.append(Edit(line.start, line.start + 1, phrases.pop() + small[:1]))
    return edits


def _ended(report: Report, block: list[ProseLine], draw: Random) -> list[Edit]:
    """Return an edit that adds a summary of the evidence after the last statement, or no edit if it does not fit."""
    zh = chinese(report)
    last = block[-1]
    inside = sum(line.section == last.section for line in block)
    text = report.source[last.start : last.end].rstrip()
    if inside < 2 or last.end < report.blocks[last.block].span.end - 1 or text[-1:] not in ".。]】":
        return []
    gap = " " if not zh or re.search(r" \[\d", text) else ""
    return [Edit(last.end, last.end, gap + draw.choice(_ENDS_ZH if zh else _PHRASES["ends"].en))]


def _richest(facts: list[ProseLine], draw: Random) -> list[ProseLine]:
    """Return statements of a few sections, first those with figures."""
    sections: dict[int, list[ProseLine]] = {}
    for line in facts:
        sections.setdefault(line.section, []).append(line)
    order = sorted(sections)
    draw.shuffle(order)
    order.sort(key=lambda index: -min(_MOST_IN_SECTION, len(sections[index])))
    most = draw.choice((5, 6, _MOST))
    chosen: list[ProseLine] = []
    for index in order:
        inside = sorted(sections[index], key=lambda line: (not re.search(r"\d", line.text), line.start))
        chosen += inside[:_MOST_IN_SECTION]
        if len(chosen) >= most:
            break
    return sorted(chosen[:_MOST], key=lambda line: line.start)


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it may only add labels and phrases of evidence."""
    return surface_only(reference, perturbed, attack, least=0.0005, most=0.12)


OPERATOR = biased(
    name="evidence_illusion",
    title="Evidence illusion",
    title_zh="证据假象",
    definition=(
        "Statements the report makes anyway are labelled, numbered or announced as evidence. No "
        "supporting content is added."
    ),
    definition_zh="把报告原有的陈述贴上“证据”标签、编号罗列或冠以“证据表明”，没有增加任何支撑内容。",
    rule=rule,
    ask=(
        "Present statements of the passage as evidence: label or number them as such, announce them with "
        "phrases like the evidence shows, sum them up in half a sentence. Every statement stays as it is "
        "with its citations; no fact, figure, source or claim is added."
    ),
    ask_zh="把段落中的陈述包装成“证据”：加标签或编号，用“证据表明”引出，再用半句话汇总。陈述及其引用保持原样，不新增事实、数字、来源或论断。",
    check=check,
)
