"""An audit with what a model that read the subject found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.audits.fingerprints import fingerprints
from assay.checks.base import Finding, LocatedSpan, ReadingNote, Severity
from assay.judges.rules_trajectory import TRAJECTORY_DIMENSIONS
from assay.reviews.fault_types import FAULT_TYPES
from assay.subjects.span import Span

if TYPE_CHECKING:
    from assay.audits.result import Audit
    from assay.reviews.faults import Review, TextFault, Weight
    from assay.subjects.subject import Subject

_SEVERITIES: Final[dict[Weight, Severity]] = {"grave": "error", "serious": "warning", "minor": "info"}
# Of the faults that one careful reader named in 12 reports, another let this share stand; see how-good-is-it.md.
_CONFIDENCE: Final = 42 / 48


def with_review(audit: Audit, review: Review) -> Audit:
    """Return the audit with the faults that stand among its findings; one of a rule about the same words goes."""
    read = [_finding(audit.subject, fault, review.model) for fault in review.standing]
    kept = [finding for finding in audit.findings if not any(_same(finding, other) for other in read)]
    findings = tuple(sorted([*kept, *read], key=lambda item: (item.span.start, item.span.end, item.code)))
    return msgspec.structs.replace(
        audit,
        findings=findings,
        dimensions=_dimensions(audit, findings),
        fingerprints=fingerprints(audit.subject, findings),
        review=review,
    )


def _finding(subject: Subject, fault: TextFault, model: str) -> Finding:
    kind = FAULT_TYPES[fault.type]
    line, column = subject.lines.place(fault.span.start)
    return Finding(
        code=kind.code,
        name=kind.key.replace("_", "-"),
        severity=_SEVERITIES[fault.weight],
        dimension=kind.dimension,
        message=fault.problem.rstrip(".。"),
        span=LocatedSpan(fault.span.start, fault.span.end, line, column),
        related=() if fault.other is None else (fault.other,),
        confidence=_CONFIDENCE,
        reading=ReadingNote(fault.missing, fault.repair, fault.reason, model, fault.step, fault.message),
    )


def _same(finding: Finding, read: Finding) -> bool:
    """Return whether a rule's finding is about the same words and of the same dimension as a reader's."""
    return finding.dimension == read.dimension and Span(finding.span.start, finding.span.end).overlaps(
        Span(read.span.start, read.span.end)
    )


def _dimensions(audit: Audit, findings: tuple[Finding, ...]) -> dict[str, tuple[int, ...]]:
    """Return the findings by dimension; a rule's finding stays where it was, a reader's of a run is reasoning."""
    where = {id(audit.findings[index]): key for key, own in audit.dimensions.items() for index in own}
    groups: dict[str, list[int]] = {key: [] for key in audit.dimensions}
    for index, finding in enumerate(findings):
        key = where.get(id(finding)) or finding.dimension
        if key is None and finding.reading is not None and TRAJECTORY_DIMENSIONS[0] in groups:
            key = FAULT_TYPES[finding.name.replace("-", "_")].part
        if key in groups:
            groups[key].append(index)
    return {key: tuple(own) for key, own in groups.items()}
