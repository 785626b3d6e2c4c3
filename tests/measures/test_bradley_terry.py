import choix
import evalica
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.bradley_terry import bradley_terry, bradley_terry_draws, connection, elo, win_matrix

# American League, east, 1987: row against column (Agresti, Categorical Data Analysis, the example of paired preferences).
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ],
    dtype=float,
)
# Log-odds against Baltimore, as published.
PUBLISHED = (1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0)


def sample(n, count, tasks, seed, *, ties=0.15):
    random = np.random.default_rng(seed)
    strengths = random.normal(0, 1, n)
    strengths -= strengths.mean()
    first = random.integers(0, n, count)
    second = (first + random.integers(1, n, count)) % n
    chance = 1 / (1 + np.exp(strengths[second] - strengths[first]))
    outcome = (random.random(count) < chance).astype(float)
    outcome[random.random(count) < ties] = 0.5
    return strengths, first, second, outcome, random.integers(0, tasks, count)


def test_published_example():
    found = bradley_terry(BASEBALL, prior=0)
    assert found - found[-1] == pytest.approx(PUBLISHED, abs=0.006)


def test_against_choix_evalica_and_a_regression():
    _, first, second, outcome, _ = sample(6, 800, 40, 3)
    wins = win_matrix(first, second, outcome, 6)
    found = bradley_terry(wins, prior=0)
    theirs = choix.ilsr_pairwise_dense(wins)
    assert found == pytest.approx(theirs - theirs.mean(), abs=1e-8)
    winner = {1.0: evalica.Winner.X, 0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw}
    names = [f"s{at}" for at in range(6)]
    arena = evalica.bradley_terry(
        [names[at] for at in first],
        [names[at] for at in second],
        [winner[said] for said in outcome],
        tolerance=1e-12,
        limit=10_000,
    )
    scores = np.log(arena.scores[names].to_numpy())
    assert found == pytest.approx(scores - scores.mean(), abs=1e-5)
    design = np.zeros((len(first), 6))
    design[np.arange(len(first)), first] += 1
    design[np.arange(len(first)), second] -= 1
    fitted = sm.GLM(outcome, design[:, 1:], family=sm.families.Binomial()).fit()
    assert found[1:] - found[0] == pytest.approx(fitted.params, abs=1e-6)


def test_known_strengths_lie_within_their_intervals():
    inside = total = 0
    for seed in range(12):
        strengths, first, second, outcome, tasks = sample(5, 600, 60, seed, ties=0.0)
        draws = bradley_terry_draws(tasks, first, second, outcome, 5, draws=300, seed=seed)
        low, high = np.quantile(draws, (0.025, 0.975), axis=0)
        inside += int(((low <= strengths) & (strengths <= high)).sum())
        total += 5
    assert inside / total >= 0.85


def test_the_spread_of_draws_is_that_of_the_clustered_error():
    """Twenty copies of each comparison in one task say no more than one of them."""
    _, first, second, outcome, _ = sample(4, 200, 200, 8)
    alone = bradley_terry_draws(np.arange(200), first, second, outcome, 4, prior=0.01)
    copied = bradley_terry_draws(
        np.repeat(np.arange(200), 20),
        np.repeat(first, 20),
        np.repeat(second, 20),
        np.repeat(outcome, 20),
        4,
        prior=0.2,
    )
    assert copied.std(axis=0) == pytest.approx(alone.std(axis=0), rel=0.1)


def test_who_won_everything_has_a_finite_rating_and_a_wide_interval():
    draws = bradley_terry_draws(np.arange(5), np.zeros(5, int), np.ones(5, int), np.ones(5), 2, draws=4000)
    chance = 1 / (1 + np.exp(draws[:, 1] - draws[:, 0]))
    low, high = np.quantile(chance, (0.025, 0.975))
    # Jeffreys' interval of 5 of 5 begins at 0.62.
    assert 0.55 < low < 0.75
    assert 0.98 < high < 1
    found = bradley_terry(np.array([[0.0, 5.0], [0.0, 0.0]]))
    assert found[0] - found[1] == pytest.approx(np.log(5.5 / 0.5))


def test_sets_that_never_meet():
    wins = np.zeros((5, 5))
    wins[0, 1], wins[2, 3], wins[3, 2] = 5, 3, 1
    found = connection(wins)
    assert found.parts == ((0, 1), (2, 3))
    assert found.unbeaten == (0,)
    assert found.winless == (1,)
    assert found.absent == (4,)
    assert np.isfinite(bradley_terry(wins)).all()
    with pytest.raises(ValueError, match="no finite strengths"):
        bradley_terry(wins, prior=0)


def test_extremes_end():
    wins = np.array([[0.0, 1e9, 1e9], [0.0, 0.0, 1e9], [0.0, 0.0, 0.0]])
    found = bradley_terry(wins)
    assert np.isfinite(found).all()
    assert found[0] > found[1] > found[2]
    assert bradley_terry(np.zeros((3, 3))) == pytest.approx(np.zeros(3))
    assert bradley_terry(np.zeros((1, 1))) == pytest.approx([0.0])


@pytest.mark.parametrize(
    "wins", [[[0, 1]], [[1.0, 0], [0, 0]], [[0, -1.0], [0, 0]], [[0, float("nan")], [0, 0]]]
)
def test_what_is_no_matrix_of_wins(wins):
    with pytest.raises(ValueError, match="wins must be"):
        bradley_terry(np.array(wins))


def test_outcomes_are_checked():
    with pytest.raises(ValueError, match="from 0 to 1"):
        win_matrix(np.array([0]), np.array([1]), np.array([2.0]), 2)
    with pytest.raises(ValueError, match="itself"):
        win_matrix(np.array([1]), np.array([1]), np.array([1.0]), 2)


def test_scale():
    assert elo(0.0) == 1000
    assert elo(np.log(10)) == pytest.approx(1400)


comparisons = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 4)),
    min_size=1,
    max_size=40,
).map(
    lambda rows: (
        np.array([row[0] for row in rows]),
        np.array([(row[0] + row[1]) % 4 for row in rows]),
        np.array([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
    )
)


@settings(max_examples=40, deadline=None)
@given(comparisons, st.randoms(use_true_random=False), st.permutations(range(4)))
def test_neither_order_nor_sides_nor_names_matter(data, random, names):
    first, second, outcome, tasks = data
    found = bradley_terry(win_matrix(first, second, outcome, 4))
    assert abs(found.mean()) < 1e-9
    order = list(range(len(first)))
    random.shuffle(order)
    turn = np.array([random.random() < 0.5 for _ in order])
    one = np.where(turn, second, first)[order]
    two = np.where(turn, first, second)[order]
    said = np.where(turn, 1 - outcome, outcome)[order]
    assert bradley_terry(win_matrix(one, two, said, 4)) == pytest.approx(found, abs=1e-8)
    label = np.array(names)
    renamed = bradley_terry(win_matrix(label[first], label[second], outcome, 4))
    assert renamed[label] == pytest.approx(found, abs=1e-8)
    draws = bradley_terry_draws(tasks, first, second, outcome, 4, draws=20)
    again = bradley_terry_draws(tasks[order], one, two, said, 4, draws=20)
    assert again == pytest.approx(draws, abs=1e-6)
    assert np.isfinite(draws).all()
