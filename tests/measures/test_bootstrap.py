"""Clustered bootstrap: against SciPy's, against theory, against itself by the long way round."""

import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score, f1_score

from assay.measures import additive
from assay.measures.bootstrap import (
    bootstrap_difference,
    bootstrap_tables,
    clustered,
    draw_sums,
)
from assay.measures.grouped import Tables, confusion_tables, moment_tables, numbered, share_tables
from assay.measures.ranks import bootstrap_ranks


def judged(n=600, groups=40, k=4, seed=0):
    random = np.random.default_rng(seed)
    group = random.integers(0, groups, n)
    first = random.integers(0, k, n)
    # How good the judge is depends on the group, so groups matter.
    skill = random.random(groups)[group]
    second = np.where(random.random(n) < skill, first, random.integers(0, k, n))
    return first, second, group


def test_the_interval_of_a_share_is_scipys():
    random = np.random.default_rng(1)
    hits = random.random(300) < 0.7
    ours = clustered("accuracy", hits, draws=4000)
    theirs = stats.bootstrap((hits,), np.mean, method="percentile", n_resamples=4000).confidence_interval
    assert ours.value == pytest.approx(hits.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.008)
    assert (ours.n, ours.clusters, ours.method) == (300, 300, "bootstrap")


def test_every_way_of_drawing_gives_the_same_interval(monkeypatch):
    """Counted equal tables, groups drawn one by one, Poisson numbers of draws."""
    first, second, group = judged(4000, 1500)
    hits = first == second
    found = []
    tables = share_tables(hits, group)
    assert tables.distinct() is not None
    found.append(bootstrap_tables(tables, additive.share, draws=3000))
    monkeypatch.setattr(Tables, "distinct", lambda self: None)
    found.append(bootstrap_tables(tables, additive.share, draws=3000))
    monkeypatch.setattr("assay.measures.bootstrap._DRAWN", 10)
    found.append(bootstrap_tables(tables, additive.share, draws=3000))
    for other in found[1:]:
        assert (other.low, other.high) == pytest.approx((found[0].low, found[0].high), abs=0.003)
    assert len({(one.low, one.high) for one in found}) == 3


def test_groups_make_the_interval_as_wide_as_it_is():
    random = np.random.default_rng(3)
    hits = np.repeat(random.random(50) < 0.5, 20)
    group = np.repeat(np.arange(50), 20)
    free, grouped = clustered("accuracy", hits), clustered("accuracy", hits, groups=group, draws=4000)
    # Copies of one another add nothing: the interval is that of 50.
    assert grouped.half == pytest.approx(1.96 * (hits.mean() * (1 - hits.mean()) / 50) ** 0.5, rel=0.08)
    assert grouped.half > 4 * free.half


def test_the_interval_covers_the_truth_19_times_of_20():
    random = np.random.default_rng(4)
    inside = 0
    for at in range(300):
        rates = random.beta(3, 2, 60)
        hits = random.random((60, 5)) < rates[:, None]
        found = clustered("accuracy", hits.ravel(), groups=np.repeat(np.arange(60), 5), draws=300, seed=at)
        inside += found.low <= 0.6 <= found.high
    # 285 expected; three standard errors are 11, and the percentile bootstrap of 60 groups is a little short.
    assert 268 <= inside <= 298


@pytest.mark.parametrize(
    "kind", ["kappa", "macro_f1", "agreement", "ac", "pearson", "mad", "rmse", "bias", "spearman", "kendall"]
)
def test_values_and_spread_are_those_of_resampled_items(kind):
    """The long way round: put the drawn groups' items together and work the statistic out anew."""
    first, second, group = judged(400, 30)
    long = {
        "kappa": lambda a, b: cohen_kappa_score(a, b, weights="quadratic", labels=range(4)),
        "macro_f1": lambda a, b: f1_score(a, b, average="macro", zero_division=0),
        "agreement": lambda a, b: np.mean(a == b),
        "ac": _ac,
        "pearson": lambda a, b: np.corrcoef(a, b)[0, 1],
        "mad": lambda a, b: np.mean(np.abs(a - b)),
        "rmse": lambda a, b: np.mean((a - b) ** 2.0) ** 0.5,
        "bias": lambda a, b: np.mean(a - b),
        "spearman": lambda a, b: stats.spearmanr(a, b).statistic,
        "kendall": lambda a, b: stats.kendalltau(a, b).statistic,
    }[kind]
    found = clustered(kind, first, second, group, weights="quadratic", draws=2000)
    assert found.value == pytest.approx(long(first, second), abs=1e-9)
    random = np.random.default_rng(5)
    where = [np.nonzero(group == one)[0] for one in range(30)]
    values = []
    for _ in range(300):
        items = np.concatenate([where[one] for one in random.integers(0, 30, 30)])
        values.append(long(first[items], second[items]))
    low, high = np.quantile(values, (0.025, 0.975))
    assert found.high - found.low == pytest.approx(high - low, rel=0.2)


def _ac(a, b):
    from assay.measures.kappas import gwet_ac
    from assay.measures.tabulate import confusion

    return gwet_ac(confusion(a, b, 4), "quadratic").value


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=40))
def test_rank_correlations_of_tables_are_scipys(drawn):
    first, second = np.array(drawn).T
    for kind, theirs in (("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
        found = clustered(kind, first, second, draws=5)
        if len(set(first)) == 1 or len(set(second)) == 1:
            assert found.value is None
            assert found.reason == "not defined on these items"
        else:
            assert found.value == pytest.approx(theirs(first, second).statistic, abs=1e-9)


def test_one_seed_one_interval():
    first, second, group = judged()
    one = clustered("kappa", first, second, group, draws=200)
    assert one == clustered("kappa", first, second, group, draws=200)
    assert one != clustered("kappa", first, second, group, draws=200, seed=1)
    assert one.half < clustered("kappa", first, second, group, draws=200, level=0.99).half


def test_alpha_is_drawn_from_coincidences_of_groups():
    from assay.measures.alpha import coincidences, krippendorff_alpha
    from assay.measures.tabulate import counts_of

    first, second, group = judged()
    counts = counts_of([first, second], 4)
    tables = np.stack([coincidences(counts[group == one]) for one in range(40)])
    scale = np.arange(4.0)
    for level in ("nominal", "ordinal", "interval", "ratio"):
        found = bootstrap_tables(
            tables, lambda sums, level=level: additive.alpha(sums, level, scale), draws=300
        )
        assert found.value == pytest.approx(krippendorff_alpha([first, second], level).value)
        assert found.low < found.value < found.high


def test_a_difference_is_paired():
    random = np.random.default_rng(6)
    truth = random.integers(0, 4, 500)
    group = np.repeat(np.arange(50), 10)
    good = np.where(random.random(500) < 0.7, truth, random.integers(0, 4, 500))
    # The other differs from the first in few places: a paired interval sees that, two single ones do not.
    other = np.where(random.random(500) < 0.05, (good + 1) % 4, good)
    for kind, statistic in (("macro_f1", additive.macro_f1), ("agreement", additive.observed_confusion)):
        tables = [confusion_tables(truth, each, group, 4) for each in (good, other)]
        found = bootstrap_difference(*tables, statistic)
        alone = clustered(kind, truth, good, group)
        assert found.value == pytest.approx(
            alone.value - clustered(kind, truth, other, group).value, abs=1e-9
        )
        assert found.half < 0.6 * alone.half


def test_tables_that_were_counted_together_do_not_pair():
    hits = np.array([1, 0, 1, 1])
    with pytest.raises(ValueError, match="do not pair"):
        bootstrap_difference(share_tables(hits), share_tables(1 - hits), additive.share)
    # Not even where all happen to differ: their order is not that of the items.
    one, other = confusion_tables([0, 1], [0, 1]), confusion_tables([1, 0], [1, 0])
    with pytest.raises(ValueError, match="do not pair"):
        one.beside(other)


def test_a_million_groups_of_one_are_drawn_at_once():
    random = np.random.default_rng(7)
    first = random.integers(0, 5, 1_000_000)
    second = np.where(random.random(len(first)) < 0.6, first, random.integers(0, 5, len(first)))
    whole = clustered("kappa", first, second, np.arange(len(first)), draws=50)
    plain = clustered("kappa", first, second, draws=50)
    assert (whole.value, whole.clusters) == (pytest.approx(plain.value), 1_000_000)
    assert whole.half == pytest.approx(plain.half, rel=0.3)


def test_many_steps_without_groups_stay_small():
    random = np.random.default_rng(1)
    first = random.integers(0, 60, 40_000)
    second = (first + random.integers(0, 30, 40_000)) % 60
    tracemalloc.start()
    found = clustered("spearman", first, second, draws=100)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.value == pytest.approx(stats.spearmanr(first, second).statistic)
    assert found.low < found.value < found.high
    assert used < 100e6


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=300))
def test_no_groups_are_groups_of_one(drawn):
    first, second = np.array(drawn).T
    for kind in ("kappa", "accuracy", "macro_f1"):
        values = (first / 7, None) if kind == "accuracy" else (first, second)
        bare = clustered(kind, *values, k=10, draws=5)
        alone = clustered(kind, *values, np.arange(len(first)), k=10, draws=5)
        assert (bare.n, bare.clusters) == (alone.n, alone.clusters) == (len(first), len(first))
        assert (bare.value is None) == (alone.value is None)
        assert bare.value is None or bare.value == pytest.approx(alone.value)


def test_sparse_tables_are_dense_ones(monkeypatch):
    first, second, group = judged(3000, 900)
    dense = clustered("kappa", first, second, group, draws=300)
    monkeypatch.setattr("assay.measures.grouped._DENSE", 10)
    sparse = clustered("kappa", first, second, group, draws=300)
    assert (sparse.value, sparse.low, sparse.high) == pytest.approx((dense.value, dense.low, dense.high))
    tables = [confusion_tables(first, each, group) for each in (second, np.roll(second, 1))]
    paired = bootstrap_difference(*tables, additive.observed_confusion, draws=50)
    assert paired.low < paired.value < paired.high


def test_memory_is_flat():
    """In draws as in items; a thousand resamples of a million hits would be 1 GB, of their places 8 GB."""

    def peak(n, draws):
        random = np.random.default_rng(0)
        hits, group = random.random(n) < 0.7, random.integers(0, 2000, n)
        tracemalloc.start()
        clustered("accuracy", hits, groups=group, draws=draws)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    usual = peak(100_000, 1000)
    assert usual < 60e6
    assert peak(1_000_000, 1000) < 1.1 * usual
    assert peak(100_000, 5000) < 1.1 * usual


def test_a_million_judgments_take_less_than_scipys_bootstrap_of_a_twentieth():
    """The ratio is below 0.1 on an idle machine; the bar leaves room for a busy one."""
    random = np.random.default_rng(0)
    hits, group = random.random(1_000_000) < 0.7, random.integers(0, 1000, 1_000_000)
    start = time.process_time()
    clustered("accuracy", hits, groups=group, draws=1000)
    ours = time.process_time() - start
    start = time.process_time()
    stats.bootstrap((hits[:50_000],), np.mean, method="percentile", n_resamples=1000, batch=50)
    assert ours < time.process_time() - start


def test_where_there_is_no_interval_there_is_a_reason():
    assert clustered("accuracy", []).reason == "nothing to average"
    for kind in ("kappa", "mad", "spearman"):
        for groups in (None, []):
            assert clustered(kind, [], [], groups).reason == "nothing to average"
    assert clustered("accuracy", [1, 0, 1], groups=[0, 0, 0]).reason == "one cluster has no spread"
    always = clustered("accuracy", [1, 1, 1])
    assert (always.value, always.low, always.reason) == (1, None, "all resamples give the same value")
    flat = clustered("kappa", [1, 1, 1], [1, 1, 1])
    assert (flat.value, flat.reason) == (None, "not defined on these items")
    # One of three groups has the second category: eight in 27 of the resamples have no κ.
    half = clustered("kappa", [0, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0], groups=[0, 0, 1, 1, 2, 2], draws=400)
    assert half.value == 1
    assert "not defined on" in half.reason


@pytest.mark.parametrize(
    "call",
    [
        lambda: clustered("f3", [1], [1]),
        lambda: clustered("kappa", [1]),
        lambda: clustered("kappa", [1], [1, 2]),
        lambda: clustered("accuracy", [1.0, float("nan")]),
        lambda: clustered("accuracy", [1, 0], groups=[1]),
        lambda: clustered("accuracy", [1, 0], draws=0),
        lambda: clustered("accuracy", [1, 0], level=1),
        lambda: clustered("mad", [1], [float("inf")]),
        lambda: clustered("spearman", np.arange(100), np.arange(100)),
        lambda: bootstrap_tables([1.0, 2.0], additive.share),
        lambda: bootstrap_difference(np.ones((3, 2)), np.ones((4, 2)), additive.share),
        lambda: bootstrap_ranks([1, 2, 3], [1, 2]),
        lambda: bootstrap_ranks([1, 2, 3], [1, 2, 3], kind="rho"),
    ],
)
def test_what_cannot_be_drawn_from_is_refused(call):
    with pytest.raises(ValueError):
        call()


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
def test_ranks_of_scores_without_steps(kind):
    random = np.random.default_rng(8)
    first = random.normal(size=300)
    second = first + random.normal(size=300)
    theirs = {"spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind](first, second).statistic
    found = bootstrap_ranks(first, second, kind=kind, draws=400)
    assert found.value == pytest.approx(theirs)
    by_formula = {"spearman": ((1 + theirs**2 / 2) / 297) ** 0.5, "kendall": (0.437 / 296) ** 0.5}[kind]
    assert found.half == pytest.approx(1.96 * by_formula * (1 - theirs**2), rel=0.2)
    # Rounded to steps it is what the tables say.
    a, b = np.round(first), np.round(second)
    assert bootstrap_ranks(a, b, kind=kind, draws=2).value == pytest.approx(
        clustered(kind, a, b, draws=2).value
    )
    copies = bootstrap_ranks(
        np.tile(first, 4), np.tile(second, 4), np.tile(np.arange(300), 4), kind=kind, draws=200
    )
    assert copies.half == pytest.approx(found.half, rel=0.25)


def test_ranks_that_are_not_there(monkeypatch):
    assert bootstrap_ranks([1, 2], [2, 1]).reason == "2 points; at least 3 are needed"
    assert bootstrap_ranks([1, 1, 1], [2, 1, 3]).reason == "the first scores do not vary"
    assert bootstrap_ranks([1, 2, 3], [2, 1, 3], [0, 0, 0]).reason == "one cluster has no spread"
    assert bootstrap_ranks([1, 2, 3, 4], [1, 2, 3, 4], draws=50).reason
    monkeypatch.setitem(__import__("assay.measures.ranks", fromlist=["_MOST"])._MOST, "kendall", 5)
    many = bootstrap_ranks(np.arange(9), np.arange(9)[::-1], kind="kendall")
    assert (many.value, many.reason) == (-1, "no interval for more than 5 items")


@given(st.lists(st.integers(-3, 50) | st.sampled_from([0, 7])))
def test_groups_are_numbered_alike_however_they_come(names):
    index, many = numbered(np.array(names, dtype=int))
    listed, too = numbered([str(name) for name in names])
    assert many == too == len(set(names))
    assert all(
        (index[a] == index[b]) == (listed[a] == listed[b]) for a in range(len(names)) for b in range(a)
    )


def test_moments_of_far_off_scores_lose_nothing():
    random = np.random.default_rng(9)
    first = random.normal(size=200)
    second = first + random.normal(size=200)
    near, far = clustered("pearson", first, second), clustered("pearson", first + 1e8, second - 1e8)
    assert far.value == pytest.approx(near.value, abs=1e-6)
    assert moment_tables(first, second).shape == (9,)


def test_draws_come_in_whole():
    tables = confusion_tables([0, 1, 1], [0, 1, 0], [0, 1, 2])
    sums = np.concatenate(list(draw_sums(tables, 500, 0)))
    assert sums.shape == (500, 2, 2)
    assert (sums.sum(axis=(1, 2)) == 3).all()
    assert sums.mean(axis=0) == pytest.approx(np.array([[1, 0], [1, 1]]), abs=0.15)
