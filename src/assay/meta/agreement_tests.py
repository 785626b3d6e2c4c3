"""Is one judge nearer to people than another? Tested on the units both judged, with Holm's correction for many pairs."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import msgspec
import numpy as np

from assay.measures.hypotheses import discordant, mcnemar, paired_permutation
from assay.measures.intervals import Estimate, mean_interval
from assay.measures.paired import holm

_FEWEST: Final = 3
_DRAWS: Final = 1000
_FEWEST_DRAWS: Final = 200
_WORK: Final = 5_000_000
_LEVEL: Final = 0.05


class UnitScores(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge did on each unit.

    Attributes:
        what: "agreement accuracy", "accuracy", "absolute error", or "scores" where there is no common scale.
        values: By unit.
        tasks: Of each.
        truths: Of each, for scores.
        plain: What can be compared with any other judge: of preferences, right or wrong by the verdict alone; of scores,
            the scores.
    """

    what: str
    values: dict[tuple[str, str], float]
    tasks: dict[tuple[str, str], str]
    truths: dict[tuple[str, str], float] = {}
    plain: dict[tuple[str, str], float] = {}


class JudgeComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges on the same units.

    Attributes:
        first: A judge.
        second: Another.
        what: What differs: "agreement accuracy", "accuracy", "absolute error" (less is better), "rank correlation".
        difference: First minus second.
        test: "mcnemar" (mid-p) where every unit is a task of its own, else "permutation" of whole tasks; "bootstrap" over
            tasks for correlations.
        p: Two-sided; None where they never differ, or have too little in common.
        p_holm: The same, corrected for all pairs of judges.
        better: The one that is nearer to people, where p_holm is below 0.05; else None.
    """

    first: str
    second: str
    what: str
    difference: Estimate
    test: str
    p: float | None = None
    p_holm: float | None = None
    better: str | None = None


def compare_judges(outcomes: dict[str, UnitScores], *, score: bool) -> list[JudgeComparison]:
    """Every pair of judges; those without a common scale by the difference of their rank correlations."""
    found: list[JudgeComparison] = []
    for (first, a), (second, b) in combinations(outcomes.items(), 2):
        if score and (a.what != "absolute error" or b.what != "absolute error"):
            one = _by_ranks(first, a, second, b)
        else:
            one = _paired(first, a, second, b)
        if one is not None:
            found.append(one)
    corrected = holm([one.p for one in found])
    return [_settled(one, p) for one, p in zip(found, corrected, strict=True)]


def _paired(first: str, a: UnitScores, second: str, b: UnitScores) -> JudgeComparison | None:
    what, mine, theirs = a.what, a.values, b.values
    if a.what != b.what:
        # One of them was not asked in both orders: the verdict alone is what both have.
        what, mine, theirs = "accuracy", a.plain, b.plain
    shared = [key for key in mine if key in theirs]
    if not shared:
        return None
    x, y = [mine[key] for key in shared], [theirs[key] for key in shared]
    tasks = [a.tasks.get(key) or b.tasks[key] for key in shared]
    hits = what != "absolute error" and set(x) | set(y) <= {0.0, 1.0}
    difference = mean_interval([i - j for i, j in zip(x, y, strict=True)], tasks)
    if hits and len(set(tasks)) == len(tasks):
        test, p = "mcnemar", mcnemar(*discordant(x, y)).mid_p
    else:
        test, p = "permutation", paired_permutation(x, y, tasks).p
    return JudgeComparison(first=first, second=second, what=what, difference=difference, test=test, p=p)


def _by_ranks(first: str, a: UnitScores, second: str, b: UnitScores) -> JudgeComparison | None:
    """Scores on different scales: whose order is nearer to that of people, over tasks drawn again."""
    shared = [key for key in a.plain if key in b.plain]
    if len(shared) < _FEWEST:
        return None
    from assay.measures.correlation import spearman  # noqa: PLC0415

    truth = np.array([a.truths[key] for key in shared])
    x, y = np.array([a.plain[key] for key in shared]), np.array([b.plain[key] for key in shared])

    def apart(at: Any) -> float | None:
        one, other = spearman(x[at], truth[at]).value, spearman(y[at], truth[at]).value
        return None if one is None or other is None else one - other

    places: dict[str, list[int]] = {}
    for at, key in enumerate(shared):
        places.setdefault(a.tasks[key], []).append(at)
    listed = [np.asarray(these) for these in places.values()]
    value = apart(np.arange(len(shared)))
    bare: dict[str, Any] = {"value": value, "n": len(shared), "groups": len(listed), "method": "bootstrap"}
    random = np.random.default_rng(0)
    drawn = [
        found
        for _ in range(max(_FEWEST_DRAWS, min(_DRAWS, _WORK // len(shared))))
        if (
            found := apart(
                np.concatenate([listed[at] for at in random.integers(0, len(listed), len(listed))])
            )
        )
        is not None
    ]
    plain = {"first": first, "second": second, "what": "rank correlation", "test": "bootstrap"}
    if value is None or len(listed) < _FEWEST or len(drawn) < _FEWEST_DRAWS // 2:
        return JudgeComparison(**plain, difference=Estimate(**bare, reason="too little to draw from"))  # type: ignore[arg-type]
    low, high = np.quantile(drawn, (0.025, 0.975))
    below, above = (1 + sum(found <= 0 for found in drawn)), (1 + sum(found >= 0 for found in drawn))
    return JudgeComparison(
        **plain,  # type: ignore[arg-type]
        difference=Estimate(**bare, low=min(value, float(low)), high=max(value, float(high))),
        p=min(1.0, 2 * min(below, above) / (1 + len(drawn))),
    )


def _settled(one: JudgeComparison, p: float | None) -> JudgeComparison:
    value = one.difference.value
    better: str | None = None
    if p is not None and p < _LEVEL and value:
        ahead = value < 0 if one.what == "absolute error" else value > 0
        better = one.first if ahead else one.second
    return msgspec.structs.replace(one, p_holm=p, better=better)
