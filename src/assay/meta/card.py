"""The card of a judge (``assay.card/1``): what a user must know before relying on it.

It shows agreement with people (given labels), blind spots, attacks that succeed, stability, cost, and missed failures
with their places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError, UsageError
from assay.interventions.instances import INSTANCES, read_instances
from assay.interventions.validation import annotation_queue
from assay.meta.card_verdict import verdict_of
from assay.record import Record
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.interventions.instances import Instance
    from assay.meta.detection_record import Detection
    from assay.meta.results import BenchmarkResult
    from assay.meta.trials import Trial

SCHEMA: Final = "assay.card/1"
_MISSES: Final = 12
_OF_A_TYPE: Final = 2
# Fewer instances of a type say little about it.
_FEW: Final = 5
_LEAST_COVERAGE: Final = 0.95
_BLIND: Final = 0.5


class DetectedType(msgspec.Struct, frozen=True, kw_only=True):
    """Detection accuracy on one type of failure.

    Attributes:
        type: Type of the failure.
        value: Share detected; None without a verdict.
        low: Lower end of the 95 % interval, or None.
        high: Upper end of the 95 % interval, or None.
        n: Number of failures with a verdict.
        beside: Share detected by each baseline.
        blind: Whether the whole interval lies below one half.
    """

    type: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    beside: dict[str, float | None]
    blind: bool


class MissedFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A failure that the judge missed.

    Attributes:
        id: Id of the instance.
        type: Type of the failure.
        query: Query of the report.
        before: The passage in the reference.
        after: The passage in the perturbed copy.
        note: Description of the change.
        said: Side that the judge preferred.
        gap: Gap or margin of the judge.
        excerpt: Beginning of the judge's rationale.
    """

    id: str
    type: str
    query: str
    before: str
    after: str
    note: str
    said: str
    gap: float | None
    excerpt: str


class Card(Record, msgspec.Struct, frozen=True, kw_only=True):
    """The card of a judge under one condition.

    Attributes:
        name: Name of the judge, which no other one of its run has.
        verdict: What it detects, what fools it and what it must not be used for, in a few words.
        detection: All results (``assay.bench-result/1``).
        spots: Detection accuracy by type, lowest first.
        misses: Missed failures, from the types with the lowest accuracy.
        cautions: Limits of these results.
        origin: Run, benchmark, time and version.
        agreement: Agreement with people (``assay.agreement/2``), if given.
        contrasts: Contrasts with other conditions.
        schema: ``assay.card/1``.
    """

    name: str = ""
    verdict: str = ""
    detection: dict[str, Any]
    spots: tuple[DetectedType, ...]
    misses: tuple[MissedFailure, ...]
    cautions: tuple[str, ...]
    origin: dict[str, Any]
    agreement: dict[str, Any] | None = None
    contrasts: tuple[dict[str, Any], ...] = ()
    schema: str = SCHEMA

    def summary_line(self) -> str:
        """Return the judge and the verdict on it."""
        return f"{self.name}: {self.verdict}"


def cards_of(
    results: BenchmarkResult,
    judge: str | int | None = None,
    *,
    instances: Sequence[Instance] | None = None,
    agreement: Mapping[str, Any] | None = None,
    near: str | Path = "",
) -> list[Card]:
    """Return the cards of a run.

    Args:
        results: Results of a run.
        judge: The condition: its number, from 0, its name, or its judge; None for all but the baselines.
        instances: Instances of the benchmark; by default those of its folder, if it still has them.
        agreement: ``assay.agreement/2`` of the judge.
        near: Folder of the run, beside whose folder the benchmark may be.

    Raises:
        UsageError: The run has no such condition, or agreement is given for several judges.
    """
    chosen = _chosen(results, judge)
    if agreement is not None and len(chosen) > 1:
        raise UsageError("agreement is about one judge; name its condition")
    known = instances if instances is not None else results.instances or instances_of(results, near)
    return [card_of(results, at, instances=known, agreement=agreement) for at in chosen]


def places_of(results: BenchmarkResult, near: str | Path = "") -> list[Path]:
    """Return the folders that may hold the run's benchmark: the one around the run, and the recorded one."""
    around = [Path(near).resolve().parent.parent] if near else []
    return around + [Path(name) for name in results.origin.bench.split(", ") if name]


def instances_of(results: BenchmarkResult, near: str | Path = "") -> list[Instance]:
    """Return the instances of the run's benchmark, or none if it is gone or has changed."""
    for place in places_of(results, near):
        try:
            found = read_instances(place)
        except (InputError, OSError):
            continue
        known = {item.id for item in found}
        if all(trial.instance in known for trials in results.trials for trial in trials):
            return found
    return []


def _chosen(results: BenchmarkResult, judge: str | int | None) -> list[int]:
    count = len(results.detections)
    conditions = [item.condition for item in results.detections]
    if judge is None:
        return [at for at, item in enumerate(conditions) if not item.beside] or list(range(count))
    if isinstance(judge, int):
        if not 0 <= judge < count:
            raise UsageError(f"the run has only {count} conditions")
        return [judge]
    found = [
        at
        for at, (item, name) in enumerate(zip(conditions, results.names, strict=True))
        if judge in (name, item.label, item.judge, item.name)
    ]
    if not found:
        names = list(dict.fromkeys(item.title for item in conditions))
        raise UsageError(
            f"the run has no condition {judge!r}; {did_you_mean(judge, names)} (or its number, 1 to {count})"
        )
    return found


def card_of(
    results: BenchmarkResult,
    at: int = 0,
    *,
    instances: Sequence[Instance] = (),
    agreement: Mapping[str, Any] | None = None,
) -> Card:
    """Make the card of one condition.

    Args:
        results: Results of a run.
        at: Index of the condition in the run.
        instances: Instances of the benchmark; without them, missed failures are not shown.
        agreement: ``assay.agreement/2`` of the same judge.
    """
    detection = results.detections[at]
    spots = _spots(results, at)
    return Card(
        name=results.names[at],
        verdict=verdict_of(detection, finished=results.origin.status == "done"),
        detection=detection.to_dict(),
        spots=spots,
        misses=_misses(results.trials[at], spots, instances),
        cautions=tuple(_cautions(detection, results, instances)),
        origin=msgspec.to_builtins(results.origin),
        agreement=dict(agreement) if agreement is not None else None,
        contrasts=tuple(item.to_dict() for item in results.contrasts if at in (item.first, item.second)),
    )


def _spots(results: BenchmarkResult, at: int) -> tuple[DetectedType, ...]:
    detection = results.detections[at]
    interface = detection.condition.interface
    beside = {
        item.condition.title: item.by_type
        for item in results.beside
        if item.condition.interface == interface and item is not detection
    }
    spots = [
        DetectedType(
            type=name,
            value=rate.value,
            low=rate.low,
            high=rate.high,
            n=rate.n,
            beside={judge: rates[name].value for judge, rates in beside.items() if name in rates},
            blind=rate.high is not None and rate.high < _BLIND,
        )
        for name, rate in detection.by_type.items()
    ]
    return tuple(sorted(spots, key=lambda spot: (spot.value is None, spot.value or 0.0, spot.type)))


def _misses(
    trials: Sequence[Trial], spots: Sequence[DetectedType], instances: Sequence[Instance]
) -> tuple[MissedFailure, ...]:
    known = {item.id: item for item in instances}
    misses: list[MissedFailure] = []
    for spot in spots:
        own = [
            trial
            for trial in trials
            if trial.type == spot.type and trial.correct is False and trial.instance in known
        ]
        # The largest errors come first.
        for trial in sorted(own, key=lambda item: (item.gap or 0.0, item.instance))[:_OF_A_TYPE]:
            shown = annotation_queue([known[trial.instance]])[0]
            misses.append(
                MissedFailure(
                    id=trial.instance,
                    type=trial.type,
                    query=shown.query,
                    before=shown.before,
                    after=shown.after,
                    note=shown.note,
                    said=trial.said or "",
                    gap=trial.gap,
                    excerpt=trial.excerpt,
                )
            )
    return tuple(misses[:_MISSES])


def _cautions(detection: Detection, results: BenchmarkResult, instances: Sequence[Instance]) -> list[str]:
    cautions: list[str] = []
    if results.origin.status != "done":
        judged = len(results.trials[results.detections.index(detection)])
        cautions.append(
            f"The run ended early ({results.origin.status}): the judge saw {judged} of {results.origin.instances} "
            "instances, which are the first of the list rather than a sample."
        )
    if detection.coverage is not None and detection.coverage < _LEAST_COVERAGE:
        cautions.append(
            f"The judge gave a verdict on {100 * detection.coverage:.0f} % of the instances; no figure "
            "includes the rest."
        )
    few = [name for name, rate in detection.by_type.items() if rate.n < _FEW]
    if few:
        cautions.append(
            f"{len(few)} of {len(detection.by_type)} types have fewer than {_FEW} verdicts: "
            + ", ".join(name.replace("_", " ") for name in few)
            + "."
        )
    editors = sorted({item.editor for item in instances})
    if editors == ["rules"] and detection.condition.judge == "rules":
        cautions.append(
            "Rules of Assay both planted and judged the failures, so the judge may recognise how they were made. "
            "Failures planted by a model say more about it."
        )
    elif editors == ["rules"]:
        cautions.append("The failures were planted by rules; those of real agents may look different.")
    if not instances:
        there = any((place / INSTANCES).is_file() for place in places_of(results))
        where = results.origin.bench or "its place"
        why = f"another benchmark is at {where} now" if there else f"the benchmark is not at {where}"
        cautions.append(f"Missed failures cannot be shown, because {why}.")
    return cautions
