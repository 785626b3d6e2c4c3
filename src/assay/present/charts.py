"""Charts: grouped bars and points, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Final

import msgspec

from assay.present.chart import (
    LINE,
    PAGE,
    Chart,
    described,
    label,
    label_lines,
    label_room,
    row_height,
    text_width,
)

_SERIES: Final = 6
_ROW: Final = 19.0
_TICK: Final = 36.0
# The shortest span of shares that an axis shows.
_LEAST: Final = 0.1


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """A bar with its value, its interval, and a fainter second value beneath."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    second: float | None = None
    series: int = 0
    about: str = ""


class BarGroup(msgspec.Struct, frozen=True):
    """Bars under one heading; an empty heading takes no space."""

    label: str
    bars: Sequence[Bar]


class Dot(msgspec.Struct, frozen=True, kw_only=True):
    """A point, with the interval of its height and a label beside it, if it has them."""

    x: float
    y: float
    about: str
    low: float | None = None
    high: float | None = None
    series: int = 0
    label: str = ""


def bars(groups: Sequence[BarGroup], *, key: str, title: str, about: str = "", reach: float = 0.05) -> Chart:
    """Return horizontal bars of shares, in groups.

    The axis begins at 0, or below where a value is, and ends where the longest interval does, or at ``reach``, by which
    several charts are given the same axis.
    """
    every = [bar for group in groups for bar in group.bars]
    numbers = [n for bar in every for n in (bar.value, bar.low, bar.high, bar.second) if n is not None]
    ticks = _ticks(min([0.0, *numbers]), max([reach, *numbers]), 5)

    def paint(across: float) -> tuple[float, Sequence[str]]:
        return _painted_bars(groups, ticks, across)

    return Chart(key, title, about or described(bar.about for bar in every), paint)


def _painted_bars(
    groups: Sequence[BarGroup], ticks: Sequence[float], across: float
) -> tuple[float, Sequence[str]]:
    every = [bar for group in groups for bar in group.bars]
    room = label_room((bar.label for bar in every), 0.4 * across)
    left = 10 + room
    right = across - (88 if any(bar.second is not None for bar in every) else 52)
    scale = (right - left) / (ticks[-1] - ticks[0])

    def at(value: float) -> float:
        return left + (min(max(value, ticks[0]), ticks[-1]) - ticks[0]) * scale

    parts: list[str] = []
    y = 4.0
    for group in groups:
        if group.label:
            for line in label_lines(group.label, across):
                y += 15
                parts.append(f'<text class="gl" x="0" y="{y:.1f}">{escape(line)}</text>')
            y += 5
        for bar in group.bars:
            lines = label_lines(bar.label, room)
            high = row_height([lines], _ROW)
            parts.append(_bar(bar, lines, y + high / 2, at, (left, across)))
            y += high
        y += 5 if group.label else 1
    # Where ticks are close, only the last one has the sign.
    close = (right - left) / max(1, len(ticks) - 1) < _TICK
    axis = [
        f'<path class="ax" d="M{at(tick):.1f} 4V{y:.1f}"/><text class="tick" x="{at(tick):.1f}" y="{y + 13:.1f}" '
        f'text-anchor="middle">{_percent(tick, 0).removesuffix(" %" if close and tick < ticks[-1] else "")}</text>'
        for tick in ticks
    ]
    return y + 18, [*axis, *parts]


def _bar(
    bar: Bar,
    lines: Sequence[str],
    middle: float,
    at: Callable[[float], float],
    edges: tuple[float, float],
) -> str:
    left, across = edges
    parts = [
        f"<g><title>{escape(bar.about or bar.label)}</title>",
        label(lines, left - 8, middle),
    ]
    series = f"s{bar.series % _SERIES}"
    thick = 8 if bar.second is not None else 12
    if bar.second is not None:
        parts.append(_rect(f"{series} faint", at(0), at(bar.second), middle + 3, 5))
    text = "–" if bar.value is None else _percent(bar.value)
    if bar.second is not None:
        text = f"{text.removesuffix(' %')} · {_percent(bar.second)}"
    if bar.value is not None:
        top = middle - (6 if bar.second is None else 7)
        parts.append(_rect(series, at(0), at(bar.value), top, thick))
        if bar.low is not None and bar.high is not None:
            line = top + thick / 2
            low, high = at(bar.low), at(bar.high)
            parts.append(
                f'<path class="iv" d="M{low:.1f} {line:.1f}H{high:.1f}M{low:.1f} '
                f'{line - 3:.1f}v6M{high:.1f} {line - 3:.1f}v6"/>'
            )
    parts.append(
        f'<text class="val" x="{across:.0f}" y="{middle + 4:.1f}" text-anchor="end">{escape(text)}</text></g>'
    )
    return "".join(parts)


def _rect(name: str, start: float, end: float, y: float, height: float) -> str:
    x, wide = min(start, end), abs(end - start)
    return f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{height:.1f}" rx="1.5"/>'


def scatter(
    dots: Sequence[Dot], *, names: Sequence[str], key: str, title: str, x: str, y: str, about: str = ""
) -> Chart:
    """Return points of several series, each with its own shape; ``y`` is a share, ``x`` a number."""
    wide = _ticks(min((dot.x for dot in dots), default=0), max((dot.x for dot in dots), default=1), 5)
    heights = [y for dot in dots for y in (dot.y, dot.low, dot.high) if y is not None]
    low, high = min(heights, default=0.0), max(heights, default=1.0)
    # A narrow span would make much of little.
    spare = max(0.0, _LEAST - (high - low)) / 2
    up = _ticks(max(0.0, low - spare) if low >= 0 else low - spare, high + spare, 5)

    def paint(across: float) -> tuple[float, Sequence[str]]:
        return _painted_points(dots, names, (wide, up), (x, y), across)

    return Chart(key, title, about or described(dot.about for dot in dots), paint)


def _painted_points(
    dots: Sequence[Dot],
    names: Sequence[str],
    ticks: tuple[Sequence[float], Sequence[float]],
    titles: tuple[str, str],
    across: float,
) -> tuple[float, Sequence[str]]:
    wide, up = ticks
    left, right, top = 50.0, across - 10, 8.0
    bottom = 226.0 if across < PAGE else 366.0

    def height_of(share: float) -> float:
        return bottom - (share - up[0]) / (up[-1] - up[0]) * (bottom - top)

    def place(dot: Dot) -> tuple[float, float]:
        share_x = (dot.x - wide[0]) / (wide[-1] - wide[0])
        return left + share_x * (right - left), height_of(dot.y)

    parts: list[str] = []
    for tick in up:
        height = height_of(tick)
        parts.append(
            f'<path class="ax" d="M{left:.0f} {height:.1f}H{right:.0f}"/>'
            f'<text class="tick" x="{left - 5:.0f}" y="{height + 3.5:.1f}" text-anchor="end">{_percent(tick, 0)}</text>'
        )
    for tick in wide:
        spot = left + (tick - wide[0]) / (wide[-1] - wide[0]) * (right - left)
        parts.append(
            f'<path class="ax" d="M{spot:.1f} {top:.0f}V{bottom:.0f}"/>'
            f'<text class="tick" x="{spot:.1f}" y="{bottom + 14:.0f}" text-anchor="middle">{_short(tick)}</text>'
        )
    parts.append(
        f'<text class="tick" x="{(left + right) / 2:.0f}" y="{bottom + 29:.0f}" '
        f'text-anchor="middle">{escape(titles[0])}</text>'
        f'<text class="tick" x="0" y="0" transform="translate(8 {(top + bottom) / 2:.0f}) rotate(-90)" '
        f'text-anchor="middle">{escape(titles[1])}</text>'
    )
    # Intervals lie beneath all marks, so that none hides a mark.
    parts += [
        _whisker(place(dot)[0], height_of(dot.low), height_of(dot.high))
        for dot in dots
        if dot.low is not None and dot.high is not None
    ]
    for dot in dots:
        spot, height = place(dot)
        parts.append(f"{_mark(dot.series, spot, height)}><title>{escape(dot.about)}</title></path>")
    parts += _beside([(dot, *place(dot)) for dot in dots if dot.label], left, right)
    legend, end = _legend(names, bottom + 48, across) if names else ([], bottom + 34)
    return end, [*parts, *legend]


def _whisker(x: float, low: float, high: float) -> str:
    """Return an upright interval with caps."""
    return f'<path class="iv" d="M{x:.1f} {low:.1f}V{high:.1f}M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6"/>'


def _beside(labelled: Sequence[tuple[Dot, float, float]], left: float, right: float) -> list[str]:
    """Return labels beside points, on the side with more space, moved down where one would cover another."""
    parts: list[str] = []
    taken: list[tuple[float, float, float]] = []
    for dot, x, y in sorted(labelled, key=lambda item: item[2]):
        start = x < (left + right) / 2
        lines = label_lines(dot.label, (right - left) / 2 - 9)
        wide = label_room(lines, right - left)
        one, two = (x + 9, x + 9 + wide) if start else (x - 9 - wide, x - 9)
        middle = y
        while any(abs(middle - other) < 12 and one < end and first < two for other, first, end in taken):
            middle += 3
        taken.append((middle, one, two))
        parts.append(label(lines, x + 9 if start else x - 9, middle, anchor="start" if start else "end"))
    return parts


def _legend(names: Sequence[str], y: float, across: float) -> tuple[list[str], float]:
    parts: list[str] = []
    x = 50.0
    for number, name in enumerate(names):
        wide = text_width(name) + 30
        if x > 50 and x + wide > across:
            x, y = 50.0, y + 16
        lines = label_lines(name, across - x - 20)
        parts.append(
            f"{_mark(number, x + 4, y - 4)}/>{label(lines, x + 13, y - 4 + 6 * (len(lines) - 1), anchor='start')}"
        )
        y += LINE * (len(lines) - 1)
        x += wide
    return parts, y + 8


def _mark(series: int, x: float, y: float) -> str:
    """Return a mark; six shapes and six colours are combined so that 36 series differ."""
    color, kind = (series + series // _SERIES) % _SERIES, series % _SERIES
    shapes = (
        "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z",
        "m-3 -3h6v6h-6z",
        "m0 -4l3.8 6.6h-7.6z",
        "m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z",
        "m0 4l3.8 -6.6h-7.6z",
        "m-1.1 -4h2.2v2.9h2.9v2.2h-2.9v2.9h-2.2v-2.9h-2.9v-2.2h2.9z",
    )
    return f'<path class="dot-mark s{color}" d="M{x:.1f} {y:.1f}{shapes[kind]}"'


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers that enclose a range, in at most ``most`` steps."""
    if high - low <= 1e-9 * max(1.0, abs(low), abs(high)):
        middle = (low + high) / 2
        spread = abs(middle) / 2 if abs(middle) > 1e-6 else 0.5
        low, high = middle - spread, middle + spread
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * size for size in (1, 2, 2.5, 5, 10) if power * size >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 12) for number in range(first, max(last, first + 1) + 1)]


def _percent(value: float, digits: int = 1) -> str:
    shown = f"{100 * value:.{digits}f}".removesuffix(".0") if digits == 0 else f"{100 * value:.{digits}f}"
    return f"{'0' if shown in ('-0', '-0.0') else shown} %"


def _short(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value / 1000:g}k"
    return f"{value:g}"
