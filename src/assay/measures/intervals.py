"""Means and shares with 95 % intervals, where values come in groups.

Grades of the same task are not independent: the unit of resampling is the group, and its number is what an interval
rests on. Where there is nothing to estimate an interval from, there is none, and ``reason`` says why; never NaN.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Method = Literal["t", "bootstrap", "wilson", "exact", "fisher"]
_NORMAL: Final = 1.959963984540054  # the 97.5 % point of the normal distribution


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A value and how sure it is.

    Attributes:
        value: The estimate; None where there is nothing to estimate from.
        low: Lower end of the 95 % interval, or None.
        high: Upper end, or None.
        n: Values it is taken over.
        groups: Groups they come in: what the interval rests on.
        method: How the interval was made.
        reason: Why the value or the interval is missing; empty where both are there.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    groups: int = 0
    method: Method = "t"
    reason: str = ""

    @property
    def half(self) -> float | None:
        """Half the width of the interval; for a difference, the smallest that could be told from none."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def mean_interval(
    values: Sequence[float],
    groups: Sequence[Hashable] | None = None,
    *,
    method: Literal["t", "bootstrap"] = "t",
    bounds: tuple[float | None, float | None] = (None, None),
    draws: int = 2000,
    seed: int = 0,
) -> Estimate:
    """The mean of values and its 95 % interval, values of one group counting as dependent.

    ``t``: cluster-robust standard error, sqrt(G/(G-1) · Σ_g (Σ_i e_gi)²) / n, with Student's t on G - 1 degrees of
    freedom; with groups of one it is the usual interval of a mean. ``bootstrap``: percentiles over whole groups drawn
    with replacement, from a fixed seed, so that the same values give the same interval.

    Args:
        values: Finite numbers.
        groups: The group of each; each its own where None.
        method: How the interval is made.
        bounds: What the quantity cannot go below and above; the interval is cut there.
        draws: Of the bootstrap.
        seed: Of the bootstrap.

    Raises:
        ValueError: A value is not finite, or there are not as many groups as values.
    """
    data = np.asarray(values, dtype=float)
    if groups is not None and len(groups) != len(data):
        raise ValueError(f"{len(data)} values in {len(groups)} groups")
    if not np.isfinite(data).all():
        raise ValueError("a value is not finite")
    n = len(data)
    if n == 0:
        return Estimate(method=method, reason="nothing to average")
    index = np.arange(n) if groups is None else np.asarray(_numbered(groups))
    count = int(index.max()) + 1
    value = float(data.mean())
    if count < 2:
        return Estimate(value=value, n=n, groups=count, method=method, reason="one group has no spread")
    if float(data.max()) == float(data.min()):
        return Estimate(value=value, n=n, groups=count, method=method, reason="all values are the same")
    if method == "bootstrap":
        low, high = _bootstrap(data, index, count, draws, seed)
    else:
        half = _quantile(count - 1) * _clustered_error(data - value, index, count)
        low, high = value - half, value + half
    floor, ceiling = bounds
    # Rounding may push the mean of values at a bound beyond it; the interval always holds the value.
    low = min(value, low if floor is None else max(floor, low))
    high = max(value, high if ceiling is None else min(ceiling, high))
    return Estimate(value=value, low=low, high=high, n=n, groups=count, method=method)


def summary_interval(mean: float, sd: float, n: int) -> tuple[float, float] | None:
    """The 95 % t interval of a mean of which only mean, sample deviation and number are known; None below two."""
    if n < 2:
        return None
    half = _quantile(n - 1) * sd / float(n) ** 0.5
    return mean - half, mean + half


def wilson_interval(successes: int, n: int) -> Estimate:
    """A share of independent yes-or-no outcomes with Wilson's 95 % score interval (1927), which stays within 0 and 1.

    Raises:
        ValueError: There are more successes than outcomes, or fewer than none.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n}")
    if n == 0:
        return Estimate(method="wilson", reason="nothing to average")
    share = successes / n
    square = _NORMAL**2
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = _NORMAL / (1 + square / n) * (share * (1 - share) / n + square / (4 * n * n)) ** 0.5
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == n else middle + half
    return Estimate(value=share, low=low, high=high, n=n, groups=n, method="wilson")


def clopper_pearson(successes: int, n: int) -> Estimate:
    """A share of independent yes-or-no outcomes with Clopper and Pearson's 95 % interval (1934).

    Exact: it covers the true share at least 95 times in 100 whatever that is, at the price of being wider than Wilson's.

    Raises:
        ValueError: There are more successes than outcomes, or fewer than none.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n}")
    if n == 0:
        return Estimate(method="exact", reason="nothing to average")
    from scipy.special import betaincinv  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, 0.025))
    high = 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 0.975))
    return Estimate(value=successes / n, low=low, high=high, n=n, groups=n, method="exact")


def _numbered(groups: Sequence[Hashable]) -> list[int]:
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(group, len(seen)) for group in groups]


def _quantile(freedom: int) -> float:
    from scipy.special import stdtrit  # noqa: PLC0415 - heavy; lighter than scipy.stats

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
