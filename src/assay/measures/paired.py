"""Differences between two measurements of the same things, and what to make of several of them at once."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from assay.measures.intervals import Estimate, mean_interval


class PairedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """A mean difference over the same things.

    Attributes:
        difference: First minus second, with its interval.
        p: Two-sided, of the paired t test; None where there is no interval.
        smallest: The least difference that these things could tell from none, at the 5 % level: half the interval.
    """

    difference: Estimate
    p: float | None = None
    smallest: float | None = None


def paired_difference(first: Sequence[float], second: Sequence[float]) -> PairedDifference:
    """The mean of the differences, their 95 % t interval and the paired t test.

    Raises:
        ValueError: The two are not equally many, or a value is not finite.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values beside {len(second)}")
    found = mean_interval([a - b for a, b in zip(first, second, strict=True)])
    half = found.half
    if found.value is None or not half:
        return PairedDifference(difference=found)
    from scipy.special import stdtr, stdtrit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    error = half / float(stdtrit(found.n - 1, 0.975))
    return PairedDifference(
        difference=found, p=float(2 * stdtr(found.n - 1, -abs(found.value) / error)), smallest=half
    )


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """P values adjusted for their number by Holm's step-down rule (1979); None stays None and does not count."""
    order = sorted((p, at) for at, p in enumerate(ps) if p is not None and math.isfinite(p))
    out: list[float | None] = [None] * len(ps)
    least = 0.0
    for step, (p, at) in enumerate(order):
        least = max(least, min(1.0, p * (len(order) - step)))
        out[at] = least
    return out


def benjamini_hochberg(ps: Sequence[float | None]) -> list[float | None]:
    """P values adjusted for the rate of false discoveries (Benjamini and Hochberg 1995); None stays None, uncounted.

    Reporting all that come out at 0.05 or less, 5 % of them are expected to be false – where Holm's rule keeps the
    chance of even one at 5 %.
    """
    order = sorted(((p, at) for at, p in enumerate(ps) if p is not None and math.isfinite(p)), reverse=True)
    out: list[float | None] = [None] * len(ps)
    most = 1.0
    for step, (p, at) in enumerate(order):
        most = min(most, p * len(order) / (len(order) - step))
        out[at] = most
    return out
