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


def localise_reply(subject: Subject, site: Site, named: FaultLocation) -> FailureLocalisation:
    """Compare the place that a model named on request; a quote that is not in the subject names no place."""
    if not isinstance(subject, Report):
        match = named.step is not None and named.step - 1 == site.index
        return FailureLocalisation(by="asked", first=match, any=match)
    span = locate(named.quote or "", subject.source)
    localisation = None if span is None else localise_spans(subject, site, [span], by="asked")
    return localisation or FailureLocalisation(by="asked", first=False, any=False, overlap=0.0)


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
