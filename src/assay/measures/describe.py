"""What a set of numbers looks like: number, mean with its interval, deviation, median, ends."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from assay.measures.intervals import summary_interval


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """A set of numbers.

    Attributes:
        n: How many.
        mean: Their mean; None where there are none, like all below.
        sd: Sample deviation (n - 1); None below two.
        median: Half are not above, half not below.
        low: Smallest.
        high: Largest.
        interval: 95 % t interval of the mean; None below two, and where all are the same.
    """

    n: int = 0
    mean: float | None = None
    sd: float | None = None
    median: float | None = None
    low: float | None = None
    high: float | None = None
    interval: tuple[float, float] | None = None


def describe(values: Sequence[float], *, floor: float | None = None) -> Description:
    """Number, mean, sample deviation, median, ends, and the 95 % interval of the mean, cut at ``floor``."""
    data = np.asarray(values, dtype=float)
    n = len(data)
    if n == 0:
        return Description()
    mean = float(data.mean())
    sd = float(data.std(ddof=1)) if n > 1 else None
    # Without spread there is nothing to make an interval of; one of no width would claim certainty.
    interval = summary_interval(mean, sd, n) if sd else None
    if interval is not None and floor is not None:
        interval = max(floor, interval[0]), interval[1]
    return Description(
        n=n,
        mean=mean,
        sd=sd,
        median=float(np.median(data)),
        low=float(data.min()),
        high=float(data.max()),
        interval=interval,
    )
