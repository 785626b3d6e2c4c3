"""Statements that are there anyway are labelled and listed as evidence; no support is added."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._added import revision, surface_only
from assay.interventions.attacks._biased import biased
from assay.interventions.attacks._prose import Line, chinese, lines, opening_small
from assay.interventions.base import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_LABELS_EN: Final = (
    ("Evidence {n}: ", "Evidence {n}: "),
    ("**Evidence:** ", "**Supporting evidence:** ", "**Further evidence:** "),
    ("Supporting evidence: ", "Further evidence: ", "Additional evidence: "),
    ("**[Evidence]** ",),
    ("Key evidence – ", "Supporting point – ", "Corroborating point – "),
)
_LABELS_ZH: Final = (
    ("证据{n}：",),
    ("**证据：**", "**佐证：**", "**事实依据：**"),
    ("依据：", "佐证：", "事实依据："),
    ("【证据】",),
    ("支撑证据——", "相关佐证——"),
)
_SHOWS_EN: Final = (
    "The evidence shows that ",
    "The evidence is clear that ",
    "There is direct evidence that ",
    "As the evidence attests, ",
    "The supporting evidence is that ",
)
_SHOWS_ZH: Final = ("证据表明，", "事实证明，", "有证据显示，", "依据以上材料可见，")
_ENDS_EN: Final = (
    "Taken together, this evidence points in one direction.",
    "The evidence listed above is mutually consistent.",
    "Each of these items of evidence supports the others.",
    "In sum, the points above constitute the evidence for this section.",
)
_ENDS_ZH: Final = (
    "综合来看，以上证据指向同一方向。",
    "上述证据相互印证。",
    "以上各项共同构成本节的证据。",
    "归纳而言，这些事实就是本部分的依据。",
)
_SKIPPED: Final = re.compile(
    r"^(?:This|These|Those|However|For example|In other words|Thus|Therefore|It|They|Such|Finally|Additionally|Overall|In conclusion|Evidence|[*\"“#])|^(?:这|该|此外|然而|因此|例如|但|其|它|上述|首先|其次|综上|总)|[:：]\s*$"
)
# Advice and plans are no evidence of anything, whatever the label.
_ADVICE: Final = re.compile(
    r"\b(?:should|must|recommend\w*|needs? to|this (?:report|section|paper|analysis))\b|^(?:[A-Z][a-z]+ (?:the|a|an|for|and|by|to|with|/)\b(?=[^.]{0,40}$)|(?:Set|Add|Use|Analy[sz]e|Finalize|Ensure|Consider|Adopt|Implement|Monitor|Test|Run|Apply|Choose|Select|Create|Build|Avoid|Include|Provide|Establish|Develop|Focus|Keep|Start)\b)|建议|应当|应该|需要|本报告|本文|未来|展望",
    re.IGNORECASE,
)
_FEWEST: Final = 3


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Three versions: labels of one style each, or phrases, and a line of aggregation."""
    zh = chinese(report)
    everything = lines(report, shortest=50, longest=420)
    facts = [
        line
        for line in everything
        if not _SKIPPED.search(line.text)
        and not _ADVICE.search(line.text)
        and line.text[line.tail :].strip()
        and (report.blocks[line.block].kind == "paragraph" or re.search(r"\d", line.text))
    ]
    styles = list(_LABELS_ZH if zh else _LABELS_EN)
    draw.shuffle(styles)
    for labels in [styles[0], None, styles[1]]:
        block = _richest(facts, draw)
        if len(block) < _FEWEST:
            return
        edits: list[Edit] = []
        for number, line in enumerate(block, start=1):
            if labels is not None:
                text = labels[(number - 1) % len(labels)].format(n=number)
                edits.append(Edit(line.start, line.start, text))
                continue
            if zh:
                edits.append(Edit(line.start, line.start, draw.choice(_SHOWS_ZH)))
                continue
            small = opening_small(report, line.text)
            if small is not None:
                edits.append(Edit(line.start, line.start + 1, draw.choice(_SHOWS_EN) + small[:1]))
        last = block[-1]
        if (
            last.end >= report.blocks[last.block].span.end - 1
            and report.blocks[last.block].kind == "paragraph"
        ):
            text = draw.choice(_ENDS_ZH if zh else _ENDS_EN)
            edits.append(Edit(last.end, last.end, text if zh else " " + text))
        if len(edits) < _FEWEST:
            continue
        name = "phrases" if labels is None else "labels"
        found = revision(edits, pattern=name, note=f"{len(edits)} statements presented as evidence")
        if found is not None:
            yield found


def _richest(facts: list[Line], draw: Random) -> list[Line]:
    """Statements of two or three sections, at most one in two of a paragraph, those with figures or citations first."""
    sections: dict[int, list[Line]] = {}
    for line in facts:
        sections.setdefault(line.section, []).append(line)
    order = sorted(sections)
    draw.shuffle(order)
    order.sort(key=lambda index: -min(6, len(sections[index])))
    chosen: list[Line] = []
    for index in order[:5]:
        inside = sorted(sections[index], key=lambda line: (not re.search(r"\d", line.text), line.start))
        chosen += inside[:4]
        if len(chosen) >= draw.choice((6, 8, 10)):
            break
    return sorted(chosen, key=lambda line: line.start)


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Labels and phrases of evidence, no more evidence."""
    return surface_only(reference, perturbed, attack, least=0.0005, most=0.12)


OPERATOR = biased(
    name="evidence_illusion",
    title="Evidence illusion",
    definition="Statements the report makes anyway are labelled, numbered or announced as evidence. No supporting content is added.",
    definition_zh="把报告原有的陈述贴上“证据”标签、编号罗列或冠以“证据表明”，没有增加任何支撑内容。",
    rule=rule,
    ask=(
        "Present statements of the passage as evidence: label or number them as such, announce them with phrases like the evidence shows, "
        "sum them up in half a sentence. Every statement stays as it is with its citations; no fact, figure, source or claim is added."
    ),
    ask_zh="把段落中的陈述包装成“证据”：加标签或编号，用“证据表明”引出，再用半句话汇总。陈述及其引用保持原样，不新增事实、数字、来源或论断。",
    check=check,
)
