"""Comparing two subjects, with their findings taken from an audit's checks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from assay.audits.audit import find
from assay.checks.registry import all_checks
from assay.judges.compare import compare_subjects
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.subjects.trajectory import Trajectory

__all__ = ["compare"]


def compare(
    a: Report | Trajectory, b: Report | Trajectory, *, query: str | None = None, judge: str = "rules"
) -> Judgment:
    """Which of two reports, or two trajectories, is better – and why.

    Args:
        a: The first.
        b: The second.
        query: The question both answer; used where a report does not carry its own.
        judge: ``"rules"``, or one of the baselines ``"length"`` and ``"random"``.

    Raises:
        UsageError: An unknown judge, or a report against a trajectory.
    """
    for subject in (a, b):
        if query and isinstance(subject, Report) and subject.query is None:
            subject.query = query
    checks = all_checks()
    # Also the checks that are off by default: a hint too weak to show can still tip a comparison.
    return compare_subjects(
        a, b, judge=judge, find=partial(find, checks=list(checks.values())), checks=checks
    )
