"""Means, shares and differences against statsmodels and scipy, and worked by hand."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.describe import describe
from assay.measures.intervals import mean_interval, summary_interval, wilson_interval
from assay.measures.paired import holm, paired_difference

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)
CLUSTERED = st.lists(st.tuples(NUMBERS, st.integers(0, 8)), min_size=2, max_size=60)


def test_a_mean_and_its_interval_by_hand():
    # 1, 2, 3: mean 2, s = 1, error 1/sqrt(3), t on 2 degrees of freedom at 97.5 % is 4.30265
    found = mean_interval([1, 2, 3])
    assert found.value == 2
    assert (found.low, found.high) == pytest.approx(
        (2 - 4.30265 / math.sqrt(3), 2 + 4.30265 / math.sqrt(3)), abs=1e-5
    )
    assert (found.n, found.clusters, found.reason) == (3, 3, "")


@given(CLUSTERED)
@settings(max_examples=60, deadline=None)
def test_clustered_intervals_are_those_of_statsmodels(rows):
    import numpy as np
    import statsmodels.api as sm

    values, groups = [row[0] for row in rows], [row[1] for row in rows]
    found = mean_interval(values, groups)
    if found.low is None:
        same = found.reason in ("all values are the same", "all clusters have the same mean")
        assert same or len(set(groups)) < 3
        return
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(groups)}, use_t=True
    )
    low, high = fit.conf_int()[0]
    scale = max(1.0, *map(abs, values))
    assert found.value == pytest.approx(fit.params[0], abs=1e-9 * scale)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6 * scale)


@given(CLUSTERED)
@settings(max_examples=60, deadline=None)
def test_an_interval_holds_its_value_and_never_is_nan(rows):
    for method in ("t", "bootstrap"):
        found = mean_interval([row[0] for row in rows], [row[1] for row in rows], method=method, draws=50)
        assert math.isfinite(found.value)
        if found.low is None:
            assert found.reason
        else:
            assert found.low <= found.value + 1e-9 * 1e6
            assert found.high >= found.value - 1e-9 * 1e6


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=30))
@settings(deadline=None)
def test_bounds_cut_the_interval_and_not_the_value(values):
    free, cut = mean_interval(values), mean_interval(values, bounds=(0.0, 1.0))
    assert cut.value == free.value
    if cut.low is not None:
        assert 0 <= cut.low <= cut.value <= cut.high <= 1
        assert cut.low == max(0, free.low)


def test_groups_that_agree_within_count_as_one_value_each():
    each = mean_interval([1.0, 2.0, 4.0])
    doubled = mean_interval([1.0, 1.0, 2.0, 2.0, 4.0, 4.0], ["a", "a", "b", "b", "c", "c"])
    assert (doubled.low, doubled.high) == pytest.approx((each.low, each.high))
    assert mean_interval([1.0, 1.0, 2.0, 2.0, 4.0, 4.0]).half < each.half


def test_a_bootstrap_is_the_same_each_time_and_near_the_t_interval():
    values = [math.sin(number) for number in range(200)]
    first = mean_interval(values, method="bootstrap")
    assert first == mean_interval(values, method="bootstrap")
    assert first != mean_interval(values, method="bootstrap", seed=1)
    plain = mean_interval(values)
    assert (first.low, first.high) == pytest.approx((plain.low, plain.high), abs=0.02)


@pytest.mark.parametrize(
    ("values", "groups", "reason"),
    [
        ([], None, "nothing to average"),
        ([1.0], None, "one cluster has no spread"),
        ([1.0, 2.0], ["a", "a"], "one cluster has no spread"),
        ([0.5, 0.5, 0.5], None, "all values are the same"),
    ],
)
def test_too_little_has_a_reason_instead_of_an_interval(values, groups, reason):
    found = mean_interval(values, groups)
    assert (found.low, found.high, found.half, found.reason) == (None, None, None, reason)


def test_what_is_no_data_is_refused():
    with pytest.raises(ValueError, match="not finite"):
        mean_interval([1.0, math.nan])
    with pytest.raises(ValueError, match="2 values and 1 groups"):
        mean_interval([1.0, 2.0], ["a"])


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(max_examples=60, deadline=None)
def test_wilson_is_that_of_statsmodels(pair):
    from statsmodels.stats.proportion import proportion_confint

    found = wilson_interval(*pair)
    assert (found.low, found.high) == pytest.approx(proportion_confint(*pair, method="wilson"), abs=1e-9)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_wilson_of_nothing_and_of_nonsense():
    assert wilson_interval(0, 0).value is None
    with pytest.raises(ValueError, match="from 0 to 2, not 3"):
        wilson_interval(3, 2)


def test_paired_differences_are_those_of_scipy():
    from scipy.stats import ttest_rel

    a, b = [0.7, 0.4, 0.9, 0.6, 0.8], [0.5, 0.5, 0.7, 0.6, 0.4]
    found, theirs = paired_difference(a, b), ttest_rel(a, b)
    ends = theirs.confidence_interval()
    assert found.p == pytest.approx(theirs.pvalue)
    assert (found.difference.low, found.difference.high) == pytest.approx((ends.low, ends.high))
    # A mean difference of exactly the smallest would just reach the 5 % level.
    assert found.smallest == pytest.approx((ends.high - ends.low) / 2)


def test_pairs_without_spread_have_no_p():
    assert paired_difference([1.0, 1.0], [0.5, 0.5]).p is None
    assert paired_difference([], []).difference.reason == "nothing to average"
    with pytest.raises(ValueError, match="1 and 2 values"):
        paired_difference([1.0], [1.0, 2.0])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_holm_is_that_of_statsmodels(ps):
    from statsmodels.stats.multitest import multipletests

    assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]))


def test_holm_does_not_count_what_has_no_p():
    assert holm([0.04, None]) == [0.04, None]
    assert holm([0.01, 0.04]) == [0.02, 0.04]


def test_a_description_by_hand():
    found = describe([2.0, 4.0, 9.0])
    assert (found.n, found.mean, found.median, found.low, found.high) == (3, 5.0, 4.0, 2.0, 9.0)
    assert found.sd == pytest.approx(math.sqrt(13))
    assert found.interval == pytest.approx(summary_interval(5.0, math.sqrt(13), 3))
    assert describe([]).mean is None
    assert describe([3.0]).sd is None
    assert describe([3.0, 3.0]).interval is None
    assert describe([1.0, 50.0], floor=0).interval[0] == 0


@given(
    st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 1.0]), st.integers(0, 4)), min_size=1, max_size=12),
    st.sampled_from(["t", "bootstrap"]),
)
def test_no_interval_leaves_the_range_or_shrinks_to_a_point(rows, method):
    found = mean_interval(*map(list, zip(*rows, strict=True)), method=method, bounds=(-1.0, 1.0), draws=50)
    if found.low is None:
        assert found.reason
    else:
        assert -1 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high
        assert found.clusters >= 3


def test_an_estimate_is_a_number_that_prints_its_interval():
    found = mean_interval([1.0, 1.0, 0.0, 1.0], bounds=(0.0, 1.0))
    assert float(found) == 0.75
    assert (str(found), repr(found)) == ("0.75 [0.00, 1.00]", "<Estimate: 0.75 [0.00, 1.00], n=4>")
    two = mean_interval([0.5, 1.0])
    assert (str(two), two.reason) == ("0.75", "2 clusters are too few for an interval")
    none = mean_interval([])
    assert math.isnan(float(none))
    assert str(none) == "none: nothing to average"
    assert type(found).from_dict(found.to_dict()) == found
