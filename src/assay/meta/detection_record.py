"""The record ``assay.bench-result/1``: which failures a judge detects under one condition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Self

import msgspec

from assay.errors import InputError
from assay.frozen import FrozenFields
from assay.measures.intervals import Estimate
from assay.meta.robustness import Robustness
from assay.meta.trials import Condition
from assay.models.base import Usage
from assay.record import Record

SCHEMA: Final = "assay.bench-result/1"


class DetectionRate(Estimate, frozen=True, kw_only=True):
    """A detection accuracy: the share of correct verdicts among the ``n`` instances with a verdict.

    Attributes:
        instances: Number of instances.
        ties: Number of ties among the verdicts.
    """

    instances: int = 0
    ties: int = 0


class BestOfN(msgspec.Struct, frozen=True, kw_only=True):
    """Share of cases in which the reference is strictly the best of n candidates: itself and n - 1 of its failures.

    Attributes:
        n: Number of candidates.
        accuracy: Accuracy over references with enough failures: for scores and pairs the mean over all possible sets,
            for rankings over the sets that were shown.
        gap: Accuracy minus that of single pairs, from -1 to 1; None if either is missing.
        chance: Accuracy of a random choice.
    """

    n: int
    accuracy: Estimate
    gap: float | None
    chance: float


class Localisation(msgspec.Struct, frozen=True, kw_only=True):
    """Accuracy with which a judge locates failures.

    Attributes:
        by: Source of the named places.
        step_exact: Share of process failures whose step was named first.
        span_hit: Share of outcome failures whose passage overlaps the first named one.
        span_overlap: Mean overlap of the two passages: shared characters over characters in either.
        any_place: Share of failures for which any named place is correct.
        real_fault: Share of failures for which the first named place is the planted one, or a fault that the work has of its
            own and that a second look confirms.
        named: Share of failures for which a place was named.
    """

    by: str
    step_exact: Estimate
    span_hit: Estimate
    span_overlap: Estimate
    any_place: Estimate
    real_fault: Estimate = Estimate()
    named: float | None = None


class ScoreGaps(msgspec.Struct, frozen=True, kw_only=True):
    """Distribution of score gaps (or margins of pairs) between reference and failure.

    Attributes:
        n: Number of failures with a gap.
        mean: Mean gap.
        sd: Standard deviation.
        quantiles: Quantiles at 5, 25, 50, 75 and 95 %.
        ties: Share of gaps of exactly 0.
        wrong: Share of gaps below 0.
        histogram: Bins as lower edge, upper edge, count.
    """

    n: int
    mean: Estimate
    sd: float | None
    quantiles: tuple[float, ...]
    ties: float | None
    wrong: float | None
    histogram: tuple[tuple[float, float, int], ...]


class OrderEffects(msgspec.Struct, frozen=True, kw_only=True):
    """Effect of the order in which a pair is shown.

    Attributes:
        n: Number of instances with a verdict in both orders.
        consistent: Share of instances with the same verdict in both orders.
        first: Share of verdicts with a winner that prefer the subject shown first; 0.5 is unbiased.
        agreement: Share of failures whose reference wins in both orders.
    """

    n: int
    consistent: Estimate
    first: Estimate
    agreement: Estimate


class EvaluationCost(msgspec.Struct, frozen=True, kw_only=True):
    """Usage of an evaluation.

    Attributes:
        usage: Calls, tokens and cost.
        tokens_per_instance: Input and output tokens for each instance.
        cost_per_correct: US dollars for each detected failure; None without a known price or a detected failure.
        tokens_per_correct: Input and output tokens for each detected failure.
    """

    usage: Usage
    tokens_per_instance: float | None
    cost_per_correct: float | None
    tokens_per_correct: float | None


class Detection(Record, FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """Results of one judge under one condition.

    Attributes:
        condition: Judge and condition.
        n: Number of failures.
        coverage: Share of instances with a verdict.
        accuracy: Detection accuracy.
        by_type: Detection accuracy by type.
        by_category: Detection accuracy by module and category.
        by_module: Detection accuracy by module.
        by_level: Detection accuracy by level.
        by_language: Detection accuracy by language.
        best_of_n: Best-of-N accuracy by number of candidates.
        localisation: Localisation; None if the judge named no place.
        gaps: Score gaps; None without numbers.
        orders: Effect of order; None if only one order was shown.
        robustness: Results on attacks; None without attacks.
        spent: Usage.
        statuses: Number of instances by status.
        noise: Share of instances whose repetitions disagree; None without repetitions.
    """

    condition: Condition
    n: int
    coverage: float | None
    accuracy: DetectionRate
    by_type: dict[str, DetectionRate]
    by_category: dict[str, DetectionRate]
    by_module: dict[str, DetectionRate]
    by_level: dict[str, DetectionRate]
    by_language: dict[str, DetectionRate]
    best_of_n: tuple[BestOfN, ...]
    localisation: Localisation | None
    gaps: ScoreGaps | None
    orders: OrderEffects | None
    robustness: Robustness | None
    spent: EvaluationCost
    statuses: dict[str, int]
    noise: Estimate | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return ``assay.bench-result/1`` as plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        condition = data.pop("condition")
        spent = data.pop("spent")
        return {
            "schema": SCHEMA,
            "judge": condition["judge"],
            "condition": condition,
            **data,
            "best_of_n": {str(item["n"]): item for item in data["best_of_n"]},
            "usage": {**spent.pop("usage"), **spent},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the results that `to_dict` wrote.

        Raises:
            InputError: The data are something else.
        """
        best, usage = data.get("best_of_n"), data.get("usage")
        if not isinstance(best, dict) or not isinstance(usage, dict):
            raise InputError(f"not {SCHEMA}: best_of_n and usage are missing")
        return super().from_dict({**data, "best_of_n": [*best.values()], "spent": {**usage, "usage": usage}})

    def summary_line(self) -> str:
        """Return condition and accuracy."""
        rate = self.accuracy
        ends = (
            "" if rate.low is None or rate.high is None else f" [{100 * rate.low:.0f}, {100 * rate.high:.0f}]"
        )
        share = (
            "no verdict"
            if rate.value is None
            else f"{100 * rate.value:.0f} %{ends} of {rate.n} failures detected"
        )
        return f"{self.condition.name}: {share}"
