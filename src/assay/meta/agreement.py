"""Agreement of judges with people: computes the record ``assay.agreement/2``.

A judge is compared with the consensus of the raters: the majority of preferences and verdicts, the mean of scores.
Units whose raters are tied have no consensus; they are left out and counted. Judgments without a verdict are left out of
every metric and lower the coverage; so are abstentions, unless they are to count as wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.errors import UsageError
from assay.garbage import paused_collector
from assay.judges.judgment import Judgment
from assay.judges.judgment_groups import by_judge
from assay.judges.order_rules import OrderRule
from assay.measures.calibration import Calibration, MapKind, Needed, labels_needed
from assay.measures.calibration import calibrate as fit_calibration
from assay.meta.agreement_metrics import grid_of
from assay.meta.agreement_record import Agreement, JudgeAgreement
from assay.meta.agreement_tests import compare_judges
from assay.meta.binary_verdicts import collapse_labels, collapse_ratings, has_partial, labels_are_binary
from assay.meta.consensus import MIDDLE, adjudicated
from assay.meta.human_agreement import HumanAgreement, human_agreement_of
from assay.meta.judge_agreement import (
    MOST_STRATA,
    AgreementOptions,
    Truth,
    judge_agreement,
    ratings_in,
    rescale_of,
    strata_of,
    unit_scores,
)
from assay.meta.judge_ratings import (
    ABSTAINED,
    SHOWN,
    JudgeRatings,
    UnitVerdict,
    add_axes,
    explain_mismatch,
    first_names,
    match_judgments,
)
from assay.meta.judgment_files import judgments_of
from assay.meta.labelled_units import (
    OVERALL,
    KnownSubject,
    LabelledUnits,
    SubjectNames,
    kind_of_labels,
    known_subjects,
    labelled_units,
    set_adjudicator,
)
from assay.meta.labels.label_set import labels_of
from assay.meta.labels.record import Kind, Label
from assay.meta.metric_set import MetricSet
from assay.meta.scales import Rescale, ScaleMatch
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    import pandas as pd

    from assay.subjects.subject import Subject

# Shares in which an abstention can be wrong.
ACCURACIES: Final = ("agreement_accuracy", "accuracy")
_PART: Final = ("dimension", "criterion", "part")
# Metrics in points of the scale rather than from -1 to 1.
_POINTS: Final = ("mad", "rmse", "bias")


def agree(
    judgments: Iterable[Judgment] | pd.DataFrame,
    labels: Iterable[Label] | pd.DataFrame,
    *,
    subjects: Iterable[Subject] = (),
    by: str | Iterable[str] = (),
    kind: Kind | None = None,
    repetitions: Literal["together", "each"] | None = None,
    dimensions: Mapping[str, str] | None = None,
    rescale: Iterable[Rescale | str] = (),
    raters: Iterable[str] = (),
    calibrate: MapKind | None = None,
    half_width: float | None = None,
    abstain: Literal["leave_out", "wrong"] = "leave_out",
    order_rule: OrderRule = "assay",
    adjudicate: str | None = None,
    binary: bool | None = None,
) -> Agreement:
    """Measure how far judges agree with people.

    Args:
        judgments: Judgments of one judge or several, or a frame with the columns of ``Judgments.to_frame()``.
        labels: What people said, as `read_labels` returns it, or a frame with a column for the subject and one for the
            preference, score or verdict.
        subjects: The subjects that were judged: labels may then name them by id, and their languages, domains and
            tasks are known.
        by: Strata to split the results by, such as ``domain``; ``all`` for every stratum of the labels.
        kind: Kind of the labels to use, if they are of several; None for the most frequent one.
        repetitions: One verdict per unit (``together``) or per repetition (``each``); None for ``together`` if the labels
            are scores, which have a mean, else ``each``.
        dimensions: The judges' names for dimensions of the labels.
        rescale: Conversions from the judges' scales to that of the labels, such as ``"1:5=0:1"``.
        raters: Raters to use; empty for all.
        calibrate: Kind of map to fit from scores to labels, whose gain is then reported.
        half_width: Half-width of the intervals for which to compute the number of labels needed.
        abstain: Whether a judge that was asked and decided for nothing is left out, or wrong.
        order_rule: Rule by which the two orders of a pair combine; that of a benchmark adds the figures it publishes.
        adjudicate: What decides where raters are split: the name of a rater, whose labels count for nothing else, or
            ``middle`` for a tie, or "partially met"; None to leave such units out.
        binary: Whether "partially met" counts as "not met"; None for whether all labels are "met" or "not met".

    Raises:
        UsageError: No judgment matches a label, no label has a wanted stratum, rater or kind, or a frame lacks a column.
    """
    chosen = AgreementOptions(
        by=(by,) if isinstance(by, str) else tuple(by),
        kind=kind,
        repetitions=repetitions,
        dimensions=dimensions or {},
        rescale=tuple(Rescale.parse(item) if isinstance(item, str) else item for item in rescale),
        raters=tuple(raters),
        calibrate=calibrate,
        half_width=half_width,
        abstain=abstain,
        order_rule=order_rule,
        adjudicate=adjudicate,
        binary=binary,
    )
    with paused_collector():
        groups = by_judge(judgments_of(judgments))
        return _measure(groups, list(labels_of(labels)), chosen, known_subjects(subjects))


def _measure(
    groups: Mapping[str, Sequence[Judgment]],
    labels: Sequence[Label],
    options: AgreementOptions,
    known: Sequence[KnownSubject],
) -> Agreement:
    labelled, ratings = _join(groups, labels, options, known)
    if options.rescale and all(rescale_of(one, options) is None for one in ratings):
        values = ratings[0].given
        raise UsageError(
            f"no judge scores within the scale that rescale maps; scores run from {min(values)} to {max(values)}"
        )
    notes = _notes(labelled)
    labelled, ratings = _in_two_classes(labelled, ratings, options.binary, notes)
    labelled = _judged_parts(labelled, ratings, notes)
    consensus = {
        key: adjudicated(unit, labelled.kind, options.adjudicate) for key, unit in labelled.units.items()
    }
    truth = Truth(labelled, consensus, _strata(options.by, labelled), options.order_rule)
    judges, scores, calibration = [], {}, {}
    for one in ratings:
        judge, verdicts = judge_agreement(one, truth, options)
        judge = _with_abstentions_wrong(judge, one, truth, options)
        judges.append(judge)
        scores[one.judge] = unit_scores(verdicts, truth, judge.scale)
        if options.calibrate is not None:
            calibration[one.judge] = _calibration(verdicts, truth, options.calibrate)
    scale = next((judge.scale for judge in judges if judge.scale), None)
    return Agreement(
        kind=labelled.kind,
        judges=tuple(judges),
        humans=_human_agreement(truth, scale),
        tests=tuple(compare_judges(scores, score=labelled.kind == "score")),
        notes=tuple(notes),
        calibration=calibration,
        constant_mad=_constant_mad(consensus) if options.calibrate else None,
        needed={} if options.half_width is None else _labels_needed(judges, options.half_width),
    )


def _with_abstentions_wrong(
    judge: JudgeAgreement, ratings: JudgeRatings, truth: Truth, options: AgreementOptions
) -> JudgeAgreement:
    """Return the agreement with its accuracies with abstentions as wrong, if they are left out otherwise."""
    if truth.kind == "score" or options.abstain == "wrong" or not judge.statuses.get(ABSTAINED):
        return judge
    metrics = judge_agreement(ratings.with_abstentions(), truth, options)[0].metrics
    wrong = {name: metrics[name] for name in ACCURACIES if name in metrics and name in judge.metrics}
    return msgspec.structs.replace(judge, abstentions_wrong=wrong)


def _join(
    groups: Mapping[str, Sequence[Judgment]],
    labels: Sequence[Label],
    options: AgreementOptions,
    known: Sequence[KnownSubject],
) -> tuple[LabelledUnits, list[JudgeRatings]]:
    """Return the labelled units, and the judgments of each judge on them.

    Raises:
        UsageError: No judgment matches a label; the message shows names of both sides.
    """
    if not groups or not labels:
        raise UsageError("there are no judgments" if not groups else "there are no labels")
    kept = [label for label in labels if not options.raters or label.rater in options.raters]
    if not kept:
        raters = list(dict.fromkeys(label.rater for label in labels))
        raise UsageError(
            f"no label is by {', '.join(options.raters)}; {did_you_mean(options.raters[0], raters[:50])}"
        )
    labelled = labelled_units(kept, kind_of_labels(kept, options.kind), known)
    if options.abstain == "wrong" and labelled.kind == "score":
        raise UsageError("an abstention cannot be a wrong score; with scores, abstain must be 'leave_out'")
    _adjudicate(labelled, options.adjudicate)
    names = SubjectNames((subject for subject, _ in labelled.units), known)
    ratings = [
        match_judgments(
            judge, items, labelled, names.among(items), options.dimensions, rule=options.order_rule
        )
        for judge, items in groups.items()
    ]
    for items in groups.values():
        add_axes(items, labelled, names.among(items), options.dimensions)
    matched = [one for one in ratings if one.by_unit]
    if not matched:
        every = [item for items in groups.values() for item in items]
        raise UsageError(
            explain_mismatch(every, labelled, ratings, known=bool(known)),
            hint="subjects=… names the judged subjects, dimensions={label: judge's} their dimensions",
            cli_hint="--subjects FILE names the judged subjects, --dimension LABELS=JUDGE their dimensions",
        )
    if options.abstain == "wrong":
        matched = [one.with_abstentions() for one in matched]
    return labelled, matched


def _in_two_classes(
    labelled: LabelledUnits, ratings: list[JudgeRatings], binary: bool | None, notes: list[str]
) -> tuple[LabelledUnits, list[JudgeRatings]]:
    """Count "partially met" as "not met", on request or if nobody's label is partial; a note says so.

    Raises:
        UsageError: It is requested, and the labels are not verdicts.
    """
    if binary and labelled.kind != "verdict":
        raise UsageError(f"binary grading is of verdicts, but the labels are {labelled.kind}s")
    if binary is False or not (binary or (labels_are_binary(labelled) and has_partial(ratings))):
        return labelled, ratings
    why = "" if binary else ", because all labels are met or not met"
    notes.append(f"binary grading: partially met counts as not met{why} (ResearchRubrics, table 4)")
    return collapse_labels(labelled), [collapse_ratings(one) for one in ratings]


def _adjudicate(labelled: LabelledUnits, rule: str | None) -> None:
    """Set an adjudicator's labels apart.

    Raises:
        UsageError: Nobody of this name rated a unit that others rated, or the labels are scores.
    """
    if rule is None:
        return
    if labelled.kind == "score":
        raise UsageError("scores are averaged, so there are no splits to adjudicate; leave adjudicate out")
    if not set_adjudicator(labelled, rule) and rule != MIDDLE:
        raters = list(dict.fromkeys(rater for unit in labelled.units.values() for rater in unit.ratings))
        raise UsageError(
            f"no rater {rule!r} shares a unit with others, so nothing can be adjudicated; {did_you_mean(rule, [MIDDLE, *raters[:50]])}"
        )


def _constant_mad(consensus: Mapping[tuple[str, str], float]) -> float:
    values = [value for (_, part), value in consensus.items() if part == OVERALL] or list(consensus.values())
    middle = median(values)
    return fmean(abs(value - middle) for value in values)


def _calibration(verdicts: Sequence[UnitVerdict], truth: Truth, kind: MapKind) -> Calibration:
    """Measure how much a map from a judge's scores to labels gains on tasks that were not used to estimate it.

    Raises:
        UsageError: The labels are not scores.
    """
    if truth.kind != "score":
        raise UsageError(f"calibration maps scores to scores, but the labels are {truth.kind}s")
    labels = [truth.consensus[item.key] for item in verdicts]
    grid = grid_of(truth.ratings())
    if grid is not None:
        # Means of raters lie between the steps of the scale; a map predicts levels that a person can give.
        labels = [grid.value(grid.code(value)) for value in labels]
    calibration = fit_calibration(
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
    strata = ["dimension"] if labelled.kind != "verdict" and 1 < len(parts) <= MOST_STRATA else []
    for name in by:
        if name == "all":
            strata += sorted(key for key, distinct in values.items() if 1 < len(distinct) <= MOST_STRATA)
        elif name in values or name in _PART:
            strata.append("dimension" if name in _PART else name)
        else:
            known = [*sorted(values), "dimension"]
            raise UsageError(f"labels have no {name!r} to split by; {did_you_mean(name, known)}")
    return tuple(dict.fromkeys(strata))


def _human_agreement(truth: Truth, scale: ScaleMatch | None) -> HumanAgreement:
    labelled = truth.labelled
    ratings = ratings_in(labelled)
    if labelled.kind == "score" and not (scale is not None and scale.same):
        scale = ScaleMatch(same=True, grid=grid_of(ratings))
    metrics = MetricSet.of(labelled.kind, ratings, scale)
    units = list(labelled.units.values())
    by = {
        name: {
            value: human_agreement_of(items, metrics, truth.consensus)
            for value, items in strata_of(units, name, lambda unit: unit).items()
        }
        for name in truth.by
        if any(len(unit.ratings) > 1 for unit in units)
    }
    return msgspec.structs.replace(human_agreement_of(units, metrics, truth.consensus), by=by)
