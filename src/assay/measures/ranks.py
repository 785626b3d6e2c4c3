"""Bootstrap intervals of rank correlations for scores with too many distinct values for a table of counts."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from assay.measures.bootstrap import percentile_interval
from assay.measures.grouped import numbered
from assay.measures.inputs import paired_values
from assay.measures.intervals import Estimate, too_few

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

_FEWEST: Final = 3
# Largest number of draws × items; beyond it, the number of draws falls to no less than _LEAST.
_WORK: Final = {"spearman": 50_000_000, "kendall": 10_000_000}
_LEAST: Final = 200
_MOST: Final = {"spearman": 5_000_000, "kendall": 100_000}


def bootstrap_ranks(
    first: ArrayLike,
    second: ArrayLike,
    groups: ArrayLike | Sequence[Hashable] | None = None,
    *,
    kind: Literal["spearman", "kendall"] = "spearman",
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Return Spearman's rho or Kendall's tau-b with a percentile interval over groups drawn with replacement.

    Ranks are computed anew for every resample. From 50,000 items for rho and 10,000 for tau, there are fewer draws (at
    least 200); from 5,000,000 and 100,000 there is no interval, and ``reason`` says so. For scores with up to 64
    distinct values, :func:`assay.measures.bootstrap.clustered` has no such limits.

    Raises:
        ValueError: The lengths differ, a score is not finite, or the kind, draws or level are invalid.
    """
    a, b = paired_values(first, second)
    if kind not in _WORK or draws < 1 or not 0 < level < 1:
        raise ValueError(
            "kind must be spearman or kendall, draws at least 1 and level between 0 and 1, not "
            f"{kind!r}, {draws}, {level}"
        )
    n = len(a)
    index, many = (np.arange(n), n) if groups is None else numbered(groups, n)
    fields: dict[str, Any] = {"n": n, "clusters": many, "method": "bootstrap"}
    if n < _FEWEST:
        return Estimate(
            **fields, reason=f"{n} {'point' if n == 1 else 'points'}; at least {_FEWEST} are needed"
        )
    (x, wide), (y, high) = numbered(a), numbered(b)
    if wide < 2 or high < 2:
        return Estimate(**fields, reason=f"the {'first' if wide < 2 else 'second'} scores do not vary")

    def once(times: Array) -> float:
        if kind == "spearman":
            return _spearman(x, y, wide, high, times)
        whole = np.repeat(np.arange(n), times.astype(np.int64))
        return _kendall(x[whole], y[whole])

    value = once(np.ones(n))
    if reason := too_few(many):
        return Estimate(value=value, **fields, reason=reason)
    if n > _MOST[kind]:
        return Estimate(value=value, **fields, reason=f"no interval for more than {_MOST[kind]:,} items")
    random = np.random.default_rng(seed)
    drawn = np.empty(min(draws, max(_LEAST, _WORK[kind] // n)))
    for at in range(len(drawn)):
        times = np.bincount(random.integers(0, many, size=many), minlength=many)
        drawn[at] = once(times[index].astype(float))
    return percentile_interval(value, drawn, level, fields)


def _spearman(x: NDArray[np.int64], y: NDArray[np.int64], wide: int, high: int, times: Array) -> float:
    """Return Pearson's r of mid-ranks, with every item taken ``times`` times; nothing is sorted again."""

    def ranks(codes: NDArray[np.int64], many: int) -> tuple[Array, float]:
        margin = np.bincount(codes, weights=times, minlength=many)
        middle = np.cumsum(margin) - (margin + margin.sum()) / 2
        return middle, float((margin * middle**2).sum())

    (first, one), (second, other) = ranks(x, wide), ranks(y, high)
    if one <= 0 or other <= 0:
        return float("nan")
    across = float((times * first[x]) @ second[y]) / math.sqrt(one * other)
    return max(-1.0, min(1.0, across))


def _kendall(x: NDArray[np.int64], y: NDArray[np.int64]) -> float:
    from scipy.stats import kendalltau  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    if x.min() == x.max() or y.min() == y.max():
        return float("nan")
    return float(kendalltau(x, y, method="asymptotic").statistic)
