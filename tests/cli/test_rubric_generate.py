"""``assay rubrics for-pair``, and judging by what it wrote."""

from __future__ import annotations

import json

import msgspec
import pytest

from instance_items import ENGLISH, QUERY, A, B, by_dimension

ROWS = [msgspec.to_builtins(item) for item in ENGLISH]


@pytest.fixture
def pair(tmp_path):
    for name, text in (("a.md", A), ("b.md", B)):
        (tmp_path / name).write_text(text, "utf-8")
    return "a.md", "b.md"


@pytest.fixture
def scripted(tmp_path):
    """A model that answers with these texts, in order."""

    def put(*texts: str, name: str = "replies.jsonl") -> str:
        rows = [json.dumps({"text": text}) + "\n" for text in texts]
        (tmp_path / name).write_text("".join(rows), "utf-8")
        return f"scripted/{tmp_path / name}"

    return put


def items(**changes: str) -> str:
    return json.dumps({"items": by_dimension([{**ROWS[0], **changes}, *ROWS[1:]])})


def test_eight_items_readable_and_recorded(assay, pair, scripted, tmp_path) -> None:
    model = scripted(items())
    result = assay("rubrics", "for-pair", *pair, "--query", QUERY, "--model", model, "-o", "pairs.jsonl")
    assert result.exit_code == 0, result.stderr
    assert "8. Qualifiers & counterpoints" in result.stdout
    assert "8 items, all well-formed by rule" in result.stdout
    assert max(map(len, result.stdout.splitlines()[1:])) <= 100
    (line,) = (tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()
    record = json.loads(line)
    assert (record["schema"], record["query"], len(record["items"])) == ("assay.instance-rubric/1", QUERY, 8)
    assert record["a"]["name"] == "a.md"


def test_what_is_flawed_is_flagged_and_what_is_there_stays(assay, pair, scripted, tmp_path) -> None:
    kept = tmp_path / "pairs.jsonl"
    kept.write_text("{}", "utf-8")
    model = scripted(items(span_hint="Use judgement."))
    args = ("rubric", "generate", *pair, "--query", QUERY, "--model", model, "--retries", 0, "-o", kept)
    result = assay(*args)
    assert result.exit_code == 0, result.stderr
    assert "flagged: span_hint names nothing that can be looked for" in " ".join(result.stdout.split())
    assert "8 items, 1 flagged" in result.stdout
    assert len(kept.read_text("utf-8").splitlines()) == 2


def test_json(assay, pair, scripted) -> None:
    result = assay(
        "rubrics", "for-pair", *pair, "--query", QUERY, "--model", scripted(items()), "--format", "json"
    )
    assert json.loads(result.stdout)["flaws"] == {}


def test_judged_by_the_file(assay, pair, scripted) -> None:
    asked = (
        "rubric",
        "generate",
        *pair,
        "--query",
        QUERY,
        "--model",
        scripted(items()),
        "-o",
        "pairs.jsonl",
        "-q",
    )
    assert assay(*asked).exit_code == 0
    entries = {row["aspect"]: {"decision": "A>B", "justification": "So."} for row in ROWS}
    block = json.dumps({"aspect_evaluations": entries, "overall_explanation": "So."})
    turned = block.replace("A>B", "A<B")
    judge = scripted(f"<think>{block}</think>\nA>B", f"<think>{turned}</think>\nA<B", name="judge.jsonl")
    result = assay(
        "compare", *pair, "--query", QUERY, "--judge", f"logicjudge@{judge}", "--rubric", "pairs.jsonl",
        "--format", "json", "-j", 1,
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    judgment = json.loads(result.stdout.splitlines()[0])
    judgment = judgment.get("judgment", judgment)
    assert judgment["preference"] == "A>B"
    assert judgment["rubric"] == "reportlogic-instance"


def test_mistakes(assay, pair, scripted, tmp_path) -> None:
    model = scripted("no", "idea", "at all")
    result = assay("rubrics", "for-pair", *pair, "--model", model)
    assert result.exit_code == 3
    assert "assay: no rubric (unparsed)" in result.stderr
    assert "Traceback" not in result.stderr
    (tmp_path / "empty.md").write_text(" \n", "utf-8")
    result = assay("rubrics", "for-pair", "a.md", "empty.md", "--model", model)
    assert result.exit_code == 2
    result = assay("rubrics", "for-pair", *pair, "--model", model, "-o", "x.yaml")
    assert result.exit_code == 2
    assert "name a file that ends in .jsonl" in result.stderr


def test_a_batch_file_of_the_call(assay, pair, tmp_path) -> None:
    result = assay(
        "rubrics", "for-pair", *pair, "--model", "openai/gpt-5-mini", "--requests", "requests.jsonl"
    )
    assert result.exit_code == 0, result.stderr
    (line,) = (tmp_path / "requests.jsonl").read_text("utf-8").splitlines()
    assert "exactly eight items" in line
