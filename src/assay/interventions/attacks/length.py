"""The report says the same at greater length: its own sentences again, reordered and rephrased, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._added import revision, surface_only
from assay.interventions.attacks._biased import biased
from assay.interventions.attacks._paraphrase import exchanged, restated
from assay.interventions.attacks._prose import Line, chinese, lines, opening_small, plain_words
from assay.interventions.base import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_TARGETS: Final = (0.2, 0.3, 0.42)
_LEAST: Final = 0.15
_MOST: Final = 0.6
_SUM_EN: Final = (
    "Taken together, the point of this paragraph is that {a}, and that {b}.",
    "To summarise, {a}; and, as noted, {b}.",
    "In sum, two things have been said here: {a}, and {b}.",
    "The paragraph thus says, in brief, that {a} and, further, that {b}.",
)
_SUM_ZH: Final = (
    "综合来看，以上说明的是：{a}；同时，{b}。",
    "概括地说，{a}；而且，{b}。",
    "归纳以上内容，一是{a}，二是{b}。",
    "总结这一部分的要点：{a}，{b}。",
)


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Up to three versions, longer by about a fifth, a third and two fifths."""
    targets = list(_TARGETS)
    draw.shuffle(targets)
    size = report.reference_span.start if report.reference_span else len(report.source)
    candidates = [line for line in lines(report, shortest=45, longest=340) if line.start < size]
    for target in targets:
        wanted = int(len(report.source) * target)
        edits = list(_until(report, candidates, wanted, draw))
        added = sum(len(edit.text) for edit in edits)
        if not edits or added < (_LEAST + 0.005) * len(report.source):
            continue
        found = revision(
            edits, pattern="paraphrase", note=f"{len(edits)} restatements, +{added / len(report.source):.0%}"
        )
        if found is not None:
            yield found


def _until(report: Report, candidates: list[Line], wanted: int, draw: Random) -> Iterator[Edit]:
    """Restatements after sentences drawn, and summaries after paragraphs, until enough has been added."""
    zh = chinese(report)
    gap = "" if zh else " "
    order = list(candidates)
    draw.shuffle(order)
    done = 0
    ends: dict[int, list[Line]] = {}
    for line in candidates:
        ends.setdefault(line.block, []).append(line)
    for line in order:
        if done >= wanted:
            return
        block = ends[line.block]
        text = None
        if line is block[-1] and len(block) >= 3 and draw.random() < 0.5:
            text = _summed(report, block, draw)
        text = text or restated(report, line, draw)
        if text:
            done += len(text) + 1
            yield Edit(line.end, line.end, gap + text)


def _summed(report: Report, block: list[Line], draw: Random) -> str | None:
    """Two sentences of a paragraph once more, as one."""
    zh = chinese(report)
    first, second = block[0], block[-2]
    parts = [exchanged(plain_words(line.text[: line.tail]), draw, zh=zh) for line in (first, second)]
    if first is second or any(
        len(part) > (70 if zh else 190) or ":" in part or "：" in part or ";" in part for part in parts
    ):
        return None
    small = [part if zh else opening_small(report, part) for part in parts]
    if small[0] is None or small[1] is None:
        return None
    return draw.choice(_SUM_ZH if zh else _SUM_EN).format(a=small[0], b=small[1])


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Longer by 15 to 60 per cent, with all that was there and nothing that was not."""
    # One section rewritten by a model is a part of the report: its own growth is what is bounded then.
    least = _LEAST
    if len(attack.edits) == 1 and attack.edits[0].end - attack.edits[0].start > 120:
        edit = attack.edits[0]
        if not 1 + _LEAST <= len(edit.text) / (edit.end - edit.start) <= 2.2:
            return "the passage did not grow by 15 to 120 %"
        least = 0.0
    return surface_only(reference, perturbed, attack, least=least, most=_MOST)


OPERATOR = biased(
    name="length",
    title="Length",
    definition="The text is longer by redundant paraphrase of what it says anyway. No claim, figure, source or condition is new.",
    definition_zh="文本因反复改述已有内容而变长，没有任何新的论断、数字、来源或条件。",
    rule=rule,
    ask=(
        "Make the passage about a third longer without saying anything more. Keep each sentence with its citations, in order, and "
        "after some of them say the same again in other words. No new claims, examples, figures, names, conditions or citations."
    ),
    ask_zh="在不增加任何信息的前提下，把段落加长约三分之一：保留每个句子及其引用和顺序，在部分句子之后换一种说法重复其意思。不得新增论断、例子、数字、名称、条件或引用。",
    check=check,
)
