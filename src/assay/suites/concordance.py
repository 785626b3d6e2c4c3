"""Concordance of rubrics: where they agree about the same reports and systems, and where they differ.

A rubric here is a suite (or a rubric) together with a judge. A rubric that scores gives each report its score; one that
compares gives it the share of its comparisons won, without ties (ReportLogic, appendix C.1). A system's value is the
mean over its reports or comparisons. Two rubrics are compared on the reports that both have judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Final

import msgspec

from assay.measures.correlation import Correlation, kendall, spearman

SCHEMA: Final = "assay.suites/1"
# Number of reports shown on which rubrics differ most.
_NAMED: Final = 10


class RubricScore(msgspec.Struct, frozen=True):
    """The score of a report: by which rubric, on which task, of which system; None without a verdict."""

    rubric: str
    id: str
    system: str
    score: float | None


class RubricComparison(msgspec.Struct, frozen=True):
    """A comparison of two reports: 1 (the first is better), 0 (tie), -1 (the second is), or None (no verdict)."""

    rubric: str
    a: tuple[str, str]
    b: tuple[str, str]
    verdict: int | None


class SystemPlace(msgspec.Struct, frozen=True):
    """A system by one rubric.

    Attributes:
        system: Name of the system.
        value: Mean score, or share of comparisons won; None without data.
        n: Number of scored reports, or of decided comparisons.
        of: Number of reports or comparisons, including ties and missing verdicts.
        rank: Rank from 1, with mean ranks for ties; None without a value.
    """

    system: str
    value: float | None
    n: int
    of: int
    rank: float | None = None


class RubricTable(msgspec.Struct, frozen=True):
    """All systems by one rubric.

    Attributes:
        rubric: Name of the rubric.
        kind: Kind of the values.
        standings: Systems, best first.
        same_tasks: Whether all systems were judged on the same tasks; if not, ranks mean little.
    """

    rubric: str = msgspec.field(name="yardstick")
    kind: str
    standings: tuple[SystemPlace, ...]
    same_tasks: bool = True


class RankAgreement(msgspec.Struct, frozen=True):
    """Rank correlations of two rubrics over systems and over reports."""

    first: str
    second: str
    systems: Correlation
    systems_kendall: Correlation
    reports: Correlation


class PlaceGap(msgspec.Struct, frozen=True):
    """A report that two rubrics place differently, with places from 0 (worst) to 1 (best) among ``n`` reports."""

    first: str
    second: str
    id: str
    system: str
    place_first: float
    place_second: float
    n: int

    @property
    def width(self) -> float:
        """Distance of the two places."""
        return abs(self.place_first - self.place_second)


class RubricConcordance(msgspec.Struct, frozen=True):
    """Tables of all rubrics, their rank agreement, and the reports on which they differ most."""

    tables: tuple[RubricTable, ...]
    between: tuple[RankAgreement, ...]
    gaps: tuple[PlaceGap, ...]
    reports: int
    tasks: int
    schema: str = SCHEMA


_Values = dict[tuple[str, str], float]


def compare_rubrics(
    scores: Iterable[RubricScore], comparisons: Iterable[RubricComparison]
) -> RubricConcordance:
    """Compare rubrics with each other.

    Args:
        scores: Scores of reports; repetitions by one rubric are averaged.
        comparisons: Comparisons of reports.
    """
    scores, comparisons = list(scores), list(comparisons)
    values = _report_values(scores, comparisons)
    names = list(dict.fromkeys([item.rubric for item in scores] + [item.rubric for item in comparisons]))
    tables = {name: _table(name, scores, comparisons) for name in names}
    between, gaps = [], list[PlaceGap]()
    for first, second in combinations(names, 2):
        both = values[first].keys() & values[second].keys()
        one, two = (_table(name, scores, comparisons, both) for name in (first, second))
        between.append(_rank_agreement(one, two, values[first], values[second]))
        gaps += _gaps(first, second, values[first], values[second])
    gaps.sort(key=lambda gap: (-gap.width, gap.first, gap.second, gap.id, gap.system))
    reports = {(item.id, item.system) for item in scores} | {
        side for item in comparisons for side in (item.a, item.b)
    }
    return RubricConcordance(
        tables=tuple(tables.values()),
        between=tuple(between),
        gaps=tuple(gaps[:_NAMED]),
        reports=len(reports),
        tasks=len({task for task, _ in reports}),
    )


def _report_values(
    scores: Sequence[RubricScore], comparisons: Sequence[RubricComparison]
) -> dict[str, _Values]:
    """Return the value of each report, by rubric."""
    numbers: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for item in scores:
        own = numbers[item.rubric]
        if item.score is not None:
            own[item.id, item.system].append(item.score)
    for pair in comparisons:
        own = numbers[pair.rubric]
        if pair.verdict:
            own[pair.a].append(float(pair.verdict > 0))
            own[pair.b].append(float(pair.verdict < 0))
    return {name: {key: sum(each) / len(each) for key, each in own.items()} for name, own in numbers.items()}


def _table(
    name: str,
    scores: Sequence[RubricScore],
    comparisons: Sequence[RubricComparison],
    only: Collection[tuple[str, str]] | None = None,
) -> RubricTable:
    """Return all systems by one rubric, from all reports or from ``only`` these."""
    numbers: dict[str, list[float]] = defaultdict(list)
    totals: dict[str, int] = defaultdict(int)
    tasks: dict[str, set[str]] = defaultdict(set)
    own = [item for item in scores if item.rubric == name]
    for item in own:
        if only is not None and (item.id, item.system) not in only:
            continue
        totals[item.system] += 1
        if item.score is not None:
            numbers[item.system].append(item.score)
            tasks[item.system].add(item.id)
    for pair in comparisons:
        if pair.rubric != name:
            continue
        for (task, system), win in ((pair.a, 1), (pair.b, -1)):
            if only is not None and (task, system) not in only:
                continue
            totals[system] += 1
            if pair.verdict is not None:
                # A tie counts as judged, too.
                tasks[system].add(task)
            if pair.verdict:
                numbers[system].append(float(pair.verdict == win))
    means = {system: sum(each) / len(each) for system, each in numbers.items() if each}
    ranks = _ranks(means)
    standings = [
        SystemPlace(system, means.get(system), len(numbers[system]), total, ranks.get(system))
        for system, total in totals.items()
    ]
    standings.sort(key=lambda item: (item.rank is None, item.rank or 0.0, item.system))
    same = len({frozenset(tasks[system]) for system in means}) <= 1
    return RubricTable(name, "mean score" if own else "win rate", tuple(standings), same)


def _ranks(means: dict[str, float]) -> dict[str, float]:
    """Return ranks from 1, best first, with mean ranks for ties."""
    ranks = {}
    for system, value in means.items():
        above = sum(other > value for other in means.values())
        level = sum(other == value for other in means.values())
        ranks[system] = above + (level + 1) / 2
    return ranks


def _rank_agreement(first: RubricTable, second: RubricTable, one: _Values, two: _Values) -> RankAgreement:
    left = {item.system: item.value for item in first.standings if item.value is not None}
    right = {item.system: item.value for item in second.standings if item.value is not None}
    systems = [system for system in left if system in right]
    x, y = [left[item] for item in systems], [right[item] for item in systems]
    reports = [key for key in one if key in two]
    return RankAgreement(
        first.rubric,
        second.rubric,
        spearman(x, y),
        kendall(x, y),
        spearman([one[key] for key in reports], [two[key] for key in reports]),
    )


def _gaps(first: str, second: str, one: _Values, two: _Values) -> list[PlaceGap]:
    """Return the differences in place of reports that both rubrics judged."""
    both = [key for key in one if key in two]
    if len(both) < 3:
        return []
    places = [_places({key: values[key] for key in both}) for values in (one, two)]
    gaps = (
        PlaceGap(first, second, task, system, places[0][task, system], places[1][task, system], len(both))
        for task, system in both
    )
    return [gap for gap in gaps if gap.width > 0]


def _places(values: _Values) -> _Values:
    """Return places from 0 (worst) to 1 (best), with mean places for ties."""
    first: dict[float, int] = {}
    count: dict[float, int] = defaultdict(int)
    for index, value in enumerate(sorted(values.values())):
        first.setdefault(value, index)
        count[value] += 1
    last = len(values) - 1
    return {key: (first[value] + (count[value] - 1) / 2) / last for key, value in values.items()}
