"""Statements of a report with their measured figures and the sources behind them.

    for claim in report.claims:
        print(report.text(claim.span), claim.figures, claim.sources)

A claim is a sentence or the row of a table that holds a measured figure or a citation. Headings, code and the reference
list hold none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.parts import Block
from assay.subjects.span import Span

if TYPE_CHECKING:
    from assay.subjects.figures import Figure
    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_LARGE: Final = 3e3
_SCALE: Final = 1e4
_REACH: Final = 8
_LABEL: Final = re.compile(r"[A-Z]{2}[\w/]{0,4}[ \-]?\Z|[A-Za-z]-\Z")
_SIGNS: Final = ("=", "≈", "×", "→", "?", "？")


class SourcedClaim(msgspec.Struct, frozen=True):
    """A sentence or table row with figures or citations.

    Attributes:
        span: Its text.
        sentence: Index of its sentence; None for a row of a table.
        section: Index of its section.
        block: Index of its block.
        figures: Measured figures in it: shares, money, large or exact numbers that it states as facts or forecasts.
        citations: Indexes of the citations in it.
        sources: Indexes in ``Report.sources`` of the works that these name.
    """

    span: Span
    sentence: int | None
    section: int
    block: int
    figures: tuple[Figure, ...]
    citations: tuple[int, ...]
    sources: tuple[int, ...]


def find_claims(report: Report) -> list[SourcedClaim]:
    """Return the claims of a report: sentences in order, then rows of tables. Linear; never raises."""
    by_sentence: dict[int, list[Figure]] = {}
    in_cells: list[Figure] = []
    for figure in report.figures:
        if is_measured(figure) and not _is_label(report, figure):
            if figure.sentence is not None:
                by_sentence.setdefault(figure.sentence.index, []).append(figure)
            else:
                in_cells.append(figure)
    marks: dict[int, list[int]] = {}
    for citation in report.citations:
        if citation.sentence is not None:
            marks.setdefault(citation.sentence, []).append(citation.index)
    out: list[SourcedClaim] = []
    for index in sorted(by_sentence.keys() | marks.keys()):
        sentence = report.sentences[index]
        figures = by_sentence.get(index, [])
        if figures and not _states(report, sentence, figures[0]):
            figures = []
        if figures or index in marks:
            out.append(_claim(report, sentence, sentence.span, figures, marks.get(index, [])))
    return [*out, *_rows(report, in_cells)]


def is_measured(figure: Figure) -> bool:
    """Return whether a figure is of the kind that somebody measured: not a small count, a setting or a figure of speech."""
    quantity = figure.quantity
    if quantity.kind in ("percent", "points", "currency"):
        return quantity.value not in (0.0, 100.0) and quantity.spelled != "fraction"
    return quantity.kind in ("count", "measure") and (quantity.scale >= _SCALE or quantity.value >= _LARGE)


def _is_label(report: Report, figure: Figure) -> bool:
    """Return whether a bare number belongs to a name: "ISO/IEC 27001", "RTX 5090"."""
    start = figure.quantity.start
    return (
        figure.quantity.kind == "count"
        and figure.printed.isdigit()
        and _LABEL.search(report.plain, max(0, start - _REACH), start) is not None
    )


def _states(report: Report, sentence: Sentence, figure: Figure) -> bool:
    """Return whether a sentence states its figures as facts or forecasts, and not as targets, examples or own sums."""
    if figure.modality in ("hypothetical", "target"):
        return False
    text = report.source[sentence.span.start : sentence.span.end]
    return not any(sign in text for sign in _SIGNS)


def _claim(
    report: Report, place: Sentence | Block, span: Span, figures: list[Figure], marks: list[int]
) -> SourcedClaim:
    cited = report.source_index.cited
    row = isinstance(place, Block)
    return SourcedClaim(
        span,
        None if row else place.index,
        place.section,
        place.index if isinstance(place, Block) else place.block,
        tuple(figures),
        tuple(marks),
        tuple(dict.fromkeys(source for mark in marks for source in cited[mark])),
    )


def _rows(report: Report, figures: list[Figure]) -> list[SourcedClaim]:
    out: list[SourcedClaim] = []
    at = 0
    for table in report.tables:
        for row in table.rows:
            if not row:
                continue
            span = Span(row[0].span.start, max(row[-1].span.end, row[0].span.end))
            while at < len(figures) and figures[at].quantity.start < span.start:
                at += 1
            inside: list[Figure] = []
            while at < len(figures) and figures[at].quantity.start < span.end:
                inside.append(figures[at])
                at += 1
            marks = [citation.index for citation in report.citations_in(span)]
            if inside or marks:
                out.append(_claim(report, report.blocks[table.block], span, inside, marks))
    return out
