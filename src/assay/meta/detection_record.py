"""Records of what a judge sees and what it misses: ``assay.bench-result/1``."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.measures.intervals import Estimate
from assay.meta.robustness import Robustness
from assay.meta.trials import Condition
from assay.models.base import Usage

SCHEMA: Final = "assay.bench-result/1"


class DetectionRate(msgspec.Struct, frozen=True, kw_only=True):
    """An accuracy and what it rests on.

    Attributes:
        value: Share that is right, of those with a verdict; None where there is none.
        low: Lower end of its 95 % interval, or None.
        high: Upper end, or None.
        n: Instances with a verdict.
        instances: All of them.
        ties: Verdicts that are a tie.
        reason: Why something is missing.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    instances: int
    ties: int = 0
    reason: str = ""


class BestOfN(msgspec.Struct, frozen=True, kw_only=True):
    """How often the reference is strictly the best among n candidates: itself and n - 1 failures of its own.

    Attributes:
        n: Candidates.
        accuracy: Over references that have so many failures; for scores and pairs the mean over all sets that can be
            drawn, for rankings over the sets that were shown.
        gap: Less than the accuracy of single pairs, in points from 0 to 1; None where either is missing.
        chance: What choosing blindly gives.
    """

    n: int
    accuracy: Estimate
    gap: float | None
    chance: float


class Localisation(msgspec.Struct, frozen=True, kw_only=True):
    """How well a judge points at the place.

    Attributes:
        by: What it was read from.
        step_exact: Share of process failures whose step the first place named is.
        span_hit: Share of outcome failures whose passage the first place named touches.
        span_overlap: Mean overlap of the two, over those: characters shared over characters in either.
        any_place: Share of all in which one of the places named is the one.
        named: Share of instances in which a place was named at all.
    """

    by: str
    step_exact: Estimate
    span_hit: Estimate
    span_overlap: Estimate
    any_place: Estimate
    named: float | None


class ScoreGaps(msgspec.Struct, frozen=True, kw_only=True):
    """How far apart a judge puts reference and failure: score gaps, or margins of pairs.

    Attributes:
        n: Failures with a gap.
        mean: Its mean, with its interval.
        sd: Standard deviation.
        quantiles: At 5, 25, 50, 75 and 95 %.
        ties: Share of exactly 0.
        wrong: Share below 0.
        histogram: Edges and counts, for a picture.
    """

    n: int
    mean: Estimate
    sd: float | None
    quantiles: tuple[float, ...]
    ties: float | None
    wrong: float | None
    histogram: tuple[tuple[float, float, int], ...]


class OrderEffects(msgspec.Struct, frozen=True, kw_only=True):
    """What the order of showing does, pairwise with both orders.

    Attributes:
        n: Instances with a verdict in both orders.
        consistent: Share with the same winner, or a tie, in both.
        first: Of orders with a winner, the share in which it was what was shown first; one half is fair.
        agreement: Share whose reference wins in both orders (failures).
    """

    n: int
    consistent: Estimate
    first: Estimate
    agreement: Estimate


class EvaluationCost(msgspec.Struct, frozen=True, kw_only=True):
    """What the judging took.

    Attributes:
        usage: Calls, tokens, money.
        tokens_per_instance: Input and output, over all instances.
        cost_per_correct: US dollars by failure detected; None where no price is known or none was detected.
        tokens_per_correct: Input and output tokens by failure detected.
    """

    usage: Usage
    tokens_per_instance: float | None
    cost_per_correct: float | None
    tokens_per_correct: float | None


class Detection(msgspec.Struct, frozen=True, kw_only=True):
    """One judge under one condition.

    Attributes:
        condition: Who, and how.
        n: Failures put to it.
        coverage: Share of all instances it gave a verdict on.
        accuracy: Of failures.
        by_type: The same by type.
        by_category: By level and category.
        by_module: By module.
        by_level: By level.
        by_language: By language.
        best_of_n: By number of candidates.
        localisation: None where it pointed at nothing.
        gaps: None where it gives no numbers.
        orders: None where there was one order.
        robustness: None where no attack was put to it.
        spent: What it took.
        statuses: How many instances ended how.
        noise: Where each was judged several times: share of instances whose verdict is not the same in all.
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
        """``assay.bench-result/1``."""
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
