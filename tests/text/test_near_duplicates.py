import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.suites.finresearch.questions import questions
from assay.text.near_duplicates import details, jaccard, shingles, similar_pairs

LITHIUM = "Why did lithium prices fall in 2023?"
PUMPS = "How do heat pumps change the peak load of distribution grids?"
REUSE = "上海的再生水利用为何进展缓慢？"


def likeness(one, other):
    return jaccard(shingles(one), shingles(other))


@given(st.lists(st.frozensets(st.integers(0, 12).map(str)), max_size=12), st.floats(0.05, 1))
def test_pairs_are_those_that_a_full_comparison_finds(sets, least):
    every = {
        (i, j): jaccard(sets[i], sets[j])
        for i, j in itertools.combinations(range(len(sets)), 2)
        if jaccard(sets[i], sets[j]) >= least
    }
    assert {(i, j): index for i, j, index in similar_pairs(sets, least)} == every


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        (LITHIUM, "Why have lithium prices fallen in 2023?", 0.75, 1),
        (LITHIUM, "In 2023, why did the price of lithium fall?", 1, 1),
        (LITHIUM, "Why did lithium prices rise in 2023?", 0.4, 0.75),
        (LITHIUM, "Why did nickel prices fall in 2023?", 0.4, 0.75),
        (PUMPS, "How would widespread heat pumps alter peak loads in distribution grids?", 0.4, 0.75),
        (PUMPS, "What do heat pumps cost over their lifetime?", 0, 0.4),
        (REUSE, "上海再生水的利用为什么进展缓慢？", 0.4, 0.75),
        (REUSE, "北京的再生水利用为何进展缓慢？", 0.4, 0.75),
        (REUSE, "上海的老旧小区改造由谁出资？", 0, 0.4),
    ],
)
def test_likeness(one, other, low, high):
    assert low <= likeness(one, other) <= high


def test_different_questions_stay_below_the_thresholds():
    for texts in ([item.query_en for item in questions()], [item.query_zh for item in questions()]):
        assert list(similar_pairs(list(map(shingles, texts)), 0.3)) == []


def test_texts_without_content_words_equal_themselves_alone():
    assert likeness("What is it?", "What  is IT?") == 1
    assert likeness("What is it?", "Who are they?") == 0


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("Why have prices of lithium fallen in 2023?", True),
        ("Why did lithium prices fall in 2022?", False),
        ("Why did lithium prices in Chile fall in 2023?", False),
        ("Why didn't lithium prices fall in 2023?", False),
    ],
)
def test_details(other, same):
    assert (details(LITHIUM) == details(other)) is same
