"""What a pointwise judge returns for one dimension."""

from __future__ import annotations

import msgspec


class DimensionScore(msgspec.Struct, frozen=True):
    """A score from 0 to 1 and where it comes from: findings by index, and measured features of the text by name."""

    score: float
    findings: tuple[int, ...] = ()
    features: dict[str, float] = {}
