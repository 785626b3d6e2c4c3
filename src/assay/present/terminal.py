"""Tables as text for terminals: widths of Chinese characters, columns that fit, colours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import structs

from assay.present.display import Painter, fit, fit_end, pad, visible, width
from assay.present.table import StyledText
from assay.present.wrapping import hanging

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.present.table import Table, TableSet

_INTERVAL: Final = re.compile(r" \[[^\]]*\]")
_WIDEST: Final = 48
# The narrowest that words, and the words of headings, are cut to, one after the other.
_CUTS: Final = ((16, 30), (16, 12), (13, 9), (10, 7), (10, 5))


class _Grid:
    """A table on its way to the terminal: what is left of it, and how wide its columns may be."""

    def __init__(self, table: Table, gap: int) -> None:
        self.gap = gap
        self.head_words = 30
        self.stacked = False
        used = [
            at
            for at in range(len(table.heads))
            if at == 0 or not table.omit or any(row[at] not in table.omit for row in table.rows)
        ]
        self.align = [table.alignment(at) for at in used]
        self.limits = [_WIDEST for _ in used]
        self.heads = [visible(table.heads[at]) for at in used]
        self.rows = [[_visible(row[at]) for at in used] for row in table.rows]

    def sizes(self) -> list[int]:
        """Return the width of each column: words are cut, numbers never; a heading may break between its words."""
        sizes = []
        for at, head in enumerate(self.heads):
            cells = max((width(row[at]) for row in self.rows), default=0)
            if self.align[at] != "r":
                sizes.append(min(self.limits[at], max(width(head), cells)))
            elif self.stacked:
                longest = max(width(word) for word in head.split() or [""])
                sizes.append(max(min(self.head_words, longest), cells))
            else:
                sizes.append(max(width(head), cells))
        return sizes

    def breadth(self) -> int:
        """Return the width of the whole."""
        return sum(self.sizes()) + self.gap * (len(self.heads) - 1)

    def squeeze(self, table: Table, columns: int) -> list[str]:
        """Make it fit, losing as little as can be; the notes on what was left out."""
        notes: list[str] = []
        self.stacked = self.breadth() > columns
        self._shrink(columns, 30)
        if table.spare and self.breadth() > columns:
            notes.append(f"no room for: {', '.join(self.heads[-table.spare :])}")
            self.heads = self.heads[: -table.spare]
            self.rows = [row[: -table.spare] for row in self.rows]
        if self.breadth() > columns:
            bare = [
                [_INTERVAL.sub("", cell) if self.align[at] == "r" else cell for at, cell in enumerate(row)]
                for row in self.rows
            ]
            if bare != self.rows:
                self.rows = bare
                notes.append("no room for 95 % intervals")
        for least, self.head_words in _CUTS:
            self._shrink(columns, least)
            if self.breadth() <= columns:
                break
        return notes

    def _shrink(self, columns: int, least: int) -> None:
        """Cut the widest words, as long as the whole is too wide and they are wider than ``least``."""
        while (over := self.breadth() - columns) > 0:
            words = [(size, at) for at, size in enumerate(self.sizes()) if self.align[at] != "r"]
            size, widest = max(words, default=(0, 0))
            if size <= least:
                return
            second = max([least, *(other for other, at in words if at != widest and other < size)])
            self.limits[widest] = max(least, second, size - over)


def table_lines(table: Table, paint: Painter, columns: int | None = None, *, gap: int = 2) -> list[str]:
    """Return the lines of a table.

    Args:
        table: The table.
        paint: Colours.
        columns: Width of the terminal. A table that is too wide breaks its headings, then loses its spare columns, then
            its intervals; then words are cut. None: any width.
        gap: Spaces between columns.
    """
    grid = _Grid(table, gap)
    notes = grid.squeeze(table, columns) if columns is not None else []
    sizes = grid.sizes()
    left = min(table.left, len(sizes))

    def line(row: Sequence[str], above: Sequence[str] = ()) -> str:
        cells = []
        for at, cell in enumerate(row):
            # What is the same as in the row above is not repeated.
            same = bool(above) and at < left - 1 and list(row[: at + 1]) == list(above[: at + 1])
            text = "" if same else (fit_end if grid.align[at] == "p" else fit)(cell, sizes[at])
            padded = pad(text, sizes[at], right=grid.align[at] == "r")
            cells.append(paint(padded, cell.style) if isinstance(cell, StyledText) else padded)
        return (" " * gap).join(cells).rstrip()

    stacks = [
        _stack(head, size) if grid.stacked else [fit(head, size)]
        for head, size in zip(grid.heads, sizes, strict=True)
    ]
    deep = max(map(len, stacks))
    out = [
        paint(line([stack[row - deep] if len(stack) >= deep - row else "" for stack in stacks]), "dim")
        for row in range(deep)
    ]
    out += [line(row, grid.rows[at - 1] if at else ()) for at, row in enumerate(grid.rows)]
    if table.total:
        out[-1] = paint(out[-1], "bold")
    if notes and columns is not None:
        lines = hanging(f"({'; '.join(notes)}; the other formats have them)", columns - 2)
        out += [paint(f"  {text}", "dim") for text in lines]
    for note in table.notes:
        out += [paint(text, "dim") for text in (hanging(note, columns) if columns else [visible(note)])]
    return out


def min_width(table: Table) -> int:
    """Return the least width of a table that keeps all its columns and 16 columns of each of its words."""
    grid = _Grid(table, 2)
    grid.limits = [16] * len(grid.limits)
    return grid.breadth()


def split_lines(table: Table, paint: Painter, columns: int, *, step: int = 1) -> list[str]:
    """Return the lines of a table, in several parts below each other if it is too wide; each part has the first column.

    Args:
        table: The table.
        paint: Colours.
        columns: Width of the terminal.
        step: How many columns belong together.
    """
    lines: list[str] = []
    start = 1
    while start < len(table.heads):
        end = start + step
        while end < len(table.heads) and _Grid(_part(table, start, end + step), 2).breadth() <= columns:
            end += step
        lines += [*([""] if lines else []), *table_lines(_part(table, start, end), paint)]
        start = end
    return lines


def _part(table: Table, start: int, end: int) -> Table:
    return structs.replace(
        table,
        heads=[table.heads[0], *table.heads[start:end]],
        rows=[[row[0], *row[start:end]] for row in table.rows],
        align=table.align[:1] + table.align[start:end],
    )


def set_text(tables: TableSet, paint: Painter, columns: int, only: Sequence[str] = ()) -> str:
    """Return the tables of a result, or those with the given keys, and how their figures are computed."""
    lines = [paint(tables.headline(), "bold")]
    if tables.judges:
        lines.append(paint(fit(f"judged by {visible(', '.join(tables.judges))}", columns), "dim"))
    for note in tables.notes:
        lines += [paint(line, "warning") for line in hanging(f"! {note}", columns)]
    methods: dict[str, None] = {}
    for table in tables.chosen(only):
        lines += ["", *(paint(line, "bold") for line in hanging(table.title, columns))]
        lines += table_lines(table, paint, columns)
        methods.setdefault(table.method)
    lines += ["", paint("How it is computed", "bold")]
    for key in methods:
        text = f"{key}: {tables.methods[key]}" if tables.name_methods else tables.methods[key]
        lines += [paint(line, "dim") for line in hanging(text, columns)]
    return "\n".join(lines) + "\n"


def _visible(cell: str) -> str:
    return StyledText(visible(cell), cell.style) if isinstance(cell, StyledText) else visible(cell)


def _stack(head: str, room: int) -> list[str]:
    """Break a heading between its words."""
    lines: list[str] = []
    for word in head.split() or [""]:
        if lines and width(f"{lines[-1]} {word}") <= room:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(fit(word, room))
    return lines
