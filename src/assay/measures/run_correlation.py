"""Agreement of repeated runs with a truth: the mean of the runs' correlations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.measures import additive
from assay.measures.bootstrap import bootstrap_tables
from assay.measures.grouped import numbered
from assay.measures.intervals import Estimate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def mean_of_run_correlations(
    truth: ArrayLike, runs: ArrayLike, groups: Sequence[Hashable] | None = None, *, draws: int = 1000
) -> Estimate:
    """Return the mean over runs of Pearson's r between the run's scores and a truth.

    Unlike the correlation of mean scores, it does not gain from averaging noise away (cot-judges, section 3.4: Pearson
    correlation with human grades, averaged over repeated runs). Runs whose scores do not vary have no r and are left
    out. The interval is a percentile bootstrap over groups, so it stays within -1 and 1.

    Args:
        truth: Truth of each item.
        runs: Scores, items × runs; NaN without a score.
        groups: Group of each item; None if each is a group of its own.
        draws: Number of resamples.

    Raises:
        ValueError: The numbers of items differ.
    """
    expected, scores = np.asarray(truth, dtype=float), np.asarray(runs, dtype=float)
    if (
        scores.ndim != 2
        or len(scores) != len(expected)
        or (groups is not None and len(groups) != len(expected))
    ):
        raise ValueError("every item needs a truth, a row of scores, and a group")
    if not scores.size:
        return Estimate(method="bootstrap", reason="nothing to average")
    index, many = (
        (np.arange(len(expected)), len(expected)) if groups is None else numbered(groups, len(expected))
    )
    given = ~np.isnan(scores)
    x = np.where(given, (expected - expected.mean())[:, None], 0.0)
    middle = float(scores[given].mean()) if given.any() else 0.0
    y = np.where(given, scores - middle, 0.0)
    terms = np.stack([given.astype(float), x, y, x * x, y * y, x * y], axis=-1)
    tables = np.zeros((many, *terms.shape[1:]))
    np.add.at(tables, index, terms)

    def statistic(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        each = additive.pearson(sums)
        known = np.isfinite(each)
        count = known.sum(axis=-1)
        return np.where(count > 0, np.where(known, each, 0).sum(axis=-1) / np.maximum(count, 1), np.nan)

    estimate = bootstrap_tables(tables, statistic, draws=draws)
    return Estimate(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        n=int(given.sum()),
        clusters=estimate.clusters,
        method="bootstrap",
        reason=estimate.reason,
    )
