"""Runs checks on a subject and turns what they yield into findings with code, line and message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.checks.base import Check, Context, Finding, LocatedSpan
from assay.errors import EngineError
from assay.text.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.subject import Subject


def _origin(check: Check) -> str:
    """Return function and package of a check that is not Assay's own, for errors."""
    module = getattr(check.run, "__module__", "") or ""
    own = module.startswith("assay.checks.")
    return "" if own else f" ({getattr(check.run, '__name__', 'its function')} of {module})"


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
            raw_findings = list(check.run(subject, context))
        except Exception as error:
            name = subject.path or subject.id or "the subject"
            raise EngineError(
                f"check {check.code}{_origin(check)} failed on {name}: {type(error).__name__}: {error}",
                hint=f'checks=["default", "-{check.code}"] leaves it out',
                cli_hint=f"--ignore {check.code} leaves it out",
            ) from error
        for raw in raw_findings:
            line, column = place(raw.span.start)
            text = raw.message if isinstance(raw.message, str) else raw.message.text(language)
            findings.append(
                Finding(
                    code=check.code,
                    name=check.name,
                    severity=raw.severity or check.severity,
                    dimension=check.dimension,
                    message=sentence(text),
                    span=LocatedSpan(raw.span.start, raw.span.end, line, column),
                    related=raw.related,
                    confidence=raw.confidence,
                )
            )
    findings.sort(key=lambda finding: (finding.span.start, finding.span.end, finding.code))
    return findings
