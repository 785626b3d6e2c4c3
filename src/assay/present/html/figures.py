"""Small pictures in SVG, drawn without style attributes, which the page's policy would refuse."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from assay.present.interface import ENGLISH, Interface
from assay.rubrics.dimensions import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

_LAYER: Final[dict[str, int]] = {
    d.key: {"macro": 1, "expositional": 2, "structural": 3}[d.layer] for d in DIMENSIONS
}
_RADIUS: Final = 48.0


def _share(value: float) -> float:
    return max(0.0, min(1.0, value)) if math.isfinite(value) else 0.0


def bar(value: float) -> Markup:
    """Return a bar for a share from 0 to 1."""
    return Markup(  # noqa: S704 - numbers and our own titles, escaped
        '<svg viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true"><rect class="track" '
        'width="100" height="5"/>'
        f'<rect class="fill" width="{_share(value) * 100:.1f}" height="5"/></svg>'
    )


def cell(value: float) -> Markup:
    """Return a table cell shaded by a share from 0 to 1, with the share in it."""
    share = _share(value)
    return Markup(  # noqa: S704 - numbers and our own titles, escaped
        f'<svg class="cell" viewBox="0 0 46 22" role="img" aria-label="{share:.2f}">'
        f'<rect width="46" height="22" rx="4" opacity="{0.05 + 0.5 * share**1.6:.2f}"/>'
        f'<text x="23" y="15.2" text-anchor="middle">{share * 100:.0f}</text></svg>'
    )


def rose(scores: Mapping[str, float], say: Interface = ENGLISH) -> Markup:
    """Return the profile of a report: a petal for each dimension, as long as its score and shaded by its layer.

    It is empty for fewer than three dimensions, which have no shape.
    """
    if len(scores) < 3:
        return Markup()
    parts = [
        f'<circle class="ring" r="{_RADIUS * ring:.0f}" stroke-width="{0.8 if ring < 1 else 1.2}"/>'
        for ring in (0.5, 1)
    ]
    angle = 2 * math.pi / len(scores)
    titles: list[str] = []
    for number, (key, value) in enumerate(scores.items()):
        share = _share(value)
        first, last = number * angle - math.pi / 2, (number + 1) * angle - math.pi / 2
        radius = max(2.0, _RADIUS * share)
        x1, y1, x2, y2 = (f(a) * radius for a in (first, last) for f in (math.cos, math.sin))
        title = f"{say.dimension_title(key)}: {share:.2f}"
        titles.append(title)
        parts.append(
            f'<path class="petal l{_LAYER.get(key, 1)}" d="M0 0L{x1:.1f} {y1:.1f}A{radius:.1f} {radius:.1f} '
            f'0 0 1 {x2:.1f} {y2:.1f}Z">'
            f"<title>{escape(title)}</title></path>"
        )
    label = escape("; ".join(titles))
    return Markup(  # noqa: S704 - numbers and our own titles, escaped
        f'<svg class="rose" viewBox="-50 -50 100 100" role="img" aria-label="{label}">{"".join(parts)}</svg>'
    )


def logo() -> Markup:
    """Return the logo: four petals in a ring."""
    return Markup(
        '<svg class="rose" viewBox="-50 -50 100 100" aria-hidden="true"><circle class="ring" r="46" stroke-width="5"/>'
        '<path class="petal l1" d="M0 0L0 -46A46 46 0 0 1 46 0Z"/><path class="petal l2" d="M0 0L32 0A32 32 '
        '0 0 1 0 32Z"/>'
        '<path class="petal l1" d="M0 0L0 40A40 40 0 0 1 -40 0Z"/><path class="petal l3" d="M0 0L-24 0A24 '
        '24 0 0 1 0 -24Z"/></svg>'
    )
