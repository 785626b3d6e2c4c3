"""Statistics of agreement on plain arrays, each with its 95 % interval.

    from assay import metrics

    metrics.cohen_kappa(judge, human)                   # <Estimate: 0.61 [0.48, 0.73], n=200>
    metrics.quadratic_kappa(judge, human, groups=task)  # items of one task are not independent
    metrics.krippendorff_alpha([anna, ben, judge])      # any number of raters, None where one is missing

Functions are named after the statistic and take one value for each item. Verdicts may be anything that can be compared
for equality; scores and ordered categories are numbers. ``groups`` names the group of each item, such as its task:
intervals come from a bootstrap over whole groups, from a fixed seed. If there is no value or no interval, ``reason``
says why; no interval leaves the range of its statistic.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
import numpy as np

from assay.measures import additive, distances, repeatability
from assay.measures.bootstrap import Kind, bootstrap_tables, clustered
from assay.measures.bradley_terry import bradley_terry as _strengths
from assay.measures.bradley_terry import bradley_terry_draws, elo, win_matrix
from assay.measures.clustered import share_interval
from assay.measures.correlation import kendall as _kendall
from assay.measures.correlation import pearson as _pearson
from assay.measures.correlation import spearman as _spearman
from assay.measures.grouped import numbered
from assay.measures.intervals import Estimate, too_few, wilson_interval
from assay.measures.kappas import rating_parts
from assay.measures.ranks import bootstrap_ranks
from assay.measures.tabulate import counts_of

Labels: TypeAlias = Iterable[Hashable]
Numbers: TypeAlias = Iterable[float]
Groups: TypeAlias = Iterable[Hashable] | None
# With more categories, tables of pairs for every group become too large.
_MOST: int = 64


def accuracy(judge: Labels, human: Labels, groups: Groups = None) -> Estimate:
    """Return the share of items with the same verdict, 0 to 1; Wilson's interval (1927), for groups after Korn and
    Graubard (1998).
    """  # noqa: D205 - the source belongs to the first sentence
    a, b = _pairs(judge, human)
    hits = [x == y for x, y in zip(a, b, strict=True)]
    return wilson_interval(sum(hits), len(hits)) if groups is None else share_interval(hits, list(groups))


def cohen_kappa(judge: Labels, human: Labels, groups: Groups = None) -> Estimate:
    """Return Cohen's κ (1960): agreement beyond that of independent raters; at most 1, 0 at chance."""
    return _on_categories("kappa", judge, human, groups)


def linear_kappa(
    judge: Numbers, human: Numbers, groups: Groups = None, *, categories: Sequence[float] | None = None
) -> Estimate:
    """Return Cohen's κ with linear weights of near misses (1968); ``categories`` are those of the whole scale."""
    return _on_categories("kappa", judge, human, groups, weights="linear", categories=categories)


def quadratic_kappa(
    judge: Numbers, human: Numbers, groups: Groups = None, *, categories: Sequence[float] | None = None
) -> Estimate:
    """Return Cohen's κ with quadratic weights of near misses (1968); ``categories`` are those of the whole scale."""
    return _on_categories("kappa", judge, human, groups, weights="quadratic", categories=categories)


def gwet_ac1(
    judge: Labels, human: Labels, groups: Groups = None, *, categories: Sequence[Any] | None = None
) -> Estimate:
    """Return Gwet's AC1 (2008), which does not fall if one category is common; ``categories`` are all possible ones."""
    return _on_categories("ac", judge, human, groups, categories=categories)


def gwet_ac2(
    judge: Numbers, human: Numbers, groups: Groups = None, *, categories: Sequence[float] | None = None
) -> Estimate:
    """Return Gwet's AC2 (2014) with quadratic weights of near misses; ``categories`` are those of the whole scale."""
    return _on_categories("ac", judge, human, groups, weights="quadratic", categories=categories)


def macro_f1(judge: Labels, human: Labels, groups: Groups = None) -> Estimate:
    """Return the unweighted mean of the F1 of every class that occurs, with the human as truth; 0 to 1."""
    return _on_categories("macro_f1", judge, human, groups)


def fleiss_kappa(ratings: Sequence[Labels], groups: Groups = None) -> Estimate:
    """Return Fleiss' κ (1971) of any number of raters, generalised to missing ratings (Gwet 2014, 5.3).

    Args:
        ratings: A row for each rater, with a verdict for each item; None if missing.
        groups: Group of each item; None if each item is a group of its own.
    """
    codes, values = _coded(ratings)
    parts = rating_parts(counts_of(codes, len(values)))
    alike = additive.similarity(len(values), "none")
    several = (codes >= 0).sum(axis=0) >= 2
    return _over_groups(parts, several, groups, lambda sums: additive.fleiss_parts(sums, alike))


def krippendorff_alpha(
    ratings: Sequence[Labels],
    level: Literal["nominal", "ordinal", "interval", "ratio"] = "nominal",
    groups: Groups = None,
) -> Estimate:
    """Return Krippendorff's α (2011) of any number of raters: 1 minus observed over expected disagreement.

    Args:
        ratings: A row for each rater, with a rating for each item; None or NaN if missing.
        level: Level of measurement: names, ranks, equal steps, or amounts with a true zero.
        groups: Group of each item; None if each item is a group of its own.

    Raises:
        ValueError: There are more than 64 distinct ratings; round them.
    """
    codes, values = _coded(ratings)
    if len(values) > _MOST:
        raise ValueError(
            f"{len(values)} distinct ratings are too many; round them, at most {_MOST} may occur"
        )
    counts = counts_of(codes, len(values))
    sizes = counts.sum(axis=1)
    each = np.where(sizes >= 2, 1 / np.maximum(sizes - 1, 1), 0.0)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(len(values))
    scale = np.arange(len(values), dtype=float) if level == "nominal" else np.array(values, dtype=float)
    return _over_groups(
        pairs * each[:, None, None], sizes >= 2, groups, lambda sums: additive.alpha(sums, level, scale)
    )


def pearson(judge: Numbers, human: Numbers, groups: Groups = None) -> Estimate:
    """Return Pearson's r, -1 to 1; Fisher's interval, for groups a bootstrap."""
    a, b = _pairs(judge, human)
    return _pearson(a, b) if groups is None else clustered("pearson", b, a, list(groups))


def spearman(judge: Numbers, human: Numbers, groups: Groups = None) -> Estimate:
    """Return Spearman's ρ, -1 to 1; the interval of Bonett and Wright (2000), for groups a bootstrap."""
    a, b = _pairs(judge, human)
    return _spearman(a, b) if groups is None else bootstrap_ranks(b, a, list(groups), kind="spearman")


def kendall(judge: Numbers, human: Numbers, groups: Groups = None) -> Estimate:
    """Return Kendall's τ-b, -1 to 1; the interval of Fieller, Hartley and Pearson (1957), for groups a bootstrap."""
    a, b = _pairs(judge, human)
    return _kendall(a, b) if groups is None else bootstrap_ranks(b, a, list(groups), kind="kendall")


def mean_absolute_difference(judge: Numbers, human: Numbers, groups: Groups = None) -> Estimate:
    """Return the mean absolute difference in points, 0 or more; t interval over groups."""
    return distances.mad(*_pairs(judge, human), _listed(groups))


def rmse(judge: Numbers, human: Numbers, groups: Groups = None) -> Estimate:
    """Return the root mean squared difference in points, 0 or more; t interval over groups."""
    return distances.rmse(*_pairs(judge, human), _listed(groups))


def bias(judge: Numbers, human: Numbers, groups: Groups = None) -> Estimate:
    """Return the mean of judge minus human in points, above 0 for a generous judge; t interval over groups."""
    return distances.bias(*_pairs(judge, human), _listed(groups))


def flip_rate(repetitions: Sequence[Labels], groups: Groups = None) -> Estimate:
    """Return the probability that two repetitions of an item differ, 0 to 1; t interval over groups.

    Args:
        repetitions: A row for each repetition, with a verdict for each item; None if missing.
        groups: Group of each item; None if each item is a group of its own.
    """
    codes, _ = _coded(repetitions)
    return repeatability.flip_rate(codes.T, _listed(groups))


def bradley_terry(
    first: Iterable[str],
    second: Iterable[str],
    outcome: Iterable[float | str],
    tasks: Groups = None,
    *,
    draws: int = 1000,
    prior: float = 1.0,
) -> dict[str, Estimate]:
    """Return ratings by Bradley and Terry's model (1952) on Elo's scale, best first; 1000 is the mean.

    Args:
        first: First system of each comparison.
        second: Second system.
        outcome: 1 or "A>B" if the first won, 0 or "A<B" if the second did, 0.5 or a tie for a draw.
        tasks: Task of each comparison, whose comparisons are not independent; None if each has its own.
        draws: Draws of the Bayesian bootstrap over tasks (Rubin 1981).
        prior: Virtual drawn comparisons of each system, which keep all ratings finite.

    Raises:
        ValueError: The lengths differ, or an outcome is not from 0 to 1.
    """
    a, b = _pairs(first, second)
    results = [
        {"A>B": 1.0, "A<B": 0.0}.get(one, 0.5) if isinstance(one, str) else float(one) for one in outcome
    ]
    if len(results) != len(a) or not all(0 <= one <= 1 for one in results):
        raise ValueError("every comparison needs an outcome from 0 to 1, or a preference")
    systems = sorted({*a, *b})
    place = {system: at for at, system in enumerate(systems)}
    one, two = (np.array([place[name] for name in names], dtype=np.int64) for names in (a, b))
    index, many = numbered(range(len(a)) if tasks is None else list(tasks), len(a))
    scores, n = np.array(results), len(systems)
    strengths = _strengths(win_matrix(one, two, scores, n), prior=prior)
    reason = too_few(many)
    drawn = None if reason else bradley_terry_draws(index, one, two, scores, n, draws=draws, prior=prior)
    ratings: dict[str, Estimate] = {}
    for at in sorted(range(n), key=lambda at: (-float(strengths[at]), systems[at])):
        value = elo(float(strengths[at]))
        ends: dict[str, float] = {}
        if drawn is not None:
            low, high = (elo(float(end)) for end in np.quantile(drawn[:, at], (0.025, 0.975)))
            ends = {"low": min(value, low), "high": max(value, high)}
        played = int(((one == at) | (two == at)).sum())
        ratings[systems[at]] = Estimate(
            value=value, n=played, clusters=many, method="bootstrap", reason=reason, **ends
        )
    return ratings


def _on_categories(
    kind: Kind,
    judge: Iterable[Any],
    human: Iterable[Any],
    groups: Groups,
    *,
    weights: Literal["none", "linear", "quadratic"] = "none",
    categories: Sequence[Any] | None = None,
) -> Estimate:
    a, b = _pairs(judge, human)
    values = _sorted({*a, *b} if categories is None else {*categories})
    place = {value: at for at, value in enumerate(values)}
    strange = next((value for value in (*a, *b) if value not in place), None)
    if strange is not None:
        raise ValueError(f"{strange!r} is not one of the categories")
    codes = [place[value] for value in b], [place[value] for value in a]
    return clustered(kind, *codes, _listed(groups), weights=weights, k=len(values))


def _pairs(first: Iterable[Any], second: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    a, b = list(first), list(second)
    if len(a) != len(b):
        raise ValueError(f"every item needs a value from both sides, but there are {len(a)} and {len(b)}")
    return a, b


def _listed(groups: Groups) -> list[Hashable] | None:
    return None if groups is None else list(groups)


def _coded(rows: Sequence[Iterable[Any]]) -> tuple[Any, list[Any]]:
    """Return the index of each value among all, raters × items, -1 if missing, and all values in order."""
    table = [[None if value is None or value != value else value for value in row] for row in rows]  # noqa: PLR0124 - NaN
    if len({len(row) for row in table}) > 1:
        raise ValueError("every rater needs a rating for each item; None if it is missing")
    values = _sorted({value for row in table for value in row if value is not None})
    place = {value: at for at, value in enumerate(values)}
    codes = [[-1 if value is None else place[value] for value in row] for row in table]
    return np.array(codes, dtype=np.int64).reshape(len(table), -1), values


def _sorted(values: Iterable[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=repr)


def _over_groups(parts: Any, counted: Any, groups: Groups, statistic: Callable[[Any], Any]) -> Estimate:
    """Return a statistic of summed parts of items, bootstrapped over groups of items with two ratings or more."""
    if not counted.any():
        return Estimate(method="bootstrap", reason="no item has two ratings")
    index, many = numbered(range(len(parts)) if groups is None else list(groups), len(parts))
    sums = np.zeros((many, *parts.shape[1:]))
    np.add.at(sums, index, parts)
    return msgspec.structs.replace(bootstrap_tables(sums, statistic), n=int(counted.sum()))
