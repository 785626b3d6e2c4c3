"""The record ``assay.agreement/1``: judges beside people, each number with its interval and what it rests on."""

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
        n: Verdicts compared with a truth.
        coverage: Share of judgments, of units with a truth, that have a verdict; None where there are none.
        metrics: By name.
        confusion: Counts, the truth by rows; over ``classes`` of the judge.
    """

    n: int
    coverage: float | None
    metrics: dict[str, Estimate]
    confusion: list[list[int]] = []


class JudgeAgreement(Stratum, frozen=True, kw_only=True):
    """A judge on all units, and by stratum.

    Attributes:
        judge: Who.
        by: Results by stratum: ``{"domain": {"finance": …}}``.
        classes: What rows and columns of ``confusion`` are.
        units: Labelled units it judged.
        unjudged: Labelled units it did not.
        strange: Its judgments of what nobody labelled.
        statuses: Its judgments of units, trial by trial, by outcome.
        undecided: Units whose trials come to nothing together.
        trials: The most trials of a unit.
        tokens: Of its judgments, in and out.
        cost: In US dollars; None where unknown.
        scale: For scores: whether judge and labels are on one scale, and which.
        pointwise: Whether its preferences were made of scores of each of the two.
        as_rater: Each single judgment beside each single rating of the same unit: what compares with how people agree in
            pairs, since neither trials nor raters are averaged. Of units with two ratings or more.
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
    """Judges beside people, and beside each other.

    Attributes:
        kind: Of the labels.
        judges: In the order of the judgments.
        humans: Who labelled, and how far they agree.
        tests: Differences between judges, over the units both judged.
        notes: What a reader should know before believing the rest.
        calibration: By judge: what a map from its scores to labels buys, where that was asked.
        constant_mad: Mean absolute difference of the labels from their own median: what a map reaches that says the same of
            everything, and so what one must beat.
        needed: By judge and metric: how many labels a wanted interval takes, where that was asked.
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
        """The contract as plain data. ``n``, ``coverage``, ``metrics`` and ``by`` are those of the first judge."""
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
