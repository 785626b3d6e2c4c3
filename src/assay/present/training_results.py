"""Trained models and other judges side by side, as text and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.markup import markdown_table
from assay.present.table import Table
from assay.present.terminal import table_lines

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate
    from assay.present.display import Painter
    from assay.training.evaluation import TrainingEvaluation

_NOTE: Final = (
    "Agreement: the right verdict in both orders; a coin tossed in each order reaches 0.25 (the judge random tosses one for a "
    "pair: 0.5), and a judge that always prefers one place 0. "
    "Form: replies that can be read in full. Consistent: verdicts that turn with the order. First: verdicts for the text "
    "shown first, 0.5 without a bias."
)


def result_tables(result: TrainingEvaluation) -> list[Table]:
    """Return the tables of a comparison: the whole, by dimension, by kind of pair."""
    heads = [
        "JUDGE",
        "PAIRS",
        "FORM",
        "AGREEMENT",
        "95 %",
        "ACCURACY",
        "CONSISTENT",
        "FIRST",
        "TOKENS",
        "SECONDS",
    ]
    rows = [
        [
            item.name,
            f"{item.pairs:,}",
            _value(item.form),
            _value(item.agreement),
            _interval(item.agreement),
            _value(item.accuracy),
            _value(item.consistency),
            _value(item.first),
            "" if item.tokens is None else f"{item.tokens:.0f}",
            "" if item.seconds is None else f"{item.seconds:.1f}",
        ]
        for item in result.judges
    ]
    tables = [
        Table(
            title="Judges on the same pairs", heads=heads, rows=rows, align="lrrrl", omit=("",), notes=[_NOTE]
        )
    ]
    for title, field in (
        ("Right decisions by dimension", "dimensions"),
        ("Agreement by kind of pair", "kinds"),
    ):
        names = sorted({name for item in result.judges for name in getattr(item, field)})
        if names:
            cells = [
                [
                    name.replace("_", " "),
                    *(_with_count(getattr(item, field).get(name)) for item in result.judges),
                ]
                for name in names
            ]
            tables.append(Table(title=title, heads=["", *(item.name for item in result.judges)], rows=cells))
    return tables


def results_text(result: TrainingEvaluation, paint: Painter, columns: int) -> str:
    """Return a comparison as text."""
    lines = [f"{result.split} of {result.data}", ""]
    for table in result_tables(result):
        lines += [paint(table.title, "bold"), *table_lines(table, paint, columns), ""]
    return "\n".join(lines)


def results_markdown(result: TrainingEvaluation) -> str:
    """Return a comparison in Markdown, as a card to keep beside a model."""
    lines = [f"# Judges on the {result.split} split of {result.data}", ""]
    for table in result_tables(result):
        lines += [
            f"## {table.title}",
            "",
            *markdown_table(table),
            "",
            *(line for note in table.notes for line in (note, "")),
        ]
    return "\n".join(lines)


def _value(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:.2f}"


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return estimate.reason
    return f"{estimate.low:.2f} to {estimate.high:.2f}"


def _with_count(estimate: Estimate | None) -> str:
    return "–" if estimate is None or estimate.value is None else f"{estimate.value:.2f} of {estimate.n:,}"
