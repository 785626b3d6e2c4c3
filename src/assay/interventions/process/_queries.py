"""Queries that repeat an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.subjects.tool_calls import failure, questions

if TYPE_CHECKING:
    from assay.subjects.trajectory import Trajectory


def brought(trajectory: Trajectory, index: int, query: str) -> bool:
    """Return whether an earlier call with this query returned a result, so that repeating it gains nothing."""
    return any(
        query in [text.strip() for text in questions(call)] and failure(call) is None and call.response
        for step in trajectory.steps[:index]
        for call in step.tool_calls
    )
