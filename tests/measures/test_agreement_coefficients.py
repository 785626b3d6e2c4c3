"""Agreement against scikit-learn, statsmodels, krippendorff, irrCAC's published values and worked examples."""

import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    cohen_kappa_score,
    confusion_matrix,
    f1_score,
    precision_recall_fscore_support,
)
from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss

from assay.measures.alpha import krippendorff_alpha
from assay.measures.distances import bias, mad, rmse
from assay.measures.kappas import (
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    macro_f1,
    rating_parts,
)
from assay.measures.tabulate import confusion, counts_of

NAN = float("nan")
LEVELS = ("nominal", "ordinal", "interval", "ratio")

# Ten subjects by five categories, fourteen raters; the worked example that goes with Fleiss (1971) in textbooks: 0.210.
FOURTEEN = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
# Krippendorff (2011), section C/D: four observers, twelve units, with gaps.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)


def pairs(k=4, least=1, most=40):
    code = st.integers(0, k - 1)
    return st.lists(st.tuples(code, code), min_size=least, max_size=most)


def tables(k=4, items=12):
    return st.lists(st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=1, max_size=items)


def split(drawn):
    return np.array([a for a, _ in drawn]), np.array([b for _, b in drawn])


@given(pairs())
def test_a_confusion_matrix_is_scikit_learns(drawn):
    first, second = split(drawn)
    assert (confusion(first, second, 4) == confusion_matrix(first, second, labels=range(4))).all()


@pytest.mark.parametrize(
    ("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")]
)
@given(drawn=pairs())
def test_kappa_is_scikit_learns(weights, theirs, drawn):
    first, second = split(drawn)
    found = cohen_kappa(confusion(first, second, 4), weights)
    if len({*first, *second}) == 1:
        assert found.value is None
        assert "one category" in found.reason
        return
    assert found.value == pytest.approx(
        cohen_kappa_score(first, second, labels=range(4), weights=theirs), abs=1e-9
    )


def test_kappa_of_a_table_worked_out_by_hand():
    # Observed 35/50 = 0.7; by chance 0.5 · 0.6 + 0.5 · 0.4 = 0.5; so 0.2 / 0.5.
    found = cohen_kappa([[20, 5], [10, 15]])
    assert (found.value, found.observed, found.expected) == pytest.approx((0.4, 0.7, 0.5))
    assert found.n == 50


def test_kappa_takes_what_categories_are_worth():
    # Grades of 0, 1, 6 and 7 points: near the ends is near.
    first, second = [0, 0, 3, 3, 1, 2], [1, 0, 2, 3, 1, 2]
    by_place = cohen_kappa(confusion(first, second, 4), "quadratic").value
    by_points = cohen_kappa(confusion(first, second, 4), "quadratic", values=[0, 1, 6, 7]).value
    points = np.array([0, 1, 6, 7])
    a, b = points[first], points[second]
    # Quadratic κ is 1 - Σ d² / Σ over all pairs d² / n.
    expected = 1 - np.mean((a - b) ** 2) / np.mean((a[:, None] - b[None, :]) ** 2)
    assert by_points == pytest.approx(expected)
    assert by_points > by_place


@given(pairs(least=2))
def test_f1_is_scikit_learns(drawn):
    truth, said = split(drawn)
    found = macro_f1(confusion(truth, said, 4))
    assert found.value == pytest.approx(f1_score(truth, said, average="macro", zero_division=0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        precision, recall, f1, support = precision_recall_fscore_support(
            truth, said, labels=range(4), zero_division=0
        )
    for at, score in enumerate(found.classes):
        assert score.support == support[at]
        assert (score.precision or 0) == pytest.approx(precision[at])
        assert (score.recall or 0) == pytest.approx(recall[at])
        assert (score.f1 or 0) == pytest.approx(f1[at])
        assert (score.recall is None) == (support[at] == 0)


def test_f1_says_which_classes_it_leaves_out():
    found = macro_f1(confusion([0, 0, 1], [0, 1, 1], 4))
    assert found.value == pytest.approx(2 / 3)
    assert found.reason == "never true and never predicted, left out: 2, 3"
    assert macro_f1(np.zeros((2, 2))).reason == "no items"


def test_fleiss_of_the_textbook_table():
    found = fleiss_kappa(FOURTEEN)
    assert found.value == pytest.approx(0.20993, abs=1e-5)
    assert (found.observed, found.expected) == pytest.approx((0.37802, 0.21276), abs=1e-5)
    assert (found.n, found.ratings) == (10, 140)


@given(st.integers(2, 6), st.data())
def test_fleiss_is_statsmodels(raters, data):
    rows = data.draw(
        st.lists(st.lists(st.integers(0, 3), min_size=raters, max_size=raters), min_size=1, max_size=15)
    )
    counts = counts_of(np.array(rows).T, 4)
    found = fleiss_kappa(counts)
    if len({code for row in rows for code in row}) == 1:
        assert found.value is None
        return
    assert found.value == pytest.approx(their_fleiss(counts), abs=1e-9)


def test_fleiss_averages_over_items_where_raters_are_unequal():
    # Items: {2, 0}, {1, 2}, {1, 0}. Agreement 1 and 1/3 over the two with pairs: 2/3. Shares of the first category
    # 1, 1/3, 1: mean 7/9; chance 49/81 + 4/81 = 53/81; (2/3 - 53/81) / (28/81) = 1/28.
    found = fleiss_kappa([[2, 0], [1, 2], [1, 0]])
    assert found.value == pytest.approx(1 / 28)
    assert (found.n, found.ratings) == (2, 5)


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_krippendorffs_example(level, alpha):
    found = krippendorff_alpha(OBSERVERS, level)
    assert found.value == pytest.approx(alpha, abs=5e-4)
    assert (found.n, found.ratings) == (11, 40)


@pytest.mark.parametrize("level", LEVELS)
@settings(deadline=None)
@given(
    rows=st.lists(
        st.lists(st.sampled_from([-1, 0, 1, 2, 5]), min_size=3, max_size=3), min_size=1, max_size=15
    )
)
def test_alpha_is_the_librarys(level, rows):
    ratings = np.array(rows).T
    gaps = np.where(ratings < 0, NAN, ratings)
    found = krippendorff_alpha(ratings, level)
    assert found == krippendorff_alpha(gaps, level)
    paired = [[x for x in row if x >= 0] for row in rows]
    paired = [row for row in paired if len(row) > 1]
    if not paired:
        assert found.reason == "no item has two ratings"
        return
    if len({x for row in paired for x in row}) == 1:
        assert found.value is None
        assert "equal" in found.reason
        return
    theirs = krippendorff.alpha(reliability_data=gaps, level_of_measurement=level)
    assert found.value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_counts_is_that_of_ratings(level):
    counts = counts_of(np.where(np.isnan(OBSERVERS), -1, OBSERVERS).astype(int))
    found = krippendorff_alpha(counts, level, kind="counts")
    assert found.value == pytest.approx(krippendorff_alpha(OBSERVERS, level).value)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_by_sums_is_alpha_by_pairs(level, monkeypatch):
    random = np.random.default_rng(3)
    ratings = random.integers(0, 9, (4, 60)).astype(float) + 1e6
    ratings[random.random(ratings.shape) < 0.3] = NAN
    pairwise = krippendorff_alpha(ratings, level)
    monkeypatch.setattr("assay.measures.alpha._MOST_VALUES", 3)
    assert krippendorff_alpha(ratings, level).value == pytest.approx(pairwise.value, abs=1e-9)
    with pytest.raises(ValueError, match="too many"):
        krippendorff_alpha(ratings, "ratio")


def test_ac_worked_out_by_hand():
    # Observed 0.9; shares of the first category 0.9 and 0.9: chance 2 · 0.9 · 0.1 = 0.18; (0.9 - 0.18) / 0.82,
    # where κ makes of the same table 0.444.
    table = [[85, 5], [5, 5]]
    assert gwet_ac(table).value == pytest.approx(0.72 / 0.82)
    assert cohen_kappa(table).value == pytest.approx(0.08 / 0.18)


# What irrCAC 0.4.4 makes of Krippendorff's example: Gwet's AC and the generalised Fleiss κ, both with gaps.
PUBLISHED = {
    "none": (0.775444068127, 0.761169275422),
    "linear": (0.858739136433, 0.817944767097),
    "quadratic": (0.914000723552, 0.864935064935),
    "ordinal": (0.898939769908, 0.850206189397),
}


@pytest.mark.parametrize("weights", list(PUBLISHED))
def test_ac_and_fleiss_with_gaps_are_irrcacs(weights):
    counts = counts_of(np.where(np.isnan(OBSERVERS), -1, OBSERVERS - 1).astype(int), 5)
    ac, fleiss = PUBLISHED[weights]
    assert gwet_ac(counts, weights, kind="counts").value == pytest.approx(ac, abs=1e-11)
    assert fleiss_kappa(counts, weights).value == pytest.approx(fleiss, abs=1e-11)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ("none", 0.55773955774),
        ("linear", 0.634252539913),
        ("quadratic", 0.691868758916),
        ("ordinal", 0.672883787661),
    ],
)
def test_ac_of_two_raters_is_irrcacs(weights, expected):
    first = [2, 3, 0, 3, 1, 2, 2, 1, 3, 0, 1, 1, 2, 1, 0, 0, 0, 0, 0, 3, 0, 2, 3, 0, 1, 1, 1, 3, 0, 3]
    second = [2, 3, 0, 2, 1, 2, 2, 0, 3, 3, 3, 1, 3, 3, 0, 1, 0, 0, 0, 3, 0, 3, 3, 0, 2, 1, 1, 3, 0, 2]
    found = gwet_ac(confusion(first, second), weights)
    assert found.value == pytest.approx(expected, abs=1e-11)
    as_counts = gwet_ac(counts_of([first, second]), weights, kind="counts")
    assert as_counts.value == pytest.approx(found.value)


def coefficients(first, second, k=4):
    matrix = confusion(first, second, k)
    ratings = np.array([first, second])
    counts = counts_of(ratings, k)
    return {
        **{f"kappa {w}": cohen_kappa(matrix, w).value for w in ("none", "linear", "quadratic", "ordinal")},
        **{f"ac {w}": gwet_ac(matrix, w).value for w in ("none", "linear", "quadratic", "ordinal")},
        **{f"alpha {level}": krippendorff_alpha(ratings, level).value for level in LEVELS},
        "fleiss": fleiss_kappa(counts).value,
        "f1": macro_f1(matrix).value,
    }


def same(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert (value is None) == (other[name] is None), name
        if value is not None:
            assert value == pytest.approx(other[name], abs=1e-9), name


@given(pairs())
def test_who_is_first_does_not_matter(drawn):
    first, second = split(drawn)
    same(coefficients(first, second), coefficients(second, first))


@given(pairs(), st.permutations(range(4)))
def test_what_categories_are_called_does_not_matter_without_an_order(drawn, names):
    first, second = split(drawn)
    named = np.array(names)
    plain = {"kappa none", "ac none", "alpha nominal", "fleiss", "f1"}
    one, other = coefficients(first, second), coefficients(named[first], named[second])
    same({name: one[name] for name in plain}, {name: other[name] for name in plain})


@given(pairs())
def test_turning_the_scale_around_does_not_matter(drawn):
    first, second = split(drawn)
    one, other = coefficients(first, second), coefficients(3 - first, 3 - second)
    # A ratio has a zero, at one end only.
    one.pop("alpha ratio")
    other.pop("alpha ratio")
    same(one, other)


@given(pairs(), st.randoms())
def test_the_order_of_items_does_not_matter(drawn, random):
    shuffled = list(drawn)
    random.shuffle(shuffled)
    same(coefficients(*split(drawn)), coefficients(*split(shuffled)))


@given(st.lists(st.integers(0, 3), min_size=2).filter(lambda codes: len(set(codes)) > 1))
def test_perfect_agreement_is_1(codes):
    for name, value in coefficients(codes, codes).items():
        assert value == pytest.approx(1), name


@given(pairs())
def test_nothing_is_above_1_or_not_a_number(drawn):
    for value in coefficients(*split(drawn)).values():
        assert value is None or value <= 1 + 1e-9


def test_nothing_to_go_by_is_a_reason():
    nothing = np.zeros((3, 3))
    for found in (
        cohen_kappa(nothing),
        gwet_ac(nothing),
        fleiss_kappa(np.zeros((0, 3))),
        fleiss_kappa([[1, 0], [0, 1]]),
        gwet_ac([[1, 0]], kind="counts"),
        gwet_ac([[5]]),
        krippendorff_alpha(np.full((3, 4), NAN)),
        krippendorff_alpha([[1, 2, 3]]),
        krippendorff_alpha([[2, 2], [2, 2]], "interval"),
        cohen_kappa([[7, 0], [0, 0]]),
    ):
        assert found.value is None
        assert found.reason
    # Agreement on the one category that is used is agreement to AC, whose scale has another.
    assert gwet_ac([[7, 0], [0, 0]]).value == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: confusion([0, 1], [0]),
        lambda: confusion([0, 4], [0, 1], 3),
        lambda: confusion([-1], [0], 3),
        lambda: confusion([0.5], [0]),
        lambda: confusion(["a"], ["b"]),
        lambda: confusion([0, 10**9], [0, 1]),
        lambda: counts_of([[10**9], [0]]),
        lambda: cohen_kappa([[1, 2]]),
        lambda: cohen_kappa([[NAN]]),
        lambda: cohen_kappa([[1, -1], [0, 0]]),
        lambda: cohen_kappa([[1, 2], [3, 4]], "cubic"),
        lambda: cohen_kappa([[1, 2], [3, 4]], "linear", values=[1, 1]),
        lambda: fleiss_kappa([1, 2]),
        lambda: fleiss_kappa([[0.5, 1]]),
        lambda: krippendorff_alpha([[1, 2]], "metric"),
        lambda: krippendorff_alpha([[1, float("inf")]]),
        lambda: krippendorff_alpha([[-1.0, 2.0], [1.0, 2.0]], "ratio"),
        lambda: krippendorff_alpha([[1, 1]], "interval", kind="counts", values=[2, 1]),
        lambda: counts_of([1, 2]),
        lambda: counts_of([[1, 2]], 2),
        lambda: mad([1], [NAN]),
        lambda: mad([1], [1, 2]),
    ],
)
def test_what_is_not_such_data_is_refused(call):
    with pytest.raises(ValueError):
        call()


def test_parts_of_items_add_up_to_their_coefficients():
    from assay.measures.additive import ac_parts, fleiss_parts, similarity

    random = np.random.default_rng(1)
    counts = random.integers(0, 3, (50, 4))
    for weights in ("none", "quadratic"):
        sums, w = rating_parts(counts, weights).sum(axis=0), similarity(4, weights)
        assert float(ac_parts(sums, w)) == pytest.approx(gwet_ac(counts, weights, kind="counts").value)
        assert float(fleiss_parts(sums, w)) == pytest.approx(fleiss_kappa(counts, weights).value)


def test_distances_of_scores():
    first, second = [1.0, 2.0, 3.0, 6.0], [1.0, 3.0, 3.0, 3.0]
    assert mad(first, second).value == pytest.approx(1.0)
    assert bias(first, second).value == pytest.approx(0.5)
    assert rmse(first, second).value == pytest.approx((10 / 4) ** 0.5)


def test_distances_rest_on_groups():
    random = np.random.default_rng(0)
    apart = np.repeat(random.normal(size=20), 10)
    free = mad(apart, np.zeros(200))
    grouped = mad(apart, np.zeros(200), [at // 10 for at in range(200)])
    assert (free.clusters, grouped.clusters) == (200, 20)
    assert grouped.half > 2.5 * free.half
    assert mad([], []).reason


def test_a_million_judgments_take_no_longer_than_scikit_learn():
    """The ratio is below 0.2 on an idle machine; the bar leaves room for a busy one."""
    import time

    random = np.random.default_rng(0)
    first = random.integers(0, 5, 1_000_000)
    second = np.where(random.random(len(first)) < 0.6, first, random.integers(0, 5, len(first)))

    def clocked(call):
        start = time.process_time()
        value = call()
        return value, time.process_time() - start

    ours, mine = clocked(lambda: cohen_kappa(confusion(first, second, 5), "quadratic").value)
    theirs, other = clocked(lambda: cohen_kappa_score(first, second, weights="quadratic"))
    assert ours == pytest.approx(theirs)
    assert mine < other
