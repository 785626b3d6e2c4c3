"""Repeatability of a judge: flip rate of its verdicts and variance of its scores over repetitions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.measures.clustered import share_interval
from assay.measures.grouped import numbered
from assay.measures.intervals import Estimate, mean_interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_NONE = "no item has two repetitions"


def flip_rate(labels: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Return the probability that two repetitions of an item differ: the mean share of differing pairs.

    Unlike the share of items that ever changed, it does not depend on the number of repetitions.

    Args:
        labels: Verdicts as whole numbers, items × repetitions; negative or NaN for no verdict. Items with fewer than
            two verdicts are left out.
        groups: Group of each item; None if each item is a group of its own.

    Raises:
        ValueError: Not two-dimensional, or the numbers of items and groups differ.
    """
    table, given = _labels(labels)
    sizes = given.sum(axis=1)
    same = np.zeros(len(table))
    for code in np.unique(table[given]):
        many = ((table == code) & given).sum(axis=1)
        same += many * (many - 1.0)
    pairs = sizes * (sizes - 1.0)
    keep = sizes >= 2
    return _mean(1 - same[keep] / pairs[keep], groups, keep, (0.0, 1.0))


def ever_flipped(labels: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Return the share of items whose repetitions are not all equal; it grows with the number of repetitions.

    The interval is Wilson's for groups (:func:`assay.measures.clustered.share_interval`), which exists even if no item
    ever changed.

    Args:
        labels: Verdicts, as for :func:`flip_rate`.
        groups: Group of each item; None if each item is a group of its own.

    Raises:
        ValueError: Not two-dimensional, or the numbers of items and groups differ.
    """
    table, given = _labels(labels)
    keep = given.sum(axis=1) >= 2
    # NaN (no verdict) is ignored by fmax and fmin.
    whole = table[keep]
    spread = np.fmax.reduce(whole, axis=1, initial=-1) - np.fmin.reduce(whole, axis=1, initial=np.inf)
    if not keep.any():
        return Estimate(reason=_NONE)
    return share_interval((spread > 0).tolist(), _kept(groups, keep))


def within_variance(scores: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Return the mean over items of the variance over repetitions (denominator n - 1), in squared points.

    Args:
        scores: Scores, items × repetitions; NaN for no score. Items with fewer than two scores are left out.
        groups: Group of each item; None if each item is a group of its own.

    Raises:
        ValueError: Not two-dimensional, a score is infinite, or the numbers of items and groups differ.
    """
    table = np.asarray(scores, dtype=float)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("scores must be a finite table, items × repetitions")
    given = ~np.isnan(table)
    sizes = given.sum(axis=1)
    keep = sizes >= 2
    known = np.where(given, table, 0.0)[keep]
    means = known.sum(axis=1) / sizes[keep]
    apart = np.where(given[keep], known - means[:, None], 0.0)
    return _mean((apart**2).sum(axis=1) / (sizes[keep] - 1), groups, keep, (0.0, None))


def _labels(labels: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    table = np.asarray(labels, dtype=float)
    if table.ndim != 2:
        raise ValueError(
            f"labels must be a table, items × repetitions, not an array of {table.ndim} dimensions"
        )
    given = table >= 0
    return np.where(given, table, np.nan), given


def _mean(
    values: NDArray[np.float64],
    groups: Sequence[Hashable] | None,
    keep: NDArray[np.bool_],
    bounds: tuple[float | None, float | None],
) -> Estimate:
    if not len(values):
        return Estimate(reason=_NONE)
    kept = _kept(groups, keep)
    return mean_interval(values, kept, bounds=bounds)  # type: ignore[arg-type]  # an array works too


def _kept(groups: Sequence[Hashable] | None, keep: NDArray[np.bool_]) -> list[int] | None:
    # Numbering checks the groups before items are dropped.
    return None if groups is None else list(numbered(groups, len(keep))[0][keep].tolist())
