"""How far judges agree with people, or with each other: beyond chance, by class, in points.

Categories are whole numbers 0 … k-1, in the order of the scale where it has one. A coefficient that is not defined –
no items, one category only – has no value, and ``reason`` says why; it is never NaN and never a flattering 1. Intervals
are made in :mod:`assay.measures.bootstrap`, which resamples whole groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from assay.measures import additive
from assay.measures.additive import Weights
from assay.measures.coefficient import Coefficient
from assay.measures.tabulate import checked_counts, square

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class ClassScore(msgspec.Struct, frozen=True, kw_only=True):
    """How well one class is found.

    Attributes:
        precision: Share of its predictions that are true; None if it was never predicted.
        recall: Share of its true items that were predicted; None if it is never true.
        f1: Harmonic mean of the two, 0 where one is undefined; None if both are.
        support: How often it is true.
        predicted: How often it was predicted.
    """

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    support: int = 0
    predicted: int = 0


class MacroF1(msgspec.Struct, frozen=True, kw_only=True):
    """F1 by class and its unweighted mean.

    Attributes:
        value: Mean over the classes that occur, as truth or as prediction, 0 to 1; None where none does.
        classes: One for each class, in the order of the matrix; those that never occur are in it, without an F1.
        n: Items.
        reason: Why there is no value, or which classes it leaves out.
    """

    value: float | None = None
    classes: list[ClassScore] = msgspec.field(default_factory=list)
    n: int = 0
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def observed(first: ArrayLike, second: ArrayLike) -> Coefficient:
    """Share of items on which both say the same; any values that compare.

    Raises:
        ValueError: Not equally many.
    """
    a, b = np.asarray(first), np.asarray(second)
    if a.shape != b.shape:
        raise ValueError(f"{a.size} values beside {b.size}")
    if not a.size:
        return Coefficient(reason="no items")
    same = float(np.mean(a == b))
    return Coefficient(value=same, observed=same, n=a.size, ratings=2 * a.size)


def cohen_kappa(
    matrix: ArrayLike, weights: Weights = "none", *, values: Sequence[float] | None = None
) -> Coefficient:
    """Cohen's κ (1960) of a confusion matrix, weighted (1968) where asked: (p_o - p_e) / (1 - p_e).

    p_e is Σ w_ij p_i. p_.j, each rater keeping its own margins. See :func:`assay.measures.additive.similarity` for the
    weights; two categories make all weights the same.

    Args:
        matrix: k × k counts, as :func:`confusion` makes it.
        weights: How near misses count.
        values: What each category is worth; its position where None.

    Raises:
        ValueError: Not a square matrix of finite numbers not below 0, or bad weights.
    """
    table = square(matrix)
    n = float(table.sum())
    if n == 0:
        return Coefficient(reason="no items")
    w = additive.similarity(len(table), weights, values)
    seen = float((table * w).sum() / n)
    chance = float((table.sum(axis=1) @ w @ table.sum(axis=0)) / n / n)
    return _beyond(float(additive.kappa(table, w)), seen, chance, int(n), int(2 * n))


def gwet_ac(
    table: ArrayLike,
    weights: Weights = "none",
    *,
    kind: Literal["confusion", "counts"] = "confusion",
    values: Sequence[float] | None = None,
) -> Coefficient:
    """Gwet's AC1 (2008), or AC2 (2014) with weights: chance is T_w / (k(k-1)) Σ π_c (1 - π_c), T_w = Σ w.

    Unlike κ it does not fall when one category is common. Every category of the scale counts in k, used or not, so the
    table must have them all.

    Args:
        table: The confusion matrix of two raters, or counts, items × categories, of any number of them; an item that
            one of them left out then has fewer ratings. Items with a single rating count for chance alone, as in
            Gwet's treatment of missing ratings.
        weights: How near misses count.
        kind: Which of the two the table is.
        values: What each category is worth; its position where None.

    Raises:
        ValueError: Not such a table, or bad weights.
    """
    if kind == "counts":
        return _of_counts(table, weights, values, "ac")
    matrix = square(table)
    n = float(matrix.sum())
    if n == 0:
        return Coefficient(reason="no items")
    if len(matrix) < 2:
        return Coefficient(n=int(n), ratings=int(2 * n), reason="a scale of one category")
    w = additive.similarity(len(matrix), weights, values)
    seen = float((matrix * w).sum() / n)
    value = float(additive.ac_confusion(matrix, w))
    shares = (matrix.sum(axis=0) + matrix.sum(axis=1)) / 2 / n
    chance = float(w.sum() / (len(w) * (len(w) - 1)) * (shares * (1 - shares)).sum())
    return _beyond(value, seen, chance, int(n), int(2 * n))


def fleiss_kappa(
    counts: ArrayLike, weights: Weights = "none", *, values: Sequence[float] | None = None
) -> Coefficient:
    """Fleiss' κ (1971) of counts, items × categories: chance is Σ π_c², all raters sharing their margins.

    With an unequal number of ratings an item this is the generalised form (Gwet 2014, 5.3): agreement is averaged over
    the items with two ratings or more, and π is the mean over all rated items of an item's shares.

    Raises:
        ValueError: Not two-dimensional, or counts that are not whole numbers from 0.
    """
    return _of_counts(counts, weights, values, "fleiss")


def pairwise_agreement(
    counts: ArrayLike, *, by: Literal["items", "pairs"] = "items", weights: Weights = "none"
) -> Coefficient:
    """Share of pairs of ratings of the same item that agree, of counts, items × categories.

    Args:
        counts: Ratings by item and category.
        by: ``items``: the mean over items of each one's share, every item counting the same. ``pairs``: over all
            pairs, an item counting by the number of its pairs.
        weights: How near misses count.

    Raises:
        ValueError: Not two-dimensional, or counts that are not whole numbers from 0.
    """
    table = checked_counts(counts)
    sizes = table.sum(axis=1)
    paired = sizes >= 2
    n = int(paired.sum())
    if not n:
        return Coefficient(reason="no item has two ratings")
    table, sizes = table[paired], sizes[paired]
    w = additive.similarity(table.shape[1], weights)
    agreeing = (table * (table @ w - 1)).sum(axis=1)
    pairs = sizes * (sizes - 1)
    value = float(np.mean(agreeing / pairs)) if by == "items" else float(agreeing.sum() / pairs.sum())
    return Coefficient(value=value, observed=value, n=n, ratings=int(sizes.sum()))


def macro_f1(matrix: ArrayLike) -> MacroF1:
    """Precision, recall and F1 of every class of a confusion matrix, rows the truth, and the mean F1.

    Raises:
        ValueError: Not a square matrix of finite numbers not below 0.
    """
    table = square(matrix)
    n = int(table.sum())
    classes: list[ClassScore] = []
    for at in range(len(table)):
        hits, support, predicted = float(table[at, at]), float(table[at].sum()), float(table[:, at].sum())
        classes.append(
            ClassScore(
                precision=hits / predicted if predicted else None,
                recall=hits / support if support else None,
                f1=2 * hits / (support + predicted) if support + predicted else None,
                support=int(support),
                predicted=int(predicted),
            )
        )
    scores = [score.f1 for score in classes if score.f1 is not None]
    if not scores:
        return MacroF1(classes=classes, reason="no items")
    absent = [str(at) for at, score in enumerate(classes) if score.f1 is None]
    reason = f"never true and never predicted, left out: {', '.join(absent)}" if absent else ""
    return MacroF1(value=math.fsum(scores) / len(scores), classes=classes, n=n, reason=reason)


def rating_parts(counts: ArrayLike, weights: Weights = "none") -> NDArray[np.float64]:
    """What Fleiss' κ and Gwet's AC add up over items, one row an item: ``[items, k + 3]``.

    The shares of the categories among the item's ratings; the share of agreeing pairs and 1, or 0 and 0 where it has
    no pair; and 1 for an item that was rated at all.

    Raises:
        ValueError: Not two-dimensional, or counts that are not whole numbers from 0.
    """
    table = checked_counts(counts)
    sizes = table.sum(axis=1)
    w = additive.similarity(table.shape[1], weights)
    pairs = sizes * (sizes - 1)
    paired = pairs > 0
    out = np.zeros((table.shape[0], table.shape[1] + 3))
    out[:, :-3] = table / np.maximum(sizes, 1)[:, None]
    out[:, -3] = np.where(paired, (table * (table @ w - 1)).sum(axis=1) / np.where(paired, pairs, 1), 0)
    out[:, -2] = paired
    out[:, -1] = sizes > 0
    return out


def _of_counts(
    counts: ArrayLike, weights: Weights, values: Sequence[float] | None, which: Literal["ac", "fleiss"]
) -> Coefficient:
    table = checked_counts(counts)
    k = table.shape[1]
    w = additive.similarity(k, weights, values)
    sizes = table.sum(axis=1)
    pairs = sizes * (sizes - 1)
    paired = pairs > 0
    n, ratings = int(paired.sum()), int(sizes[paired].sum())
    if not n:
        return Coefficient(reason="no item has two ratings")
    if k < 2:
        return Coefficient(n=n, ratings=ratings, reason="a scale of one category")
    seen = float(((table * (table @ w - 1)).sum(axis=1)[paired] / pairs[paired]).mean())
    rated = sizes > 0
    shares = (table[rated] / sizes[rated, None]).mean(axis=0)
    if which == "ac":
        chance = float(w.sum() / (k * (k - 1)) * (shares * (1 - shares)).sum())
    else:
        chance = float(shares @ w @ shares)
    return _beyond(float(additive.beyond(np.float64(seen), np.float64(chance))), seen, chance, n, ratings)


def _beyond(value: float, seen: float, chance: float, n: int, ratings: int) -> Coefficient:
    if math.isnan(value):
        reason = "one category only: chance alone would agree"
        return Coefficient(observed=seen, expected=chance, n=n, ratings=ratings, reason=reason)
    return Coefficient(value=value, observed=seen, expected=chance, n=n, ratings=ratings)
