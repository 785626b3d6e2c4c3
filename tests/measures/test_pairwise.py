from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.intervals import mean_interval, wilson_interval
from assay.measures.pairwise import clustered_shares, letters, rank_chances, strength_gaps


def test_shares_are_means_clustered_by_task():
    """The same interval as of the comparisons written out one by one."""
    won, many = np.array([3, 0, 2, 1]), np.array([4, 2, 2, 3])
    (found,) = clustered_shares(won, many, np.zeros(4, int), 1)
    values, tasks = [], []
    for task, (hits, of) in enumerate(zip(won, many, strict=True)):
        values += [1.0] * hits + [0.0] * (of - hits)
        tasks += [task] * of
    expected = mean_interval(values, tasks, bounds=(0, 1))
    assert (found.value, found.low, found.high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )
    assert (found.n, found.clusters) == (11, 4)


def test_shares_without_spread():
    won = np.array([2, 2, 1, 1, 1, 1, 0])
    many = np.array([2, 2, 2, 2, 2, 2, 0])
    cells = np.array([0, 0, 1, 2, 2, 2, 3])
    whole, single, even, nothing = clustered_shares(won, many, cells, 4)
    # All won: as many trials as tasks, since comparisons of one task are not independent.
    assert whole.low == wilson_interval(2, 2).low
    assert whole.high == 1
    assert (single.value, single.low, single.reason) == (0.5, None, "one cluster has no spread")
    assert (even.value, even.low, even.reason) == (0.5, None, "the same in every task")
    assert (nothing.value, nothing.n) == (None, 0)


def test_rank_chances():
    draws = np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [1.0, 1.0, 0.0], [3.0, 2.0, 1.0]])
    found = rank_chances(draws)
    assert found[0].tolist() == [1.0, 0.0, 0.0]
    assert found[1].tolist() == [0.25, 0.5, 0.25]
    assert found[2].tolist() == [0.0, 0.25, 0.75]


def test_gaps_are_tested_and_corrected():
    random = np.random.default_rng(2)
    strengths = np.array([0.0, 1.0, 1.1])
    draws = strengths + random.normal(0, 0.1, (2000, 3))
    found = {(gap.first, gap.second): gap for gap in strength_gaps(strengths, draws, freedom=50)}
    assert set(found) == {(2, 1), (2, 0), (1, 0)}
    assert found[2, 0].apart
    assert found[1, 0].apart
    assert not found[2, 1].apart
    assert found[2, 1].error == pytest.approx(0.1 * 2**0.5, rel=0.1)
    assert all(gap.adjusted >= gap.p for gap in found.values())
    assert all(gap.p is None and not gap.apart for gap in strength_gaps(strengths, None, freedom=50))


def test_letters_of_a_worked_example():
    # 0 beats 2 and 3, 1 beats 3: 0 and 1 share, 1 and 2 share, 2 and 3 share.
    assert letters([0, 1, 2, 3], {(0, 2), (0, 3), (1, 3)}) == {0: "a", 1: "ab", 2: "bc", 3: "c"}
    assert letters([2, 0, 1], set()) == {2: "a", 0: "a", 1: "a"}


@settings(max_examples=120, deadline=None)
@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.randoms())))
def test_letters_say_exactly_who_differs(case):
    order, random = case
    apart = {pair for pair in combinations(order, 2) if random.random() < 0.4}
    found = letters(order, apart)
    for one, two in combinations(order, 2):
        shared = bool(set(found[one]) & set(found[two]))
        assert shared == ((one, two) not in apart)
    assert found[order[0]].startswith("a")
