"""Each subject by the rubric of its own task."""

import asyncio

import pytest

from assay.errors import UsageError
from assay.judges.model_judge import ModelJudge
from assay.judges.task_rubrics import TaskRubrics
from assay.models.scripted import ScriptedModel
from assay.rubrics.loaders.registry import load_rubric_set
from assay.rubrics.rubric_file import parse_rubric
from assay.rubrics.tasks import RubricSet, RubricTask
from assay.strategies.registry import find_strategy
from assay.subjects.case import Case
from assay.subjects.report import Report


def rubric(*texts):
    return parse_rubric(list(texts), name="r")


SET = RubricSet.of(
    "cities",
    [
        RubricTask(id="par1", query="Which is the capital of France?", rubric=rubric("Names Paris.")),
        RubricTask(id="rom2", query="Which is the capital of Italy?", rubric=rubric("Names Rome.")),
    ],
)
SOURCE = TaskRubrics(SET)


def found(*subjects, query=None, source=SOURCE):
    return source.task(subjects, query=query).id


@pytest.mark.parametrize(
    ("subject", "query"),
    [
        (Report("x", id="rom2"), None),
        (Report("x", path="agent/rom2.md"), None),
        (Report("x", path="rows.jsonl:7", id="rom2"), None),
        (Report("x", id="out/rom2.md"), None),
        (Report("x"), "Which is  the capital\nof Italy?"),
        (Report("x", path="report.md"), "Which is the capital of Italy?"),
        (Report("x", id="rom2"), "Some other words."),
    ],
)
def test_by_id_by_file_or_by_query(subject, query):
    assert found(subject, query=query) == "rom2"


@pytest.mark.parametrize(
    ("subject", "query", "said"),
    [
        (
            Report("x", path="out/rom.md"),
            None,
            "no rubric for out/rom.md (looked up by file name); did you mean 'rom2'?",
        ),
        (Report("x", id="9"), "Why?", "no rubric for 9 (looked up by id, query); there are par1, rom2"),
        (
            Report("x"),
            None,
            "no rubric for subject (looked up by nothing: it has no id, no file and no query)",
        ),
    ],
)
def test_the_error_says_what_there_is(subject, query, said):
    with pytest.raises(UsageError) as caught:
        SOURCE.check(Case(subject, query=query))
    assert said in str(caught.value)
    assert "<id>.md" in str(caught.value)


def test_name_and_query_of_different_tasks():
    with pytest.raises(
        UsageError, match="its name is that of task 'par1', and its query that of task 'rom2'"
    ):
        found(Report("x", id="par1"), query="Which is the capital of Italy?")


def test_pairs_answer_one_question():
    a, b = Report("x", path="one/par1.md"), Report("y", path="two/par1.md")
    assert found(a, b) == "par1"
    with pytest.raises(UsageError, match=r"a/par1\.md answers task 'par1' and a/rom2\.md task 'rom2'"):
        found(Report("x", path="a/par1.md"), Report("y", path="a/rom2.md"))


def test_one_rubric_is_for_everything():
    general = TaskRubrics(load_rubric_set("reportlogic"))
    assert found(Report("x"), source=general) == "reportlogic"
    assert found(Report("x", id="other"), query="Why?", source=general) == "reportlogic"
    one = TaskRubrics(RubricSet.of("one", [SET.tasks["par1"]]))
    assert found(Report("x", path="any.md"), source=one) == "par1"
    assert found(Report("x"), query="Which is the capital of France?", source=one) == "par1"
    with pytest.raises(UsageError, match="there are par1"):
        found(Report("x", path="any.md"), query="How large is Mars?", source=one)


def test_the_version_is_of_all_rubrics():
    other = RubricSet.of("cities", [SET.tasks["par1"], RubricTask(id="rom2", rubric=rubric("Names Roma."))])
    assert TaskRubrics(other).version != SOURCE.version
    assert (SOURCE.name, SOURCE.typical) == ("cities", SET.tasks["par1"].rubric)
    strategy, model = find_strategy("direct"), ScriptedModel("x", [])
    versions = {ModelJudge(strategy, model, TaskRubrics(tasks)).version for tasks in (SET, other)}
    assert len(versions) == 2


def test_a_judge_asks_each_subject_its_own():
    judge = ModelJudge(find_strategy("direct"), ScriptedModel("x", []), SOURCE)
    asked = judge.questions(Case(Report("x", id="rom2")))
    assert [item.key for *_, question in asked for item in question.criteria] == ["c01_names_rome"]
    given = asyncio.run(SOURCE.rubric(Case(Report("x", id="par1"))))
    assert given.rubric == SET.tasks["par1"].rubric
    assert given.parts == ()


def test_our_examples_find_their_reports(examples):
    source = TaskRubrics(load_rubric_set(examples / "rubrics" / "tasks.jsonl"))
    for folder in ("heat-pumps", "shanghai-reuse"):
        query = (examples / folder / "query.txt").read_text("utf-8")
        report = Report(
            (examples / folder / "good.md").read_text("utf-8"), path=f"{folder}/good.md", query=query
        )
        assert found(report, query=query, source=source) == folder
