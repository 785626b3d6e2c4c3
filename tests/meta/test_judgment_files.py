"""Judgments as they are read to be compared with people's."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.judges.judgment import Judgment
from assay.judges.judgment_groups import by_judge
from assay.judges.sides import orders_of, side_of, swapped
from assay.meta.judgment_files import judgments_of, read_judgments


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def row(subject, **rest):
    return {"schema": "assay.judgment/2", "subject": subject, "judge": "d@m", "rubric": "r", **rest}


def test_a_pair_in_both_orders_and_all_ties_alike(tmp_path):
    orders = {"AB": "both_bad", "BA": "A<B"}
    path = written(tmp_path / "j.jsonl", row("a | b", preference="tie", by_order=orders))
    (said,) = read_judgments([path])
    assert said.mode == "compare"
    assert (side_of(said), orders_of(said.by_order)) == ("tie", ("tie", "B"))
    assert [swapped(side) for side in ("A", "B", "tie", None)] == ["B", "A", "tie", None]


def test_no_verdict_is_no_preference_whatever_else_the_row_says(tmp_path):
    path = written(tmp_path / "j.jsonl", row("a | b", preference="tie", status="unparsed"))
    (said,) = read_judgments([path])
    assert side_of(said) is None
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
    (said,) = read_judgments([written(tmp_path / "g.jsonl", grade)])
    first, second = said.verdicts
    assert (first.criterion, first.text, first.verdict) == ("k1", "Names  a source.", "partially met")
    assert (second.verdict, second.status) == (None, "unparsed")
    assert said.scores == {"k1": 0.5, "overall": 0.5}
    assert said.status == "ok"


def test_a_person_can_take_a_judges_place(tmp_path):
    label = {"schema": "assay.label/1", "subject": "a | b", "rater": "anna", "preference": "B>A"}
    (said,) = read_judgments([written(tmp_path / "l.jsonl", label)])
    assert (said.judge, said.preference, said.mode) == ("anna", "A<B", "compare")


def test_versions_and_rubrics_are_told_apart_only_where_they_judged_the_same(tmp_path):
    rows = [row("a", version="1" * 12), row("b", version="2" * 12)]
    assert [*by_judge(read_judgments([written(tmp_path / "j.jsonl", *rows)]))] == ["d@m"]
    rows = [row("a", version="1" * 12), row("a", version="2" * 12)]
    found = by_judge(read_judgments([written(tmp_path / "k.jsonl", *rows)]))
    assert [*found] == ["d@m · 11111111", "d@m · 22222222"]
    rows = [row("a"), row("a") | {"rubric": "s"}]
    assert [*by_judge(read_judgments([written(tmp_path / "l.jsonl", *rows)]))] == ["d@m · r", "d@m · s"]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (row("a", scores={"x": float("nan")}), "must be a number"),
        (row("a", scores={"x": 1e300}), "must be a number"),
        (row("a", preference="A>>B"), "preference"),
        (row("a", status="odd"), "status"),
        (row(7), "not a judgment"),
        ({"schema": "assay.audit/2"}, "assay.audit/2"),
        ({"x": 1}, "without a schema"),
        ([1], "not a judgment"),
    ],
)
def test_an_invalid_line_is_reported_with_its_place(tmp_path, bad, message):
    path = written(tmp_path / "j.jsonl", row("a"), bad)
    with pytest.raises(InputError, match=message) as caught:
        list(read_judgments([path]))
    assert str(caught.value).startswith(f"{path}:2")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
_KEYS = st.sampled_from(
    ["scores", "preference", "by_order", "status", "usage", "version", "trial", "criteria", "key"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from(["assay.judgment/2", "assay.grade/1", "assay.label/1"]),
    st.dictionaries(_KEYS, _JSON, max_size=4),
)
def test_any_row_is_read_or_refused(tmp_path, schema, rest):
    base = {"schema": schema, "subject": "a | b", "judge": "j", "report": "a", "rater": "r"}
    path = written(tmp_path / "j.jsonl", {**base, **rest})
    try:
        (said,) = read_judgments([path])
    except InputError:
        return
    assert said.subject in ("a", "a | b")


def test_a_frame_is_read_by_its_columns_and_a_missing_one_is_named():
    import pandas as pd

    frame = pd.DataFrame(
        {
            "subject": ["x | y", "u | v", "p | q"],
            "judge": "j",
            "margin": [0.5, -1.0, None],
            "preference": ["A>B", None, None],
            "status": ["ok", "ok", "failed"],
            "score.depth": [1.0, None, None],
            "system_a": ["s", "s", "t"],
        }
    )
    first, second, third = judgments_of(frame)
    assert (first.preference, first.margin, dict(first.scores)) == (
        "A>B",
        0.5,
        {"overall": 0.5, "depth": 1.0},
    )
    assert (second.preference, second.mode, dict(second.metadata)) == ("A<B", "compare", {"system_a": "s"})
    assert (third.preference, third.status) == (None, "failed")
    (winner,) = judgments_of(pd.DataFrame({"a": ["s"], "b": ["t"], "preference": ["t"]}))
    assert (winner.subject, winner.preference) == ("s | t", "A<B")
    with pytest.raises(UsageError, match="no column 'subject'"):
        judgments_of(frame.drop(columns="subject"))
    with pytest.raises(UsageError, match="none of the columns 'preference'"):
        judgments_of(frame[["subject", "judge", "status"]])


def test_a_combined_judgment_counts_as_its_repetitions():
    single = [
        Judgment(subject="s", judge="d@m", scores={"overall": x}, repetition=i) for i, x in enumerate((1, 3))
    ]
    both = Judgment(subject="s", judge="d@m", scores={"overall": 2.0}, repetitions=tuple(single))
    assert by_judge([both]) == {"d@m": single}
