"""Copies of a step with one part changed, and the one part in which two trajectories differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.interventions.applying import raw_step
from assay.interventions.base import StepPart
from assay.subjects.trajectory import RawStep

if TYPE_CHECKING:
    from assay.subjects.trajectory import Step, Trajectory


class StepChange(msgspec.Struct, frozen=True, kw_only=True):
    """The one change between two trajectories.

    Attributes:
        index: Number of the step, from 0.
        call: Number of the call; None if the reasoning differs.
        parts: Parts that differ: ``("reasoning",)``, or one or more parts of one call.
        before: Old value of the first part: a text, or the arguments as they are.
        after: New value of the first part.
    """

    index: int
    call: int | None = None
    parts: tuple[StepPart, ...]
    before: Any
    after: Any

    @property
    def part(self) -> StepPart:
        """The first of the parts that differ."""
        return self.parts[0]


def changed(reference: Trajectory, perturbed: Trajectory) -> StepChange | None:
    """Return the change between two trajectories if they differ in one step's reasoning or in one call.

    Returns:
        The change; None if the two are equal, or if more than that differs: several steps or calls, their number, the
    query or the answer.
    """
    if (
        reference.query != perturbed.query
        or reference.answer != perturbed.answer
        or len(reference.steps) != len(perturbed.steps)
    ):
        return None
    found: list[StepChange] = []
    for before, after in zip(reference.steps, perturbed.steps, strict=True):
        if len(before.tool_calls) != len(after.tool_calls):
            return None
        if before.reasoning != after.reasoning:
            found.append(
                StepChange(
                    index=before.index, parts=("reasoning",), before=before.reasoning, after=after.reasoning
                )
            )
        for number, (old, new) in enumerate(zip(before.tool_calls, after.tool_calls, strict=True)):
            parts: list[StepPart] = []
            if old.name != new.name:
                parts.append("name")
            if old.arguments != new.arguments:
                parts.append("arguments")
            if old.response != new.response:
                parts.append("response")
            if parts:
                found.append(
                    StepChange(
                        index=before.index,
                        call=number,
                        parts=tuple(parts),
                        before=getattr(old, parts[0]),
                        after=getattr(new, parts[0]),
                    )
                )
    return found[0] if len(found) == 1 else None


def with_reasoning(step: Step, text: str) -> RawStep:
    """Return a copy of a step with ``text`` as its reasoning."""
    return RawStep(text, raw_step(step).tool_calls, step.agent)
