"""Flags a ranking table whose figures are not in order: rank 3 has less than rank 4.

A table that counts its rows from 1 and ranks them by a score, or by what its caption, heading or question names, tells
readers which one leads. If the figures beside the ranks disagree, either a figure or a rank is wrong, and so is what the
report concludes from it.

Only the column that the ranking is about is checked: its total or score, or else the one column whose name occurs in the
question, or in the caption and the headings above the table. At least half of the steps must be in order, or the table is ranked by
something else.

Known problems: ranks that follow a judgement in words and not the score.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile
from assay.text.quantities import find_quantities
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import ReportTable
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "coh")

_RANK: Final = re.compile(r"\W*(?:rank(?:ing)?|#|position|排名|名次|位次|排行)\W*$", re.IGNORECASE)
_SCORE: Final = _PHRASES.pattern(r"\b(?:<<ranking_scores.en>>)\b|<<ranking_scores.zh>>", flags=re.IGNORECASE)
_FEWEST_ROWS: Final = 4

_OUT_OF_ORDER: Final = Wording(
    en="Rank {first} has {a} and rank {second} has {b} in “{column}”, so the ranking does not follow it",
    zh="第{first}名的“{column}”为{a}，第{second}名却为{b}，排名与数值不符",
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield one finding for each column that contradicts the ranks of its table."""
    for table in report.tables:
        ranks = _rank_column(table)
        if ranks is None:
            continue
        for about in (None, content_terms(report.query or ""), _titles(report, table)):
            columns = [
                at
                for at, cell in enumerate(table.header)
                if at != ranks
                and (_SCORE.search(cell.text) if about is None else content_terms(cell.text) & about)
            ]
            # Of several measures, the table does not say which one it ranks by.
            if len(columns) == 1:
                yield from _column(table, columns[0])
                break


def _rank_column(table: ReportTable) -> int | None:
    """Return the column with the ranks 1, 2, 3 …, or None."""
    if len(table.rows) < _FEWEST_ROWS:
        return None
    for column, cell in enumerate(table.header):
        if _RANK.match(cell.text):
            ranks = [re.sub(r"\D", "", row[column].text) if column < len(row) else "" for row in table.rows]
            return column if ranks == [str(n + 1) for n in range(len(ranks))] else None
    return None


def _titles(report: Report, table: ReportTable) -> set[str]:
    """Return the terms of the table's caption and of the headings above it."""
    section = report.sections[report.blocks[table.block].section]
    titles = [section.title]
    while section.parent is not None:
        section = report.sections[section.parent]
        titles.append(section.title)
    caption = report.plain_text(table.caption) if table.caption else ""
    return content_terms(" ".join((*titles, caption)))


def _column(table: ReportTable, column: int) -> Iterator[Hit]:
    figures = [_figure(row[column].text) if column < len(row) else None for row in table.rows]
    known = [figure for figure in figures if figure is not None]
    if len(known) < len(figures) or len({figure.unit for figure in known}) > 1:
        return
    values = [figure.value for figure in known]
    falls = [at for at, (one, two) in enumerate(pairwise(values)) if one < two]
    if not falls or 2 * len(falls) > len(values) - 1 or values[0] < max(values):
        return
    at = falls[0]
    one, two = table.rows[at][column], table.rows[at + 1][column]
    yield Hit(
        two.span,
        _OUT_OF_ORDER(
            first=at + 1,
            second=at + 2,
            a=one.text.strip(),
            b=two.text.strip(),
            column=table.header[column].text.strip(),
        ),
        (one.span, *(table.rows[later + 1][column].span for later in falls[1:])),
        confidence=0.8,
    )


def _figure(text: str) -> Quantity | None:
    figures = [quantity for quantity in find_quantities(text) if quantity.kind != "year"]
    return figures[0] if len(figures) == 1 and not figures[0].pair else None


CHECK = Check(
    code="COH011",
    name="ranking-out-of-order",
    severity="warning",
    summary="The figures of a ranking table contradict its ranks",
    run=run,
    bad=(
        Example(
            "# Teams\n\n## Comparison\n\n| Rank | Team | Total score |\n|---|---|---|\n| 1 | A | 35 |\n| 2 | B | 31 |\n"
            "| 3 | C | 28 |\n| 4 | D | 30 |\n"
        ),
        Example(
            "# 票房排行\n\n| 排名 | 影片 | 累计票房（亿元） |\n|---|---|---|\n| 1 | 甲 | 57.8 |\n"
            "| 2 | 乙 | 40.3 |\n"
            "| 3 | 丙 | 50.4 |\n| 4 | 丁 | 36.5 |\n"
        ),
    ),
    good=(
        Example(
            "# Teams\n\n## Comparison\n\n| Rank | Team | Founded | Total score |\n|---|---|---|---|\n"
            "| 1 | A | 1990 | 35 |\n"
            "| 2 | B | 2001 | 31 |\n| 3 | C | 1985 | 31 |\n| 4 | D | 1970 | 28 |\n"
        ),
        Example(
            "# 票房排行\n\n| 排名 | 影片 | 时长（分钟） |\n|---|---|---|\n| 1 | 甲 | 176 |\n| 2 | 乙 | 123 |\n| 3 | 丙 | 159 |\n"
            "| 4 | 丁 | 110 |\n"
        ),
    ),
    dimension="internal_consistency",
    failure="incoherence",
)
