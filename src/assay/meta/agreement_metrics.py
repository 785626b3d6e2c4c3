"""Metrics of agreement between one judge and one truth, by kind of label, each with its 95 % interval.

The unit of resampling is the task: bootstrap over whole tasks, Wilson's interval for shares, Fisher's for correlations
if every item is a task of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import numpy as np

from assay.measures import additive
from assay.measures.bootstrap import bootstrap_tables, clustered
from assay.measures.clustered import share_interval
from assay.measures.correlation import Correlation, kendall, pearson, spearman
from assay.measures.distances import bias, mad, rmse
from assay.measures.grouped import confusion_tables
from assay.measures.intervals import Estimate, mean_interval, too_few, wilson_interval, within
from assay.measures.ranks import bootstrap_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

Orders = tuple[int | None, int | None]
_STEPS: Final = (1.0, 0.5, 0.25, 0.1)
_MOST_LEVELS: Final = 21
_SLACK: Final = 1e-9
# Up to this many distinct values, rank correlations are computed from a table of counts.
_MOST_COUNTED: Final = 64
DRAWS: Final = 1000
_CORRELATIONS: Final[dict[str, Callable[[Sequence[float], Sequence[float]], Correlation]]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


class Grid(msgspec.Struct, frozen=True):
    """A scale with steps: ``low``, ``low + step`` … ``high``."""

    low: float
    step: float
    high: float

    @property
    def k(self) -> int:
        """Number of levels."""
        return round((self.high - self.low) / self.step) + 1

    def code(self, value: float) -> int:
        """Return the nearest level, from 0; halves go up."""
        return max(0, min(self.k - 1, math.floor((value - self.low) / self.step + 0.5 + _SLACK)))

    def value(self, code: int) -> float:
        """Return the value of a level."""
        return self.low + code * self.step

    def names(self) -> list[str]:
        """Return the values of all levels as text."""
        return [f"{round(self.value(code), 6):g}" for code in range(self.k)]


def grid_of(values: Sequence[float]) -> Grid | None:
    """Return the coarsest scale whose steps include all values; None if it needs more than 21 levels."""
    distinct = sorted({float(value) for value in values})
    if len(distinct) < 2:
        return Grid(distinct[0], 1.0, distinct[0] + 1) if distinct and distinct[0].is_integer() else None
    for step in _STEPS:
        if all(abs(value / step - round(value / step)) <= 1e-6 for value in distinct):
            grid = Grid(distinct[0], step, distinct[-1])
            return grid if grid.k <= _MOST_LEVELS else None
    return None


def _share(matches: Sequence[bool], tasks: Sequence[Hashable]) -> Estimate:
    """Return a share with an interval over tasks that never shrinks to a point; with too few tasks there is none."""
    if len(set(tasks)) == len(matches):
        return wilson_interval(sum(map(bool, matches)), len(matches))
    estimate = share_interval(matches, tasks)
    reason = too_few(estimate.clusters)
    return msgspec.structs.replace(estimate, low=None, high=None, reason=reason) if reason else estimate


def mean_of_shares(values: Sequence[float], tasks: Sequence[Hashable]) -> Estimate:
    """Return the mean of values from 0 to 1 with an interval over tasks that stays in this range."""
    if set(values) <= {0.0, 1.0}:
        return _share([value == 1 for value in values], tasks)
    return mean_interval(values, tasks, bounds=(0.0, 1.0))


def order_metrics(
    truth: Sequence[int],
    orders: Sequence[Orders | None],
    tasks: Sequence[Hashable],
    abstained: int | None = None,
) -> dict[str, Estimate]:
    """Return agreement accuracy and positional consistency of pairs judged in both orders.

    Agreement accuracy (ReportLogic, section 4) counts a verdict as correct only if it names the human winner in both
    orders; a human tie is matched by a tie in both. Pairs without a verdict in one of the orders are left out,
    and those that a judge abstained from (the code ``abstained``) do not count for consistency.
    """
    rows = [
        (pair, expected, task)
        for pair, expected, task in zip(orders, truth, tasks, strict=True)
        if pair is not None and None not in pair
    ]
    groups = [task for _, _, task in rows]
    decided = [row for row in rows if abstained is None or abstained not in row[0]]
    return {
        "agreement_accuracy": _share([pair == (expected, expected) for pair, expected, _ in rows], groups),
        "positional_consistency": _share(
            [pair[0] == pair[1] for pair, _, _ in decided], [task for _, _, task in decided]
        ),
    }


def class_metrics(
    truth: Sequence[int], verdicts: Sequence[int], tasks: Sequence[Hashable], names: Sequence[str]
) -> dict[str, Estimate]:
    """Return accuracy, κ, AC1, Fleiss' κ (Scott's π for two raters), α and F1 of classes without an order.

    "abstained" is a class of verdicts only, which has no F1.
    """
    k = len(names)
    real = [name for name in names if name != "abstained"]
    tables = confusion_tables(truth, verdicts, _groups(tasks), k)

    def drawn(statistic: Callable[[Any], Any]) -> Estimate:
        return bootstrap_tables(tables, statistic, draws=DRAWS)

    alike = additive.similarity(k, "none")

    def scott(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        n = sums.sum(axis=(-2, -1))
        margins = additive.over(sums.sum(axis=-1) + sums.sum(axis=-2), 2 * n[..., None])
        return additive.beyond(additive.observed_confusion(sums), (margins**2).sum(axis=-1))

    def f1(at: int) -> Callable[[Any], Any]:
        return lambda sums: additive.over(
            2 * sums[..., at, at], sums[..., at, :].sum(axis=-1) + sums[..., :, at].sum(axis=-1)
        )

    metrics = {
        "accuracy": _share([a == b for a, b in zip(truth, verdicts, strict=True)], tasks),
        "cohen_kappa": drawn(lambda sums: additive.kappa(sums, alike)),
        "fleiss_kappa": drawn(scott),
        "krippendorff_alpha": drawn(_alpha("nominal", np.arange(k, dtype=float))),
        "gwet_ac1": drawn(lambda sums: additive.ac_confusion(sums, alike)),
        "macro_f1": drawn(lambda sums: additive.macro_f1(sums, len(real))),
    }
    return metrics | {f"f1[{name}]": drawn(f1(at)) for at, name in enumerate(real)}


def score_metrics(
    truth: Sequence[float],
    scores: Sequence[float],
    tasks: Sequence[Hashable],
    grid: Grid | None,
    *,
    same: bool,
) -> dict[str, Estimate]:
    """Return the metrics of numbers.

    Correlations are always measured, distances if both are on one scale, weighted κ, AC2 and α if that scale has steps. Means of
    several raters or repetitions lie between steps: κ, AC2, α and exact agreement use the nearest level (halves go up),
    distances and correlations the mean itself.
    """
    metrics = {
        "pearson": _correlation("pearson", truth, scores, tasks),
        "spearman": _correlation("spearman", truth, scores, tasks),
        "kendall": _correlation("kendall", truth, scores, tasks),
    }
    if not same:
        return metrics
    groups = list(tasks)
    # No two scores are further apart than the ends of the scale.
    span = None if grid is None else grid.high - grid.low
    metrics["mad"] = within(mad(scores, truth, groups), (0.0, span))
    metrics["rmse"] = within(rmse(scores, truth, groups), (0.0, span))
    metrics["bias"] = within(bias(scores, truth, groups), (None if span is None else -span, span))
    if grid is None or grid.k < 2:
        return metrics | {"krippendorff_alpha": _alpha_of_numbers(truth, scores, tasks)}
    a, b = [grid.code(value) for value in truth], [grid.code(value) for value in scores]
    tables = confusion_tables(a, b, _groups(tasks), grid.k)

    def drawn(statistic: Callable[[Any], Any]) -> Estimate:
        return bootstrap_tables(tables, statistic, draws=DRAWS)

    quadratic, linear = additive.similarity(grid.k, "quadratic"), additive.similarity(grid.k, "linear")
    at = np.array([grid.value(code) for code in range(grid.k)])
    near = grid.step + _SLACK
    return {
        "quadratic_kappa": drawn(lambda sums: additive.kappa(sums, quadratic)),
        "linear_kappa": drawn(lambda sums: additive.kappa(sums, linear)),
        **metrics,
        "exact": _share([x == y for x, y in zip(a, b, strict=True)], tasks),
        "within_one": _share([abs(x - y) <= near for x, y in zip(truth, scores, strict=True)], tasks),
        "krippendorff_alpha": drawn(_alpha("ordinal", at)),
        "krippendorff_alpha_interval": drawn(_alpha("interval", at)),
        "gwet_ac2": drawn(lambda sums: additive.ac_confusion(sums, quadratic)),
    }


def _groups(tasks: Sequence[Hashable]) -> Sequence[Hashable] | None:
    return None if len(set(tasks)) == len(tasks) else tasks


def _alpha(level: Any, values: Any) -> Callable[[Any], Any]:
    """Return α of confusion matrices; the coincidences of two raters are the matrix plus its transpose."""

    def statistic(sums: Any) -> Any:
        return additive.alpha(sums + sums.swapaxes(-1, -2), level, values)

    return statistic


def _alpha_of_numbers(truth: Sequence[float], scores: Sequence[float], tasks: Sequence[Hashable]) -> Estimate:
    """Return α at the interval level for any numbers: 1 - (2n - 1) Σ (x - y)² / (2n SS) for n pairs, with pooled SS."""
    a, b = np.asarray(truth, dtype=float), np.asarray(scores, dtype=float)
    if not len(a):
        return Estimate(method="bootstrap", reason="nothing to average")
    middle = float(np.concatenate([a, b]).mean())
    a, b = a - middle, b - middle
    places = {task: at for at, task in enumerate(dict.fromkeys(tasks))}
    index = np.fromiter((places[task] for task in tasks), np.int64, len(a))
    columns = (np.ones(len(a)), a + b, a * a + b * b, (a - b) ** 2)
    rows = np.stack([np.bincount(index, weights=column, minlength=len(places)) for column in columns], axis=1)

    def statistic(sums: Any) -> Any:
        n = 2 * sums[..., 0]
        spread = sums[..., 2] - additive.over(sums[..., 1] ** 2, n)
        spread = np.where(spread <= 1e-12 * sums[..., 2], 0.0, spread)
        return 1 - additive.over((n - 1) * sums[..., 3], n * spread)

    return msgspec.structs.replace(bootstrap_tables(rows, statistic, draws=DRAWS), n=len(a))


def _correlation(
    kind: Literal["pearson", "spearman", "kendall"],
    truth: Sequence[float],
    scores: Sequence[float],
    tasks: Sequence[Hashable],
) -> Estimate:
    """Return a correlation: bootstrapped over tasks if these hold several items, else with Fisher's interval."""
    plain = _CORRELATIONS[kind](truth, scores)
    groups = len(set(tasks))
    if plain.value is None or groups == len(tasks):
        fields = {name: getattr(plain, name) for name in Estimate.__struct_fields__}
        return Estimate(**fields | {"clusters": groups})
    if kind == "pearson" or max(len(set(truth)), len(set(scores))) <= _MOST_COUNTED:
        return clustered(kind, truth, scores, list(tasks), draws=DRAWS)
    return bootstrap_ranks(truth, scores, list(tasks), kind=kind, draws=DRAWS)
