"""Where different yardsticks agree about the same reports and the systems that wrote them, and where they differ.

A yardstick is a suite (or a rubric) with a judge. One that scores gives each report its score; one that compares gives it
the share of its comparisons won, ties excluded (ReportLogic, appendix C.1). A system's figure is the mean over its
reports, or over its comparisons. Where two yardsticks are compared, figures are of the reports that both have judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Final

import msgspec

from assay.measures.correlation import Correlation, kendall, spearman

SCHEMA: Final = "assay.suites/1"
# Reports and systems that yardsticks differ most about: so many are named.
_NAMED: Final = 10


class RubricScore(msgspec.Struct, frozen=True):
    """A report with a score: by which yardstick, of which task, by whom. None: the judge gave no verdict."""

    yardstick: str
    id: str
    system: str
    score: float | None


class RubricComparison(msgspec.Struct, frozen=True):
    """Two reports compared: 1 the first is better, -1 the second, 0 a tie of any kind, None no verdict."""

    yardstick: str
    a: tuple[str, str]
    b: tuple[str, str]
    verdict: int | None


class SystemPlace(msgspec.Struct, frozen=True):
    """A system by one yardstick.

    Attributes:
        system: Its name.
        value: Mean score, or share of comparisons won; None where nothing is known.
        n: Reports, or comparisons that were no tie.
        of: Reports, or comparisons, with those that gave no verdict or a tie.
        rank: From 1, the mean of their places for those that are equal; None without a value.
    """

    system: str
    value: float | None
    n: int
    of: int
    rank: float | None = None


class RubricTable(msgspec.Struct, frozen=True):
    """All systems by one yardstick.

    Attributes:
        yardstick: Its name.
        kind: What the values are.
        standings: The systems, best first.
        same_tasks: Whether the values of all systems are of the same tasks; where not, their places say little.
    """

    yardstick: str
    kind: str
    standings: tuple[SystemPlace, ...]
    same_tasks: bool = True


class RankAgreement(msgspec.Struct, frozen=True):
    """How far two yardsticks agree: about systems, and about single reports."""

    first: str
    second: str
    systems: Correlation
    systems_kendall: Correlation
    reports: Correlation


class PlaceGap(msgspec.Struct, frozen=True):
    """Something two yardsticks see differently: its place among ``n``, as shares from 0 (worst) to 1 (best)."""

    first: str
    second: str
    id: str
    system: str
    place_first: float
    place_second: float
    n: int

    @property
    def width(self) -> float:
        """How far apart the places are."""
        return abs(self.place_first - self.place_second)


class RubricConcordance(msgspec.Struct, frozen=True):
    """All of it."""

    tables: tuple[RubricTable, ...]
    between: tuple[RankAgreement, ...]
    gaps: tuple[PlaceGap, ...]
    reports: int
    tasks: int
    schema: str = SCHEMA


def compare_rubrics(scored: Iterable[RubricScore], compared: Iterable[RubricComparison]) -> RubricConcordance:
    """Put yardsticks side by side.

    Args:
        scored: Reports with scores. Several of one report by one yardstick (trials) are averaged.
        compared: Pairs with verdicts.
    """
    scored, compared = list(scored), list(compared)
    values = _values(scored, compared)
    names = list(dict.fromkeys([item.yardstick for item in scored] + [item.yardstick for item in compared]))
    tables = {name: _table(name, scored, compared) for name in names}
    between, gaps = [], list[PlaceGap]()
    for first, second in combinations(names, 2):
        both = values[first].keys() & values[second].keys()
        one, two = (_table(name, scored, compared, both) for name in (first, second))
        between.append(_between(one, two, values[first], values[second]))
        gaps += _gaps(first, second, values[first], values[second])
    gaps.sort(key=lambda gap: (-gap.width, gap.first, gap.second, gap.id, gap.system))
    reports = {(item.id, item.system) for item in scored} | {
        side for item in compared for side in (item.a, item.b)
    }
    return RubricConcordance(
        tables=tuple(tables.values()),
        between=tuple(between),
        gaps=tuple(gaps[:_NAMED]),
        reports=len(reports),
        tasks=len({task for task, _ in reports}),
    )


_Values = dict[tuple[str, str], float]


def _values(scored: Sequence[RubricScore], compared: Sequence[RubricComparison]) -> dict[str, _Values]:
    """A number for each report, by yardstick."""
    given: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for item in scored:
        found = given[item.yardstick]
        if item.score is not None:
            found[item.id, item.system].append(item.score)
    for pair in compared:
        found = given[pair.yardstick]
        if pair.verdict:
            found[pair.a].append(float(pair.verdict > 0))
            found[pair.b].append(float(pair.verdict < 0))
    return {
        name: {key: sum(numbers) / len(numbers) for key, numbers in found.items()}
        for name, found in given.items()
    }


def _table(
    name: str,
    scored: Sequence[RubricScore],
    compared: Sequence[RubricComparison],
    only: Collection[tuple[str, str]] | None = None,
) -> RubricTable:
    """All systems by one yardstick, by all of their reports or by these only."""
    numbers: dict[str, list[float]] = defaultdict(list)
    asked: dict[str, int] = defaultdict(int)
    tasks: dict[str, set[str]] = defaultdict(set)
    mine = [item for item in scored if item.yardstick == name]
    for item in mine:
        if only is not None and (item.id, item.system) not in only:
            continue
        asked[item.system] += 1
        if item.score is not None:
            numbers[item.system].append(item.score)
            tasks[item.system].add(item.id)
    for pair in compared:
        if pair.yardstick != name:
            continue
        for (task, system), won in ((pair.a, 1), (pair.b, -1)):
            if only is not None and (task, system) not in only:
                continue
            asked[system] += 1
            if pair.verdict is not None:
                # A tie says something of the task, too.
                tasks[system].add(task)
            if pair.verdict:
                numbers[system].append(float(pair.verdict == won))
    means = {system: sum(found) / len(found) for system, found in numbers.items() if found}
    ranks = _ranks(means)
    standings = [
        SystemPlace(system, means.get(system), len(numbers[system]), total, ranks.get(system))
        for system, total in asked.items()
    ]
    standings.sort(key=lambda item: (item.rank is None, item.rank or 0.0, item.system))
    same = len({frozenset(tasks[system]) for system in means}) <= 1
    return RubricTable(name, "mean score" if mine else "win rate", tuple(standings), same)


def _ranks(means: dict[str, float]) -> dict[str, float]:
    """Places from 1, best first; those that are equal share the mean of their places."""
    found = {}
    for system, value in means.items():
        above = sum(other > value for other in means.values())
        level = sum(other == value for other in means.values())
        found[system] = above + (level + 1) / 2
    return found


def _between(first: RubricTable, second: RubricTable, one: _Values, two: _Values) -> RankAgreement:
    left = {item.system: item.value for item in first.standings if item.value is not None}
    right = {item.system: item.value for item in second.standings if item.value is not None}
    systems = [system for system in left if system in right]
    x, y = [left[item] for item in systems], [right[item] for item in systems]
    reports = [key for key in one if key in two]
    return RankAgreement(
        first.yardstick,
        second.yardstick,
        spearman(x, y),
        kendall(x, y),
        spearman([one[key] for key in reports], [two[key] for key in reports]),
    )


def _gaps(first: str, second: str, one: _Values, two: _Values) -> list[PlaceGap]:
    """Reports by how differently two yardsticks place them among those both have judged."""
    both = [key for key in one if key in two]
    if len(both) < 3:
        return []
    places = [_places({key: values[key] for key in both}) for values in (one, two)]
    found = (
        PlaceGap(first, second, task, system, places[0][task, system], places[1][task, system], len(both))
        for task, system in both
    )
    return [gap for gap in found if gap.width > 0]


def _places(values: _Values) -> _Values:
    """From 0 for the worst to 1 for the best; equal ones in the middle of their places."""
    order = sorted(values.values())
    first: dict[float, int] = {}
    count: dict[float, int] = defaultdict(int)
    for index, value in enumerate(order):
        first.setdefault(value, index)
        count[value] += 1
    last = len(order) - 1
    return {key: (first[value] + (count[value] - 1) / 2) / last for key, value in values.items()}
