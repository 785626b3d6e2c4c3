"""Correlations with 95 % intervals; for too few or constant points they are missing and ``reason`` says why.

Intervals are computed on Fisher's z, with the standard error that fits each coefficient: 1/sqrt(n-3) for Pearson's r,
sqrt((1 + rho²/2)/(n-3)) for Spearman's rho (Bonett and Wright 2000), sqrt(0.437/(n-4)) for Kendall's tau (Fieller,
Hartley and Pearson 1957).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Final

import numpy as np

from assay.measures.inputs import paired_values
from assay.measures.intervals import Estimate, Method

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NORMAL: Final = 1.959963984540054
_FEWEST: Final = 3
# Up to this many points, the test enumerates all orders (5,040).
_EXACT: Final = 7
# Below this share of their size, differences between values are rounding.
_ROUNDING: Final = 1e-13


class Correlation(Estimate, frozen=True, kw_only=True):
    """A correlation, -1 to 1, with its interval.

    Attributes:
        p: Two-sided p value against no correlation, or None.
    """

    method: Method = "fisher"
    p: float | None = None


def pearson(x: Sequence[float], y: Sequence[float], *, spent: int = 0) -> Correlation:
    """Return Pearson's r; p from Student's t on n - 2 degrees of freedom.

    Args:
        x: First value of each point.
        y: Second value of each point.
        spent: Degrees of freedom already used, for example by subtracting group means.

    Raises:
        ValueError: The two have different lengths, or a value is not finite.
    """
    a, b, reason = _checked(x, y)
    if reason:
        return Correlation(n=len(a), clusters=len(a), reason=reason)
    value = _product(a, b)
    free = len(a) - spent
    if free < _FEWEST:
        return Correlation(value=value, n=len(a), clusters=len(a), reason="too few points for an interval")
    return _with_interval(value, len(a), 1 / (free - 3) if free > 3 else None, _student(value, free))


def spearman(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Return Spearman's rho with mean ranks for ties; p over all orders for few points, else from Student's t (n - 2).

    Raises:
        ValueError: The two have different lengths, or a value is not finite.
    """
    a, b, reason = _checked(x, y)
    n = len(a)
    if reason:
        return Correlation(n=n, clusters=n, reason=reason)
    first, second = _ranks(a), _ranks(b)
    value = _product(first, second)
    p = _over_orders(first, second) if n <= _EXACT else _student(value, n)
    return _with_interval(value, n, (1 + value**2 / 2) / (n - 3) if n > 3 else None, p)


def kendall(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Return Kendall's tau-b; p exact for few points without ties, else from the normal distribution.

    Raises:
        ValueError: The two have different lengths, or a value is not finite.
    """
    a, b, reason = _checked(x, y)
    n = len(a)
    if reason:
        return Correlation(n=n, clusters=n, reason=reason)
    from scipy.stats import kendalltau  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    result = kendalltau(a, b)
    value = max(-1.0, min(1.0, float(result.statistic)))
    return _with_interval(value, n, 0.437 / (n - 4) if n > 4 else None, float(result.pvalue))


def _checked(x: Sequence[float], y: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.float64], str]:
    a, b = paired_values(x, y)
    if len(a) < _FEWEST:
        return a, b, f"{len(a)} {'point' if len(a) == 1 else 'points'}; it takes {_FEWEST}"
    for name, data in (("the first values", a), ("the second values", b)):
        largest = float(np.abs(data).max())
        if largest == 0 or float((data / largest).max() - (data / largest).min()) <= _ROUNDING:
            return a, b, f"{name} do not vary"
    return a, b, ""


def _product(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    def unit(data: NDArray[np.float64]) -> NDArray[np.float64]:
        # Scaled first, because squares of huge or tiny values leave the range of floats.
        scaled = data / np.abs(data).max()
        centred = scaled - scaled.mean()
        centred = centred / np.abs(centred).max()
        return np.asarray(centred / np.sqrt(np.square(centred).sum()))

    return max(-1.0, min(1.0, float(unit(a) @ unit(b))))


def _ranks(data: NDArray[np.float64]) -> NDArray[np.float64]:
    _, inverse, counts = np.unique(data, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[inverse], dtype=float)


def _over_orders(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return the share of orders of the second values that correlate at least as strongly with the first."""
    orders = np.array(list(permutations(b - b.mean())))
    sums = np.abs(orders @ (a - a.mean()))
    return float(np.mean(sums >= sums[0] - 1e-9))


def _student(value: float, n: int) -> float:
    from scipy.special import stdtr  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy; lighter than scipy.stats

    left = (1 - value) * (1 + value)
    if left <= 0:
        return 0.0
    return float(2 * stdtr(n - 2, -abs(value) * math.sqrt((n - 2) / left)))


def _with_interval(value: float, n: int, variance: float | None, p: float) -> Correlation:
    if variance is None:
        return Correlation(value=value, p=p, n=n, clusters=n, reason="too few points for an interval")
    if abs(value) >= 1 - 1e-12:
        # Fisher's z is infinite, and an interval of no width would claim certainty.
        return Correlation(
            value=value, p=p, n=n, clusters=n, reason="the points agree perfectly; no interval"
        )
    middle, half = math.atanh(value), _NORMAL * math.sqrt(variance)
    return Correlation(
        value=value, low=math.tanh(middle - half), high=math.tanh(middle + half), p=p, n=n, clusters=n
    )
