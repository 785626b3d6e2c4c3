"""Sites at which a call, or what it returned, may be changed: what follows is rewritten with it, or there is no site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Place
from assay.interventions.process._arguments import asking_calls
from assay.subjects.tool_calls import reports

if TYPE_CHECKING:
    from random import Random

    from assay.interventions.base import StepPart
    from assay.subjects.trajectory import Step, ToolCall, Trajectory

_LONGEST: Final = 2_500
# A response longer than this is not rewritten.
_RESPONSE: Final = 6_000
# Figures, dates and names: what only this response can have brought.
_DISTINCTIVE: Final = re.compile(r"\b\d[\d.,]*\d\b|\b[A-Z][\w’'-]{3,}\b|[\u4e00-\u9fff]{2,6}(?=[》”])")
_NAMED: Final = re.compile(r"https?://[^\s)\]>\"']+|\b[A-Z][\w’'-]{3,}\b|\b\d{3,}\b")
# So many distinctive words of a response may recur later by chance.
_BY_CHANCE: Final = 2


def call_sites(
    trajectory: Trajectory,
    draw: Random,
    part: StepPart,
    hint: Callable[[Step, ToolCall], str | None] = lambda _step, _call: "",
) -> Iterator[EditSite]:
    """Yield calls in random order; the response and the next step's reasoning may be rewritten to fit.

    A call whose name or response is to be changed is left out if one of the next calls takes up what it returned.

    A call is left out if something that only its response brought is used beyond the next step or in the answer: the
    rest of the trajectory would speak of what the changed call never found. So is one whose response is too long to be
    rewritten with the call.

    Args:
        trajectory: The reference.
        draw: Random generator for the order.
        part: The part that gets the failure.
        hint: Function that returns the hint for a call, possibly empty; None if the call is not wanted.
    """
    sites = []
    for step in trajectory.steps:
        for number, call in asking_calls(step):
            text = hint(step, call)
            if text is None or len(call.argument_text) > _LONGEST or _used_later(trajectory, step, call):
                continue
            # Another tool or another result would not have brought what the next call takes up.
            if part in ("name", "response") and _taken_up(trajectory, step, call):
                continue
            following = []
            if part != "response" and reports(call):
                if len(call.response or "") > _RESPONSE:
                    continue
                following.append(Place(step=step.index, part="response", call=number))
            if step.index + 1 < len(trajectory.steps) and trajectory.steps[step.index + 1].reasoning.strip():
                following.append(Place(step=step.index + 1, part="reasoning"))
            # Another tool takes other arguments.
            parts: tuple[StepPart, ...] = ("name", "arguments") if part == "name" else (part,)
            places = tuple(Place(step=step.index, part=own, call=number) for own in parts)
            sites.append(EditSite(places=places, following=tuple(following), hint=text))
    draw.shuffle(sites)
    yield from sites


def no_open_call(trajectory: Trajectory) -> str | None:
    """Return why no call of a trajectory can be changed, or None if one can."""
    calls = [(step, call) for step in trajectory.steps for _, call in asking_calls(step)]
    if not calls:
        return "it calls no tool"
    if all(_used_later(trajectory, step, call) for step, call in calls):
        return "later steps use what each of its calls brought"
    return None


def _taken_up(trajectory: Trajectory, step: Step, call: ToolCall) -> bool:
    """Return whether one of the next calls takes an address, a name or a number from a response."""
    asked, response = f"{trajectory.query} {call.argument_text}", call.response or ""
    return any(
        item in response and item not in asked
        for later in trajectory.steps[step.index + 1 : step.index + 3]
        for other in later.tool_calls
        for item in _NAMED.findall(other.argument_text)
    )


def _used_later(trajectory: Trajectory, step: Step, call: ToolCall) -> bool:
    if not call.response:
        return False
    earlier = trajectory.query + trajectory.source[: step.span.start] + step.reasoning + call.argument_text
    brought = {word for word in _DISTINCTIVE.findall(call.response) if word not in earlier}
    later = trajectory.steps[step.index + 2 :]
    text = "\n".join([*(item.reasoning for item in later), trajectory.answer or ""])
    others = "\n".join(other.response or "" for item in later for other in item.tool_calls)
    # What a later call brings as well is not owed to this one.
    return sum(word in text and word not in others for word in brought) > _BY_CHANCE
