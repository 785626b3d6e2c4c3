"""Who labels which item, in which order, and which side is shown first: seeded, balanced, and different for each rater."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


class Assigned(msgspec.Struct, frozen=True):
    """One item of one rater.

    Attributes:
        item: Number of the item.
        swapped: Whether the second text is shown first.
    """

    item: int
    swapped: bool


def assign(
    raters: Sequence[str],
    items: Sequence[int],
    *,
    overlap: int | None = None,
    seed: int = 0,
    taken: Mapping[int, int] | None = None,
    first: Collection[int] = (),
    everyone: Collection[int] = (),
) -> dict[str, list[Assigned]]:
    """Return the items of each rater in their order.

    Each item goes to ``overlap`` raters, so that their loads differ by at most one item; None gives every item to
    every rater. Half of the items of a rater are shown with their sides exchanged.

    Args:
        raters: Names of the raters.
        items: Numbers of the items.
        overlap: Raters of each item.
        seed: The same seed gives the same assignment.
        taken: Number of raters that an item has already.
        first: Items with which every rater begins.
        everyone: Items that every rater gets, whatever the overlap.
    """
    rng = random.Random(f"items {seed}")  # noqa: S311 - a shuffle that can be made again
    shuffled = list(items)
    rng.shuffle(shuffled)
    own: dict[str, list[int]] = {rater: [] for rater in raters}
    for item in shuffled:
        wanted = (
            len(raters)
            if overlap is None or item in everyone
            else max(0, min(len(raters), overlap - (taken or {}).get(item, 0)))
        )
        order = sorted(raters, key=lambda rater: (len(own[rater]), rng.random()))
        for rater in order[:wanted]:
            own[rater].append(item)
    return {rater: _ordered(rater, given, seed, first) for rater, given in own.items()}


def _ordered(rater: str, items: list[int], seed: int, first: Collection[int]) -> list[Assigned]:
    rng = random.Random(f"rater {seed} {rater}")  # noqa: S311 - a shuffle that can be made again
    given = list(items)
    rng.shuffle(given)
    given.sort(key=lambda item: item not in first)
    sides = [at % 2 == 1 for at in range(len(given))]
    rng.shuffle(sides)
    return [Assigned(item, swapped) for item, swapped in zip(given, sides, strict=True)]
