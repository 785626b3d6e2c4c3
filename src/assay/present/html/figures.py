"""The logo in SVG, drawn without style attributes, which the page's policy would refuse."""

from __future__ import annotations

from markupsafe import Markup


def logo() -> Markup:
    """Return the logo: four petals in a ring."""
    return Markup(
        '<svg class="rose" viewBox="-50 -50 100 100" aria-hidden="true"><circle class="ring" r="46" stroke-width="5"/>'
        '<path class="petal l1" d="M0 0L0 -46A46 46 0 0 1 46 0Z"/><path class="petal l2" d="M0 0L32 0A32 32 '
        '0 0 1 0 32Z"/>'
        '<path class="petal l1" d="M0 0L0 40A40 40 0 0 1 -40 0Z"/><path class="petal l3" d="M0 0L-24 0A24 '
        '24 0 0 1 0 -24Z"/></svg>'
    )
