"""A thought or an instruction to another agent that only repeats an earlier one, although nothing came of it.

Between two calls a thought should take in what the last one brought: what is known now, what is missing, where to
look next. Here it says the same as before, word for word; or an agent that leads others gives the same instruction
three times or more. In between, the calls brought nothing new, so the run does not move. All repeats are one finding.
A list that gets shorter is progress, and so is a page that is read on. Where the calls repeat too, TRJ001 says so, and
this check is silent.

Known problems: a form of several fields may need the same instruction again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Hit
from assay.checks.trj._examples import run_example
from assay.checks.trj.repeated_search import nothing_new, repeated_calls
from assay.checks.wording import Wording, series
from assay.subjects.atoms import fold, terms
from assay.subjects.span import Span
from assay.subjects.timeline import timeline_of
from assay.subjects.tool_calls import is_note
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")
_FILLERS: Final = _PHRASES.pattern(
    r"\b(?:<<repeated_thought_fillers.en>>)\b|<<repeated_thought_fillers.zh>>", flags=re.IGNORECASE
)
_NO_WORD: Final = re.compile(r"[\W_]+")
_INSTRUCTION: Final = re.compile(r"^→ ([^:\n]{1,80}): (.{20,4000})\Z", re.MULTILINE | re.DOTALL)
_LEAST_TERMS: Final = 4
# An instruction is repeated when it is given so often.
_OFTEN: Final = 3
# A repeat comes at most so many steps later. Loops are short, and the limit keeps the work linear in long runs.
_BACK: Final = 20

_THOUGHT: Final = Wording(
    en="This thought says the same as the one in step {step}{more}, and hardly anything new was found in between",
    zh="这段思考与第{step}步的思考相同{more}，期间也几乎没有新发现",
)
_ORDER: Final = Wording(
    en="{agent} gets the same instruction as in step {step}, {n} times in all, and its calls bring hardly anything new",
    zh="{agent}收到的指令与第{step}步相同，共{n}次，其调用几乎没有带来新内容",
)
_MORE: Final = Wording(
    en=" (so {n:=does that|do those} in {n:=step|steps} {steps})", zh="（第{steps}步也是）"
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each thought or instruction that is repeated without gain."""
    rows: list[tuple[str, list[tuple[Step, Span]]]] = []
    latest: dict[tuple[str | None, str, str], list[tuple[Step, Span]]] = {}
    for step in trajectory.steps:
        order = _INSTRUCTION.search(step.reasoning)
        start, end = order.span(2) if order else (0, len(step.reasoning))
        text = step.reasoning[start:end]
        if len(terms(text)) < _LEAST_TERMS:
            continue
        offset = step.reasoning_span.start
        key = (step.agent, order.group(1) if order else "", _normalised(text) if order else fold(text))
        row = latest.get(key)
        if row is None or step.index - row[-1][0].index > _BACK:
            row = latest[key] = []
            rows.append((key[1], row))
        row.append((step, Span(offset + start, offset + end)))
    circling = {item.step for first in repeated_calls(trajectory) for item in first.repeats}
    for receiver, row in rows:
        if len(row) >= (_OFTEN if receiver else 2) and _in_vain(trajectory, row, circling, bool(receiver)):
            yield _finding(row, receiver)


def _normalised(text: str) -> str:
    """Return the words of an order without courtesies and "continue to"."""
    return _NO_WORD.sub(" ", _FILLERS.sub(" ", fold(text))).strip()


def _in_vain(trajectory: Trajectory, row: list[tuple[Step, Span]], circling: set[int], ordered: bool) -> bool:
    """Return whether there were calls between the repeats, none of them a repeat, and none that brought anything new.

    The first time that an instruction is given, its calls may bring something.
    """
    first, last = row[1 if ordered else 0][0].index, row[-1][0].index
    # The step after an instruction is the receiver's.
    if any(index in circling for index in range(row[0][0].index, last + 2)):
        return False
    between = trajectory.steps[first:last]
    calls = [(call, step.index) for step in between for call in step.tool_calls if not is_note(call)]
    return bool(calls) and nothing_new(calls, timeline_of(trajectory))


def _finding(row: list[tuple[Step, Span]], receiver: str) -> Hit:
    first = row[0][0].index + 1
    if receiver:
        message = _ORDER(agent=receiver, step=first, n=len(row))
    else:
        steps = [str(step.index + 1) for step, _ in row[2:]]
        more = _MORE(n=len(steps), steps=series(steps[:8], cut=len(steps) > 8)) if steps else ""
        message = _THOUGHT(step=first, more=more)
    related = (row[0][1], *(span for _, span in row[2:]))
    return Hit(row[1][1], message, related, 0.85, "warning" if receiver else None)


_QUERY = "Who founded the Skarvberg ski club in Finnmark?"
_SAME = "I need to find the founder of the ski club, so I search for the club."
_NONE = "Could not find [Skarvberg]. Similar: []"

CHECK = Check(
    code="TRJ010",
    name="repeated-thought",
    severity="info",
    summary="A thought or an instruction that only repeats an earlier one, while nothing new is found",
    run=run,
    bad=(
        run_example(
            _QUERY,
            (_SAME, "Skarvberg ski club", _NONE),
            (_SAME, "Skarvberg village founder", _NONE),
        ),
    ),
    good=(
        run_example(
            _QUERY,
            (_SAME, "Skarvberg ski club", _NONE),
            (
                "The page names no founder, so I look for the yearbook.",
                "Skarvberg yearbook",
                "Anna Lund founded it.",
            ),
        ),
        run_example(
            _QUERY,
            (_SAME, "Skarvberg ski club", "Skarvberg has a ski club with 40 members and a yearbook."),
            (_SAME, "Skarvberg yearbook", "Anna Lund founded it."),
        ),
    ),
    failure="shallow_reflection",
    subject="trajectory",
)
