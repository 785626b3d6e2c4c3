"""Groups of percentages that the text presents as parts of one whole: in a sentence, a list or a table column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.checks.num._cells import column_values, number_of
from assay.checks.num._numbers import PERCENT, YEAR, NumberLine, number_lines
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import ReportTable
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")

_WHOLE: Final = _PHRASES.pattern("<<shares_whole.en>>|<<shares_whole.zh>>")
# Weights and allocations make up a whole by definition; so do the two parts of certain pairs.
_WEIGHTS: Final = re.compile(r"weight(?!ed (?:average|mean))(?!s? (?:loss|gain))|allocat|权重|配置比例")
_PAIR: Final = _PHRASES.pattern("<<shares_pair.en>>|<<shares_pair.zh>>")
# Words by which percentages are not parts of one whole: multiple answers, nested parts, changes, several wholes.
_OVERLAP: Final = _PHRASES.pattern("<<shares_overlap.en>>|<<shares_overlap.zh>>")
# Words between two percentages that make the second a part of the first.
_NESTED: Final = _PHRASES.pattern("<<shares_nested.en>>|<<shares_nested.zh>>")
_GAP: Final = re.compile(r"[,，、;；(（)）]|\band\b|和|及")
_OF: Final = re.compile(rf"{PERCENT} of (?:the |all |total |its )*([a-z][a-z \-]{{2,40}})")
_ZH_OF: Final = re.compile(
    rf"占([^\s,，、;；。{PERCENT}-\ue007]{{2,14}}?)(?:的|的比例为|比例为|比重为)?(?:约)?{PERCENT}"
)
_LONGEST_GAP: Final = 48


class Shares(msgspec.Struct, frozen=True):
    """Percentages that are parts of one whole.

    Attributes:
        parts: The percentages, in order.
        span: The sentence, list or column that contains them.
        where: The kind of text that contains them.
        complete: Whether they must make up the whole (weights, allocations).
        confidence: Probability that they are parts of one whole.
    """

    parts: tuple[Quantity, ...]
    span: Span
    where: Literal["sentence", "list", "column"]
    complete: bool
    confidence: float

    @property
    def total(self) -> float:
        """The sum of the parts, in percent."""
        return sum(part.value for part in self.parts)

    @property
    def slack(self) -> float:
        """The largest error that rounding can cause in the sum, in percentage points."""
        return sum(part.half_unit for part in self.parts) + 0.5


def shares(report: Report) -> list[Shares]:
    """Return every group of shares in the report. The result is cached in the report."""
    result: list[Shares] | None = report.memo.get(shares)
    if result is None:
        result = report.memo[shares] = [*_sentences(report), *_lists(report), *_columns(report)]
    return result


def _sentences(report: Report) -> Iterator[Shares]:
    for line in number_lines(report):
        if line.percents < 2:
            continue
        text = line.text
        if (
            not _WHOLE.search(text)
            or (line.percents == 2 and not _PAIR.search(text))
            or _OVERLAP.search(text)
        ):
            continue
        parts = _enumerated(line)
        if len(parts) < 2 or _several_wholes(text):
            continue
        yield Shares(
            parts,
            line.sentence.span,
            "sentence",
            bool(_WEIGHTS.search(text)),
            0.75 if len(parts) > 2 else 0.7,
        )


def _enumerated(line: NumberLine) -> tuple[Quantity, ...]:
    """Return the percentages of the line if they all belong to one enumeration, or else an empty tuple."""
    text = line.text
    previous = -1
    parts: list[Quantity] = []
    for index, position in enumerate(line.positions()):
        mark = text[position]
        if mark == YEAR and previous >= 0:
            return ()
        if mark != PERCENT:
            continue
        if previous >= 0:
            gap = text[previous + 1 : position]
            if len(gap) > _LONGEST_GAP or not _GAP.search(gap) or _NESTED.search(gap):
                return ()
        quantity = line.quantities[index]
        if quantity.value < 0:
            return ()
        parts.append(quantity)
        previous = position
    return tuple(parts)


def _several_wholes(text: str) -> bool:
    wholes = {match[1].split()[0] + match[1].split()[-1] for match in _OF.finditer(text)}
    wholes.update(match[1] for match in _ZH_OF.finditer(text))
    return len(wholes) > 1


def _lists(report: Report) -> Iterator[Shares]:
    """Yield the percentages of consecutive list items with one each, under a line that mentions a whole."""
    blocks = report.blocks
    run: list[tuple[int, Quantity, str]] = []
    for line in [*number_lines(report), None]:
        if line is not None:
            block = blocks[line.sentence.block]
            only = (
                next((q for q in line.quantities if q.kind == "percent"), None)
                if line.percents == 1
                else None
            )
            if (
                only is not None
                and block.kind == "item"
                and len(block.span) <= 160
                and len(line.quantities) <= 2
                and (not run or (run[-1][0] == block.index - 1 and blocks[run[-1][0]].depth == block.depth))
            ):
                run.append((block.index, only, line.text))
                continue
        if len(run) >= 3:
            yield from _list(report, run)
        run = []


def _list(report: Report, run: list[tuple[int, Quantity, str]]) -> Iterator[Shares]:
    first = run[0][0]
    if first == 0:
        return
    head = report.plain_text(report.blocks[first - 1].span).lower()[-200:]
    if not _WHOLE.search(head) or _OVERLAP.search(head) or any(_OVERLAP.search(text) for _, _, text in run):
        return
    span = Span(report.blocks[first].span.start, report.blocks[run[-1][0]].span.end)
    yield Shares(tuple(q for _, q, _ in run), span, "list", bool(_WEIGHTS.search(head)), 0.75)


_COLUMN: Final = _PHRASES.pattern("<<shares_column.en>>|<<shares_column.zh>>", flags=re.IGNORECASE)
_TOTAL: Final = re.compile(
    r"^(?:grand |overall |sub-?)?totals?\b|^sum\b|^(?:合计|总计|总和|小计|共计)", re.IGNORECASE
)


def _columns(report: Report) -> Iterator[Shares]:
    for table in report.tables:
        if len(table.rows) < 3 or any(row and _TOTAL.match(row[0].text) for row in table.rows):
            continue
        if any(
            row and (number_of(report, row[0]) or _OVERLAP.search(row[0].text.lower())) for row in table.rows
        ):
            continue
        for column in range(1, len(table.header)):
            title = table.header[column].text.lower()
            if _COLUMN.search(title) and not _OVERLAP.search(title):
                yield from _column(report, table, column, complete=bool(_WEIGHTS.search(title)))


def _column(report: Report, table: ReportTable, column: int, *, complete: bool) -> Iterator[Shares]:
    values = column_values(report, table, column, 0, len(table.rows))
    if (
        not values
        or len(values) < 3
        or len(values) < len(table.rows)
        or any(value.unit != "%" for value in values)
    ):
        return
    # If a column headed "share" adds up to far more than 100, each row has a whole of its own.
    if complete or sum(value.value for value in values) <= 130:
        span = Span(values[0].start, values[-1].end)
        yield Shares(tuple(values), span, "column", complete, 0.8 if complete else 0.7)
