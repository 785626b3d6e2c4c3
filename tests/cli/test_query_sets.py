"""``assay lab query expand``, ``dedupe`` and ``split``."""

import json
from pathlib import Path

import pytest

from assay.generation.suitability import CONSTRAINTS, CRITERIA

LITHIUM = "Why did lithium prices fall in 2023?"
PORTS = "How do small harbours pay for dredging?"
ROWS = [
    {"id": "a", "query": LITHIUM, "domain": "metals"},
    {"id": "b", "prompt": PORTS},
    {"query": "In 2023, why did the price of lithium fall?"},
]


def rows(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


@pytest.fixture
def questions(tmp_path):
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    return "q.jsonl"


@pytest.fixture
def script(tmp_path):
    def write(*replies):
        (tmp_path / "s.jsonl").write_text(
            "\n".join(json.dumps(json.dumps(item)) for item in replies), "utf-8"
        )
        return ("--model", "scripted/s.jsonl", "--ledger", "none", "--retries", "0")

    return write


def test_dedupe(assay, questions):
    result = assay("lab", "query", "dedupe", questions, "-o", "out.jsonl")
    assert result.exit_code == 0
    # The other fields of a row stay with it.
    assert rows("out.jsonl") == [ROWS[0], {**ROWS[1], "query": PORTS}]
    assert f"repeats: {LITHIUM}" in result.stderr
    assert "3 questions: 2 stay, 1 left out" in result.stderr


def test_dedupe_against_a_test_set(assay, questions):
    Path("test.txt").write_text(PORTS + "\n", "utf-8")
    result = assay("lab", "query", "dedupe", questions, "--against", "test.txt")
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["a"]


def test_split(assay, tmp_path):
    texts = [
        f"{a} {b}"
        for a in ("harbour", "meadow", "violin")
        for b in ("economy", "glaciers", "kitchens", "zoning")
    ]
    Path("q.txt").write_text("\n".join(texts), "utf-8")
    result = assay("lab", "query", "split", "q.txt", "--shares", "2,1,1", "--threshold", "0.9", "-o", "parts")
    assert result.exit_code == 0
    assert result.stdout == "12 questions: 6 train, 3 dev, 3 test\n"
    parts = [[row["query"] for row in rows(f"parts/{name}.jsonl")] for name in ("train", "dev", "test")]
    assert sorted(text for part in parts for text in part) == sorted(texts)
    assert all(row["id"].startswith("q-") for row in rows("parts/train.jsonl"))


def test_a_part_that_stays_empty_is_told(assay, questions):
    result = assay("lab", "query", "split", questions, "-o", "parts")
    assert result.exit_code == 0
    assert "warning: test is empty" in result.stderr
    assert rows("parts/test.jsonl") == []


@pytest.mark.parametrize("shares", ["80,20", "a,b,c", "0,0,0", "1,-1,1", "nan,1,1"])
def test_shares_that_are_none(assay, questions, shares):
    result = assay("lab", "query", "split", questions, "--shares", shares, "-o", "parts")
    assert result.exit_code == 2
    assert "write three numbers" in result.stderr


def test_expand_and_split_again(assay, script):
    Path("q.jsonl").write_text("\n".join(map(json.dumps, ROWS[:2])), "utf-8")
    variants = {"variants": [{"change": "purpose", "query": "What will lithium cost in a decade?"}]}
    model = script(variants, variants)
    result = assay("lab", "query", "expand", "q.jsonl", *model, "--variants", "1", "-o", "v.jsonl")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "2 questions: 2 variants"
    first, second = rows("v.jsonl")
    assert first == {
        "schema": "assay.query-variant/1", "id": "a-1", "query": "What will lithium cost in a decade?",
        "origin": LITHIUM, "change": "purpose", "domain": "metals", "model": "scripted/s.jsonl",
    }  # fmt: skip
    assert second["origin"] == PORTS
    result = assay("lab", "query", "split", "q.jsonl", "v.jsonl", "--shares", "0,0,1", "-o", "parts")
    # The questions are all in test, so the variants of them are in no part.
    assert "2 variants of dev and test questions left out" in result.stdout
    assert [row["id"] for row in rows("parts/test.jsonl")] == ["a", "b"]
    assert rows("parts/train.jsonl") == []


def test_accepted_questions(assay, questions, script):
    def judged(met, decision):
        return {
            "criteria": {name: {"reason": "so", "met": name in met} for name in CRITERIA},
            "constraints": dict.fromkeys(CONSTRAINTS, False),
            "reason": "all in all",
            "decision": decision,
        }

    model = script(judged(CRITERIA, "ACCEPT"), judged((), "REJECT"), judged((), "REJECT"))
    result = assay("lab", "query", "suitable", questions, *model, "--accepted", "yes.jsonl")
    assert result.exit_code == 0
    assert rows("yes.jsonl") == ROWS[:1]
