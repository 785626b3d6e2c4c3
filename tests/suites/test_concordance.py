"""Concordance of rubrics."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.suites.concordance import RubricComparison, RubricScore, compare_rubrics

SYSTEMS = ("ada", "bob", "cy", "dee")


def scores(rubric, values):
    return [RubricScore(rubric, task, system, value) for (task, system), value in values.items()]


def grid(tasks, worth):
    return {(str(t), system): worth(t, system) for t in range(tasks) for system in SYSTEMS}


def test_the_same_order_agrees_fully_and_the_reverse_not_at_all():
    values = grid(5, lambda t, s: SYSTEMS.index(s) + t / 10)
    same = {key: value * 2 + 1 for key, value in values.items()}
    other = {key: -value for key, value in values.items()}
    found = compare_rubrics(scores("x", values) + scores("y", same) + scores("z", other), [])
    by = {(pair.first, pair.second): pair for pair in found.between}
    assert by["x", "y"].systems.value == pytest.approx(1)
    assert by["x", "y"].reports.value == pytest.approx(1)
    assert by["x", "z"].systems.value == pytest.approx(-1)
    assert by["x", "z"].systems_kendall.value == pytest.approx(-1)
    assert found.reports == 20
    assert found.tasks == 5


def test_a_win_rate_leaves_ties_out_and_says_how_many_there_were():
    rows = [
        RubricComparison("p", ("1", "ada"), ("1", "bob"), 1),
        RubricComparison("p", ("2", "ada"), ("2", "bob"), 0),
        RubricComparison("p", ("3", "ada"), ("3", "bob"), -1),
        RubricComparison("p", ("4", "ada"), ("4", "bob"), 1),
        RubricComparison("p", ("5", "ada"), ("5", "bob"), None),
    ]
    (table,) = compare_rubrics([], rows).tables
    assert table.kind == "win rate"
    first, second = table.standings
    assert (first.system, first.n, first.of) == ("ada", 3, 5)
    assert first.value == pytest.approx(2 / 3)
    assert second.value == pytest.approx(1 / 3)


def test_a_report_without_a_verdict_is_in_no_mean():
    rows = [
        RubricScore("x", "1", "ada", 0.5),
        RubricScore("x", "2", "ada", None),
        RubricScore("x", "1", "bob", None),
    ]
    (table,) = compare_rubrics(rows, []).tables
    assert [(item.system, item.value, item.n, item.of) for item in table.standings] == [
        ("ada", 0.5, 1, 2),
        ("bob", None, 0, 1),
    ]
    assert table.standings[1].rank is None


def test_too_few_systems_give_no_figure_and_a_reason():
    rows = scores("x", {("1", "ada"): 1.0, ("1", "bob"): 2.0}) + scores(
        "y", {("1", "ada"): 1.0, ("1", "bob"): 2.0}
    )
    (pair,) = compare_rubrics(rows, []).between
    assert pair.systems.value is None
    assert pair.systems.reason


def test_what_is_seen_most_differently_is_named_first():
    values = grid(4, lambda t, s: float(SYSTEMS.index(s) * 10 + t))
    odd = {**values, ("0", "ada"): 1000.0}
    found = compare_rubrics(scores("x", values) + scores("y", odd), [])
    assert (found.gaps[0].id, found.gaps[0].system) == ("0", "ada")
    assert found.gaps[0].place_first == 0
    assert found.gaps[0].place_second == 1


def test_what_is_seen_alike_is_no_gap():
    values = grid(4, lambda t, s: float(SYSTEMS.index(s) * 10 + t))
    same = {key: value * 2 for key, value in values.items()}
    assert compare_rubrics(scores("x", values) + scores("y", same), []).gaps == ()


def test_equal_systems_share_their_place():
    rows = scores("x", {("1", "ada"): 2.0, ("1", "bob"): 2.0, ("1", "cy"): 1.0})
    (table,) = compare_rubrics(rows, []).tables
    assert [(item.system, item.rank) for item in table.standings] == [("ada", 1.5), ("bob", 1.5), ("cy", 3.0)]


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_figures_are_those_of_scipy(seed):
    from scipy.stats import kendalltau, spearmanr

    draw = random.Random(seed)
    one = grid(3, lambda t, s: draw.choice([0.0, 0.5, 1.0, 2.0]))
    two = grid(3, lambda t, s: draw.choice([0.0, 0.5, 1.0, 2.0]))
    (pair,) = compare_rubrics(scores("x", one) + scores("y", two), []).between
    keys = list(one)
    constant = len({*one.values()}) == 1 or len({*two.values()}) == 1
    if constant:
        assert pair.reports.value is None
        return
    expected = spearmanr([one[k] for k in keys], [two[k] for k in keys]).statistic
    assert pair.reports.value == pytest.approx(expected)
    means = [
        [sum(v for (_, s), v in side.items() if s == name) / 3 for name in SYSTEMS] for side in (one, two)
    ]
    if all(len(set(side)) > 1 for side in means):
        tau = kendalltau(*means).statistic
        assert pair.systems_kendall.value == pytest.approx(tau) or math.isclose(
            tau, pair.systems_kendall.value
        )


def test_rubrics_are_compared_on_the_reports_both_have_judged():
    # By y, dee wrote the best report of all, which x has not judged: on what both have, they see the same order.
    one = {("1", s): float(-SYSTEMS.index(s)) for s in SYSTEMS}
    two = {**one, ("2", "dee"): 1000.0}
    found = compare_rubrics(scores("x", one) + scores("y", two), [])
    (pair,) = found.between
    assert pair.systems.value == pytest.approx(1)
    assert pair.systems_kendall.value == pytest.approx(1)
    assert [table.same_tasks for table in found.tables] == [True, False]


def test_tasks_whose_reports_have_no_score_are_not_shared():
    rows = [
        RubricScore("x", "1", "ada", 0.5),
        RubricScore("x", "1", "bob", 0.4),
        RubricScore("x", "2", "ada", 0.1),
    ]
    without = [*rows, RubricScore("x", "2", "bob", None)]
    whole = [*rows, RubricScore("x", "2", "bob", 0.2)]
    assert not compare_rubrics(without, []).tables[0].same_tasks
    assert compare_rubrics(whole, []).tables[0].same_tasks
