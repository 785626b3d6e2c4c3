from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.generation.query_sets import (
    RELATED,
    SAME,
    SplitQuery,
    near_duplicates,
    split_queries,
)
from assay.suites.finresearch.questions import questions
from assay.text.near_duplicates import jaccard, shingles

LITHIUM = "Why did lithium prices fall in 2023?"
AGAIN = "In 2023, why did the price of lithium fall?"
FINANCE = [item.query_en for item in questions()]
WORDS = ("water", "steel", "school", "harbour", "battery", "prices", "Norway", "2020", "grid", "falls")


class TestNearDuplicates:
    def test_the_first_of_several_stays(self):
        (found,) = near_duplicates([LITHIUM, "How do harbours pay for dredging?", AGAIN])
        assert (found.index, found.of) == (2, LITHIUM)
        assert found.similarity >= SAME

    def test_numbers_and_names_make_another_question(self):
        texts = [LITHIUM, LITHIUM.replace("2023", "2022"), LITHIUM.replace("prices", "prices in Chile")]
        assert near_duplicates(texts, least=0.5) == []

    def test_what_a_test_set_holds_is_left_out(self):
        (found,) = near_duplicates([AGAIN], against=[LITHIUM])
        assert (found.index, found.of) == (0, LITHIUM)

    def test_what_only_repeats_something_left_out_stays(self):
        """c is like b, b is like a, c is not like a: with b gone, c repeats nothing."""
        a = "Which materials do harbour cranes need against salt, storms, ice and vandalism?"
        b = "Which materials do harbour cranes need against salt and storms?"
        c = "Which materials do harbour cranes need against salt?"
        least = 0.7
        sets = [shingles(text) for text in (a, b, c)]
        assert jaccard(sets[0], sets[1]) >= least <= jaccard(sets[1], sets[2])
        assert jaccard(sets[0], sets[2]) < least
        assert [item.index for item in near_duplicates([a, b, c], least=least)] == [1]


class TestSplit:
    def test_sizes(self):
        parts = split_queries([SplitQuery(text) for text in FINANCE])
        assert Counter(parts) == {"train": 56, "dev": 7, "test": 7}

    def test_the_seed_decides_and_the_order_does_not(self):
        queries = [SplitQuery(text) for text in FINANCE]
        one, other = split_queries(queries), split_queries(queries[::-1])
        assert one == other[::-1]
        assert one != split_queries(queries, seed=1)

    def test_a_part_may_be_empty_on_purpose(self):
        parts = split_queries([SplitQuery(text) for text in FINANCE], shares=(50, 0, 50))
        assert Counter(parts) == {"train": 35, "test": 35}

    @pytest.mark.parametrize("seed", range(5))
    def test_variants_are_for_training_and_stay_with_their_origin(self, seed):
        queries = [SplitQuery(text) for text in FINANCE]
        variants = [SplitQuery(item.query_zh, item.query_en) for item in questions()]
        parts = split_queries([*queries, *variants], seed=seed)
        assert Counter(parts[: len(FINANCE)])["test"] >= 1
        assert set(parts[len(FINANCE) :]) <= {"train", None}
        originals = dict(zip(FINANCE, parts, strict=False))
        for variant, part in zip(variants, parts[len(FINANCE) :], strict=True):
            assert part == ("train" if originals[variant.origin] == "train" else None)

    @settings(max_examples=60)
    @given(
        st.lists(st.lists(st.sampled_from(WORDS), min_size=2, max_size=4).map(" ".join), max_size=24),
        st.integers(0, 5),
    )
    def test_no_related_questions_on_two_sides(self, texts, seed):
        parts = split_queries([SplitQuery(text) for text in texts], shares=(2, 1, 1), seed=seed)
        assert None not in parts
        for (one, a), (other, b) in combinations(zip(texts, parts, strict=True), 2):
            if jaccard(shingles(one), shingles(other)) >= RELATED:
                assert a == b
