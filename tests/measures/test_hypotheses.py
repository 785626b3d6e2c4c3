"""Paired tests against SciPy and statsmodels, corrections against statsmodels, exact intervals against both."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.multitest import multipletests

from assay.measures.hypotheses import discordant, mcnemar, paired_permutation
from assay.measures.paired import holm


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_statsmodels(first, second):
    found = mcnemar(first, second)
    if first == second == 0:
        assert (found.p, found.reason) == (None, "they never differ")
        return
    theirs = their_mcnemar([[0, first], [second, 0]], exact=True).pvalue
    assert found.p == pytest.approx(theirs, abs=1e-12)
    half = stats.binom.pmf(min(first, second), first + second, 0.5)
    assert found.mid_p == pytest.approx(
        (theirs if first != second else 1 + half) - (half if first != second else 1.5 * half), abs=1e-9
    )
    assert 0 <= found.mid_p <= found.p <= 1


def test_mcnemar_by_hand():
    # 1 of 6: 2 · (1 + 6) / 64; mid-p less 6 / 64.
    found = mcnemar(1, 5)
    assert (found.p, found.mid_p) == pytest.approx((14 / 64, 8 / 64))
    assert mcnemar(5, 1).p == found.p
    assert mcnemar(400_000, 400_900).p == pytest.approx(0.3150, abs=1e-3)
    with pytest.raises(ValueError):
        mcnemar(-1, 2)


def test_discordant_items_are_counted():
    assert discordant([1, 1, 0, 0, 1], [1, 0, 1, 0, 0]) == (2, 1)
    with pytest.raises(ValueError):
        discordant([1], [1, 0])


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=9))
def test_all_swaps_are_scipys(differences):
    apart = np.array(differences, dtype=float)
    found = paired_permutation(apart, np.zeros(len(apart)))
    if not apart.any():
        assert found.reason == "they never differ"
        return
    theirs = stats.permutation_test(
        (apart, np.zeros(len(apart))),
        lambda a, b: abs(np.mean(a - b)),
        permutation_type="samples",
        alternative="greater",
        vectorized=False,
        n_resamples=np.inf,
    )
    assert found.p == pytest.approx(theirs.pvalue)
    assert found.method == "exact"


def test_groups_are_swapped_whole():
    apart = np.repeat([1.0, 1.0, -1.0, 1.0], 10)
    free = paired_permutation(apart, np.zeros(40))
    grouped = paired_permutation(apart, np.zeros(40), np.repeat(np.arange(4), 10))
    # Of the 16 ways, ±4 and ±2 are as large as the 2 seen: 2 + 8.
    assert grouped.p == pytest.approx(10 / 16)
    assert free.p < 0.01
    assert grouped.groups == 4
    assert grouped.difference == free.difference == 0.5
    # A group whose differences cancel takes no part.
    assert paired_permutation([1, 0, 3], [0, 1, 1], ["a", "a", "b"]).groups == 1


@pytest.mark.parametrize("steps", [True, False])
def test_drawn_swaps_come_near_the_normal_limit(steps):
    random = np.random.default_rng(0)
    apart = random.integers(-2, 4, 200).astype(float) if steps else random.normal(0.15, 1, 200)
    found = paired_permutation(apart, np.zeros(200), draws=20_000)
    z = abs(apart.sum()) / np.sqrt((apart**2).sum())
    assert found.p == pytest.approx(2 * stats.norm.sf(z), abs=0.008)
    assert (found.method, found.draws) == ("drawn", 20_000)
    assert found == paired_permutation(apart, np.zeros(200), draws=20_000)


def test_very_many_groups_take_the_limit(monkeypatch):
    apart = np.random.default_rng(0).normal(0.02, 1, 5000)
    drawn = paired_permutation(apart, np.zeros(5000), draws=4000)
    monkeypatch.setattr("assay.measures.hypotheses._TOSSES", 100)
    limit = paired_permutation(apart, np.zeros(5000))
    assert limit.method == "normal"
    assert limit.p == pytest.approx(drawn.p, abs=0.03)


def test_no_difference_is_found_in_one_of_twenty_where_there_is_none():
    random = np.random.default_rng(1)
    # Effects of groups that are symmetric about nothing: only swapping whole groups keeps the level.
    found = [
        paired_permutation(
            np.repeat(random.normal(size=15), 8),
            np.zeros(120),
            np.repeat(np.arange(15), 8),
            draws=400,
            seed=at,
        ).p
        for at in range(300)
    ]
    assert 3 <= sum(p <= 0.05 for p in found) <= 29


@pytest.mark.parametrize(
    "call",
    [
        lambda: paired_permutation([1], [1, 2]),
        lambda: paired_permutation([1], [float("nan")]),
        lambda: paired_permutation([1], [1], ["a", "b"]),
        lambda: paired_permutation([1], [1], draws=0),
    ],
)
def test_what_cannot_be_swapped_is_refused(call):
    with pytest.raises(ValueError):
        call()


def test_no_items_is_a_reason():
    assert paired_permutation([], []).reason == "no items"


@pytest.mark.parametrize("ps", [[0.01, 0.04, 0.03, 0.005], [0.2, 0.2, 0.01], [0.05], [1.0, 0.0, 0.5, 0.5]])
def test_corrections_are_statsmodels(ps):
    assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]))


@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0, 2.0]), st.integers(0, 7)), min_size=1, max_size=30))
def test_no_p_value_is_below_the_least(rows):
    found = paired_permutation([x for x, _ in rows], [0.0] * len(rows), [g for _, g in rows])
    if found.p is None:
        assert found.least is None
    else:
        assert found.p >= found.least - 1e-12
        if len({g for _, g in rows}) == found.groups and all(x > 0 for x, _ in rows):
            assert found.p == pytest.approx(found.least)  # all differ the same way
