"""Whether a judge names the place of a failure: the exact step, or an overlapping passage (REFLECT, section 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from assay.meta.trials import FailureLocalisation
from assay.strategies.quotes import locate
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.generation.fault_location import FaultLocation
    from assay.interventions.applying import Site
    from assay.subjects.subject import Subject
    from assay.subjects.trajectory import Trajectory


def localise_faults(
    subject: Subject, sites: Sequence[Site], named: Sequence[FaultLocation]
) -> FailureLocalisation | None:
    """Compare the places that a model named on request, the worst first; None if it named none.

    Args:
        subject: The perturbed subject.
        sites: The sites of the failure; a place is correct if it is at any of them.
        named: The places. A quote that is not in the subject names a wrong place.
    """
    if not named:
        return None
    found = [_compared(subject, sites, item) for item in named]
    return FailureLocalisation(
        by="asked",
        first=found[0] is not None and found[0] > 0,
        any=any(share is not None and share > 0 for share in found),
        overlap=None if not isinstance(subject, Report) else round(found[0] or 0.0, 4),
        places=len(found),
    )


def _compared(subject: Subject, sites: Sequence[Site], fault: FaultLocation) -> float | None:
    """Return the greatest overlap of a place with any site: 1 for the same step; None for a quote that is not there."""
    if not isinstance(subject, Report):
        return float(any(fault.step is not None and fault.step - 1 == site.index for site in sites))
    span = locate(fault.quote or "", subject.source)
    if span is None:
        return None
    compared = [localise_spans(subject, site, [span], by="asked") for site in sites]
    return max((item.overlap or 0.0 for item in compared if item is not None), default=0.0)


def localise_spans(
    subject: Subject,
    site: Site,
    spans: Sequence[tuple[int, int]],
    *,
    by: Literal["quotes", "findings", "asked"],
) -> FailureLocalisation | None:
    """Compare named passages with the site of a failure; None if no passage was named.

    Args:
        subject: The perturbed subject.
        site: Place of the failure.
        spans: Start and end of the named passages, the most important first.
        by: Source of the passages.
    """
    if not spans:
        return None
    if isinstance(subject, Report):
        low, high = site.start or 0, site.end or 0
        touches = [start < high and low < end for start, end in spans]
        start, end = spans[0]
        shared = max(0, min(end, high) - max(start, low))
        overlap = shared / (max(end, high) - min(start, low)) if touches[0] else 0.0
        return FailureLocalisation(
            by=by, first=touches[0], any=any(touches), overlap=round(overlap, 4), places=len(spans)
        )
    steps = [_step_at(subject, start) for start, _ in spans]
    distinct = list(dict.fromkeys(step for step in steps if step is not None))
    return FailureLocalisation(
        by=by,
        first=bool(distinct) and distinct[0] == site.index,
        any=site.index in distinct,
        places=max(1, len(distinct)),
    )


def _step_at(trajectory: Trajectory, offset: int) -> int | None:
    return next((step.index for step in trajectory.steps if step.span.start <= offset < step.span.end), None)
