"""Judgments as they are read to be compared with people's."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.meta.responses import read_responses, swapped


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def row(subject, **rest):
    return {"schema": "assay.judgment/2", "subject": subject, "judge": "d@m", "rubric": "r", **rest}


def test_a_pair_in_both_orders_and_all_ties_alike(tmp_path):
    orders = {"AB": "both_bad", "BA": "A<B"}
    path = written(tmp_path / "j.jsonl", row("a | b", preference="tie", by_order=orders))
    (said,) = read_responses([path])
    assert said.pair
    assert (said.better, said.orders) == ("tie", ("tie", "B"))
    assert [swapped(side) for side in ("A", "B", "tie", None)] == ["B", "A", "tie", None]


def test_no_verdict_is_no_preference_whatever_else_the_row_says(tmp_path):
    path = written(tmp_path / "j.jsonl", row("a | b", preference="tie", status="unparsed"))
    (said,) = read_responses([path])
    assert said.better is None
    assert said.status == "unparsed"


def test_grades_give_verdicts_by_key_and_by_text(tmp_path):
    criteria = [
        {"key": "k1", "criterion": "Names  a source.", "weight": 1, "verdict": "partially met", "score": 0.5},
        {"key": "k2", "criterion": "Is short.", "weight": 1, "status": "unparsed", "verdict": None},
    ]
    grade = {
        "schema": "assay.grade/1",
        "report": "r.md",
        "judge": "g@m",
        "compliance": 0.5,
        "criteria": criteria,
    }
    (said,) = read_responses([written(tmp_path / "g.jsonl", grade)])
    assert said.verdicts["k1"] == said.verdicts["Names a source."] == "partially met"
    assert said.verdicts["k2"] is None
    assert said.scores["overall"] == 0.5
    assert "k2" not in said.scores


def test_a_person_can_take_a_judges_place(tmp_path):
    label = {"schema": "assay.label/1", "subject": "a | b", "rater": "anna", "preference": "B>A"}
    (said,) = read_responses([written(tmp_path / "l.jsonl", label)])
    assert (said.judge, said.better, said.pair) == ("anna", "B", True)


def test_versions_and_rubrics_are_told_apart_only_where_they_judged_the_same(tmp_path):
    rows = [row("a", version="1" * 12), row("b", version="2" * 12)]
    assert {item.judge for item in read_responses([written(tmp_path / "j.jsonl", *rows)])} == {"d@m"}
    rows = [row("a", version="1" * 12), row("a", version="2" * 12)]
    found = read_responses([written(tmp_path / "k.jsonl", *rows)])
    assert [item.judge for item in found] == ["d@m · 11111111", "d@m · 22222222"]
    rows = [row("a"), row("a") | {"rubric": "s"}]
    assert [item.judge for item in read_responses([written(tmp_path / "l.jsonl", *rows)])] == [
        "d@m · r",
        "d@m · s",
    ]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (row("a", scores={"x": float("nan")}), "must be a number"),
        (row("a", scores={"x": 1e300}), "must be a number"),
        (row("a", preference="A>>B"), "preference is"),
        (row("a", status="odd"), "status is"),
        (row(7), "not a judgment"),
        ({"schema": "assay.audit/2"}, "assay.audit/2"),
        ({"x": 1}, "without a schema"),
        ([1], "not a judgment"),
    ],
)
def test_an_invalid_line_is_reported_with_its_place(tmp_path, bad, message):
    path = written(tmp_path / "j.jsonl", row("a"), bad)
    with pytest.raises(InputError, match=message) as caught:
        read_responses([path])
    assert str(caught.value).startswith(f"{path}:2")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
_KEYS = st.sampled_from(
    ["scores", "preference", "by_order", "status", "usage", "version", "trial", "criteria", "key"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["assay.judgment/2", "assay.grade/1", "assay.label/1"]),
    st.dictionaries(_KEYS, _JSON, max_size=4),
)
def test_any_row_is_read_or_refused(tmp_path, schema, rest):
    base = {"schema": schema, "subject": "a | b", "judge": "j", "report": "a", "rater": "r"}
    path = written(tmp_path / "j.jsonl", {**base, **rest})
    try:
        (said,) = read_responses([path])
    except InputError:
        return
    assert said.subject in ("a", "a | b")
