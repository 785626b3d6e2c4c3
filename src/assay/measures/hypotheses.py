"""Paired tests of whether one judge is better than another on the same items, also for items in groups."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import numpy as np

from assay.measures.grouped import numbered
from assay.measures.inputs import paired_values

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Up to this many groups, the test enumerates all swaps (4,096).
_EXACT: Final = 12
_HELD: Final = 2_000_000
# Beyond this many coin tosses, their sum is normal to any relevant precision.
_TOSSES: Final = 200_000_000


class McNemar(msgspec.Struct, frozen=True, kw_only=True):
    """McNemar's test of two judges on the same items.

    Attributes:
        first_only: Number of items that only the first got right.
        second_only: Number of items that only the second got right.
        p: Exact two-sided p value; None if the judges never differ.
        mid_p: Mid-p value, which is less conservative and rarely exceeds its level (Fagerland, Lydersen and Laake
            2013); the recommended one.
        reason: Reason for a missing p value, else empty.
    """

    first_only: int
    second_only: int
    p: float | None = None
    mid_p: float | None = None
    reason: str = ""


class Permutation(msgspec.Struct, frozen=True, kw_only=True):
    """A paired permutation test.

    Attributes:
        difference: Mean of first minus second over items; None without items.
        p: Two-sided p value; None if nothing differs.
        n: Number of items.
        groups: Number of groups with a difference, on which the test rests; p is at least 2 / 2**groups.
        method: All swaps (``exact``), random swaps (``drawn``), or the normal limit for very many groups.
        draws: Number of swaps.
        reason: Reason for a missing p value, else empty.
    """

    difference: float | None = None
    p: float | None = None
    n: int = 0
    groups: int = 0
    method: Literal["exact", "drawn", "normal"] = "exact"
    draws: int = 0
    reason: str = ""

    @property
    def least(self) -> float | None:
        """The smallest p value that so many groups can give; None without a test."""
        if not self.groups:
            return None
        return max(2.0 ** (1 - min(self.groups, 60)), 1 / (1 + self.draws) if self.method == "drawn" else 0.0)


def discordant(first: ArrayLike, second: ArrayLike) -> tuple[int, int]:
    """Count the items that only the first got right, and those that only the second got right.

    Raises:
        ValueError: The lengths differ.
    """
    a, b = np.asarray(first).astype(bool).ravel(), np.asarray(second).astype(bool).ravel()
    if a.shape != b.shape:
        raise ValueError(f"every item needs both judges, but there are {a.size} and {b.size} values")
    return int((a & ~b).sum()), int((~a & b).sum())


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """Run McNemar's exact test (1947) of whether the items that only one got right are split evenly.

    It assumes independent items; for items in groups, use :func:`paired_permutation`.

    Raises:
        ValueError: A count is negative.
    """
    if min(first_only, second_only) < 0:
        raise ValueError(f"counts must be 0 or more, not {first_only} and {second_only}")
    n, least = first_only + second_only, min(first_only, second_only)
    fields: dict[str, Any] = {"first_only": first_only, "second_only": second_only}
    if not n:
        return McNemar(**fields, reason="they never differ")
    from scipy.special import bdtr, gammaln  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    itself = math.exp(float(gammaln(n + 1) - gammaln(least + 1) - gammaln(n - least + 1)) - n * math.log(2))
    if first_only == second_only:
        # Both tails contain the observed value, which counts half.
        return McNemar(**fields, p=1.0, mid_p=1 - itself / 2)
    tail = 2 * float(bdtr(least, n, 0.5))
    return McNemar(**fields, p=min(1.0, tail), mid_p=max(0.0, tail - itself))


def paired_permutation(
    first: ArrayLike,
    second: ArrayLike,
    groups: ArrayLike | Sequence[Hashable] | None = None,
    *,
    draws: int = 10_000,
    seed: int = 0,
) -> Permutation:
    """Run a paired permutation test that swaps the two judges in whole groups.

    It is Fisher's sign-flip test on the groups' summed differences: all 2**g swaps for up to 12 groups that differ;
    else ``draws`` random swaps, with p = (1 + swaps with as large a difference) / (1 + draws), which is never 0.

    Args:
        first: One judge's scores, or 0 and 1.
        second: The other judge's scores, item by item.
        groups: Group of each item; None if each item is a group of its own.
        draws: Number of random swaps.
        seed: Seed of the draws.

    Raises:
        ValueError: The lengths differ, a score is not finite, or there are no draws.
    """
    a, b = paired_values(first, second)
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    n = len(a)
    if not n:
        return Permutation(reason="no items")
    sums: NDArray[np.float64] = a - b
    if groups is not None:
        index, many = numbered(groups, n)
        sums = np.bincount(index, weights=sums, minlength=many).astype(np.float64)
    largest = float(np.abs(sums).max())
    # Sums that are 0 up to rounding are not differences.
    sums = sums[np.abs(sums) > 1e-12 * largest] if largest else sums[:0]
    fields: dict[str, Any] = {"difference": float((a - b).mean()), "n": n, "groups": len(sums)}
    if not len(sums):
        return Permutation(**fields, reason="they never differ")
    observed = abs(float(sums.sum()))
    # Swaps with an equal difference must count despite rounding.
    bar = observed - 1e-9 * float(np.abs(sums).sum())
    if len(sums) <= _EXACT:
        signs = 1 - 2 * ((np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums))) & 1)
        p = float(np.mean(np.abs(signs @ sums) >= bar))
        return Permutation(**fields, p=p, method="exact", draws=len(signs))
    sizes, counts = np.unique(np.abs(sums), return_counts=True)
    if len(sizes) * draws > _TOSSES:
        z = observed / math.sqrt(float((sums**2).sum()))
        return Permutation(**fields, p=math.erfc(z / math.sqrt(2)), method="normal")
    larger = _as_large(sizes, counts, bar, draws, seed)
    return Permutation(**fields, p=(1 + larger) / (1 + draws), method="drawn", draws=draws)


def _as_large(
    sizes: NDArray[np.float64], counts: NDArray[np.int64], bar: float, draws: int, seed: int
) -> int:
    """Count random swaps with a sum of at least ``bar``; groups of equal size share one binomial draw."""
    random = np.random.default_rng(seed)
    held = max(1, _HELD // len(sizes))
    single = bool((counts == 1).all())
    larger = 0
    for start in range(0, draws, held):
        shape = (min(held, draws - start), len(sizes))
        if single:
            heads = random.integers(0, 2, size=shape, dtype=np.int8).astype(float)
        else:
            heads = random.binomial(counts, 0.5, size=shape).astype(float)
        larger += int((np.abs((2 * heads - counts) @ sizes) >= bar).sum())
    return larger
