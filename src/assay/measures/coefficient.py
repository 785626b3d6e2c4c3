"""The result that every coefficient of agreement has."""

from __future__ import annotations

from typing import Any

import msgspec


class Coefficient(msgspec.Struct, frozen=True, kw_only=True):
    """An agreement coefficient and what it was made from.

    Attributes:
        value: At most 1, 0 at chance, below 0 for less than chance; None where it is not defined.
        observed: Observed agreement, 0 to 1, weighted where the coefficient is; for α, 1 - observed disagreement
            is not a share, so None.
        expected: Agreement expected by chance, under the coefficient's own idea of it; None as above.
        n: Items it rests on: those with a pair of ratings.
        ratings: Ratings among them.
        reason: Why there is no value; empty where there is one.
    """

    value: float | None = None
    observed: float | None = None
    expected: float | None = None
    n: int = 0
    ratings: int = 0
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data
