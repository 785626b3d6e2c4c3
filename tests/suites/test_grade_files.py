"""Grades from files: what is none is named by file and line."""

import gzip
import json

import pytest

from assay.errors import InputError
from assay.suites.compliance.grade_files import read_grades
from assay.suites.compliance.prompts import read_tasks

from .grades import criterion, grade

GOOD = json.dumps(grade("s", "1", criterion("a", 5, 1), grading="ternary").to_dict())
EARLIER = (
    '{"schema": "assay.grade/1", "report": "s/1.md", "id": "1", "system": "s", "grading": "ternary", "compliance": 0.5,'
    ' "words": 9, "criteria": [{"key": "a", "criterion": "A?", "weight": 5, "verdict": "partially met", "score": 0.5}]}'
)


def said(folder, text, name="g.jsonl"):
    (folder / name).write_text(text, "utf-8")
    return [str(one) for one in read_grades([folder / name]) if isinstance(one, InputError)]


def test_files_folders_and_packed_ones_are_read_in_order(tmp_path):
    (tmp_path / "b.jsonl").write_text(f"{GOOD}\n\n{GOOD}\n", "utf-8")
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(GOOD.encode()))
    (tmp_path / "c.json").write_text(f"[{GOOD}]", "utf-8")
    (tmp_path / "d.json").write_text(json.dumps(json.loads(GOOD), indent=2), "utf-8")
    (tmp_path / "readme.md").write_text("no grade", "utf-8")
    found = list(read_grades([tmp_path]))
    assert [item.file for item in found] == ["a", "b", "b", "c", "d"]
    assert [item.where.removeprefix(str(tmp_path)) for item in found] == [
        "/a.jsonl.gz:1",
        "/b.jsonl:1",
        "/b.jsonl:3",
        "/c.json[0]",
        "/d.json",
    ]


def test_grades_of_the_earlier_contract_are_read(tmp_path):
    (tmp_path / "a.jsonl").write_text(EARLIER, "utf-8")
    (found,) = read_grades([tmp_path])
    assert (found.judgment.overall, found.judgment.metadata["words"]) == (0.5, 9)
    assert [item.text for item in found.judgment.verdicts] == ["A?"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            '{"schema": "assay.audit/2"}',
            "is not a grade: its schema is 'assay.audit/2'; the schema must be 'assay.judgment/2' or 'assay.grade/1'",
        ),
        (
            '{"id": 1}',
            "is not a grade: it has no schema; the schema must be 'assay.judgment/2' or 'assay.grade/1'",
        ),
        ("[1, 2]", "is not a grade, but a JSON number"),
        ("12", "is not a grade, but a JSON number"),
        ("not json", "broken JSON"),
        (GOOD[:-20], "broken JSON"),
        (
            GOOD.replace('"weight": 5', '"weight": "much"'),
            "Expected `float`, got `str` - at `$.verdicts[0].weight`",
        ),
        (GOOD.replace('"weight": 5', '"weight": 0'), "the weight 0; it must be finite"),
        (GOOD.replace('"score": 1', '"score": 7'), "the score 7.0; it must be from 0 to 1"),
        (GOOD.replace('"ternary"', '"quinary"'), "is not a grade: its grading is 'quinary'"),
    ],
)
def test_what_is_no_grade_is_named_by_file_and_line(tmp_path, line, problem):
    name, first = ("g.json", "") if line.startswith("[") else ("g.jsonl", GOOD + "\n")
    found = said(tmp_path, f"{first}{line}\n", name)[0 if name == "g.json" else -1]
    place = "g.jsonl:2: " if first else "g.json[0]: "
    assert place in found
    assert problem in found


def test_what_is_not_there_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(read_grades([tmp_path / "nothing"]))
    with pytest.raises(InputError, match="no grades in this folder"):
        list(read_grades([tmp_path]))
    (tmp_path / "x.jsonl.gz").write_bytes(b"not packed")
    with pytest.raises(InputError, match="truncated or corrupt gzip file"):
        list(read_grades([tmp_path / "x.jsonl.gz"]))
    (tmp_path / "y.jsonl").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        list(read_grades([tmp_path / "y.jsonl"]))


def test_tasks_are_read_in_the_fields_of_the_public_sets(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_text(
        '{"sample_id": "a", "prompt": "Why?", "domain": "STEM", "conceptual_breadth": "High", "rubrics": []}\n'
        '{"id": 7, "query": "为什么", "topic": "Health"}\n',
        "utf-8",
    )
    found = read_tasks(path)
    assert (found["a"].query, found["a"].complexity) == ("Why?", {"conceptual_breadth": "High"})
    assert (found["7"].query, found["7"].domain) == ("为什么", "Health")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"prompt": "x"}\n', r":1: no task: it has no id \(one of sample_id"),
        ('{"id": 1}\n{"id": 1}\n', r":2: task '1' occurs twice"),
        ("{\n", "broken JSON"),
    ],
)
def test_what_is_no_task_is_named(tmp_path, text, problem):
    path = tmp_path / "tasks.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=problem):
        read_tasks(path)
