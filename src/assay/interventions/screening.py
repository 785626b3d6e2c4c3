"""Whether a reference may serve: long enough, of a known language, and without the failure at the place already.

REFLECT, section 2.2: references come from strong runs and are not assumed to be free of faults; the one that is put in
must only not be there at the place of the edit.
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

# Words below which a report has no place to hide anything, and steps of a trajectory.
_SHORTEST: Final = 120


def unusable(subject: Subject) -> str | None:
    """Why a subject cannot be a reference; None where it can."""
    if subject.language == "und":
        return "its language is neither English nor Chinese, or cannot be told"
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
    """Which check finds the failure at the place in the reference, if one does."""
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
