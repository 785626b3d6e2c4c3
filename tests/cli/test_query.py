"""``assay lab query``."""

import json
from pathlib import Path

import pytest

from assay.generation.suitability import CONSTRAINTS, CRITERIA

QUESTION = "Why did lithium prices fall in 2023?"
MODEL = ("--model", "scripted/random", "--ledger", "none")


def judged(met, held=(), decision="ACCEPT"):
    value = {
        "criteria": {name: {"reason": "so", "met": name in met} for name in CRITERIA},
        "constraints": {name: name in held for name in CONSTRAINTS},
        "reason": "all in all",
        "decision": decision,
    }
    return json.dumps(value)


@pytest.fixture
def script(tmp_path):
    def write(*replies):
        rows = [{"text": text, "when": when} if when else text for when, text in replies]
        (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        return ("--model", "scripted/s.jsonl", "--ledger", "none")

    return write


def test_suitable(assay, script):
    model = script(
        ("lithium", judged(CRITERIA)),
        ("capital", judged(CRITERIA[:1], ["definitional"], "REJECT")),
        ("won the", judged(CRITERIA, ["politics"])),
        ("weather", "No idea."),
    )
    result = assay(
        "lab", "query", "suitable", QUESTION, "What is the capital?", "Who won the election?", "How is the weather?",
        *model, "--retries", "0", "-o", "out.jsonl",
    )  # fmt: skip
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == f"ACCEPT  {QUESTION}"
    assert "hard constraint: definitional" in result.stdout
    assert "! the model's own decision is ACCEPT" in result.stdout
    assert lines[-1] == (
        "4 questions: 1 accepted, 2 rejected, 1 question where the model contradicts itself, 1 without decision"
    )
    rows = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert [row["decision"] for row in rows] == ["ACCEPT", "REJECT", "REJECT", None]
    assert [row["contradiction"] for row in rows] == [False, False, True, False]
    assert rows[3]["reply"] == "No idea."
    assert rows[0]["schema"] == "assay.suitability/1"


def test_nothing_at_all_is_an_error(assay, script):
    result = assay("lab", "query", "suitable", QUESTION, *script(("", "No idea.")), "--retries", "0")
    assert result.exit_code == 3
    assert "no question has an answer" in result.stderr


def test_complexity(assay):
    result = assay("lab", "query", "complexity", QUESTION, *MODEL, "--format", "jsonl")
    (row,) = (json.loads(line) for line in result.stdout.splitlines())
    assert row["conceptual_breadth"] in ("simple", "moderate", "high")
    assert row["logical_nesting"] in ("shallow", "intermediate", "deep")
    assert row["exploration"] in ("low", "medium", "high")
    assert row["labels"]["exploration"]["level"] == row["exploration"]
    text = assay("lab", "query", "complexity", QUESTION, *MODEL, "--reasons").stdout
    assert "conceptual_breadth" in text
    assert "domains: " in text
    assert "1 question" in text


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("q.txt", "Why A?\n\nWhy B?\n", [None, None]),
        ("q.txt", '"Why A?" he asked\n[Why B?]\n', [None, None]),
        ("q.jsonl", '{"id": 1, "query": "Why A?"}\n{"sample_id": "x", "prompt": "Why B?"}\n', [1, "x"]),
        ("q.json", '[{"question": "Why A?"}, "Why B?"]', [None, None]),
    ],
)
def test_questions_from_files(assay, tmp_path, name, text, ids):
    (tmp_path / name).write_text(text, "utf-8")
    result = assay("lab", "query", "suitable", name, *MODEL, "--format", "jsonl")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["id"] for row in rows] == ids
    assert "A?" in rows[0]["query"]
    assert (
        len(
            assay(
                "lab", "query", "suitable", name, *MODEL, "--limit", "1", "--format", "jsonl"
            ).stdout.splitlines()
        )
        == 1
    )


def test_questions_from_stdin(assay):
    result = assay("lab", "query", "suitable", "-", *MODEL, "--format", "jsonl", input="Why A?\nWhy B?\n")
    assert len(result.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "args", "told"),
    [
        (None, (), "q.jsonl: cannot be read"),
        ("{", (), "q.jsonl:1: broken JSON"),
        ('{"querry": "Why?"}', (), "has no query or prompt or question"),
        ('{"topic": "Why?"}', ("--field", "topi"), "did you mean 'topic'?"),
        ("\n", (), "there is no question in it"),
        ("3", (), "neither a text nor an object"),
    ],
)
def test_mistakes(assay, tmp_path, text, args, told):
    if text is not None:
        (tmp_path / "q.jsonl").write_text(text, "utf-8")
    result = assay("lab", "query", "suitable", "q.jsonl", *MODEL, *args)
    assert result.exit_code == 2
    assert told in result.stderr


def test_no_such_subcommand(assay):
    result = assay("lab", "query", "suitible", QUESTION)
    assert result.exit_code == 2
    assert "did you mean 'suitable'?" in result.stderr


def test_the_questions_of_suites(assay):
    text = assay("lab", "query", "list").stdout
    assert "finresearch  70 questions" in text
    rows = [
        json.loads(line)
        for line in assay("lab", "query", "list", "finresearch", "--format", "jsonl").stdout.splitlines()
    ]
    assert len(rows) == 70
    assert all(row["query"] and row["suite"] == "finresearch" for row in rows)
    assert "did you mean 'finresearch'?" in assay("lab", "query", "list", "finreserch").stderr


def test_listed_questions_can_be_asked_about(assay, tmp_path):
    (tmp_path / "q.jsonl").write_text(assay("lab", "query", "list", "--format", "jsonl").stdout, "utf-8")
    result = assay("lab", "query", "suitable", "q.jsonl", "--limit", "3", *MODEL, "--format", "jsonl")
    assert len(result.stdout.splitlines()) == 3


def test_real_questions(assay, shared):
    path = shared / "deepresearch_bench" / "queries.jsonl"
    result = assay("lab", "query", "suitable", path, *MODEL, "--format", "jsonl")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == 100
    assert all(row["status"] == "ok" for row in rows)


@pytest.mark.parametrize("command", ["suitable", "complexity", "category"])
def test_questions_are_not_written_over(assay, tmp_path, command):
    path = tmp_path / "q.txt"
    path.write_text(QUESTION, "utf-8")
    result = assay("lab", "query", command, path, *MODEL, "-o", path)
    assert result.exit_code == 2
    assert "is one of the files to read" in result.stderr
    assert path.read_text("utf-8") == QUESTION
