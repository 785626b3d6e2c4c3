"""Variance components: a worked example, simulation, balanced against ANOVA; flips, spread, the noise floor."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.measures.components import noise_floor, reliability, variance_components
from assay.measures.repeatability import ever_flipped, flip_rate, within_variance

NAN = float("nan")


def scored(tasks, judges, trials, sd, seed=0):
    """Scores with known components, long form."""
    random = np.random.default_rng(seed)
    of_task, of_judge, of_both, of_trial = sd
    cube = (
        random.normal(0, of_task, (tasks, 1, 1))
        + random.normal(0, of_judge, (1, judges, 1))
        + random.normal(0, of_both, (tasks, judges, 1))
        + random.normal(0, of_trial, (tasks, judges, trials))
    )
    task, judge, _ = np.indices(cube.shape)
    return cube.ravel() + 5, task.ravel(), judge.ravel()


def by_anova(scores, shape):
    """The textbook's mean squares of a balanced two-way design with repetitions."""
    y = scores.reshape(shape)
    a, b, r = shape
    grand = y.mean()
    task = r * b * ((y.mean(axis=(1, 2)) - grand) ** 2).sum() / (a - 1)
    judge = r * a * ((y.mean(axis=(0, 2)) - grand) ** 2).sum() / (b - 1)
    cells = y.mean(axis=2)
    apart = cells - y.mean(axis=(1, 2))[:, None] - y.mean(axis=(0, 2))[None, :] + grand
    both = r * (apart**2).sum() / ((a - 1) * (b - 1))
    trial = ((y - cells[:, :, None]) ** 2).sum() / (a * b * (r - 1))
    return (task - both) / (b * r), (judge - both) / (a * r), (both - trial) / r, trial


@pytest.mark.parametrize("shape", [(8, 3, 2), (20, 5, 4), (2, 2, 2)])
def test_balanced_data_give_anovas_components(shape):
    scores, task, judge = scored(*shape, (2, 1, 1, 0.5))
    found = variance_components(scores, task, judge)
    expected = by_anova(scores, shape)
    for ours, theirs in zip((found.task, found.judge, found.interaction, found.trial), expected, strict=True):
        assert ours == pytest.approx(max(0.0, theirs))
    assert found.balanced
    assert (found.n, found.tasks, found.judges, found.cells) == (
        math.prod(shape),
        shape[0],
        shape[1],
        shape[0] * shape[1],
    )


def test_one_trial_leaves_the_interaction_in_the_trials():
    # The six targets by four judges of Shrout and Fleiss (1979): mean squares 11.24 (targets), 32.49 (judges) and
    # 1.02 (rest); ICC(2,1) = 0.29 and ICC(3,1) = 0.71, of their tables 3 and 4.
    table = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    task, judge = np.indices(table.shape)
    found = variance_components(table.ravel(), task.ravel(), judge.ravel())
    assert found.interaction is None
    assert found.task == pytest.approx((11.2417 - 1.0194) / 4, abs=1e-3)
    assert found.judge == pytest.approx((32.4861 - 1.0194) / 6, abs=1e-3)
    assert found.trial == pytest.approx(1.0194, abs=1e-3)
    assert "trial component includes their interaction" in found.notes[0]
    assert reliability(found, absolute=True) == pytest.approx(0.29, abs=5e-3)
    assert reliability(found) == pytest.approx(0.71, abs=6e-3)
    # The means of all four: ICC(2,4) = 0.62 and ICC(3,4) = 0.91.
    assert reliability(found, judges=4, absolute=True) == pytest.approx(0.62, abs=5e-3)
    assert reliability(found, judges=4) == pytest.approx(0.91, abs=5e-3)
    # More trials of a judge are not known to help.
    assert reliability(found, trials=9) == reliability(found)


def test_unbalanced_data_give_the_truth_on_average():
    found = []
    for seed in range(60):
        scores, task, judge = scored(40, 5, 3, (2, 1, 1, 0.7), seed)
        keep = np.random.default_rng(1000 + seed).random(len(scores)) < 0.6
        one = variance_components(scores[keep], task[keep], judge[keep])
        assert not one.balanced
        found.append((one.task, one.judge, one.interaction, one.trial))
    mean = np.mean(found, axis=0)
    error = np.std(found, axis=0, ddof=1) / 60**0.5
    assert (np.abs(mean - [4, 1, 1, 0.49]) < 3.5 * error).all()


def test_one_judge_has_tasks_and_trials():
    scores, task, _ = scored(30, 1, 4, (2, 0, 0, 1))
    found = variance_components(scores, [f"task {at}" for at in task])
    y = scores.reshape(30, 4)
    trial = y.var(axis=1, ddof=1).mean()
    assert found.trial == pytest.approx(trial)
    assert found.task == pytest.approx(y.mean(axis=1).var(ddof=1) - trial / 4)
    assert found.judge is None
    assert found.interaction is None
    assert "one judge" in found.notes[0]
    assert sum(found.shares().values()) == pytest.approx(1)


def test_less_than_nothing_is_nothing_and_said():
    scores = [1, 3, 3, 1, 1, 3]
    found = variance_components(scores, [0, 0, 1, 1, 2, 2])
    assert found.task == 0
    assert found.trial == 2
    assert "task component was estimated as -1 and is set to 0" in found.notes[-1]


@pytest.mark.parametrize(
    ("tasks", "judges", "reason"),
    [
        ([], [], "0 scores"),
        ([1], [1], "1 score;"),
        ([1, 2, 3], [1, 1, 1], "scored a task twice"),
        ([1, 1, 1], [1, 2, 3], "scored a task twice"),
        # Each judge has its own tasks: neither can be told from the other.
        ([1, 1, 2, 2], ["a", "a", "b", "b"], "too few common scores"),
    ],
)
def test_what_cannot_be_told_apart_is_a_reason(tasks, judges, reason):
    found = variance_components(np.arange(float(len(tasks))), tasks, judges)
    assert reason in found.reason
    assert (found.task, found.trial, found.total) == (None, None, None)
    assert noise_floor(found, tasks=10).reason == found.reason
    assert reliability(found) is None
    assert found.shares() == {}


def test_no_spread_at_all():
    found = variance_components([3.0] * 8, [0, 0, 1, 1, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1])
    assert (found.task, found.judge, found.interaction, found.trial) == (0, 0, 0, 0)
    assert reliability(found) is None
    assert noise_floor(found, tasks=5).difference == 0


def test_the_noise_floor_by_hand():
    scores, task, judge = scored(10, 3, 2, (2, 1, 1, 0.5))
    found = variance_components(scores, task, judge)
    one = noise_floor(found, tasks=50, trials=4, judges=2)
    error = (2 / 50 * (found.interaction / 2 + found.trial / 8)) ** 0.5
    assert (one.error, one.difference) == pytest.approx((error, 1.959964 * error))
    # Different tasks: their spread is in.
    other = noise_floor(found, tasks=50, trials=4, judges=2, same_tasks=False)
    assert other.error == pytest.approx((error**2 + 2 / 50 * found.task) ** 0.5)


def test_two_equal_systems_differ_by_more_than_the_floor_in_one_of_twenty():
    random = np.random.default_rng(2)
    scores, task, judge = scored(400, 4, 3, (2, 1, 0.8, 1.2))
    floor = noise_floor(variance_components(scores, task, judge), tasks=40, trials=3).difference
    # One judge, two systems whose reports are equally good on every task.
    noise = random.normal(0, 0.8, (4000, 2, 40)) + random.normal(0, 1.2, (4000, 2, 40, 3)).mean(axis=3)
    apart = np.abs(noise.mean(axis=2)[:, 0] - noise.mean(axis=2)[:, 1])
    assert np.mean(apart > floor) == pytest.approx(0.05, abs=0.02)


@pytest.mark.parametrize(
    "call",
    [
        lambda: variance_components([1, NAN], [1, 2]),
        lambda: variance_components([1, 2], [1]),
        lambda: variance_components([1, 2], [1, 2], [1]),
        lambda: noise_floor(variance_components([1, 2, 3], [1, 1, 2]), tasks=0),
        lambda: reliability(variance_components([1, 2, 3], [1, 1, 2]), judges=0),
        lambda: flip_rate([1, 2]),
        lambda: flip_rate([[1, 2]], ["a", "b"]),
        lambda: within_variance([[1.0, float("inf")]]),
    ],
)
def test_what_is_not_such_data_is_refused(call):
    with pytest.raises(ValueError):
        call()


@given(st.lists(st.lists(st.integers(-1, 3), min_size=4, max_size=4), min_size=1, max_size=10))
def test_flips_are_counted_out(rows):
    shares, ever = [], []
    for row in rows:
        votes = [vote for vote in row if vote >= 0]
        both = [(a, b) for at, a in enumerate(votes) for b in votes[:at]]
        if both:
            shares.append(sum(a != b for a, b in both) / len(both))
            ever.append(len(set(votes)) > 1)
    rate, share = flip_rate(rows), ever_flipped(rows)
    if not shares:
        assert rate.reason == share.reason == "no item has two repetitions"
        return
    assert rate.value == pytest.approx(np.mean(shares))
    assert share.value == pytest.approx(np.mean(ever))
    assert rate.n == share.n == len(shares)
    gaps = np.where(np.array(rows) < 0, NAN, rows)
    assert flip_rate(gaps) == rate


def test_flip_rate_does_not_grow_with_trials():
    random = np.random.default_rng(3)
    labels = (random.random((3000, 8)) < 0.2).astype(int)
    few, many = flip_rate(labels[:, :2]), flip_rate(labels)
    assert few.value == pytest.approx(0.32, abs=0.03)
    assert many.value == pytest.approx(0.32, abs=0.015)
    assert ever_flipped(labels).value > 2 * few.value
    assert many.half < few.half


def test_a_judge_that_never_changed_may_yet():
    never = ever_flipped(np.ones((20, 3), dtype=int))
    assert (never.value, never.low) == (0, 0)
    assert never.high == pytest.approx(0.18, abs=0.02)
    assert flip_rate(np.ones((20, 3), dtype=int)).reason == "all values are the same"


def test_spread_within_items():
    found = within_variance([[1, 3, NAN], [2, 2, 2], [NAN, 5, NAN], [0, 1, 2]])
    assert found.value == pytest.approx((2 + 0 + 1) / 3)
    assert found.n == 3
    grouped = within_variance([[1, 3], [2, 2], [NAN, 5], [0, 1]], ["a", "a", "b", "c"])
    assert grouped.clusters == 2
    assert within_variance(np.zeros((0, 3))).reason == "no item has two repetitions"
