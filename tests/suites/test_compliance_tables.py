"""Tables of grades: worked by hand, and nothing averaged over what has no verdict."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.judges.compliance import compliance_of as compliance
from assay.judges.compliance import mark
from assay.judges.judgment import Judgment
from assay.suites.compliance.build import compliance_tables
from assay.suites.compliance.marks import failed, in_order
from assay.suites.compliance.prompts import GradedTask
from assay.suites.registry import find_suite

from .grades import AXES, criterion, grade, many, sourced


def tables(*grades, **rest):
    return compliance_tables(sourced(*grades), **rest)


def test_compliance_by_hand():
    # (5·1 + 2·½ + 3·0 - 4·½) / (5 + 2 + 3); without half marks (5 + 0 + 0 - 0) / 10
    found = grade(
        "s", "t", criterion("a", 5, 1), criterion("b", 2, 0.5), criterion("c", 3, 0), criterion("d", -4, 0.5)
    )
    assert compliance(found, "ternary") == pytest.approx(0.4)
    assert compliance(found, "binary") == pytest.approx(0.5)


def test_compliance_needs_every_verdict_and_in_part_leaves_the_weight_out():
    found = grade("s", "t", criterion("a", 5, 1), criterion("b", 3, None), criterion("c", 2, 0))
    assert compliance(found, "ternary") is None
    assert compliance(found, "ternary", partly=True) == pytest.approx(5 / 7)
    assert compliance(grade("s", "t", criterion("a", -2, 0.0)), "binary") is None
    assert compliance(grade("s", "t"), "binary", partly=True) is None


def test_a_binary_grade_has_no_ternary_figure():
    found = grade("s", "t", criterion("a", 5, 1), grading="binary")
    assert compliance(found, "ternary") is None
    record = tables(found, grade("s", "u", criterion("a", 5, 0), grading="binary"))
    assert record.gradings == ("binary",)
    assert set(record.systems[0].compliance) == {"binary"}
    assert "no ternary figures" in " ".join(record.notes)


def test_a_score_without_the_status_is_no_mark():
    assert mark(criterion("a", 1, 1.0, status="failed"), "binary") is None


@pytest.mark.parametrize(
    ("weight", "score", "grading", "rule", "expected"),
    [
        (3, 0, "ternary", "harm", True),
        (3, 0.5, "ternary", "harm", False),
        (3, 0.5, "binary", "harm", True),
        (3, 1, "binary", "harm", False),
        # Of negative weight: bad to meet. Half met is not met without half marks.
        (-3, 1, "ternary", "harm", True),
        (-3, 0.5, "ternary", "harm", False),
        (-3, 0.5, "binary", "harm", False),
        (-3, 0, "ternary", "harm", False),
        # As the paper words it, whatever the weight.
        (-3, 0, "ternary", "verdict", True),
        (-3, 1, "ternary", "verdict", False),
        (-3, None, "ternary", "verdict", None),
    ],
)
def test_what_a_failure_is(weight, score, grading, rule, expected):
    assert failed(criterion("a", weight, score), grading, rule) is expected


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=20))
@settings(deadline=None)
def test_taking_half_marks_away_never_helps_where_all_weights_are_positive(items):
    found = grade("s", "t", *(criterion(str(n), w, m) for n, (w, m) in enumerate(items)))
    assert 0 <= compliance(found, "binary") <= compliance(found, "ternary") <= 1


def test_systems_are_ranked_and_coverage_stands_beside_the_mean():
    record = tables(
        grade("low", "1", criterion("a", 5, 0)),
        grade("low", "2", criterion("a", 5, 0.5)),
        grade("high", "1", criterion("a", 5, 1)),
        grade("high", "2", criterion("a", 5, 0.5)),
        grade("high", "3", criterion("a", 5, None)),
        grade("none", "1", criterion("a", 5, None)),
    )
    high, low, none = record.systems
    assert [row.system for row in record.systems] == ["high", "low", "none"]
    assert (high.compliance["ternary"].value, high.compliance["ternary"].n) == (0.75, 2)
    assert (high.coverage.reports, high.coverage.complete, high.coverage.without) == (3, 2, {"unparsed": 1})
    assert (low.compliance["binary"].value, low.not_graded) == (0.0, ("3",))
    assert (none.compliance["ternary"].value, none.compliance["ternary"].reason) == (
        None,
        "nothing to average",
    )
    notes = " | ".join(record.notes)
    assert "low is not graded on 1 of 3 tasks: 3" in notes
    assert "none is not graded on 2 of 3 tasks: 2, 3" in notes
    assert "high: 1 of 3 reports lack a verdict on some criterion and are left out of compliance: 3" in notes


def test_two_grades_of_one_task_make_one_group():
    record = tables(
        grade("s", "1", criterion("a", 5, 1), report="x"),
        grade("s", "1", criterion("a", 5, 0)),
        grade("s", "2", criterion("a", 5, 1)),
    )
    assert (record.systems[0].compliance["ternary"].n, record.systems[0].compliance["ternary"].clusters) == (
        3,
        2,
    )


def test_pairs_compare_over_common_tasks_only():
    record = tables(
        *(grade("a", str(t), criterion("x", 5, 1.0)) for t in range(4)),
        *(grade("b", str(t), criterion("x", 5, 0.5 if t % 2 else 0.0)) for t in range(1, 4)),
        grade("b", "9", criterion("x", 5, 1.0)),
    )
    (pair,) = [row for row in record.pairs if row.grading == "ternary"]
    assert (pair.a, pair.b, pair.tasks, pair.left_out) == ("a", "b", 3, 2)
    # 0.5, 1, 0.5
    assert pair.difference.value == pytest.approx(2 / 3)
    assert pair.smallest == pytest.approx(pair.difference.high - pair.difference.value)
    assert pair.p == pair.p_holm


def test_a_grade_without_a_task_is_compared_with_none():
    record = tables(
        grade("a", "x", criterion("x", 5, 1), id=None, report="same.md"),
        grade("b", "x", criterion("x", 5, 0), id=None, report="same.md"),
    )
    assert record.pairs[0].tasks == 0
    assert "2 grades name no task" in " ".join(record.notes)


def test_failures_by_axis_by_hand():
    record = tables(
        grade(
            "s",
            "1",
            criterion("a", 5, 0, AXES[1]),
            criterion("b", 1, 0, AXES[0]),
            criterion("c", 1, 1, AXES[0]),
        ),
        grade(
            "s",
            "2",
            criterion("a", 5, 0.5, AXES[1]),
            criterion("b", 1, 0, AXES[0]),
            criterion("c", 1, None, AXES[0]),
        ),
    )
    found = {(row.axis, row.grading): row for row in record.failures}
    explicit = found[AXES[0], "ternary"]
    # Task 1: one of two failures is on the axis; task 2: the only one.
    assert explicit.share.occurring.value == pytest.approx(0.75)
    assert (explicit.verdicts, explicit.criteria, explicit.rate.value) == (3, 4, pytest.approx(2 / 3))
    implicit = found[AXES[1], "ternary"]
    assert (implicit.share.occurring.value, implicit.share.failing.value) == (0.25, 0.5)
    # Without half marks both fail in both.
    assert found[AXES[1], "binary"].share.occurring.value == pytest.approx(0.5)
    assert [row.axis for row in record.failures if row.grading == "binary"] == [AXES[0], AXES[1]]


def test_importance_by_hand():
    record = tables(
        grade("s", "1", criterion("a", 5, 0), criterion("b", 1, 1), criterion("c", 2, 0.5)),
        grade("s", "2", criterion("a", 4, 1), criterion("b", 1, None), criterion("c", 3, 0)),
    )
    found = {(row.mandatory, row.grading): row for row in record.importance if row.axis is None}
    assert (found[True, "ternary"].rate.value, found[True, "ternary"].verdicts) == (0.5, 2)
    assert (
        found[False, "ternary"].failures,
        found[False, "ternary"].verdicts,
        found[False, "ternary"].criteria,
    ) == (1, 3, 4)
    assert found[False, "binary"].failures == 2


def test_strata_come_from_the_grades_or_else_from_the_tasks():
    known = {
        "1": GradedTask(id="1", query="one two three", domain="Health", complexity={"exploration": "Low"})
    }
    record = tables(
        grade("s", "1", criterion("a", 5, 1)),
        grade("s", "2", criterion("a", 5, 0), domain="Travel", complexity={"exploration": "High"}),
        tasks=known,
    )
    rows = [(row.by, row.stratum, row.compliance["ternary"].value) for row in record.strata]
    assert rows == [
        ("domain", "Health", 1),
        ("domain", "Travel", 0),
        ("exploration", "Low", 1),
        ("exploration", "High", 0),
    ]
    assert [(row.by, row.subset, row.words.mean) for row in record.prompts][:2] == [
        ("all", "all", 3),
        ("domain", "Health", 3),
    ]


def test_levels_and_axes_are_in_their_order():
    assert in_order({"High", "Simple", "Moderate"}) == ["Simple", "Moderate", "High"]
    assert in_order({"Deep", "Shallow", "Intermediate"}) == ["Shallow", "Intermediate", "Deep"]
    assert in_order({*AXES, "Other"}) == [*AXES, "Other"]


def test_an_axis_is_one_however_it_is_spelt():
    record = tables(
        grade(
            "s",
            "1",
            criterion("a", 5, 1, "implicit"),
            criterion("b", 5, 1, "Implicit Criteria"),
            criterion("c", 1, 0, "insight"),
        )
    )
    assert [(row.axis, row.criteria) for row in record.rubric.by_axis] == [
        ("Implicit Criteria", 2),
        ("insight", 1),
    ]


def test_length_pooled_and_within_systems():
    # In each system the longer report is worse; the system that writes more is better.
    rows = [
        ("a", 100, 0.5),
        ("a", 200, 0.0),
        ("a", 150, 0.5),
        ("b", 1000, 1.0),
        ("b", 1100, 0.5),
        ("b", 1050, 1.0),
    ]
    record = tables(*(grade(s, str(n), criterion("x", 5, m), words=w) for n, (s, w, m) in enumerate(rows)))
    found = {
        row.over: row.pearson.value
        for row in record.lengths
        if row.measure == "words" and row.grading == "ternary" and row.over != "system"
    }
    assert found["pooled"] > 0.6
    assert found["within"] < -0.8


def test_a_report_of_unknown_length_is_not_of_length_none():
    record = tables(*(grade("s", str(n), criterion("x", 5, n % 3 / 2), words=n * 10) for n in range(6)))
    row = next(row for row in record.lengths if row.measure == "words")
    assert (row.reports, row.pearson.n) == (6, 5)
    assert record.systems[0].words.n == 5


def test_citations_without_marks_have_no_accuracy():
    record = tables(
        grade("s", "1", criterion("x", 5, 1), citations={"marks": 10, "faulty": 2}),
        grade("s", "2", criterion("x", 5, 1), citations={"marks": 30, "faulty": 3}),
        grade("s", "3", criterion("x", 5, 1), citations={"marks": 0, "faulty": 0}),
        grade("s", "4", criterion("x", 5, 1)),
    )
    found = record.systems[0].citations
    assert (found.reports, found.marks.value) == (3, pytest.approx(40 / 3))
    assert (found.accuracy.value, found.accuracy.n, found.pooled) == (pytest.approx(0.85), 2, 35 / 40)


def test_what_spoils_a_comparison_is_said():
    first = grade("a", "1", criterion("x", 5, 1))
    notes = " | ".join(
        tables(
            first,
            first,
            grade("a", "2", criterion("x", 5, 1), judge="grader@demo/y"),
            grade("b", "1", criterion("x", 4, 1), criterion("z", -2, 1), compliance=0.9),
            grade("b", "2", criterion("y", 5, 1, axis=None), grading="binary"),
            grade("c", "1"),
            grade("c", "2", criterion("z", -3, 0.0)),
            unread=["f.jsonl:3: broken"],
        ).notes
    )
    for said in (
        "left out because it cannot be read: f.jsonl:3: broken",
        "1 grade is an exact copy of another and left out",
        "grades of several judges or versions are mixed in a",
        "different criteria were used on 2 tasks: 1, 2",
        "1 of 6 reports are graded without half marks",
        "criteria have no axis",
        "1 grade states a compliance that differs from that of the criteria",
        "c: 1 of 2 grades have no criteria: 1",
        "c: no criterion has a positive weight, so that there is no compliance: 2",
        "2 criteria have a negative weight; they fail if they are met in full",
    ):
        assert said in notes, said


def test_groups_can_be_judges_or_files():
    one = sourced(grade("a", "1", criterion("x", 5, 1)), file="first")
    other = grade("", "1", criterion("x", 5, 0), system=None, judge="grader@demo/y")
    two = sourced(other, file="second")
    names = {
        by: [row.system for row in compliance_tables([*one, *two], by=by).systems]
        for by in ("system", "judge", "system-judge", "file")
    }
    assert names == {
        "system": ["a", "second"],
        "judge": ["grader@demo/x", "grader@demo/y"],
        "system-judge": ["a · grader@demo/x", "second · grader@demo/y"],
        "file": ["first", "second"],
    }


def test_nothing_to_make_tables_of_is_refused():
    with pytest.raises(UsageError, match="no grades were found"):
        compliance_tables([])


def test_the_record_is_plain_data_and_holds_no_nan():
    record = tables(*many())
    data = msgspec.json.decode(msgspec.json.encode(record.to_dict()))
    assert next(iter(data)) == "schema"
    assert data["schema"] == "assay.compliance/1"
    assert "NaN" not in msgspec.json.encode(data).decode()
    assert {row["system"] for row in data["failures"]} == {"one", "two", "three", None}
    assert Judgment.from_dict(many()[0].to_dict()) == many()[0]


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_shares_and_coverage_hold_on_any_grades(seed):
    record = tables(*many(tasks=6, criteria=7, seed=seed))
    assert sum(row.coverage.verdicts for row in record.systems) == record.coverage.verdicts
    for grading in record.gradings:
        pooled = [
            row.share.pooled for row in record.failures if row.grading == grading and row.system == "one"
        ]
        assert sum(pooled) == pytest.approx(1)
    for row in record.failures:
        assert row.verdicts <= row.criteria
        if row.share.failing.value is not None:
            assert row.share.occurring.value <= row.share.failing.value + 1e-12
    for row in record.systems:
        for found in (*row.compliance.values(), *row.partly.values()):
            assert found.value is None or found.value <= 1


def test_the_suite_is_found_and_brings_no_rubric():
    suite = find_suite("researchrubrics")
    assert (suite.modes, suite.strategy, suite.rubric, suite.settings.per_call) == (
        ("score",),
        "grader",
        "",
        1,
    )


def test_a_grade_without_criteria_is_not_in_full():
    record = tables(grade("a", "1", criterion("x", 5, 1)), grade("a", "2"))
    assert (record.coverage.reports, record.coverage.complete) == (2, 1)
    assert record.systems[0].coverage.complete == 1
