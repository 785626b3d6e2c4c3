"""Grades from judgments: verdicts beside their criteria, the score by the weights, nothing made up."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest

from assay.errors import UsageError
from assay.judges.compliance import collapse, compliance_of, grading_of_judgment, mandatory_share
from assay.judges.grades import citations_of, gradable, graded, grading_of
from assay.judges.judgment import Judgment
from assay.judges.model_judge import ModelJudge
from assay.judges.repetitions import combine_repetitions
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


def outcome(*, per_call: int = 0, rubric=RUBRIC, strategy: str = "grader", **verdicts: object) -> Judgment:
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
    return judged(judge, REPORT).judgment


def test_all_of_a_verdict_stands_beside_its_criterion() -> None:
    quotes = ["The pump pays back in nine years", "It pays back at once, trust us."]
    made = outcome(
        payback=entry("met", quotes=quotes, confidence=0.9),
        limits=entry("partially met", missing=["how old a house"]),
        verse="not met",
    )
    task = RubricTask(id="t1", rubric=RUBRIC, query="?", domain="Energy")
    grade = graded(made, REPORT, RUBRIC, task=task)
    payback, limits, verse = grade.verdicts
    assert (payback.verdict, payback.score, payback.confidence) == ("met", 1.0, 0.9)
    real, invented = payback.quotes
    assert TEXT[real.start : real.end] == "The pump pays back in nine years"
    assert (invented.start, invented.end) == (None, None)
    assert (limits.score, limits.missing, limits.reasoning) == (0.5, ("how old a house",), "Because.")
    assert [item.axis for item in grade.verdicts] == ["explicit", "implicit", None]
    assert [item.mandatory for item in grade.verdicts] == [True, False, True]
    assert verse.weight == -4
    # (5·1 + 3·½ − 4·0) / 8
    assert compliance_of(grade) == compliance_of(grade, partly=True) == grade.overall == 0.8125
    assert tuple(grade.metadata[name] for name in ("id", "domain", "system", "grading")) == (
        "t1",
        "Energy",
        "us",
        "ternary",
    )
    assert grade.metadata["words"] == REPORT.words
    assert grade.usage.calls == 1
    assert mandatory_share(grade) == (2, 2, 2)


@pytest.mark.parametrize("per_call", [0, 1])
def test_one_call_or_many_make_the_same_grade(per_call: int) -> None:
    made = outcome(per_call=per_call, payback="met", limits="met", verse="met")
    grade = graded(made, REPORT, RUBRIC)
    # (5 + 3 − 4) / 8
    assert compliance_of(grade) == 0.5
    assert {item.reasoning for item in grade.verdicts} == {"Because."}


@pytest.mark.parametrize("per_call", [0, 1])
def test_a_missing_verdict_is_not_a_failed_criterion(per_call: int) -> None:
    grade = graded(outcome(per_call=per_call, payback="met", verse="not met"), REPORT, RUBRIC)
    limits = grade.verdicts[1]
    assert (limits.status, limits.verdict, limits.score, limits.confidence) == ("unparsed", None, None, None)
    assert limits.problem
    assert [item.status for item in grade.verdicts] == ["ok", "unparsed", "ok"]
    assert compliance_of(grade) is None
    assert compliance_of(grade, partly=True) == 1.0
    assert grade.status == "unparsed"
    assert compliance_of(collapse(grade)) is None


def test_half_marks_collapse_for_good_and_for_bad() -> None:
    grade = graded(outcome(payback="partially met", limits="met", verse="partially met"), REPORT, RUBRIC)
    # (5·½ + 3 − 4·½) / 8, and 3 / 8
    assert compliance_of(grade) == 0.4375
    binary = collapse(grade)
    assert (compliance_of(binary), grading_of_judgment(binary)) == (0.375, "binary")
    assert [item.verdict for item in binary.verdicts] == ["not met", "met", "not met"]
    assert collapse(binary) == binary


def test_binary_is_asked_on_the_scale_of_two() -> None:
    two = gradable(RUBRIC, "binary")
    assert two.scale.values() == ("met", "not met")
    assert (grading_of(RUBRIC), grading_of(two)) == ("ternary", "binary")
    assert gradable(RUBRIC) is RUBRIC
    grade = graded(outcome(rubric=two, payback="met", limits="not met", verse="not met"), REPORT, two)
    assert (grading_of_judgment(grade), compliance_of(grade)) == ("binary", 0.625)
    partly = graded(outcome(rubric=two, payback="partially met", limits="met", verse="met"), REPORT, two)
    assert partly.verdicts[0].score is None


def test_only_marks_make_grades() -> None:
    with pytest.raises(UsageError, match=r"Judge\.score takes other scales"):
        gradable(load_rubric("reportlogic"))


def test_any_strategy_makes_a_grade() -> None:
    made = outcome(strategy="full", per_call=1, payback="met", limits="met", verse="not met")
    grade = graded(made, REPORT, RUBRIC)
    assert compliance_of(grade) == 1.0
    assert grade.verdicts[0].reasoning == "Because."
    assert grade.verdicts[0].confidence is None


def test_repetitions_vote_and_a_tie_is_no_verdict() -> None:
    one = outcome(payback=entry("met", confidence=0.9), limits="met", verse="not met")
    two = outcome(payback=entry("met", confidence=0.5), limits="not met", verse="not met")
    three = outcome(payback="not met", limits="partially met", verse="not met")
    grade = graded(combine_repetitions([one, two, three], 3), REPORT, RUBRIC)
    assert (grade.verdicts[0].verdict, grade.verdicts[0].confidence) == ("met", 0.7)
    assert (grade.verdicts[1].score, grade.verdicts[1].status) == (None, "unparsed")
    assert grade.verdicts[1].problem == "no majority: 1 met, 1 not met, 1 partially met"
    assert compliance_of(grade) is None
    assert grade.usage.calls == 3
    # A repetition without a verdict votes for none.
    gap = outcome(payback="met", verse="not met")
    assert combine_repetitions([one, gap], 2).verdicts[1].verdict == "met"


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
    grade = graded(outcome(payback="met", limits=None, verse="not met"), REPORT, RUBRIC)
    data = json.loads(msgspec.json.encode(grade.to_dict()))
    schema = msgspec.json.schema(Judgment)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(data, schema)
    assert next(iter(data)) == "schema"
    assert data["schema"] == "assay.judgment/2"
    assert Judgment.from_dict(data) == grade
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "status": "fine"}, schema)
