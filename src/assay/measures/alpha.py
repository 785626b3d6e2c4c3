"""Krippendorff's α: agreement of any number of raters with missing ratings on any kind of scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from assay.measures import additive
from assay.measures.additive import Level
from assay.measures.coefficient import Coefficient
from assay.measures.tabulate import checked_counts, tally

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# With more distinct values, the matrix of value pairs becomes too large.
_MOST_VALUES: Final = 2000
_CHUNK: Final = 65536


def krippendorff_alpha(
    table: ArrayLike,
    level: Level = "nominal",
    *,
    kind: Literal["ratings", "counts"] = "ratings",
    values: Sequence[float] | None = None,
) -> Coefficient:
    """Return Krippendorff's α (2011): 1 - observed over expected disagreement.

    Items with fewer than two ratings are left out.

    Args:
        table: Ratings, raters × items, with NaN (or negative whole numbers) if missing; or counts, items × categories.
        level: Level of measurement: names, ranks, equal steps, or amounts with a true zero.
        kind: Which of the two the table holds.
        values: Values of the categories of counts, ascending; None for 0, 1, 2 …

    Raises:
        ValueError: The table is malformed, the level is unknown, a rating is infinite, an amount is negative, or there
            are more than 2,000 distinct values at the ratio level.
    """
    if level not in get_args(Level):
        raise ValueError(f"level must be one of {', '.join(get_args(Level))}, not {level!r}")
    if kind == "ratings":
        scale, items, codes, size = _coded(table)
        if len(scale) > _MOST_VALUES:
            if level == "ratio":
                raise ValueError(f"{len(scale)} distinct values are too many at this level; round them")
            return _alpha_by_sums(scale, items, codes, size, level)
        counts = tally(items, codes, size, len(scale))
    else:
        counts = checked_counts(table)
        scale = np.arange(counts.shape[1], dtype=float) if values is None else np.asarray(values, dtype=float)
        if scale.shape != (counts.shape[1],) or (level != "nominal" and (np.diff(scale) <= 0).any()):
            raise ValueError(f"values must be {counts.shape[1]} ascending numbers, one for each category")
    if level == "ratio" and len(scale) and float(scale.min()) < 0:
        raise ValueError("amounts must be 0 or more at the ratio level")
    sizes = counts.sum(axis=1)
    paired = sizes >= 2
    n, ratings = int(paired.sum()), int(sizes[paired].sum())
    if not n:
        return Coefficient(reason="no item has two ratings")
    return _alpha(float(additive.alpha(coincidences(counts), level, scale)), n, ratings)


def coincidences(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Krippendorff's coincidence matrix: each item's ordered pairs over its number of ratings - 1."""
    k = counts.shape[1]
    matrix = np.zeros((k, k))
    for start in range(0, len(counts), _CHUNK):
        part = counts[start : start + _CHUNK]
        sizes = part.sum(axis=1)
        each = np.where(sizes >= 2, 1 / np.maximum(sizes - 1, 1), 0.0)
        scaled = part * each[:, None]
        matrix += part.T @ scaled
        matrix[np.diag_indices(k)] -= scaled.sum(axis=0)
    # Rounding may leave tiny negative numbers.
    return np.asarray(np.maximum(matrix, 0.0))


def _alpha(value: float, n: int, ratings: int) -> Coefficient:
    if math.isnan(value):
        return Coefficient(n=n, ratings=ratings, reason="all ratings are equal")
    return Coefficient(value=value, n=n, ratings=ratings)


def _alpha_by_sums(
    scale: NDArray[np.float64], items: NDArray[np.int64], codes: NDArray[np.int64], size: int, level: Level
) -> Coefficient:
    """Return α for many distinct values from sums over items, without a matrix of value pairs."""
    sizes = np.bincount(items, minlength=size)
    keep = sizes[items] >= 2
    items, codes = items[keep], codes[keep]
    n, total = int((sizes >= 2).sum()), len(codes)
    if not n:
        return Coefficient(reason="no item has two ratings")
    margins = np.bincount(codes, minlength=len(scale)).astype(float)
    each = np.where(sizes >= 2, 1.0 / np.maximum(sizes - 1, 1), 0.0)
    if level == "nominal":
        pairs, many = np.unique(items * len(scale) + codes, return_counts=True)
        same = float((many * (many - 1.0) * each[pairs // len(scale)]).sum())
        seen, chance = total - same, float(total) ** 2 - float((margins**2).sum())
    else:
        points = (np.cumsum(margins) - margins / 2) if level == "ordinal" else scale
        # Centred, so that large values do not swallow their differences.
        points = points - float((points * margins).sum()) / total
        given = points[codes]
        # The sum over ordered pairs is 2m times an item's squared distances from its mean.
        means = np.bincount(items, weights=given, minlength=size) / np.maximum(sizes, 1)
        inner = np.bincount(items, weights=(given - means[items]) ** 2, minlength=size)
        seen = float((2 * sizes * inner * each).sum())
        chance = 2 * total * float((points**2 * margins).sum())
    return _alpha(1 - (total - 1) * seen / chance if chance > 0 else math.nan, n, total)


def _coded(
    table: ArrayLike,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], int]:
    """Return the distinct values, ascending; the item and value index of each rating; and the number of items."""
    ratings = np.asarray(table)
    if ratings.ndim != 2 or ratings.dtype.kind not in "iubf":
        raise ValueError("ratings must be a table of numbers, raters × items")
    given = ~np.isnan(ratings) if ratings.dtype.kind == "f" else ratings >= 0
    items = np.nonzero(given)[1]
    flat = ratings[given]
    if ratings.dtype.kind == "f" and not np.isfinite(flat).all():
        raise ValueError("a rating is infinite")
    if ratings.dtype.kind != "f" and flat.size and int(flat.max()) <= _MOST_VALUES:
        # Small whole numbers can be counted without sorting.
        seen = np.bincount(flat.astype(np.int64))
        place = np.cumsum(seen > 0) - 1
        return np.nonzero(seen)[0].astype(float), items, place[flat], ratings.shape[1]
    scale, codes = np.unique(flat.astype(float), return_inverse=True)
    return scale, items, codes.ravel(), ratings.shape[1]
