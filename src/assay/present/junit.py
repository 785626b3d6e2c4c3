"""Results as JUnit XML, for continuous integration: a suite per report, a case per check that found something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

from assay.audits.result import SEVERITIES, failing_severities
from assay.present.words import name_of, place_of

if TYPE_CHECKING:
    from assay.audits.baseline import ReportChange
    from assay.audits.result import Audit
    from assay.checks.base import Finding
    from assay.checks.config import FailOn

# Characters that XML 1.0 cannot hold, not even escaped.
_EXCERPT: Final = 120
_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_head() -> str:
    """Return what stands before the first suite."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assay">\n'


def junit_tail() -> str:
    """Return what stands after the last suite."""
    return "</testsuites>\n"


def junit_suite(audit: Audit, *, fail_on: FailOn, change: ReportChange | None = None) -> str:
    """Return the suite of one report. Findings at or above ``fail_on`` are failures; others are in ``system-out``.

    If only new findings fail, what a report lost since the baseline is a failure too.
    """
    name, place = name_of(audit), place_of(audit)
    by_code: dict[str, list[Finding]] = {}
    for finding in audit.findings:
        by_code.setdefault(finding.code, []).append(finding)
    failing = failing_severities(fail_on)
    known: set[int] = set()
    if change is not None and fail_on.startswith("new:"):
        known = {id(finding) for i, finding in enumerate(audit.findings) if i not in set(change.new)}
    cases: list[str] = []
    failures = 0
    for code, findings in sorted(by_code.items()):
        text = "\n".join(_line(audit, place, finding) for finding in findings)
        head = f"    <testcase classname={_attr(name)} name={_attr(f'{code} {findings[0].name}')}"
        fatal = [finding for finding in findings if finding.severity in failing and id(finding) not in known]
        if fatal:
            failures += 1
            worst = min(fatal, key=lambda finding: SEVERITIES.index(finding.severity))
            cases.append(
                f"{head}>\n      <failure type={_attr(worst.severity)} message={_attr(worst.message)}>"
                f"{_text(text)}</failure>\n    </testcase>\n"
            )
        else:
            cases.append(f"{head}>\n      <system-out>{_text(text)}</system-out>\n    </testcase>\n")
    for loss in change.losses if change is not None else ():
        if loss.severity in failing:
            failures += 1
            lost = f"{loss.kind}: {loss.before} → {loss.after}"
            cases.append(
                f"    <testcase classname={_attr(name)} name={_attr(f'lost {loss.kind}')}>\n"
                f"      <failure type={_attr(loss.severity)} message={_attr(lost)}/>\n    </testcase>\n"
            )
    if not cases:
        cases.append(f'    <testcase classname={_attr(name)} name="no findings"/>\n')
    skipped = 0
    if audit.nothing is not None:
        skipped = 1
        reason = f"nothing to judge: {audit.nothing.message}"
        cases.append(
            f'    <testcase classname={_attr(name)} name="something to judge">\n'
            f"      <skipped message={_attr(reason)}/>\n    </testcase>\n"
        )
    return (
        f'  <testsuite name={_attr(name)} tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}">\n'
        f"{_properties(audit)}{''.join(cases)}  </testsuite>\n"
    )


def junit_missing(change: ReportChange) -> str:
    """Return the suite of a report that is missing since the baseline."""
    name = _attr(change.name)
    return (
        f'  <testsuite name={name} tests="1" failures="1" errors="0" skipped="0">\n'
        f'    <testcase classname={name} name="lost report">\n'
        f'      <failure type="error" message="missing since the baseline"/>\n    </testcase>\n  </testsuite>\n'
    )


def _properties(audit: Audit) -> str:
    """Return id, system and path, which a suite's name does not keep apart."""
    given = {"id": audit.subject.id, "system": audit.subject.system, "path": audit.subject.path}
    if not (given["id"] or given["system"]):
        return ""
    rows = [
        f"      <property name={_attr(key)} value={_attr(value)}/>\n" for key, value in given.items() if value
    ]
    return f"    <properties>\n{''.join(rows)}    </properties>\n"


def junit_problem(where: str, message: str) -> str:
    """Return the suite of an input that could not be read."""
    return (
        f'  <testsuite name={_attr(where)} tests="1" failures="0" errors="1" skipped="0">\n'
        f'    <testcase classname={_attr(where)} name="readable">\n'
        f'      <error type="InputError" message={_attr(message)}/>\n    </testcase>\n  </testsuite>\n'
    )


def _line(audit: Audit, place: str, finding: Finding) -> str:
    """Return a finding as one line, and below it what it conflicts with, what is missing, and how to repair it."""
    head = f"{place}:{finding.span.line}:{finding.span.column} {finding.code} {finding.severity} {finding.message}"
    subject = audit.subject
    lines = [head]
    for other in finding.related:
        words = " ".join(subject.source[other.start : other.end].split())[:_EXCERPT]
        lines.append(f"  conflicts with {place}:{subject.lines.place(other.start)[0]}: {words}")
    note = finding.reading
    if note is not None and note.missing:
        lines.append(f"  missing: {note.missing}")
    if note is not None and note.repair is not None:
        lines.append(f"  repair: {note.repair.kind} {note.repair.text}".rstrip())
    return "\n".join(lines)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)


def _attr(text: str) -> str:
    return quoteattr(_clean(text))


def _text(text: str) -> str:
    return escape(_clean(text))
