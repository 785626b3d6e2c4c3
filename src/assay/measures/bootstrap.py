"""Bootstrap intervals over groups, for any statistic that is a function of sums.

Judgments on the same task are not independent, so whole tasks are resampled. Each item is added to its group's table
once; after that only tables are drawn and summed, in chunks of resamples, so that neither time nor memory of a
resample depends on the number of items. If few tables are distinct, their multiplicities are drawn from a multinomial
distribution, which is the same bootstrap and fast even for a million groups of one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np

from assay.measures import additive
from assay.measures.additive import Weights
from assay.measures.grouped import Tables, confusion_tables, moment_tables, numbered, share_tables
from assay.measures.inputs import paired_values
from assay.measures.intervals import Estimate, too_few

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Statistic = Callable[[Array], Array]

Kind = Literal[
    "accuracy",
    "agreement",
    "kappa",
    "ac",
    "macro_f1",
    "spearman",
    "kendall",
    "pearson",
    "mad",
    "rmse",
    "bias",
]
# Numbers held at a time while drawing (16 MB).
_HELD: Final = 2_000_000
# Beyond this many groups, each group's multiplicity is Poisson, which is as good for ratios.
_DRAWN: Final = 50_000
# A multinomial draw for one distinct table costs about as much as drawing this many groups.
_WORTH: Final = 32
# Largest share of resamples on which the statistic may be undefined, such as those with a single class.
_MOST_UNDEFINED: Final = 0.1
_MOST_LEVELS: Final = 64
_ON_MOMENTS: Final[dict[str, Statistic]] = {
    "pearson": additive.pearson,
    "mad": additive.mean_absolute,
    "rmse": additive.root_mean_square,
    "bias": additive.mean_signed,
}


def clustered(
    kind: Kind,
    first: ArrayLike,
    second: ArrayLike | None = None,
    groups: ArrayLike | Sequence[Hashable] | None = None,
    *,
    weights: Weights = "none",
    k: int | None = None,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Return a statistic of paired values with a percentile interval over groups drawn with replacement.

    Args:
        kind: ``accuracy`` of ``first`` alone, with values from 0 to 1; ``agreement``, ``kappa``, ``ac`` and
            ``macro_f1`` of categories 0 … k-1, with ``first`` as truth; ``spearman`` and ``kendall`` of up to 64
            distinct values on each side (for more: :func:`assay.measures.ranks.bootstrap_ranks`); ``pearson``, ``mad``,
            ``rmse`` and ``bias`` of scores.
        first: Values of one side.
        second: Values of the other side, item by item; None for accuracy.
        groups: Group of each item; None if each item is a group of its own.
        weights: Weights of ``kappa`` and ``ac``.
        k: Number of categories; None for one more than the largest.
        draws: Number of resamples.
        seed: Seed of the draws.
        level: Level of the interval.

    Raises:
        ValueError: The kind is unknown, the lengths differ, or a value is invalid for the kind.
    """
    tables, statistic = _prepared(kind, first, second, groups, weights=weights, k=k)
    return bootstrap_tables(tables, statistic, draws=draws, seed=seed, level=level)


def bootstrap_tables(
    tables: Tables | ArrayLike,
    statistic: Statistic,
    *,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Return a statistic of summed tables with a percentile interval over groups drawn with replacement.

    Memory does not grow with ``draws``.

    Args:
        tables: One table for each group: an array ``[groups, …]``, or a result of :mod:`assay.measures.grouped`.
        statistic: Function from sums with any leading axes to values with those axes, NaN if undefined, such as those
            of :mod:`assay.measures.additive`.
        draws: Number of resamples.
        seed: The same seed and tables give the same interval.
        level: Level of the interval.

    Returns:
        The estimate, whose ``n`` is the number of items if known, else of groups. Resamples with an undefined statistic
        are left out; if they are more than a tenth, there is no interval.

    Raises:
        ValueError: There are no draws, the level is not between 0 and 1, or a table is not finite.
    """
    if draws < 1 or not 0 < level < 1:
        raise ValueError(f"draws must be at least 1 and level between 0 and 1, not {draws} and {level}")
    held = tables if isinstance(tables, Tables) else Tables.of(tables)
    fields: dict[str, Any] = {"n": held.items, "clusters": held.groups, "method": "bootstrap"}
    if not held.groups:
        return Estimate(**fields, reason="nothing to average")
    value = float(statistic(held.total()))
    if not np.isfinite(value):
        return Estimate(**fields, reason="not defined on these items")
    if reason := too_few(held.groups):
        return Estimate(value=value, **fields, reason=reason)
    drawn = np.concatenate([statistic(sums) for sums in draw_sums(held, draws, seed)])
    return percentile_interval(value, drawn, level, fields)


def bootstrap_difference(
    first: Tables | ArrayLike,
    second: Tables | ArrayLike,
    statistic: Statistic,
    *,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Return the difference of a statistic between first and second tables, with the same groups drawn for both.

    Args:
        first: One table for each group.
        second: Tables of the same groups in the same order.
        statistic: Statistic, as for :func:`bootstrap_tables`.
        draws: Number of resamples.
        seed: The same seed and tables give the same interval.
        level: Level of the interval.

    Raises:
        ValueError: The tables do not pair, or as for :func:`bootstrap_tables`.
    """
    a, b = (each if isinstance(each, Tables) else Tables.of(each) for each in (first, second))
    both = a.beside(b)

    def difference(sums: Array) -> Array:
        # The pair is the axis before those of a table.
        pair = np.moveaxis(sums, -1 - len(a.shape), 0)
        return np.asarray(statistic(pair[0]) - statistic(pair[1]))

    return bootstrap_tables(both, difference, draws=draws, seed=seed, level=level)


def draw_sums(tables: Tables, draws: int, seed: int) -> Iterator[Array]:
    """Yield sums of resampled tables in chunks, ``[draws, …]``."""
    random = np.random.default_rng(seed)
    few = tables.distinct()
    groups, cells = tables.groups, int(np.prod(tables.shape))
    # Counted tables can only be drawn by their multiplicities.
    if few is not None and (not tables.pairs or len(few.counts) * _WORTH <= groups or len(few.counts) <= 64):
        size = max(1, _HELD // max(1, len(few.counts), 4 * cells))
        shares = few.counts / groups
        for start in range(0, draws, size):
            many: NDArray[Any] = random.multinomial(groups, shares, size=min(size, draws - start))
            yield few.sums(many.astype(float))
        return
    size = max(1, _HELD // max(groups, 4 * cells))
    table = None if groups <= _DRAWN else _poisson_table()
    for start in range(0, draws, size):
        chunk = min(size, draws - start)
        if table is None:
            drawn = random.integers(0, groups, size=(chunk, groups))
            drawn += np.arange(chunk)[:, None] * groups
            many = np.bincount(drawn.ravel(), minlength=chunk * groups).reshape(chunk, groups)
        else:
            many = table[random.integers(0, 65536, size=(chunk, groups), dtype=np.uint16)]
        yield tables.sums(many.astype(float))


def _poisson_table() -> NDArray[np.int8]:
    """Return the inverse Poisson distribution of mean 1 at 65,536 even steps, so that a draw is one look-up."""
    upto = np.cumsum(np.exp(-1.0) / np.cumprod([1.0, *range(1, 12)]))
    return np.searchsorted(upto, (np.arange(65536) + 0.5) / 65536).astype(np.int8)


def percentile_interval(value: float, drawn: Array, level: float, fields: dict[str, Any]) -> Estimate:
    """Return an estimate with the percentile interval of its resamples and further ``fields``."""
    defined = drawn[np.isfinite(drawn)]
    if len(defined) < (1 - _MOST_UNDEFINED) * len(drawn):
        return Estimate(
            value=value,
            **fields,
            reason=f"not defined on {len(drawn) - len(defined)} of {len(drawn)} resamples",
        )
    if float(defined.max()) - float(defined.min()) <= 1e-12 * max(1.0, abs(value)):
        return Estimate(value=value, **fields, reason="all resamples give the same value")
    low, high = np.quantile(defined, ((1 - level) / 2, (1 + level) / 2))
    # A biased statistic may lie outside its resamples; the interval always contains the value.
    return Estimate(value=value, low=min(value, float(low)), high=max(value, float(high)), **fields)


def _prepared(
    kind: Kind,
    first: ArrayLike,
    second: ArrayLike | None,
    groups: ArrayLike | Sequence[Hashable] | None,
    *,
    weights: Weights,
    k: int | None,
) -> tuple[Tables, Statistic]:
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, not {kind!r}")
    if kind == "accuracy":
        return share_tables(first, groups), additive.share
    if second is None:
        raise ValueError(f"{kind} needs values from both sides")
    if kind in _ON_MOMENTS:
        return moment_tables(first, second, groups), _ON_MOMENTS[kind]
    a, b = np.asarray(first).ravel(), np.asarray(second).ravel()
    if kind in {"spearman", "kendall"}:
        a, b, k = _levels(a, b)
    tables = confusion_tables(a, b, groups, k)
    return tables, _on_confusions(kind, weights, tables.shape[0])


def _on_confusions(kind: str, weights: Weights, k: int) -> Statistic:
    similar = additive.similarity(k, weights)

    def kappa(tables: Array) -> Array:
        return additive.kappa(tables, similar)

    def ac(tables: Array) -> Array:
        return additive.ac_confusion(tables, similar)

    plain: dict[str, Statistic] = {
        "agreement": additive.observed_confusion,
        "macro_f1": additive.macro_f1,
        "spearman": additive.spearman,
        "kendall": additive.kendall,
        "kappa": kappa,
        "ac": ac,
    }
    return plain[kind]


def _levels(a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Replace values by their ranks among the distinct values of their side."""
    a, b = paired_values(a, b)
    first, many = numbered(a)
    second, more = numbered(b)
    if max(many, more) > _MOST_LEVELS:
        raise ValueError(
            f"{max(many, more)} distinct values are too many; use bootstrap_ranks for more than {_MOST_LEVELS}"
        )
    return first, second, max(many, more)
