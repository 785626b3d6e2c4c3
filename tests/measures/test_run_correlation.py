"""The mean of the correlations of runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from assay.measures.run_correlation import mean_of_run_correlations


@given(st.integers(0, 10_000), st.integers(3, 12), st.integers(1, 4), st.booleans())
def test_it_is_the_mean_of_scipys_correlations_and_its_interval_is_possible(seed, n, k, gaps):
    rng = np.random.default_rng(seed)
    truth, runs = rng.integers(0, 5, n).astype(float), rng.integers(0, 3, (n, k)).astype(float)
    if gaps:
        runs[rng.random((n, k)) < 0.3] = np.nan
    known = []
    for run in runs.T:
        there = ~np.isnan(run)
        if there.sum() > 1 and np.ptp(run[there]) > 0 and np.ptp(truth[there]) > 0:
            known.append(pearsonr(truth[there], run[there])[0])
    found = mean_of_run_correlations(truth, runs, draws=200)
    if not known:
        assert found.value is None
        return
    assert found.value == pytest.approx(np.mean(known))
    if found.low is not None:
        assert -1 <= found.low <= found.value <= found.high <= 1


def test_lengths_must_fit():
    with pytest.raises(ValueError, match="every item"):
        mean_of_run_correlations([1, 2], [[1], [2], [3]])
    assert mean_of_run_correlations([], np.empty((0, 2))).reason == "nothing to average"
