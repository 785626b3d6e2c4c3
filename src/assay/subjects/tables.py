"""Pipe tables, cell by cell, with spans, and the line that names each."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.subjects.parts import ReportTable, TableCell
from assay.subjects.span import Span

if TYPE_CHECKING:
    from assay.subjects.parts import Block
    from assay.subjects.structured_text import StructuredText

_LINE: Final = re.compile(r"[^\r\n]+")
_RULE: Final = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_BAR: Final = re.compile(r"(?<!\\)\|")
_CAPTION: Final = re.compile(
    r"[\s>*_#]*(?:table|exhibit|tab\.|表格?|附表|图表)\s{0,2}[\d一二三四五六七八九十A-Z]", re.IGNORECASE
)
_LONGEST_CAPTION: Final = 240


def _cells(report: StructuredText, start: int, line: str) -> tuple[TableCell, ...]:
    body = line.rstrip()
    left = len(body) - len(body.lstrip(" \t>"))
    cuts = [match.start() for match in _BAR.finditer(body)]
    edges = [left - 1, *cuts, len(body)]
    if cuts and cuts[0] == left:
        edges = edges[1:]
    if cuts and cuts[-1] == len(body) - 1:
        edges = edges[:-1]
    cells: list[TableCell] = []
    for a, b in pairwise(edges):
        raw = body[a + 1 : b]
        inner = raw.strip()
        at = start + a + 1 + (len(raw) - len(raw.lstrip()) if inner else 0)
        span = Span(at, at + len(inner))
        cells.append(TableCell(report.plain_text(span), span))
    return tuple(cells)


def parse_tables(report: StructuredText) -> list[ReportTable]:
    """Return every pipe table of the report, in order."""
    tables: list[ReportTable] = []
    taken = -1
    for block in report.blocks:
        if block.kind != "table":
            continue
        rows = [
            _cells(report, match.start(), match.group())
            for match in _LINE.finditer(report.source, block.span.start, block.span.end)
            if not _RULE.match(match.group())
        ]
        if rows:
            # Above is the habit, so above is tried first; one line names one table.
            caption = _caption(report, block.index - 1, taken) or _caption(report, block.index + 1, taken)
            if caption is not None:
                taken = caption.index
            tables.append(
                ReportTable(
                    block.index, block.span, rows[0], tuple(rows[1:]), caption.span if caption else None
                )
            )
    return tables


def _caption(report: StructuredText, index: int, taken: int) -> Block | None:
    """Block ``index`` if it names a table and does not already name the one before."""
    if index <= taken or not 0 <= index < len(report.blocks):
        return None
    block = report.blocks[index]
    if block.kind not in ("paragraph", "heading") or len(block.span) > _LONGEST_CAPTION:
        return None
    return block if _CAPTION.match(report.source, block.span.start, block.span.end) else None
