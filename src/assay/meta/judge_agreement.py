"""The agreement of one judge with the consensus of people: metrics, strata, confusion, and values for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import nan
from typing import Any, Final, Literal, TypeVar

import msgspec

from assay.judges.order_rules import OrderRule, score_orders
from assay.measures.calibration import MapKind
from assay.measures.intervals import Estimate
from assay.measures.run_correlation import mean_of_run_correlations
from assay.meta.agreement_metrics import mean_of_shares, order_metrics
from assay.meta.agreement_record import JudgeAgreement, Stratum
from assay.meta.agreement_tests import UnitScores
from assay.meta.judge_ratings import ABSTAINED, JudgeRatings, UnitVerdict
from assay.meta.labelled_units import OVERALL, LabelledUnit, LabelledUnits
from assay.meta.labels.record import Kind
from assay.meta.metric_set import MetricSet
from assay.meta.scales import Rescale, ScaleMatch, match_scales

T = TypeVar("T")
MOST_STRATA: Final = 30
# The agreement of the paper on chain-of-thought judges; "pearson" is that of mean scores.
MEAN_OF_RUNS: Final = "pearson_mean_of_runs"


class AgreementOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How judges are compared with labels.

    Attributes:
        kind: Kind of the labels to use; None for the most frequent one.
        by: Strata to split the results by.
        repetitions: One verdict per unit (``together``) or per repetition (``each``); None for ``together`` if the
            labels are scores, which have a mean, else ``each``.
        dimensions: The judges' names for dimensions of the labels.
        rescale: Conversions from judges' scales to that of the labels. For each judge, the narrowest scale that holds
            all of its scores is used.
        raters: Raters to use; empty for all.
        calibrate: Kind of map to fit from scores to labels; None for no calibration.
        half_width: Half-width of the intervals for which to compute the number of labels needed.
        abstain: Whether a judge that was asked and decided for nothing is left out, or wrong.
        order_rule: Rule by which the orders of a pair combine.
        adjudicate: Rater or rule that decides where raters are split; None to leave such units out.
        binary: Whether "partially met" counts as "not met"; None for whether all labels are binary.
    """

    kind: Kind | None = None
    by: tuple[str, ...] = ()
    repetitions: Literal["together", "each"] | None = None
    dimensions: Mapping[str, str] = {}
    rescale: tuple[Rescale, ...] = ()
    raters: tuple[str, ...] = ()
    calibrate: MapKind | None = None
    half_width: float | None = None
    abstain: Literal["leave_out", "wrong"] = "leave_out"
    order_rule: OrderRule = "assay"
    adjudicate: str | None = None
    binary: bool | None = None


class Truth(msgspec.Struct, frozen=True):
    """The labelled units, the consensus label of each, the strata to split by, and the rule for orders of pairs."""

    labelled: LabelledUnits
    consensus: dict[tuple[str, str], Any]
    by: tuple[str, ...]
    order_rule: OrderRule = "assay"

    @property
    def kind(self) -> Kind:
        """Kind of the labels."""
        return self.labelled.kind

    def task(self, key: tuple[str, str]) -> str:
        """Return the task of a unit."""
        return self.labelled.units[key].task

    def ratings(self) -> list[Any]:
        """Return every rating of every unit."""
        return ratings_in(self.labelled)


def ratings_in(labelled: LabelledUnits) -> list[Any]:
    """Return every rating of every unit."""
    return [value for unit in labelled.units.values() for value in unit.ratings.values()]


def rescale_of(ratings: JudgeRatings, options: AgreementOptions) -> Rescale | None:
    """Return the narrowest conversion whose scale holds all scores of a judge."""
    values = ratings.given if options.rescale else []
    fitting = [item for item in options.rescale if item.covers(values)]
    return min(fitting, key=lambda item: abs(item.high - item.low), default=None)


def _stratum_of(unit: LabelledUnit, name: str) -> str | None:
    return unit.part if name == "dimension" else unit.strata.get(name)


def strata_of(items: Iterable[T], name: str, unit_of: Callable[[T], LabelledUnit]) -> dict[str, list[T]]:
    """Return the items of the largest strata of a name, the largest first."""
    rows: dict[str, list[T]] = {}
    for item in items:
        value = _stratum_of(unit_of(item), name)
        if value is not None:
            rows.setdefault(value, []).append(item)
    return dict(sorted(rows.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:MOST_STRATA])


def judge_agreement(
    ratings: JudgeRatings, truth: Truth, options: AgreementOptions
) -> tuple[JudgeAgreement, list[UnitVerdict]]:
    """Return the agreement of one judge with the truth, and the verdicts that it rests on."""
    labelled = truth.labelled
    verdicts, undecided = ratings.verdicts(
        truth.kind, options.repetitions or ("together" if truth.kind == "score" else "each")
    )
    scale: ScaleMatch | None = None
    if truth.kind == "score":
        rescale = rescale_of(ratings, options)
        if rescale is not None:
            verdicts = [msgspec.structs.replace(item, value=rescale(item.value)) for item in verdicts]
        scores = ratings.given if rescale is None else [rescale(value) for value in ratings.given]
        scale = match_scales(truth.ratings(), scores, told=rescale is not None)
    verdicts = [item for item in verdicts if truth.consensus.get(item.key) is not None]
    # The overall value is the headline; if judge and people give one, the parts are shown beside it.
    overall = [item for item in verdicts if item.key[1] == OVERALL]
    headline = overall or verdicts
    sides = [side for item in verdicts for side in (item.value, *(item.orders or ()))]
    metrics = MetricSet.of(truth.kind, [*truth.ratings(), *sides, *ratings.given], scale)
    top = _stratum(headline, truth, ratings, metrics, overall_only=bool(overall))
    if truth.kind == "score" and ratings.repetitions > 1:
        runs = {MEAN_OF_RUNS: _mean_of_runs([item.key for item in headline], ratings, truth)}
        top = msgspec.structs.replace(top, metrics=runs | top.metrics)
    by: dict[str, dict[str, Stratum]] = {}
    for name in truth.by:
        rows = strata_of(
            verdicts if name == "dimension" else headline, name, lambda item: labelled.units[item.key]
        )
        by[name] = {
            value: _stratum(items, truth, ratings, metrics, within=(name, value))
            for value, items in rows.items()
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
        repetitions=ratings.repetitions,
        tokens=ratings.tokens,
        cost=ratings.cost,
        scale=scale,
        pointwise=ratings.pointwise,
        as_rater=_as_rater(ratings, truth, metrics, options, overall_only=bool(overall)),
    )
    return judge, headline


def _mean_of_runs(keys: Sequence[tuple[str, str]], ratings: JudgeRatings, truth: Truth) -> Estimate:
    """Return the mean correlation of single runs with people; it is the same on any scale of the judge."""
    units = list(dict.fromkeys(keys))
    scores = [[nan if value is None else value for value in row] for row in ratings.runs(units)]
    return mean_of_run_correlations(
        [truth.consensus[key] for key in units], scores, [truth.task(key) for key in units]
    )


def _as_rater(
    ratings: JudgeRatings,
    truth: Truth,
    metrics: MetricSet,
    options: AgreementOptions,
    *,
    overall_only: bool,
) -> dict[str, Estimate]:
    """Compare single judgments with single ratings, on units with several ratings, just as people are compared in pairs."""
    rescale = rescale_of(ratings, options)
    rows = [
        (rating, one.value if rescale is None else rescale(one.value), unit.task)
        for key, repetitions in ratings.by_unit.items()
        if len((unit := truth.labelled.units[key]).ratings) > 1 and (not overall_only or key[1] == OVERALL)
        for one in repetitions
        if not one.is_silent
        for rating in unit.ratings.values()
    ]
    return metrics.measure(*zip(*rows, strict=True)) if rows else {}


def _stratum(
    verdicts: Sequence[UnitVerdict],
    truth: Truth,
    ratings: JudgeRatings,
    metrics: MetricSet,
    *,
    overall_only: bool = False,
    within: tuple[str, str] | None = None,
) -> Stratum:
    """Measure the verdicts of a stratum; coverage is over all repetitions on the same units."""
    given = missing = 0
    figures: dict[str, list[tuple[float, str]]] = {}
    for key, repetitions in ratings.by_unit.items():
        if truth.consensus.get(key) is None or (overall_only and key[1] != OVERALL):
            continue
        if within is not None and _stratum_of(truth.labelled.units[key], within[0]) != within[1]:
            continue
        silent = sum(one.is_silent for one in repetitions)
        given, missing = given + len(repetitions) - silent, missing + silent
        for one in repetitions:
            if one.orders is not None:
                scored = score_orders(truth.consensus[key], one.orders, truth.order_rule)
                for name, value in scored.items():
                    figures.setdefault(f"{truth.order_rule}.{name}", []).append((value, truth.task(key)))
    labels = [truth.consensus[item.key] for item in verdicts]
    values = [item.value for item in verdicts]
    tasks = [truth.task(item.key) for item in verdicts]
    estimates = metrics.measure(labels, values, tasks)
    if truth.kind == "preference":
        orders = [_order_codes(item, metrics) for item in verdicts]
        unsaid = metrics.code(ABSTAINED) if ABSTAINED in metrics.classes else None
        both = order_metrics([metrics.code(label) for label in labels], orders, tasks, unsaid)
        if ratings.pointwise:
            # A judge that saw no order cannot be swayed by one; its consistency says nothing.
            del both["positional_consistency"]
        published = {name: mean_of_shares(*zip(*rows, strict=True)) for name, rows in figures.items()}
        estimates = published | {key: value for key, value in both.items() if value.n} | estimates
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


def unit_scores(verdicts: Sequence[UnitVerdict], truth: Truth, scale: ScaleMatch | None) -> UnitScores:
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
        label = truth.consensus[item.key]
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
        truths={key: truth.consensus[key] for key in values} if truth.kind == "score" else {},
        plain={key: sum(each) / len(each) for key, each in plain.items()},
        span=None if scale is None or scale.grid is None else scale.grid.high - scale.grid.low,
    )
