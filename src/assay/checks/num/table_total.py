"""A total in a table that is not the sum of its parts.

Rows called "Total" (合计, 总计, "Grand total") are compared, column by column, with the rows above them; columns called
"Total" or "Total score" (总分, 合计) are compared, row by row, with the columns beside them. The check allows for rounding
by half a unit in the last digit of every part.

A total row is only judged if all parts are numbers of one unit. A total column is only judged if it is right in most
other rows, since totals of only some columns and weighted totals are common.

Known problems: a table with only the largest parts but a total of all parts is reported, unless a row or the caption says
so ("other", "top five", "of which").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.num._cells import column_values, number_of
from assay.checks.num._numbers import show, span_of
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import ReportTable
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "num")

_TOTAL_ROW: Final = re.compile(
    r"^(?:grand |overall |sub-?)?totals?(?:\s*[(（:：].*)?$|^sum$|^(?:合计|总计|总和|小计|共计|总数)(?:\s*[(（:：].*)?$",
    re.IGNORECASE,
)
_TOTAL_COLUMN: Final = re.compile(
    r"^(?:grand |overall )?total(?: score| points)?(?:\s*[(（/].*)?$|^sum$|^(?:合计|总计|总和|总分|总得分|总评|总评分)(?:\s*[(（/].*)?$",
    re.IGNORECASE,
)
# Columns whose entries do not add up: rates, prices, averages, years.
_NO_SUM: Final = _PHRASES.pattern(
    "<<table_total_no_sum.en>>|per |<<table_total_no_sum_score.en>>|<<table_total_no_sum_score.zh>>",
    flags=re.IGNORECASE,
)
_PARTIAL: Final = _PHRASES.pattern(
    "<<table_total_partial.en>>|<<table_total_partial.zh>>", flags=re.IGNORECASE
)

_TOTAL_WRONG: Final = Wording(
    en="The total says {total}, but the parts {parts} add up to {sum:,.6g}",
    zh="总计为{total}，但各部分{parts}合计{sum:,.6g}",
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each total that its parts contradict."""
    for table in report.tables:
        if len(table.rows) >= 2:
            yield from _total_rows(report, table)
            yield from _total_columns(report, table)


def _total_rows(report: Report, table: ReportTable) -> Iterator[Hit]:
    labels = [row[0].text.strip("*_ ") if row else "" for row in table.rows]
    totals = [i for i, label in enumerate(labels) if _TOTAL_ROW.match(label)]
    if not totals or len(totals) > 3:
        return
    caption = report.plain_text(table.caption) if table.caption else ""
    if _PARTIAL.search(" ".join(labels)) or _PARTIAL.search(caption):
        return
    first = 0
    for at in totals:
        # Columns of the same numbers ("planned", "done") are one.
        findings: dict[tuple[float, float], Hit] = {}
        right = 0
        for column in range(1, len(table.header)):
            parts = column_values(report, table, column, first, at)
            total = number_of(report, table.rows[at][column]) if column < len(table.rows[at]) else None
            if (
                parts is None
                or total is None
                or len(parts) < 2
                or any(part.kind != total.kind for part in parts)
            ):
                continue
            if (column_is_share := total.unit == "%") and abs(total.value - 100) > 0.5:
                continue
            if not column_is_share and _NO_SUM.search(table.header[column].text):
                continue
            parts_sum = sum(part.value for part in parts)
            slack = (
                sum(part.half_unit for part in parts) + total.half_unit + (0.5 if column_is_share else 0.0)
            )
            if abs(parts_sum - total.value) <= slack * 1.01:
                right += 1
            elif abs(parts_sum - total.value) <= 0.5 * abs(total.value) and not _is_average(parts, total):
                findings.setdefault((parts_sum, total.value), _finding(report, parts, total, parts_sum))
        # If two columns are wrong and none is right, the row is not meant as the sum of the rows above.
        if right or len(findings) == 1:
            for finding in findings.values():
                yield Hit(finding.span, finding.message, finding.related, 0.9 if right else 0.75)
        first = at + 1


def _is_average(parts: list[Quantity], total: Quantity) -> bool:
    values = [part.value for part in parts]
    return min(values) <= total.value <= max(values)


def _finding(report: Report, parts: list[Quantity], total: Quantity, parts_sum: float) -> Hit:
    listed = " + ".join(show(report, part) for part in parts[:8]) + (" + …" if len(parts) > 8 else "")
    unit = total.scale if total.scale > 1 else 1.0
    what = _TOTAL_WRONG(total=show(report, total), parts=listed, sum=parts_sum / unit)
    related = tuple(span_of(part) for part in parts[:8])
    return Hit(span_of(total), what, related, 0.8)


def _total_columns(report: Report, table: ReportTable) -> Iterator[Hit]:
    column = next(
        (i for i, cell in enumerate(table.header) if i and _TOTAL_COLUMN.match(cell.text.strip("*_ "))), None
    )
    if column is None:
        return
    wrong: list[Hit] = []
    right = 0
    for row in table.rows:
        if column >= len(row):
            continue
        total = number_of(report, row[column])
        if total is None:
            continue
        parts = [
            part
            for i, cell in enumerate(row)
            if i
            and i != column
            and (part := number_of(report, cell)) is not None
            and part.kind == total.kind
            and part.unit == total.unit
        ]
        if len(parts) < 2:
            continue
        parts_sum = sum(part.value for part in parts)
        if (
            abs(parts_sum - total.value)
            <= (sum(part.half_unit for part in parts) + total.half_unit) * (1.01 if total.decimals else 0.0)
            + 1e-9
        ):
            right += 1
        else:
            wrong.append(_finding(report, parts, total, parts_sum))
    if right >= 2 and right >= 2 * len(wrong):
        yield from wrong


CHECK = Check(
    code="NUM009",
    name="table-total",
    severity="error",
    summary="a total row or column of a table that does not add up",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example("| Region | Sites |\n|---|---|\n| North | 120 |\n| South | 80 |\n| Total | 230 |\n"),
        Example(
            "| 地区 | 装机（万千瓦） | 占比 |\n|---|---|---|\n| 东部 | 320 | 64% |\n| 西部 | 180 | 36% |\n| 合计 | 560 | 100% |\n"
        ),
        Example(
            "| Section | Functions | Done |\n|---|---|---|\n| Model | 91 | 91 |\n| Helpers | 23 | 23 |\n"
            "| Objects | 29 | 29 |\n| Views | 88 | 88 |\n| **Total** | **248** | **248 ✓** |\n"
        ),
    ),
    good=(
        Example(
            "| Region | Sites | Growth rate |\n|---|---|---|\n| North | 120 | 3% |\n| South | 80 | 5% |\n| "
            "Total | 200 | 4% |\n"
        ),
        Example(
            "| 地区 | 装机（万千瓦） | 占比 |\n|---|---|---|\n| 东部 | 320 | 64% |\n| 西部 | 180 | 36% |\n| 合计 | 500 | 100% |\n"
        ),
    ),
)
