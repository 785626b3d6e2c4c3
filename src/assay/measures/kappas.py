"""Chance-corrected agreement (Cohen, Fleiss, Gwet) and F1 by class.

Categories are whole numbers 0 … k-1, in the order of the scale. An undefined coefficient (no items, a single category)
has no value, and ``reason`` says why; it is never NaN or 1. Intervals come from :mod:`assay.measures.bootstrap`, which
resamples whole groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from assay.measures import additive
from assay.measures.additive import Weights
from assay.measures.coefficient import Coefficient
from assay.measures.intervals import Estimate
from assay.measures.tabulate import checked_counts, square

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class ClassScore(msgspec.Struct, frozen=True, kw_only=True):
    """Precision, recall and F1 of one class.

    Attributes:
        precision: Share of predictions that are true; None without predictions.
        recall: Share of true items that were predicted; None without true items.
        f1: Harmonic mean of the two, 0 if one is undefined; None if both are.
        support: Number of true items.
        predicted: Number of predictions.
    """

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    support: int = 0
    predicted: int = 0


class MacroF1(Estimate, frozen=True, kw_only=True):
    """F1 by class, and as value its unweighted mean over classes that occur as truth or prediction, 0 to 1.

    Attributes:
        classes: Scores of all classes, in the order of the matrix; classes that never occur have no F1.
    """

    classes: tuple[ClassScore, ...] = ()


def cohen_kappa(
    matrix: ArrayLike, weights: Weights = "none", *, values: Sequence[float] | None = None
) -> Coefficient:
    """Return Cohen's κ (1960; weighted: 1968) of a confusion matrix: (p_o - p_e) / (1 - p_e).

    p_e is Σ w_ij p_i. p_.j, with separate margins of the raters. See :func:`assay.measures.additive.similarity` for
    weights; for two categories they make no difference.

    Args:
        matrix: Counts, k × k, as from :func:`assay.measures.tabulate.confusion`.
        weights: Weights of near misses.
        values: Values of the categories; None for their positions.

    Raises:
        ValueError: The matrix or the weights are malformed.
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
    """Return Gwet's AC1 (2008), or AC2 (2014) with weights; chance is T_w / (k(k-1)) Σ π_c (1 - π_c), T_w = Σ w.

    Unlike κ, it does not fall if one category is common. The table must have all categories of the scale, used or not.

    Args:
        table: Confusion matrix of two raters, or counts of any number of raters, items × categories. Items with a
            single rating count for chance only, as in Gwet's treatment of missing ratings.
        weights: Weights of near misses.
        kind: Which of the two the table holds.
        values: Values of the categories; None for their positions.

    Raises:
        ValueError: The table or the weights are malformed.
    """
    if kind == "counts":
        return _of_counts(table, weights, values, "ac")
    matrix = square(table)
    n = float(matrix.sum())
    if n == 0:
        return Coefficient(reason="no items")
    if len(matrix) < 2:
        return Coefficient(n=int(n), ratings=int(2 * n), reason="the scale has a single category")
    w = additive.similarity(len(matrix), weights, values)
    seen = float((matrix * w).sum() / n)
    value = float(additive.ac_confusion(matrix, w))
    shares = (matrix.sum(axis=0) + matrix.sum(axis=1)) / 2 / n
    chance = float(w.sum() / (len(w) * (len(w) - 1)) * (shares * (1 - shares)).sum())
    return _beyond(value, seen, chance, int(n), int(2 * n))


def fleiss_kappa(
    counts: ArrayLike, weights: Weights = "none", *, values: Sequence[float] | None = None
) -> Coefficient:
    """Return Fleiss' κ (1971) of counts, items × categories; chance is Σ π_c², with common margins.

    For unequal numbers of ratings, it is the generalised form (Gwet 2014, 5.3): agreement is averaged over items with
    at least two ratings, and π is the mean over all rated items of an item's shares.

    Raises:
        ValueError: The counts are not a table of whole numbers of 0 or more.
    """
    return _of_counts(counts, weights, values, "fleiss")


def macro_f1(matrix: ArrayLike) -> MacroF1:
    """Return precision, recall and F1 of every class of a confusion matrix (truth in rows), and the mean F1.

    Raises:
        ValueError: The matrix is malformed.
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
        return MacroF1(classes=tuple(classes), reason="no items")
    absent = [str(at) for at, score in enumerate(classes) if score.f1 is None]
    reason = f"never true and never predicted, left out: {', '.join(absent)}" if absent else ""
    return MacroF1(value=math.fsum(scores) / len(scores), classes=tuple(classes), n=n, reason=reason)


def rating_parts(counts: ArrayLike, weights: Weights = "none") -> NDArray[np.float64]:
    """Return the terms that Fleiss' κ and Gwet's AC sum over items, ``[items, k + 3]``.

    The columns are the shares of the categories; the share of agreeing pairs and 1 (0 and 0 without a pair); and 1 for
    a rated item.

    Raises:
        ValueError: The counts are not a table of whole numbers of 0 or more.
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
        return Coefficient(n=n, ratings=ratings, reason="the scale has a single category")
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
        reason = "all ratings are of one category, so that chance agreement is 1"
        return Coefficient(observed=seen, expected=chance, n=n, ratings=ratings, reason=reason)
    return Coefficient(value=value, observed=seen, expected=chance, n=n, ratings=ratings)
