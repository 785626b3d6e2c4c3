"""The README's commands and snippets do what they say: without a key, whoever it names as a model."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.main import root

README = Path(__file__).resolve().parents[1] / "README.md"
# Models that need a key, or a minute of computing. A rehearsal takes the same options.
MODEL = re.compile(r"\b(?:openai/gpt-5-mini|local/smollm2-135m)(?=\s|$)")
# It fetches a hundred megabytes; tests/models/test_local.py does that.
LEFT_OUT = ("assay models pull",)
EXPERIMENT = """
name: my-experiment
subjects: [reports]
judges: [brief@scripted/random]
rubrics: [overall]
"""
# What later commands work on.
SUITE = ["runs.jsonl", "--judge", "scripted/random", "--quiet"]
GRADE = "grade runs.jsonl --rubric tasks.jsonl --judge scripted/random -f jsonl -o grades.jsonl".split()
BUILD = "bench build reports trajectory.json -o bench --types all --per-type 2 -q".split()
TRIAL = "bench run bench --judge direct@scripted/random --limit 1 --save trial -q".split()
PAIR = "compare reports/good.md reports/flawed.md -f json -o judgments.jsonl".split()
LABELS = "a,b,rater,winner\nreports/good.md,reports/flawed.md,anna,a\n"
REPEATED = "judge reports --judge direct@scripted/random --rubric overall --repetitions 3 -f json -q -o repetitions.jsonl".split()
CRITERIA = (
    "- The report gives a source for each figure.\n- {criterion: It recommends one option., weight: 3}\n"
)


def blocks(language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", README.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def commands() -> list[str]:
    lines = [line.removeprefix("$ ") for text in blocks("console") for line in text.splitlines()]
    lines = [re.sub(r"\s+# .*", "", line) for line in lines if line.startswith("assay ")]
    return [line for line in lines if not line.startswith(LEFT_OUT)]


def answer_requests() -> None:
    """What a provider does with a file of requests."""
    words = ["run", "batch", "export", "experiment.yaml", "-o", "requests.jsonl", "--fresh"]
    CliRunner().invoke(root, words, prog_name="assay")
    text = json.dumps({"assessment": "Good.", "score": 7})
    body = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    with Path("responses.jsonl").open("w", encoding="utf-8") as out:
        for line in Path("requests.jsonl").read_text("utf-8").splitlines():
            row = {"custom_id": json.loads(line)["custom_id"], "response": {"status_code": 200, "body": body}}
            out.write(json.dumps(row) + "\n")


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Path:
    """A folder with the files the README speaks of."""
    examples = README.parent / "examples"
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(examples / "heat-pumps", folder / "reports")
    for name, source in {
        "report.md": "heat-pumps/middling.md",
        "draft.md": "heat-pumps/flawed.md",
        "revision.md": "heat-pumps/good.md",
        "good.md": "heat-pumps/good.md",
        "query.txt": "heat-pumps/query.txt",
        "trajectory.json": "trajectories/flawed.json",
        "run.json": "trajectories/clean.json",
        "tasks.jsonl": "rubrics/tasks.jsonl",
    }.items():
        shutil.copy(examples / source, folder / name)
    (folder / "pages").mkdir()
    (folder / "pages" / "1.txt").write_text("Heat pumps in cold climates: a field study.\n", "utf-8")
    query = (folder / "query.txt").read_text("utf-8")
    with (folder / "runs.jsonl").open("w", encoding="utf-8") as out:
        for system in ("good", "middling", "flawed"):
            article = (folder / "reports" / f"{system}.md").read_text("utf-8")
            row = {"id": "heat-pumps", "system": system, "prompt": query, "article": article}
            out.write(json.dumps(row) + "\n")
    (folder / "experiment.yaml").write_text(EXPERIMENT, "utf-8")
    (folder / "criteria.yaml").write_text(CRITERIA, "utf-8")
    (folder / "labels.csv").write_text(LABELS, "utf-8")
    return folder


@pytest.fixture(autouse=True)
def _at_the_desk(desk, monkeypatch):
    for name in list(os.environ):
        if name.startswith("ASSAY_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(desk)


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_readme(command) -> None:
    line, _, target = command.partition(" > ")
    words = shlex.split(MODEL.sub("scripted/random", line))[1:]
    if words[:2] in (["log", "show"], ["log", "export"]):
        # Each command by itself, in whatever order tests run.
        CliRunner().invoke(root, ["run", "experiment.yaml", "--quiet"], prog_name="assay")
    if words[:3] == ["run", "batch", "import"]:
        answer_requests()
    if words[:1] == ["compliance"]:
        CliRunner().invoke(root, GRADE, prog_name="assay")
    if words[:3] == ["run", "suites", "agree"]:
        for suite in (["finresearch"], ["researchrubrics", "--rubric", "tasks.jsonl"]):
            CliRunner().invoke(root, ["run", "--suite", *suite, *SUITE], prog_name="assay")
    before: list[list[str]] = []
    if words[:2] in (["bench", "show"], ["bench", "run"]):
        before = [BUILD]
    if words[:2] in (["bench", "card"], ["bench", "gate"], ["bench", "drift"]):
        before = [BUILD, TRIAL]
    if words[0] == "agree":
        before = [PAIR]
    if words[:2] == ["agree", "stability"]:
        before = [REPEATED]
    for earlier in before:
        assert CliRunner().invoke(root, earlier, prog_name="assay").exit_code == 0, earlier
    done = CliRunner().invoke(root, words, prog_name="assay")
    # 1: the reports have findings, and they are meant to.
    assert done.exit_code in ((0, 1) if words[0] == "audit" else (0,)), done.stderr
    if target and target != "experiment.yaml":
        assert done.stdout.count('"schema"') == 3


def test_there_are_commands() -> None:
    named = {" ".join(command.split()[1:count]) for command in commands() for count in (2, 3)}
    assert named >= {
        "audit",
        "checks",
        "logic",
        "compare",
        "judge",
        "rank",
        "run",
        "log",
        "models",
        "run batch",
    }
    assert named >= {"grade", "compliance", "run suites", "lab score", "lab query", "rubrics", "lab write"}
    assert named >= {"bench card", "bench gate", "bench drift", "agree", "agree stability", "leaderboard"}


@pytest.mark.parametrize("snippet", blocks("python"))
def test_a_snippet_of_the_readme(snippet, capsys) -> None:
    exec(compile(snippet, str(README), "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("snippet", blocks("toml"))
def test_settings_of_the_readme(snippet, tmp_path) -> None:
    from assay.models.settings import load_model_config

    path = tmp_path / "assay.toml"
    path.write_text(snippet, "utf-8")
    config = load_model_config(path)
    assert config.models["openai/gpt-5-mini"].rpm == 500
    assert config.settings("lab/any", {}).price is not None


def test_the_example_experiment(examples, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(README.parent)
    where = tmp_path / "ledger.sqlite"
    words = ["run", "examples/experiment.yaml", "--ledger", str(where)]
    plan = CliRunner().invoke(root, [*words, "--dry-run"], prog_name="assay")
    assert plan.exit_code == 0, plan.stderr
    assert "8 subjects" in plan.stdout
    assert not where.exists()
    first = CliRunner().invoke(root, words, prog_name="assay")
    assert first.exit_code == 0, first.stderr
    assert "decision-ready" in first.stdout
    again = CliRunner().invoke(root, words, prog_name="assay")
    assert again.stdout == first.stdout
    assert "no calls" in again.stderr
    lint = CliRunner().invoke(
        root,
        ["rubrics", "lint", "examples/rubrics/decision-ready.yaml", "--fail-on", "info"],
        prog_name="assay",
    )
    assert lint.exit_code == 0, lint.stdout


def test_the_real_judges_of_the_example_are_written_right() -> None:
    from assay.runs.experiment_file import parse_experiment

    text = (README.parent / "examples" / "experiment.yaml").read_text("utf-8")
    live = re.sub(r"^(\s*)# (?=- \S*[@{]|budget)", r"\1", text, flags=re.MULTILINE)
    made = parse_experiment(live)
    assert {"brief@openai/gpt-5-mini", "quote@deepseek/deepseek-chat"} <= {
        judge.name for judge in made.judges
    }
    assert made.budget.usd == 1
