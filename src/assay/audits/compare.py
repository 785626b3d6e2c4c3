"""Comparison of two subjects, with findings from an audit's checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.audits.audit import find
from assay.checks.registry import all_checks
from assay.judges.model_free_comparison import compare_subjects
from assay.judges.rules import MeasuredDimension, measure_report
from assay.judges.rules_trajectory import measure_trajectory
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.checks.base import Finding
    from assay.judges.judgment import Judgment


def compare(a: Subject, b: Subject, *, query: str | None = None, judge: str = "rules") -> Judgment:
    """Return which of two reports, or two trajectories, is better, and why.

    Args:
        a: The first.
        b: The second.
        query: The question that both answer, if a report does not carry its own.
        judge: ``"rules"``, or one of the baselines ``"length"`` and ``"random"``.

    Raises:
        UsageError: The judge is unknown, or a report is compared with a trajectory.
    """
    a, b = with_query(a, query), with_query(b, query)
    return compare_subjects(a, b, judge=judge, find=_findings, checks=all_checks())


def _findings(subject: Subject) -> Sequence[Finding]:
    """Return the findings of all checks, also of those that are off by default: a weak hint can still tip a comparison."""
    checks = all_checks()
    known = subject.memo.get(_findings)
    if known is None or known[0] is not checks:
        known = subject.memo[_findings] = (checks, find(subject, checks=list(checks.values())))
    return known[1]


def measure(subject: Subject, findings: Sequence[Finding] | None = None) -> dict[str, MeasuredDimension]:
    """Return what the rules judge measures of one subject; it serves to tell two texts apart, not to grade one.

    Args:
        subject: The subject.
        findings: Its findings; by default those of the checks that are on by default.
    """
    own = find(subject) if findings is None else findings
    if isinstance(subject, Trajectory):
        return measure_trajectory(subject, own, all_checks())
    return measure_report(subject, own)


def with_query(subject: Subject, query: str | None) -> Subject:
    """Return the subject as an answer to ``query``, unless it says itself what it answers."""
    if not query or isinstance(subject, Trajectory) or subject.query is not None:
        return subject
    return subject.replace(query=query)
