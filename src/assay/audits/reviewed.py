"""An audit with what a model that read the subject found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.audits.fingerprints import fingerprints
from assay.checks.base import Finding, LocatedSpan, ReadingNote, Severity
from assay.checks.fault_types import DECISIVE, FAULT_TYPES
from assay.checks.suppress import apply_suppressions
from assay.judges.rules_trajectory import TRAJECTORY_DIMENSIONS
from assay.reviews.run_text import shown_run
from assay.subjects.report import Report
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Collection

    from assay.audits.result import Audit, ReportAudit
    from assay.reviews.citations import CitationCheck
    from assay.reviews.faults import DecisiveMistake, Review, TextFault, Weight
    from assay.subjects.subject import Subject
    from assay.subjects.trajectory import Trajectory

_SEVERITIES: Final[dict[Weight, Severity]] = {"grave": "error", "serious": "warning", "minor": "info"}
# Words or figures of a claim that are not in its source: what a model that read the source may refute.
_NOT_IN_SOURCE: Final = "CIT009"
# Of the faults that one careful reader named in 12 reports, another let this share stand; see how-good-is-it.md.
_CONFIDENCE: Final = 42 / 48


def with_review(
    audit: Audit,
    review: Review,
    *,
    codes: Collection[str] | None = None,
    inline: bool = True,
    min_confidence: float = 0.0,
) -> Audit:
    """Return the audit with the faults that stand among its findings; one of a rule about the same words goes.

    Args:
        audit: The audit by rule.
        review: What the readers found.
        codes: Codes of faults that may be shown; all by default.
        inline: Whether comments in the report may take findings back.
        min_confidence: Findings less sure than this (0 to 1) are left out.
    """
    read = [_finding(audit.subject, fault, review.model) for fault in review.standing]
    if review.decisive is not None and not isinstance(audit.subject, Report):
        read.append(_decisive(audit.subject, review.decisive, review.model))
    read = [
        item for item in read if (codes is None or item.code in codes) and item.confidence >= min_confidence
    ]
    if inline and isinstance(audit.subject, Report):
        read.sort(key=lambda item: (item.span.start, item.span.end, item.code))
        read = apply_suppressions(audit.subject, read, report_unused=False)
    kept = [finding for finding in audit.findings if not any(_same(finding, other) for other in read)]
    findings = tuple(sorted([*kept, *read], key=lambda item: (item.span.start, item.span.end, item.code)))
    return msgspec.structs.replace(
        audit,
        findings=findings,
        dimensions=_dimensions(audit, findings),
        fingerprints=fingerprints(audit.subject, findings),
        review=review,
    )


def with_citations(audit: ReportAudit, cited: CitationCheck) -> ReportAudit:
    """Return the audit with what a model says of its citations; a rule's finding that the model refutes goes."""
    supported = [
        Span(item.start, item.end)
        for item in cited.citations
        if item.by == "model" and item.verdict == "supports"
    ]
    findings = tuple(
        item
        for item in audit.findings
        if item.code != _NOT_IN_SOURCE
        or not any(Span(item.span.start, item.span.end).overlaps(span) for span in supported)
    )
    return msgspec.structs.replace(
        audit,
        findings=findings,
        dimensions=_dimensions(audit, findings),
        fingerprints=fingerprints(audit.subject, findings),
        citations=cited,
    )


def _finding(subject: Subject, fault: TextFault, model: str) -> Finding:
    kind = FAULT_TYPES[fault.type]
    line, column = subject.lines.place(fault.span.start)
    return Finding(
        code=kind.code,
        name=kind.name,
        severity=_SEVERITIES[fault.weight],
        dimension=kind.dimension,
        message=fault.problem.rstrip(".。"),
        span=LocatedSpan(fault.span.start, fault.span.end, line, column),
        related=() if fault.other is None else (fault.other,),
        confidence=_CONFIDENCE,
        reading=ReadingNote(fault.missing, fault.repair, fault.reason, model, fault.step, fault.message),
    )


def _decisive(run: Trajectory, mistake: DecisiveMistake, model: str) -> Finding:
    """Return the finding that marks the first line of the step or message of the decisive mistake."""
    number = mistake.message
    if number is None:
        number = 0 if mistake.step is None else mistake.step + 1
    place = shown_run(run).places.get(number)
    start = 0 if place is None else place.span.start
    # One line marks the place; the whole of a step would hide what else is found in it.
    line_end = run.source.find("\n", start)
    end = len(run.source) if line_end < 0 else line_end
    line, column = run.lines.place(start)
    return Finding(
        code=DECISIVE.code,
        name=DECISIVE.name,
        severity="error",
        dimension=None,
        message=mistake.reason.rstrip(".。"),
        span=LocatedSpan(start, max(end, start), line, column),
        related=(),
        confidence=_CONFIDENCE,
        reading=ReadingNote("", None, "", model, mistake.step, mistake.message),
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
