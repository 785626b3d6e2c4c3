"""The CI gate: metrics of a judge by name, and the thresholds that they must meet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.errors import UsageError
from assay.frozen import FrozenFields
from assay.measures.intervals import Estimate, exact
from assay.record import Record, Records
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.meta.detection_record import Detection
    from assay.meta.robustness import Robustness

# Prefixes of metrics that lie between 0 and 1.
_SHARES: Final = (
    "accuracy",
    "detection",
    "coverage",
    "best_of_",
    "localisation.",
    "positional_",
    "asr.",
    "ir",
    "ties",
    "flips",
)


class JudgeMetrics(FrozenFields, msgspec.Struct, frozen=True):
    """All metrics of one judge under one condition, by name; ``status`` says how the run ended."""

    title: str
    measures: dict[str, Estimate]
    status: str = "done"


class Threshold(msgspec.Struct, frozen=True):
    """The least (``min``) or greatest (``max``) value that a metric may have."""

    name: str
    side: Literal["min", "max"]
    value: float


class ThresholdCheck(Record, msgspec.Struct, frozen=True):
    """A threshold, the metric, and whether the metric meets the threshold."""

    title: str
    bound: Threshold
    found: Estimate
    met: bool

    def summary_line(self) -> str:
        """Return the threshold, the value, and whether it is met."""
        sign = {"min": "≥", "max": "≤"}[self.bound.side]
        value = "unknown" if self.found.value is None else f"{self.found.value:.3g}"
        return f"{self.title}: {self.bound.name} {value}, {'met' if self.met else 'NOT met'}: {sign} {self.bound.value:g}"


class Gate(Records[ThresholdCheck]):
    """Every threshold for every judge."""

    __slots__ = ()
    item_type = ThresholdCheck
    noun = "threshold"

    @property
    def met(self) -> bool:
        """Whether all thresholds are met."""
        return all(item.met for item in self)

    def summary_line(self) -> str:
        """Return how many are met, and which are not."""
        missed = [item for item in self if not item.met]
        words = f"{len(self) - len(missed)} of {len(self)} thresholds met"
        return "; ".join([words, *(item.summary_line() for item in missed)])


def parse_thresholds(least: Sequence[str], most: Sequence[str]) -> list[Threshold]:
    """Parse thresholds of the form ``NAME=NUMBER``.

    Raises:
        UsageError: A threshold has another form.
    """
    given: dict[str, dict[str, float]] = {"min": {}, "max": {}}
    for side, texts in (("min", least), ("max", most)):
        for text in texts:
            name, sign, number = text.partition("=")
            try:
                value = float(number)
            except ValueError:
                sign = ""
                value = 0.0
            if not sign or not name.strip() or not math.isfinite(value):
                raise UsageError(f"--{side} {text}: write it as NAME=NUMBER, such as detection=0.7")
            given[side][name.strip()] = value
    return thresholds_of(given["min"], given["max"])


def thresholds_of(least: Mapping[str, float], most: Mapping[str, float]) -> list[Threshold]:
    """Return thresholds: the smallest value of each metric, then the largest.

    Raises:
        UsageError: A metric is a share, and the threshold is more than 1.
    """
    found = [Threshold(name, "min", value) for name, value in least.items()]
    found += [Threshold(name, "max", value) for name, value in most.items()]
    for item in found:
        if item.value > 1 and item.name.startswith(_SHARES):
            raise UsageError(
                f"{item.side} {item.name}={item.value:g}: {item.name} is a share; write {item.value / 100:g} for "
                f"{item.value:g} %"
            )
    return found


def check_thresholds(
    judges: Sequence[JudgeMetrics], thresholds: Sequence[Threshold], *, sure: bool = False
) -> Gate:
    """Check every threshold for every judge that has the metric.

    Args:
        judges: Metrics of judges.
        thresholds: Thresholds to meet.
        sure: Whether the end of the interval must meet the threshold, rather than the value.

    Raises:
        UsageError: No judge has a metric of that name; ``accuracy`` is another name of ``detection``.
    """
    names = list(dict.fromkeys(name for item in judges for name in item.measures))
    checks: list[ThresholdCheck] = []
    for given in thresholds:
        other = given.name.replace("accuracy", "detection", 1)
        threshold = given if given.name in names else msgspec.structs.replace(given, name=other)
        matching = [item for item in judges if threshold.name in item.measures]
        if not matching:
            raise UsageError(
                f"no metric is called {given.name!r}; {did_you_mean(given.name, [*names, 'accuracy'])}"
            )
        checks += [_check(item, threshold, sure) for item in matching]
    return Gate(checks)


def _check(item: JudgeMetrics, threshold: Threshold, sure: bool) -> ThresholdCheck:
    metric = item.measures[threshold.name]
    at_least = threshold.side == "min"
    end = (metric.low if at_least else metric.high) if sure else None
    number = metric.value if end is None else end
    if sure and end is None and metric.method != "exact":
        number = None
    # An unknown value does not meet a threshold.
    met = number is not None and (number >= threshold.value if at_least else number <= threshold.value)
    return ThresholdCheck(item.title, threshold, metric, met)


def metrics_of(detection: Detection) -> dict[str, Estimate]:
    """Return all metrics of a judge by name, such as ``detection``, ``detection.TYPE``, ``coverage`` and ``asr.TYPE``."""
    return {name: value for name, value in _metrics(detection) if value is not None}


def _metrics(item: Detection) -> Iterator[tuple[str, Estimate | None]]:
    yield "detection", item.accuracy
    yield "coverage", exact(item.coverage)
    for family in (item.by_level, item.by_module, item.by_category, item.by_type, item.by_language):
        for name, rate in family.items():
            yield f"detection.{name.replace('/', '.')}", rate
    for best in item.best_of_n:
        yield f"best_of_{best.n}", best.accuracy
    for key in ("step_exact", "span_hit", "span_overlap", "any_place") if item.localisation else ():
        yield f"localisation.{key}", getattr(item.localisation, key)
    if item.orders:
        yield "positional_consistency", item.orders.consistent
        yield "prefers_first", item.orders.first
        yield "agreement_accuracy", item.orders.agreement
    if item.gaps:
        yield "ties", exact(item.gaps.ties)
    yield "flips", item.noise
    if item.robustness:
        yield from _attack_metrics(item.robustness)
    yield "cost_usd", exact(item.spent.usage.cost_usd)
    for key in ("cost_per_correct", "tokens_per_instance", "tokens_per_correct"):
        yield key, exact(getattr(item.spent, key))


def _attack_metrics(item: Robustness) -> Iterator[tuple[str, Estimate | None]]:
    for name, rate in item.asr.items():
        yield f"asr.{name.removeprefix('targeted_')}", rate
    yield "asr.targeted", item.asr_targeted
    yield "asr.bias", item.asr_bias
    yield "asr.manipulation", item.asr_manipulation
    for name, rate in item.ir.items():
        yield f"ir.{name}", rate
    yield "ir", item.ir_all
    yield "asr.position", item.position
