"""Results as SARIF 2.1.0, for code hosts and editors.

Written piece by piece, so that many reports need no more memory than one. Columns count code points, as our spans
do; a region carries the offset too.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote

import msgspec

from assay._version import __version__
from assay.checks.fault_types import FAULT_TYPES
from assay.checks.registry import all_checks, explanation
from assay.checks.selection import family_of
from assay.present.words import name_of, split_row
from assay.reviews.repairing import edit_of
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.audits.baseline import BaselineFinding, ReportChange
    from assay.audits.result import Audit
    from assay.checks.base import Check, Finding, Severity
    from assay.checks.fault_types import FaultType
    from assay.subjects.span import Span

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final[dict[Severity, Literal["error", "warning", "note"]]] = {
    "error": "error",
    "warning": "warning",
    "info": "note",
}
_FINGERPRINT: Final = "assay/v2"
_SNIPPET: Final = 400


def sarif_head() -> str:
    """Return everything before the first result."""
    driver = {
        "name": "assay",
        "semanticVersion": __version__,
        "rules": [
            *(_rule(check) for check in all_checks().values()),
            *(_reader_rule(item) for item in FAULT_TYPES.values()),
        ],
    }
    return (
        f'{{"$schema":{_json(_SCHEMA)},"version":"2.1.0","runs":[{{"tool":{{"driver":{_json(driver)}}},'
        f'"columnKind":"unicodeCodePoints","results":['
    )


def sarif_results(audit: Audit, change: ReportChange | None = None) -> str:
    """Return the results of one audit, with commas between them and none around.

    Compared with a baseline, each has a ``baselineState``, and those of the baseline that are gone are ``absent``.
    """
    codes = [*all_checks(), *(item.code for item in FAULT_TYPES.values())]
    rules = {code: index for index, code in enumerate(codes)}
    results = [
        _result(audit, finding, rules.get(finding.code), mark)
        for finding, mark in zip(audit.findings, audit.fingerprints, strict=True)
    ]
    if change is not None:
        new = set(change.new)
        for index, result in enumerate(results):
            result["baselineState"] = "new" if index in new else "unchanged"
        results += [_absent(audit, gone) for gone in change.gone]
    return ",\n".join(map(_json, results))


def sarif_tail(problems: Sequence[str], nothing: Sequence[str] = ()) -> str:
    """Return everything after the last result.

    Inputs that could not be read and texts with ``nothing`` to judge are notifications.
    """
    notes = [{"level": "error", "message": {"text": problem}} for problem in problems]
    notes += [{"level": "warning", "message": {"text": text}} for text in nothing]
    invocation: dict[str, Any] = {"executionSuccessful": not problems}
    if notes:
        invocation["toolExecutionNotifications"] = notes
    return f'\n],"invocations":[{_json(invocation)}]}}]}}\n'


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _rule(check: Check) -> dict[str, Any]:
    return {
        "id": check.code,
        "name": check.name,
        "shortDescription": {"text": check.summary},
        "fullDescription": {"text": explanation(check)},
        "defaultConfiguration": {"level": _LEVELS[check.severity], "enabled": check.default},
        "properties": {
            "tags": [
                family_of(check.code),
                *([check.dimension] if check.dimension else []),
                *([check.failure] if check.failure else []),
            ]
        },
    }


def _reader_rule(kind: FaultType) -> dict[str, Any]:
    tags = [family_of(kind.code), kind.dimension, kind.failure]
    return {
        "id": kind.code,
        "name": kind.key.replace("_", "-"),
        "shortDescription": {"text": f"{kind.title}: {kind.asks}"},
        "properties": {"tags": [tag for tag in tags if tag]},
    }


def _fixes(subject: Subject, finding: Finding) -> list[dict[str, Any]]:
    """Return the repair of a finding as a fix, where offsets of the text are those of its file."""
    if (
        finding.reading is None
        or not isinstance(subject, Report)
        or split_row(subject.path or "")[1] is not None
    ):
        return []
    edit = edit_of(subject, finding)
    if isinstance(edit, str):
        return []
    replacement: dict[str, Any] = {"deletedRegion": _region(subject, edit.start, edit.end)}
    if edit.text:
        replacement["insertedContent"] = {"text": edit.text}
    change = {"artifactLocation": {"uri": _uri(subject)}, "replacements": [replacement]}
    words = finding.reading.missing or finding.message
    return [{"description": {"text": words}, "artifactChanges": [change]}]


def _result(audit: Audit, finding: Finding, rule: int | None, fingerprint: str) -> dict[str, Any]:
    subject = audit.subject
    location = _location(subject, finding.span.start, finding.span.end)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [location | {"logicalLocations": [{"name": name_of(audit)}]}],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
        "rank": round(finding.confidence * 100, 1),
        "properties": {
            "confidence": finding.confidence,
            "dimension": finding.dimension,
            **{key: value for key in ("id", "system") if (value := getattr(subject, key))},
        },
    }
    if rule is not None:
        result["ruleIndex"] = rule
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_related(subject, place)}
            for number, place in enumerate(finding.related, start=1)
        ]
    fixes = _fixes(subject, finding)
    if fixes:
        result["fixes"] = fixes
    return result


def _absent(audit: Audit, gone: BaselineFinding) -> dict[str, Any]:
    return {
        "ruleId": gone.code,
        "level": _LEVELS[gone.severity],
        "message": {"text": gone.message},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": _uri(audit.subject)}},
                "logicalLocations": [{"name": name_of(audit)}],
            }
        ],
        "partialFingerprints": {_FINGERPRINT: gone.fingerprint},
        "baselineState": "absent",
    }


def _related(subject: Subject, span: Span) -> dict[str, Any]:
    return _location(subject, span.start, span.end) | {"message": {"text": "compare this place"}}


def _location(subject: Subject, start: int, end: int) -> dict[str, Any]:
    size = len(subject.source)
    start, end = min(start, size), min(max(start, end), size)
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(subject)},
            "region": _region(subject, start, end),
        }
    }


def _region(subject: Subject, start: int, end: int) -> dict[str, Any]:
    snippet = {"text": subject.source[start : min(end, start + _SNIPPET)]}
    path, row = split_row(subject.path or "")
    if row is not None or isinstance(subject, Trajectory):
        # The subject is a row of the file, or a rendering of it: its own lines are not the file's. The row's line is.
        is_line = row is not None and row.isdigit() and (subject.path or "")[len(path)] == ":"
        return {"startLine": int(row) if row is not None and is_line else 1, "snippet": snippet}
    line, column = subject.lines.place(start)
    end_line, end_column = subject.lines.place(end)
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": start,
        "charLength": end - start,
        "snippet": snippet,
    }


def _uri(subject: Subject) -> str:
    """Return a relative reference for a relative path, otherwise a ``file:`` URI."""
    name = subject.path or subject.id or "stdin"
    # "runs.jsonl:12" is row 12 of a file: the file is what can be opened.
    name, row = split_row(name)
    fragment = f"#row={row}" if row else ""
    path = PurePath(name)
    if path.is_absolute():
        return path.as_uri() + fragment
    # A colon in the first segment would read as a scheme, and text from elsewhere may not be UTF-8.
    return quote(path.as_posix().encode("utf-8", "replace"), safe="/-._~!$&'(?>()*),;=@") + fragment
