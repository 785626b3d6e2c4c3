"""What a revision changed, as a second reader sees it: each paragraph or part of a step, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.applying import raw_step
from assay.interventions.base import Place, StepRevision, TextRevision
from assay.interventions.material import arguments_text, around
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.interventions.base import Revision
    from assay.subjects.subject import Subject

# Characters of an unchanged stretch within a passage beyond which it is cut out.
_LONGEST: Final = 6_000
_EDGE: Final = 1_500
# Characters of an unchanged part of a changed step.
_KEPT: Final = 2_500


class ChangedPassage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage or a part of a step before and after a revision.

    Attributes:
        part: ``passage``, or the part of the step: ``reasoning``, ``name``, ``arguments``, ``response``.
        where: Heading of the section, or number of the step.
        before: The text in the reference.
        after: The text in the revised subject.
        preceding: What stands before it in both.
        succeeding: What stands after it in both.
    """

    part: str
    where: str
    before: str
    after: str
    preceding: str = ""
    succeeding: str = ""


def changed_passages(reference: Subject, revised: Subject, revision: Revision) -> list[ChangedPassage]:
    """Return every passage that a revision changed, in the order of the text."""
    if isinstance(revision, StepRevision):
        assert isinstance(reference, Trajectory)
        assert isinstance(revised, Trajectory)
        return _changed_parts(reference, revised, revision)
    assert isinstance(reference, Report)
    return _changed_paragraphs(reference, revised.source, revision)


def _changed_paragraphs(reference: Report, revised: str, revision: TextRevision) -> list[ChangedPassage]:
    windows: list[list[int]] = []
    for edit in revision.edits:
        low, high = _paragraph(reference, edit.start, edit.end)
        grown = len(edit.text) - (edit.end - edit.start)
        if windows and low <= windows[-1][1]:
            windows[-1][1] = max(windows[-1][1], high)
            windows[-1][2] += grown
        else:
            windows.append([low, high, grown])
    passages, shift = [], 0
    contexts = around(reference, [Place(start=low, end=high) for low, high, _ in windows])
    for (low, high, grown), context in zip(windows, contexts, strict=True):
        before, after = _shortened(reference.source[low:high], revised[low + shift : high + shift + grown])
        passages.append(
            ChangedPassage(
                part="passage",
                where=context["where"],
                before=before,
                after=after,
                preceding=context["before"],
                succeeding=context["after"],
            )
        )
        shift += grown
    return passages


def _paragraph(report: Report, start: int, end: int) -> tuple[int, int]:
    """Return the span of the blocks that an edit touches; of an edit between blocks, the edit's own."""
    low, high = start, end
    for offset in {start, max(start, end - 1)}:
        block = report.block_at(offset)
        if block is not None:
            low, high = min(low, block.span.start), max(high, block.span.end)
    # A list mark or quote mark before the block belongs to its line.
    line = report.source.rfind("\n", 0, low) + 1
    return (line if not report.source[line:low].strip("-*+>0123456789.) \t") else low), high


def _shortened(before: str, after: str) -> tuple[str, str]:
    """Return two long texts without most of what they share at the start and at the end."""
    if max(len(before), len(after)) <= _LONGEST:
        return before, after
    lead = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    tail = 0
    while tail < min(len(before), len(after)) - lead and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    low, high = max(0, lead - _EDGE), max(0, tail - _EDGE)
    return tuple(  # type: ignore[return-value]
        ("… " if low else "") + text[low : len(text) - high] + (" …" if high else "")
        for text in (before, after)
    )


def _changed_parts(
    reference: Trajectory, revised: Trajectory, revision: StepRevision
) -> list[ChangedPassage]:
    passages: list[ChangedPassage] = []
    steps = sorted({revision.index, *(index for index, _ in revision.following)})
    for number in steps:
        places = [Place(step=index) for index in [number, *steps] if index >= number]
        context = around(reference, places)[0]
        before, after = _parts(reference, number), _parts(revised, number)
        # Parts that stay: those above the first change are shown before it, the others after the last.
        above = [] if number - 1 in steps else [context["before"]]
        below: list[str] = []
        own: list[ChangedPassage] = []
        for part in dict.fromkeys([*before, *after]):
            old, new = before.get(part, ""), after.get(part, "")
            if old == new:
                (below if own else above).append(_kept(part, old))
                continue
            old, new = _shortened(old, new)
            own.append(ChangedPassage(part=part, where=str(number), before=old, after=new))
        if own:
            own[0] = msgspec.structs.replace(own[0], preceding=_joined(above))
            own[-1] = msgspec.structs.replace(own[-1], succeeding=_joined([*below, context["after"]]))
        passages += own
    return passages


def _kept(part: str, text: str) -> str:
    sign = {"name": "→ ", "arguments": "→ ", "response": "← "}.get(part.partition(" ")[0], "")
    return f"{sign}{text[:_KEPT].rstrip()}{' …' if len(text) > _KEPT else ''}" if text else ""


def _joined(parts: list[str]) -> str:
    return "\n".join(part for part in parts if part.strip())


def _parts(trajectory: Trajectory, number: int) -> dict[str, str]:
    """Return the texts of a step by part; the parts of a second call carry its number."""
    step = trajectory.steps[number]
    texts = {"reasoning": raw_step(step).reasoning}
    for at, call in enumerate(step.tool_calls):
        tag = f" {at + 1}" if at else ""
        texts[f"name{tag}"] = call.name
        texts[f"arguments{tag}"] = arguments_text(call)
        texts[f"response{tag}"] = call.response or ""
    return texts
