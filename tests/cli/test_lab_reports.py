"""``assay lab reports``, and passages as the context of a writer."""

import json
from pathlib import Path

import pytest

from assay import Report, read

PARAGRAPH = "Prices fell in 2023 [d1]. Supply had risen for a year [d1]. Demand slowed as well. Both add up."
QUESTIONS = [
    {"id": 1, "query": "Why did lithium prices fall?", "domain": "metals"},
    {"id": "b", "prompt": "Why did rents rise?"},
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d1.md").write_text("Supply of lithium rose. Rents rose.", "utf-8")
    for name, text in (("one", PARAGRAPH), ("two", PARAGRAPH.replace("Both add up", "That is all"))):
        (tmp_path / f"{name}.jsonl").write_text("\n".join([json.dumps(text)] * 2), "utf-8")
    return tmp_path


WRITERS = ("--writer", "alpha=scripted/one.jsonl", "--writer", "scripted/two.jsonl")
ARGS = (
    "lab",
    "reports",
    "q.jsonl",
    *WRITERS,
    "--least",
    "10",
    "--ledger",
    "none",
    "--retries",
    "0",
    "-o",
    "r.jsonl",
)


def rows(path="r.jsonl"):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def test_every_writer_on_every_question(assay, folder):
    result = assay(*ARGS, "--documents", "docs")
    assert result.exit_code == 0
    assert "4 of 4 reports written" in result.stderr
    found = rows()
    assert [(row["id"], row["system"]) for row in found] == [
        ("1", "alpha"), ("1", "scripted/two.jsonl"), ("b", "alpha"), ("b", "scripted/two.jsonl"),
    ]  # fmt: skip
    assert found[0]["model"] == "scripted/one.jsonl"
    assert found[0]["report"] == f"{PARAGRAPH.replace('[d1]', '[1]')}\n\n## References\n\n[1] d1"
    assert "That is all." in found[1]["report"]
    assert (found[0]["domain"], found[0]["documents"], found[0]["cited"]) == ("metals", ["d1"], ["d1"])


def test_the_rows_are_subjects_and_pairs_of_systems(assay, folder):
    assay(*ARGS, "--documents", "docs")
    subjects = list(read("r.jsonl"))
    assert all(isinstance(item, Report) for item in subjects)
    assert (subjects[0].id, subjects[0].system, subjects[0].query) == (
        "1",
        "alpha",
        "Why did lithium prices fall?",
    )
    board = assay("leaderboard", "r.jsonl", "--judge", "rules", "-f", "json", "-q")
    assert board.exit_code == 0, board.stderr
    assert '"alpha"' in board.stdout


def test_a_writer_that_fails_costs_only_its_reports(assay, folder):
    refusal = json.dumps("I'm sorry, but I can't help with that.")
    (folder / "two.jsonl").write_text("\n".join([refusal] * 2), "utf-8")
    result = assay(*ARGS, "--documents", "docs")
    assert result.exit_code == 0
    assert {row["system"] for row in rows()} == {"alpha"}
    assert "warning: 1, scripted/two.jsonl: no report (refused)" in result.stderr
    assert "2 of 4 reports written" in result.stderr


def test_a_window_that_is_too_small_is_told_for_that_writer(assay, folder):
    (folder / "assay.toml").write_text('[models."scripted/two.jsonl"]\ncontext = 50\n', "utf-8")
    result = assay(*ARGS, "--documents", "docs")
    assert {row["system"] for row in rows()} == {"alpha"}
    assert "reads 50 at most" in result.stderr


def test_documents_of_each_question(assay, folder):
    for name in ("1", "b"):
        (folder / "found" / name).mkdir(parents=True)
        (folder / "found" / name / f"d-{name}.md").write_text("Something.", "utf-8")
    assay(*ARGS, "--documents", "found/{id}")
    assert [row["documents"] for row in rows()] == [["d-1"], ["d-1"], ["d-b"], ["d-b"]]


def test_context_is_selected_for_each_question(assay, folder):
    ferries = "Ferries left the harbour at noon.\n\n" * 90
    (folder / "docs" / "d1.md").write_text(ferries + "Lithium mines opened in 2022.", "utf-8")
    (folder / "docs" / "d2.md").write_text(ferries + "Rents rose in every town.", "utf-8")
    assay(*ARGS, "--documents", "docs", "--context", "260")
    assert [row["documents"] for row in rows()] == [["d1"], ["d1"], ["d2"], ["d2"]]


def test_context_of_a_single_report(assay, folder):
    (folder / "docs" / "d2.md").write_text("word " * 8000, "utf-8")
    args = (
        "lab",
        "write",
        "Why did lithium prices fall?",
        "--documents",
        "docs",
        "--model",
        "scripted/one.jsonl",
    )
    result = assay(*args, "--ledger", "none", "--least", "10", "--context", "200")
    assert result.exit_code == 0
    assert "1 of 1 documents cited" in result.stderr
    result = assay(*args, "--ledger", "none", "--context", "2")
    assert result.exit_code == 2
    assert "raise --context" in result.stderr


@pytest.mark.parametrize(
    ("writers", "told"),
    [
        (
            ("--writer", "a=scripted/one.jsonl", "--writer", "a=scripted/two.jsonl"),
            "two writers have the name 'a'",
        ),
        (("--writer", "=scripted/one.jsonl"), "write NAME=MODEL"),
    ],
)
def test_names_of_writers(assay, folder, writers, told):
    result = assay("lab", "reports", "q.jsonl", *writers, "--ledger", "none", "-o", "r.jsonl")
    assert result.exit_code == 2
    assert told in result.stderr


def test_two_questions_with_one_id(assay, folder):
    (folder / "q.jsonl").write_text("\n".join([json.dumps(QUESTIONS[0])] * 2), "utf-8")
    result = assay(*ARGS)
    assert result.exit_code == 2
    assert "two questions have the id '1'" in result.stderr
