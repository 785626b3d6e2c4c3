"""Whether a judge points at the place of a failure: the step exactly, or the passage by overlap (REFLECT, section 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from assay.meta.trials import FailureLocalisation
from assay.strategies.quotes import locate
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.generation.fault_location import FaultLocation
    from assay.interventions.applying import Site
    from assay.subjects.trajectory import Trajectory

    Subject = Report | Trajectory


def localised_by_quotes(
    subject: Subject, site: Site, places: Sequence[tuple[int, int]]
) -> FailureLocalisation | None:
    """From passages a judge quoted, the first of them first; None where there are none."""
    return _pointed(subject, site, places, "quotes")


def localised_by_findings(
    subject: Subject, site: Site, places: Sequence[tuple[int, int]]
) -> FailureLocalisation | None:
    """From findings of the rules judge, the worst of them first."""
    return _pointed(subject, site, places, "findings")


def localised_by_reply(subject: Subject, site: Site, named: FaultLocation) -> FailureLocalisation | None:
    """From the place a model named when asked; words that are not in the subject point nowhere."""
    if not isinstance(subject, Report):
        hit = named.step is not None and named.step - 1 == site.index
        return FailureLocalisation(by="asked", first=hit, any=hit)
    place = locate(named.quote or "", subject.source)
    if place is None:
        return FailureLocalisation(by="asked", first=False, any=False, overlap=0.0)
    return _pointed(subject, site, [place], "asked")


def _pointed(
    subject: Subject,
    site: Site,
    places: Sequence[tuple[int, int]],
    by: Literal["quotes", "findings", "asked"],
) -> FailureLocalisation | None:
    if not places:
        return None
    if isinstance(subject, Report):
        low, high = site.start or 0, site.end or 0
        hits = [start < high and low < end for start, end in places]
        start, end = places[0]
        shared = max(0, min(end, high) - max(start, low))
        overlap = shared / (max(end, high) - min(start, low)) if hits[0] else 0.0
        return FailureLocalisation(
            by=by, first=hits[0], any=any(hits), overlap=round(overlap, 4), places=len(places)
        )
    steps = [_step_of(subject, start) for start, _ in places]
    found = list(dict.fromkeys(step for step in steps if step is not None))
    return FailureLocalisation(
        by=by,
        first=bool(found) and found[0] == site.index,
        any=site.index in found,
        places=max(1, len(found)),
    )


def _step_of(trajectory: Trajectory, offset: int) -> int | None:
    return next((step.index for step in trajectory.steps if step.span.start <= offset < step.span.end), None)
