"""All reports compared with a baseline; systems by the mean change over their reports, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.audits.baseline import COMPARISON_SCHEMA, renamed_reports
from assay.measures.intervals import Estimate, mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.audits.baseline import ReportChange


class SystemChange(msgspec.Struct, frozen=True):
    """The reports of one system, then and now.

    Attributes:
        system: Its name; empty for reports that name none.
        reports: Number of reports in both audits.
        better: Number that are better.
        worse: Number that are worse.
        problems: Mean change of errors and warnings per 1,000 words, with its 95 % interval.
        words: Mean change of the number of words in percent, with its 95 % interval.
    """

    system: str
    reports: int
    better: int
    worse: int
    problems: Estimate
    words: Estimate


def comparison_data(changes: Iterable[ReportChange], baseline: str) -> dict[str, Any]:
    """Return ``assay.audit-comparison/1``: totals, reports by change, losses, and systems with intervals.

    ``renamed`` has pairs of a missing and an added report that seem to be the same one under another name.
    """
    rows = list(changes)
    by: dict[str, list[str]] = {key: [] for key in ("better", "worse", "same", "added", "missing")}
    for row in rows:
        by[row.change].append(row.name)
    return {
        "schema": COMPARISON_SCHEMA,
        "baseline": baseline,
        "findings": {
            "new": sum(len(row.new) for row in rows),
            "gone": sum(len(row.gone) for row in rows),
            "unchanged": sum(row.unchanged for row in rows),
        },
        "reports": {**by, "renamed": [{"from": old, "to": new} for old, new in renamed_reports(rows)]},
        "losses": [{"report": row.name, **msgspec.to_builtins(loss)} for row in rows for loss in row.losses],
        "systems": [msgspec.to_builtins(item) for item in system_changes(rows)],
    }


def system_changes(changes: Iterable[ReportChange]) -> list[SystemChange]:
    """Return a row for each system with a report in both audits, in order of their names."""
    by_system: dict[str, list[ReportChange]] = {}
    for change in changes:
        if change.change not in ("added", "missing"):
            by_system.setdefault(change.system or "", []).append(change)
    return [_system(name, rows) for name, rows in sorted(by_system.items())]


def _system(name: str, rows: list[ReportChange]) -> SystemChange:
    sized = [row for row in rows if all(row.words)]
    return SystemChange(
        system=name,
        reports=len(rows),
        better=sum(row.change == "better" for row in rows),
        worse=sum(row.change == "worse" for row in rows),
        problems=mean_interval([_rate(row, 1) - _rate(row, 0) for row in sized]),
        words=mean_interval(
            [100 * (row.words[1] / row.words[0] - 1) for row in rows if row.words[0]], bounds=(-100.0, None)
        ),
    )


def _rate(row: ReportChange, at: int) -> float:
    return 1000 * row.problems[at] / row.words[at]
