"""Ratings as tables: confusion matrices of two raters, and counts by item and category of any number of raters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_CHUNK: Final = 65536
# A table of more categories takes over 32 MB.
_MOST: Final = 2000


def confusion(first: ArrayLike, second: ArrayLike, k: int | None = None) -> NDArray[np.int64]:
    """Count each pair of categories, with the first rater in rows and the second in columns.

    Args:
        first: Categories 0 … k-1 from the first rater, or the truth.
        second: Categories from the second rater, item by item.
        k: Number of categories; None for one more than the largest.

    Raises:
        ValueError: The lengths differ, or a category is not a whole number from 0 to k-1.
    """
    a, b = codes_of(first), codes_of(second)
    k = check_codes(a, b, k)
    counts = np.zeros(k * k, dtype=np.int64)
    for start in range(0, len(a), _CHUNK):
        part = slice(start, start + _CHUNK)
        counts += np.bincount(a[part] * k + b[part], minlength=k * k)
    return counts.reshape(k, k)


def counts_of(ratings: ArrayLike, k: int | None = None) -> NDArray[np.float64]:
    """Return counts, items × categories, from categories 0 … k-1, raters × items; negative or NaN if missing.

    Raises:
        ValueError: The ratings are not a table, or a category is not a whole number below k.
    """
    table = np.asarray(ratings)
    if table.ndim != 2:
        raise ValueError(f"ratings must be raters × items, not of {table.ndim} dimensions")
    given = np.isfinite(table) & (table >= 0)
    codes = codes_of(table[given])
    k = check_codes(codes, codes, k)
    return tally(np.nonzero(given)[1], codes, table.shape[1], k)


def codes_of(values: ArrayLike) -> NDArray[np.int64]:
    """Return categories as integers.

    Raises:
        ValueError: A category is not a whole number.
    """
    data = np.asarray(values).ravel()
    if data.dtype.kind in "iub":
        return data.astype(np.int64, copy=False)
    if data.size == 0:
        return np.zeros(0, dtype=np.int64)
    if data.dtype.kind != "f" or not (np.isfinite(data).all() and (data == np.floor(data)).all()):
        raise ValueError("categories must be whole numbers; number your labels first")
    return data.astype(np.int64)


def check_codes(first: NDArray[np.int64], second: NDArray[np.int64], k: int | None) -> int:
    """Return the number of categories, ``k`` if given.

    Raises:
        ValueError: The lengths differ, a code is not from 0 to k-1, or there are too many categories.
    """
    if len(first) != len(second):
        raise ValueError(
            f"every item needs a category from both raters, but there are {len(first)} and {len(second)} categories"
        )
    top = max(int(first.max()), int(second.max())) if len(first) else -1
    many = top + 1 if k is None else k
    if top >= many or (len(first) and min(int(first.min()), int(second.min())) < 0):
        raise ValueError(f"categories must be from 0 to {many - 1}")
    if many > _MOST:
        raise ValueError(f"{many} categories are too many; number those that occur from 0, at most {_MOST}")
    return many


def square(matrix: ArrayLike) -> NDArray[np.float64]:
    """Return a checked confusion matrix.

    Raises:
        ValueError: The matrix is not square, or a number is negative or not finite.
    """
    table = np.asarray(matrix, dtype=float)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"a confusion matrix must be square, not {' × '.join(map(str, table.shape))}")
    if not np.isfinite(table).all() or (table < 0).any():
        raise ValueError("a confusion matrix must hold finite counts of 0 or more")
    return table


def checked_counts(counts: ArrayLike) -> NDArray[np.float64]:
    """Return checked counts, items × categories.

    Raises:
        ValueError: The counts are not a table of whole numbers of 0 or more.
    """
    table = np.asarray(counts, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"counts must be items × categories, not of {table.ndim} dimensions")
    if not np.isfinite(table).all() or (table < 0).any() or (table != np.floor(table)).any():
        raise ValueError("counts must be whole numbers of 0 or more")
    return table


def tally(items: NDArray[np.int64], codes: NDArray[np.int64], size: int, k: int) -> NDArray[np.float64]:
    """Count the ratings by item and category, ``[size, k]``."""
    return np.bincount(items * k + codes, minlength=size * k).astype(float).reshape(size, k)
