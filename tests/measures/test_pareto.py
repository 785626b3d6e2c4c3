"""What is not beaten in everything at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.measures.pareto import dominates, pareto_front


def test_a_front_by_hand():
    # Agreement, stability, cost.
    points = [(0.8, 0.9, 10), (0.7, 0.95, 5), (0.7, 0.9, 10), (0.8, 0.9, 10), (0.9, 0.5, 1), (0.6, 0.4, 1)]
    assert pareto_front(points, ("max", "max", "min")) == [True, True, False, True, True, False]


def test_what_is_not_known_is_not_on_it():
    points = [(None, 1.0), (0.5, 0.5), (float("nan"), 2.0)]
    assert pareto_front(points, ("max", "max")) == [False, True, False]
    assert pareto_front([], ("max",)) == []


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="point 2"):
        pareto_front([(1, 2), (1,)], ("max", "min"))
    with pytest.raises(ValueError, match="max or min"):
        pareto_front([(1,)], ("most",))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_every_point_is_on_it_or_beaten_by_one_that_is(points):
    senses = ("max", "min")
    on = pareto_front(points, senses)
    front = [point for point, there in zip(points, on, strict=True) if there]
    assert bool(front) == bool(points)
    for point, there in zip(points, on, strict=True):
        assert there != any(dominates(other, point, senses) for other in front)
