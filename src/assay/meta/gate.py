"""The CI gate: metrics of a judge by name, and the thresholds that they must meet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError, UsageError
from assay.meta.results import load_results
from assay.rows import read_text
from assay.suggest import did_you_mean

# Prefixes of metrics that lie between 0 and 1.
_SHARES: Final = (
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


class MetricValue(msgspec.Struct, frozen=True):
    """A metric with its interval; ``estimated`` says whether it has an interval, given enough data."""

    value: float | None
    low: float | None = None
    high: float | None = None
    estimated: bool = False


class JudgeMetrics(msgspec.Struct, frozen=True):
    """All metrics of one judge under one condition, by name; ``status`` says how the run ended."""

    title: str
    measures: dict[str, MetricValue]
    status: str = "done"


class Threshold(msgspec.Struct, frozen=True):
    """The least (``min``) or greatest (``max``) value that a metric may have."""

    name: str
    side: Literal["min", "max"]
    value: float


class ThresholdCheck(msgspec.Struct, frozen=True):
    """A threshold, the metric, and whether the metric meets the threshold."""

    title: str
    bound: Threshold
    found: MetricValue
    met: bool


def read_metrics(path: str | Path) -> list[JudgeMetrics]:
    """Read the metrics of a run's folder, or of a file with results of a benchmark or of agreement.

    Raises:
        InputError: The file cannot be read, or has another schema.
    """
    source = Path(path)
    if source.is_dir():
        data = load_results(source).to_dict()
    else:
        try:
            data = msgspec.json.decode(read_text(source), type=dict[str, Any])
        except msgspec.MsgspecError as error:
            raise InputError(f"not a JSON object: {error}", where=str(path)) from error
    schema = data.get("schema")
    try:
        if schema in ("assay.bench-result/1", "assay.bench-results/1"):
            status = str((data.get("origin") or {}).get("status", "done"))
            several = data["results"] if schema == "assay.bench-results/1" else [data]
            return [_judge_metrics(item, status) for item in several]
        if schema == "assay.agreement/1":
            metrics = {name: _estimated(item) for name, item in data["metrics"].items()}
            return [JudgeMetrics("agreement", {"coverage": MetricValue(data.get("coverage")), **metrics})]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"incomplete result: {error!r}", where=str(path)) from error
    raise InputError(
        f"schema is {schema!r}; give a run of `assay bench run`, or JSON from it or from `assay agree`",
        where=str(path),
    )


def parse_thresholds(least: Sequence[str], most: Sequence[str]) -> list[Threshold]:
    """Parse thresholds of the form ``NAME=NUMBER``.

    Raises:
        UsageError: A threshold has another form.
    """
    thresholds: list[Threshold] = []
    sides: tuple[tuple[Literal["min", "max"], Sequence[str]], ...] = (("min", least), ("max", most))
    for side, texts in sides:
        for text in texts:
            name, sign, number = text.partition("=")
            try:
                value = float(number)
            except ValueError:
                sign = ""
                value = 0.0
            if not sign or not name.strip() or not math.isfinite(value):
                raise UsageError(f"--{side} {text}: write it as NAME=NUMBER, such as detection=0.7")
            if value > 1 and name.strip().startswith(_SHARES):
                raise UsageError(
                    f"--{side} {text}: {name.strip()} is a share; write {value / 100:g} for {value:g} %"
                )
            thresholds.append(Threshold(name.strip(), side, value))
    return thresholds


def check_thresholds(
    judges: Sequence[JudgeMetrics], thresholds: Sequence[Threshold], *, sure: bool = False
) -> list[ThresholdCheck]:
    """Check every threshold for every judge that has the metric.

    Args:
        judges: Metrics of judges.
        thresholds: Thresholds to meet.
        sure: Whether the end of the interval must meet the threshold, rather than the value.

    Raises:
        UsageError: No judge has a metric of that name.
    """
    names = list(dict.fromkeys(name for item in judges for name in item.measures))
    checks: list[ThresholdCheck] = []
    for threshold in thresholds:
        matching = [item for item in judges if threshold.name in item.measures]
        if not matching:
            raise UsageError(f"no metric is called {threshold.name!r}; {did_you_mean(threshold.name, names)}")
        checks += [_check(item, threshold, sure) for item in matching]
    return checks


def _check(item: JudgeMetrics, threshold: Threshold, sure: bool) -> ThresholdCheck:
    metric = item.measures[threshold.name]
    at_least = threshold.side == "min"
    end = (metric.low if at_least else metric.high) if sure else None
    number = metric.value if end is None else end
    if sure and end is None and metric.estimated:
        number = None
    # An unknown value does not meet a threshold.
    met = number is not None and (number >= threshold.value if at_least else number <= threshold.value)
    return ThresholdCheck(item.title, threshold, metric, met)


def _judge_metrics(data: Mapping[str, Any], status: str) -> JudgeMetrics:
    condition = data.get("condition") or {}
    title = " · ".join(
        str(part)
        for part in (
            data["judge"],
            condition.get("interface"),
            condition.get("granularity") if condition.get("rubric") else None,
            condition.get("rubric"),
        )
        if part
    )
    return JudgeMetrics(title, dict(_metrics(data)), status)


def _metrics(data: Mapping[str, Any]) -> Iterator[tuple[str, MetricValue]]:
    yield "detection", _estimated(data["accuracy"])
    yield "coverage", MetricValue(data.get("coverage"))
    for family in ("by_level", "by_module", "by_category", "by_type", "by_language"):
        for name, item in (data.get(family) or {}).items():
            yield f"detection.{name.replace('/', '.')}", _estimated(item)
    for size, item in (data.get("best_of_n") or {}).items():
        yield f"best_of_{size}", _estimated(item["accuracy"])
    place = data.get("localisation") or {}
    for key in ("step_exact", "span_hit", "span_overlap", "any_place"):
        if key in place:
            yield f"localisation.{key}", _estimated(place[key])
    orders = data.get("orders") or {}
    for key, name in (
        ("consistent", "positional_consistency"),
        ("first", "prefers_first"),
        ("agreement", "agreement_accuracy"),
    ):
        if key in orders:
            yield name, _estimated(orders[key])
    gaps = data.get("gaps") or {}
    if "ties" in gaps:
        yield "ties", MetricValue(gaps["ties"])
    if data.get("noise"):
        yield "flips", _estimated(data["noise"])
    yield from _attack_metrics(data.get("robustness") or {})
    usage = data.get("usage") or {}
    for key in ("cost_usd", "cost_per_correct", "tokens_per_instance", "tokens_per_correct"):
        if key in usage:
            yield key, MetricValue(usage[key])


def _attack_metrics(data: Mapping[str, Any]) -> Iterator[tuple[str, MetricValue]]:
    for name, item in (data.get("asr") or {}).items():
        yield f"asr.{name.removeprefix('targeted_')}", _estimated(item)
    for key, name in (
        ("asr_targeted", "asr.targeted"),
        ("asr_bias", "asr.bias"),
        ("asr_manipulation", "asr.manipulation"),
    ):
        if key in data:
            yield name, _estimated(data[key])
    for name, item in (data.get("ir") or {}).items():
        yield f"ir.{name}", _estimated(item)
    if "ir_all" in data:
        yield "ir", _estimated(data["ir_all"])
    if data.get("position"):
        yield "asr.position", _estimated(data["position"])


def _estimated(item: Mapping[str, Any]) -> MetricValue:
    return MetricValue(item.get("value"), item.get("low"), item.get("high"), estimated=True)
