"""Grades from judgments: verdicts beside their criteria, the score by the weights, nothing made up."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest

from assay.errors import UsageError
from assay.judges.grade_record import CriterionGrade, Grade
from assay.judges.grades import (
    citations_of,
    collapse,
    gradable,
    grade_of,
    graded_together,
    grading_of,
    mandatory_share,
)
from assay.judges.model_judge import JudgeResult, ModelJudge
from assay.judges.settings import JudgeSettings
from assay.models.scripted import ScriptedModel
from assay.rubrics.loader import load_rubric
from assay.rubrics.rubric_file import parse_rubric
from assay.rubrics.tasks import RubricTask
from assay.strategies.registry import find_strategy
from assay.subjects.report import Report
from judge_outcome import judged

TEXT = "# Heat\n\nThe pump pays back in nine years [1]. Old houses were not studied.\n\n## References\n\n[1] Audit. https://a.example/x\n"
REPORT = Report(TEXT, path="heat.md", id="heat", system="us")
RUBRIC = parse_rubric(
    [
        {"key": "payback", "criterion": "States the payback time", "weight": 5, "axis": "Explicit Criteria"},
        {"key": "limits", "criterion": "Names limits", "weight": 3, "axis": "Implicit Criteria"},
        {"key": "verse", "criterion": "Is written in verse", "weight": -4},
    ],
    name="pump",
)


def entry(verdict: object, **more: object) -> dict[str, object]:
    said = {"reasoning": "Because.", "quotes": [], "missing": [], "score": verdict, "confidence": 0.5}
    return {**said, **more}


def outcome(*, per_call: int = 0, rubric=RUBRIC, strategy: str = "grader", **verdicts: object) -> JudgeResult:
    entries = {
        key: value if isinstance(value, dict) else entry(value)
        for key, value in verdicts.items()
        if value is not None
    }

    def script(request):
        if per_call == 0:
            return json.dumps({"scores": entries})
        key = next(item.key for item in rubric.criteria if item.asks in request.messages[1].text)
        return json.dumps(entries.get(key, {"score": "perhaps"}))

    settings = JudgeSettings(per_call=per_call, retries=0)
    judge = ModelJudge(find_strategy(strategy), ScriptedModel(script), rubric, settings)
    made = judged(judge, REPORT)
    return JudgeResult(made.judgment, made.parts)


def test_all_of_a_verdict_stands_beside_its_criterion() -> None:
    quotes = ["The pump pays back in nine years", "It pays back at once, trust us."]
    made = outcome(
        payback=entry("met", quotes=quotes, confidence=0.9),
        limits=entry("partially met", missing=["how old a house"]),
        verse="not met",
    )
    task = RubricTask(id="t1", rubric=RUBRIC, query="?", domain="Energy")
    grade = grade_of(made, REPORT, RUBRIC, judge_version="v", task=task)
    payback, limits, verse = grade.criteria
    assert (payback.verdict, payback.score, payback.confidence) == ("met", 1.0, 0.9)
    real, invented = payback.quotes
    assert TEXT[real.start : real.end] == "The pump pays back in nine years"
    assert (invented.start, invented.end) == (None, None)
    assert (limits.score, limits.missing, limits.reasoning) == (0.5, ("how old a house",), "Because.")
    assert [item.axis for item in grade.criteria] == ["explicit", "implicit", None]
    assert [item.mandatory for item in grade.criteria] == [True, False, True]
    assert verse.weight == -4
    # (5·1 + 3·½ − 4·0) / 8
    assert grade.compliance == grade.compliance_graded == 0.8125
    assert (grade.id, grade.domain, grade.system, grade.grading) == ("t1", "Energy", "us", "ternary")
    assert grade.words == REPORT.words
    assert grade.usage.calls == 1
    assert mandatory_share(grade) == (2, 2, 2)


@pytest.mark.parametrize("per_call", [0, 1])
def test_one_call_or_many_make_the_same_grade(per_call: int) -> None:
    made = outcome(per_call=per_call, payback="met", limits="met", verse="met")
    grade = grade_of(made, REPORT, RUBRIC)
    # (5 + 3 − 4) / 8
    assert grade.compliance == 0.5
    assert {item.reasoning for item in grade.criteria} == {"Because."}


@pytest.mark.parametrize("per_call", [0, 1])
def test_a_missing_verdict_is_not_a_failed_criterion(per_call: int) -> None:
    grade = grade_of(outcome(per_call=per_call, payback="met", verse="not met"), REPORT, RUBRIC)
    limits = grade.criteria[1]
    assert (limits.status, limits.verdict, limits.score, limits.confidence) == ("unparsed", None, None, None)
    assert limits.reasoning
    assert [item.status for item in grade.criteria] == ["ok", "unparsed", "ok"]
    assert grade.compliance is None
    assert grade.compliance_graded == 1.0
    assert grade.status == "unparsed"
    assert collapse(grade).compliance is None


def test_half_marks_collapse_for_good_and_for_bad() -> None:
    grade = grade_of(outcome(payback="partially met", limits="met", verse="partially met"), REPORT, RUBRIC)
    # (5·½ + 3 − 4·½) / 8, and 3 / 8
    assert grade.compliance == 0.4375
    binary = collapse(grade)
    assert (binary.compliance, binary.grading) == (0.375, "binary")
    assert [item.verdict for item in binary.criteria] == ["not met", "met", "not met"]
    assert collapse(binary) == binary


def test_binary_is_asked_on_the_scale_of_two() -> None:
    two = gradable(RUBRIC, "binary")
    assert two.scale.values() == ("met", "not met")
    assert (grading_of(RUBRIC), grading_of(two)) == ("ternary", "binary")
    assert gradable(RUBRIC) is RUBRIC
    grade = grade_of(outcome(rubric=two, payback="met", limits="not met", verse="not met"), REPORT, two)
    assert (grade.grading, grade.compliance) == ("binary", 0.625)
    partly = grade_of(outcome(rubric=two, payback="partially met", limits="met", verse="met"), REPORT, two)
    assert partly.criteria[0].score is None


def test_only_marks_make_grades() -> None:
    with pytest.raises(UsageError, match="use `assay judge` for others"):
        gradable(load_rubric("reportlogic"))


def test_any_strategy_makes_a_grade() -> None:
    made = outcome(strategy="full", per_call=1, payback="met", limits="met", verse="not met")
    grade = grade_of(made, REPORT, RUBRIC)
    assert grade.compliance == 1.0
    assert grade.criteria[0].reasoning == "Because."
    assert grade.criteria[0].confidence is None


def test_trials_vote_and_a_tie_is_no_verdict() -> None:
    one = grade_of(
        outcome(payback=entry("met", confidence=0.9), limits="met", verse="not met"), REPORT, RUBRIC
    )
    two = grade_of(
        outcome(payback=entry("met", confidence=0.5), limits="not met", verse="not met"), REPORT, RUBRIC
    )
    three = grade_of(outcome(payback="not met", limits="partially met", verse="not met"), REPORT, RUBRIC)
    grade = graded_together([one, two, three])
    assert (grade.criteria[0].verdict, grade.criteria[0].confidence) == ("met", 0.7)
    assert (grade.criteria[1].score, grade.criteria[1].status) == (None, "unparsed")
    assert grade.criteria[1].reasoning == "no majority: 1 met, 1 not met, 1 partially met"
    assert grade.compliance is None
    assert grade.usage.calls == 3
    assert graded_together([one]) is one
    # A trial without a verdict votes for none.
    gap = grade_of(outcome(payback="met", verse="not met"), REPORT, RUBRIC)
    assert graded_together([one, gap]).criteria[1].verdict == "met"


def test_citations_are_counted() -> None:
    assert citations_of(REPORT) == {"marks": 1, "sources": 1, "faulty": 0}
    broken = Report(
        "# A\n\nCosts fell by a fifth [7]. They rose [1].\n\n## References\n\n[1] Audit. https://a.example/x\n"
    )
    found = citations_of(broken)
    assert (found["marks"], found["sources"]) == (2, 2)
    assert found["faulty"] >= 1
    assert citations_of(Report("Nothing.")) == {"marks": 0, "sources": 0, "faulty": 0}


def test_the_record_is_what_its_schema_says() -> None:
    grade = grade_of(outcome(payback="met", limits=None, verse="not met"), REPORT, RUBRIC)
    data = json.loads(msgspec.json.encode(grade.to_dict()))
    schema = msgspec.json.schema(Grade)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(data, schema)
    assert next(iter(data)) == "schema"
    assert data["schema"] == "assay.grade/1"
    assert msgspec.convert(data, Grade) == grade
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "grading": "quaternary"}, schema)
    assert CriterionGrade(key="a", criterion="A", weight=1.0).status == "ok"
