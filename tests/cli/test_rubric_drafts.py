"""``assay rubrics draft``, ``augment`` and ``review``."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.rubrics.loader import load_rubric

QUESTION = "Why did lithium prices fall in 2023?"


def script(*replies):
    Path("s.jsonl").write_text("\n".join(map(json.dumps, replies)), "utf-8")
    return ("--model", "scripted/s.jsonl", "--ledger", "none")


def row(text, axis="explicit", weight=3):
    return {"criterion": text, "axis": axis, "weight": weight, "rationale": "It matters."}


DRAFT = json.dumps(
    {
        "criteria": [
            row("The report names the mines that opened in 2023.", weight=5),
            row("The report gives the price of lithium in January 2023.", "implicit"),
            row("The report ties supply to demand.", "synthesis", 2),
            row("The report states a forecast as a fact.", "references", -3),
        ]
    }
)


@pytest.fixture
def draft(assay):
    result = assay("rubrics", "draft", QUESTION, "-o", "draft.yaml", "--least", "4", *script(DRAFT))
    assert result.exit_code == 0
    return result


def test_a_draft_says_that_it_is_one(draft):
    assert draft.stdout.splitlines()[0] == "draft.yaml: 4 drafted criteria, 1 mandatory, 1 negative"
    assert "review them: assay rubrics review draft.yaml -o draft.yaml" in draft.stdout
    assert "warning" not in draft.stdout
    rubric = load_rubric("draft.yaml")
    assert len(rubric.drafts) == 4
    assert {item.notes["by"] for item in rubric.criteria} == {"scripted/s.jsonl"}


def test_a_set_keeps_the_question(assay):
    assert assay("rubrics", "draft", QUESTION, "-o", "d.jsonl", "--least", "4", *script(DRAFT)).exit_code == 0
    assert json.loads(Path("d.jsonl").read_text("utf-8"))["query"] == QUESTION


def test_no_draft(assay):
    result = assay("rubrics", "draft", QUESTION, "-o", "d.yaml", "--retries", "0", *script("No idea."))
    assert result.exit_code == 3
    assert "no draft was written (unparsed)" in result.stderr
    assert not Path("d.yaml").exists()
    for args, told in (
        (("-o", "d.md"), "ends in none of"),
        (("-o", "d.yaml", "--least", "50"), "--most 43"),
    ):
        result = assay("rubrics", "draft", QUESTION, *args, *script())
        assert (result.exit_code, told in result.stderr) == (2, True)


class TestReview:
    def test_decisions(self, assay, draft):
        keys = ["a", "w", "4", "x", "synth", "x", "synthesis", "a", "r", "s"]
        result = assay(
            "rubrics", "review", "draft.yaml", "-o", "mine.yaml", "--by", "ann", input="\n".join(keys) + "\n"
        )
        assert result.exit_code == 0
        assert "[1 of 4]  Explicit Criteria  weight 5 (critically important)" in result.stdout
        assert "did you mean 'synthesis'?" in result.stdout
        assert "1 accepted, 1 accepted with changes, 1 rejected, 1 still drafts" in result.stdout
        first, second, third = load_rubric("mine.yaml").criteria
        assert first.notes["review"]["by"] == "ann"
        assert first.notes["review"]["at"].endswith("Z")
        assert (second.weight, second.notes["axis"]) == (4.0, "Synthesis of Information")
        assert second.notes["mandatory"] is True
        assert third.notes["draft"] is True
        (line,) = Path("mine.rejected.jsonl").read_text("utf-8").splitlines()
        assert json.loads(line)["criterion"]["asks"] == "The report ties supply to demand."
        assert len(load_rubric("draft.yaml").drafts) == 4  # what was reviewed is as it was

    def test_it_goes_on_where_it_ended(self, assay, draft):
        for keys, left in (("a\nq\n", 3), ("r\nq\n", 2), ("e\nIt says when.\nq\n", 2), ("a\na\n", 0)):
            assay("rubrics", "review", "draft.yaml", "-o", "mine.yaml", "--by", "bob", input=keys)
            assert len(load_rubric("mine.yaml").drafts) == left
        rubric = load_rubric("mine.yaml")
        assert [item.notes["review"]["decision"] for item in rubric.criteria] == [
            "accepted",
            "edited",
            "accepted",
        ]
        assert rubric.criteria[1].asks == "It says when."
        assert rubric.criteria[1].notes["before"]["asks"] == "The report ties supply to demand."
        again = assay("rubrics", "review", "draft.yaml", "-o", "mine.yaml", "--by", "bob")
        assert "every criterion is decided" in again.stdout

    def test_back_takes_a_decision_back(self, assay, draft):
        assay(
            "rubrics", "review", "draft.yaml", "-o", "mine.yaml", "--by", "ann", input="r\na\nb\nb\nb\na\nq\n"
        )
        rubric = load_rubric("mine.yaml")
        assert len(rubric.criteria) == 4
        assert len(rubric.drafts) == 3
        assert Path("mine.rejected.jsonl").read_text("utf-8") == ""

    def test_in_its_place(self, assay, draft):
        assay(
            "rubrics", "review", "draft.yaml", "-o", "draft.yaml", "--by", "ann", input="r\na\n"
        )  # and the end of input
        assay("rubrics", "review", "draft.yaml", "-o", "draft.yaml", "--by", "ann", input="r\nq\n")
        rubric = load_rubric("draft.yaml")
        assert [len(rubric.criteria), len(rubric.drafts)] == [2, 1]
        assert len(Path("draft.rejected.jsonl").read_text("utf-8").splitlines()) == 2

    def test_lint_findings_are_shown(self, assay, draft):
        keys = "w\n-2\nq\n"
        result = assay("rubrics", "review", "draft.yaml", "-o", "mine.yaml", "--by", "ann", input=keys)
        assert "weight -2 (detrimental)" in result.stdout
        assert "weight 9" not in result.stdout
        keys = "w\n9\nw\n0\nw\nx\nhuh\nq\n"
        result = assay("rubrics", "review", "draft.yaml", "-o", "other.yaml", "--by", "ann", input=keys)
        assert result.stdout.count("is not a weight from -5 to 5; it stays 5") == 3

    def test_all_rejected_is_no_rubric(self, assay, draft):
        result = assay(
            "rubrics", "review", "draft.yaml", "-o", "mine.yaml", "--by", "ann", input="r\nr\nr\nr\n"
        )
        assert result.exit_code == 0
        assert "all criteria are rejected" in result.stderr
        assert len(load_rubric("mine.yaml").criteria) == 1  # as it was before the last

    def test_mistakes(self, assay, draft, monkeypatch):
        Path("other.yaml").write_text("- Names Paris.\n", "utf-8")
        result = assay("rubrics", "review", "draft.yaml", "-o", "other.yaml", "--by", "ann")
        assert (result.exit_code, "holds another rubric" in result.stderr) == (2, True)
        result = assay("rubrics", "review", "other.yaml", "-o", "o.yaml", "--by", "ann")
        assert "(--all reviews criteria that are not drafts)" in result.stdout
        for name in ("USER", "USERNAME"):
            monkeypatch.delenv(name, raising=False)
        result = assay("rubrics", "review", "draft.yaml", "-o", "o.yaml")
        assert (result.exit_code, "--by NAME" in result.stderr) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_at_a_terminal(draft):
    """A real one: the text to edit stands there to be changed, and Ctrl-C loses nothing."""
    import pty

    master, slave = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "assay",
        "rubric",
        "review",
        "draft.yaml",
        "-o",
        "mine.yaml",
        "--by",
        "ann",
    ]
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "100"}
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    ) as process:
        try:
            os.close(slave)
            seen = _until(master, "> ")
            assert "[1 of 4]" in seen
            os.write(master, b"e\n")
            assert "The report names the mines" in _until(
                master, "text: The report names the mines that opened in 2023."
            )
            os.write(master, b" Yes.\n")
            assert "changed; accept it" in _until(master, "> ")
            os.write(master, b"a\n")
            assert "[2 of 4]" in _until(master, "> ")
            assert "what was finished is kept" in _until(master, "kept", also=lambda: process.send_signal(2))
            assert process.wait(20) == 130
        finally:
            # Whatever is asserted, nobody waits for a process that waits for keys.
            process.kill()
    os.close(master)
    rubric = load_rubric("mine.yaml")
    assert rubric.criteria[0].asks.endswith("2023. Yes.")
    assert len(rubric.drafts) == 3


def _until(master, text, also=None):
    """What the terminal shows until a text has come; ``also`` is done while nothing is shown.

    A signal that comes between a prompt and the reading of keys is seen with the next key, or the next signal. One that
    comes while the first is being answered would break off the answer.
    """
    seen = ""
    end = time.monotonic() + 60
    silent = True
    while text not in seen:
        assert time.monotonic() < end, seen
        if also is not None and silent:
            also()
        silent = not select.select([master], [], [], 0.5)[0]
        if not silent:
            try:
                seen += os.read(master, 4096).decode()
            except OSError:
                # Nobody is at the other end any more.
                break
    return seen


ASKS = "The report cites the 2021 census of Paris."
LONGER = (
    "The report cites the 2021 census of Paris (e.g. its table of districts), and not a mere estimate of it."
)


class TestAugment:
    def test_a_rubric(self, assay):
        Path("r.yaml").write_text(f"- {ASKS}\n- It names Rome.\n", "utf-8")
        model = script(LONGER, "It names Rome.")
        result = assay("lab", "augment", "r.yaml", "-o", "a.yaml", "--retries", "0", "-j", "1", *model)
        assert result.exit_code == 0
        assert "2 of 2 criteria rewritten" in result.stdout
        assert "no longer than the criterion" in result.stderr
        old, new = load_rubric("r.yaml"), load_rubric("a.yaml")
        assert new.name == "r-augmented"
        assert [item.key for item in new.criteria] == [item.key for item in old.criteria]
        assert new.criteria[0].asks == LONGER
        assert new.criteria[0].notes["original"] == ASKS

    def test_a_set(self, assay):
        rows = [{"sample_id": name, "prompt": "Why?", "rubrics": [{"criterion": ASKS, "weight": 4, "axis": "Explicit Criteria"}]} for name in "ab"]  # fmt: skip
        Path("t.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        result = assay("lab", "augment", "t.jsonl", "-o", "a.jsonl", *script(LONGER, LONGER))
        assert result.exit_code == 0
        written = [json.loads(line) for line in Path("a.jsonl").read_text("utf-8").splitlines()]
        assert [row["id"] for row in written] == ["a", "b"]
        assert all(row["rubric"]["criteria"][0]["asks"] == LONGER for row in written)

    def test_nothing_rewritten(self, assay):
        Path("r.yaml").write_text(f"- {ASKS}\n", "utf-8")
        result = assay(
            "lab", "augment", "r.yaml", "-o", "a.yaml", *script("I'm sorry, but I can't help with that.")
        )
        assert result.exit_code == 3
        assert "no criterion was rewritten (refused)" in result.stderr
        assert not Path("a.yaml").exists()

    def test_by_batch_files_no_half_rubric_is_written(self, assay):
        Path("r.yaml").write_text(f"- {ASKS}\n- It names Rome.\n", "utf-8")
        args = ("--model", "openai/gpt-4.1-mini", "--ledger", "l.db", "--requests", "q.jsonl")
        result = assay("lab", "augment", "r.yaml", "-o", "a.yaml", *args)
        assert result.exit_code == 0
        assert "wrote 2 requests" in result.stderr
        assert not Path("a.yaml").exists()
