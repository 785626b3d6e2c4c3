"""Statistics that are functions of sums over items, computed for many sums at once.

The last axes of a table hold the sums; leading axes are arbitrary: none for one data set, one for bootstrap resamples.
An undefined statistic is NaN without a warning, which callers in this package turn into a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Weights = Literal["none", "linear", "quadratic", "ordinal"]
Level = Literal["nominal", "ordinal", "interval", "ratio"]


def share(sums: Array) -> Array:
    """Return a share or mean from sums and counts, ``[..., 2]``."""
    return over(sums[..., 0], sums[..., 1])


def observed_confusion(tables: Array) -> Array:
    """Return the share on the diagonal of confusion matrices ``[..., k, k]``."""
    return over(np.trace(tables, axis1=-2, axis2=-1), tables.sum(axis=(-2, -1)))


def similarity(k: int, weights: Weights, values: Sequence[float] | None = None) -> Array:
    """Return how much each pair of categories counts as agreement, 0 to 1, ``[k, k]``.

    ``none``: 1 for the same, else 0. ``linear``: 1 - d/D with d the distance and D the largest. ``quadratic``:
    1 - (d/D)². ``ordinal``: 1 - C(d+1, 2)/C(k, 2) over positions (Gwet 2014, 3.5).

    Args:
        k: Number of categories.
        weights: Name of the weights.
        values: Values of the categories for linear and quadratic weights; None for 0, 1, 2 …

    Raises:
        ValueError: The name is unknown, or values are not k distinct finite numbers.
    """
    if weights not in get_args(Weights):
        raise ValueError(f"weights must be one of {', '.join(get_args(Weights))}, not {weights!r}")
    if weights == "none" or k < 2:
        return np.eye(k)
    at = np.arange(k, dtype=float)
    if values is not None and weights != "ordinal":
        at = np.asarray(values, dtype=float)
        if at.shape != (k,) or not np.isfinite(at).all() or len(np.unique(at)) != k:
            raise ValueError(f"values must be {k} distinct finite numbers, one for each category")
    apart = np.abs(at[:, None] - at[None, :])
    if weights == "ordinal":
        apart = apart * (apart + 1)
    apart = apart / apart.max()
    return np.asarray(1 - (apart**2 if weights == "quadratic" else apart))


def kappa(tables: Array, weights: Array) -> Array:
    """Return Cohen's κ (1960, 1968) of confusion matrices ``[..., k, k]`` under a similarity ``[k, k]``."""
    n = tables.sum(axis=(-2, -1))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    seen = over((tables * weights).sum(axis=(-2, -1)), n)
    chance = over(((rows @ weights) * columns).sum(axis=-1), n * n)
    return beyond(seen, chance)


def ac_confusion(tables: Array, weights: Array) -> Array:
    """Return Gwet's AC (2008, 2014) of confusion matrices ``[..., k, k]`` under a similarity ``[k, k]``."""
    n = tables.sum(axis=(-2, -1))
    seen = over((tables * weights).sum(axis=(-2, -1)), n)
    shares = over((tables.sum(axis=-1) + tables.sum(axis=-2)) / 2, np.asarray(n)[..., None])
    return beyond(seen, _ac_chance(shares, weights))


def ac_parts(parts: Array, weights: Array) -> Array:
    """Return Gwet's AC from ``[..., k + 3]``: see :func:`assay.measures.kappas.rating_parts`."""
    seen, shares = _of_parts(parts)
    return beyond(seen, _ac_chance(shares, weights))


def fleiss_parts(parts: Array, weights: Array) -> Array:
    """Return Fleiss' κ from ``[..., k + 3]``: see :func:`assay.measures.kappas.rating_parts`."""
    seen, shares = _of_parts(parts)
    return beyond(seen, ((shares @ weights) * shares).sum(axis=-1))


def alpha(tables: Array, level: Level, values: Array) -> Array:
    """Return Krippendorff's α (2011) of coincidence matrices ``[..., v, v]`` whose categories have ``values``.

    α = 1 - (n - 1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck. The ordinal metric, the squared distance of mid-ranks, depends on
    the margins and is computed for every table.
    """
    margins = tables.sum(axis=-1)
    n = margins.sum(axis=-1)
    if level == "ordinal":
        ranks = np.cumsum(margins, axis=-1) - margins / 2
        # Σ o δ² and Σ n n δ² with δ² = (r_c - r_k)², without a v × v metric for each table.
        square = (margins * ranks**2).sum(axis=-1)
        cross = (ranks * (tables @ ranks[..., None])[..., 0]).sum(axis=-1)
        seen = 2 * (square - cross)
        chance = 2 * (n * square - (margins * ranks).sum(axis=-1) ** 2)
        # Rounding of the difference of two large sums is not disagreement.
        seen = np.where(np.abs(seen) <= 1e-12 * np.abs(square), 0.0, seen)
        chance = np.where(np.abs(chance) <= 1e-12 * np.abs(n * square), 0.0, chance)
    else:
        metric = distance(level, values)
        seen = (tables * metric).sum(axis=(-2, -1))
        chance = ((margins @ metric) * margins).sum(axis=-1)
    return np.asarray(1 - over((n - 1) * seen, chance))


def distance(level: Level, values: Array) -> Array:
    """Return Krippendorff's δ² between values for all levels but the ordinal, whose δ² needs the margins."""
    if level == "nominal":
        return np.asarray(1 - np.eye(len(values)))
    apart = values[:, None] - values[None, :]
    if level == "interval":
        return np.asarray(apart**2)
    total = values[:, None] + values[None, :]
    return np.asarray(np.where(total == 0, 0.0, apart / np.where(total == 0, 1.0, total)) ** 2)


def macro_f1(tables: Array, classes: int | None = None) -> Array:
    """Return the mean F1 over the first classes that occur, from confusion matrices ``[..., k, k]``, truth in rows."""
    hits = np.diagonal(tables, axis1=-2, axis2=-1)[..., :classes]
    both = (tables.sum(axis=-1) + tables.sum(axis=-2))[..., :classes]
    scores = np.where(both > 0, 2 * hits / np.where(both > 0, both, 1), 0.0)
    return over(scores.sum(axis=-1), (both > 0).sum(axis=-1).astype(float))


def pearson(moments: Array) -> Array:
    """Return Pearson's r from :data:`assay.measures.grouped.MOMENTS` ``[..., 9]``."""
    n, x, y, xx, yy, xy = (moments[..., at] for at in range(6))
    across = n * xy - x * y
    first, second = n * xx - x * x, n * yy - y * y
    flat = (first <= 1e-13 * n * xx) | (second <= 1e-13 * n * yy)
    product = np.where(flat, np.nan, first * second)
    return np.asarray(np.clip(across / np.sqrt(product), -1, 1))


def mean_absolute(moments: Array) -> Array:
    """Return the mean of |x - y| from moments."""
    return over(moments[..., 6], moments[..., 0])


def root_mean_square(moments: Array) -> Array:
    """Return sqrt(mean (x - y)²) from moments."""
    return np.asarray(np.sqrt(over(moments[..., 7], moments[..., 0])))


def mean_signed(moments: Array) -> Array:
    """Return the mean of x - y from moments."""
    return over(moments[..., 8], moments[..., 0])


def spearman(tables: Array) -> Array:
    """Return Spearman's rho of contingency tables ``[..., a, b]`` with ascending axes; ties at mid-ranks."""
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    n = rows.sum(axis=-1)
    first = np.cumsum(rows, axis=-1) - (rows + np.asarray(n)[..., None]) / 2
    second = np.cumsum(columns, axis=-1) - (columns + np.asarray(n)[..., None]) / 2
    across = (first * (tables @ second[..., None])[..., 0]).sum(axis=-1)
    product = (rows * first**2).sum(axis=-1) * (columns * second**2).sum(axis=-1)
    return np.asarray(np.clip(over(across, np.sqrt(product)), -1, 1))


def kendall(tables: Array) -> Array:
    """Return Kendall's tau-b of contingency tables ``[..., a, b]`` with ascending rows and columns."""
    # For each cell, the sums of cells in later rows, strictly to its right and strictly to its left.
    after = np.flip(np.cumsum(np.flip(tables, -2), axis=-2), -2)[..., 1:, :]
    upto = np.cumsum(after, axis=-1)
    left = upto - after
    right = upto[..., -1:] - upto
    balance = (tables[..., :-1, :] * (right - left)).sum(axis=(-2, -1))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    n = rows.sum(axis=-1)
    product = (n * n - (rows**2).sum(axis=-1)) * (n * n - (columns**2).sum(axis=-1))
    return np.asarray(np.clip(over(2 * balance, np.sqrt(product)), -1, 1))


def over(top: Array | np.float64, bottom: Array | np.float64) -> Array:
    """Return a quotient; NaN if the divisor is 0."""
    bottom = np.asarray(bottom, dtype=float)
    return np.asarray(np.asarray(top, dtype=float) / np.where(bottom == 0, np.nan, bottom))


def beyond(seen: Array | np.float64, chance: Array | np.float64) -> Array:
    """Return (seen - chance) / (1 - chance); NaN if chance is 1."""
    left = 1 - chance
    return over(seen - chance, np.where(left < 1e-12, 0.0, left))


def _ac_chance(shares: Array, weights: Array) -> Array:
    k = weights.shape[0]
    if k < 2:
        chance: Array = shares.sum(axis=-1)
        return chance
    expected: Array = weights.sum() / (k * (k - 1)) * (shares * (1 - shares)).sum(axis=-1)
    return expected


def _of_parts(parts: Array) -> tuple[Array, Array]:
    return over(parts[..., -3], parts[..., -2]), over(parts[..., :-3], parts[..., -1:])
