"""What changed since a baseline, as tables for the terminal and the index page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.audits.baseline import renamed_reports
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
_MOVED: Final = ("missing", "worse", "better")


def changes_json(changes: Sequence[ReportChange], baseline: str) -> str:
    """Return ``assay.audit-comparison/1`` on one line, with its line break."""
    return msgspec.json.encode(comparison_data(changes, baseline)).decode() + "\n"


def changes_text(
    changes: Sequence[ReportChange],
    *,
    painter: Painter,
    columns: int = 100,
    say: Interface = ENGLISH,
) -> str:
    """Return the totals, the reports that are worse or better, and the systems."""
    lines = ["", painter(summary_line(changes, say), "bold")]
    for table in change_tables(changes, say):
        lines += ["", *table_lines(table, painter, columns)]
    return "\n".join(lines) + "\n"


def _rename_notes(changes: Sequence[ReportChange], say: Interface = ENGLISH) -> list[str]:
    """Return what to do about reports that are missing while others are not in the baseline."""
    kinds = {row.change for row in changes}
    if not {"missing", "added"} <= kinds:
        return []
    pairs = [
        say("{old} seems to be renamed: {new} is as long.", old=old, new=new)
        for old, new in renamed_reports(changes)[:_SHOWN]
    ]
    return [
        *pairs,
        say(
            "A report under another name counts as missing, and as not in the baseline: give it the same `id`, or write "
            "the baseline anew."
        ),
    ]


def summary_line(changes: Sequence[ReportChange], say: Interface = ENGLISH) -> str:
    """Return how many findings are new, gone and unchanged, and how many reports are better, worse and missing."""

    def reports(change: Change) -> int:
        return sum(row.change == change for row in changes)

    counts = [
        ("new findings {number}", sum(len(row.new) for row in changes if row.index is not None)),
        ("gone {number}", sum(len(row.gone) for row in changes)),
        ("unchanged {number}", sum(row.unchanged for row in changes)),
        ("reports worse {number}", reports("worse")),
        ("better {number}", reports("better")),
        ("same {number}", reports("same")),
        ("not in the baseline {number}", reports("added")),
        ("missing {number}", reports("missing")),
    ]
    always = 5
    shown = [
        say(text, number=f"{number:,}") for i, (text, number) in enumerate(counts) if number or i < always
    ]
    return say.label(say("Since the baseline"), say.join(shown))


def change_tables(changes: Sequence[ReportChange], say: Interface = ENGLISH) -> list[Table]:
    """Return the reports that are missing, worse or better, in this order, and the systems; no table without rows."""
    moved = sorted(
        (row for row in changes if row.change in _MOVED),
        key=lambda row: (_MOVED.index(row.change), -len(row.losses), -len(row.new), row.name),
    )
    notes = [say("… and {number} more", number=f"{len(moved) - _SHOWN:,}")] if len(moved) > _SHOWN else []
    notes += _rename_notes(changes, say)
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
        if loss.kind in ("nothing", "report")
        else f"{say(loss.kind)} −{1 - loss.after / loss.before:.0%}"
        for loss in row.losses[:_LOSSES]
    ]
    if len(row.losses) > _LOSSES:
        lost.append(f"+{len(row.losses) - _LOSSES}")
    style: Style = "good" if row.change == "better" else "error"
    before, after = row.words
    return [
        row.name,
        StyledText(say(row.change), style),
        f"{len(row.new)}",
        f"{len(row.gone)}",
        f"{before:,} → {after:,}" if before != after else f"{after:,}",
        say.join(lost),
    ]
