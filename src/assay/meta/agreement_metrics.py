"""The numbers of agreement between one judge and one truth, by kind of label, each with its 95 % interval.

Intervals rest on tasks: bootstrap over whole tasks, Wilson's for shares, Fisher's for correlations where every item is a
task of its own.
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
from assay.measures.grouped import confusion_tables
from assay.measures.intervals import Estimate, wilson_interval
from assay.measures.ranks import bootstrap_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

Orders = tuple[int | None, int | None]
_STEPS: Final = (1.0, 0.5, 0.25, 0.1)
_MOST_LEVELS: Final = 21
_SLACK: Final = 1e-9
# Up to so many different values a correlation of ranks is one of a table of counts.
_MOST_COUNTED: Final = 64
DRAWS: Final = 1000


class Grid(msgspec.Struct, frozen=True):
    """A scale of steps: ``low``, ``low + step`` … ``high``."""

    low: float
    step: float
    high: float

    @property
    def k(self) -> int:
        """How many levels."""
        return round((self.high - self.low) / self.step) + 1

    def code(self, value: float) -> int:
        """The nearest level, from 0; halves go up."""
        return max(0, min(self.k - 1, math.floor((value - self.low) / self.step + 0.5 + _SLACK)))

    def value(self, code: int) -> float:
        """What a level is worth."""
        return self.low + code * self.step

    def names(self) -> list[str]:
        """The levels as text."""
        return [f"{round(self.value(code), 6):g}" for code in range(self.k)]


def grid_of(values: Sequence[float]) -> Grid | None:
    """The coarsest scale of steps that all values are on; None where they are on none of at most 21 levels."""
    distinct = sorted({float(value) for value in values})
    if len(distinct) < 2:
        return Grid(distinct[0], 1.0, distinct[0] + 1) if distinct and distinct[0].is_integer() else None
    for step in _STEPS:
        if all(abs(value / step - round(value / step)) <= 1e-6 for value in distinct):
            found = Grid(distinct[0], step, distinct[-1])
            return found if found.k <= _MOST_LEVELS else None
    return None


def share(hits: Sequence[bool], tasks: Sequence[Hashable]) -> Estimate:
    """A share of yes-or-no outcomes, with an interval that rests on tasks and never shrinks to a point."""
    if len(set(tasks)) == len(hits):
        return wilson_interval(sum(map(bool, hits)), len(hits))
    return share_interval(hits, tasks)


def of_orders(
    truth: Sequence[int], orders: Sequence[Orders | None], tasks: Sequence[Hashable]
) -> dict[str, Estimate]:
    """Of pairs judged in both orders: agreement accuracy and positional consistency.

    Agreement accuracy (ReportLogic, section 4): right only if the verdict names the human winner in both orders; a human
    tie is matched by any tie verdict in both. Pairs without a verdict in one of the orders are left out of both.
    """
    whole = [at for at, pair in enumerate(orders) if pair is not None and None not in pair]
    where = [tasks[at] for at in whole]
    both = [orders[at] or (None, None) for at in whole]
    return {
        "agreement_accuracy": share(
            [pair == (truth[at],) * 2 for at, pair in zip(whole, both, strict=True)], where
        ),
        "positional_consistency": share([pair[0] == pair[1] for pair in both], where),
    }


def of_classes(
    truth: Sequence[int], said: Sequence[int], tasks: Sequence[Hashable], names: Sequence[str]
) -> dict[str, Estimate]:
    """Of classes without an order: accuracy, κ, AC1, Fleiss' κ (of two raters: Scott's π), α, F1 of each class."""
    k = len(names)
    tables = confusion_tables(truth, said, _groups(tasks), k)

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

    found = {
        "accuracy": share([a == b for a, b in zip(truth, said, strict=True)], tasks),
        "cohen_kappa": drawn(lambda sums: additive.kappa(sums, alike)),
        "fleiss_kappa": drawn(scott),
        "krippendorff_alpha": drawn(_alpha("nominal", np.arange(k, dtype=float))),
        "gwet_ac1": drawn(lambda sums: additive.ac_confusion(sums, alike)),
        "macro_f1": drawn(additive.macro_f1),
    }
    return found | {f"f1[{name}]": drawn(f1(at)) for at, name in enumerate(names)}


def of_scores(
    truth: Sequence[float], said: Sequence[float], tasks: Sequence[Hashable], grid: Grid | None, *, same: bool
) -> dict[str, Estimate]:
    """Of numbers: correlations; where both are on one scale also distances; where it has steps also weighted κ, AC2, α.

    Means of several raters or trials lie between steps: κ, AC2, α and exact agreement take the nearest level (halves go
    up), distances and correlations the mean itself.
    """
    found = {
        "pearson": _correlated("pearson", truth, said, tasks),
        "spearman": _correlated("spearman", truth, said, tasks),
        "kendall": _correlated("kendall", truth, said, tasks),
    }
    if not same:
        return found
    from assay.measures.distances import bias, mad, rmse  # noqa: PLC0415

    groups = list(tasks)
    found["mad"] = mad(said, truth, groups)
    found["rmse"] = rmse(said, truth, groups)
    found["bias"] = bias(said, truth, groups)
    if grid is None or grid.k < 2:
        return found | {"krippendorff_alpha": _alpha_of_numbers(truth, said, tasks)}
    a, b = [grid.code(value) for value in truth], [grid.code(value) for value in said]
    tables = confusion_tables(a, b, _groups(tasks), grid.k)

    def drawn(statistic: Callable[[Any], Any]) -> Estimate:
        return bootstrap_tables(tables, statistic, draws=DRAWS)

    quadratic, linear = additive.similarity(grid.k, "quadratic"), additive.similarity(grid.k, "linear")
    at = np.array([grid.value(code) for code in range(grid.k)])
    near = grid.step + _SLACK
    return {
        "quadratic_kappa": drawn(lambda sums: additive.kappa(sums, quadratic)),
        "linear_kappa": drawn(lambda sums: additive.kappa(sums, linear)),
        **found,
        "exact": share([x == y for x, y in zip(a, b, strict=True)], tasks),
        "within_one": share([abs(x - y) <= near for x, y in zip(truth, said, strict=True)], tasks),
        "krippendorff_alpha": drawn(_alpha("ordinal", at)),
        "krippendorff_alpha_interval": drawn(_alpha("interval", at)),
        "gwet_ac2": drawn(lambda sums: additive.ac_confusion(sums, quadratic)),
    }


def _groups(tasks: Sequence[Hashable]) -> Sequence[Hashable] | None:
    return None if len(set(tasks)) == len(tasks) else tasks


def _alpha(level: Any, values: Any) -> Callable[[Any], Any]:
    """α of confusion matrices: of two raters, the coincidences are the matrix and its mirror image."""

    def statistic(sums: Any) -> Any:
        return additive.alpha(sums + sums.swapaxes(-1, -2), level, values)

    return statistic


def _alpha_of_numbers(truth: Sequence[float], said: Sequence[float], tasks: Sequence[Hashable]) -> Estimate:
    """α at the level of intervals, of any numbers, by sums: of n pairs, 1 - (2n - 1) Σ (x - y)² / (2n SS), SS pooled."""
    a, b = np.asarray(truth, dtype=float), np.asarray(said, dtype=float)
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

    found = bootstrap_tables(rows, statistic, draws=DRAWS)
    return msgspec.structs.replace(found, n=len(a))


def _correlated(
    kind: str, truth: Sequence[float], said: Sequence[float], tasks: Sequence[Hashable]
) -> Estimate:
    """A correlation; over tasks drawn again where they hold several items, else on Fisher's z."""
    plain: dict[str, Callable[[Sequence[float], Sequence[float]], Correlation]] = {
        "pearson": pearson,
        "spearman": spearman,
        "kendall": kendall,
    }
    known = plain[kind](truth, said)
    groups = len(set(tasks))
    if known.value is None or groups == len(tasks):
        return Estimate(
            value=known.value,
            low=known.low,
            high=known.high,
            n=known.n,
            groups=groups,
            method="fisher",
            reason=known.reason,
        )
    if kind == "pearson":
        return clustered("pearson", truth, said, list(tasks), draws=DRAWS)
    ranks: Literal["spearman", "kendall"] = "spearman" if kind == "spearman" else "kendall"
    if max(len(set(truth)), len(set(said))) <= _MOST_COUNTED:
        return clustered(ranks, truth, said, list(tasks), draws=DRAWS)
    return bootstrap_ranks(truth, said, list(tasks), kind=ranks, draws=DRAWS)
