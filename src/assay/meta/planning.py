"""Plans of evaluations: how many cases, repetitions and orders tell two judges, or two systems, apart, and what it costs.

The pilot shows how far two judges (or two systems) are apart, how much the difference varies from case to case, and how
much of that is the judge's own noise, which repetitions average out. Costs are those of the pilot per case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean, variance
from typing import TYPE_CHECKING, Final

import msgspec

from assay.errors import InputError
from assay.measures.power import cases_needed
from assay.models.base import Usage
from assay.record import Record

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.meta.results import BenchmarkResult
    from assay.meta.trials import Trial

REPETITIONS: Final = (1, 3, 5)
# With fewer cases a pilot says nothing of the variance.
FEWEST: Final = 8


class PlannedComparison(Record, msgspec.Struct, frozen=True, kw_only=True):
    """One way to tell two judges or two systems apart.

    Attributes:
        first: Name of the first.
        second: Name of the second.
        difference: Mean of the first minus the second: in the pilot, or what is to be found.
        repetitions: Judgments of each case.
        orders: 2 if pairs are shown in both orders, 1 if in one, 0 if nothing has an order.
        cases: Cases for the power wanted; None if there is no difference to find.
        calls: Calls of both together; None without cases.
        tokens: Tokens of both together, in and out; None without cases.
        cost_usd: Their cost in US dollars; None if a price is unknown.
        pilot: Number of cases in the pilot.
        noise: Share of the variance of the difference that is the judge's own noise; None if the pilot did not repeat.
    """

    first: str
    second: str
    difference: float
    repetitions: int
    orders: int
    cases: int | None
    calls: int | None
    tokens: int | None
    cost_usd: float | None
    pilot: int
    noise: float | None = None

    def summary_line(self) -> str:
        """Return who is compared, how, and how many cases it takes."""
        cases = "no number of cases" if self.cases is None else f"{self.cases} cases"
        return f"{self.first} against {self.second}, {self.repetitions} × {self.orders or 1}: {cases}"


class _PilotSide(msgspec.Struct, frozen=True):
    """The measurements of one judge or system: values by repetition and usage, by case; the cluster of each case."""

    values: dict[str, tuple[float, ...]]
    usage: dict[str, Usage]
    clusters: dict[str, str]


def plan_judges(
    result: BenchmarkResult, *, difference: float | None = None, power: float = 0.9, level: float = 0.05
) -> list[PlannedComparison]:
    """Return plans for every pair of judges of a pilot on a benchmark.

    Args:
        result: Results of the pilot, with its trials.
        difference: Difference in accuracy to be found; by default the one of the pilot.
        power: Probability of finding it.
        level: Probability of finding one that is not there.

    Raises:
        InputError: The pilot has fewer than two judges, or too few cases.
    """
    asked = [
        (name, own)
        for name, detection, own in zip(result.names, result.detections, result.trials, strict=True)
        if not detection.condition.beside
    ]
    if len(asked) < 2:
        raise InputError(
            "a plan compares two judges, and the pilot has one", hint="run two judges, or two settings"
        )
    plans: list[PlannedComparison] = []
    for (first, one), (second, two) in combinations(asked, 2):
        shown = [(2, False), (1, True)] if _has_orders(one) and _has_orders(two) else [(0, False)]
        for orders, single in shown:
            sides = _side(one, single=single), _side(two, single=single)
            plans += _plans((first, second), sides, orders, difference=difference, power=power, level=level)
    return plans


def plan_systems(
    judgments: Iterable[Judgment], *, difference: float | None = None, power: float = 0.9, level: float = 0.05
) -> list[PlannedComparison]:
    """Return plans for every pair of systems whose reports a judge has scored.

    Args:
        judgments: Scores; ``metadata`` names ``system`` and ``id`` (the task) of each.
        difference: Difference of mean scores to be found; by default the one of the pilot.
        power: Probability of finding it.
        level: Probability of finding one that is not there.

    Raises:
        InputError: There are fewer than two systems, or too few tasks that both answer.
    """
    by_system: dict[str, dict[str, list[Judgment]]] = defaultdict(lambda: defaultdict(list))
    for judgment in judgments:
        system, task = judgment.metadata.get("system"), judgment.metadata.get("id")
        if judgment.overall is not None and system and task:
            by_system[str(system)][str(task)].append(judgment)
    if len(by_system) < 2:
        raise InputError(
            "a plan compares two systems, and the judgments name fewer",
            hint="rows of reports need the fields system and id",
        )
    plans: list[PlannedComparison] = []
    for first, second in combinations(sorted(by_system), 2):
        sides = _scored(by_system[first]), _scored(by_system[second])
        plans += _plans((first, second), sides, 0, difference=difference, power=power, level=level)
    return plans


def _plans(
    names: tuple[str, str],
    sides: tuple[_PilotSide, _PilotSide],
    orders: int,
    *,
    difference: float | None,
    power: float,
    level: float,
) -> list[PlannedComparison]:
    one, two = sides
    shared = [case for case in one.values if case in two.values]
    if len(shared) < FEWEST:
        raise InputError(
            f"{names[0]} and {names[1]} share {len(shared)} cases with a verdict; a pilot takes {FEWEST}"
        )
    gaps = [fmean(one.values[case]) - fmean(two.values[case]) for case in shared]
    repeated = min(len(values[case]) for values in (one.values, two.values) for case in shared)
    within = (
        fmean(variance(one.values[case]) + variance(two.values[case]) for case in shared)
        if repeated > 1
        else None
    )
    observed = variance(gaps)
    share = None if within is None or not observed else min(1.0, within / repeated / observed)
    between = observed if within is None else max(0.0, observed - within / repeated)
    design = _design_effect(gaps, [one.clusters[case] for case in shared])
    wanted = difference if difference is not None else fmean(gaps)
    usage = sum((one.usage[case] + two.usage[case] for case in shared), Usage())
    plans = []
    for repetitions in REPETITIONS if within is not None else (repeated,):
        spread = between + (within or 0.0) / repetitions
        cases = cases_needed(wanted, spread, power=power, level=level, design=design)
        factor = None if cases is None else cases / len(shared) * repetitions / repeated
        plans.append(
            PlannedComparison(
                first=names[0],
                second=names[1],
                difference=wanted,
                repetitions=repetitions,
                orders=orders,
                cases=cases,
                calls=None if factor is None else round(factor * usage.calls),
                tokens=None if factor is None else round(factor * (usage.input_tokens + usage.output_tokens)),
                cost_usd=None if factor is None or usage.cost_usd is None else factor * usage.cost_usd,
                pilot=len(shared),
                noise=share,
            )
        )
    return plans


def _design_effect(gaps: Sequence[float], clusters: Sequence[str]) -> float:
    """Return how many times the variance of the mean is that of independent cases, 1 or more."""
    mean = fmean(gaps)
    sums: dict[str, float] = defaultdict(float)
    for gap, cluster in zip(gaps, clusters, strict=True):
        sums[cluster] += gap - mean
    alone = sum((gap - mean) ** 2 for gap in gaps)
    return max(1.0, sum(value**2 for value in sums.values()) / alone) if alone else 1.0


def _has_orders(trials: Sequence[Trial]) -> bool:
    return any(trial.by_order for trial in trials)


def _side(trials: Sequence[Trial], *, single: bool) -> _PilotSide:
    """Return the accuracy of a judge by instance; ``single`` counts the first order alone, at half the cost."""
    values: dict[str, tuple[float, ...]] = {}
    usage: dict[str, Usage] = {}
    for trial in trials:
        if trial.kind not in ("failure", "targeted") or trial.correct is None:
            continue
        if single:
            said = (trial.by_order or {}).get("reference_first")
            values[trial.instance] = (float(said == "reference"),)
            usage[trial.instance] = _halved(trial.usage)
        else:
            values[trial.instance] = _repeats(trial) or (float(trial.correct),)
            usage[trial.instance] = trial.usage
    return _PilotSide(values, usage, {trial.instance: trial.group for trial in trials})


def _repeats(trial: Trial) -> tuple[float, ...]:
    """Return whether each repetition preferred the reference; empty if there is one, or if one has no verdict."""
    if any(item is None for item in trial.repeats):
        return ()
    return tuple(
        float(item == "reference" if isinstance(item, str) else (item or 0.0) > 0) for item in trial.repeats
    )


def _halved(usage: Usage) -> Usage:
    return Usage(
        usage.calls // 2 or usage.calls,
        usage.input_tokens // 2,
        usage.cached_input_tokens // 2,
        usage.output_tokens // 2,
        None if usage.cost_usd is None else usage.cost_usd / 2,
    )


def _scored(tasks: Mapping[str, Sequence[Judgment]]) -> _PilotSide:
    values: dict[str, tuple[float, ...]] = {}
    usage: dict[str, Usage] = {}
    for task, own in tasks.items():
        # Repetitions are kept as one judgment with parts, or as rows of their own.
        scores = [part.overall for item in own for part in item.repetitions or (item,)]
        values[task] = tuple(score for score in scores if score is not None)
        usage[task] = sum((item.usage for item in own), Usage())
    return _PilotSide(values, usage, {task: task for task in tasks})
