"""A run as a reader is shown it: its steps, or the messages of a log of several agents; long texts are shortened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.span import Span

if TYPE_CHECKING:
    from assay.subjects.trajectory import Step, Trajectory

# Characters of a run that is shown whole, some 40,000 tokens, and the least of a text in one that is longer.
_WHOLE: Final = 160_000
_LEAST: Final = 500
# Characters by which a message is found again in the run.
_PROBE: Final = 120


class ShownPlace(msgspec.Struct, frozen=True):
    """A step of a run, a message of its log, or the answer.

    Attributes:
        number: Number by which a reader is shown it.
        span: Its place in the run's source.
        step: Index of the step; None for the task and the answer.
        speaker: The agent, where the log names it.
    """

    number: int
    span: Span
    step: int | None
    speaker: str | None


class ShownRun(msgspec.Struct, frozen=True):
    """A run as text, and its places by number; ``messages`` if these are messages of a log rather than steps."""

    text: str
    places: Mapping[int, ShownPlace]
    messages: bool


def shown_run(run: Trajectory) -> ShownRun:
    """Return a run as it is shown; in one that is too long, the longest texts are cut in the middle."""
    log = run.meta.get("log")
    if log:
        most = _most([item["text"] for item in log])
        text = "\n\n".join(
            f"[message {item['number']} · {item['speaker']}]\n{_cut(item['text'], most)}" for item in log
        )
        return ShownRun(text, _messages(run, log), messages=True)
    places = {
        step.index + 1: ShownPlace(step.index + 1, step.span, step.index, step.agent) for step in run.steps
    }
    if run.answer_span is not None:
        places[0] = ShownPlace(0, run.answer_span, None, None)
    if len(run.source) <= _WHOLE:
        return ShownRun(run.source, places, messages=False)
    texts = [step.reasoning for step in run.steps]
    most = _most([*texts, *(call.response or "" for call in run.tool_calls)])
    pieces = [f"# Query\n\n{run.query}", *(_step(run, step, most) for step in run.steps)]
    if run.answer is not None:
        pieces.append(f"# Answer\n\n{run.answer}")
    return ShownRun("\n\n".join(pieces), places, messages=False)


def _messages(run: Trajectory, log: Sequence[Mapping[str, object]]) -> dict[int, ShownPlace]:
    """Return the messages of a log with the steps that they became; a message found in none has an empty place."""
    places: dict[int, ShownPlace] = {}
    at = 0
    for item in log:
        number, text = int(str(item["number"])), str(item["text"])
        probe = max(text.splitlines(), key=len, default="")[:_PROBE]
        start = run.source.find(probe, at) if probe else -1
        found = start >= 0
        step = _step_at(run, start) if found else None
        span = Span(start, start + len(probe)) if found else Span(at, at)
        if found:
            at = start
        if step is not None:
            span = run.steps[step].span
        places[number] = ShownPlace(number, span, step, str(item["speaker"]))
    return places


def _step_at(run: Trajectory, start: int) -> int | None:
    return next((step.index for step in run.steps if step.span.start <= start < step.span.end), None)


def _most(texts: Sequence[str]) -> int:
    """Return the length to which texts are cut, so that all together have about the size that is shown whole."""
    lengths = sorted(map(len, texts))
    room = _WHOLE
    for number, length in enumerate(lengths):
        left = len(lengths) - number
        if length * left > room:
            return max(_LEAST, room // left)
        room -= length
    return max([_LEAST, *lengths])


def _step(run: Trajectory, step: Step, most: int) -> str:
    named = f" ({step.agent})" if step.agent else ""
    pieces = [f"# Step {step.index + 1}{named}"]
    if step.reasoning:
        pieces.append(_cut(step.reasoning, most))
    for call in step.tool_calls:
        pieces.append(f"## Call\n\n{run.text(call.span)}")
        if call.response is not None:
            pieces.append(f"## Response\n\n{_cut(call.response, most)}")
    return "\n\n".join(pieces)


def _cut(text: str, most: int) -> str:
    """Return a text with its middle left out if it is longer."""
    if len(text) <= most * 5 // 4:
        return text
    head = most * 2 // 3
    return f"{text[:head]}\n[… {len(text) - most} …]\n{text[head - most :]}"
