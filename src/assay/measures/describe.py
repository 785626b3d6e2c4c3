"""Description of a set of numbers: count, mean with its interval, standard deviation, median and extremes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from assay.measures.intervals import summary_interval


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """A description of numbers; without numbers, every value but ``n`` is None.

    Attributes:
        n: Number of values.
        mean: Mean.
        sd: Sample standard deviation (n - 1); None for fewer than two values.
        median: Median.
        low: Smallest value.
        high: Largest value.
        interval: 95 % t interval of the mean; None for fewer than two values, and if all are equal.
    """

    n: int = 0
    mean: float | None = None
    sd: float | None = None
    median: float | None = None
    low: float | None = None
    high: float | None = None
    interval: tuple[float, float] | None = None


def describe(values: Sequence[float], *, floor: float | None = None) -> Description:
    """Describe values; the interval of the mean is cut at ``floor``."""
    data = np.asarray(values, dtype=float)
    n = len(data)
    if n == 0:
        return Description()
    mean = float(data.mean())
    sd = float(data.std(ddof=1)) if n > 1 else None
    # An interval of no width would claim certainty.
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
