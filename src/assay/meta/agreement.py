"""Judges beside people: the record ``assay.agreement/1``.

A judge is compared with what raters say together: the majority of preferences and verdicts, the mean of scores. Where as
many raters say one thing as another there is no truth to be right about: such units are left out and counted. Judgments
without a verdict are left out of every metric and counted as missing coverage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any, Final, Literal

import msgspec

from assay.errors import UsageError
from assay.measures.calibration import Calibration, MapKind, Needed
from assay.measures.intervals import Estimate
from assay.meta.agreement_metrics import grid_of, of_orders
from assay.meta.agreement_record import Agreement, JudgeAgreement, Stratum
from assay.meta.agreement_tests import UnitScores, compare_judges
from assay.meta.consensus import together
from assay.meta.human_agreement import HumanAgreement, human_agreement_of
from assay.meta.judge_ratings import (
    SHOWN,
    JudgeRatings,
    UnitVerdict,
    explain_mismatch,
    first_names,
    match_responses,
)
from assay.meta.labelled_units import (
    OVERALL,
    KnownSubject,
    LabelledUnit,
    LabelledUnits,
    SubjectNames,
    kind_of_labels,
    labelled_units,
)
from assay.meta.labels.record import Kind, Label
from assay.meta.metric_set import MetricSet
from assay.meta.responses import JudgeResponse, responses_by_judge
from assay.meta.scales import Rescale, ScaleMatch, match_scales
from assay.suggest import did_you_mean

_MOST_STRATA: Final = 30
_PART: Final = ("dimension", "criterion", "part")
_POINTS: Final = ("mad", "rmse", "bias")


class AgreementOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to compare.

    Attributes:
        kind: Of labels; the one most of them are of where None.
        by: Strata to split results by.
        trials: One verdict a unit, or one a trial; None: one a unit of scores, which have a mean, else one a trial.
        called: What judges call a dimension of the labels.
        rescale: From a judge's scale to that of the labels: each is for judges all of whose scores lie on it, the narrowest
            first.
        raters: Only these.
        calibrate: Kind of map to fit from scores to labels; none where None.
        half_width: Of the intervals to say the number of labels for.
    """

    kind: Kind | None = None
    by: tuple[str, ...] = ()
    trials: Literal["together", "each"] | None = None
    called: Mapping[str, str] = {}
    rescale: tuple[Rescale, ...] = ()
    raters: tuple[str, ...] = ()
    calibrate: MapKind | None = None
    half_width: float | None = None


class _JoinedLabels(msgspec.Struct, frozen=True):
    """What is being compared: the labels, what is true of each unit, and the names of strata."""

    labelled: LabelledUnits
    truths: dict[tuple[str, str], Any]
    by: tuple[str, ...]


def measure_agreement(
    said: Sequence[JudgeResponse],
    labels: Sequence[Label],
    options: AgreementOptions | None = None,
    *,
    known: Sequence[KnownSubject] = (),
) -> Agreement:
    """How far judges agree with people.

    Args:
        said: Judgments, of one judge or several.
        labels: What people said.
        options: How to compare.
        known: What files of subjects tell of names and strata.

    Raises:
        UsageError: Nothing can be joined, or a stratum, rater or kind is not there.
    """
    options = options or AgreementOptions()
    labelled, hearings = join_labels(said, labels, options, known=known)
    if options.rescale and all(_rescale(hearing, options) is None for hearing in hearings):
        values = _values(hearings[0])
        raise UsageError(f"no judge scores within the scale of --rescale: {min(values)} to {max(values)}")
    notes = _notes(labelled)
    labelled = _headline(labelled, hearings, notes)
    parts = {part for _, part in labelled.units}
    truths = {key: together(unit.ratings.values(), labelled.kind) for key, unit in labelled.units.items()}
    case = _JoinedLabels(labelled, truths, _strata(options.by, labelled, parts))
    judges, outcomes, calibration = [], {}, {}
    for hearing in hearings:
        found, items = _judged(hearing, case, options)
        judges.append(found)
        outcomes[hearing.judge] = _outcome(items, case, found.scale)
        if options.calibrate is not None:
            calibration[hearing.judge] = _calibrated(items, case, options.calibrate)
    scale = next((judge.scale for judge in judges if judge.scale), None)
    return Agreement(
        kind=labelled.kind,
        judges=judges,
        humans=_humans(labelled, scale),
        tests=compare_judges(outcomes, score=labelled.kind == "score"),
        notes=notes,
        calibration=calibration,
        constant_mad=_constant(truths) if options.calibrate else None,
        needed={} if options.half_width is None else _needed(judges, options.half_width),
    )


def _constant(truths: Mapping[tuple[str, str], float]) -> float:
    known = [value for (_, part), value in truths.items() if part == OVERALL] or list(truths.values())
    middle = median(known)
    return fmean(abs(value - middle) for value in known)


def _calibrated(items: Sequence[UnitVerdict], case: _JoinedLabels, kind: MapKind) -> Calibration:
    """What a map from a judge's scores to labels buys, on tasks it was not fitted on.

    Raises:
        UsageError: The labels are no scores.
    """
    if case.labelled.kind != "score":
        raise UsageError(f"--calibrate maps scores to scores; the labels are {case.labelled.kind}s")
    from assay.measures.calibration import calibrate  # noqa: PLC0415 - heavy

    tasks = [case.labelled.units[item.key].task for item in items]
    truth = [case.truths[item.key] for item in items]
    grid = grid_of([value for unit in case.labelled.units.values() for value in unit.ratings.values()])
    if grid is not None:
        # Means of raters lie between the steps of the scale; a map is to levels that a person can give.
        truth = [grid.value(grid.code(value)) for value in truth]
    found = calibrate([item.value for item in items], truth, tasks, kind=kind)
    if grid is None:
        # Where labels have no steps, to hit one exactly is chance.
        found = msgspec.structs.replace(found, accuracy=None, kappa=None)
    return found


def _needed(judges: Sequence[JudgeAgreement], half_width: float) -> dict[str, dict[str, Needed]]:
    """How many labels bring each metric's interval down to a half-width; not of distances, which are in points."""
    from assay.measures.calibration import labels_needed  # noqa: PLC0415 - heavy

    return {
        judge.judge: {
            name: labels_needed(half_width, observed=value)
            for name, value in judge.metrics.items()
            if name not in _POINTS
        }
        for judge in judges
    }


def join_labels(
    said: Sequence[JudgeResponse],
    labels: Sequence[Label],
    options: AgreementOptions,
    *,
    known: Sequence[KnownSubject] = (),
) -> tuple[LabelledUnits, list[JudgeRatings]]:
    """Labels by unit, and each judge's judgments of them.

    Raises:
        UsageError: Nothing can be joined; the message shows names of both sides.
    """
    kept = [label for label in labels if not options.raters or label.rater in options.raters]
    if not kept:
        raters = list(dict.fromkeys(label.rater for label in labels))
        raise UsageError(
            f"no label is by {', '.join(options.raters)}; {did_you_mean(options.raters[0], raters[:50])}"
        )
    labelled = labelled_units(kept, kind_of_labels(kept, options.kind), known)
    names = SubjectNames((subject for subject, _ in labelled.units), known)
    hearings = [
        match_responses(items, labelled, names.among(items), options.called)
        for items in responses_by_judge(said).values()
    ]
    if not any(hearing.heard for hearing in hearings):
        raise UsageError(explain_mismatch(said, labelled, hearings, known=bool(known)))
    return labelled, [hearing for hearing in hearings if hearing.heard]


def _notes(labelled: LabelledUnits) -> list[str]:
    notes: list[str] = []
    if labelled.others:
        notes.append(f"{labelled.others:,} labels are of another kind and were left out (--kind chooses)")
    if labelled.repeated:
        notes.append(
            f"{labelled.repeated:,} labels were given again by the same rater, otherwise: the last counts"
        )
    return notes


def _headline(labelled: LabelledUnits, hearings: Sequence[JudgeRatings], notes: list[str]) -> LabelledUnits:
    """Units of the dimensions that a judge speaks of; the others are named."""
    heard = {part for hearing in hearings for _, part in hearing.heard}
    deaf = list(dict.fromkeys(part for _, part in labelled.units if part not in heard))
    if not deaf:
        return labelled
    notes.append(
        f"no judge speaks of {first_names(deaf)}, which people labelled: left out"
        + ("" if len(deaf) > SHOWN else f" (--dimension {deaf[0][:40]}=NAME says what judges call it)")
    )
    units = {key: unit for key, unit in labelled.units.items() if key[1] in heard}
    return msgspec.structs.replace(labelled, units=units)


def _strata(by: Sequence[str], labelled: LabelledUnits, parts: set[str]) -> tuple[str, ...]:
    """Strata by name; ``all`` is each with two to thirty values. Dimensions of scores are shown unasked."""
    values: dict[str, set[str]] = {}
    for unit in labelled.units.values():
        for key, value in unit.strata.items():
            values.setdefault(key, set()).add(value)
    found = ["dimension"] if labelled.kind != "verdict" and 1 < len(parts) <= _MOST_STRATA else []
    for name in by:
        if name == "all":
            found += sorted(key for key, these in values.items() if 1 < len(these) <= _MOST_STRATA)
        elif name in values or name in _PART:
            found.append("dimension" if name in _PART else name)
        else:
            known = [*sorted(values), "dimension"]
            raise UsageError(f"labels have no {name!r} to split by; {did_you_mean(name, known)}")
    return tuple(dict.fromkeys(found))


def _stratum_of(unit: LabelledUnit, name: str) -> str | None:
    return unit.part if name == "dimension" else unit.strata.get(name)


def _judged(
    hearing: JudgeRatings, case: _JoinedLabels, options: AgreementOptions
) -> tuple[JudgeAgreement, list[UnitVerdict]]:
    labelled = case.labelled
    items, undecided = hearing.items(
        labelled.kind, options.trials or ("together" if labelled.kind == "score" else "each")
    )
    scale: ScaleMatch | None = None
    if labelled.kind == "score":
        rescale = _rescale(hearing, options)
        if rescale is not None:
            items = [msgspec.structs.replace(item, value=rescale(item.value)) for item in items]
        scale = _scale(hearing, labelled, rescale)
    items = [item for item in items if case.truths.get(item.key) is not None]
    # The whole is what is asked for first; where a judge and people speak of it, its parts are shown beside it.
    whole = [item for item in items if item.key[1] == OVERALL]
    yard = _yard(labelled, items, scale, [one.value for trials in hearing.heard.values() for one in trials])
    top = _stratum(whole or items, case, hearing, yard, whole=bool(whole))
    by: dict[str, dict[str, Stratum]] = {}
    for name in case.by:
        rows: dict[str, list[UnitVerdict]] = {}
        pool = items if name == "dimension" else whole or items
        for item in pool:
            value = _stratum_of(labelled.units[item.key], name)
            if value is not None:
                rows.setdefault(value, []).append(item)
        by[name] = {
            value: _stratum(these, case, hearing, yard, within=(name, value))
            for value, these in sorted(rows.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:_MOST_STRATA]
        }
    found = JudgeAgreement(
        judge=hearing.judge,
        n=top.n,
        coverage=top.coverage,
        metrics=top.metrics,
        confusion=top.confusion,
        by=by,
        classes=yard.classes if top.confusion else [],
        units=len(hearing.heard),
        unjudged=sum(key not in hearing.heard for key in labelled.units),
        strange=hearing.strange,
        statuses=dict(hearing.statuses()),
        undecided=undecided,
        trials=hearing.trials,
        tokens=hearing.tokens,
        cost=hearing.cost,
        scale=scale,
        pointwise=hearing.pointwise,
        as_rater=_as_rater(hearing, case, yard, options, whole=bool(whole)),
    )
    return found, whole or items


def _as_rater(
    hearing: JudgeRatings, case: _JoinedLabels, yard: MetricSet, options: AgreementOptions, *, whole: bool
) -> dict[str, Estimate]:
    """A judge as one more rater: single judgments beside single ratings, where people can be put so too."""
    rescale = _rescale(hearing, options)
    rows = [
        (rating, one.value if rescale is None else rescale(one.value), unit.task)
        for key, trials in hearing.heard.items()
        if len((unit := case.labelled.units[key]).ratings) > 1 and (not whole or key[1] == OVERALL)
        for one in trials
        if one.value is not None
        for rating in unit.ratings.values()
    ]
    return yard.measure(*zip(*rows, strict=True)) if rows else {}


def _values(hearing: JudgeRatings) -> list[Any]:
    return [one.value for trials in hearing.heard.values() for one in trials if one.value is not None]


def _rescale(hearing: JudgeRatings, options: AgreementOptions) -> Rescale | None:
    values = _values(hearing) if options.rescale else []
    fitting = [item for item in options.rescale if item.covers(values)]
    return min(fitting, key=lambda item: abs(item.high - item.low), default=None)


def _scale(hearing: JudgeRatings, labelled: LabelledUnits, rescale: Rescale | None) -> ScaleMatch:
    theirs = _values(hearing)
    if rescale is not None:
        theirs = [rescale(value) for value in theirs]
    given = [value for unit in labelled.units.values() for value in unit.ratings.values()]
    return match_scales(given, theirs, told=rescale is not None)


def _stratum(
    items: Sequence[UnitVerdict],
    case: _JoinedLabels,
    hearing: JudgeRatings,
    yard: MetricSet,
    *,
    whole: bool = False,
    within: tuple[str, str] | None = None,
) -> Stratum:
    """Metrics of some items; coverage is of the trials on the same units."""
    units = case.labelled.units
    given = missing = 0
    for key, trials in hearing.heard.items():
        if case.truths.get(key) is None or (whole and key[1] != OVERALL):
            continue
        if within is not None and _stratum_of(units[key], within[0]) != within[1]:
            continue
        silent = sum(one.value is None for one in trials)
        given, missing = given + len(trials) - silent, missing + silent
    truth = [case.truths[item.key] for item in items]
    said = [item.value for item in items]
    tasks = [units[item.key].task for item in items]
    found = yard.measure(truth, said, tasks)
    if case.labelled.kind == "preference":
        orders = [
            None
            if item.orders is None
            else tuple(None if side is None else yard.code(side) for side in item.orders)
            for item in items
        ]
        both = of_orders([yard.code(value) for value in truth], orders, tasks)  # type: ignore[arg-type]  # tuples of two
        if hearing.orderless:
            # A judge that is shown no order cannot be swayed by one: to call it consistent would be praise for nothing.
            del both["positional_consistency"]
        found = {key: value for key, value in both.items() if value.n} | found
    return Stratum(
        n=len(items),
        coverage=given / (given + missing) if given + missing else None,
        metrics=found,
        confusion=yard.confusion(truth, said),
    )


def _yard(
    labelled: LabelledUnits, items: Sequence[UnitVerdict], scale: ScaleMatch | None, more: Sequence[Any] = ()
) -> MetricSet:
    given = [value for unit in labelled.units.values() for value in unit.ratings.values()]
    said = [side for item in items for side in (item.value, *(item.orders or ()))]
    return MetricSet.of(labelled.kind, [*given, *said, *more], scale)


def _outcome(items: Sequence[UnitVerdict], case: _JoinedLabels, scale: ScaleMatch | None) -> UnitScores:
    """What tests between judges rest on: for each unit, how right the judge is (or how far off)."""
    found: dict[tuple[str, str], list[float]] = {}
    kind = case.labelled.kind
    what = "accuracy"
    if kind == "score":
        what = "absolute error" if scale is not None and scale.same else "scores"
    elif kind == "preference" and items and all(item.orders is not None for item in items):
        what = "agreement accuracy"
    for item in items:
        truth = case.truths[item.key]
        if what == "scores":
            value = float(item.value)
        elif what == "absolute error":
            value = abs(item.value - truth)
        elif what == "agreement accuracy":
            if item.orders is None or None in item.orders:
                continue
            value = float(item.orders == (truth, truth))
        else:
            value = float(item.value == truth)
        found.setdefault(item.key, []).append(value)
    return UnitScores(
        what=what,
        values={key: sum(these) / len(these) for key, these in found.items()},
        tasks={key: case.labelled.units[key].task for key in found},
        truths={key: case.truths[key] for key in found} if kind == "score" else {},
        plain=_plain(items, case),
    )


def _plain(items: Sequence[UnitVerdict], case: _JoinedLabels) -> dict[tuple[str, str], float]:
    """What can be compared with any other judge of the kind: of scores themselves, else whether the verdict is right."""
    found: dict[tuple[str, str], list[float]] = {}
    for item in items:
        right = item.value if case.labelled.kind == "score" else item.value == case.truths[item.key]
        found.setdefault(item.key, []).append(float(right))
    return {key: sum(these) / len(these) for key, these in found.items()}


def _humans(labelled: LabelledUnits, scale: ScaleMatch | None) -> HumanAgreement:
    units = list(labelled.units.values())
    kind = labelled.kind
    if kind == "score":
        values = [value for unit in units for value in unit.ratings.values()]
        scale = scale if scale is not None and scale.same else ScaleMatch(same=True, grid=grid_of(values))
    yard = _yard(labelled, [], scale)
    return human_agreement_of(labelled, units, yard)
