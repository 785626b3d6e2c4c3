"""Table cells as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.subjects.parts import ReportTable, TableCell
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_EMPTY = frozenset(["", "-", "–", "—", "n/a", "na", "/", "…", "--", "无"])


def number_of(report: Report, cell: TableCell) -> Quantity | None:
    """Return the number in a cell that contains little else; None for words, ranges and several numbers."""
    if not cell.text or len(cell.text) > 40:
        return None
    quantities = report.quantities_in(cell.span)
    if len(quantities) != 1 or quantities[0].pair or quantities[0].kind == "ordinal":
        return None
    quantity = quantities[0]
    if len(cell.text) - (quantity.end - quantity.start) > 6:
        return None
    return quantity


def column_values(
    report: Report, table: ReportTable, column: int, first: int, last: int
) -> list[Quantity] | None:
    """Return the numbers of a column from row ``first`` up to, not including, row ``last``.

    Empty cells are skipped. The result is None if another cell is not a number or has another unit.
    """
    values: list[Quantity] = []
    for row in table.rows[first:last]:
        if column >= len(row) or row[column].text.strip("*_ ").lower() in _EMPTY:
            continue
        value = number_of(report, row[column])
        if value is None or (values and (value.unit != values[0].unit)):
            return None
        values.append(value)
    return values
