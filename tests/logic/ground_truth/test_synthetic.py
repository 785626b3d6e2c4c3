"""Pairs from phrases: the same for a seed, of all sizes, well-formed."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.logic.ground_truth.pair import pair_from
from assay.logic.ground_truth.synthetic import LARGEST, SMALLEST, synthetic_pair, synthetic_pairs


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(SMALLEST, LARGEST), st.sampled_from(["en", "zh"]))
def test_any_seed_and_size_gives_a_well_formed_pair(seed, size, language) -> None:
    pair = synthetic_pair(seed, size=size, language=language)
    # Reading checks places, ids, edges, cycles and sizes.
    assert pair_from(msgspec.to_builtins(pair)) == pair
    assert pair.graph is not None
    assert abs(pair.graph.metrics.nodes - size) <= 3
    for node in pair.graph.nodes:
        assert node.span is not None
        assert pair.report[node.span.start : node.span.end] == node.text
        assert node.text[-1] in ".。"
    # No slot and no range is left open.
    assert not re.search(r"[{}<>]|None", pair.report)


def test_the_same_seed_gives_the_same_texts() -> None:
    one, again, other = (synthetic_pairs(6, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert not {pair.report for pair in one} & {pair.report for pair in other}
    assert len({pair.id for pair in (*one, *other)}) == 12


def test_sets_hold_both_languages_and_all_bins_and_shared_evidence() -> None:
    pairs = synthetic_pairs(36)
    sizes = [(pair.language, min(pair.graph.metrics.nodes // 25, 2)) for pair in pairs if pair.graph]
    assert {size: sizes.count(size) for size in set(sizes)} == {
        (language, third): 6 for language in ("en", "zh") for third in range(3)
    }
    assert any(len(pair.graph.edges) > len(pair.graph.nodes) - 1 for pair in pairs if pair.graph)
    assert all(pair.evidence == "planted" for pair in pairs)
    assert all(("made up" if pair.language == "en" else "虚构") in pair.report for pair in pairs)


def test_an_impossible_size_is_refused() -> None:
    with pytest.raises(UsageError, match="4 to 110 nodes, not 3"):
        synthetic_pair(0, size=3)
