"""What a judgment of a pair says, as a preferred side: "A", "B" or "tie"; both kinds of tie are ties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assay.judges.judgment import Judgment, Preference

Side = str
Orders = tuple[Side | None, Side | None]
SIDES: Final[dict[Preference, Side]] = {
    "A>B": "A",
    "A<B": "B",
    "tie": "tie",
    "both_good": "tie",
    "both_bad": "tie",
}
_SWAPPED: Final = {"A": "B", "B": "A", "tie": "tie"}
_EVEN: Final = 1e-9


def swapped(side: Side | None) -> Side | None:
    """Return the preferred side after A and B have been exchanged."""
    return None if side is None else _SWAPPED.get(side, side)


def side_of_margin(margin: float) -> Side:
    """Return the side that a margin prefers."""
    return "tie" if abs(margin) <= _EVEN else "A" if margin > 0 else "B"


def side_of(judgment: Judgment) -> Side | None:
    """Return the preferred side of a pair; None without a verdict."""
    if judgment.status != "ok" or judgment.preference is None:
        return None
    return SIDES[judgment.preference]


def orders_of(by_order: Mapping[str, object] | None) -> Orders | None:
    """Return the preferred side with A shown first and with B shown first; None unless both orders were shown."""
    if by_order is None:
        return None
    return _side(by_order.get("AB")), _side(by_order.get("BA"))


def _side(label: object) -> Side | None:
    if isinstance(label, int | float):
        return side_of_margin(label)
    return SIDES.get(label)  # type: ignore[call-overload, no-any-return]  # whatever else it is, it is no side
