"""Screens references: long enough, in a known language, and without the failure at the site already.

References come from strong runs and are not assumed to be flawless; the planted failure must only not be there at
the site of the edit (REFLECT, section 2.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Finding
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.interventions.applying import Site
    from assay.interventions.base import Operator
    from assay.subjects.subject import Subject

# Fewest words of a report: a shorter one has no room to hide a failure.
_SHORTEST: Final = 120


def unusable(subject: Subject) -> str | None:
    """Return why a subject cannot be a reference, or None if it can."""
    if subject.language == "und":
        return "its language is neither English nor Chinese, or is unclear"
    if isinstance(subject, Trajectory):
        if not subject.steps:
            return "it has no steps"
        if not subject.query.strip():
            return "it has no question"
        return None
    if subject.words < _SHORTEST:
        return f"it has {subject.words} words; it takes {_SHORTEST}"
    if not subject.sentences:
        return "it has no sentences"
    return None


def already_there(
    operator: Operator, reference: Subject, site: Site, findings: Sequence[Finding]
) -> str | None:
    """Return the code of the check that finds the failure at the reference's site, or None if none does."""
    start, end = _range(reference, site)
    for finding in findings:
        if finding.code in operator.codes and finding.span.start < end and start < finding.span.end:
            return f"{finding.code} is there already: {finding.message}"
    return None


def _range(reference: Subject, site: Site) -> tuple[int, int]:
    if isinstance(reference, Report):
        return site.start or 0, site.end or 0
    step = reference.steps[site.index or 0]
    return step.span.start, step.span.end
