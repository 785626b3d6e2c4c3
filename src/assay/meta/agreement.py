"""Agreement of judges with people: computes the record ``assay.agreement/1``.

A judge is compared with the consensus of the raters: the majority of preferences and verdicts, the mean of scores.
Units whose raters are tied have no consensus; they are left out and counted. Judgments without a verdict are left out of
every metric and lower the coverage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any, Final, Literal

import msgspec

from assay.errors import UsageError
from assay.measures.calibration import Calibration, MapKind, Needed, calibrate, labels_needed
from assay.measures.intervals import Estimate
from assay.meta.agreement_metrics import grid_of, order_metrics
from assay.meta.agreement_record import Agreement, JudgeAgreement, Stratum
from assay.meta.agreement_tests import UnitScores, compare_judges
from assay.meta.consensus import consensus_of
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
# Metrics in points of the scale rather than from -1 to 1.
_POINTS: Final = ("mad", "rmse", "bias")


class AgreementOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How judges are compared with labels.

    Attributes:
        kind: Kind of the labels to use; None for the most frequent one.
        by: Strata to split the results by.
        trials: One verdict per unit (``together``) or per repetition (``each``); None for ``together`` if the labels
            are scores, which have a mean, else ``each``.
        called: The judges' names for dimensions of the labels.
        rescale: Conversions from judges' scales to that of the labels. For each judge, the narrowest scale that holds
            all of its scores is used.
        raters: Raters to use; empty for all.
        calibrate: Kind of map to fit from scores to labels; None for no calibration.
        half_width: Half-width of the intervals for which to compute the number of labels needed.
    """

    kind: Kind | None = None
    by: tuple[str, ...] = ()
    trials: Literal["together", "each"] | None = None
    called: Mapping[str, str] = {}
    rescale: tuple[Rescale, ...] = ()
    raters: tuple[str, ...] = ()
    calibrate: MapKind | None = None
    half_width: float | None = None


class _Truth(msgspec.Struct, frozen=True):
    """The labelled units, the consensus label of each, and the strata to split by."""

    labelled: LabelledUnits
    values: dict[tuple[str, str], Any]
    by: tuple[str, ...]

    @property
    def kind(self) -> Kind:
        return self.labelled.kind

    def task(self, key: tuple[str, str]) -> str:
        return self.labelled.units[key].task

    def ratings(self) -> list[Any]:
        return _ratings(self.labelled)


def measure_agreement(
    responses: Sequence[JudgeResponse],
    labels: Sequence[Label],
    options: AgreementOptions | None = None,
    *,
    known: Sequence[KnownSubject] = (),
) -> Agreement:
    """Measure how far judges agree with people.

    Args:
        responses: Judgments, of one judge or several.
        labels: What people said.
        options: How to compare.
        known: Names and strata from files of subjects.

    Raises:
        UsageError: No judgment matches a label, or no label has a wanted stratum, rater or kind.
    """
    options = options or AgreementOptions()
    labelled, ratings = join_labels(responses, labels, options, known=known)
    if options.rescale and all(_rescale(one, options) is None for one in ratings):
        values = ratings[0].values
        raise UsageError(
            f"no judge scores within the scale that rescale maps; scores run from {min(values)} to {max(values)}"
        )
    notes = _notes(labelled)
    labelled = _judged_parts(labelled, ratings, notes)
    consensus = {
        key: consensus_of(unit.ratings.values(), labelled.kind) for key, unit in labelled.units.items()
    }
    truth = _Truth(labelled, consensus, _strata(options.by, labelled))
    judges, scores, calibration = [], {}, {}
    for one in ratings:
        judge, verdicts = _judge_agreement(one, truth, options)
        judges.append(judge)
        scores[one.judge] = _unit_scores(verdicts, truth, judge.scale)
        if options.calibrate is not None:
            calibration[one.judge] = _calibration(verdicts, truth, options.calibrate)
    scale = next((judge.scale for judge in judges if judge.scale), None)
    return Agreement(
        kind=labelled.kind,
        judges=judges,
        humans=_human_agreement(labelled, scale),
        tests=compare_judges(scores, score=labelled.kind == "score"),
        notes=notes,
        calibration=calibration,
        constant_mad=_constant_mad(consensus) if options.calibrate else None,
        needed={} if options.half_width is None else _labels_needed(judges, options.half_width),
    )


def join_labels(
    responses: Sequence[JudgeResponse],
    labels: Sequence[Label],
    options: AgreementOptions,
    *,
    known: Sequence[KnownSubject] = (),
) -> tuple[LabelledUnits, list[JudgeRatings]]:
    """Return the labelled units, and the judgments of each judge on them.

    Raises:
        UsageError: No judgment matches a label; the message shows names of both sides.
    """
    kept = [label for label in labels if not options.raters or label.rater in options.raters]
    if not kept:
        raters = list(dict.fromkeys(label.rater for label in labels))
        raise UsageError(
            f"no label is by {', '.join(options.raters)}; {did_you_mean(options.raters[0], raters[:50])}"
        )
    labelled = labelled_units(kept, kind_of_labels(kept, options.kind), known)
    names = SubjectNames((subject for subject, _ in labelled.units), known)
    ratings = [
        match_responses(items, labelled, names.among(items), options.called)
        for items in responses_by_judge(responses).values()
    ]
    matched = [one for one in ratings if one.by_unit]
    if not matched:
        raise UsageError(explain_mismatch(responses, labelled, ratings, known=bool(known)))
    return labelled, matched


def _constant_mad(consensus: Mapping[tuple[str, str], float]) -> float:
    values = [value for (_, part), value in consensus.items() if part == OVERALL] or list(consensus.values())
    middle = median(values)
    return fmean(abs(value - middle) for value in values)


def _calibration(verdicts: Sequence[UnitVerdict], truth: _Truth, kind: MapKind) -> Calibration:
    """Measure how much a map from a judge's scores to labels gains on tasks that were not used to estimate it.

    Raises:
        UsageError: The labels are not scores.
    """
    if truth.kind != "score":
        raise UsageError(f"calibration maps scores to scores, but the labels are {truth.kind}s")
    labels = [truth.values[item.key] for item in verdicts]
    grid = grid_of(truth.ratings())
    if grid is not None:
        # Means of raters lie between the steps of the scale; a map predicts levels that a person can give.
        labels = [grid.value(grid.code(value)) for value in labels]
    calibration = calibrate(
        [item.value for item in verdicts], labels, [truth.task(item.key) for item in verdicts], kind=kind
    )
    if grid is None:
        # Without steps, an exact match is an accident.
        calibration = msgspec.structs.replace(calibration, accuracy=None, kappa=None)
    return calibration


def _labels_needed(judges: Sequence[JudgeAgreement], half_width: float) -> dict[str, dict[str, Needed]]:
    """Return the number of labels needed for each metric's interval to reach a half-width; distances are left out."""
    return {
        judge.judge: {
            name: labels_needed(half_width, observed=value)
            for name, value in judge.metrics.items()
            if name not in _POINTS
        }
        for judge in judges
    }


def _notes(labelled: LabelledUnits) -> list[str]:
    notes: list[str] = []
    if labelled.others:
        notes.append(
            f"{labelled.others:,} labels are of another kind and were left out; the kind can be chosen"
        )
    if labelled.repeated:
        notes.append(
            f"{labelled.repeated:,} labels were later changed by the same rater; the last one counts"
        )
    return notes


def _judged_parts(
    labelled: LabelledUnits, ratings: Sequence[JudgeRatings], notes: list[str]
) -> LabelledUnits:
    """Keep the units of dimensions that some judge scored; a note names the others."""
    judged = {part for one in ratings for _, part in one.by_unit}
    missing = list(dict.fromkeys(part for _, part in labelled.units if part not in judged))
    if not missing:
        return labelled
    notes.append(
        f"no judge scored {first_names(missing)}, which people labelled: left out"
        + (
            ""
            if len(missing) > SHOWN
            else f"; a map of dimensions can give the judges' name for {missing[0][:40]!r}"
        )
    )
    units = {key: unit for key, unit in labelled.units.items() if key[1] in judged}
    return msgspec.structs.replace(labelled, units=units)


def _strata(by: Sequence[str], labelled: LabelledUnits) -> tuple[str, ...]:
    """Resolve names of strata; ``all`` means each with two to thirty values. Dimensions of scores are always shown."""
    parts = {part for _, part in labelled.units}
    values: dict[str, set[str]] = {}
    for unit in labelled.units.values():
        for key, value in unit.strata.items():
            values.setdefault(key, set()).add(value)
    strata = ["dimension"] if labelled.kind != "verdict" and 1 < len(parts) <= _MOST_STRATA else []
    for name in by:
        if name == "all":
            strata += sorted(key for key, distinct in values.items() if 1 < len(distinct) <= _MOST_STRATA)
        elif name in values or name in _PART:
            strata.append("dimension" if name in _PART else name)
        else:
            known = [*sorted(values), "dimension"]
            raise UsageError(f"labels have no {name!r} to split by; {did_you_mean(name, known)}")
    return tuple(dict.fromkeys(strata))


def _stratum_of(unit: LabelledUnit, name: str) -> str | None:
    return unit.part if name == "dimension" else unit.strata.get(name)


def _judge_agreement(
    ratings: JudgeRatings, truth: _Truth, options: AgreementOptions
) -> tuple[JudgeAgreement, list[UnitVerdict]]:
    labelled = truth.labelled
    verdicts, undecided = ratings.verdicts(
        truth.kind, options.trials or ("together" if truth.kind == "score" else "each")
    )
    scale: ScaleMatch | None = None
    if truth.kind == "score":
        rescale = _rescale(ratings, options)
        if rescale is not None:
            verdicts = [msgspec.structs.replace(item, value=rescale(item.value)) for item in verdicts]
        scores = ratings.values if rescale is None else [rescale(value) for value in ratings.values]
        scale = match_scales(truth.ratings(), scores, told=rescale is not None)
    verdicts = [item for item in verdicts if truth.values.get(item.key) is not None]
    # The overall value is the headline; if judge and people give one, the parts are shown beside it.
    overall = [item for item in verdicts if item.key[1] == OVERALL]
    headline = overall or verdicts
    sides = [side for item in verdicts for side in (item.value, *(item.orders or ()))]
    metrics = MetricSet.of(truth.kind, [*truth.ratings(), *sides, *ratings.values], scale)
    top = _stratum(headline, truth, ratings, metrics, overall_only=bool(overall))
    by: dict[str, dict[str, Stratum]] = {}
    for name in truth.by:
        rows: dict[str, list[UnitVerdict]] = {}
        for item in verdicts if name == "dimension" else headline:
            value = _stratum_of(labelled.units[item.key], name)
            if value is not None:
                rows.setdefault(value, []).append(item)
        largest = sorted(rows.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:_MOST_STRATA]
        by[name] = {
            value: _stratum(items, truth, ratings, metrics, within=(name, value)) for value, items in largest
        }
    judge = JudgeAgreement(
        judge=ratings.judge,
        n=top.n,
        coverage=top.coverage,
        metrics=top.metrics,
        confusion=top.confusion,
        by=by,
        classes=metrics.classes if top.confusion else [],
        units=len(ratings.by_unit),
        unjudged=sum(key not in ratings.by_unit for key in labelled.units),
        strange=ratings.unlabelled,
        statuses=dict(ratings.statuses()),
        undecided=undecided,
        trials=ratings.repetitions,
        tokens=ratings.tokens,
        cost=ratings.cost,
        scale=scale,
        pointwise=ratings.pointwise,
        as_rater=_as_rater(ratings, truth, metrics, options, overall_only=bool(overall)),
    )
    return judge, headline


def _as_rater(
    ratings: JudgeRatings,
    truth: _Truth,
    metrics: MetricSet,
    options: AgreementOptions,
    *,
    overall_only: bool,
) -> dict[str, Estimate]:
    """Compare single judgments with single ratings, on units with several ratings, just as people are compared in pairs."""
    rescale = _rescale(ratings, options)
    rows = [
        (rating, one.value if rescale is None else rescale(one.value), unit.task)
        for key, repetitions in ratings.by_unit.items()
        if len((unit := truth.labelled.units[key]).ratings) > 1 and (not overall_only or key[1] == OVERALL)
        for one in repetitions
        if one.value is not None
        for rating in unit.ratings.values()
    ]
    return metrics.measure(*zip(*rows, strict=True)) if rows else {}


def _ratings(labelled: LabelledUnits) -> list[Any]:
    return [value for unit in labelled.units.values() for value in unit.ratings.values()]


def _rescale(ratings: JudgeRatings, options: AgreementOptions) -> Rescale | None:
    values = ratings.values if options.rescale else []
    fitting = [item for item in options.rescale if item.covers(values)]
    return min(fitting, key=lambda item: abs(item.high - item.low), default=None)


def _stratum(
    verdicts: Sequence[UnitVerdict],
    truth: _Truth,
    ratings: JudgeRatings,
    metrics: MetricSet,
    *,
    overall_only: bool = False,
    within: tuple[str, str] | None = None,
) -> Stratum:
    """Measure the verdicts of a stratum; coverage is over all repetitions on the same units."""
    given = missing = 0
    for key, repetitions in ratings.by_unit.items():
        if truth.values.get(key) is None or (overall_only and key[1] != OVERALL):
            continue
        if within is not None and _stratum_of(truth.labelled.units[key], within[0]) != within[1]:
            continue
        silent = sum(one.value is None for one in repetitions)
        given, missing = given + len(repetitions) - silent, missing + silent
    labels = [truth.values[item.key] for item in verdicts]
    values = [item.value for item in verdicts]
    tasks = [truth.task(item.key) for item in verdicts]
    estimates = metrics.measure(labels, values, tasks)
    if truth.kind == "preference":
        orders = [_order_codes(item, metrics) for item in verdicts]
        both = order_metrics([metrics.code(label) for label in labels], orders, tasks)
        if ratings.orderless:
            # A judge that saw no order cannot be swayed by one; its consistency says nothing.
            del both["positional_consistency"]
        estimates = {key: value for key, value in both.items() if value.n} | estimates
    return Stratum(
        n=len(verdicts),
        coverage=given / (given + missing) if given + missing else None,
        metrics=estimates,
        confusion=metrics.confusion(labels, values),
    )


def _order_codes(item: UnitVerdict, metrics: MetricSet) -> tuple[int | None, int | None] | None:
    if item.orders is None:
        return None
    first, second = (None if side is None else metrics.code(side) for side in item.orders)
    return first, second


def _unit_scores(verdicts: Sequence[UnitVerdict], truth: _Truth, scale: ScaleMatch | None) -> UnitScores:
    """Return the values that tests between judges use: for each unit, whether the judge is right or its absolute error."""
    what = "accuracy"
    if truth.kind == "score":
        what = "absolute error" if scale is not None and scale.same else "scores"
    elif truth.kind == "preference" and verdicts and all(item.orders is not None for item in verdicts):
        what = "agreement accuracy"
    values: dict[tuple[str, str], list[float]] = {}
    # Comparable with any other judge of the kind: scores themselves, else whether the verdict is right.
    plain: dict[tuple[str, str], list[float]] = {}
    for item in verdicts:
        label = truth.values[item.key]
        plain.setdefault(item.key, []).append(
            float(item.value if truth.kind == "score" else item.value == label)
        )
        if what == "absolute error":
            value = abs(item.value - label)
        elif what == "agreement accuracy":
            if item.orders is None or None in item.orders:
                continue
            value = float(item.orders == (label, label))
        else:
            value = plain[item.key][-1]
        values.setdefault(item.key, []).append(value)
    return UnitScores(
        what=what,
        values={key: sum(each) / len(each) for key, each in values.items()},
        tasks={key: truth.task(key) for key in values},
        truths={key: truth.values[key] for key in values} if truth.kind == "score" else {},
        plain={key: sum(each) / len(each) for key, each in plain.items()},
    )


def _human_agreement(labelled: LabelledUnits, scale: ScaleMatch | None) -> HumanAgreement:
    ratings = _ratings(labelled)
    if labelled.kind == "score" and not (scale is not None and scale.same):
        scale = ScaleMatch(same=True, grid=grid_of(ratings))
    metrics = MetricSet.of(labelled.kind, ratings, scale)
    return human_agreement_of(list(labelled.units.values()), metrics)
