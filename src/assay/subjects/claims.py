"""Statements of a report with their measured figures and the sources behind them.

    for claim in report.claims:
        print(report.text(claim.span), claim.figures, claim.sources)

A claim is a sentence or the row of a table that holds a measured figure or a citation. Headings, code and the reference
list hold none.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.parts import Block
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.subjects.cited_sources import SourceIndex
    from assay.subjects.figures import Figure
    from assay.subjects.numbered_text import NumberedText
    from assay.subjects.parts import Citation, Sentence

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


def find_claims(
    report: NumberedText, figures: Sequence[Figure], citations: Sequence[Citation], index: SourceIndex
) -> list[SourcedClaim]:
    """Return the claims of a report: sentences in order, then rows of tables. Linear; never raises.

    Args:
        report: The report.
        figures: Its figures.
        citations: Its citations.
        index: Its sources.
    """
    by_sentence: dict[int, list[Figure]] = {}
    in_cells: list[Figure] = []
    for figure in figures:
        if is_measured(figure) and not _is_label(report, figure):
            if figure.sentence is not None:
                by_sentence.setdefault(figure.sentence.index, []).append(figure)
            else:
                in_cells.append(figure)
    marks: dict[int, list[Citation]] = {}
    for citation in citations:
        if citation.sentence is not None:
            marks.setdefault(citation.sentence, []).append(citation)
    out: list[SourcedClaim] = []
    for i in sorted(by_sentence.keys() | marks.keys()):
        sentence = report.sentences[i]
        own = by_sentence.get(i, [])
        if own and not _states(report, sentence, own[0]):
            own = []
        if own or i in marks:
            out.append(_claim(index, sentence, sentence.span, own, marks.get(i, [])))
    return [*out, *_rows(report, in_cells, [c for c in citations if c.sentence is None], index)]


def is_measured(figure: Figure) -> bool:
    """Return whether a figure is of the kind that somebody measured: not a small count, a setting or a figure of speech."""
    quantity = figure.quantity
    if quantity.kind in ("percent", "points", "currency"):
        return quantity.value not in (0.0, 100.0) and quantity.spelled != "fraction"
    return quantity.kind in ("count", "measure") and (quantity.scale >= _SCALE or quantity.value >= _LARGE)


def _is_label(report: NumberedText, figure: Figure) -> bool:
    """Return whether a bare number belongs to a name: "ISO/IEC 27001", "RTX 5090"."""
    start = figure.quantity.start
    return (
        figure.quantity.kind == "count"
        and figure.printed.isdigit()
        and _LABEL.search(report.plain, max(0, start - _REACH), start) is not None
    )


def _states(report: NumberedText, sentence: Sentence, figure: Figure) -> bool:
    """Return whether a sentence states its figures as facts or forecasts, and not as targets, examples or own sums."""
    if figure.modality in ("hypothetical", "target"):
        return False
    text = report.source[sentence.span.start : sentence.span.end]
    return not any(sign in text for sign in _SIGNS)


def _claim(
    index: SourceIndex, place: Sentence | Block, span: Span, figures: list[Figure], marks: list[Citation]
) -> SourcedClaim:
    block = place.index if isinstance(place, Block) else place.block
    return SourcedClaim(
        span,
        None if isinstance(place, Block) else place.index,
        place.section,
        block,
        tuple(figures),
        tuple(mark.index for mark in marks),
        tuple(dict.fromkeys(source for mark in marks for source in index.cited[mark.index])),
    )


def _rows(
    report: NumberedText, figures: list[Figure], citations: list[Citation], index: SourceIndex
) -> Iterator[SourcedClaim]:
    starts = [figure.quantity.start for figure in figures], [citation.span.start for citation in citations]
    for table in report.tables:
        for row in table.rows:
            if not row:
                continue
            span = Span(row[0].span.start, max(row[-1].span.end, row[0].span.end))
            (a, b), (c, d) = ((bisect_left(each, span.start), bisect_left(each, span.end)) for each in starts)
            if a < b or c < d:
                yield _claim(index, report.blocks[table.block], span, figures[a:b], citations[c:d])
