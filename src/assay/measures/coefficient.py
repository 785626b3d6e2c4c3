"""The result of all agreement coefficients."""

from __future__ import annotations

from assay.measures.intervals import Estimate


class Coefficient(Estimate, frozen=True, kw_only=True):
    """An agreement coefficient with its components: at most 1, 0 at chance; ``n`` counts items with two ratings or more.

    Attributes:
        observed: Observed agreement, 0 to 1, weighted if the coefficient is; None for α, whose disagreement is not a
            share.
        expected: Agreement expected by chance, as the coefficient defines it; None for α.
        ratings: Number of ratings of these items.
    """

    observed: float | None = None
    expected: float | None = None
    ratings: int = 0
