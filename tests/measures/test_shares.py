"""Failure shares: both ways of averaging, by hand and as properties."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.shares import failure_shares

ROWS = st.lists(st.tuples(st.integers(0, 6), st.sampled_from("abc"), st.booleans()), max_size=60)


def test_the_two_variants_by_hand():
    rows = [
        # task 1: a fails twice, b once, c occurs and does not fail
        (1, "a", True),
        (1, "a", True),
        (1, "b", True),
        (1, "c", False),
        # task 2: a occurs and does not fail, b fails
        (2, "a", False),
        (2, "b", True),
        # task 3: nothing fails
        (3, "a", False),
        (3, "c", False),
    ]
    found = failure_shares(rows)
    # a: 2/3 of the failures of task 1, none of task 2; task 3 has none to share
    assert found["a"].occurring.value == pytest.approx((2 / 3 + 0) / 2)
    assert found["a"].failing.value == pytest.approx(2 / 3)
    assert (found["a"].tasks, found["a"].unfailed, found["a"].failures, found["a"].items) == (3, 1, 2, 4)
    assert found["b"].occurring.value == found["b"].failing.value == pytest.approx((1 / 3 + 1) / 2)
    assert found["c"].occurring.value == 0
    assert found["c"].failing.value is None
    assert [found[key].pooled for key in "abc"] == [0.5, 0.5, 0.0]


@given(ROWS)
@settings(max_examples=80, deadline=None)
def test_the_published_code_never_gives_less_and_pooled_shares_are_whole(rows):
    found = failure_shares(rows)
    for share in found.values():
        assert share.tasks >= share.unfailed
        if share.failing.value is not None:
            assert 0 < share.occurring.value <= share.failing.value + 1e-12
    pooled = [share.pooled for share in found.values()]
    if any(fails for _, _, fails in rows):
        assert sum(pooled) == pytest.approx(1)
    else:
        assert all(one is None for one in pooled)


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_where_every_category_occurs_the_papers_shares_sum_to_one(tasks):
    rows = [
        (at, name, fails) for at, three in enumerate(tasks) for name, fails in zip("abc", three, strict=True)
    ]
    found = failure_shares(rows)
    if any(any(three) for three in tasks):
        assert sum(share.occurring.value for share in found.values()) == pytest.approx(1)


def test_tasks_that_belong_together_make_one_group():
    rows = [(task, name, (task + at) % 3 == 0) for task in range(8) for at, name in enumerate("ab")]
    alone = failure_shares(rows)["a"].occurring
    paired = failure_shares(rows, {task: task // 2 for task in range(8)})["a"].occurring
    assert alone.value == paired.value
    assert paired.clusters < alone.clusters
