"""What changed since a baseline, as tables for the terminal and the index page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.audits.baseline import read_baseline
from assay.audits.baseline_comparison import comparison_data, system_changes
from assay.present.display import Painter, Style
from assay.present.interface import ENGLISH, Interface
from assay.present.numbers import interval
from assay.present.table import StyledText, Table
from assay.present.terminal import table_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.audits.baseline import Change, ReportChange

_SHOWN: Final = 20
_LOSSES: Final = 2


def changes_json(changes: Sequence[ReportChange], baseline: str) -> str:
    """Return ``assay.audit-comparison/1`` on one line, with its line break."""
    return msgspec.json.encode(comparison_data(changes, read_baseline(baseline))).decode() + "\n"


def changes_text(
    changes: Sequence[ReportChange],
    baseline: str,
    *,
    painter: Painter,
    columns: int = 100,
    say: Interface = ENGLISH,
) -> str:
    """Return the totals, the reports that are worse or better, and the systems."""
    lines = ["", painter(summary_line(changes, baseline, say), "bold")]
    for table in change_tables(changes, say):
        lines += ["", *table_lines(table, painter, columns)]
    return "\n".join(lines) + "\n"


def summary_line(changes: Sequence[ReportChange], baseline: str, say: Interface = ENGLISH) -> str:
    """Return how many findings are new, gone and unchanged, and how many reports are better, worse and missing."""

    def reports(change: Change) -> int:
        return sum(row.change == change for row in changes)

    found = {row.index for row in changes}
    missing = sum(old.index not in found for old in read_baseline(baseline).reports)
    counts = [
        ("new findings {number}", sum(len(row.new) for row in changes if row.index is not None)),
        ("gone {number}", sum(len(row.gone) for row in changes)),
        ("unchanged {number}", sum(row.unchanged for row in changes)),
        ("reports worse {number}", reports("worse")),
        ("better {number}", reports("better")),
        ("same {number}", reports("same")),
        ("not in the baseline {number}", reports("added")),
        ("missing {number}", missing),
    ]
    always = 5
    shown = [
        say(text, number=f"{number:,}") for i, (text, number) in enumerate(counts) if number or i < always
    ]
    return say.label(say("Since the baseline"), say.join(shown))


def change_tables(changes: Sequence[ReportChange], say: Interface = ENGLISH) -> list[Table]:
    """Return the reports that are worse or better, worst first, and the systems; no table without rows."""
    moved = sorted(
        (row for row in changes if row.change in ("worse", "better")),
        key=lambda row: (row.change == "better", -len(row.losses), -len(row.new), row.name),
    )
    notes = [say("… and {number} more", number=f"{len(moved) - _SHOWN:,}")] if len(moved) > _SHOWN else []
    tables: list[Table] = []
    if moved:
        heads = [say(text) for text in ("report", "change", "new", "gone", "words", "lost")]
        tables.append(
            Table(heads=heads, rows=[_row(row, say) for row in moved[:_SHOWN]], align="llrrrl", notes=notes)
        )
    systems = [item for item in system_changes(changes) if item.reports > 1]
    if systems:
        heads = [
            say(text)
            for text in (
                "system",
                "reports",
                "worse",
                "better",
                "errors and warnings per 1,000 words",
                "words, %",
            )
        ]
        rows = [
            [
                item.system or "–",
                f"{item.reports}",
                f"{item.worse}",
                f"{item.better}",
                interval(item.problems, 2),
                interval(item.words, 1),
            ]
            for item in systems
        ]
        note = say("Mean change since the baseline, with its 95 % interval.")
        tables.append(Table(heads=heads, rows=rows, align="l", notes=[note]))
    return tables


def _row(row: ReportChange, say: Interface) -> list[str]:
    lost = [
        say("everything")
        if loss.kind == "nothing"
        else f"{say(loss.kind)} −{1 - loss.after / loss.before:.0%}"
        for loss in row.losses[:_LOSSES]
    ]
    if len(row.losses) > _LOSSES:
        lost.append(f"+{len(row.losses) - _LOSSES}")
    style: Style = "error" if row.change == "worse" else "good"
    before, after = row.words
    return [
        row.name,
        StyledText(say(row.change), style),
        f"{len(row.new)}",
        f"{len(row.gone)}",
        f"{before:,} → {after:,}" if before != after else f"{after:,}",
        say.join(lost),
    ]
