"""Verdicts by criterion: every one with its reasons and places, and none that was not given."""

from __future__ import annotations

from assay.judges.combine import combine_pair, combine_ranking, combine_scores
from assay.judges.judgment import Quote
from assay.judges.parts import JudgmentPart
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scale import Choice, Scale
from assay.strategies.base import Answer, Detail, QuotedText

RUBRIC = Rubric(
    name="r",
    criteria=(
        Criterion(key="a", asks="Is a there?", weight=5, notes={"axis": "Explicit Criteria"}),
        Criterion(key="b", asks="Is b there?", weight=-2),
    ),
    scale=Scale(choices=(Choice(label="met", value=1.0), Choice(label="not met", value=0.0))),
)


def test_a_verdict_knows_its_criterion_its_reasons_and_where_its_quotes_stand() -> None:
    answer = Answer(
        status="unparsed",
        problem='"b" is not answered',
        values={"a": "met"},
        details={"a": Detail(rationale="It is.", confidence=0.9, quotes=(QuotedText("here", 0, 2, 6),))},
        notes=("asked twice",),
    )
    judgment = combine_scores(
        "s", "j", RUBRIC, [JudgmentPart("", "", ("a", "b"), answer, (Quote("here", 12, 16),))]
    )
    a, b = judgment.verdicts
    assert (a.text, a.weight, a.axis, a.mandatory) == ("Is a there?", 5, "explicit", True)
    assert (a.status, a.verdict, a.score, a.reasoning, a.confidence) == ("ok", "met", 1.0, "It is.", 0.9)
    assert a.quotes == (Quote("here", 12, 16),)
    assert (b.status, b.verdict, b.score, b.problem) == ("unparsed", None, None, '"b" is not answered')
    assert (judgment.coverage, judgment.problem, judgment.notes) == (
        0.5,
        '"b" is not answered',
        ("asked twice",),
    )


def test_units_have_verdicts_of_their_own() -> None:
    parts = [
        JudgmentPart(unit, "", ("a", "b"), Answer(status="ok", values={"a": "met", "b": label}))
        for unit, label in (("chunk:0", "met"), ("chunk:1", "not met"))
    ]
    judgment = combine_scores("s", "j", RUBRIC, parts)
    assert [(item.criterion, item.unit, item.score) for item in judgment.verdicts] == [
        ("a", "chunk:0", 1.0),
        ("a", "chunk:1", 1.0),
        ("b", "chunk:0", 1.0),
        ("b", "chunk:1", 0.0),
    ]
    assert judgment.scores is not None
    assert judgment.scores["b"] == 0.5


def test_a_criterion_that_nobody_asked_about_says_so() -> None:
    part = JudgmentPart("", "", (), Answer(status="failed", problem="the rubric could not be written"))
    judgment = combine_scores("s", "j", RUBRIC, [part])
    assert {(item.status, item.problem) for item in judgment.verdicts} == {
        ("failed", "the rubric could not be written")
    }


def _pair(first: dict[str, str], second: dict[str, str] | None) -> list[JudgmentPart]:
    answers = [
        ("AB", Answer(status="ok", values=dict(first), preference="tie")),
        (
            "BA",
            Answer(status="unparsed", problem="no JSON")
            if second is None
            else Answer(status="ok", values=dict(second), preference="tie"),
        ),
    ]
    return [JudgmentPart("", order, ("a", "b"), answer) for order, answer in answers]


def test_labels_of_a_pair_are_about_the_a_and_b_given() -> None:
    a, b = combine_pair(
        "x | y", "j", RUBRIC, _pair({"a": "A>B", "b": "A>B"}, {"a": "A<B", "b": "A>B"})
    ).verdicts
    assert (a.by_order, a.verdict, a.score) == ({"AB": "A>B", "BA": "A>B"}, "A>B", 1.0)
    assert (b.by_order, b.verdict, b.score, b.status) == ({"AB": "A>B", "BA": "A<B"}, None, 0.0, "ok")
    a, _ = combine_pair("x | y", "j", RUBRIC, _pair({"a": "A>B", "b": "tie"}, None)).verdicts
    assert (a.by_order, a.verdict, a.score) == ({"AB": "A>B", "BA": None}, None, None)
    assert (a.status, a.problem) == ("unparsed", "no JSON")


def test_a_ranking_has_one_verdict() -> None:
    parts = [
        JudgmentPart("", order, ("a", "b"), Answer(status="ok", ranking=ranking))
        for order, ranking in (("forward", (1, 0, 2)), ("reverse", (1, 2, 0)))
    ]
    (verdict,) = combine_ranking("x | y | z", "j", RUBRIC, 3, parts).verdicts
    assert verdict.by_order == {"forward": "2>1>3", "reverse": "2>3>1"}
    assert (verdict.verdict, verdict.status) == (None, "ok")
