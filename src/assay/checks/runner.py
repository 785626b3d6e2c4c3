"""Runs checks over a subject and gives what they yield its identity, its line and its message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.checks.base import Check, Context, Finding, LocatedSpan
from assay.errors import EngineError
from assay.text.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.subject import Subject


def run_checks(subject: Subject, checks: Iterable[Check], context: Context) -> list[Finding]:
    """Return the findings of every check that applies, in order of their spans.

    Raises:
        EngineError: A check failed; the message names it and the subject.
    """
    findings: list[Finding] = []
    place = subject.lines.place
    language = context.message_language(subject)
    for check in checks:
        if not check.applies(subject, context):
            continue
        try:
            matches = list(check.run(subject, context))
        except Exception as error:
            name = subject.path or subject.id or "the subject"
            raise EngineError(
                f"check {check.code} failed on {name}: {error!r}; --ignore {check.code} leaves it out"
            ) from error
        for match in matches:
            line, column = place(match.span.start)
            text = match.message if isinstance(match.message, str) else match.message.text(language)
            findings.append(
                Finding(
                    code=check.code,
                    name=check.name,
                    severity=match.severity or check.severity,
                    dimension=check.dimension,
                    message=sentence(text),
                    span=LocatedSpan(match.span.start, match.span.end, line, column),
                    related=match.related,
                    confidence=match.confidence,
                )
            )
    findings.sort(key=lambda finding: (finding.span.start, finding.span.end, finding.code))
    return findings
