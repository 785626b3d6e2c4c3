"""The card of a judge: what somebody must know before they rely on it (``assay.card/1``).

Agreement where there are labels, blind spots, what fools it, how stable it is, what it costs, and failures it missed with
the place shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.interventions.validation import annotation_queue
from assay.meta.results import Results

if TYPE_CHECKING:
    from assay.interventions.instances import Instance
    from assay.meta.detection_record import Detection
    from assay.meta.trials import Trial

SCHEMA: Final = "assay.card/1"
_MISSES: Final = 12
_OF_A_TYPE: Final = 2
# Fewer instances of a type say little of it.
_FEW: Final = 5
_LEAST_COVERAGE: Final = 0.95
_BLIND: Final = 0.5


class DetectedType(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge sees of one type.

    Attributes:
        type: The failure.
        value: Share it detects; None without a verdict.
        low: Lower end of the 95 % interval, or None.
        high: Upper end, or None.
        n: Failures with a verdict.
        beside: The same of each judge put beside it.
        blind: Whether the interval lies below one half: it misses most of them.
    """

    type: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    beside: dict[str, float | None]
    blind: bool


class MissedFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A failure the judge did not see.

    Attributes:
        id: Of the instance.
        type: The failure.
        query: The question answered.
        before: The place in the reference.
        after: The place as it was judged.
        note: What was done.
        said: Whom the judge preferred.
        gap: By how much.
        excerpt: What it gave as its reason.
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


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A judge, under one condition.

    Attributes:
        detection: Everything measured (``assay.bench-result/1``).
        spots: Types, what it sees least first.
        misses: Failures it missed, of the types it sees least.
        cautions: What limits what this card says.
        origin: Run, benchmark, time, version.
        agreement: With people (``assay.agreement/1``), where it was given.
        contrasts: Conditions that were compared with this one.
        schema: ``assay.card/1``.
    """

    detection: dict[str, Any]
    spots: tuple[DetectedType, ...]
    misses: tuple[MissedFailure, ...]
    cautions: tuple[str, ...]
    origin: dict[str, Any]
    agreement: dict[str, Any] | None = None
    contrasts: tuple[dict[str, Any], ...] = ()
    schema: str = SCHEMA

    def to_dict(self) -> dict[str, Any]:
        """As plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}


def card_of(
    results: Results,
    at: int = 0,
    *,
    instances: Sequence[Instance] = (),
    agreement: Mapping[str, Any] | None = None,
) -> Card:
    """The card of one condition.

    Args:
        results: Of a run.
        at: Index of the condition among those of the run.
        instances: Of the benchmark, for the places of what was missed; none are shown without.
        agreement: ``assay.agreement/1`` of the same judge.
    """
    found = results.detections[at]
    spots = _spots(results, at)
    return Card(
        detection=found.to_dict(),
        spots=spots,
        misses=_misses(results.trials[at], spots, instances),
        cautions=tuple(_cautions(found, results, instances)),
        origin=msgspec.to_builtins(results.origin),
        agreement=dict(agreement) if agreement is not None else None,
        contrasts=tuple(
            {
                **item.to_dict(),
                "first_name": results.detections[item.first].condition.name,
                "second_name": results.detections[item.second].condition.name,
            }
            for item in results.contrasts
            if at in (item.first, item.second)
        ),
    )


def _spots(results: Results, at: int) -> tuple[DetectedType, ...]:
    found = results.detections[at]
    interface = found.condition.interface
    beside = {
        item.condition.judge: item.by_type
        for item in results.beside
        if item.condition.interface == interface and item is not found
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
        for name, rate in found.by_type.items()
    ]
    return tuple(sorted(spots, key=lambda spot: (spot.value is None, spot.value or 0.0, spot.type)))


def _misses(
    trials: Sequence[Trial], spots: Sequence[DetectedType], instances: Sequence[Instance]
) -> tuple[MissedFailure, ...]:
    known = {item.id: item for item in instances}
    found: list[MissedFailure] = []
    for spot in spots:
        own = [
            trial
            for trial in trials
            if trial.type == spot.type and trial.correct is False and trial.instance in known
        ]
        # Those it was most wrong about first.
        for trial in sorted(own, key=lambda item: (item.gap or 0.0, item.instance))[:_OF_A_TYPE]:
            shown = annotation_queue([known[trial.instance]])[0]
            found.append(
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
    return tuple(found[:_MISSES])


def _cautions(found: Detection, results: Results, instances: Sequence[Instance]) -> list[str]:
    said: list[str] = []
    if results.origin.status != "done":
        put_to = len(results.trials[results.detections.index(found)])
        said.append(
            f"The run ended before its time ({results.origin.status}): {put_to} of {results.origin.instances} instances were "
            "put to the judge, the first of the list and not a sample of it."
        )
    if found.coverage is not None and found.coverage < _LEAST_COVERAGE:
        said.append(
            f"The judge gave a verdict on {100 * found.coverage:.0f} % of what was put to it; the rest is in no figure."
        )
    few = [name for name, rate in found.by_type.items() if rate.n < _FEW]
    if few:
        said.append(
            f"{len(few)} of {len(found.by_type)} types have fewer than {_FEW} verdicts: "
            + ", ".join(name.replace("_", " ") for name in few)
            + "."
        )
    editors = sorted({item.editor for item in instances})
    if editors == ["rules"] and found.condition.judge == "rules":
        said.append(
            "The failures were put in by rules of Assay, and the judge is rules of Assay: it may know how they were made. "
            "Failures put in by a model say more about it."
        )
    elif editors == ["rules"]:
        said.append("The failures were put in by rules; those of real agents may look different.")
    if not instances:
        said.append(
            f"The benchmark is not at {results.origin.bench or 'its place'}, so what was missed cannot be shown."
        )
    return said
