"""Ratings as tables: confusion matrices of two raters, counts by item and category of any number of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_CHUNK: Final = 65536
# A table of more categories than this is 32 MB, and nobody looks at it.
_MOST: Final = 2000


def confusion(first: ArrayLike, second: ArrayLike, k: int | None = None) -> NDArray[np.int64]:
    """How often each pair of categories was given: rows by the first, columns by the second.

    Args:
        first: Categories 0 … k-1; the truth where there is one.
        second: Those the other gave, item by item.
        k: Categories; one more than the largest seen where None.

    Raises:
        ValueError: Not equally many, not whole numbers, below 0 or not below k.
    """
    a, b = codes_of(first), codes_of(second)
    k = check_codes(a, b, k)
    found = np.zeros(k * k, dtype=np.int64)
    for start in range(0, len(a), _CHUNK):
        part = slice(start, start + _CHUNK)
        found += np.bincount(a[part] * k + b[part], minlength=k * k)
    return found.reshape(k, k)


def counts_of(ratings: ArrayLike, k: int | None = None) -> NDArray[np.float64]:
    """Counts, items × categories, of categories 0 … k-1 given by raters × items; below 0 or NaN where missing.

    Raises:
        ValueError: Not two-dimensional, not whole numbers, or not below k.
    """
    table = np.asarray(ratings)
    if table.ndim != 2:
        raise ValueError(f"ratings must be raters × items, not of {table.ndim} dimensions")
    given = np.isfinite(table) & (table >= 0)
    codes = codes_of(table[given])
    k = check_codes(codes, codes, k)
    return tally(np.nonzero(given)[1], codes, table.shape[1], k)


def codes_of(values: ArrayLike) -> NDArray[np.int64]:
    """Categories as whole numbers.

    Raises:
        ValueError: One is not.
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
    """How many categories there are, which is ``k`` where it is given.

    Raises:
        ValueError: Not equally many codes, one below 0 or not below k, or more categories than make a table.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} categories beside {len(second)}")
    top = max(int(first.max()), int(second.max())) if len(first) else -1
    many = top + 1 if k is None else k
    if top >= many or (len(first) and min(int(first.min()), int(second.min())) < 0):
        raise ValueError(f"categories must be 0 to {many - 1}")
    if many > _MOST:
        raise ValueError(f"{many} categories; number those there are, from 0: at most {_MOST}")
    return many


def square(matrix: ArrayLike) -> NDArray[np.float64]:
    """A confusion matrix, checked.

    Raises:
        ValueError: Not a square matrix of finite numbers not below 0.
    """
    table = np.asarray(matrix, dtype=float)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"a confusion matrix is square, not {' × '.join(map(str, table.shape))}")
    if not np.isfinite(table).all() or (table < 0).any():
        raise ValueError("a confusion matrix holds counts from 0")
    return table


def checked_counts(counts: ArrayLike) -> NDArray[np.float64]:
    """Counts, items × categories, checked.

    Raises:
        ValueError: Not two-dimensional, or counts that are not whole numbers from 0.
    """
    table = np.asarray(counts, dtype=float)
    if table.ndim != 2:
        raise ValueError(f"counts must be items × categories, not of {table.ndim} dimensions")
    if not np.isfinite(table).all() or (table < 0).any() or (table != np.floor(table)).any():
        raise ValueError("counts must be whole numbers from 0")
    return table


def tally(items: NDArray[np.int64], codes: NDArray[np.int64], size: int, k: int) -> NDArray[np.float64]:
    """How often each item got each category, ``[size, k]``, of one item and one category a rating."""
    return np.bincount(items * k + codes, minlength=size * k).astype(float).reshape(size, k)
