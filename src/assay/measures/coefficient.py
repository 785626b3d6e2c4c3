"""The result of all agreement coefficients."""

from __future__ import annotations

from typing import Any

import msgspec


class Coefficient(msgspec.Struct, frozen=True, kw_only=True):
    """An agreement coefficient with its components.

    Attributes:
        value: At most 1; 0 at chance, below 0 for less than chance; None if undefined.
        observed: Observed agreement, 0 to 1, weighted if the coefficient is; None for α, whose disagreement is not a
            share.
        expected: Agreement expected by chance, as the coefficient defines it; None for α.
        n: Number of items with at least two ratings.
        ratings: Number of ratings of these items.
        reason: Reason for a missing value, else empty.
    """

    value: float | None = None
    observed: float | None = None
    expected: float | None = None
    n: int = 0
    ratings: int = 0
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data
