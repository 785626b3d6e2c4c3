"""Means and shares with 95 % intervals, for values in groups.

Grades of the same task are not independent, so the unit of resampling is the group, the cluster of an estimate. If an
interval cannot be estimated, it is missing and ``reason`` says why; it is never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import numpy as np

from assay.record import Record

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What is counted, such as a cost, is exact: it has no interval and needs none.
Method = Literal["t", "bootstrap", "wilson", "fisher", "exact"]
# Clusters that an interval of a mean or a bootstrap needs: with two, Student's t would span everything.
FEWEST: Final = 3
_NORMAL: Final = 1.959963984540054  # the 97.5 % point of the normal distribution


class Estimate(Record, msgspec.Struct, frozen=True, kw_only=True):
    """An estimate with its 95 % interval, which never leaves the range of what is estimated.

    ``float(estimate)`` is the value, NaN without one; ``str(estimate)`` reads ``0.83 [0.02, 1.00]``.

    Attributes:
        value: The estimate; None without data.
        low: Lower end of the interval, or None.
        high: Upper end of the interval, or None.
        n: Number of values.
        clusters: Number of independent clusters of values (tasks), on which the interval rests.
        method: Method of the interval.
        reason: Reason for a missing value or interval, else empty.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    clusters: int = 0
    method: Method = "t"
    reason: str = ""

    @property
    def half(self) -> float | None:
        """Half the width of the interval; for a difference, the smallest that is significant."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def __float__(self) -> float:
        return math.nan if self.value is None else self.value

    def __str__(self) -> str:
        if self.value is None:
            return f"none: {self.reason}" if self.reason else "none"
        ends = "" if self.low is None or self.high is None else f" [{self.low:.2f}, {self.high:.2f}]"
        return f"{self.value:.2f}{ends}"

    def summary_line(self) -> str:
        """Return value, interval, and number of values."""
        return f"{self}, n={self.n:,}"


def exact(value: float | None) -> Estimate:
    """Return a number that is known rather than estimated."""
    return Estimate(value=value, method="exact")


def estimate_columns(name: str, estimates: Sequence[Estimate | None]) -> dict[str, list[Any]]:
    """Return estimates as three columns: the value under its name, ``…_low`` and ``…_high``."""
    given = [item or Estimate() for item in estimates]
    return {
        name: [item.value for item in given],
        f"{name}_low": [item.low for item in given],
        f"{name}_high": [item.high for item in given],
    }


def too_few(clusters: int) -> str:
    """Return why so few clusters give no interval; empty if they are enough."""
    if clusters >= FEWEST:
        return ""
    return (
        "one cluster has no spread" if clusters == 1 else f"{clusters} clusters are too few for an interval"
    )


def mean_interval(
    values: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    *,
    method: Literal["t", "bootstrap"] = "t",
    bounds: tuple[float | None, float | None] = (None, None),
    draws: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Return the mean of values and its 95 % interval; values of one group count as dependent.

    ``t``: cluster-robust standard error, sqrt(G/(G-1) · Σ_g (Σ_i e_gi)²) / n, with Student's t on G - 1 degrees of
    freedom; with groups of one, the usual interval of a mean. ``bootstrap``: percentiles over whole groups drawn with
    replacement, from a fixed seed.

    Args:
        values: Finite numbers.
        groups: Group of each value; None if each value is a group of its own.
        method: Method of the interval.
        bounds: Smallest and largest possible value, at which the interval is cut.
        draws: Number of bootstrap draws.
        seed: Seed of the bootstrap.

    Raises:
        ValueError: A value is not finite, or the numbers of values and groups differ.
    """
    data = np.asarray(values, dtype=float)
    if groups is not None and len(groups) != len(data):
        raise ValueError(
            f"every value needs a group, but there are {len(data)} values and {len(groups)} groups"
        )
    if not np.isfinite(data).all():
        raise ValueError("a value is not finite")
    n = len(data)
    if n == 0:
        return Estimate(method=method, reason="nothing to average")
    index = np.arange(n) if groups is None else np.asarray(_numbered(groups))
    count = int(index.max()) + 1
    value = float(data.mean())
    fields: dict[str, Any] = {"value": value, "n": n, "clusters": count, "method": method}
    if reason := too_few(count):
        return Estimate(**fields, reason=reason)
    if float(data.max()) == float(data.min()):
        return Estimate(**fields, reason="all values are the same")
    if method == "bootstrap":
        low, high = _bootstrap(data, index, count, draws, seed)
    else:
        half = _quantile(count - 1) * _clustered_error(data - value, index, count)
        low, high = value - half, value + half
    if high - low <= 1e-12 * max(1.0, abs(value)):
        return Estimate(**fields, reason="all clusters have the same mean")
    return within(Estimate(**fields, low=low, high=high), bounds)


def within(estimate: Estimate, bounds: tuple[float | None, float | None]) -> Estimate:
    """Return an estimate whose interval is cut at the smallest and largest possible value."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None:
        return estimate
    floor, ceiling = bounds
    # Rounding may push a mean at a bound beyond it; the interval always contains the value.
    low = min(value, low if floor is None else max(floor, low))
    high = max(value, high if ceiling is None else min(ceiling, high))
    return msgspec.structs.replace(estimate, low=low, high=high)


def summary_interval(mean: float, sd: float, n: int) -> tuple[float, float] | None:
    """Return the 95 % t interval of a mean from its summary; None for fewer than two values."""
    if n < 2:
        return None
    half = _quantile(n - 1) * sd / float(n) ** 0.5
    return mean - half, mean + half


def wilson_interval(successes: int, n: int) -> Estimate:
    """Return a share of independent binary values with Wilson's 95 % score interval (1927), which stays within 0 and 1.

    Written out because `scipy.stats.binomtest`, whose interval it equals, is a thousand times slower.

    Raises:
        ValueError: The number of successes is not from 0 to n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be from 0 to {n}, not {successes}")
    if n == 0:
        return Estimate(method="wilson", reason="nothing to average")
    share = successes / n
    square = _NORMAL**2
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = _NORMAL / (1 + square / n) * (share * (1 - share) / n + square / (4 * n * n)) ** 0.5
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == n else middle + half
    return Estimate(value=share, low=low, high=high, n=n, clusters=n, method="wilson")


def _numbered(groups: Sequence[Hashable]) -> list[int]:
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(group, len(seen)) for group in groups]


def _quantile(freedom: int) -> float:
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy; lighter than scipy.stats

    return float(stdtrit(freedom, 0.975))


def _clustered_error(errors: NDArray[np.float64], index: NDArray[np.int64], count: int) -> float:
    sums = np.bincount(index, weights=errors, minlength=count)
    # Scaled by the largest, so that squares neither overflow nor vanish.
    scale = float(np.abs(sums).max())
    if scale == 0:
        return 0.0
    return scale * float(np.sqrt(count / (count - 1) * np.square(sums / scale).sum())) / len(errors)


def _bootstrap(
    data: NDArray[np.float64], index: NDArray[np.int64], count: int, draws: int, seed: int
) -> tuple[float, float]:
    sums = np.bincount(index, weights=data, minlength=count)
    sizes = np.bincount(index, minlength=count)
    drawn = np.random.default_rng(seed).integers(0, count, size=(draws, count))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
