"""A thought or an instruction to another agent that only repeats the one before.

Between two calls a thought should take in what the last one brought: what is known now, what is missing, where to
look next. Here it says the same as the one before, word for word; or an agent that leads others gives the same
instruction three times or more, almost in the same words. The run does not move. All repeats in a row are one finding. Where the calls repeat
too, TRJ001 says so, and this check is silent.

Known problems: a form of several fields may need the same instruction again.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, RawFinding
from assay.checks.trj._examples import run_example
from assay.checks.trj.repeated_search import repeated_calls
from assay.checks.wording import Wording, series
from assay.subjects.atoms import find_numbers, fold, terms
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Step, Trajectory

_INSTRUCTION: Final = re.compile(r"^→ ([^:\n]{1,80}): (.{20,4000})\Z", re.MULTILINE | re.DOTALL)
_LEAST_TERMS: Final = 4
# An instruction is repeated when it is given so often.
_OFTEN: Final = 3
# So many words of two texts are compared in order.
_COMPARED: Final = 300
# How alike two instructions must be, in their terms and in the order of their words, from 0 to 1.
_ORDERS: Final = 0.75

_THOUGHT: Final = Wording(
    en="This thought says the same as the one in step {step}{more}",
    zh="这段思考与第{step}步的思考相同{more}",
)
_ORDER: Final = Wording(
    en="{agent} gets the same instruction as in step {step}, {n} times in all",
    zh="{agent}收到的指令与第{step}步相同，共{n}次",
)
_MORE: Final = Wording(en="; so {n:=does that|do those} in {n:=step|steps} {steps}", zh="；第{steps}步也是")


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each row of thoughts or instructions that say the same."""
    circling = {item.step for first in repeated_calls(trajectory) for item in first.repeats}
    rows: dict[tuple[str | None, str], list[tuple[Step, Span]]] = {}
    for step in [*trajectory.steps, None]:
        if step is None:
            for key in list(rows):
                yield from _close(trajectory, key, rows.pop(key), circling)
            break
        order = _INSTRUCTION.search(step.reasoning)
        receiver = order.group(1) if order else ""
        start, end = order.span(2) if order else (0, len(step.reasoning))
        if not step.reasoning[start:end].strip():
            continue
        offset = step.reasoning_span.start
        span = Span(offset + start, offset + end)
        key = (step.agent, receiver)
        row = rows.get(key, [])
        if row and _same(trajectory.text(row[-1][1]), trajectory.text(span), order=bool(receiver)):
            row.append((step, span))
            continue
        yield from _close(trajectory, key, row, circling)
        rows[key] = [(step, span)]


def _close(
    trajectory: Trajectory, key: tuple[str | None, str], row: list[tuple[Step, Span]], circling: set[int]
) -> Iterator[RawFinding]:
    receiver = key[1]
    if len(row) < (_OFTEN if receiver else 2):
        return
    first, last = row[0][0].index, row[-1][0].index
    # The step after an instruction is the receiver's.
    if any(index in circling for index in range(first, last + 2)):
        return
    steps = [str(step.index + 1) for step, _ in row[2:]]
    if receiver:
        message = _ORDER(agent=receiver, step=first + 1, n=len(row))
    else:
        more = _MORE(n=len(steps), steps=series(steps[:8], cut=len(steps) > 8)) if steps else ""
        message = _THOUGHT(step=first + 1, more=more)
    related = (row[0][1], *(span for _, span in row[2:]))
    yield RawFinding(row[1][1], message, related, 0.85, "warning" if receiver else None)


def _same(before: str, now: str, *, order: bool) -> bool:
    """Return whether a thought repeats another word for word, an instruction almost so; numbers must be equal."""
    first, second = fold(before).split(), fold(now).split()
    a, b = terms(before), terms(now)
    if not order or first == second:
        return first == second and len(a) >= _LEAST_TERMS
    if len(a & b) < _ORDERS * len(a | b):
        return False
    if SequenceMatcher(None, first[:_COMPARED], second[:_COMPARED], False).ratio() < _ORDERS:
        return False
    return {n.printed for n in find_numbers(before)} == {n.printed for n in find_numbers(now)}


_QUERY = "Who founded the Skarvberg ski club in Finnmark?"
_SAME = "I need to find the founder of the ski club, so I search for the club."

CHECK = Check(
    code="TRJ010",
    name="repeated-thought",
    severity="info",
    summary="A thought or an instruction that only repeats the one before",
    run=run,
    bad=(
        run_example(
            _QUERY,
            (_SAME, "Skarvberg ski club", "Skarvberg has a ski club with 40 members."),
            (_SAME, "Skarvberg founder", "Skarvberg is a village in Finnmark."),
        ),
    ),
    good=(
        run_example(
            _QUERY,
            (_SAME, "Skarvberg ski club", "Skarvberg has a ski club with 40 members."),
            (
                "The page names no founder, so I look for the yearbook.",
                "Skarvberg yearbook",
                "Anna Lund founded it.",
            ),
        ),
    ),
    failure="shallow_reflection",
    subject="trajectory",
)
