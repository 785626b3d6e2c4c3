"""A constraint of the query – a name, a year, a qualifier – that no tool call contains.

If the constraints of a question do not reach the tools, the responses are about something else: sales in all years
instead of 2022, in all countries instead of Norway. A constraint is reported if the reasoning before a call plans to
search for it, but neither this call nor any other contains it. In a question with few constraints, a year, a place or a
qualifier is also reported if it occurs in no call and in no response.

Known problems: an agent may use a constraint to check its answer rather than to search for it. A constraint that a
response mentions is therefore not reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording
from assay.subjects.announcements import announcement, planned_queries, searched_object
from assay.subjects.atoms import atoms, find_numbers, terms
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.subjects.tool_calls import kind, questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.subjects.trajectory import ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")

# Qualifiers that belong in a search: the population of a study, or the kind of source that is wanted.
_ADJECTIVE: Final = re.compile(r"[ -][a-z]{3,}")
_QUALIFIERS: Final = _PHRASES.pattern(
    r"\b(?:<<dropped_constraint_qualifiers.en>>)\b|<<dropped_constraint_qualifiers.zh>>", flags=re.IGNORECASE
)
_SCOPE: Final = _PHRASES.pattern(
    r"\b(?:<<dropped_constraint_scope.en>>)\s+(?:the\s+)?$|在$", flags=re.IGNORECASE
)
# Questions that ask for everything within certain bounds. In a question about one thing, the bounds only describe it.
_SURVEY: Final = _PHRASES.pattern(
    r"\b(?:<<dropped_constraint_survey.en>>)\b|<<dropped_constraint_survey.zh>>", flags=re.IGNORECASE
)
# A question with many clues does not need a search for each of them.
_MOST: Final = 4

_NOT_SEARCHED: Final = Wording(
    en="The reasoning means to search for “{item}”, which the query demands, but neither this call nor any other does",
    zh="推理中打算检索问题要求的“{item}”，但这次调用和其他调用都没有检索",
)
_NOT_TAKEN_UP: Final = Wording(
    en="No tool call takes up “{item}”, and no response mentions it",
    zh="没有任何工具调用涉及“{item}”，返回结果也没有提到",
)
_CUT: Final = Wording(
    en="The reasoning plans the query “{plan}”, but the call asks “{question}”, without “{item}”",
    zh="推理中计划检索“{plan}”，实际检索的是“{question}”，漏掉了“{item}”",
)


class _Constraint(msgspec.Struct, frozen=True):
    text: str
    start: int
    atoms: tuple[str, ...] = ()
    year: float | None = None
    scope: bool = False


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each constraint that the calls leave out although the reasoning or the query demands it."""
    view = timeline_of(trajectory)
    calls = [call for call in trajectory.tool_calls if kind(call) in ("search", "visit", "lookup")]
    if not calls or not trajectory.query.strip():
        return
    asked = _TextContent("\n".join(call.argument_text for call in calls))
    items = list(_constraints(view))
    clues = len(view.query_names) + len(view.query_numbers)
    surveys = clues <= _MOST and _SURVEY.search(trajectory.query) is not None
    for item in items:
        if asked.has(item):
            yield from _cut(view, item)
            continue
        start = trajectory.query_span.start + item.start
        query_span = Span(start, start + len(item.text))
        omission = _meant(view, item)
        if omission is not None:
            call, thought = omission
            yield RawFinding(
                call,
                _NOT_SEARCHED(item=item.text),
                related=(query_span, thought),
                confidence=0.8,
            )
        elif surveys and item.scope and not _shown(view, item):
            yield RawFinding(
                query_span,
                _NOT_TAKEN_UP(item=item.text),
                related=(calls[0].span,),
                confidence=0.7,
            )


def _constraints(view: Timeline) -> Iterator[_Constraint]:
    query = view.trajectory.query
    for name in view.query_names:
        telling = tuple(view.distinctive_atoms(name))
        if telling and not name.quoted and not (name.first and len(name.atoms) == 1):
            if len(name.atoms) == 1 and _ADJECTIVE.match(query, name.end):
                # "American novelist", "European culture": searched for as often as not.
                continue
            scope = _SCOPE.search(query, max(0, name.start - 14), name.start) is not None
            yield _Constraint(name.text, name.start, telling, scope=scope)
    for number in view.query_numbers:
        if number.year:
            yield _Constraint(number.text, number.start, year=number.value, scope=True)
    for match in _QUALIFIERS.finditer(query):
        yield _Constraint(match.group(), match.start(), tuple(atoms(match.group())), scope=True)


class _TextContent:
    """The words and years of a text, for look-ups of constraints."""

    def __init__(self, text: str) -> None:
        self.atoms = set(atoms(text))
        self.years = {number.value for number in find_numbers(text) if number.year}

    def has(self, item: _Constraint) -> bool:
        """Return whether the text contains the constraint; for a year, any year of its decade."""
        if item.year is not None:
            return any(int(year) // 10 == int(item.year) // 10 for year in self.years)
        return any(_like(atom, self.atoms) for atom in item.atoms)


def _like(atom: str, words: Iterable[str]) -> bool:
    if atom in words:
        return True
    size = max(4, len(atom) - 2)
    return len(atom) >= 4 and any(word[:size] == atom[:size] for word in words)


def _shown(view: Timeline, item: _Constraint) -> bool:
    """Return whether a response contains the constraint."""
    if item.year is not None:
        return any(int(value) // 10 == int(item.year) // 10 for value in view.numbers_in_responses)
    return any(_like(atom, view.atoms_in_responses) for atom in item.atoms)


def _meant(view: Timeline, item: _Constraint) -> tuple[Span, Span] | None:
    """Return a call that omits the constraint its reasoning plans to search for, and the span of that plan, or None."""
    for step in view.trajectory.steps:
        calls = [call for call in step.tool_calls if kind(call) == "search"]
        if not calls or not _TextContent(step.reasoning).has(item):
            continue
        base = step.reasoning_span.start
        stated = announcement(step.reasoning)
        if stated is not None:
            object_span = searched_object(step.reasoning[stated[0] : stated[1]])
            if object_span is not None:
                start, end = stated[0] + object_span[0], stated[0] + object_span[1]
                if _TextContent(step.reasoning[start:end]).has(item):
                    return calls[0].span, Span(base + start, base + end)
        for start, end in planned_queries(step.reasoning):
            plan = step.reasoning[start:end]
            if _TextContent(plan).has(item) and (call := _shortened(plan, calls)) is not None:
                return call.span, Span(base + start, base + end)
    return None


def _cut(view: Timeline, item: _Constraint) -> Iterator[RawFinding]:
    """Yield a finding if a call repeats a query planned in the reasoning word for word, but without this constraint."""
    for step in view.trajectory.steps:
        for start, end in planned_queries(step.reasoning):
            plan = step.reasoning[start:end]
            if not _TextContent(plan).has(item):
                continue
            rest = terms(plan) - set(item.atoms)
            if any(
                _TextContent(question).has(item) and rest <= terms(question)
                for call in step.tool_calls
                for question in questions(call)
            ):
                # The full query was sent too, beside a shorter variant.
                continue
            for call in step.tool_calls:
                for question in questions(call):
                    if len(rest) >= 2 and terms(question) == rest and not _TextContent(question).has(item):
                        at = step.reasoning_span.start + start
                        yield RawFinding(
                            call.span,
                            _CUT(plan=plan, question=question, item=item.text),
                            related=(Span(at, at + len(plan)),),
                            confidence=0.7,
                        )
                        return


def _shortened(plan: str, calls: list[ToolCall]) -> ToolCall | None:
    """Return the first call whose query shares most of its words with the planned one, or None."""
    wanted = terms(plan)
    for call in calls:
        for question in questions(call):
            got = terms(question)
            if len(got) >= 2 and len(got - wanted) <= 1 and len(got & wanted) * 2 >= len(wanted):
                return call
    return None


CHECK = Check(
    code="TRJ003",
    name="dropped-constraint",
    severity="warning",
    summary="A name, year or qualifier of the query that no tool call takes up",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "How many heat pumps were sold in Norway in 2022?", '
            '"tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I should search for heat pump sales in Norway.", "tool_calls": '
            '[{"name": "search", "arguments": {"query": "heat pump sales figures"}, "response": "Sales in '
            'Europe grew to three million units."}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "挪威2022年售出多少台热泵？", "tools": ["search"], "answer": '
            'null, "steps": ['
            '{"index": 0, "reasoning": "先查热泵销量。", "tool_calls": [{"name": "search", "arguments": {"query": '
            '"热泵 销量"}, "response": "欧洲热泵销量增长到三百万台。"}]}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "How many heat pumps were sold in Norway in 2022?", '
            '"tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I should search for Norwegian sales.", "tool_calls": [{"name": '
            '"search", "arguments": {"query": "Norwegian heat pump sales 2022"}, "response": "In 2022, 155,'
            '000 were sold."}]}]}'
        ),
    ),
    failure="constraint_drop",
    subject="trajectory",
    needs=("query",),
)
