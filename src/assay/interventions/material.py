"""What a model is shown of a subject that is edited: the document as a whole, and the places with what stands around them.

The document comes first in every prompt about it, in the same words for editing and for the second reading, so that
a prefix cache reads it once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.interventions.base import Place
    from assay.subjects.subject import Subject
    from assay.subjects.trajectory import Step, ToolCall

# Characters of the paragraph before and after a passage, and of the whole record of a trajectory.
_NEIGHBOUR: Final = 600
_RECORD: Final = 12_000
_STEP: Final = (120, 900)
_HEADINGS: Final = 80
_SOURCES: Final = 80
_SOURCE: Final = 180
_LINK: Final = re.compile(r"\[[^\]\n]{1,150}\]\(https?://[^\s)]{3,300}\)")


def document(subject: Subject) -> dict[str, Any]:
    """Return the variables of the block ``document``: the question, and outline and sources or tools and steps."""
    if isinstance(subject, Report):
        return {"query": subject.query or "", "outline": outline(subject), "sources": source_list(subject)}
    assert isinstance(subject, Trajectory)
    return {
        "query": subject.query,
        "tools": ", ".join(subject.tools or dict.fromkeys(_called(subject))),
        "steps": step_record(subject),
    }


def outline(report: Report) -> str:
    """Return the headings of a report, indented by level."""
    sections = [section for section in report.sections[1:] if section.title][:_HEADINGS]
    top = min((section.level for section in sections), default=1)
    return "\n".join(f"{'  ' * (section.level - top)}{section.title}" for section in sections)


def source_list(report: Report) -> str:
    """Return the reference list of a report, an entry a line with its key; its links if it has no list."""
    lines = []
    for reference in report.references[:_SOURCES]:
        words = " ".join(part for part in (reference.title, reference.url or "") if part)
        lines.append(f"[{reference.key or reference.index + 1}] {words[:_SOURCE]}")
    left = len(report.references) - len(lines)
    if not lines:
        links = dict.fromkeys(link.group()[:_SOURCE] for link in _LINK.finditer(report.source))
        lines, left = list(links)[:_SOURCES], len(links) - _SOURCES
    return "\n".join(lines) + (f"\n(+{left})" if left > 0 else "")


def step_record(trajectory: Trajectory) -> str:
    """Return every step in brief: what was thought, called and returned."""
    low, high = _STEP
    most = max(low, min(high, _RECORD // max(1, len(trajectory.steps))))
    return "\n".join(f"{step.index}. {_brief(step, most)}" for step in trajectory.steps)


def text_at(subject: Subject, place: Place) -> str:
    """Return the text of a place."""
    if isinstance(subject, Report):
        return subject.source[place.start : place.end]
    step = subject.steps[place.step or 0]
    if place.part == "reasoning":
        return step.reasoning
    call = step.tool_calls[place.call]
    if place.part == "response":
        return call.response or ""
    return call.name if place.part == "name" else arguments_text(call)


def arguments_text(call: ToolCall) -> str:
    """Return the arguments of a call as they are shown: their text, or JSON."""
    return call.arguments if isinstance(call.arguments, str) else msgspec.json.encode(call.arguments).decode()


def around(subject: Subject, place: Place) -> dict[str, str]:
    """Return where a place is and what stands before and after it: ``where``, ``before``, ``after``."""
    if isinstance(subject, Report):
        return _around_passage(subject, place)
    number = place.step or 0
    step = subject.steps[number]
    earlier = subject.steps[max(0, number - 1)]
    later = subject.steps[number + 1] if number + 1 < len(subject.steps) else None
    after = _brief(later, 900) if later is not None else (subject.answer or "")[:900]
    before = whole_step(earlier) if number else ""
    return {"where": str(number), "before": before.strip(), "after": after, "step": whole_step(step)}


def whole_step(step: Step) -> str:
    """Return a step in full, except for long responses, which are cut."""
    parts = [step.reasoning.strip()]
    for call in step.tool_calls:
        parts.append(f"→ {call.name} {arguments_text(call)}")
        if call.response:
            parts.append(f"← {_cut(call.response, 2_500)}")
    return "\n".join(part for part in parts if part)


def _around_passage(report: Report, place: Place) -> dict[str, str]:
    block = report.block_at(place.start)
    title = report.sections[block.section].title if block is not None else ""
    before = report.source[: place.start].rstrip()
    after = report.source[place.end :].lstrip()
    return {
        "where": title,
        "before": _tail(before, _NEIGHBOUR),
        "after": _cut(after, _NEIGHBOUR) if after else "",
    }


def _brief(step: Step, most: int) -> str:
    parts = [_cut(" ".join(step.reasoning.split()), most // 3)] if step.reasoning.strip() else []
    for call in step.tool_calls:
        shown = f"{call.name} {_cut(arguments_text(call), most // 3)}"
        response = " ".join((call.response or "").split())
        parts.append(f"→ {shown} ← {_cut(response, most // 2)}" if response else f"→ {shown}")
    return " ".join(parts)


def _called(trajectory: Trajectory) -> list[str]:
    return [call.name for step in trajectory.steps for call in step.tool_calls]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rstrip() + " …"


def _tail(text: str, most: int) -> str:
    return text if len(text) <= most else "… " + text[-most:].lstrip()
