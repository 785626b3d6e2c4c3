"""A figure in the text that differs from a table.

If a sentence names a row and a column of a table ("North installed 150 sites in 2023") but gives another number than the
cell, readers do not know which is right. A figure is compared with a cell if the sentence names the row, the words
around the figure name the column (or its year), the units are the same, and no cell of the row contains the value.

Known problems: a row label that is an ordinary word may occur in a sentence about another subject.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.num._cells import number_of
from assay.checks.num._facts import NumericFact, agree_within, bound_of, fact_at, terms_of
from assay.checks.num._numbers import number_lines, show, span_of
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile, WordSets
from assay.text.quantity import Quantity
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import ReportTable
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")
_WORDS: Final = WordSets(_PHRASES)

_MOST_ROWS: Final = 60
# Labels are looked up in the text one by one, so in a very long report only the first tables are checked.
_READ: Final = 20_000_000
_MOST_MENTIONS: Final = 20
_YEAR: Final = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_SCALE: Final = {
    "thousand": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
    "千": 1e3,
    "万": 1e4,
    "亿": 1e8,
}
_SCALE_WORD: Final = _PHRASES.pattern(
    "<<table_text_mismatch_scale_word.en>>|<<table_text_mismatch_scale_word.zh>>", flags=re.IGNORECASE
)

_MISMATCH: Final = Wording(
    en="{here} here, but {there} in the table on line {line}",
    zh="此处为{here}，第{line}行的表格中却为{there}",
)


class _Column(msgspec.Struct):
    """The header of a column: its terms, its year, the scale of its cells, and whether they are percentages."""

    terms: set[str]
    year: float | None
    scale: float
    percent: bool


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each figure that a table contradicts."""
    tables = [
        table for table in report.tables if 1 <= len(table.rows) <= _MOST_ROWS and len(table.header) >= 2
    ]
    if not tables:
        return
    text: str | None = None
    budget = 0
    for table in tables:
        if any(number_of(report, cell) for row in table.rows for cell in row[1:]):
            if text is None:
                text = "\n".join(line.text for line in number_lines(report))
                budget = max(20, _READ // (len(text) + 1))
            if (budget := budget - len(table.rows)) < 0:
                return
            yield from _table(report, table, text)


def _facts_naming(report: Report, label: str, text: str) -> Iterator[NumericFact]:
    """Yield the facts in the sentences that contain ``label``; ``text`` holds all sentences, one per line."""
    lines = number_lines(report)
    at = text.find(label)
    while at >= 0:
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = lines[text.count("\n", 0, at)]
        for i, quantity in enumerate(line.quantities):
            if not quantity.pair and quantity.kind not in ("year", "ordinal"):
                yield fact_at(report, line, i)
        at = text.find(label, stop)


def _column(text: str) -> _Column:
    year = _YEAR.search(text)
    scale = _SCALE_WORD.search(text)
    factor = 1e12 if scale and scale.group() == "万亿" else _SCALE[scale.group().lower()] if scale else 1.0
    terms = {term for term in content_terms(_SCALE_WORD.sub(" ", text)) if not term.isdigit()}
    return _Column(terms - {"usd", "rmb", "unit"}, float(year.group()) if year else None, factor, "%" in text)


def _table(report: Report, table: ReportTable, text: str) -> Iterator[RawFinding]:
    columns = [_column(cell.text) for cell in table.header]
    labels = [row[0].text.strip("*_ ").lower() if row else "" for row in table.rows]
    for row, label in zip(table.rows, labels, strict=True):
        if len(label) < 2 or label in _WORDS.table_text_mismatch_too_common or labels.count(label) > 1:
            continue
        if text.count(label) > _MOST_MENTIONS or label not in text:
            continue
        cells = [number_of(report, cell) for cell in row]
        terms = content_terms(label)
        for fact in _facts_naming(report, label, text):
            if label in " ".join(f"{fact.left} {fact.right}".lower().split()):
                finding = _against_row(report, fact, cells, columns, label=terms, labels=labels)
                if finding is not None:
                    yield finding


def _against_row(
    report: Report,
    fact: NumericFact,
    cells: list[Quantity | None],
    columns: list[_Column],
    *,
    label: set[str],
    labels: list[str],
) -> RawFinding | None:
    quantity = fact.quantity
    words = (terms_of(fact) | content_terms(report.plain[quantity.start : quantity.end].lower())) - label
    text = f"{fact.left} {fact.right}".lower()
    if bound_of(fact) in ("<", ">") or sum(other in text for other in labels if len(other) > 1) > 1:
        return None  # The sentence names several rows, so the figure cannot be assigned to one.
    best: tuple[int, Quantity, float] | None = None
    for cell, column in zip(cells[1:], columns[1:], strict=False):
        if cell is None:
            continue
        value = cell.value * (column.scale if cell.scale == 1 else 1.0)
        if not _same_unit(quantity, cell, column):
            continue
        if agree_within(quantity, value, max(cell.half_unit * column.scale, cell.half_unit)):
            return None
        if column.year is not None and (
            column.year not in fact.years or (column.terms and not column.terms & words)
        ):
            continue
        if column.year is None and not (column.terms and column.terms <= words):
            continue
        named = len(column.terms & words) + 2 * (column.year is not None)
        if best is None or named > best[0]:
            best = (named, cell, value)
    if best is None:
        return None
    _, cell, value = best
    if value == 0 or not 0.1 <= quantity.value / value <= 10:
        return None  # Values so far apart belong to different quantities.
    line, _ = report.lines.place(cell.start)
    what = _MISMATCH(here=show(report, quantity), there=show(report, cell), line=line)
    return RawFinding(span_of(quantity), what, (span_of(cell),), 0.75)


def _same_unit(quantity: Quantity, cell: Quantity, column: _Column) -> bool:
    if quantity.unit == "%" or cell.unit == "%" or column.percent:
        return quantity.unit == "%" and (cell.unit == "%" or column.percent)
    if cell.unit:
        return quantity.unit == cell.unit
    # A cell without a unit has the unit of its column's header, if any.
    return quantity.kind in ("count", "measure", "currency")


CHECK = Check(
    code="NUM010",
    name="table-text-mismatch",
    severity="warning",
    summary="a figure in the text that differs from the table",
    run=run,
    dimension="internal_consistency",
    failure="incoherence",
    bad=(
        Example(
            "| Region | Sites 2022 | Sites 2023 |\n|---|---|---|\n| Northland | 90 | 120 |\n| Southland | 70 "
            "| 80 |\n\nIn 2023 Northland had 150 sites, more than ever.\n"
        ),
        Example(
            "| 地区 | 装机容量（万千瓦） | 增速 |\n|---|---|---|\n| 山东 | 320 | 12% |\n| 河南 | 180 | 9% |\n\n从表中可见，山东的装机容量为420万千瓦。\n"
        ),
    ),
    good=(
        Example(
            "| Region | Sites 2022 | Sites 2023 |\n|---|---|---|\n| Northland | 90 | 120 |\n| Southland | 70 "
            "| 80 |\n\nIn 2023 Northland had 120 sites, up from 90 sites.\n"
        ),
        Example(
            "| 地区 | 装机容量（万千瓦） | 增速 |\n|---|---|---|\n| 山东 | 320 | 12% |\n| 河南 | 180 | 9% |\n\n从表中可见，山东的装机容量为320万千瓦。\n"
        ),
    ),
)
