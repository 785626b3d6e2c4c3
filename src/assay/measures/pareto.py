"""Pareto fronts: the points that no other point dominates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

Sense = Literal["max", "min"]


def dominates(first: Sequence[float], second: Sequence[float], senses: Sequence[Sense]) -> bool:
    """Return whether the first is at least as good in every objective and better in one."""
    better = [a - b if sense == "max" else b - a for a, b, sense in zip(first, second, senses, strict=True)]
    return all(gain >= 0 for gain in better) and any(gain > 0 for gain in better)


def pareto_front(points: Sequence[Sequence[float | None]], senses: Sequence[Sense]) -> list[bool]:
    """Return for each point whether no other dominates it; equal points are treated alike.

    A point with a missing value is not on the front and dominates no other.

    Args:
        points: One value for each objective; None or NaN if unknown.
        senses: Whether each objective is maximised or minimised.

    Raises:
        ValueError: A point has another number of values than there are objectives, or a sense is unknown.
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
