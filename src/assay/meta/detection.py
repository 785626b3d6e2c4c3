"""Detection accuracy of a judge, computed from its trials (``assay.bench-result/1``).

Accuracy is the share of failures whose reference the judge prefers, among those with a verdict; coverage is
their share of all failures. Intervals are clustered by reference, because instances of one reference are not independent.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.measures.clustered import share_interval
from assay.measures.intervals import Estimate, mean_interval
from assay.meta.detection_record import (
    BestOfN,
    Detection,
    DetectionRate,
    EvaluationCost,
    Localisation,
    OrderEffects,
    ScoreGaps,
)
from assay.meta.robustness import robustness_of
from assay.models.base import Usage

if TYPE_CHECKING:
    from assay.meta.trials import Condition, Trial

_LARGEST_SET: Final = 8
_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def detection_of(condition: Condition, trials: Sequence[Trial]) -> Detection:
    """Compute all results of one judge under one condition."""
    failures = [trial for trial in trials if trial.kind == "failure"]
    accuracy = _rate(failures)
    judged = sum(trial.correct is not None for trial in trials)
    return Detection(
        condition=condition,
        n=len(failures),
        coverage=judged / len(trials) if trials else None,
        accuracy=accuracy,
        by_type=_rates(failures, lambda trial: trial.type),
        by_category=_rates(failures, lambda trial: f"{trial.module}/{trial.category}"),
        by_module=_rates(failures, lambda trial: trial.module),
        by_level=_rates(failures, lambda trial: trial.level),
        by_language=_rates(failures, lambda trial: trial.language),
        best_of_n=_best_of_n(failures, condition.interface, accuracy.value),
        localisation=_localisation([trial for trial in trials if trial.kind in ("failure", "targeted")]),
        gaps=_gaps(failures),
        orders=_orders(trials),
        robustness=robustness_of(trials, both_orders=any(trial.by_order for trial in trials)),
        spent=_cost(trials),
        statuses=dict(Counter(trial.status for trial in trials)),
        noise=_noise(trials),
    )


def _rates(trials: Sequence[Trial], key: Callable[[Trial], str]) -> dict[str, DetectionRate]:
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(key(trial), []).append(trial)
    return {name: _rate(groups[name]) for name in groups}


def _rate(trials: Sequence[Trial]) -> DetectionRate:
    judged = [trial for trial in trials if trial.correct is not None]
    share = _share(judged, lambda trial: trial.correct is True)
    return DetectionRate(
        **msgspec.structs.asdict(share),
        instances=len(trials),
        ties=sum(trial.said == "tie" for trial in judged),
    )


def _share(trials: Sequence[Trial], test: Callable[[Trial], bool]) -> Estimate:
    return _mean(trials, lambda trial: float(test(trial)))


def _mean(
    trials: Sequence[Trial],
    value: Callable[[Trial], float],
    bounds: tuple[float | None, float | None] = (0.0, 1.0),
) -> Estimate:
    values = [value(trial) for trial in trials]
    groups = [trial.group for trial in trials]
    if set(values) <= {0.0, 1.0}:
        return share_interval([bool(item) for item in values], groups)
    return mean_interval(values, groups, bounds=bounds)


def _best_of_n(
    failures: Sequence[Trial], interface: Literal["pointwise", "pairwise", "ranking"], single: float | None
) -> tuple[BestOfN, ...]:
    if interface == "ranking":
        return _best_of_sets(failures, single)
    wins: dict[str, list[bool]] = {}
    for trial in failures:
        if trial.correct is not None:
            wins.setdefault(trial.group, []).append(trial.correct)
    results = []
    for n in range(2, _LARGEST_SET + 1):
        chances = [
            math.comb(sum(own), n - 1) / math.comb(len(own), n - 1)
            for own in wins.values()
            if len(own) >= n - 1
        ]
        if n > 2 and len(chances) < 2:
            break
        results.append(_best(n, mean_interval(chances, bounds=(0.0, 1.0)), single))
    return tuple(results)


def _best_of_sets(failures: Sequence[Trial], single: float | None) -> tuple[BestOfN, ...]:
    sets: dict[str, list[Trial]] = {}
    for trial in failures:
        sets.setdefault(trial.set, []).append(trial)
    sizes: dict[int, list[Trial]] = {}
    for members in sets.values():
        if members[0].best is not None:
            sizes.setdefault(len(members) + 1, []).append(members[0])
    return tuple(_best(n, _share(sizes[n], lambda trial: trial.best is True), single) for n in sorted(sizes))


def _best(n: int, estimate: Estimate, single: float | None) -> BestOfN:
    gap = None if estimate.value is None or single is None else estimate.value - single
    return BestOfN(n=n, accuracy=estimate, gap=gap, chance=1 / n)


def _localisation(trials: Sequence[Trial]) -> Localisation | None:
    pointed = [trial for trial in trials if trial.pointed is not None]
    if not pointed:
        return None
    steps = [trial for trial in pointed if trial.level == "process"]
    spans = [trial for trial in pointed if trial.level == "outcome"]

    def first(trial: Trial) -> bool:
        return trial.pointed is not None and trial.pointed.first

    def overlap(trial: Trial) -> float:
        return (trial.pointed.overlap or 0.0) if trial.pointed else 0.0

    return Localisation(
        by=", ".join(sorted({trial.pointed.by for trial in pointed if trial.pointed})),
        step_exact=_share(steps, first),
        span_hit=_share(spans, first),
        span_overlap=_mean(spans, overlap),
        any_place=_share(pointed, lambda trial: trial.pointed is not None and trial.pointed.any),
        real_fault=_share(
            pointed, lambda trial: first(trial) or bool(trial.pointed and trial.pointed.native)
        ),
        named=len(pointed) / len(trials) if trials else None,
    )


def _gaps(failures: Sequence[Trial]) -> ScoreGaps | None:
    with_gap = [trial for trial in failures if trial.gap is not None]
    values = sorted(trial.gap for trial in with_gap if trial.gap is not None)
    if not values:
        return None
    return ScoreGaps(
        n=len(values),
        mean=_mean(with_gap, lambda trial: trial.gap or 0.0, (None, None)),
        sd=statistics.stdev(values) if len(values) > 1 else None,
        quantiles=tuple(_quantile(values, share) for share in _QUANTILES),
        ties=sum(abs(value) < 1e-9 for value in values) / len(values),
        wrong=sum(value < -1e-9 for value in values) / len(values),
        histogram=_histogram(values),
    )


def _quantile(values: Sequence[float], share: float) -> float:
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return round(values[low] + (values[high] - values[low]) * (at - low), 6)


def _histogram(values: Sequence[float], bins: int = 21) -> tuple[tuple[float, float, int], ...]:
    """Count values in bins around 0 that span the central 96 %; values beyond fall into the outermost bins."""
    reach = max(abs(_quantile(values, 0.02)), abs(_quantile(values, 0.98)))
    if reach == 0:
        return ((0.0, 0.0, len(values)),)
    width = 2 * reach / bins
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, max(0, int((value + reach) / width)))] += 1
    return tuple(
        (round(-reach + i * width, 6), round(-reach + (i + 1) * width, 6), count)
        for i, count in enumerate(counts)
    )


def _orders(trials: Sequence[Trial]) -> OrderEffects | None:
    pairs: list[tuple[Trial, str, str]] = []
    for trial in trials:
        orders = trial.by_order or {}
        first, second = orders.get("reference_first"), orders.get("reference_second")
        if first is not None and second is not None:
            pairs.append((trial, first, second))
    if not pairs:
        return None
    kept = [trial for trial, _, _ in pairs]
    same = {trial.instance: one == two for trial, one, two in pairs}
    firsts: list[float] = []
    groups: list[str] = []
    for trial, one, two in pairs:
        for verdict, shown_first in ((one, "reference"), (two, "perturbed")):
            if verdict != "tie":
                firsts.append(float(verdict == shown_first))
                groups.append(trial.group)
    failures = [trial for trial in kept if trial.kind == "failure"]
    both = {trial.instance: one == two == "reference" for trial, one, two in pairs}
    return OrderEffects(
        n=len(pairs),
        consistent=_share(kept, lambda trial: same[trial.instance]),
        first=mean_interval(firsts, groups, bounds=(0.0, 1.0)),
        agreement=_share(failures, lambda trial: both[trial.instance]),
    )


def _cost(trials: Sequence[Trial]) -> EvaluationCost:
    usage = sum((trial.usage for trial in trials), Usage())
    tokens = usage.input_tokens + usage.output_tokens
    correct = sum(trial.correct is True for trial in trials if trial.kind == "failure")
    return EvaluationCost(
        usage=usage,
        tokens_per_instance=tokens / len(trials) if trials and usage.calls else None,
        cost_per_correct=usage.cost_usd / correct
        if correct and usage.cost_usd is not None and usage.calls
        else None,
        tokens_per_correct=tokens / correct if correct and usage.calls else None,
    )


def _noise(trials: Sequence[Trial]) -> Estimate | None:
    repeated = [trial for trial in trials if len([item for item in trial.repeats if item is not None]) > 1]
    if not repeated:
        return None

    def flips(trial: Trial) -> bool:
        return len({_preferred(item) for item in trial.repeats if item is not None}) > 1

    return _share(repeated, flips)


def _preferred(repeat: float | str) -> str:
    if isinstance(repeat, str):
        return repeat
    return "tie" if abs(repeat) < 1e-9 else "reference" if repeat > 0 else "perturbed"
