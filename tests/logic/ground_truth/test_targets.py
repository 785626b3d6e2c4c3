"""What to aim at, and which pairs to pick."""

import math

import msgspec
import pytest

from assay.errors import UsageError
from assay.logic.ground_truth.synthetic import synthetic_pairs
from assay.logic.ground_truth.targets import Target, pick, targets


def test_a_target_says_what_it_may_take() -> None:
    # Three levels of three: the root, 3 topics, 9 facts. Root: decide, argue; each topic: gather, argue.
    assert (Target(3, 3).most_nodes, Target(3, 3).most_calls) == (13, 8)
    assert (Target(2, 5).most_nodes, Target(2, 5).most_calls) == (6, 2)
    assert Target(4, 4).most_nodes == 1 + 4 + 16 + 64


def test_a_few_targets_cover_the_bins_of_the_paper() -> None:
    sizes = [target.most_nodes for target in targets(9)]
    assert [sum(low <= size < high for size in sizes) for low, high in ((0, 25), (25, 50), (50, 999))] == [
        3,
        3,
        3,
    ]
    assert targets(20)[9:18] == targets(9)


@pytest.mark.parametrize(
    ("depth", "width", "message"), [(1, 3, "2 to 7"), (8, 3, "2 to 7"), (3, 0, "1 to 12")]
)
def test_impossible_targets(depth, width, message) -> None:
    with pytest.raises(UsageError, match=message):
        Target(depth, width)


def test_the_picked_are_farther_apart_than_the_first() -> None:
    pairs = synthetic_pairs(60)
    failed = msgspec.structs.replace(pairs[0], id="lost", status="failed", graph=None)
    picked = pick([failed, *pairs], 8)
    assert len(picked) == 8
    assert _nearest(picked) > _nearest(pairs[:8])
    assert {_size(pair)[0] for pair in picked} == {_size(pair)[0] for pair in pairs} == {3, 4, 5}
    assert picked == [pair for pair in pairs if pair in picked]
    assert pick(pairs, 8) == picked
    assert pick(pairs, 99) == pairs
    assert pick([failed], 5) == []
    assert pick(pairs, 0) == []


def _size(pair):
    return (pair.graph.metrics.max_depth, pair.graph.metrics.mean_children)


def _nearest(pairs) -> float:
    """Mean over pairs of the distance in depth and width to the most similar other."""
    sizes = [_size(pair) for pair in pairs]
    return sum(
        min(math.dist(a, b) for j, b in enumerate(sizes) if j != i) for i, a in enumerate(sizes)
    ) / len(sizes)
