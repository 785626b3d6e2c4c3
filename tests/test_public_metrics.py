"""The public statistics: equal to those of other libraries, and within their ranges."""

import math
import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss

import assay
from assay import metrics

RATED = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(0, 9)), min_size=1, max_size=40)
BETWEEN_0_AND_1 = (metrics.accuracy, metrics.macro_f1)
FROM_MINUS_1 = (metrics.cohen_kappa, metrics.pearson, metrics.spearman, metrics.kendall)
# Weighted coefficients have no common lower bound.
AT_MOST_1 = (metrics.linear_kappa, metrics.quadratic_kappa, metrics.gwet_ac1, metrics.gwet_ac2)


@settings(max_examples=30, deadline=None)
@given(RATED)
def test_values_are_those_of_other_libraries(rows):
    judge, human, _ = (list(column) for column in zip(*rows, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = {
            "accuracy": accuracy_score(human, judge),
            "macro_f1": f1_score(human, judge, average="macro"),
            "cohen_kappa": cohen_kappa_score(human, judge),
            "spearman": spearmanr(judge, human).statistic if len(rows) > 1 else math.nan,
            "pearson": pearsonr(judge, human).statistic if len(rows) > 1 else math.nan,
            "kendall": kendalltau(judge, human).statistic,
        }
        weighted = cohen_kappa_score(human, judge, weights="quadratic", labels=[1, 2, 3, 4, 5])
    for name, value in theirs.items():
        found = getattr(metrics, name)(judge, human)
        if found.value is not None:
            assert found.value == pytest.approx(value, abs=1e-9), name
        else:
            assert found.reason
    whole = metrics.quadratic_kappa(judge, human, categories=[1, 2, 3, 4, 5])
    assert whole.value is None or whole.value == pytest.approx(weighted, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(RATED, st.booleans())
def test_no_interval_leaves_its_range(rows, grouped):
    judge, human, tasks = (list(column) for column in zip(*rows, strict=True))
    for function in (*BETWEEN_0_AND_1, *FROM_MINUS_1, *AT_MOST_1):
        found = function(judge, human, tasks if grouped else None)
        assert found.value is not None or found.reason
        if found.low is not None:
            lowest = 0 if function in BETWEEN_0_AND_1 else -1 if function in FROM_MINUS_1 else -math.inf
            assert lowest - 1e-9 <= found.low <= found.value <= found.high <= 1 + 1e-9


def test_many_raters_with_gaps():
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 5, 60)
    table = np.stack([np.where(rng.random(60) < 0.7, truth, rng.integers(1, 5, 60)) for _ in range(3)])
    full = metrics.fleiss_kappa(table.tolist())
    assert full.value == pytest.approx(their_fleiss(aggregate_raters(table.T)[0]))
    gaps = table.astype(float)
    gaps[rng.random(gaps.shape) < 0.2] = np.nan
    for level in ("nominal", "ordinal", "interval", "ratio"):
        found = metrics.krippendorff_alpha(gaps.tolist(), level)
        assert found.value == pytest.approx(krippendorff.alpha(gaps, level_of_measurement=level))
        assert found.low < found.value < found.high <= 1
    words = [[None if math.isnan(value) else f"word {value}" for value in row] for row in gaps]
    assert metrics.krippendorff_alpha(words).value == metrics.krippendorff_alpha(gaps.tolist()).value
    assert metrics.krippendorff_alpha([[1, None], [None, 2]]).reason == "no item has two ratings"
    assert metrics.flip_rate([["a", "b"], ["a", "c"]]).value == 0.5


def test_groups_widen_intervals():
    judge, human = [1, 0] * 60, [1, 0, 1, 1] * 30
    alone = metrics.cohen_kappa(judge, human)
    grouped = metrics.cohen_kappa(judge, human, [at // 20 for at in range(120)])
    assert grouped.clusters == 6
    assert alone.value == grouped.value
    with pytest.raises(ValueError, match="both sides"):
        metrics.accuracy([1], [1, 2])
    with pytest.raises(ValueError, match="not one of the categories"):
        metrics.gwet_ac1(["a"], ["z"], categories=["a", "b"])


def test_ratings_of_systems():
    ratings = metrics.bradley_terry(list("aab" * 10), list("bcc" * 10), ["A>B", 1, 0.5] * 10)
    assert [*ratings] == ["a", "b", "c"]
    assert np.mean([item.value for item in ratings.values()]) == pytest.approx(1000, abs=1)
    assert all(item.low <= item.value <= item.high for item in ratings.values())
    assert metrics.bradley_terry(["a"], ["b"], [1])["a"].reason == "one cluster has no spread"


def test_the_module_is_an_attribute_of_the_package():
    assert assay.metrics is metrics
