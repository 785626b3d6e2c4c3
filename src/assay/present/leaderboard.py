"""A leaderboard for a terminal, as Markdown and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, Final

from assay.present.compliance_text import hanging, table_lines
from assay.present.display import Painter, fit, visible
from assay.present.leaderboard_rows import headline, tables_of
from assay.present.markdown import markdown_cell, markdown_tables

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate
    from assay.meta.leaderboard.record import ComparisonCounts, Leaderboard

_HEADS: Final = (
    "table", "domain", "dimension", "system", "other", "statistic", "value", "low", "high", "p", "n",
    "wins", "losses", "ties", "no_verdict",
)  # fmt: skip


def leaderboard_text(board: Leaderboard, paint: Painter, columns: int, only: Collection[str] = ()) -> str:
    """All tables, or those of these names; where one is too wide, without its intervals, and said so."""
    lines = [paint(" · ".join(headline(board)), "bold")]
    if board.judges:
        lines.append(paint(fit(f"judged by {visible(', '.join(board.judges))}", columns), "dim"))
    for note in board.notes:
        lines += [paint(line, "warning") for line in hanging(f"! {note}", columns)]
    made: dict[str, None] = {}
    for table in tables_of(board):
        if only and table.key not in only:
            continue
        lines += ["", *(paint(line, "bold") for line in hanging(table.title, columns))]
        lines += table_lines(table, paint, columns)
        if table.key == "standings":
            lines += [
                paint(line, "dim")
                for item in board.systems
                if item.note
                for line in hanging(f"* {item.system}: {item.note}", columns)
            ]
        made.setdefault(table.method)
    lines += ["", paint("How it is computed", "bold")]
    for key in made:
        lines += [paint(line, "dim") for line in hanging(board.methods[key], columns)]
    return "\n".join(lines) + "\n"


def leaderboard_markdown(board: Leaderboard, only: Collection[str] = ()) -> str:
    """All tables, or those of these names, as Markdown."""
    lines = ["# Leaderboard", "", " · ".join(headline(board))]
    if board.judges:
        lines += ["", f"Judged by {markdown_cell(', '.join(board.judges))}."]
    marked = [f"{item.system}: {item.note}" for item in board.systems if item.note]
    if board.notes or marked:
        lines += ["", *(f"- {markdown_cell(note)}" for note in (*board.notes, *marked))]
    lines += markdown_tables(tables_of(board), board.methods, only)
    return "\n".join(lines) + "\n"


def leaderboard_csv(board: Leaderboard) -> str:
    """Every figure on a line of its own, with its interval and what it rests on."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, _HEADS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in _figures(board):
        writer.writerow({key: _safe(value) for key, value in row.items() if value is not None})
    return stream.getvalue()


def _safe(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula, made one that it does not."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _figures(board: Leaderboard) -> Iterator[dict[str, Any]]:
    about = {"dimension": board.by, "domain": board.domain}
    for item in board.systems:
        row = {"table": "standings", "system": item.system, **about}
        yield {**row, "statistic": "rank", "value": item.rank, "low": item.rank_low, "high": item.rank_high}
        yield {
            **row,
            **_counts(item.counts),
            "statistic": "rating",
            "value": item.rating.value,
            "low": item.rating.low,
            "high": item.rating.high,
        }
        yield {**row, "statistic": "beats_average", **_estimate(item.beats_average)}
        if item.compliance is not None:
            yield {**row, "statistic": "compliance", **_estimate(item.compliance)}
    for share in board.shares:
        yield {
            "table": "win_rates",
            "domain": share.domain,
            "dimension": share.dimension,
            "system": share.system,
            "statistic": "win_rate",
            **_estimate(share.rate),
            **_counts(share.counts),
        }
    for pair in board.pairs:
        yield {
            "table": "pairs",
            **about,
            "system": pair.first,
            "other": pair.second,
            "statistic": "rating_difference",
            "value": pair.difference,
            "p": pair.adjusted,
            **_counts(pair.counts),
        }
    if board.style is not None:
        for styled in board.style.systems:
            yield {
                "table": "style",
                **about,
                "system": styled.system,
                "statistic": "controlled_rating",
                "value": styled.controlled.value,
                "low": styled.controlled.low,
                "high": styled.controlled.high,
            }
        for effect in board.style.effects:
            yield {
                "table": "effects",
                **about,
                "other": effect.name,
                "statistic": "log_odds",
                **_estimate(effect.estimate),
                "p": effect.p,
            }


def _estimate(found: Estimate) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.n}


def _counts(counts: ComparisonCounts) -> dict[str, Any]:
    return {
        "wins": counts.wins,
        "losses": counts.losses,
        "ties": counts.ties,
        "no_verdict": counts.no_verdict,
    }
