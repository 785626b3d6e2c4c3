"""A name, a year or a number in a tool call that the agent had no source for.

Whatever an agent looks up should come from the question, from a response, or from its own stated reasoning. An argument
with a name or a year that occurs in none of them asks about something else, and the search goes astray although the
rest of the call looks right.

Known problems: an agent may know a suitable name without saying so. The finding then points to an unexplained step
rather than to a mistake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording, series
from assay.subjects.atoms import find_names, find_numbers, fold
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.subjects.tool_calls import kind, leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import ToolCall, Trajectory


_FOREIGN: Final = Wording(
    en="The argument names “{name}”, which occurs neither in the query nor in anything read or reasoned before{others}",
    zh="参数中的“{name}”在问题以及此前读到和推理的内容中都没有出现{others}",
)
_OTHERS: Final = Wording(en=" (nor {n:=does|do} {names})", zh="（{names}也没有）")


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each call with a name or number that occurs neither in the query nor in earlier steps."""
    if not trajectory.query.strip():
        return
    view = timeline_of(trajectory)
    for step in trajectory.steps:
        for call in step.tool_calls:
            if kind(call) in ("code", "other"):
                continue
            foreign = _foreign(view, call, 3 * step.index + 2)
            if foreign and not _fits(view, call, foreign[0][0]):
                text, sure = foreign[0]
                more = [name for name, _ in foreign[1:4]]
                others = _OTHERS(n=len(more), names=series(more, quoted=True)) if more else ""
                yield RawFinding(
                    _place(view, call, text),
                    _FOREIGN(name=text, others=others),
                    related=(trajectory.query_span,),
                    confidence=sure,
                )


def _foreign(view: Timeline, call: ToolCall, event: int) -> list[tuple[str, float]]:
    """Return the new names and numbers in the arguments of a call, each with the confidence of a finding about it."""
    new_items: list[tuple[str, float]] = []
    for leaf in leaves(call.arguments):
        if "://" in leaf or leaf.startswith("www."):
            continue
        words = leaf.split()
        titled = sum(1 for word in words if word[:1].isupper()) > 0.6 * len(words) and len(words) > 2
        for name in find_names(leaf):
            telling = view.distinctive_atoms(name)
            if not telling or (name.first and len(name.atoms) == 1 and len(words) > 1):
                continue
            unknown = view.unknown(name, event, include_own=True)
            # Half of a known name may be left out or spelled out; if most of it is unknown, it is another name.
            if len(unknown) * 2 > len(telling) and len(unknown[0]) > 2:
                new_items.append((name.text, 0.6 if titled else 0.75))
        for number in find_numbers(leaf):
            if not (number.year or number.value >= 13):
                continue
            if not view.given.knows_number(number, event) and not view.written.knows_number(number, event):
                new_items.append((number.text, 0.75 if number.year else 0.65))
    return list(dict.fromkeys(new_items))


def _fits(view: Timeline, call: ToolCall, text: str) -> bool:
    """Return whether the response confirms the new name or number ``text``.

    It does if it contains ``text`` and a name or number of the query that the call did not contain.
    """
    response = fold(call.response or "")
    if fold(text) not in response:
        return False
    argument_text = fold(call.argument_text)
    query = [atom for name in view.query_names for atom in view.distinctive_atoms(name)]
    query += [number.text for number in view.query_numbers if number.value >= 100]
    return any(item in response and item not in argument_text for item in query)


def _place(view: Timeline, call: ToolCall, text: str) -> Span:
    at = view.trajectory.source.find(text, call.span.start, call.span.end)
    return Span(at, at + len(text)) if at >= 0 else call.span


CHECK = Check(
    code="TRJ004",
    name="foreign-argument",
    severity="warning",
    summary="A name, year or number in a call that comes from neither the query nor anything before",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "How many heat pumps were sold in Norway in 2022?", '
            '"tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I should search for the sales figures of that year.", "tool_calls": '
            '[{"name": "search", "arguments": {"query": "heat pump sales Norway 2012"}, "response": "…"}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "How many heat pumps were sold in Norway in 2022?", '
            '"tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I should search for the sales figures of that year.", "tool_calls": '
            '[{"name": "search", "arguments": {"query": "heat pump sales in Portugal 2022"}, "response": '
            '"…"}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "挪威2022年售出多少台热泵？", "tools": ["search"], "answer": '
            'null, "steps": ['
            '{"index": 0, "reasoning": "先查销量。", "tool_calls": [{"name": "search", "arguments": {"query": "挪威 '
            '热泵 销量 2012年"}, "response": "…"}]}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "How many heat pumps were sold in Norway in 2022?", '
            '"tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "The Norwegian heat pump association, NOVAP, may publish it.", '
            '"tool_calls": [{"name": "search", "arguments": {"query": "NOVAP Norwegian heat pump sales '
            '2022"}, "response": "NOVAP: 155,000 sold in 2022, says Rolf Hagemoen."}]},'
            '{"index": 1, "reasoning": "I check the figure.", "tool_calls": [{"name": "search", "arguments": '
            '{"query": "Rolf Hagemoen 155,000 heat pumps 2022"}, "response": "…"}]}]}'
        ),
    ),
    failure="argument_corruption",
    subject="trajectory",
)
