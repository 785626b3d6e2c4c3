"""Charts of leaderboards in SVG: ratings with their intervals, and win rates by grouped dimensions.

Drawn as those of `assay.present.charts`: 360 units wide, coloured by class, each with a title and a description.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

import msgspec

from assay.present.charts import HeatCell, described, svg_chart
from assay.present.display import fit, width

if TYPE_CHECKING:
    from markupsafe import Markup

_WIDE: Final = 360.0
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


def spans(rows: Sequence[RatingMark], *, key: str, title: str, middle: float) -> Markup:
    """Return ratings as marks on one axis, with a line at ``middle``, the mean; the axis need not begin at 0."""
    numbers = [n for row in rows for n in (row.value, row.low, row.high, row.second) if n is not None]
    low, high = min([middle, *numbers]), max([middle, *numbers])
    spare = max(20.0, 0.04 * (high - low))
    low, high = low - spare, high + spare
    left = 10 + min(118.0, max((6.3 * width(row.label) for row in rows), default=0))
    right = _WIDE - 10 - max((6.2 * width(row.text) for row in rows), default=0)
    step = _step((high - low) / 4)
    ticks = [step * number for number in range(int(low // step) + 1, int(high // step) + 1)]
    bottom = 4 + _ROW * len(rows)

    def at(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    parts = [
        f'<path class="ax" d="M{at(tick):.1f} 4V{bottom:.1f}"/><text class="tick" x="{at(tick):.1f}" '
        f'y="{bottom + 13:.1f}" '
        f'text-anchor="middle">{tick:g}</text>'
        for tick in ticks
    ]
    parts.append(
        f'<path class="iv" opacity="0.35" stroke-dasharray="3 3" d="M{at(middle):.1f} 2V{bottom:.1f}"/>'
    )
    for number, row in enumerate(rows):
        y = 4 + _ROW * (number + 0.5)
        label = fit(row.label, max(3, int((left - 6) / 6)))
        drawn = [
            f"<g><title>{escape(row.about or row.label)}</title>",
            f'<text x="{left - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>',
        ]
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
            f'<text class="val" x="{_WIDE:.0f}" y="{y + 4:.1f}" text-anchor="end">{escape(row.text)}</text></g>'
        )
        parts.append("".join(drawn))
    return svg_chart(key, title, described(row.about for row in rows), bottom + 18, parts)


def grouped_heat(
    rows: Sequence[str],
    groups: Sequence[tuple[str, Sequence[tuple[str, str]]]],
    cells: Mapping[tuple[str, str], HeatCell],
    *,
    beneath: tuple[str, Mapping[str, str]],
    pale: Collection[tuple[str, str]] = (),
    key: str,
    title: str,
) -> Markup:
    """Return win rates by system and dimension, the dimensions under the names of their groups.

    The shade is the win rate itself, so that maps can be compared; the rate also stands in the cell. A cell without a
    rate has a dash.

    Args:
        rows: Names of the systems.
        groups: Names of groups, with the key and the short name of each dimension in them.
        cells: Win rates, by system and key of the dimension.
        beneath: Name of a line under the map, and its texts by dimension.
        pale: Cells that rest on few comparisons and are drawn paler.
        key: Name of the chart on its page.
        title: Title of the chart.
    """
    columns = sum(len(members) for _, members in groups)
    left = 10 + min(118.0, max((6.3 * width(row) for row in rows), default=0))
    wide = min(46.0, (_WIDE - left - _GAP * (len(groups) - 1)) / max(1, columns))
    names = [name for _, members in groups for _, name in members]
    tall = 8 + min(70.0, max((5.4 * width(fit(name, 12)) for name in names), default=0))
    # Names of columns lie flat where the cells are wide enough for them, else they stand.
    flat = all(5.6 * width(name) <= wide for name in names)
    top = 18 + (14 if flat else tall)
    bottom = top + len(rows) * _CELL
    parts: list[str] = []
    x = left
    for group, members in groups:
        # The name of a group of one column that has the same name says nothing.
        if not (len(members) == 1 and group == "Overall"):
            parts.append(_group_head(group, x, wide * len(members)))
        for dimension, name in members:
            parts.append(_column_head(name, x + wide / 2, top, flat=flat))
            for down, row in enumerate(rows):
                cell = cells.get((row, dimension), HeatCell(None))
                place = (x, top + down * _CELL, wide)
                parts.append(_cell(row, name, cell, place, pale=(row, dimension) in pale))
            parts.append(
                f'<text class="tick" x="{x + wide / 2:.1f}" y="{bottom + 12:.1f}" text-anchor="middle">'
                f"{escape(beneath[1].get(dimension, ''))}</text>"
            )
            x += wide
        x += _GAP
    for down, row in enumerate(rows):
        label = fit(row, max(3, int((left - 6) / 6)))
        parts.append(
            f'<text x="{left - 8:.1f}" y="{top + down * _CELL + 15:.1f}" text-anchor="end">{escape(label)}</text>'
        )
    parts.append(
        f'<text class="tick" x="{left - 8:.1f}" y="{bottom + 12:.1f}" text-anchor="end">{escape(beneath[0])}</text>'
    )
    return svg_chart(key, title, described(cell.about for cell in cells.values()), bottom + 18, parts)


def _group_head(group: str, x: float, span: float) -> str:
    """Return the name of a group above a line across its columns."""
    label = group if 5.4 * width(group) <= span + _GAP else fit(group, max(2, int(span / 5.2)))
    return (
        f'<text class="tick" x="{x + span / 2:.1f}" y="10" '
        f'text-anchor="middle"><title>{escape(group)}</title>{escape(label)}</text>'
        f'<path class="ax" d="M{x + 1:.1f} 14H{x + span - 1:.1f}"/>'
    )


def _column_head(name: str, middle: float, top: float, *, flat: bool) -> str:
    where = (
        f'x="{middle:.1f}" y="{top - 5:.1f}" text-anchor="middle"'
        if flat
        else f'transform="translate({middle + 3:.1f} {top - 5:.1f}) rotate(-75)"'
    )
    return f'<text class="tick" {where}>{escape(fit(name, 12))}</text>'


def _cell(row: str, column: str, cell: HeatCell, place: tuple[float, float, float], *, pale: bool) -> str:
    x, y, wide = place
    share = max(0.0, min(1.0, cell.value or 0.0))
    shade = 0.04 + (0.2 if pale else 0.6) * share**1.3
    text = "–" if cell.value is None else f"{100 * cell.value:.0f}"
    dim = ' class="tick"' if pale else ""
    return (
        f"<g><title>{escape(cell.about or f'{row}, {column}: {text}')}</title>"
        f'<rect class="s0" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{max(wide - 2, 1):.1f}" '
        f'height="{_CELL - 2:.1f}" rx="3" opacity="{shade:.2f}"/>'
        f'<text x="{x + wide / 2:.1f}" y="{y + 15:.1f}" text-anchor="middle"{dim}>{text}</text></g>'
    )


def _step(rough: float) -> float:
    """Return a round distance between ticks."""
    for step in (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000):
        if step >= rough:
            return float(step)
    return 10_000.0
