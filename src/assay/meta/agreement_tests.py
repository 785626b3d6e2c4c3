"""Tests of whether one judge agrees better with people than another, on the units that both judged."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import msgspec
import numpy as np

from assay.measures.correlation import spearman
from assay.measures.hypotheses import discordant, mcnemar, paired_permutation
from assay.measures.intervals import Estimate, mean_interval
from assay.measures.paired import holm

_FEWEST: Final = 3
_DRAWS: Final = 1000
_FEWEST_DRAWS: Final = 200
_WORK: Final = 5_000_000
_LEVEL: Final = 0.05


class UnitScores(msgspec.Struct, frozen=True, kw_only=True):
    """Scores of a judge's correctness on each unit.

    Attributes:
        what: "agreement accuracy", "accuracy", "absolute error", or "scores" without a common scale.
        values: Values by unit.
        tasks: Tasks by unit.
        truths: Consensus labels by unit, for scores.
        span: Distance of the ends of the scale, for scores on one with steps.
        plain: Values that are comparable with any other judge: the scores, or whether the verdict alone is right.
    """

    what: str
    values: dict[tuple[str, str], float]
    tasks: dict[tuple[str, str], str]
    truths: dict[tuple[str, str], float] = {}
    plain: dict[tuple[str, str], float] = {}
    span: float | None = None


class JudgeComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges on the same units.

    Attributes:
        first: Name of one judge.
        second: Name of the other.
        what: Compared value: "agreement accuracy", "accuracy", "absolute error" (less is better), "rank correlation".
        difference: First minus second.
        test: "mcnemar" (mid-p) if every unit is a task of its own, else "permutation" of whole tasks; "bootstrap" over
            tasks for correlations.
        p: Two-sided p value; None if the judges never differ or share too few units.
        p_holm: p value with Holm's correction over all pairs of judges.
        better: Name of the judge that agrees better with people if p_holm is below 0.05, else None.
        reason: Why no difference, however large, could be significant: too few tasks on which the judges differ.
    """

    first: str
    second: str
    what: str
    difference: Estimate
    test: str
    p: float | None = None
    p_holm: float | None = None
    better: str | None = None
    reason: str = ""


def compare_judges(scores: dict[str, UnitScores], *, score: bool) -> list[JudgeComparison]:
    """Compare every pair of judges; without a common scale, by the difference of their rank correlations."""
    comparisons: list[JudgeComparison] = []
    for (first, a), (second, b) in combinations(scores.items(), 2):
        if score and (a.what != "absolute error" or b.what != "absolute error"):
            one = _by_ranks(first, a, second, b)
        else:
            one = _paired(first, a, second, b)
        if one is not None:
            comparisons.append(one)
    corrected = holm([one.p for one in comparisons])
    return [_with_winner(one, p) for one, p in zip(comparisons, corrected, strict=True)]


def _paired(first: str, a: UnitScores, second: str, b: UnitScores) -> JudgeComparison | None:
    what, first_values, second_values = a.what, a.values, b.values
    if a.what != b.what:
        # One judge saw one order only, so the verdict alone is compared.
        what, first_values, second_values = "accuracy", a.plain, b.plain
    shared = [key for key in first_values if key in second_values]
    if not shared:
        return None
    x, y = [first_values[key] for key in shared], [second_values[key] for key in shared]
    tasks = [a.tasks.get(key) or b.tasks[key] for key in shared]
    binary = what != "absolute error" and set(x) | set(y) <= {0.0, 1.0}
    spans = [item.span for item in (a, b) if item.span is not None]
    most = 1.0 if what != "absolute error" else max(spans) if len(spans) == 2 else None
    bounds = (None, None) if most is None else (-most, most)
    difference = mean_interval([i - j for i, j in zip(x, y, strict=True)], tasks, bounds=bounds)
    least: float | None
    if binary and len(set(tasks)) == len(tasks):
        only_first, only_second = discordant(x, y)
        test, p = "mcnemar", mcnemar(only_first, only_second).mid_p
        # The mid-p value, if all items that only one got right were the same judge's.
        differing, least = only_first + only_second, 0.5 ** (only_first + only_second)
    else:
        permutation = paired_permutation(x, y, tasks)
        test, p, differing, least = "permutation", permutation.p, permutation.groups, permutation.least
    reason = ""
    if p is not None and least is not None and least >= _LEVEL:
        reason = f"with {differing} differing {'task' if differing == 1 else 'tasks'}, p cannot be below {least:.3g}"
    return JudgeComparison(
        first=first, second=second, what=what, difference=difference, test=test, p=p, reason=reason
    )


def _by_ranks(first: str, a: UnitScores, second: str, b: UnitScores) -> JudgeComparison | None:
    """Compare rank correlations with people, for scores on different scales; bootstrapped over tasks."""
    shared = [key for key in a.plain if key in b.plain]
    if len(shared) < _FEWEST:
        return None
    truth = np.array([a.truths[key] for key in shared])
    x, y = np.array([a.plain[key] for key in shared]), np.array([b.plain[key] for key in shared])

    def difference(at: Any) -> float | None:
        one, other = spearman(x[at], truth[at]).value, spearman(y[at], truth[at]).value
        return None if one is None or other is None else one - other

    places: dict[str, list[int]] = {}
    for at, key in enumerate(shared):
        places.setdefault(a.tasks[key], []).append(at)
    tasks = [np.asarray(rows) for rows in places.values()]
    value = difference(np.arange(len(shared)))
    estimate = Estimate(value=value, n=len(shared), clusters=len(tasks), method="bootstrap")
    random = np.random.default_rng(0)
    draws: list[float] = []
    for _ in range(max(_FEWEST_DRAWS, min(_DRAWS, _WORK // len(shared)))):
        drawn = difference(np.concatenate([tasks[at] for at in random.integers(0, len(tasks), len(tasks))]))
        if drawn is not None:
            draws.append(drawn)
    p: float | None = None
    if value is None or len(tasks) < _FEWEST or len(draws) < _FEWEST_DRAWS // 2:
        estimate = msgspec.structs.replace(estimate, reason="too few tasks to resample")
    else:
        low, high = np.quantile(draws, (0.025, 0.975))
        estimate = msgspec.structs.replace(estimate, low=min(value, float(low)), high=max(value, float(high)))
        below, above = (1 + sum(drawn <= 0 for drawn in draws)), (1 + sum(drawn >= 0 for drawn in draws))
        p = min(1.0, 2 * min(below, above) / (1 + len(draws)))
    return JudgeComparison(
        first=first, second=second, what="rank correlation", difference=estimate, test="bootstrap", p=p
    )


def _with_winner(one: JudgeComparison, p: float | None) -> JudgeComparison:
    value = one.difference.value
    better: str | None = None
    if p is not None and p < _LEVEL and value:
        ahead = value < 0 if one.what == "absolute error" else value > 0
        better = one.first if ahead else one.second
    return msgspec.structs.replace(one, p_holm=p, better=better)
