"""What a model is shown of a subject that is edited: the document as a whole, and the places with what stands around them.

The document comes first in every prompt about it, in the same words for editing and for the second reading, so that
a prefix cache reads it once.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.interventions.base import Place
    from assay.subjects.subject import Subject
    from assay.subjects.trajectory import Step, ToolCall

# Characters of all responses before a step, where a failure can be seen only by them, and of a piece of one.
_RESPONSES: Final = 20_000
_PIECE: Final = 800
# Passages of a report that speak of the same, and characters of each.
_ELSEWHERE: Final = 3
_PASSAGE: Final = 900
# Characters of the paragraph before and after a passage, and of the whole record of a trajectory.
_NEIGHBOUR: Final = 600
_RECORD: Final = 12_000
_STEP: Final = (120, 900)
_HEADINGS: Final = 80
_SOURCES: Final = 80
_SOURCE: Final = 180
_ADDRESS: Final = re.compile(r"https?://[^\s)\]]+")
_LINK: Final = re.compile(r"\[[^\]\n]{1,150}\]\(https?://[^\s)]{3,300}\)")


def document(subject: Subject) -> dict[str, Any]:
    """Return the variables of the block ``document``: the question, and outline and sources or tools and steps."""
    if isinstance(subject, Report):
        return {"query": subject.query or "", "outline": outline(subject), "sources": source_list(subject)}
    assert isinstance(subject, Trajectory)
    return {
        "query": subject.query,
        "tools": ", ".join(subject.tools or _called_tools(subject)),
        "steps": step_record(subject),
    }


def _called_tools(trajectory: Trajectory) -> list[str]:
    """Return the tools in use; ReAct's search comes with its look-up, whether that is called or not."""
    names = list(dict.fromkeys(_called(trajectory)))
    texts = all(isinstance(call.arguments, str) for call in trajectory.tool_calls)
    return [*names, "Lookup"] if texts and "Search" in names and "Lookup" not in names else names


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


def around(subject: Subject, places: Sequence[Place]) -> list[dict[str, str]]:
    """Return where each of several places is and what stands around it: ``where``, ``before``, ``after``, ``step``.

    What stands between two places that are close is given once, after the first of them. The steps around parts of steps
    are given with the first part; with a part of a later step, the calls that follow it there.
    """
    if isinstance(subject, Report):
        return _around_passages(subject, places)
    assert isinstance(subject, Trajectory)
    number = places[0].step or 0
    steps, rewritten = subject.steps, {place.step for place in places}
    later = steps[number + 1] if number + 1 < len(steps) else None
    after = _brief(later, 900) if later is not None else (subject.answer or "")[:900]
    first = {
        "where": str(number),
        "before": whole_step(steps[number - 1]) if number else "",
        "after": "" if number + 1 in rewritten else after,
        "step": whole_step(steps[number]),
    }
    return [first] + [
        {"where": str(place.step), "before": "", "after": "", "step": ""}
        if place.step == number
        else {
            "where": str(place.step),
            "before": "",
            "after": _calls(steps[place.step or 0], 900),
            "step": "",
        }
        for place in places[1:]
    ]


def retrieved(trajectory: Trajectory, index: int, text: str) -> str:
    """Return what tools returned before a step: in full up to a limit, and beyond it the parts that are nearest to a text.

    Args:
        trajectory: The trajectory.
        index: Number of the step.
        text: What is compared with the responses.
    """
    terms = content_terms(text)
    pieces = [
        (step.index, call.name, response[at : at + _PIECE])
        for step in trajectory.steps[:index]
        for call in step.tool_calls
        for response in [(call.response or "").strip()]
        for at in range(0, len(response), _PIECE)
    ]
    nearest = sorted(range(len(pieces)), key=lambda at: (-len(terms & content_terms(pieces[at][2])), at))
    shown = set(nearest[: _RESPONSES // _PIECE])
    parts: list[str] = []
    for at, (step, name, piece) in enumerate(pieces):
        if not at or pieces[at - 1][:2] != (step, name):
            parts.append(f"\n{step}. {name} ← ")
        if at in shown:
            parts.append(piece)
        elif not parts[-1].endswith("[…]"):
            parts.append(" […]")
    return "".join(parts).strip()


def elsewhere(report: Report, spans: Iterable[tuple[int, int]], text: str) -> list[str]:
    """Return the passages outside some spans that share most with a text, rare terms first, in the order of the report."""
    terms = content_terms(_ADDRESS.sub(" ", text))
    taken = list(spans)
    own = {
        block.index: shared
        for block in report.blocks
        if block.kind != "heading"
        and not report.sections[block.section].is_references
        and (shared := terms & content_terms(_ADDRESS.sub(" ", report.text(block.span))))
        and not any(block.span.start < end and start < block.span.end for start, end in taken)
    }
    common = Counter(term for shared in own.values() for term in shared)
    ranked = sorted((-sum(1 / common[term] for term in shared), index) for index, shared in own.items())
    return [
        _cut(report.text(report.blocks[index].span), _PASSAGE)
        for index in sorted(index for _, index in ranked[:_ELSEWHERE])
    ]


def whole_step(step: Step) -> str:
    """Return a step in full, except for long responses, which are cut."""
    parts = [step.reasoning.strip()]
    for call in step.tool_calls:
        parts.append(f"→ {call.name} {arguments_text(call)}")
        if call.response:
            parts.append(f"← {_cut(call.response, 2_500)}")
    return "\n".join(part for part in parts if part)


def _around_passages(report: Report, places: Sequence[Place]) -> list[dict[str, str]]:
    found = []
    for place in places:
        block = report.block_at(place.start)
        title = report.sections[block.section].title if block is not None else ""
        before, after = report.source[: place.start].rstrip(), report.source[place.end :].lstrip()
        found.append(
            {
                "where": title,
                "before": _tail(before, _NEIGHBOUR),
                "after": _cut(after, _NEIGHBOUR),
                "step": "",
            }
        )
    for one, two in pairwise(sorted(range(len(places)), key=lambda at: places[at].start)):
        between = report.source[places[one].end : places[two].start].strip()
        if len(between) <= 2 * _NEIGHBOUR:
            found[one]["after"], found[two]["before"] = between, ""
    return found


def _brief(step: Step, most: int) -> str:
    thought = _cut(" ".join(step.reasoning.split()), most // 3)
    return " ".join(part for part in (thought, _calls(step, most)) if part)


def _calls(step: Step, most: int) -> str:
    parts = []
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
