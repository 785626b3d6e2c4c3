"""Is one judge better than another on the same items? Tests that use the pairing, and the grouping where there is one."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import numpy as np

from assay.measures.grouped import numbered

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Up to so many groups all ways of swapping are gone through: 4,096.
_EXACT: Final = 12
_HELD: Final = 2_000_000
# More coins than this take too long to toss one by one; their sum is then normal to any precision that matters.
_TOSSES: Final = 200_000_000


class McNemar(msgspec.Struct, frozen=True, kw_only=True):
    """McNemar's test of two judges' hits on the same items.

    Attributes:
        first_only: Items that only the first got right.
        second_only: Items that only the second got right.
        p: Exact, two-sided; None where they never differ.
        mid_p: With half the probability of the outcome itself: less conservative, and hardly ever above its level
            (Fagerland, Lydersen and Laake 2013). The one to use by default.
        reason: Why there is no p.
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
        p: Two-sided; None where nothing differs.
        n: Items.
        groups: Groups that differ at all: what the test rests on. With g of them p cannot be below 2 / 2**g.
        method: All swaps gone through, swaps drawn at random, or the normal limit for very many groups.
        draws: Swaps gone through or drawn.
        reason: Why there is no p.
    """

    difference: float | None = None
    p: float | None = None
    n: int = 0
    groups: int = 0
    method: Literal["exact", "drawn", "normal"] = "exact"
    draws: int = 0
    reason: str = ""


def discordant(first: ArrayLike, second: ArrayLike) -> tuple[int, int]:
    """How many items only the first got right, and only the second; hits are true or 1.

    Raises:
        ValueError: Not equally many.
    """
    a, b = np.asarray(first).astype(bool).ravel(), np.asarray(second).astype(bool).ravel()
    if a.shape != b.shape:
        raise ValueError(f"{a.size} outcomes beside {b.size}")
    return int((a & ~b).sum()), int((~a & b).sum())


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """McNemar's exact test (1947): are the items that only one got right split evenly?

    It takes items for independent. Where they come in groups, :func:`paired_permutation` swaps whole groups.

    Raises:
        ValueError: A count is below 0.
    """
    if min(first_only, second_only) < 0:
        raise ValueError(f"{first_only} and {second_only} items")
    n, least = first_only + second_only, min(first_only, second_only)
    bare: dict[str, Any] = {"first_only": first_only, "second_only": second_only}
    if not n:
        return McNemar(**bare, reason="they never differ")
    from scipy.special import bdtr, gammaln  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    itself = math.exp(float(gammaln(n + 1) - gammaln(least + 1) - gammaln(n - least + 1)) - n * math.log(2))
    if first_only == second_only:
        # Both tails are everything; the outcome itself is in the middle once.
        return McNemar(**bare, p=1.0, mid_p=1 - itself / 2)
    tail = 2 * float(bdtr(least, n, 0.5))
    return McNemar(**bare, p=min(1.0, tail), mid_p=max(0.0, tail - itself))


def paired_permutation(
    first: ArrayLike,
    second: ArrayLike,
    groups: ArrayLike | Sequence[Hashable] | None = None,
    *,
    draws: int = 10_000,
    seed: int = 0,
) -> Permutation:
    """Had the two judges swapped names, group by group, how often would the mean difference be as large?

    Fisher's sign-flip test on the groups' summed differences. All 2**g ways for up to 12 groups that differ; else
    ``draws`` at random, with p = (1 + as large) / (1 + draws), which is never 0.

    Args:
        first: One judge's scores or hits.
        second: The other's, item by item.
        groups: The group of each item; each its own where None.
        draws: At random.
        seed: The same seed and values give the same p.

    Raises:
        ValueError: Not equally many, a score is not finite, or no draws.
    """
    a, b = np.asarray(first, dtype=float).ravel(), np.asarray(second, dtype=float).ravel()
    if len(a) != len(b):
        raise ValueError(f"{len(a)} scores beside {len(b)}")
    if draws < 1 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("a score is not finite, or no draws")
    n = len(a)
    if not n:
        return Permutation(reason="no items")
    sums = a - b
    if groups is not None:
        index, many = numbered(groups, n)
        sums = np.bincount(index, weights=sums, minlength=many)
    largest = float(np.abs(sums).max())
    # What rounding leaves of a sum of nothing is not a difference.
    sums = sums[np.abs(sums) > 1e-12 * largest] if largest else sums[:0]
    bare: dict[str, Any] = {"difference": float((a - b).mean()), "n": n, "groups": len(sums)}
    if not len(sums):
        return Permutation(**bare, reason="they never differ")
    seen = abs(float(sums.sum()))
    # A swap that gives the same difference must count, however floats add up.
    bar = seen - 1e-9 * float(np.abs(sums).sum())
    if len(sums) <= _EXACT:
        signs = 1 - 2 * ((np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums))) & 1)
        p = float(np.mean(np.abs(signs @ sums) >= bar))
        return Permutation(**bare, p=p, method="exact", draws=len(signs))
    sizes, counts = np.unique(np.abs(sums), return_counts=True)
    if len(sizes) * draws > _TOSSES:
        z = seen / math.sqrt(float((sums**2).sum()))
        return Permutation(**bare, p=math.erfc(z / math.sqrt(2)), method="normal")
    larger = _as_large(sizes, counts, bar, draws, seed)
    return Permutation(**bare, p=(1 + larger) / (1 + draws), method="drawn", draws=draws)


def _as_large(
    sizes: NDArray[np.float64], counts: NDArray[np.int64], bar: float, draws: int, seed: int
) -> int:
    """Random swaps with at least so large a sum; groups of one size are tossed together, by one binomial draw."""
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
