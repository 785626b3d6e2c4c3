"""``assay compliance``."""

import json

import pytest

from suites.grades import criterion, grade, many


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "grades"
    made.mkdir()
    for system in ("one", "two", "three"):
        rows = [json.dumps(item.to_dict()) for item in many() if item.metadata["system"] == system]
        (made / f"{system}.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    return made


def test_text_for_people(assay, folder):
    result = assay("compliance", folder)
    assert result.exit_code == 0
    assert result.stdout.startswith("35 reports · 3 systems · 12 tasks · ")
    assert "! two is not graded on 1 of 12 tasks: t0" in result.stdout
    assert "\x1b" not in result.stdout


def test_json_for_machines(assay, folder):
    result = assay("compliance", folder, "--format", "json")
    data = json.loads(result.stdout)
    assert data["schema"] == "assay.compliance/1"
    assert {row["system"] for row in data["systems"]} == {"one", "two", "three"}


@pytest.mark.parametrize(
    ("form", "begins"),
    [("html", "<!doctype html>"), ("csv", "table,system,other"), ("markdown", "# Compliance")],
)
def test_other_formats_go_to_a_file(assay, folder, tmp_path, form, begins):
    out = tmp_path / "out"
    assert assay("compliance", folder, "--format", form, "-o", out).exit_code == 0
    assert out.read_text("utf-8").startswith(begins)


def test_a_grade_without_a_system_is_of_its_files(assay, tmp_path):
    row = grade("x", "1", criterion("a", 5, 1), system=None).to_dict()
    (tmp_path / "mine.jsonl").write_text(json.dumps(row), "utf-8")
    assert (
        json.loads(assay("compliance", "mine.jsonl", "--format", "json").stdout)["systems"][0]["system"]
        == "mine"
    )


def test_a_line_that_is_no_grade_is_named_and_can_be_skipped(assay, folder):
    with (folder / "two.jsonl").open("a") as file:
        file.write('{"schema": "assay.audit/2"}\n{"cut off\n')
    result = assay("compliance", folder)
    assert result.exit_code == 2
    assert "two.jsonl:12: is not a grade: its schema is 'assay.audit/2'" in result.stderr
    assert "1 more line" in result.stderr
    skipped = assay("compliance", folder, "--skip-unreadable")
    assert skipped.exit_code == 0
    assert skipped.stdout.count("! left out because it cannot be read:") == 2


def test_tasks_give_prompts_and_strata(assay, folder, tmp_path):
    (tmp_path / "tasks.jsonl").write_text('{"sample_id": "t1", "prompt": "How many words?"}\n', "utf-8")
    result = assay("compliance", folder, "--tasks", "tasks.jsonl", "--table", "prompts")
    assert "Words of the prompts" in result.stdout
    assert "Differences" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.jsonl"], "nothing.jsonl: no such file or folder"),
        (["grades", "--tasks", "no.jsonl"], "no.jsonl: cannot be read"),
        (["grades", "--table", "complience"], "did you mean 'compliance'"),
        (["grades", "--table", "lengths", "--format", "csv"], "--table is for text, markdown and latex"),
        (["grades", "-o", "grades/one.jsonl"], "one of the files to read"),
        ([], "Missing argument"),
    ],
)
def test_mistakes_take_one_line_and_exit_code_2(assay, folder, arguments, said):
    result = assay("compliance", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_empty_file_has_no_grade(assay, tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n", "utf-8")
    result = assay("compliance", "empty.jsonl")
    assert result.exit_code == 2
    assert "no grades were found" in result.stderr


def test_negative_criteria_can_fail_as_the_paper_words_it(assay, tmp_path):
    rows = [grade("s", str(n), criterion("a", -3, 0.0), criterion("b", 5, 1)).to_dict() for n in range(3)]
    (tmp_path / "g.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    for rule, failures in (("harm", 0), ("verdict", 3)):
        data = json.loads(assay("compliance", "g.jsonl", "--negatives", rule, "--format", "json").stdout)
        assert data["failures"][0]["share"]["failures"] == failures
