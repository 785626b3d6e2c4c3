"""Runs checks over a subject and turns hits into findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.checks.base import Check, Context, Finding, Place
from assay.errors import EngineError
from assay.text.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.report import Report
    from assay.subjects.trajectory import Trajectory


def run_checks(subject: Report | Trajectory, checks: Iterable[Check], context: Context) -> list[Finding]:
    """Findings of every check that applies, in the order of their place.

    Raises:
        EngineError: A check failed; the message names it and the subject.
    """
    findings: list[Finding] = []
    place = subject.lines.place
    for check in checks:
        if not check.applies(subject, context):
            continue
        try:
            hits = list(check.run(subject, context))
        except Exception as error:
            name = subject.path or subject.id or "the subject"
            raise EngineError(
                f"check {check.code} failed on {name}: {error!r}; --ignore {check.code} leaves it out"
            ) from error
        for hit in hits:
            line, column = place(hit.span.start)
            findings.append(
                Finding(
                    code=check.code,
                    name=check.name,
                    severity=hit.severity or check.severity,
                    dimension=check.dimension,
                    message=sentence(hit.message),
                    span=Place(hit.span.start, hit.span.end, line, column),
                    related=hit.related,
                    confidence=hit.confidence,
                )
            )
    findings.sort(key=lambda finding: (finding.span.start, finding.span.end, finding.code))
    return findings
