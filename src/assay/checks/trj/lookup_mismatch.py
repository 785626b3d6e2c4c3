"""A call that looks up something other than what the thought before it announced.

The reasoning says it will search for one thing – a name, a year – and the arguments name another that the reasoning
does not mention. Either the plan or the call is wrong, and the response will be read as if it answered the plan.

Known problems: a thought that lists several things is compared as a whole, so a call may take any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording
from assay.subjects.announcements import announcement
from assay.subjects.atoms import atoms, find_names, find_numbers
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.subjects.tool_calls import kind, questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Step, ToolCall, Trajectory


_OTHER_NAME: Final = Wording(
    en="The reasoning announces a look-up of “{announced}”, but the call names “{called}”",
    zh="推理中说要查“{announced}”，调用中写的却是“{called}”",
)
_OTHER_YEAR: Final = Wording(
    en="The reasoning announces {announced}, but the call asks about {called}",
    zh="推理中说的是{announced}年，调用查的却是{called}年",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each step whose calls look up another name or year than its reasoning announced."""
    view = timeline_of(trajectory)
    for step in trajectory.steps:
        calls = [call for call in step.tool_calls if kind(call) in ("search", "visit")]
        stated = announcement(step.reasoning) if calls else None
        if stated is None:
            continue
        finding = _compare(view, step, calls, stated)
        if finding is not None:
            yield finding


def _compare(view: Timeline, step: Step, calls: list[ToolCall], stated: tuple[int, int]) -> RawFinding | None:
    text = step.reasoning[stated[0] : stated[1]]
    announced = [
        name
        for name in find_names(text)
        if view.distinctive_atoms(name) and not (name.first and len(name.atoms) == 1)
    ]
    years = [number for number in find_numbers(text) if number.year]
    asked = "\n".join(question for call in calls for question in questions(call))
    asked_atoms = set(atoms(asked))
    announcement_span = Span(step.reasoning_span.start + stated[0], step.reasoning_span.start + stated[1])
    reasoned = set(atoms(step.reasoning))
    if announced and not any(
        atom in asked_atoms for name in announced for atom in view.distinctive_atoms(name)
    ):
        for name in find_names(asked):
            telling = view.distinctive_atoms(name)
            if (
                telling
                and not any(_mentioned(atom, reasoned) for atom in telling)
                and (not name.first or len(name.atoms) > 1 or name.text == asked)
            ):
                return RawFinding(
                    _span(view, calls, name.text),
                    _OTHER_NAME(announced=announced[0].text, called=name.text),
                    related=(announcement_span,),
                    confidence=0.8,
                )
    called = [number for number in find_numbers(asked) if number.year]
    if years and called and not {year.value for year in years} & {year.value for year in called}:
        thought = {number.value for number in find_numbers(step.reasoning)}
        if not any(year.value in thought for year in called):
            return RawFinding(
                _span(view, calls, called[0].text),
                _OTHER_YEAR(announced=years[0].text, called=called[0].text),
                related=(announcement_span,),
                confidence=0.8,
            )
    return None


def _mentioned(atom: str, reasoned: set[str]) -> bool:
    return atom in reasoned or any(
        other[:4] == atom[:4] for other in reasoned if len(other) > 3 and len(atom) > 3
    )


def _span(view: Timeline, calls: list[ToolCall], text: str) -> Span:
    source = view.trajectory.source
    for call in calls:
        at = source.find(text, call.span.start, call.span.end)
        if at >= 0:
            return Span(at, at + len(text))
    return calls[0].span


CHECK = Check(
    code="TRJ011",
    name="lookup-mismatch",
    severity="warning",
    summary="A call looks up something other than what the reasoning announced",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who was older, Anna Lund or Per Moe, both of the '
            'club Skarvberg that played Alta?", "tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I need to search Anna Lund and find her year of birth.", '
            '"tool_calls": [{"name": "search", "arguments": {"query": "Alta"}, "response": "Alta is a '
            'town."}]}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who was older, Anna Lund or Per Moe, both of the '
            'club Skarvberg that played Alta?", "tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I need to search Anna Lund and Per Moe and compare their years of '
            'birth.", "tool_calls": [{"name": "search", "arguments": {"query": "Per Moe"}, "response": "Per '
            'Moe was born in 1901."}]}]}'
        ),
    ),
    failure="argument_corruption",
    subject="trajectory",
)
