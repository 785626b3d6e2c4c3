"""Paired differences between two measurements of the same items, and correction for several tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from assay.measures.inputs import paired_values
from assay.measures.intervals import Estimate, mean_interval, within


class PairedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """A mean difference over the same items.

    Attributes:
        difference: Mean of first minus second.
        p: Two-sided p value of the paired t test; None without an interval.
        smallest: Smallest difference that would be significant at the 5 % level: half the interval.
    """

    difference: Estimate
    p: float | None = None
    smallest: float | None = None


def paired_difference(
    first: Sequence[float],
    second: Sequence[float],
    *,
    bounds: tuple[float | None, float | None] = (None, None),
) -> PairedDifference:
    """Return the mean difference with its 95 % t interval, cut at ``bounds``, and the paired t test.

    Raises:
        ValueError: The two have different lengths, or a value is not finite.
    """
    a, b = paired_values(first, second)
    difference = mean_interval((a - b).tolist())
    half = difference.half
    if difference.value is None or not half:
        return PairedDifference(difference=difference)
    from scipy.special import stdtr, stdtrit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    freedom = difference.n - 1
    error = half / float(stdtrit(freedom, 0.975))
    p = float(2 * stdtr(freedom, -abs(difference.value) / error))
    return PairedDifference(difference=within(difference, bounds), p=p, smallest=half)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p values by Holm's step-down rule (1979); None stays None and does not count."""
    order = sorted((p, at) for at, p in enumerate(ps) if p is not None and math.isfinite(p))
    adjusted: list[float | None] = [None] * len(ps)
    least = 0.0
    for step, (p, at) in enumerate(order):
        least = max(least, min(1.0, p * (len(order) - step)))
        adjusted[at] = least
    return adjusted
