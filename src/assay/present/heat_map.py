"""Heat maps: shares by row and column, with notes beneath them where the cells are wide enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

import msgspec

from assay.present.chart import (
    LINE,
    Chart,
    described,
    fits_unbroken,
    label,
    label_lines,
    label_room,
    row_height,
    text_width,
)

# Height of a note in a cell, and the width of its letters beside those of other text.
_NOTE: Final = 11.5
_SMALLER: Final = 10 / 11


class HeatCell(msgspec.Struct, frozen=True):
    """A cell of a heat map; one without a value is drawn as a dash.

    Attributes:
        value: The share.
        about: Description.
        notes: Texts beneath the value, as its interval; left out of a map whose cells are too narrow for them.
    """

    value: float | None
    about: str = ""
    notes: Sequence[str] = ()


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], HeatCell],
    *,
    key: str,
    title: str,
    about: str = "",
) -> Chart:
    """Return shares by row and column as shades and numbers; the largest share has the strongest shade."""

    def paint(across: float) -> tuple[float, Sequence[str]]:
        return _painted_heat(rows, columns, cells, across)

    return Chart(key, title, about or described(cell.about for cell in cells.values()), paint)


def _painted_heat(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], HeatCell],
    across: float,
) -> tuple[float, Sequence[str]]:
    largest = max((cell.value for cell in cells.values() if cell.value is not None), default=0.0) or 1.0
    room = label_room(rows, 0.36 * across)
    left = 10 + room
    named = [label_lines(row, room) for row in rows]
    wide = min(84.0, (across - left - 26) / max(1, len(columns)))
    notes = _fitting_notes(cells, wide - 6)
    most = max(map(len, notes.values()), default=0)
    high = row_height(named, 22.0 + _NOTE * most)
    heads, top = column_heads(columns, [left + wide * (at + 0.5) for at in range(len(columns))], wide)
    parts = [*heads]
    for down, row in enumerate(rows):
        y = top + down * high
        parts.append(label(named[down], left - 8, y + high / 2))
        for at, column in enumerate(columns):
            cell = cells.get((row, column), HeatCell(None))
            x = left + at * wide
            shade = 0.04 + 0.56 * max(0.0, cell.value or 0.0) / largest
            text = "–" if cell.value is None else f"{100 * cell.value:.0f}"
            lines = notes.get((row, column), ())
            first = y + (high - _NOTE * len(lines)) / 2 + 4
            parts.append(
                f"<g><title>{escape(cell.about or f'{row}, {column}: {text}')}</title>"
                f'<rect class="s0" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{max(wide - 2, 1):.1f}" '
                f'height="{high - 2:.1f}" rx="3" opacity="{shade:.2f}"/>'
                f'<text x="{x + wide / 2:.1f}" y="{first:.1f}" text-anchor="middle">{text}</text>'
                + "".join(
                    f'<text class="under" x="{x + wide / 2:.1f}" y="{first + _NOTE * number:.1f}" '
                    f'text-anchor="middle">{escape(line)}</text>'
                    for number, line in enumerate(lines, start=1)
                )
                + "</g>"
            )
    return top + len(rows) * high + 4, parts


def _fitting_notes(
    cells: Mapping[tuple[str, str], HeatCell], wide: float
) -> Mapping[tuple[str, str], Sequence[str]]:
    """Return the notes of all cells side by side, else one below another, or none, as the width allows."""
    joined = {place: [" · ".join(cell.notes)] for place, cell in cells.items() if cell.notes}
    stacked = {place: cell.notes for place, cell in cells.items()}
    for notes in (joined, stacked):
        if all(_SMALLER * text_width(line) <= wide for lines in notes.values() for line in lines):
            return notes
    return {}


def column_heads(names: Sequence[str], middles: Sequence[float], wide: float) -> tuple[list[str], float]:
    """Return the heads of columns and where they end: flat where the words fit in the columns, else standing."""
    flat = [label_lines(name, wide - 4) for name in names]
    if all(fits_unbroken(name, wide - 2) for name in names):
        most = max((len(lines) for lines in flat), default=1)
        return [
            label(lines, x, 4 + LINE * (most - len(lines) / 2), anchor="middle", kind="tick")
            for lines, x in zip(flat, middles, strict=True)
        ], 10 + LINE * most
    # Two lines that stand side by side need the width of two lines.
    standing = [label_lines(name, 130 if wide > 2.2 * LINE else 400) for name in names]
    tall = 12 + 0.86 * max((text_width(line) for lines in standing for line in lines), default=0)
    return [
        f'<g transform="translate({x + 3:.1f} {tall - 6:.1f}) rotate(-68)">'
        f"{label(lines, 0, -4 - 6 * (len(lines) - 1), anchor='start', kind='tick')}</g>"
        for lines, x in zip(standing, middles, strict=True)
    ], tall
