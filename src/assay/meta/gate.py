"""Measures of a judge by name, and bounds they must keep: what a build server asks before it lets a judge through."""

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

# Measures that lie between 0 and 1, by how their names begin.
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
    """A number, with its interval where there is one; ``estimated``: there is one as soon as there is enough to tell."""

    value: float | None
    low: float | None = None
    high: float | None = None
    estimated: bool = False


class JudgeMetrics(msgspec.Struct, frozen=True):
    """All measures of one judge under one condition, by name; ``status``: how the run ended."""

    title: str
    measures: dict[str, MetricValue]
    status: str = "done"


class Threshold(msgspec.Struct, frozen=True):
    """What one measure must be: at least, or at most."""

    name: str
    side: Literal["min", "max"]
    value: float


class ThresholdCheck(msgspec.Struct, frozen=True):
    """A bound, what was measured, and whether it is kept."""

    title: str
    bound: Threshold
    found: MetricValue
    met: bool


def read_metrics(path: str | Path) -> list[JudgeMetrics]:
    """Measures of a run's folder, or of a file of results: ``assay.bench-result/1``, ``…results/1``, ``assay.agreement/1``.

    Raises:
        InputError: It is neither.
    """
    place = Path(path)
    if place.is_dir():
        data = load_results(place).to_dict()
    else:
        try:
            data = msgspec.json.decode(read_text(place), type=dict[str, Any])
        except msgspec.MsgspecError as error:
            raise InputError(f"no JSON object: {error}", where=str(path)) from error
    schema = data.get("schema")
    try:
        if schema in ("assay.bench-result/1", "assay.bench-results/1"):
            status = str((data.get("origin") or {}).get("status", "done"))
            several = data["results"] if schema == "assay.bench-results/1" else [data]
            return [_of_result(item, status) for item in several]
        if schema == "assay.agreement/1":
            found = {name: _measure(item) for name, item in data["metrics"].items()}
            return [JudgeMetrics("agreement", {"coverage": MetricValue(data.get("coverage")), **found})]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"a result that lacks something: {error!r}", where=str(path)) from error
    raise InputError(
        f"schema {schema!r}; what is gated is a run of `assay bench run`, or what it or `assay agree` wrote as JSON",
        where=str(path),
    )


def parse_thresholds(least: Sequence[str], most: Sequence[str]) -> list[Threshold]:
    """Bounds as they are said on the command line, ``NAME=NUMBER``.

    Raises:
        UsageError: One is not of that form.
    """
    found: list[Threshold] = []
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
            found.append(Threshold(name.strip(), side, value))
    return found


def check_thresholds(
    judged: Sequence[JudgeMetrics], bounds: Sequence[Threshold], *, sure: bool = False
) -> list[ThresholdCheck]:
    """Every bound against every judge that has such a measure.

    Args:
        judged: Judges.
        bounds: What they must keep.
        sure: Whether the end of the interval must keep it, and not the value alone.

    Raises:
        UsageError: No judge has a measure of that name.
    """
    names = list(dict.fromkeys(name for item in judged for name in item.measures))
    found: list[ThresholdCheck] = []
    for bound in bounds:
        having = [item for item in judged if bound.name in item.measures]
        if not having:
            raise UsageError(f"no measure is called {bound.name!r}; {did_you_mean(bound.name, names)}")
        found += [_checked(item, bound, sure) for item in having]
    return found


def _checked(item: JudgeMetrics, bound: Threshold, sure: bool) -> ThresholdCheck:
    measure = item.measures[bound.name]
    end = (measure.low if bound.side == "min" else measure.high) if sure else None
    number = measure.value if end is None else end
    if sure and end is None and measure.estimated:
        number = None
    # What is not known is not kept.
    met = number is not None and (number >= bound.value if bound.side == "min" else number <= bound.value)
    return ThresholdCheck(item.title, bound, measure, met)


def _of_result(data: Mapping[str, Any], status: str) -> JudgeMetrics:
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
    return JudgeMetrics(title, dict(_named(data)), status)


def _named(data: Mapping[str, Any]) -> Iterator[tuple[str, MetricValue]]:
    yield "detection", _measure(data["accuracy"])
    yield "coverage", MetricValue(data.get("coverage"))
    for family in ("by_level", "by_module", "by_category", "by_type", "by_language"):
        for name, item in (data.get(family) or {}).items():
            yield f"detection.{name.replace('/', '.')}", _measure(item)
    for size, item in (data.get("best_of_n") or {}).items():
        yield f"best_of_{size}", _measure(item["accuracy"])
    place = data.get("localisation") or {}
    for key in ("step_exact", "span_hit", "span_overlap", "any_place"):
        if key in place:
            yield f"localisation.{key}", _measure(place[key])
    orders = data.get("orders") or {}
    for key, name in (
        ("consistent", "positional_consistency"),
        ("first", "prefers_first"),
        ("agreement", "agreement_accuracy"),
    ):
        if key in orders:
            yield name, _measure(orders[key])
    gaps = data.get("gaps") or {}
    if "ties" in gaps:
        yield "ties", MetricValue(gaps["ties"])
    if data.get("noise"):
        yield "flips", _measure(data["noise"])
    yield from _attacked(data.get("robustness") or {})
    usage = data.get("usage") or {}
    for key in ("cost_usd", "cost_per_correct", "tokens_per_instance", "tokens_per_correct"):
        if key in usage:
            yield key, MetricValue(usage[key])


def _attacked(data: Mapping[str, Any]) -> Iterator[tuple[str, MetricValue]]:
    for name, item in (data.get("asr") or {}).items():
        yield f"asr.{name.removeprefix('targeted_')}", _measure(item)
    for key, name in (
        ("asr_targeted", "asr.targeted"),
        ("asr_bias", "asr.bias"),
        ("asr_manipulation", "asr.manipulation"),
    ):
        if key in data:
            yield name, _measure(data[key])
    for name, item in (data.get("ir") or {}).items():
        yield f"ir.{name}", _measure(item)
    if "ir_all" in data:
        yield "ir", _measure(data["ir_all"])
    if data.get("position"):
        yield "asr.position", _measure(data["position"])


def _measure(item: Mapping[str, Any]) -> MetricValue:
    return MetricValue(item.get("value"), item.get("low"), item.get("high"), estimated=True)
