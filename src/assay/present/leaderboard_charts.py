"""Charts of leaderboards: ratings with their intervals, and win rates by grouped dimensions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from typing import Final

import msgspec

from assay.present.chart import Chart, described, label, label_lines, label_room, row_height, text_width
from assay.present.heat_map import HeatCell, column_heads

_ROW: Final = 20.0
_CELL: Final = 22.0
_GAP: Final = 5.0


class RatingMark(msgspec.Struct, frozen=True, kw_only=True):
    """A rating with its interval, and perhaps a second rating to compare with."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    second: float | None = None
    text: str = ""
    about: str = ""


def spans(rows: Sequence[RatingMark], *, key: str, title: str, middle: float) -> Chart:
    """Return ratings as marks on one axis, with a line at ``middle``, the mean; the axis need not begin at 0."""

    def paint(across: float) -> tuple[float, Sequence[str]]:
        return _painted_spans(rows, middle, across)

    return Chart(key, title, described(row.about for row in rows), paint)


def _painted_spans(rows: Sequence[RatingMark], middle: float, across: float) -> tuple[float, Sequence[str]]:
    numbers = [n for row in rows for n in (row.value, row.low, row.high, row.second) if n is not None]
    low, high = min([middle, *numbers]), max([middle, *numbers])
    spare = max(20.0, 0.04 * (high - low))
    low, high = low - spare, high + spare
    room = label_room((row.label for row in rows), 0.34 * across)
    left = 10 + room
    right = across - 10 - label_room((row.text for row in rows), 0.3 * across)
    step = _step((high - low) / max(3, int((right - left) / 56)))
    ticks = [step * number for number in range(int(low // step) + 1, int(high // step) + 1)]

    def at(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    y = 4.0
    drawn: list[str] = []
    for row in rows:
        lines = label_lines(row.label, room)
        tall = row_height([lines], _ROW)
        drawn.append(_span(row, lines, y + tall / 2, at, (left, across)))
        y += tall
    axis = [
        f'<path class="ax" d="M{at(tick):.1f} 4V{y:.1f}"/><text class="tick" x="{at(tick):.1f}" '
        f'y="{y + 13:.1f}" text-anchor="middle">{tick:g}</text>'
        for tick in ticks
    ]
    axis.append(f'<path class="iv" opacity="0.35" stroke-dasharray="3 3" d="M{at(middle):.1f} 2V{y:.1f}"/>')
    return y + 18, [*axis, *drawn]


def _span(
    row: RatingMark,
    lines: Sequence[str],
    y: float,
    at: Callable[[float], float],
    edges: tuple[float, float],
) -> str:
    left, across = edges
    drawn = [f"<g><title>{escape(row.about or row.label)}</title>", label(lines, left - 8, y)]
    if row.low is not None and row.high is not None:
        one, two = at(row.low), at(row.high)
        drawn.append(
            f'<path class="iv" d="M{one:.1f} {y:.1f}H{two:.1f}M{one:.1f} {y - 3:.1f}v6M{two:.1f} {y - 3:.1f}v6"/>'
        )
    if row.second is not None:
        x = at(row.second)
        drawn.append(f'<path class="s1" d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"/>')
    drawn.append(f'<circle class="s0" cx="{at(row.value):.1f}" cy="{y:.1f}" r="4"/>')
    drawn.append(
        f'<text class="val" x="{across:.0f}" y="{y + 4:.1f}" text-anchor="end">{escape(row.text)}</text></g>'
    )
    return "".join(drawn)


def grouped_heat(
    rows: Sequence[str],
    groups: Sequence[tuple[str, Sequence[tuple[str, str]]]],
    cells: Mapping[tuple[str, str], HeatCell],
    *,
    beneath: tuple[str, Mapping[str, str]],
    pale: Collection[tuple[str, str]] = (),
    key: str,
    title: str,
) -> Chart:
    """Return win rates by system and dimension, the dimensions under the names of their groups.

    The shade is the win rate itself, so that maps can be compared; the rate also stands in the cell. A cell without a
    rate has a dash.

    Args:
        rows: Names of the systems.
        groups: Names of groups, with the key and the name of each dimension in them.
        cells: Win rates, by system and key of the dimension.
        beneath: Name of a line under the map, and its texts by dimension.
        pale: Cells that rest on few comparisons and are drawn paler.
        key: Name of the chart on its page.
        title: Title of the chart.
    """

    def paint(across: float) -> tuple[float, Sequence[str]]:
        return _painted_map(rows, groups, cells, beneath, pale, across)

    return Chart(key, title, described(cell.about for cell in cells.values()), paint)


def _painted_map(  # noqa: PLR0917 - what `grouped_heat` was given
    rows: Sequence[str],
    groups: Sequence[tuple[str, Sequence[tuple[str, str]]]],
    cells: Mapping[tuple[str, str], HeatCell],
    beneath: tuple[str, Mapping[str, str]],
    pale: Collection[tuple[str, str]],
    across: float,
) -> tuple[float, Sequence[str]]:
    columns = [member for _, members in groups for member in members]
    room = label_room([*rows, beneath[0]], 0.33 * across)
    left = 10 + room
    named = [label_lines(row, room) for row in rows]
    high = row_height(named, _CELL)
    wide = min(88.0, (across - left - 20 - _GAP * (len(groups) - 1)) / max(1, len(columns)))
    starts: list[float] = []
    parts: list[str] = []
    x = left
    for group, members in groups:
        # The name of a group of one column that has the same name says nothing.
        if not (len(members) == 1 and group == "Overall"):
            parts.append(_group_head(group, x, wide * len(members)))
        starts += [x + wide * at for at in range(len(members))]
        x += wide * len(members) + _GAP
    heads, tall = column_heads([name for _, name in columns], [at + wide / 2 for at in starts], wide)
    top = 16 + tall
    parts.append(f'<g transform="translate(0 16)">{"".join(heads)}</g>')
    bottom = top + len(rows) * high
    for (dimension, name), start in zip(columns, starts, strict=True):
        for down, row in enumerate(rows):
            cell = cells.get((row, dimension), HeatCell(None))
            place = (start, top + down * high, wide, high)
            parts.append(_cell(row, name, cell, place, pale=(row, dimension) in pale))
        parts.append(
            f'<text class="tick" x="{start + wide / 2:.1f}" y="{bottom + 12:.1f}" text-anchor="middle">'
            f"{escape(beneath[1].get(dimension, ''))}</text>"
        )
    parts += [label(lines, left - 8, top + (down + 0.5) * high) for down, lines in enumerate(named)]
    parts.append(label([beneath[0]], left - 8, bottom + 8, kind="tick"))
    return bottom + 18, parts


def _group_head(group: str, x: float, span: float) -> str:
    """Return the name of a group above a line across its columns, smaller where it is longer than them."""
    wide = 0.92 * text_width(group)
    squeezed = f' textLength="{span:.1f}" lengthAdjust="spacingAndGlyphs"' if wide > span + _GAP else ""
    return (
        f'<text class="tick" x="{x + span / 2:.1f}" y="10" text-anchor="middle"{squeezed}>{escape(group)}</text>'
        f'<path class="ax" d="M{x + 1:.1f} 14H{x + span - 1:.1f}"/>'
    )


def _cell(
    row: str, column: str, cell: HeatCell, place: tuple[float, float, float, float], *, pale: bool
) -> str:
    x, y, wide, high = place
    share = max(0.0, min(1.0, cell.value or 0.0))
    shade = 0.04 + (0.2 if pale else 0.6) * share**1.3
    text = "–" if cell.value is None else f"{100 * cell.value:.0f}"
    dim = ' class="tick"' if pale else ""
    return (
        f"<g><title>{escape(cell.about or f'{row}, {column}: {text}')}</title>"
        f'<rect class="s0" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{max(wide - 2, 1):.1f}" '
        f'height="{high - 2:.1f}" rx="3" opacity="{shade:.2f}"/>'
        f'<text x="{x + wide / 2:.1f}" y="{y + high / 2 + 4:.1f}" text-anchor="middle"{dim}>{text}</text></g>'
    )


def _step(rough: float) -> float:
    """Return a round distance between ticks."""
    for step in (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000):
        if step >= rough:
            return float(step)
    return 10_000.0
