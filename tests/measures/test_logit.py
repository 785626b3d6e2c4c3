import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.bradley_terry import bradley_terry, win_matrix
from assay.measures.logit import paired_logit


def sample(count=900, n=4, tasks=60, seed=1, effect=(0.8, -0.4)):
    random = np.random.default_rng(seed)
    strengths = np.linspace(0.9, -0.9, n)
    first = random.integers(0, n, count)
    second = (first + random.integers(1, n, count)) % n
    cluster = random.integers(0, tasks, count)
    # The first covariate goes with the system in part, as length does.
    style = random.normal(0, 1, (count, len(effect)))
    style[:, 0] += 0.5 * (strengths[first] - strengths[second])
    odds = strengths[first] - strengths[second] + style @ np.array(effect)
    outcome = (random.random(count) < 1 / (1 + np.exp(-odds))).astype(float)
    return strengths, first, second, outcome, style, cluster


def design(first, second, style, n):
    table = np.zeros((len(first), n))
    table[np.arange(len(first)), first] += 1
    table[np.arange(len(first)), second] -= 1
    return np.hstack([table[:, 1:], style])


def test_against_statsmodels():
    _, first, second, outcome, style, cluster = sample()
    found = paired_logit(first, second, outcome, 4, style, clusters=cluster, prior=0)
    table = design(first, second, style, 4)
    theirs = sm.Logit(outcome, table).fit(
        disp=0,
        cov_type="cluster",
        cov_kwds={"groups": cluster, "use_correction": False},
        tol=1e-12,
        maxiter=100,
    )
    assert found.strengths[1:] - found.strengths[0] == pytest.approx(theirs.params[:3], abs=1e-6)
    assert found.effects == pytest.approx(theirs.params[3:], abs=1e-6)
    groups = len(np.unique(cluster))
    assert found.effect_errors == pytest.approx(theirs.bse[3:] * np.sqrt(groups / (groups - 1)), rel=1e-5)
    # Strengths are told against their mean, so their errors are of a contrast.
    covariance = theirs.cov_params()
    contrast = np.array([-0.25, -0.25, -0.25, 0, 0])
    error = np.sqrt(contrast @ covariance @ contrast * groups / (groups - 1))
    assert found.errors[0] == pytest.approx(error, rel=1e-5)


def test_ties_are_half_wins():
    _, first, second, outcome, style, cluster = sample(300)
    outcome[:60] = 0.5
    found = paired_logit(first, second, outcome, 4, style, clusters=cluster, prior=0)
    theirs = sm.GLM(outcome, design(first, second, style, 4), family=sm.families.Binomial()).fit()
    assert found.effects == pytest.approx(theirs.params[3:], abs=1e-6)


def test_without_covariates_it_is_bradley_terry():
    _, first, second, outcome, style, cluster = sample(200)
    found = paired_logit(first, second, outcome, 4, style[:, :0], clusters=cluster)
    assert found.strengths == pytest.approx(bradley_terry(win_matrix(first, second, outcome, 4)), abs=1e-7)


def test_known_strengths_are_found_where_length_would_mislead():
    """Style lifts the worst system; controlled for it, the order is right, and truth lies within the intervals."""
    strengths, first, second, outcome, style, cluster = sample(4000, seed=4)
    lift = np.array([-1.5, -0.5, 0.5, 1.5])
    style[:, 0] = lift[first] - lift[second] + np.random.default_rng(3).normal(0, 1, len(first))
    odds = strengths[first] - strengths[second] + 1.2 * style[:, 0]
    outcome = (np.random.default_rng(9).random(len(first)) < 1 / (1 + np.exp(-odds))).astype(float)
    raw = paired_logit(first, second, outcome, 4, style[:, :0], clusters=cluster)
    held = paired_logit(first, second, outcome, 4, style, clusters=cluster)
    assert list(np.argsort(-raw.strengths)) != [0, 1, 2, 3]
    assert list(np.argsort(-held.strengths)) == [0, 1, 2, 3]
    assert (np.abs(held.strengths - strengths) < 2.8 * held.errors).all()
    assert abs(held.effects[0] - 1.2) < 2.8 * held.effect_errors[0]


def test_what_never_differs_has_no_effect():
    _, first, second, outcome, style, cluster = sample(200)
    style[:, 1] = 0
    found = paired_logit(first, second, outcome, 4, style, clusters=cluster)
    assert found.fixed == (1,)
    assert found.effects[1] == 0


def test_one_cluster_has_no_errors():
    _, first, second, outcome, style, cluster = sample(200)
    found = paired_logit(first, second, outcome, 4, style, clusters=np.zeros_like(cluster))
    assert found.errors is None
    assert found.effect_errors is None


def test_no_finite_solution_is_said():
    first, second = np.zeros(6, int), np.ones(6, int)
    with pytest.raises(ValueError, match=r"finite|told apart"):
        paired_logit(first, second, np.ones(6), 2, np.empty((6, 0)), clusters=np.arange(6), prior=0)
    with pytest.raises(ValueError, match="not finite"):
        paired_logit(first, second, np.full(6, np.nan), 2, np.empty((6, 0)), clusters=np.arange(6))
    with pytest.raises(ValueError, match="itself"):
        paired_logit(first, first, np.ones(6), 2, np.empty((6, 0)), clusters=np.arange(6))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_neither_order_nor_sides_matter(seed, random):
    _, first, second, outcome, style, cluster = sample(80, seed=seed, tasks=10)
    found = paired_logit(first, second, outcome, 4, style, clusters=cluster)
    order = list(range(80))
    random.shuffle(order)
    turn = np.array([random.random() < 0.5 for _ in order])
    again = paired_logit(
        np.where(turn, second, first)[order],
        np.where(turn, first, second)[order],
        np.where(turn, 1 - outcome, outcome)[order],
        4,
        np.where(turn[:, None], -style, style)[order],
        clusters=cluster[order],
    )
    assert again.strengths == pytest.approx(found.strengths, abs=1e-6)
    assert again.effects == pytest.approx(found.effects, abs=1e-6)
    assert again.effect_errors == pytest.approx(found.effect_errors, rel=1e-5, abs=1e-8)
