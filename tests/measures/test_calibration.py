"""Maps against scikit-learn and by going through all, what they buy out of sample, how many labels it takes."""

from itertools import combinations_with_replacement

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from assay.measures.bootstrap import clustered
from assay.measures.calibration import ScoreMap, calibrate, fit_map, labels_needed
from assay.measures.intervals import Estimate, wilson_interval

DRAWN = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=1, max_size=25)


@given(DRAWN)
def test_isotonic_is_scikit_learns(drawn):
    scores, labels = np.array(drawn, dtype=float).T
    ours = fit_map(scores, labels)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(scores, labels)
    at = np.linspace(-1, 8, 37)
    assert ours(at) == pytest.approx(theirs.predict(at), abs=1e-6)


@given(DRAWN)
def test_thresholds_are_the_best_of_all(drawn):
    scores, labels = np.array(drawn, dtype=float).T
    found = fit_map(scores, labels, "thresholds")
    ours = np.abs(found(scores) - labels).sum()
    different, levels = np.unique(scores), np.unique(labels)
    place = np.searchsorted(different, scores)
    best = min(
        np.abs(np.array(way)[place] - labels).sum()
        for way in combinations_with_replacement(levels, len(different))
    )
    assert ours == pytest.approx(best)
    assert set(found(np.linspace(-2, 9, 50))) <= set(levels)


@given(DRAWN, st.sampled_from(["isotonic", "thresholds", "linear"]))
def test_every_map_goes_upwards_and_stays_within_the_labels(drawn, kind):
    scores, labels = np.array(drawn, dtype=float).T
    found = fit_map(scores, labels, kind)
    mapped = found(np.linspace(-5, 12, 60))
    assert (np.diff(mapped) >= -1e-9).all()
    assert mapped.min() >= labels.min() - 1e-9
    assert mapped.max() <= labels.max() + 1e-9
    again = msgspec.convert(msgspec.to_builtins(found), ScoreMap)
    assert (again(scores) == found(scores)).all()


def test_linear_is_least_squares():
    found = fit_map([0, 1, 2, 3], [1, 3, 5, 7], "linear")
    assert found([0.5, 9]) == pytest.approx([2, 7])
    # Never downwards.
    assert fit_map([0, 1, 2], [3, 2, 1], "linear")([0, 2]) == pytest.approx([2, 2])


def judged(n=400, seed=0):
    random = np.random.default_rng(seed)
    labels = random.integers(0, 4, n).astype(float)
    # A judge that ranks well and is far too generous.
    scores = 2 + 0.4 * labels + random.normal(0, 0.15, n)
    return scores, labels, np.arange(n) // 4


@pytest.mark.parametrize("kind", ["isotonic", "thresholds", "linear"])
def test_a_generous_judge_is_brought_back(kind):
    scores, labels, group = judged()
    found = calibrate(scores, labels, group, kind=kind, draws=200)
    assert found.mad.before == pytest.approx(np.abs(scores - labels).mean())
    assert found.mad.after < 0.5 * found.mad.before
    assert found.mad.gain.value == pytest.approx(found.mad.before - found.mad.after)
    for gain in (found.mad, found.accuracy, found.kappa):
        assert gain.gain.low > 0
        assert gain.gain.clusters == 100
    assert (found.n, found.groups, found.folds) == (400, 100, 5)
    assert found == calibrate(scores, labels, group, kind=kind, draws=200)
    assert msgspec.json.encode(found.to_dict())


def test_nothing_to_learn_buys_nothing():
    """In sample a map of noise looks like a gain over a constant; out of sample it is none."""
    random = np.random.default_rng(1)
    labels = random.integers(0, 4, 120).astype(float)
    constant = np.full(120, 1.5)
    scores = random.normal(size=120)
    mapped = fit_map(scores, labels)
    assert np.abs(mapped(scores) - labels).mean() < np.abs(constant - labels).mean()
    found = calibrate(scores, labels, draws=100)
    assert found.mad.after > np.abs(constant - labels).mean() - 0.02


def test_groups_are_never_split():
    """Labels that only the group tells: a map that saw the group's others would do well, one that did not cannot."""
    random = np.random.default_rng(2)
    group = np.repeat(np.arange(30), 5)
    scores = group.astype(float)
    labels = random.integers(0, 2, 30).astype(float)[random.permutation(30)][group]
    split = calibrate(scores, labels, kind="isotonic", draws=50)
    whole = calibrate(scores, labels, group, kind="isotonic", draws=50)
    assert whole.groups == 30
    assert whole.mad.after >= split.mad.after


def test_too_little_to_calibrate_on_is_a_reason():
    few = calibrate([1, 2, 3], [1, 2, 3])
    assert few.fitted is None
    assert few.reason == "3 groups of labels; at least 4 are needed"
    assert calibrate([1, 2], [1, 2], ["a", "a"]).reason.startswith("1 group ")
    same = calibrate([1, 2, 3, 4, 5], [2, 2, 2, 2, 2])
    assert same.reason == "1 distinct labels: neither accuracy nor κ is computed"
    assert same.mad.after == 0
    smooth = calibrate(np.arange(30.0), np.arange(30.0))
    assert smooth.accuracy is None
    assert smooth.mad is not None


@pytest.mark.parametrize(
    "call",
    [
        lambda: fit_map([], []),
        lambda: fit_map([1], [1, 2]),
        lambda: fit_map([1], [float("nan")]),
        lambda: fit_map([1], [1], "spline"),
        lambda: calibrate([1, 2, 3, 4], [1, 2, 3, 4], folds=1),
        lambda: calibrate([1, 2, 3, 4], [1, 2, 3, 4], ["a"]),
        lambda: labels_needed(0.05),
        lambda: labels_needed(0, proportion=0.5),
        lambda: labels_needed(0.1, proportion=0.5, sd=1),
        lambda: labels_needed(0.1, proportion=1.5),
        lambda: labels_needed(0.1, sd=-1),
        lambda: labels_needed(0.1, sd=1, design_effect=0),
    ],
)
def test_what_cannot_be_calibrated_is_refused(call):
    with pytest.raises(ValueError):
        call()


def test_labels_needed():
    # The pollster's numbers: 385 for five points either way, 97 for ten, 1,068 for three.
    assert [labels_needed(half, proportion=0.5).labels for half in (0.05, 0.1, 0.03)] == [385, 97, 1068]
    assert labels_needed(0.1, sd=0.5).labels == 97
    # 1 + (5 - 1) · 0.25 for groups of five.
    assert labels_needed(0.1, proportion=0.5, design_effect=2).labels == 193
    assert labels_needed(0.1, sd=0).reason
    assert labels_needed(0.1, observed=Estimate(value=1, n=5, reason="no spread")).reason == "no spread"
    # Half the width takes four times as many.
    seen = Estimate(value=0.5, low=0.4, high=0.6, n=100, clusters=20)
    assert labels_needed(0.05, observed=seen).labels == 400


def test_so_many_labels_do_give_that_interval():
    scores, labels, _ = judged(200)
    first, truth = np.round(scores - 1.4).astype(int).clip(0, 3), labels.astype(int)
    few = clustered("kappa", truth, first, weights="quadratic")
    need = labels_needed(few.half / 3, observed=few).labels
    scores, labels, _ = judged(need, seed=9)
    first, truth = np.round(scores - 1.4).astype(int).clip(0, 3), labels.astype(int)
    assert clustered("kappa", truth, first, weights="quadratic").half == pytest.approx(few.half / 3, rel=0.3)
    need = labels_needed(0.04, proportion=0.3).labels
    assert wilson_interval(round(0.3 * need), need).half == pytest.approx(0.04, rel=0.02)
