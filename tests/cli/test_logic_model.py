"""``assay logic --model``: the argument as a model reads it, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

REPORT = """\
# Wind power

Offshore wind should be built first in the north. It is the cheapest option there. Auction prices fell to $62/MWh in \
2023 [1].

[1]: https://a.example/1
"""
NODES = {
    "nodes": [
        {"id": 1, "kind": "argument", "lines": [2], "text": "", "supports": []},
        {"id": 2, "kind": "argument", "lines": [3], "text": "", "supports": [1]},
        {"id": 3, "kind": "evidence", "lines": [4], "text": "prices fell to $62/MWh", "supports": [2]},
        {"id": 4, "kind": "evidence", "lines": [4], "text": "prices fell to $26/MWh", "supports": [2]},
    ]
}
VERDICTS = {
    "verdicts": [
        {"claim": 1, "why": "one reason", "support": "partial"},
        {"claim": 2, "why": "a price", "support": "supported"},
    ]
}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_text(REPORT, "utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "replies.jsonl"
    lines = [json.dumps({"text": json.dumps(NODES)}), json.dumps({"text": json.dumps(VERDICTS)})]
    path.write_text("\n".join(lines), "utf-8")
    return f"scripted/{path}"


def test_the_tree_is_as_wide_as_the_terminal(assay, tmp_path, monkeypatch) -> None:
    path = tmp_path / "long.md"
    path.write_text(
        f"# Wind\n\nOffshore wind should be built first, {'because it is cheap, ' * 12}says a study.\n",
        "utf-8",
    )
    monkeypatch.setattr("assay.cli.logic.columns_for", lambda _: 70)
    lines = assay("logic", path).stdout.splitlines()
    assert len(lines) > 4
    assert max(map(len, lines[2:])) <= 70


def test_text(assay, report, model) -> None:
    found = assay("logic", report, "--model", model, "--ledger", "none", "--retries", 0)
    assert found.exit_code == 0, found.output
    assert "◐ a1 Offshore wind should be built first in the north." in found.stdout
    assert "● a2 It is the cheapest option there." in found.stdout
    assert "▪ e1 prices fell to $62/MWh" in found.stdout
    assert "$26" not in found.stdout
    assert "1 of 4 nodes dropped" in found.stderr
    assert "3 nodes, 1 of the model's dropped; beside the rule-built graph: " in found.stderr
    assert "2 calls" in found.stderr


@pytest.mark.parametrize("form", ["json", "dot", "mermaid", "svg", "html"])
@pytest.mark.parametrize("checked", [True, False])
def test_every_format_shows_support(assay, report, model, form, checked) -> None:
    more = () if checked else ("--no-support",)
    found = assay("logic", report, "--model", model, "--ledger", "none", "--retries", 0, "-f", form, *more)
    assert found.exit_code == 0, found.output
    if form == "json":
        held = [node["support"] for node in json.loads(found.stdout)["nodes"]]
        assert held == (["partial", "supported", None] if checked else [None] * 3)
        return
    if form == "svg":
        ET.fromstring(found.stdout)
    # What nobody has looked at does not pass for something halfway.
    assert ("◐ " in found.stdout.replace("◐ partly", "") or "◐</span>" in found.stdout) is checked
    assert ("◌" in found.stdout) is not checked
    assert ("2 calls" in found.stderr) is checked


def test_quiet_and_output(assay, report, model, tmp_path) -> None:
    found = assay(
        "logic", report, "--model", model, "--ledger", "none", "-q", "-f", "json", "-o", tmp_path / "g.json"
    )
    assert found.exit_code == 0
    assert found.stdout == found.stderr == ""
    assert json.loads((tmp_path / "g.json").read_text("utf-8"))["schema"] == "assay.logic/2"


def test_rounds(assay, report, model, tmp_path) -> None:
    """Requests are written, answered elsewhere, and taken in, until there is a graph."""
    ledger = tmp_path / "calls.db"
    common = ("logic", report, "--model", "openai/gpt-5-mini", "--ledger", ledger, "--retries", 0)
    replies: list[Path] = []
    for turn, said in enumerate((NODES, VERDICTS)):
        path = tmp_path / f"requests{turn}.jsonl"
        taken = [part for reply in replies[-1:] for part in ("--responses", reply)]
        found = assay(*common, *taken, "--requests", path)
        assert found.exit_code == 0, found.output
        assert found.stdout == ""
        [row] = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        assert row["body"]["response_format"]["type"] == "json_schema"
        body = {
            "choices": [
                {"message": {"role": "assistant", "content": json.dumps(said)}, "finish_reason": "stop"}
            ]
        }
        answer = {"custom_id": row["custom_id"], "response": {"status_code": 200, "body": body}}
        replies.append(tmp_path / f"replies{turn}.jsonl")
        replies[-1].write_text(json.dumps(answer) + "\n", "utf-8")
    found = assay(*common, "--responses", replies[-1])
    assert found.exit_code == 0, found.output
    assert "● a2 It is the cheapest option there." in found.stdout


def test_a_model_that_says_nothing_usable(assay, report, tmp_path) -> None:
    path = tmp_path / "silent.jsonl"
    path.write_text('"nothing"\n' * 4, "utf-8")
    found = assay("logic", report, "--model", f"scripted/{path}", "--ledger", "none")
    assert found.exit_code == 0
    assert "the graph is the rule-built one" in found.stderr
    assert found.stdout == assay("logic", report).stdout


def test_a_model_that_fails(assay, report, tmp_path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text('{"text": "x", "when": "no prompt holds this"}\n', "utf-8")
    found = assay("logic", report, "--model", f"scripted/{path}", "--ledger", "none")
    assert found.exit_code == 3
    assert "the call failed" in found.stderr


@pytest.mark.parametrize(
    "option", [("--retries", 1), ("--no-support",), ("--ledger", "none"), ("-q",), ("--requests", "x")]
)
def test_options_of_a_model_want_one(assay, report, option) -> None:
    found = assay("logic", report, *option)
    assert found.exit_code == 2
    assert "needs --model" in found.stderr
