"""Curves of a run of training, as one SVG: loss, reward, readable replies, divergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

_WIDE: Final = 720.0
_HIGH: Final = 150.0
_LEFT: Final = 56.0
_RIGHT: Final = 12.0
_TOP: Final = 26.0
_BOTTOM: Final = 24.0
# A panel: its title, and the measures that it shows.
_PANELS: Final = (
    ("Loss", ("loss", "eval_loss")),
    ("Reward", ("reward", "eval_reward")),
    ("Share of replies that can be read", ("rewards/valid_form/mean", "eval_rewards/valid_form/mean")),
    ("Divergence from the first model (KL)", ("kl",)),
    ("Share of pairs with the chosen reply ahead", ("rewards/accuracies", "eval_rewards/accuracies")),
    ("Length of replies, in tokens", ("completions/mean_length",)),
)
_COLOURS: Final = ("#1f6feb", "#d1242f")


def curves_svg(log: Sequence[Mapping[str, Any]], *, title: str = "") -> str:
    """Return the curves of what a trainer logged; the second curve of a panel is that of the validation split.

    Args:
        log: Rows with ``step`` and measures, as in a trainer's state.
        title: Heading of the whole.
    """
    panels = []
    for name, keys in _PANELS:
        curves = [points for key in keys if (points := _points(log, key))]
        if curves:
            panels.append((name, curves))
    high = 30.0 + len(panels) * (_HIGH + 10)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE:g} {high:g}" width="{_WIDE:g}" height="{high:g}" '
            f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        ),
        f'<text x="10" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    last = max((step for _, curves in panels for points in curves for step, _ in points), default=1.0)
    for at, (name, curves) in enumerate(panels):
        parts.append(
            f'<g transform="translate(0 {30 + at * (_HIGH + 10):g})">{_panel(name, curves, last)}</g>'
        )
    return "".join(parts) + "</svg>\n"


def _points(log: Sequence[Mapping[str, Any]], key: str) -> list[tuple[float, float]]:
    return [
        (float(row["step"]), float(row[key])) for row in log if "step" in row and _is_number(row.get(key))
    ]


def _is_number(value: Any) -> bool:
    # Not a number is not equal to itself.
    return isinstance(value, int | float) and value == value  # noqa: PLR0124


def _panel(name: str, curves: Sequence[Sequence[tuple[float, float]]], last: float) -> str:
    values = [value for points in curves for _, value in points]
    low, high = min(values), max(values)
    if high == low:
        low, high = low - 0.5, high + 0.5

    def x(step: float) -> float:
        return _LEFT + step / last * (_WIDE - _LEFT - _RIGHT)

    def y(value: float) -> float:
        return _TOP + (high - value) / (high - low) * (_HIGH - _TOP - _BOTTOM)

    parts = [f'<text x="10" y="14">{escape(name)}</text>']
    for value in (low, (low + high) / 2, high):
        parts.append(
            f'<path d="M{_LEFT:g} {y(value):.1f}H{_WIDE - _RIGHT:g}" stroke="#ddd"/>'
            f'<text x="{_LEFT - 6:g}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.3g}</text>'
        )
    parts.append(f'<text x="{_LEFT:g}" y="{_HIGH - 6:g}">0</text>')
    parts.append(f'<text x="{_WIDE - _RIGHT:g}" y="{_HIGH - 6:g}" text-anchor="end">step {last:,.0f}</text>')
    for colour, points in zip(_COLOURS, curves, strict=False):
        path = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in points)
        dots = "".join(
            f'<circle cx="{x(step):.1f}" cy="{y(value):.1f}" r="2" fill="{colour}"/>'
            for step, value in points
        )
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>{dots}')
    return "".join(parts)
