"""Tables of sums by group, from which the bootstrap draws."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from assay.measures.inputs import paired_values
from assay.measures.tabulate import check_codes, codes_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

MOMENTS: Final = ("n", "x", "y", "xx", "yy", "xy", "|x-y|", "(x-y)²", "x-y")
"""The columns of :func:`moment_tables`."""

# Tables with more numbers in total are kept sparse (32 MB).
_DENSE: Final = 4_000_000
_CHUNK: Final = 65536
_FEW: Final = 64


class Tables:
    """One table of sums for each group, dense or sparse.

    Attributes:
        shape: Shape of one table.
        groups: Number of groups.
        items: Number of items.
        counts: Number of groups with each row.
        pairs: Whether rows are in the order of groups, so that they can be paired with others; not if equal tables have
            been counted.
    """

    def __init__(
        self,
        rows: Any,
        shape: tuple[int, ...],
        counts: NDArray[np.int64],
        items: int,
        *,
        pairs: bool = False,
    ) -> None:
        """Keep rows ``[distinct groups, cells]``: an array or a SciPy sparse matrix."""
        self.pairs = pairs
        self._rows = rows
        self.shape = shape
        self.counts = counts
        self.groups = int(counts.sum())
        self.items = items

    @classmethod
    def of(cls, tables: ArrayLike, items: int | None = None) -> Tables:
        """Wrap an array ``[groups, …]``.

        Raises:
            ValueError: The array is not a table of finite numbers.
        """
        data = np.asarray(tables, dtype=float)
        if data.ndim < 2 or not np.isfinite(data).all():
            raise ValueError("tables must be finite numbers, one row or table for each group")
        groups = len(data)
        rows = data.reshape(groups, int(np.prod(data.shape[1:])))
        ones = np.ones(groups, dtype=np.int64)
        return cls(rows, data.shape[1:], ones, groups if items is None else items, pairs=True)

    def total(self) -> Array:
        """Return the sum over all groups."""
        return np.asarray(self.sums(self.counts.astype(float)[None, :])[0])

    def sums(self, many: Array) -> Array:
        """Return weighted sums of rows: weights ``[draws, rows]`` give sums ``[draws, …]``."""
        # A sparse matrix multiplies from the left only.
        result = many @ self._rows if isinstance(self._rows, np.ndarray) else (self._across @ many.T).T
        return np.asarray(result).reshape(len(many), *self.shape)

    def beside(self, other: Tables) -> Tables:
        """Pair the tables of the same groups as ``[2, …]``: these, then the others.

        Raises:
            ValueError: Shapes or groups differ, or equal tables have been counted.
        """
        if self.shape != other.shape or self.groups != other.groups:
            raise ValueError(
                f"paired tables need the same groups and shape, not {self.groups} of {self.shape} and "
                f"{other.groups} of "
                f"{other.shape}"
            )
        if not (self.pairs and other.pairs):
            raise ValueError("tables without groups do not pair; number the items as groups")
        if isinstance(self._rows, np.ndarray) and isinstance(other._rows, np.ndarray):
            rows: Any = np.concatenate([self._rows, other._rows], axis=1)
        else:
            from scipy.sparse import hstack  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

            rows = hstack([self._rows, other._rows], format="csr")
        return Tables(rows, (2, *self.shape), self.counts, self.items, pairs=True)

    def distinct(self) -> Tables | None:
        """Return the distinct tables with their counts; None if hardly any are equal."""
        if not self.pairs or not self.groups:
            return self
        cells = int(np.prod(self.shape))
        # Equal rows have equal sums with random weights; the reverse is checked below.
        key = self._rows @ np.random.default_rng(0).random(cells)
        _, first, place, counts = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        if len(first) * 2 > self.groups:
            return None
        kept = self._rows[first]
        if isinstance(kept, np.ndarray):
            for start in range(0, self.groups, _CHUNK):
                if (self._rows[start : start + _CHUNK] != kept[place.ravel()[start : start + _CHUNK]]).any():
                    return None
        elif (self._rows != kept[place.ravel()]).nnz:
            return None
        return Tables(kept, self.shape, counts.astype(np.int64), self.items)

    @functools.cached_property
    def _across(self) -> Any:
        return self._rows.T.tocsr()


def share_tables(values: ArrayLike, groups: ArrayLike | Sequence[Hashable] | None = None) -> Tables:
    """Return sum and number of values by group, ``[groups, 2]``.

    Raises:
        ValueError: A value is not finite, or the numbers of values and groups differ.
    """
    data = np.asarray(values).ravel()
    if data.dtype.kind == "f" and not np.isfinite(data).all():
        raise ValueError("a value is not finite")
    if groups is None:
        scale, counts = np.unique(data, return_counts=True)
        if len(scale) > max(_FEW, data.size // 32):
            # If hardly any are equal, counting them slows down the draws.
            return Tables.of(np.stack([data.astype(float), np.ones(data.size)], axis=1))
        rows = np.stack([scale.astype(float), np.ones(len(scale))], axis=1)
        return Tables(rows, (2,), counts.astype(np.int64), data.size)
    index, many = numbered(groups, data.size)
    sums = np.zeros((2, many))
    # In chunks, because bincount copies its weights as 8-byte numbers.
    step = max(_CHUNK, many)
    for start in range(0, data.size, step):
        part = slice(start, start + step)
        sums[0] += np.bincount(index[part], weights=data[part], minlength=many)
        sums[1] += np.bincount(index[part], minlength=many)
    return Tables.of(sums.T, data.size)


def confusion_tables(
    first: ArrayLike,
    second: ArrayLike,
    groups: ArrayLike | Sequence[Hashable] | None = None,
    k: int | None = None,
) -> Tables:
    """Return a confusion matrix for each group, ``[groups, k, k]``, with the first in rows.

    Raises:
        ValueError: The lengths differ, or a category is not a whole number from 0 to k-1.
    """
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - heavy

    a, b = codes_of(first), codes_of(second)
    k = check_codes(a, b, k)
    cells = a * k + b
    if groups is None:
        counts = np.bincount(cells, minlength=k * k)
        used = np.nonzero(counts)[0]
        one = csr_matrix((np.ones(len(used)), (np.arange(len(used)), used)), shape=(len(used), k * k))
        small = len(used) * k * k <= _DENSE
        return Tables(one.toarray() if small else one, (k, k), counts[used], len(a))
    index, many = numbered(groups, len(a))
    if many * k * k <= _DENSE:
        sums = np.bincount(index * (k * k) + cells, minlength=many * k * k)
        return Tables.of(sums.reshape(many, k, k), len(a))
    sparse = csr_matrix((np.ones(len(a)), (index, cells)), shape=(many, k * k))
    sparse.sum_duplicates()
    return Tables(sparse, (k, k), np.ones(many, dtype=np.int64), len(a), pairs=True)


def moment_tables(
    first: ArrayLike, second: ArrayLike, groups: ArrayLike | Sequence[Hashable] | None = None
) -> Tables:
    """Return sums by group of the terms in :data:`MOMENTS`, ``[groups, 9]``.

    x and y are centred over all items, so that large scores lose no digits; x - y uses the scores as they are.

    Raises:
        ValueError: A score is not finite, or not equally many.
    """
    a, b = paired_values(first, second)
    index, many = (np.arange(len(a)), len(a)) if groups is None else numbered(groups, len(a))
    difference = a - b
    x, y = (a - a.mean(), b - b.mean()) if len(a) else (a, b)
    columns = [np.bincount(index, minlength=many).astype(float)]
    columns += [np.bincount(index, weights=each, minlength=many) for each in (x, y, x * x, y * y, x * y)]
    columns += [
        np.bincount(index, weights=each, minlength=many)
        for each in (abs(difference), difference * difference, difference)
    ]
    return Tables.of(np.stack(columns, axis=1), len(a))


def numbered(groups: ArrayLike | Sequence[Hashable], n: int | None = None) -> tuple[NDArray[np.int64], int]:
    """Return the index of each item's group and the number of groups; sorted if the groups are a numeric array.

    Args:
        groups: Group of each item.
        n: Expected number of items.

    Raises:
        ValueError: There are not n groups.
    """
    if isinstance(groups, np.ndarray) and groups.dtype.kind in "iubf":
        data = groups.ravel()
        if (
            data.dtype.kind in "iu"
            and data.size
            and int(data.min()) >= 0
            and int(data.max()) <= 4 * data.size
        ):
            # Small whole numbers can be counted without sorting.
            data = data.astype(np.int64, copy=False)
            used = np.bincount(data) > 0
            # Whole numbers without gaps are indices already.
            index, many = data if used.all() else (np.cumsum(used) - 1)[data], int(used.sum())
        else:
            scale, index = np.unique(data, return_inverse=True)
            index, many = index.ravel(), len(scale)
    else:
        seen: dict[Hashable, int] = {}
        listed: list[Hashable] = list(groups)  # type: ignore[arg-type]
        index = np.fromiter((seen.setdefault(group, len(seen)) for group in listed), np.int64, len(listed))
        many = len(seen)
    if n is not None and len(index) != n:
        raise ValueError(f"every item needs a group, but there are {n} items and {len(index)} groups")
    return index, many
