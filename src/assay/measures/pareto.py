"""What is not beaten in everything at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

Sense = Literal["max", "min"]


def dominates(first: Sequence[float], second: Sequence[float], senses: Sequence[Sense]) -> bool:
    """Whether the first is at least as good in everything and better in something."""
    better = [a - b if sense == "max" else b - a for a, b, sense in zip(first, second, senses, strict=True)]
    return all(gain >= 0 for gain in better) and any(gain > 0 for gain in better)


def pareto_front(points: Sequence[Sequence[float | None]], senses: Sequence[Sense]) -> list[bool]:
    """Which points no other dominates; equal points stay together.

    A point with a missing value cannot be compared: it is not on the front and dominates nothing.

    Args:
        points: What each candidate reaches, one value an objective; None or NaN where it is unknown.
        senses: Whether more or less of each is better.

    Raises:
        ValueError: A point has not as many values as there are objectives, or a sense is neither max nor min.
    """
    for sense in senses:
        if sense not in {"max", "min"}:
            raise ValueError(f"sense {sense!r}; max or min")
    whole: list[tuple[int, tuple[float, ...]]] = []
    for at, point in enumerate(points):
        if len(point) != len(senses):
            raise ValueError(f"point {at + 1} has {len(point)} values for {len(senses)} objectives")
        known = tuple(value for value in point if value is not None and not math.isnan(value))
        if len(known) == len(point):
            whole.append((at, known))
    on = [False] * len(points)
    for at, point in whole:
        on[at] = not any(dominates(other, point, senses) for _, other in whole)
    return on
