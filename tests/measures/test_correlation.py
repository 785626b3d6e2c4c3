"""Correlations against scipy, and by hand."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.measures.correlation import kendall, pearson, spearman

# Numbers of one decimal, so that ties occur and differences are no rounding.
VALUES = st.integers(-500, 500).map(lambda number: number / 10)
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=4, max_size=40)
ALL = (pearson, spearman, kendall)


def split(pairs):
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def varied(pairs):
    return all(len(set(values)) > 1 for values in split(pairs))


@given(PAIRS)
@settings(max_examples=80, deadline=None)
def test_pearson_is_that_of_scipy(pairs):
    from scipy.stats import pearsonr

    assume(varied(pairs))
    x, y = split(pairs)
    found, theirs = pearson(x, y), pearsonr(x, y)
    assert found.value == pytest.approx(theirs.statistic, abs=1e-9)
    if found.low is None:
        assert abs(found.value) > 1 - 1e-9
        return
    ends = theirs.confidence_interval()
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), abs=1e-6)
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-6)


@given(PAIRS)
@settings(max_examples=80, deadline=None)
def test_spearman_is_that_of_scipy(pairs):
    from scipy.stats import spearmanr

    assume(varied(pairs))
    x, y = split(pairs)
    found, theirs = spearman(x, y), spearmanr(x, y)
    assert found.value == pytest.approx(theirs.statistic, abs=1e-9)
    if len(x) > 7:
        assert found.p == pytest.approx(theirs.pvalue, abs=1e-6)


@given(PAIRS)
@settings(max_examples=15, deadline=None)
def test_of_few_points_spearman_goes_through_all_orders(pairs):
    from scipy.stats import permutation_test, rankdata, spearmanr

    assume(varied(pairs))
    x, y = split(pairs[:6])
    assume(len(x) > 2 and len(set(x)) > 1 and len(set(y)) > 1)
    found = spearman(x, y)
    theirs = permutation_test(
        (rankdata(x),),
        lambda order: spearmanr(order, y).statistic,
        permutation_type="pairings",
        n_resamples=10_000,
    )
    # Theirs doubles the smaller tail; ours counts both, which differs where ties make the tails unequal.
    assert 0 < found.p <= 1
    if len(set(x)) == len(x) and len(set(y)) == len(y):
        assert found.p == pytest.approx(theirs.pvalue, abs=1e-9)


def test_three_points_in_order_prove_little():
    assert spearman([1, 2, 3], [4, 5, 9]).p == pytest.approx(1 / 3)


@given(PAIRS)
@settings(max_examples=50, deadline=None)
def test_kendall_counts_pairs(pairs):
    assume(varied(pairs))
    x, y = split(pairs)
    signs = [
        ((x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j]))
        for i in range(len(x))
        for j in range(i)
    ]
    both = math.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))
    assert kendall(x, y).value == pytest.approx(sum(a * b for a, b in signs) / both, abs=1e-9)


@given(PAIRS, st.floats(0.1, 50), st.floats(-100, 100))
@settings(max_examples=60, deadline=None)
def test_correlations_do_not_mind_units_or_order_and_turn_with_the_sign(pairs, factor, shift):
    assume(varied(pairs))
    x, y = split(pairs)
    for measure in ALL:
        value = measure(x, y).value
        assert -1 <= value <= 1
        assert measure(y, x).value == pytest.approx(value, abs=1e-9)
        assert measure([-one for one in x], y).value == pytest.approx(-value, abs=1e-9)
    assert pearson([factor * one + shift for one in x], y).value == pytest.approx(
        pearson(x, y).value, abs=1e-6
    )


@pytest.mark.parametrize("measure", ALL)
def test_too_few_and_constant_have_a_reason_and_no_value(measure):
    few = measure([1.0, 2.0], [2.0, 1.0])
    assert (few.value, few.low, few.p, few.n, few.reason) == (None, None, None, 2, "2 points; it takes 3")
    flat = measure([1.0, 2.0, 3.0], [0.1 + 0.2, 0.3, 0.3])
    assert flat.value is None
    assert flat.reason == "the second values do not vary"
    assert measure([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]).reason == "the first values do not vary"


@pytest.mark.parametrize("measure", ALL)
def test_three_points_have_a_value_and_no_interval(measure):
    found = measure([1.0, 2.0, 3.0], [1.0, 3.0, 2.0])
    assert found.value is not None
    assert (found.low, found.reason) == (None, "too few points for an interval")


@pytest.mark.parametrize("measure", ALL)
def test_perfect_agreement_claims_no_certainty(measure):
    found = measure(range(9), range(9))
    assert found.value == pytest.approx(1)
    assert found.low is None
    assert "perfectly" in found.reason


@pytest.mark.parametrize("measure", ALL)
def test_what_is_no_data_is_refused(measure):
    with pytest.raises(ValueError, match="not finite"):
        measure([1.0, 2.0, math.inf], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="3 and 2 values"):
        measure([1.0, 2.0, 3.0], [1.0, 2.0])


def test_huge_and_tiny_numbers_stay_numbers():
    assert pearson([1e300, 2e300, 4e300, 3e300], [1e-300, 2e-300, 4e-300, 3e-300]).value == pytest.approx(1)


def test_spent_degrees_of_freedom_widen_the_interval():
    x, y = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 3.0, 9.0], [2.0, 3.0, 1.0, 9.0, 4.0, 5.0, 8.0, 6.0]
    plain, spent = pearson(x, y), pearson(x, y, spent=2)
    assert plain.value == spent.value
    assert spent.low < plain.low
    assert spent.p > plain.p
    assert pearson(x, y, spent=7).reason == "too few points for an interval"
