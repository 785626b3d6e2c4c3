"""Numbers of cases, against statsmodels and against simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from assay.errors import UsageError
from assay.measures.power import cases_needed


@pytest.mark.parametrize("effect", [0.1, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("power", [0.8, 0.9])
def test_it_agrees_with_the_t_test(effect: float, power: float) -> None:
    exact = TTestPower().solve_power(effect_size=effect, alpha=0.05, power=power)
    assert cases_needed(effect, 1.0, power=power) == pytest.approx(math.ceil(exact), abs=1)


def test_so_many_cases_find_the_difference_as_often_as_was_asked() -> None:
    cases = cases_needed(0.3, 0.49)
    assert cases is not None
    random = np.random.default_rng(1)
    found = [stats.ttest_1samp(random.normal(0.3, 0.7, cases), 0).pvalue < 0.05 for _ in range(1500)]
    assert np.mean(found) == pytest.approx(0.9, abs=0.03)


def test_clusters_take_more_and_no_difference_takes_for_ever() -> None:
    alone, clustered = cases_needed(0.1, 0.25), cases_needed(0.1, 0.25, design=2)
    assert alone is not None
    assert clustered is not None
    assert clustered == pytest.approx(2 * alone, rel=0.02)
    assert cases_needed(0, 0.25) is None
    assert cases_needed(0.5, 0) == 2
    for wrong in ({"power": 1.0}, {"level": 0.0}, {"design": 0.5}):
        with pytest.raises(UsageError):
            cases_needed(0.1, 0.25, **wrong)
