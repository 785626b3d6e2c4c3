"""Screens references: long enough, in a known language, and without the failure at the site already.

References come from strong runs and are not assumed to be flawless; the planted failure must only not be there at
the site of the edit (REFLECT, section 2.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Finding
from assay.interventions.applying import Site
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.interventions.base import Operator, Place
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
    operator: Operator, reference: Subject, site: Site | Sequence[Place], findings: Sequence[Finding]
) -> str | None:
    """Return which check finds the failure at a place of the reference, or None if none does.

    Args:
        operator: The type; its ``codes`` count.
        reference: The reference.
        site: Where a rule revised it, or the places that a model is to rewrite.
        findings: Findings of the checks on the reference.
    """
    ranges = (
        [_range(reference, site)] if isinstance(site, Site) else [_span(reference, place) for place in site]
    )
    for finding in findings:
        if finding.code in operator.codes and any(
            finding.span.start < end and start < finding.span.end for start, end in ranges
        ):
            return f"{finding.code} is there already: {finding.message}"
    return None


def _range(reference: Subject, site: Site) -> tuple[int, int]:
    if isinstance(reference, Report):
        return site.start or 0, site.end or 0
    step = reference.steps[site.index or 0]
    return step.span.start, step.span.end


def _span(reference: Subject, place: Place) -> tuple[int, int]:
    """Return where a place is in the source: the passage, or the part of the step."""
    if isinstance(reference, Report):
        return place.start, place.end
    step = reference.steps[place.step or 0]
    if place.part == "reasoning" or not step.tool_calls:
        return step.reasoning_span.start, step.reasoning_span.end
    call = step.tool_calls[place.call]
    if place.part == "response" and call.response_span is not None:
        return call.response_span.start, call.response_span.end
    return call.span.start, call.span.end
