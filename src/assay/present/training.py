"""Data sets for training a judge, as text and as a data card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from assay.present.markup import markdown_table
from assay.present.table import Table
from assay.present.terminal import table_lines
from assay.training.teachers import FATES

if TYPE_CHECKING:
    from assay.present.display import Painter
    from assay.training.data_set import DataManifest

_FATES: Final = ("NO VERDICT", "NOT UNANIMOUS", "NOT CONSISTENT", "KEPT")


def data_tables(data: DataManifest) -> list[Table]:
    """Return the tables of a data set: pairs, filters, lengths, and what predicts the label without reading."""
    kinds = sorted({kind for counts in data.counts.values() for kind in counts})
    tables = [
        Table(
            title="Pairs",
            heads=["SPLIT", *(kind.upper() for kind in kinds), "TOKENS, MEDIAN", "95 %", "LONGEST"],
            rows=[
                [
                    name,
                    *(f"{counts.get(kind, 0):,}" for kind in kinds),
                    f"{data.lengths[name].median:,}",
                    f"{data.lengths[name].p95:,}",
                    f"{data.lengths[name].longest:,}",
                ]
                for name, counts in data.counts.items()
            ],
        )
    ]
    if data.filters:
        tables.append(_filters(data.filters))
    tables.append(
        Table(
            title="Whether the label can be had without reading (0.5 is chance)",
            heads=["DETECTOR", "ACCURACY", "INTERVAL", "PAIRS"],
            rows=[
                [
                    item.detector,
                    "–" if item.accuracy is None else f"{item.accuracy:.2f}",
                    item.reason if item.low is None else f"{item.low:.2f} to {item.high:.2f}",
                    f"{item.n:,}",
                ]
                for item in data.shortcuts
            ],
            align="lrl",
        )
    )
    return tables


def _filters(filters: Mapping[str, Any]) -> Table:
    whole = {fate: filters.get(fate, 0) for fate in FATES}
    rows = [("all pairs", whole), *filters.get("by_group", {}).items()]
    return Table(
        title="What the filters on teachers' verdicts did",
        heads=["", *_FATES],
        rows=[[name, *(f"{counts.get(fate, 0):,}" for fate in FATES)] for name, counts in rows],
    )


def data_text(data: DataManifest, paint: Painter, columns: int) -> str:
    """Return what a data set holds."""
    lines: list[str] = []
    for table in data_tables(data):
        lines += [paint(table.title, "bold"), *table_lines(table, paint, columns), ""]
    removed = [f"{count:,} {why}" for why, count in data.removed.items() if count]
    lines += [f"Left out: {', '.join(removed) or 'nothing'}."]
    lines += [f"Tokens by {data.counted_by}; at most {data.max_length:,} in a row."]
    return "\n".join(lines) + "\n"


def data_card(data: DataManifest) -> str:
    """Return the card of a data set, in Markdown."""
    lines = ["# Data for training a judge of pairs", ""]
    lines += [
        f"Made by Assay {data.version} with strategy {data.strategy} and rubric {data.rubric}; seed {data.seed}. ",
        "Each row shows a pair; both orders are in every split, and no question is in two splits.",
        "",
    ]
    for table in data_tables(data):
        lines += [f"## {table.title}", "", *markdown_table(table), ""]
    counted: list[tuple[str, Mapping[str, int]]] = [
        ("Labels of the training split", data.labels),
        ("Labels on dimensions in the training split", data.dimensions),
        ("Languages", data.languages),
        ("Left out, by reason", data.removed),
    ]
    for title, counts in counted:
        if counts:
            rows = [[name, f"{count:,}"] for name, count in counts.items()]
            lines += [f"## {title}", "", *markdown_table(Table(heads=["", "NUMBER"], rows=rows)), ""]
    rows = [
        [name, f"{count:,}", data.licences.get(name, "not stated")] for name, count in data.sources.items()
    ]
    lines += [
        "## Sources",
        "",
        *markdown_table(Table(heads=["SOURCE", "PAIRS", "LICENCE"], rows=rows, align="lrl")),
    ]
    lines += ["", f"Tokens were counted by {data.counted_by}; a row has at most {data.max_length:,}.", ""]
    lines += ["## Files", "", *(f"- `{name}`: blake2b `{value}`" for name, value in data.files.items()), ""]
    return "\n".join(lines)
