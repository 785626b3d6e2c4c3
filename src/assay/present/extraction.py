"""Accuracy of extraction for a terminal: the paper's table by bins, and what it does not count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, visible
from assay.present.numbers import number
from assay.present.table import StyledText, Table
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.text.amounts import plural

if TYPE_CHECKING:
    from assay.logic.accuracy import Accuracy, ExtractionAccuracy
    from assay.logic.content_accuracy import ContentAccuracy
    from assay.measures.intervals import Estimate

_SIZES: Final = (("nodes", "total nodes"), ("depth", "depth"), ("width", "width"), ("average", "average"))
_CONTENT: Final = (
    ("node_precision", "node precision"),
    ("node_recall", "node recall"),
    ("node_f1", "node F1"),
    ("kind_accuracy", "right kind"),
    ("edge_precision", "edge precision"),
    ("edge_recall", "edge recall"),
)
_FOUND: Final = (
    ("root", "main claim right"),
    ("node_precision", "node precision"),
    ("node_recall", "node recall"),
    ("link_precision", "edge precision"),
    ("link_recall", "edge recall"),
    ("relation_precision", "… with relation"),
    ("relation_recall", "… with relation"),
    ("attack_f1", "attack F1"),
)
_SHOWN: Final = 3


def extraction_text(
    result: ExtractionAccuracy,
    *,
    painter: Painter,
    columns: int = 80,
    planted: bool = False,
    annotated: bool = False,
) -> str:
    """Return the tables, the correlation, and what was left out.

    Args:
        result: Result of the measurement.
        painter: Colours.
        columns: Width of the terminal.
        planted: Whether Assay itself made pairs of the set.
        annotated: Whether the arguments were annotated, so that sizes by the paper's bins say nothing.
    """
    parts = [*result.bins, result.overall]
    languages = ", ".join(f"{part.pairs} {name}" for name, part in result.by_language.items())
    lines = [
        f"{painter(f'Extraction: {visible(result.extractor)}', 'bold')}  {plural(result.pairs, 'pair')} ({languages})"
    ]
    table = _table(parts)
    drawn = table_lines(table, painter, gap=1)
    for title, start in (("Content and links", 9), ("Similarity of sizes (FinResearchBench)", 5)):
        drawn[start:start] = ["", painter(title, "bold")]
    lines += ["", painter("The argument, beside baselines", "bold")]
    lines += table_lines(_content_table(result.content), painter, gap=1)
    if len(result.content_by_language) > 1:
        for language, content in result.content_by_language.items():
            lines += ["", painter(f"… {language}", "bold")]
            lines += table_lines(_content_table(content), painter, gap=1)
    lines += ["", *drawn] if not annotated else []
    lines += ["", *wrapped(_correlation(result), columns)] if not annotated else [""]
    notes = [
        (
            "Beside each share its 95 % interval over texts. Edges count as pairs of units, then with direction and "
            "relation; an edge from or to a unit that was not found is wrong. Baselines: one sentence is the main claim "
            "(the first; the first with “should”, “therefore” and the like), and all others support it."
        )
    ]
    if not annotated:
        notes.append("Links in the tables by size are counted between nodes that were found.")
    if planted:
        notes.append(
            "Pairs put together from Assay's own phrases show what breaks, not how well real reports are read."
        )
    lines += [painter(line, "dim") for note in notes for line in wrapped(note, columns)]
    lines += _left_out(result, painter, columns)
    return "\n".join(lines) + "\n"


def _content_table(content: Mapping[str, ContentAccuracy]) -> Table:
    """Return a row a measure, a column for the extractor and each baseline."""
    return Table(
        heads=["", *content],
        rows=[[label, *(_cell(getattr(part, key)) for part in content.values())] for key, label in _FOUND],
    )


def _table(parts: Sequence[Accuracy]) -> Table:
    """Return a column a bin: sizes of the graphs, then how alike they are, then what of them is right."""

    def row(label: str, cell: Callable[[Accuracy], str]) -> list[str]:
        return [label, *map(cell, parts)]

    def share(key: str, label: str) -> list[str]:
        cells = row(label, lambda part: _cell(getattr(part, key)))
        return [StyledText(text, "bold") for text in cells] if key in ("average", "node_f1") else cells

    return Table(
        heads=["nodes of the truth", *map(_range, parts[:-1]), "all"],
        rows=[
            row("pairs", lambda part: f"{part.pairs}"),
            row("mean true nodes", lambda part: number(part.true_nodes, 1)),
            row("mean extracted", lambda part: number(part.extracted_nodes, 1)),
            row("words", _words),
            *(share(key, label) for key, label in (*_SIZES, *_CONTENT)),
        ],
    )


def _range(part: Accuracy) -> str:
    return f"[{part.low}, ∞)" if part.high is None else f"[{part.low}, {part.high})"


def _words(part: Accuracy) -> str:
    return "–" if part.min_words is None else f"{part.min_words:,}–{part.max_words:,}"


def _cell(interval: Estimate) -> str:
    if interval.value is None:
        return "–"
    if interval.low is None or interval.high is None:
        return f"{interval.value:.2f}          "
    return f"{interval.value:.2f} {interval.low:.2f}–{interval.high:.2f}"


def _correlation(result: ExtractionAccuracy) -> str:
    rank = result.spearman
    if rank.value is None:
        return f"No rank correlation of node counts: {rank.reason}."
    interval = "" if rank.low is None else f" ({rank.low:.2f}–{rank.high:.2f})"
    p = "" if rank.p is None else f", p {'< 0.0001' if rank.p < 0.0001 else f'= {rank.p:.4f}'}"
    return (
        f"Rank correlation of node counts, true and extracted: {rank.value:.2f}{interval}{p}, n = {rank.n}."
    )


def _left_out(result: ExtractionAccuracy, painter: Painter, columns: int) -> list[str]:
    lines: list[str] = []
    if result.left_out:
        pairs = plural(result.pairs, "pair")
        text = f"{result.left_out} of {pairs} gave no graph of this extractor and are in no mean:"
        lines += ["", *(painter(line, "error") for line in wrapped(text, columns))]
        gone = [score for score in result.scores if score.status != "ok"]
        for score in gone[:_SHOWN]:
            what = f"  {visible(score.id)}: {score.status}: {visible(score.problem or 'no reason was given')}"
            lines += wrapped(what, columns)
        if len(gone) > _SHOWN:
            lines.append(f"  and {len(gone) - _SHOWN} more; --format json has all")
    if result.not_made:
        verb = "was" if result.not_made == 1 else "were"
        text = f"{plural(result.not_made, 'pair')} of the set could not be made and {verb} not measured."
        lines += ["", *(painter(line, "warning") for line in wrapped(text, columns))]
    return lines
