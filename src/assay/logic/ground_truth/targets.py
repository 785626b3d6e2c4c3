"""Targets for sets of pairs of different depth and width, and the selection of pairs that differ in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.errors import UsageError
from assay.logic.ground_truth.composer import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.graph import Metrics
    from assay.logic.ground_truth.pair import GroundTruthPair

MOST_CHILDREN: Final = 12


class Target(msgspec.Struct, frozen=True):
    """The size that a pair may grow to.

    Attributes:
        depth: Most levels, including the root and the evidence.
        width: Most sub-topics of a topic, and most pieces of evidence.

    Raises:
        UsageError: No such tree can be written.
    """

    depth: int
    width: int

    def __post_init__(self) -> None:
        """Check the bounds."""
        if not 2 <= self.depth <= DEEPEST:
            raise UsageError(
                f"a depth is 2 to {DEEPEST}, the root and the evidence included; not {self.depth}"
            )
        if not 1 <= self.width <= MOST_CHILDREN:
            raise UsageError(f"a width is 1 to {MOST_CHILDREN}, not {self.width}")

    @property
    def most_nodes(self) -> int:
        """Return the nodes if every topic is split as far as possible: 1 + w + … + w^(depth - 1) for a width of w."""
        return sum(int(self.width**level) for level in range(self.depth))

    @property
    def most_calls(self) -> int:
        """Return the calls that this takes without retries: splitting, gathering and writing."""
        inner = sum(int(self.width**level) for level in range(self.depth - 2))
        return 2 * inner + 2 * int(self.width ** (self.depth - 2))


# Small, medium and large in turn, by the paper's bins, so that even the first few of a set differ.
_CYCLE: Final = ((3, 3), (4, 3), (4, 4), (3, 4), (3, 5), (5, 3), (2, 5), (3, 6), (4, 5))


def targets(count: int) -> list[Target]:
    """Return targets for a number of pairs: the sizes of `_CYCLE` in turn, with at most 6 to 156 nodes."""
    return [Target(*_CYCLE[number % len(_CYCLE)]) for number in range(count)]


def pick(pairs: Sequence[GroundTruthPair], n: int) -> list[GroundTruthPair]:
    """Return at most ``n`` pairs that are as different in depth and width as can be (FinResearchBench, section 4.3.3).

    The paper says that rules picked 100 pairs of different depth and width, but not which rules. Here each step
    takes the pair that is farthest from all taken before in (most depth, mean children, nodes), each measured in
    ranks; the first is the middle one. Failed pairs are never picked. The order of the set is kept.
    """
    able = [pair for pair in pairs if pair.graph is not None and pair.status == "ok"]
    if len(able) <= n:
        return able
    if n < 1:
        return []
    sizes = [pair.graph.metrics for pair in able if pair.graph is not None]
    places = list(
        zip(
            *(_ranks([_size(one, key) for one in sizes]) for key in ("max_depth", "mean_children", "nodes")),
            strict=True,
        )
    )
    first = min(range(len(able)), key=lambda i: (sum(abs(x - 0.5) for x in places[i]), i))
    chosen = {first}
    far = [_distance(place, places[first]) for place in places]
    while len(chosen) < n:
        at = max((i for i in range(len(able)) if i not in chosen), key=lambda i: (far[i], -i))
        chosen.add(at)
        far = [min(old, _distance(place, places[at])) for old, place in zip(far, places, strict=True)]
    return [pair for i, pair in enumerate(able) if i in chosen]


def _size(sizes: Metrics, key: str) -> float:
    return float(getattr(sizes, key))


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value among the distinct values, scaled to 0 to 1."""
    order = {value: i for i, value in enumerate(sorted(set(values)))}
    last = max(len(order) - 1, 1)
    return [order[value] / last for value in values]


def _distance(left: tuple[float, ...], right: tuple[float, ...]) -> float:
    return sum((a - b) ** 2 for a, b in zip(left, right, strict=True))
