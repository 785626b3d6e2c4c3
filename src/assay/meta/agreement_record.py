"""The record ``assay.agreement/2``: agreement of judges with people, every value with its interval and its n."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.frozen import FrozenFields
from assay.measures.calibration import Calibration, Needed
from assay.measures.intervals import Estimate
from assay.meta.agreement_tests import JudgeComparison
from assay.meta.human_agreement import HumanAgreement
from assay.meta.labels.record import Kind
from assay.meta.scales import ScaleMatch
from assay.record import Record, columns_of

SCHEMA: Final = "assay.agreement/2"


class Stratum(Record, FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """A judge on some of the units.

    Attributes:
        n: Number of verdicts compared with a truth.
        coverage: Share of judgments with a verdict, over units with a truth; None without such judgments.
        metrics: Metrics by name.
        confusion: Counts over the judge's ``classes``, with the truth in rows.
    """

    n: int
    coverage: float | None
    metrics: dict[str, Estimate]
    confusion: list[list[int]] = []

    def summary_line(self) -> str:
        """Return the number of verdicts and the first metric."""
        first = "".join(f", {name} {value}" for name, value in list(self.metrics.items())[:1])
        return f"{self.n:,} verdicts{first}"


class JudgeAgreement(Stratum, frozen=True, kw_only=True):
    """A judge on all units, and by stratum.

    Attributes:
        judge: Name of the judge.
        by: Results by stratum: ``{"domain": {"finance": …}}``.
        classes: Names of the rows and columns of ``confusion``.
        units: Number of labelled units that were judged.
        unjudged: Number of labelled units that were not judged.
        strange: Number of judgments of subjects that nobody labelled.
        statuses: Number of repetitions by status.
        undecided: Number of units whose repetitions do not agree on a verdict.
        repetitions: Largest number of repetitions of a unit.
        tokens: Input and output tokens.
        cost: Cost in US dollars; None if unknown.
        scale: Whether the scores of judge and labels are on one scale, and on which.
        pointwise: Whether preferences were derived from the scores of both sides.
        as_rater: Metrics of every single judgment against every single rating, over units with at least two ratings.
            Comparable with the pairwise agreement of people, because neither repetitions nor raters are averaged.
        abstentions_wrong: Accuracies if an abstention is wrong (ReportLogic, table 1), beside those of ``metrics``, which leave
            abstentions out; empty without abstentions, or if all metrics count them as wrong.
    """

    judge: str
    by: dict[str, dict[str, Stratum]] = {}
    classes: list[str] = []
    units: int = 0
    unjudged: int = 0
    strange: int = 0
    statuses: dict[str, int] = {}
    undecided: int = 0
    repetitions: int = 1
    tokens: int = 0
    cost: float | None = None
    scale: ScaleMatch | None = None
    pointwise: bool = False
    as_rater: dict[str, Estimate] = {}
    abstentions_wrong: dict[str, Estimate] = {}


class Agreement(Record, FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of judges with people, and differences between judges.

    Attributes:
        kind: Kind of the labels.
        judges: Results by judge, in the order of the judgments.
        humans: Human–human agreement.
        tests: Differences between judges, over the units that both judged.
        notes: What a reader should know before relying on the numbers.
        calibration: Gain from a map of each judge's scores to labels, if requested.
        constant_mad: Mean absolute difference of the labels from their median, which a constant map reaches and a
            useful map must beat.
        needed: Number of labels needed for an interval of the requested width, by judge and metric.
    """

    kind: Kind
    judges: tuple[JudgeAgreement, ...]
    humans: HumanAgreement
    tests: tuple[JudgeComparison, ...] = ()
    notes: tuple[str, ...] = ()
    calibration: dict[str, Calibration] = {}
    constant_mad: float | None = None
    needed: dict[str, dict[str, Needed]] = msgspec.field(name="labels_needed", default={})

    @property
    def metrics(self) -> dict[str, Estimate]:
        """Metrics of the first judge by name, over all units; ``judges`` has those of the others."""
        return self.judges[0].metrics

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; ``n``, ``coverage``, ``metrics`` and ``by`` at the top are those of the first judge."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        shown = ("judge", "n", "coverage", "metrics", "by", "classes", "confusion")
        first = {name: data["judges"][0][name] for name in shown}
        optional = ("calibration", "constant_mad", "labels_needed")
        kept = {name: value for name, value in data.items() if name not in optional or value}
        return {"schema": SCHEMA, "kind": self.kind, **first, **kept}

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each judge, stratum and metric; ``by`` and ``stratum`` are None over all units."""
        rows = []
        for judge in self.judges:
            parts = [(by, name, part) for by, those in judge.by.items() for name, part in those.items()]
            for by, stratum, part in [(None, None, judge), *parts]:
                rows += [
                    {"judge": judge.judge, "by": by, "stratum": stratum, "metric": name, **value.to_dict()}
                    for name, value in part.metrics.items()
                ]
        return columns_of(rows)

    def summary_line(self) -> str:
        """Return the number of labels, and the first metric of the first judges."""
        people = self.humans
        figures = "; ".join(f"{judge.judge}: {judge.summary_line()}" for judge in self.judges[:3])
        return f"{people.labels:,} {self.kind} labels on {people.units:,} units; {figures}"
