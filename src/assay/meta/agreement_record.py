"""The record ``assay.agreement/1``: agreement of judges with people, every value with its interval and its n."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.measures.calibration import Calibration, Needed
from assay.measures.intervals import Estimate
from assay.meta.agreement_tests import JudgeComparison
from assay.meta.human_agreement import HumanAgreement
from assay.meta.labels.record import Kind
from assay.meta.scales import ScaleMatch

SCHEMA: Final = "assay.agreement/1"


class Stratum(msgspec.Struct, frozen=True, kw_only=True):
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
        trials: Largest number of repetitions of a unit.
        tokens: Input and output tokens.
        cost: Cost in US dollars; None if unknown.
        scale: Whether the scores of judge and labels are on one scale, and on which.
        pointwise: Whether preferences were derived from the scores of both sides.
        as_rater: Metrics of every single judgment against every single rating, over units with at least two ratings.
            Comparable with the pairwise agreement of people, because neither repetitions nor raters are averaged.
    """

    judge: str
    by: dict[str, dict[str, Stratum]] = {}
    classes: list[str] = []
    units: int = 0
    unjudged: int = 0
    strange: int = 0
    statuses: dict[str, int] = {}
    undecided: int = 0
    trials: int = 1
    tokens: int = 0
    cost: float | None = None
    scale: ScaleMatch | None = None
    pointwise: bool = False
    as_rater: dict[str, Estimate] = {}


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
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
    judges: list[JudgeAgreement]
    humans: HumanAgreement
    tests: list[JudgeComparison] = []
    notes: list[str] = []
    calibration: dict[str, Calibration] = {}
    constant_mad: float | None = None
    needed: dict[str, dict[str, Needed]] = {}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; ``n``, ``coverage``, ``metrics`` and ``by`` at the top are those of the first judge."""
        rows: list[dict[str, Any]] = msgspec.to_builtins(self.judges)
        first = rows[0]
        return {
            "schema": SCHEMA,
            "kind": self.kind,
            **{
                key: first[key] for key in ("judge", "n", "coverage", "metrics", "by", "classes", "confusion")
            },
            "judges": rows,
            "humans": msgspec.to_builtins(self.humans),
            "tests": msgspec.to_builtins(self.tests),
            "notes": self.notes,
            **({"calibration": msgspec.to_builtins(self.calibration)} if self.calibration else {}),
            **({} if self.constant_mad is None else {"constant_mad": self.constant_mad}),
            **({"labels_needed": msgspec.to_builtins(self.needed)} if self.needed else {}),
        }
