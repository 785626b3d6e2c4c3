"""Pipe tables, cell by cell, with spans."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.report import Cell, Table
from assay.subjects.span import Span

if TYPE_CHECKING:
    from assay.subjects.report import Report

__all__ = ["parse_tables"]

_LINE: Final = re.compile(r"[^\r\n]+")
_RULE: Final = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_BAR: Final = re.compile(r"(?<!\\)\|")


def _cells(report: Report, start: int, line: str) -> tuple[Cell, ...]:
    body = line.rstrip()
    left = len(body) - len(body.lstrip(" \t>"))
    cuts = [match.start() for match in _BAR.finditer(body)]
    edges = [left - 1, *cuts, len(body)]
    if cuts and cuts[0] == left:
        edges = edges[1:]
    if cuts and cuts[-1] == len(body) - 1:
        edges = edges[:-1]
    cells: list[Cell] = []
    for a, b in zip(edges, edges[1:], strict=False):
        raw = body[a + 1 : b]
        inner = raw.strip()
        at = start + a + 1 + (len(raw) - len(raw.lstrip()) if inner else 0)
        span = Span(at, at + len(inner))
        cells.append(Cell(report.plain_text(span), span))
    return tuple(cells)


def parse_tables(report: Report) -> list[Table]:
    """Every pipe table of the report, in order."""
    tables: list[Table] = []
    for block in report.blocks:
        if block.kind != "table":
            continue
        rows = [
            _cells(report, match.start(), match.group())
            for match in _LINE.finditer(report.source, block.span.start, block.span.end)
            if not _RULE.match(match.group())
        ]
        if rows:
            tables.append(Table(block.index, block.span, rows[0], tuple(rows[1:])))
    return tables
