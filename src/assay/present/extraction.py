"""Accuracy of extraction for people at a terminal: the paper's table by bins, and what it does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, pad, visible
from assay.present.numbers import plural
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from assay.logic.accuracy import Accuracy, ExtractionAccuracy, Interval

_LABEL: Final = 19
_CELL: Final = 15
_SIZES: Final = (
    ("nodes", "total nodes"),
    ("depth", "depth"),
    ("width", "width"),
    ("average", "average"),
)
_CONTENT: Final = (
    ("node_precision", "node precision"),
    ("node_recall", "node recall"),
    ("node_f1", "node F1"),
    ("kind_accuracy", "right kind"),
    ("edge_precision", "edge precision"),
    ("edge_recall", "edge recall"),
)
_SHOWN: Final = 3


def extraction_text(
    result: ExtractionAccuracy, *, painter: Painter, columns: int = 80, planted: bool = False
) -> str:
    """The tables, then the correlation, then what was left out.

    Args:
        result: What was measured.
        painter: Colours.
        columns: To write to.
        planted: Whether pairs of the set were put together by Assay itself.
    """
    parts = [*result.bins, result.overall]
    languages = ", ".join(f"{part.pairs} {name}" for name, part in result.by_language.items())
    lines = [
        f"{painter(f'Extraction: {visible(result.extractor)}', 'bold')}  {plural(result.pairs, 'pair')} ({languages})"
    ]
    heads = [_range(part) for part in result.bins] + ["all"]
    lines += ["", _row("nodes of the truth", heads, painter, style="dim")]
    lines.append(_row("pairs", [str(part.pairs) for part in parts], painter))
    lines.append(_row("mean true nodes", [_number(part.true_nodes) for part in parts], painter))
    lines.append(_row("mean extracted", [_number(part.extracted_nodes) for part in parts], painter))
    lines.append(_row("words", [_words(part) for part in parts], painter))
    for title, rows in (("Similarity of sizes (FinResearchBench)", _SIZES), ("Content and links", _CONTENT)):
        lines += ["", painter(title, "bold")]
        for key, label in rows:
            cells = [_cell(getattr(part, key)) for part in parts]
            lines.append(_row(label, cells, painter, bold=key in ("average", "node_f1")))
    lines += ["", *wrapped(_correlation(result), columns)]
    notes = [
        "Beside each mean its 95 % interval over pairs. Links are counted between nodes that were found."
    ]
    if planted:
        notes.append(
            "Pairs put together from Assay's own phrases show what breaks, not how well real reports are read."
        )
    lines += [painter(line, "dim") for note in notes for line in wrapped(note, columns)]
    lines += _left_out(result, painter, columns)
    return "\n".join(lines) + "\n"


def _row(label: str, cells: list[str], painter: Painter, *, style: str = "", bold: bool = False) -> str:
    line = pad(label, _LABEL) + "".join(pad(cell, _CELL, right=True) for cell in cells)
    if style == "dim":
        return painter(line, "dim")
    return painter(line, "bold") if bold else line


def _range(part: Accuracy) -> str:
    return f"[{part.low}, ∞)" if part.high is None else f"[{part.low}, {part.high})"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _words(part: Accuracy) -> str:
    return "–" if part.min_words is None else f"{part.min_words:,}–{part.max_words:,}"


def _cell(found: Interval) -> str:
    if found.value is None:
        return "–"
    if found.low is None or found.high is None:
        return f"{found.value:.2f}          "
    return f"{found.value:.2f} {found.low:.2f}–{found.high:.2f}"


def _correlation(result: ExtractionAccuracy) -> str:
    found = result.spearman
    if found.value is None:
        return f"No rank correlation of node counts: {found.reason}."
    interval = "" if found.low is None else f" ({found.low:.2f}–{found.high:.2f})"
    p = "" if found.p is None else f", p {'< 0.0001' if found.p < 0.0001 else f'= {found.p:.4f}'}"
    return (
        f"Rank correlation of node counts, true and extracted: {found.value:.2f}{interval}{p}, n = {found.n}."
    )


def _left_out(result: ExtractionAccuracy, painter: Painter, columns: int) -> list[str]:
    lines: list[str] = []
    if result.left_out:
        text = f"{result.left_out} of {plural(result.pairs, 'pair')} gave no graph of this extractor and are in no mean:"
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
