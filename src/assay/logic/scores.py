"""The four rule-derived scores of FinResearchBench (section 3.1.4, equations 1–4)."""

from __future__ import annotations

import msgspec

__all__ = ["RuleScores"]


class RuleScores(msgspec.Struct, frozen=True):
    """Scores from 0 to 100."""

    analysis_width: float
    analysis_depth: float
    information_density: float
    paragraph_richness: float
