"""``assay lab query category``: by a model, by the wording, and as batch files."""

from __future__ import annotations

import json

import pytest

QUERY = "Give an outlook on the tin industry and its cycle"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "questions.jsonl"
    rows = [
        {"id": "t", "query": QUERY},
        {"id": "z", "query": "总结今天的 A 股行情。"},
        {"id": "n", "query": "Hello there"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def script(tmp_path, *texts):
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts), "utf-8")
    return "scripted/r.jsonl"


def said(category):
    return json.dumps({"reason": "So it is.", "category": category})


def test_by_a_model(assay, tmp_path):
    result = assay("lab", "query", "category", QUERY, "--model", script(tmp_path, said("sector_analysis")))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("sector_analysis")
    assert "1 question: 1 in the seven evaluated categories" in result.stdout
    assert "model and wording agree on 1 of the 1" in result.stdout


def test_a_difference_from_the_wording_is_flagged(assay, tmp_path):
    result = assay("lab", "query", "category", QUERY, "--model", script(tmp_path, said("market_performance")))
    assert "by its wording sector_analysis" in result.stdout
    assert "0 in the seven evaluated" in result.stdout


def test_by_the_wording_alone(assay, file, tmp_path):
    out = tmp_path / "out.jsonl"
    result = assay("lab", "query", "category", file, "--model", "rules", "-o", out)
    assert result.exit_code == 0
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["category"] for row in rows] == ["sector_analysis", "post_market_recap", None]
    assert [row["id"] for row in rows] == ["t", "z", "n"]
    assert rows[0]["schema"] == "assay.query_category/1"
    assert "(no guess)" in result.stdout


def test_no_answer_at_all(assay, tmp_path):
    result = assay("lab", "query", "category", QUERY, "--model", "scripted/echo")
    assert result.exit_code == 3
    assert "unparsed" in result.stdout


def test_as_batch_files(assay, file, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    requests = tmp_path / "requests.jsonl"
    model = ("--model", "openai/gpt-5-mini", "--ledger", tmp_path / "l.sqlite")
    result = assay("lab", "query", "category", file, *model, "--requests", requests)
    assert result.exit_code == 0, result.stderr
    asked = [json.loads(line) for line in requests.read_text("utf-8").splitlines()]
    assert len(asked) == 3
    replies = tmp_path / "replies.jsonl"
    body = {
        "model": "gpt-5-mini",
        "choices": [{"message": {"content": said("others")}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 5},
    }
    lines = [
        {"custom_id": row["custom_id"], "response": {"status_code": 200, "body": body}, "error": None}
        for row in asked
    ]
    replies.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    result = assay("lab", "query", "category", file, *model, "--responses", replies, "--format", "jsonl")
    assert [json.loads(line)["category"] for line in result.stdout.splitlines()] == ["others"] * 3


def test_rules_take_no_batch_files(assay, tmp_path):
    result = assay("lab", "query", "category", QUERY, "--model", "rules", "--requests", "x.jsonl")
    assert result.exit_code == 2
    assert "would do nothing" in result.stderr
