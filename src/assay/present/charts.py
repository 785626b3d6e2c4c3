"""Charts in SVG for a page: grouped bars with intervals, scatter, heat map.

All are drawn 360 units wide, about the width of a phone, so that their text is as large as the page's there; on a wide
page they stand side by side. Colours come from the page's style sheet by class, for light and dark; what a colour shows
is also shown by a label, a shape or a number. Each chart has a title and a description for those who cannot see it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Final

import msgspec
from markupsafe import Markup

from assay.present.display import fit, width

_WIDE: Final = 360.0
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
    """A point, with a label beside it unless the label is empty."""

    x: float
    y: float
    about: str
    series: int = 0
    label: str = ""


class HeatCell(msgspec.Struct, frozen=True):
    """A cell of a heat map; one without a value is drawn as a dash."""

    value: float | None
    about: str = ""


def bars(groups: Sequence[BarGroup], *, key: str, title: str, about: str = "", reach: float = 0.05) -> Markup:
    """Return horizontal bars of shares, in groups.

    The axis begins at 0, or below where a value is, and ends where the longest interval does, or at ``reach``, by which
    several charts are given the same axis.
    """
    every = [bar for group in groups for bar in group.bars]
    numbers = [n for bar in every for n in (bar.value, bar.low, bar.high, bar.second) if n is not None]
    ticks = _ticks(min([0.0, *numbers]), max([reach, *numbers]), 5)
    left = 10 + min(150.0, max((6.3 * width(bar.label) for bar in every), default=0))
    right = _WIDE - (88 if any(bar.second is not None for bar in every) else 52)
    scale = (right - left) / (ticks[-1] - ticks[0])

    def at(value: float) -> float:
        return left + (min(max(value, ticks[0]), ticks[-1]) - ticks[0]) * scale

    parts: list[str] = []
    y = 4.0
    for group in groups:
        if group.label:
            y += 15
            parts.append(f'<text class="gl" x="0" y="{y:.1f}">{escape(fit(group.label, 54))}</text>')
            y += 5
        for bar in group.bars:
            parts.append(_bar(bar, y, at, left))
            y += _ROW
        y += 5 if group.label else 1
    # Where ticks are close, only the last one has the sign.
    close = (right - left) / max(1, len(ticks) - 1) < _TICK
    lines = [
        f'<path class="ax" d="M{at(tick):.1f} 4V{y:.1f}"/><text class="tick" x="{at(tick):.1f}" y="{y + 13:.1f}" '
        f'text-anchor="middle">{_percent(tick, 0).removesuffix(" %" if close and tick < ticks[-1] else "")}</text>'
        for tick in ticks
    ]
    about = about or described(bar.about for bar in every)
    return svg_chart(key, title, about, y + 18, [*lines, *parts])


def _bar(bar: Bar, y: float, at: Callable[[float], float], left: float) -> str:
    middle = y + _ROW / 2
    parts = [
        f"<g><title>{escape(bar.about or bar.label)}</title>",
        f'<text x="{left - 8:.1f}" y="{middle + 4:.1f}" text-anchor="end">{escape(_cut(bar.label, left - 10))}</text>',
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
        f'<text class="val" x="{_WIDE:.0f}" y="{middle + 4:.1f}" text-anchor="end">{escape(text)}</text></g>'
    )
    return "".join(parts)


def _rect(name: str, start: float, end: float, y: float, height: float) -> str:
    x, wide = min(start, end), abs(end - start)
    return f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{height:.1f}" rx="1.5"/>'


def scatter(
    dots: Sequence[Dot], *, names: Sequence[str], key: str, title: str, x: str, y: str, about: str = ""
) -> Markup:
    """Return points of several series, each with its own shape; ``y`` is a share, ``x`` a number."""
    left, right, top, bottom = 50.0, _WIDE - 10, 8.0, 226.0
    across = _ticks(min((dot.x for dot in dots), default=0), max((dot.x for dot in dots), default=1), 5)
    low, high = min((dot.y for dot in dots), default=0.0), max((dot.y for dot in dots), default=1.0)
    # A narrow span would make much of little.
    spare = max(0.0, _LEAST - (high - low)) / 2
    up = _ticks(max(0.0, low - spare) if low >= 0 else low - spare, high + spare, 5)

    def place(dot: Dot) -> tuple[float, float]:
        share_x = (dot.x - across[0]) / (across[-1] - across[0])
        share_y = (dot.y - up[0]) / (up[-1] - up[0])
        return left + share_x * (right - left), bottom - share_y * (bottom - top)

    parts: list[str] = []
    for tick in up:
        height = bottom - (tick - up[0]) / (up[-1] - up[0]) * (bottom - top)
        parts.append(
            f'<path class="ax" d="M{left:.0f} {height:.1f}H{right:.0f}"/>'
            f'<text class="tick" x="{left - 5:.0f}" y="{height + 3.5:.1f}" text-anchor="end">{_percent(tick, 0)}</text>'
        )
    for tick in across:
        spot = left + (tick - across[0]) / (across[-1] - across[0]) * (right - left)
        parts.append(
            f'<path class="ax" d="M{spot:.1f} {top:.0f}V{bottom:.0f}"/>'
            f'<text class="tick" x="{spot:.1f}" y="{bottom + 14:.0f}" text-anchor="middle">{_short(tick)}</text>'
        )
    parts.append(
        f'<text class="tick" x="{(left + right) / 2:.0f}" y="{bottom + 29:.0f}" text-anchor="middle">{escape(x)}</text>'
        f'<text class="tick" x="0" y="0" transform="translate(8 {(top + bottom) / 2:.0f}) rotate(-90)" '
        f'text-anchor="middle">{escape(y)}</text>'
    )
    for dot in dots:
        spot, height = place(dot)
        parts.append(f"{_mark(dot.series, spot, height)}><title>{escape(dot.about)}</title></path>")
    parts += _beside([(dot, *place(dot)) for dot in dots if dot.label], left, right)
    legend, end = _legend(names, bottom + 48) if names else ([], bottom + 34)
    about = about or described(dot.about for dot in dots)
    return svg_chart(key, title, about, end, [*parts, *legend])


def _beside(labelled: Sequence[tuple[Dot, float, float]], left: float, right: float) -> list[str]:
    """Return labels beside points, on the side with more space, moved down where one would cover another."""
    parts: list[str] = []
    taken: list[float] = []
    for dot, x, y in sorted(labelled, key=lambda item: item[2]):
        line = y + 3.5
        while any(abs(line - other) < 12 for other in taken):
            line += 3
        taken.append(line)
        anchor, spot = ("start", x + 9) if x < (left + right) / 2 else ("end", x - 9)
        parts.append(
            f'<text x="{spot:.1f}" y="{line:.1f}" text-anchor="{anchor}">{escape(fit(dot.label, 26))}</text>'
        )
    return parts


def _legend(names: Sequence[str], y: float) -> tuple[list[str], float]:
    parts: list[str] = []
    x = 50.0
    for number, name in enumerate(names):
        text = fit(name, 40)
        wide = 6.4 * width(text) + 30
        if x > 50 and x + wide > _WIDE:
            x, y = 50.0, y + 16
        parts.append(
            f'{_mark(number, x + 4, y - 4)}/><text x="{x + 13:.1f}" y="{y:.1f}">{escape(text)}</text>'
        )
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


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], HeatCell],
    *,
    key: str,
    title: str,
    about: str = "",
) -> Markup:
    """Return shares by row and column as shades and numbers; the largest share has the strongest shade."""
    largest = max((cell.value for cell in cells.values() if cell.value is not None), default=0.0) or 1.0
    left = 10 + min(132.0, max((6.3 * width(row) for row in rows), default=0))
    wide, high = min(52.0, (_WIDE - left - 26) / max(1, len(columns))), 22.0
    top = 12 + min(112.0, max((4.9 * width(fit(column, 22)) for column in columns), default=0))
    parts = [
        f'<text class="tick" transform="translate({left + wide * (at + 0.5) + 3:.1f} {top - 6:.1f}) '
        f'rotate(-68)">{escape(fit(name, 22))}</text>'
        for at, name in enumerate(columns)
    ]
    for down, row in enumerate(rows):
        y = top + down * high
        parts.append(
            f'<text x="{left - 8:.1f}" y="{y + 15:.1f}" text-anchor="end">{escape(_cut(row, left - 10))}</text>'
        )
        for at, column in enumerate(columns):
            cell = cells.get((row, column), HeatCell(None))
            x = left + at * wide
            shade = 0.04 + 0.56 * max(0.0, cell.value or 0.0) / largest
            text = "–" if cell.value is None else f"{100 * cell.value:.0f}"
            parts.append(
                f"<g><title>{escape(cell.about or f'{row}, {column}: {text}')}</title>"
                f'<rect class="s0" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide - 2:.1f}" '
                f'height="{high - 2:.1f}" rx="3" opacity="{shade:.2f}"/>'
                f'<text x="{x + wide / 2:.1f}" y="{y + 15:.1f}" text-anchor="middle">{text}</text></g>'
            )
    about = about or described(cell.about for cell in cells.values())
    return svg_chart(key, title, about, top + len(rows) * high + 4, parts)


def described(parts: Iterable[str]) -> str:
    """Return the description of a chart for those who cannot see it, from those of its parts."""
    return "; ".join(filter(None, parts))


def svg_chart(key: str, title: str, about: str, height: float, parts: Sequence[str]) -> Markup:
    """Return an SVG element with its title and description; ``parts`` are escaped already."""
    name = escape(key)
    return Markup(  # noqa: S704 - numbers of our own, and texts escaped where they enter
        f'<svg class="chart" viewBox="0 0 {_WIDE:.0f} {height:.0f}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(about)}</desc>{"".join(parts)}</svg>'
    )


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


def _cut(text: str, room: float) -> str:
    return fit(text, max(3, int((room + 4) / 6)))


def _percent(value: float, digits: int = 1) -> str:
    shown = f"{100 * value:.{digits}f}".removesuffix(".0") if digits == 0 else f"{100 * value:.{digits}f}"
    return f"{'0' if shown in ('-0', '-0.0') else shown} %"


def _short(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value / 1000:g}k"
    return f"{value:g}"
