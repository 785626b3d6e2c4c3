"""``assay lab write``."""

import json

import pytest

PARAGRAPH = "Prices fell in 2023 [d1]. Supply had risen for a year [d2]. Demand slowed as well. Both add up."
QUESTION = "Why did lithium prices fall?"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d1.md").write_text("Supply rose.", "utf-8")
    (tmp_path / "docs" / "d2.txt").write_text("Demand slowed.", "utf-8")
    rows = ["- a list", PARAGRAPH]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return tmp_path


NUMBERED = f"{PARAGRAPH.replace('[d1]', '[1]').replace('[d2]', '[2]')}\n\n## References\n\n[1] d1\n[2] d2"
ARGS = ("write", QUESTION, "--documents", "docs", "--model", "scripted/s.jsonl", "--ledger", "none")


def test_a_report(assay, folder):
    result = assay(*ARGS, "--least", "10", "-o", "report.md")
    assert result.exit_code == 0
    assert (folder / "report.md").read_text("utf-8") == NUMBERED + "\n"
    assert "2 of 2 documents cited" in result.stderr
    assert "warning" not in result.stderr


def test_what_is_wrong_is_said(assay, folder):
    result = assay(*ARGS, "--retries", "0")
    assert result.exit_code == 0
    assert result.stdout == "- a list\n"
    assert "warning: it has 1 list items; write prose only" in result.stderr
    assert "at least 3,000 are asked for" in result.stderr


def test_json(assay, folder):
    row = json.loads(assay(*ARGS, "--least", "10", "--format", "json").stdout)
    assert row["schema"] == "assay.written-report/1"
    assert (row["status"], row["report"], row["cited"], row["flaws"]) == ("ok", NUMBERED, ["d1", "d2"], [])


def test_no_report(assay, folder):
    (folder / "s.jsonl").write_text(json.dumps("I'm sorry, but I can't help with that."), "utf-8")
    result = assay(*ARGS, "-o", "report.md")
    assert result.exit_code == 3
    assert "no report was written (refused)" in result.stderr
    assert not (folder / "report.md").exists()


def test_documents_that_do_not_fit(assay, folder):
    (folder / "assay.toml").write_text('[models."scripted/s.jsonl"]\ncontext = 8000\n', "utf-8")
    (folder / "docs" / "big.md").write_text("word " * 8000, "utf-8")
    result = assay(*ARGS)
    assert result.exit_code == 2
    assert "reads 8,000 at most; leave out some (the largest: big 10,000" in result.stderr


def test_the_reply_gets_what_the_window_leaves(assay, folder):
    (folder / "assay.toml").write_text('[models."openai/gpt-4.1-mini"]\ncontext = 6000\n', "utf-8")
    result = assay(
        "lab", "write", QUESTION, "--documents", "docs", "--model", "openai/gpt-4.1-mini", "--ledger", "l.db",
        "--requests", "r.jsonl",
    )  # fmt: skip
    assert result.exit_code == 0
    body = json.loads((folder / "r.jsonl").read_text("utf-8"))["body"]
    assert 4201 < body["max_completion_tokens"] < 6000


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("write", " ", "--model", "scripted/echo"), "the question is empty"),
        (("write", "Why?", "--documents", "none", "--model", "scripted/echo"), "none: cannot be read"),
        ((*ARGS, "-o", "docs/d1.md"), "is one of the files to read"),
    ],
)
def test_mistakes(assay, folder, args, told):
    result = assay(*args)
    assert result.exit_code == 2
    assert told in result.stderr
