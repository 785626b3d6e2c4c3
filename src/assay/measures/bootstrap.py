"""95 % intervals by drawing whole groups again, for any statistic that is a function of sums.

Judgments about the same task are not independent, so tasks are what is drawn. An item is looked at once: it is added to
its group's table, and from then on only tables are drawn and summed, a chunk of resamples at a time, so neither time nor
memory of a resample depends on the number of items. Groups with the same table need not be told apart: where there are
few different tables, how often each is drawn is multinomial, which is the very same bootstrap and takes no time even for
a million groups of one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np

from assay.measures import additive
from assay.measures.additive import Weights
from assay.measures.grouped import Tables, confusion_tables, moment_tables, numbered, share_tables
from assay.measures.intervals import Estimate

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
# Numbers held at a time while drawing: 16 MB.
_HELD: Final = 2_000_000
# So many groups are drawn one by one; beyond, each group's number of draws is Poisson, which for ratios is as good.
_DRAWN: Final = 50_000
# A multinomial draw of one kind of table costs about as much as drawing so many single groups.
_WORTH: Final = 32
# Resamples without a value, such as those of one class only, may be so many; with more there is no honest interval.
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
    """A statistic of two judges' items and its percentile interval over groups drawn with replacement.

    Args:
        kind: ``accuracy`` of ``first`` alone, 1 or 0 (or any share of 1) an item; ``agreement``, ``kappa``, ``ac``
            and ``macro_f1`` of categories 0 … k-1, ``first`` the truth; ``spearman`` and ``kendall`` of up to 64
            different values on either side (for more of them: :func:`assay.measures.ranks.bootstrap_ranks`);
            ``pearson``, ``mad``, ``rmse`` and ``bias`` of scores.
        first: One judge's values.
        second: The other's, item by item; not for accuracy.
        groups: The group of each item; each its own where None.
        weights: Of ``kappa`` and ``ac``.
        k: Categories; one more than the largest seen where None.
        draws: Resamples.
        seed: The same seed and values give the same interval.
        level: Of the interval.

    Raises:
        ValueError: An unknown kind, values it is not defined for, or not equally many.
    """
    tables, statistic = _prepared(kind, first, second, groups, weights=weights, k=k)
    return bootstrap_tables(tables, statistic, draws=draws, seed=seed, level=level)


def clustered_difference(
    kind: Kind,
    first: ArrayLike,
    second: ArrayLike,
    truth: ArrayLike | None = None,
    groups: ArrayLike | Sequence[Hashable] | None = None,
    *,
    weights: Weights = "none",
    k: int | None = None,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """How much higher a statistic is for the first judge than for the second, on the same items; paired.

    Args:
        kind: As for :func:`clustered`, but for ``spearman`` and ``kendall``.
        first: One judge's values; its hits for ``accuracy``.
        second: The other judge's.
        truth: What both are compared with; for everything but ``accuracy``.
        groups: The group of each item; each its own where None.
        weights: Of ``kappa`` and ``ac``.
        k: Categories; one more than the largest seen where None.
        draws: Resamples.
        seed: The same seed and values give the same interval.
        level: Of the interval.

    Raises:
        ValueError: An unknown kind, values it is not defined for, or not equally many.
    """
    if kind in {"spearman", "kendall"}:
        raise ValueError(f"{kind} has no paired interval here")
    sizes = {np.size(each) for each in (first, second, truth) if each is not None}
    if len(sizes) > 1:
        raise ValueError(f"{' and '.join(map(str, sorted(sizes)))} values")
    n = sizes.pop()
    place = np.arange(n) if groups is None else numbered(groups, n)[0]
    if kind == "accuracy":
        a, statistic = _prepared(kind, first, None, place, weights=weights, k=k)
        b, _ = _prepared(kind, second, None, place, weights=weights, k=k)
    elif truth is None:
        raise ValueError(f"{kind} takes the truth")
    else:
        if kind in {"agreement", "kappa", "ac", "macro_f1"} and k is None:
            k = 1 + max((int(np.max(each)) for each in (first, second, truth) if np.size(each)), default=-1)
        a, statistic = _prepared(kind, truth, first, place, weights=weights, k=k)
        b, _ = _prepared(kind, truth, second, place, weights=weights, k=k)
        if kind == "bias":
            # A judge's bias is its scores less the truth, not the other way round.
            a, b = b, a
    return bootstrap_difference(a, b, statistic, draws=draws, seed=seed, level=level)


def bootstrap_tables(
    tables: Tables | ArrayLike,
    statistic: Statistic,
    *,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """A statistic of the sum of groups' tables, with its percentile interval over groups drawn with replacement.

    What is held at a time does not grow with ``draws``.

    Args:
        tables: One table a group: an array ``[groups, …]``, or what :mod:`assay.measures.grouped` makes of items.
        statistic: Of sums with any leading axes, to values with those axes; NaN where it is not defined. Those of
            :mod:`assay.measures.additive` are such.
        draws: Resamples.
        seed: The same seed and tables give the same interval.
        level: Of the interval.

    Returns:
        The estimate. ``n`` is the number of items where it is known, else that of groups. Resamples on which the
        statistic is not defined are left out; with more than a tenth of those there is no interval.

    Raises:
        ValueError: No draws, a level that is not between 0 and 1, or tables that are not finite.
    """
    if draws < 1 or not 0 < level < 1:
        raise ValueError(f"{draws} draws at a level of {level}")
    held = tables if isinstance(tables, Tables) else Tables.of(tables)
    bare: dict[str, Any] = {"n": held.items, "groups": held.groups, "method": "bootstrap"}
    if not held.groups:
        return Estimate(**bare, reason="nothing to average")
    value = float(statistic(held.total()))
    if not np.isfinite(value):
        return Estimate(**bare, reason="not defined on these items")
    if held.groups < 2:
        return Estimate(value=value, **bare, reason="one group has no spread")
    found = np.concatenate([statistic(sums) for sums in draw_sums(held, draws, seed)])
    return _percentiles(value, found, level, bare)


def bootstrap_difference(
    first: Tables | ArrayLike,
    second: Tables | ArrayLike,
    statistic: Statistic,
    *,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """How much a statistic is higher in the first tables than in the second, the same groups drawn for both.

    Args:
        first: One table a group.
        second: Those of the other judge, of the same groups in the same order, so that they pair.
        statistic: As for :func:`bootstrap_tables`.
        draws: Resamples.
        seed: The same seed and tables give the same interval.
        level: Of the interval.

    Raises:
        ValueError: The two have not the same shape, or do not pair, or as for :func:`bootstrap_tables`.
    """
    a, b = (each if isinstance(each, Tables) else Tables.of(each) for each in (first, second))
    both = a.beside(b)

    def apart(sums: Array) -> Array:
        # The pair is the axis before those of a table.
        pair = np.moveaxis(sums, -1 - len(a.shape), 0)
        return np.asarray(statistic(pair[0]) - statistic(pair[1]))

    return bootstrap_tables(both, apart, draws=draws, seed=seed, level=level)


def draw_sums(tables: Tables, draws: int, seed: int) -> Iterator[Array]:
    """Sums of resampled tables, ``[some draws, …]`` at a time."""
    random = np.random.default_rng(seed)
    few = tables.distinct()
    groups, cells = tables.groups, int(np.prod(tables.shape))
    # Tables that came counted can be drawn in no other way.
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
    """The inverse of the Poisson distribution of mean 1 at 65,536 even steps: a draw is one look-up."""
    upto = np.cumsum(np.exp(-1.0) / np.cumprod([1.0, *range(1, 12)]))
    return np.searchsorted(upto, (np.arange(65536) + 0.5) / 65536).astype(np.int8)


def _percentiles(value: float, found: Array, level: float, bare: dict[str, Any]) -> Estimate:
    defined = found[np.isfinite(found)]
    if len(defined) < (1 - _MOST_UNDEFINED) * len(found):
        return Estimate(
            value=value,
            **bare,
            reason=f"not defined on {len(found) - len(defined)} of {len(found)} resamples",
        )
    if float(defined.max()) - float(defined.min()) <= 1e-12 * max(1.0, abs(value)):
        return Estimate(value=value, **bare, reason="all resamples give the same")
    low, high = np.quantile(defined, ((1 - level) / 2, (1 + level) / 2))
    # A biased statistic may lie outside its own resamples; the interval always holds the value.
    return Estimate(value=value, low=min(value, float(low)), high=max(value, float(high)), **bare)


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
        raise ValueError(f"kind {kind!r}; one of {', '.join(get_args(Kind))}")
    if kind == "accuracy":
        return share_tables(first, groups), additive.share
    if second is None:
        raise ValueError(f"{kind} takes two judges")
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
    """Values by their place in the order of their side."""
    a, b = a.astype(float), b.astype(float)
    if len(a) != len(b):
        raise ValueError(f"{len(a)} scores beside {len(b)}")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("a score is not finite")
    first, many = numbered(a)
    second, more = numbered(b)
    if max(many, more) > _MOST_LEVELS:
        raise ValueError(
            f"{max(many, more)} different values; more than {_MOST_LEVELS} take ranks.bootstrap_ranks"
        )
    return first, second, max(many, more)
