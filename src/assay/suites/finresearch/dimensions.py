"""The ten dimensions of FinResearchBench, their weights, and the final score (section 4.2, tables 1 and 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

from assay.errors import UsageError
from assay.suggest import did_you_mean

DimensionKey = Literal[
    "visual_linguistic_synergy",
    "articulation_professionalism",
    "articulation_coherence",
    "analysis_framework_quality",
    "analysis_width",
    "analysis_depth",
    "information_density",
    "logic_consistency",
    "viewpoint_clarity",
    "paragraph_richness",
]
DIMENSION_KEYS: Final[tuple[DimensionKey, ...]] = get_args(DimensionKey)


class FinResearchDimension(msgspec.Struct, frozen=True):
    """One dimension, 0 to 100.

    Attributes:
        key: Key in results.
        title: Name in the paper.
        short: Heading of a narrow column.
        by_rule: Whether the dimension is computed rather than rated.
        weight: Default share of the final score.
    """

    key: DimensionKey
    title: str
    short: str
    by_rule: bool = False
    weight: float = 0.1


# In the order of the paper's tables.
DIMENSIONS: Final[tuple[FinResearchDimension, ...]] = (
    FinResearchDimension("visual_linguistic_synergy", "Visual-linguistic synergy", "vis"),
    FinResearchDimension("articulation_professionalism", "Articulation professionalism", "prof"),
    FinResearchDimension("articulation_coherence", "Articulation coherence", "coh"),
    FinResearchDimension("analysis_framework_quality", "Analysis framework quality", "fram"),
    FinResearchDimension("analysis_width", "Analysis width", "wide", by_rule=True),
    FinResearchDimension("analysis_depth", "Analysis depth", "deep", by_rule=True),
    FinResearchDimension("information_density", "Information density", "dens", by_rule=True),
    FinResearchDimension("logic_consistency", "Logic consistency", "log"),
    FinResearchDimension("viewpoint_clarity", "Viewpoint clarity", "view"),
    FinResearchDimension("paragraph_richness", "Paragraph richness", "rich", by_rule=True),
)
RULE_DERIVED: Final[tuple[DimensionKey, ...]] = tuple(item.key for item in DIMENSIONS if item.by_rule)
WEIGHTS: Final[Mapping[str, float]] = {item.key: item.weight for item in DIMENSIONS}


def final_score(scores: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float | None:
    """Return the weighted mean of the ten dimensions, or None unless all ten have scores.

    Args:
        scores: Scores by dimension, 0 to 100; other keys are ignored.
        weights: Weights of some or all dimensions, which need not sum to one; the default is the paper's, 0.1 each.

    Raises:
        UsageError: A weight has an unknown dimension or is not a number of 0 or more, or all weights are 0.
    """
    shares = check_weights(weights or {})
    if any(key not in scores for key in DIMENSION_KEYS):
        return None
    return sum(shares[key] * scores[key] for key in DIMENSION_KEYS)


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Return all ten weights, scaled to sum to one, with the paper's for missing ones; raises as `final_score`."""
    for key, weight in weights.items():
        if key not in WEIGHTS:
            raise UsageError(
                f"FinResearchBench has no dimension {key!r}; {did_you_mean(key, DIMENSION_KEYS)}"
            )
        number: object = weight  # a settings file may hold anything
        real = isinstance(number, int | float) and not isinstance(number, bool)
        if not real or not math.isfinite(weight) or weight < 0:
            raise UsageError(f"the weight of {key} is {weight!r}; it must be a number of 0 or more")
    merged = {**WEIGHTS, **weights}
    total = math.fsum(merged.values())
    if total <= 0:
        raise UsageError("all weights are 0; at least one dimension must count")
    return {key: merged[key] / total for key in DIMENSION_KEYS}
