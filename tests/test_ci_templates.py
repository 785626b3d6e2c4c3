"""The GitHub action, the GitLab template and the pre-commit hook: their own steps are run, as they stand."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

REPOSITORY = Path(__file__).parent.parent
REPORTS = str(REPOSITORY / "examples" / "heat-pumps")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the steps are for bash")


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """A runner's folder in which Assay is installed already, so that the steps after that can be run."""
    program = tmp_path / "temp" / "assay" / "bin" / "assay"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m assay "$@"\n', "utf-8")
    program.chmod(0o755)
    return tmp_path


def run_step(folder: Path, step: dict[str, Any], inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    def value(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)

    given = {name: value(str(text)) for name, text in step.get("env", {}).items()}
    assert "${{" not in step["run"], "an input in a script could become a command"
    assert "${{" not in "".join(given.values())
    source = str(REPOSITORY / "src")
    environ = {
        **os.environ,
        **given,
        "RUNNER_TEMP": str(folder / "temp"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "PYTHONPATH": source,
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def action() -> tuple[list[dict[str, Any]], dict[str, str]]:
    data = yaml.safe_load((REPOSITORY / "action.yml").read_text("utf-8"))
    defaults = {name: str(item["default"]) for name, item in data["inputs"].items()}
    return data["runs"]["steps"], defaults


def test_the_action_audits_writes_sarif_and_a_comment_and_fails(runner: Path) -> None:
    (_, audit, _), inputs = action()
    found = run_step(runner, audit, {**inputs, "paths": REPORTS})
    assert found.returncode == 1, found.stderr
    sarif = json.loads((runner / "assay.sarif").read_text("utf-8"))
    assert any(result["ruleId"] == "CIT001" for result in sarif["runs"][0]["results"])
    comment = (runner / "assay.md").read_text("utf-8")
    assert comment.startswith("### Assay\n")
    assert "NUM004" in comment
    assert "\x1b" not in comment
    assert (runner / "summary.md").read_text("utf-8") == comment
    assert run_step(runner, audit, {**inputs, "paths": REPORTS, "fail-on": "never"}).returncode == 0


def test_one_bad_file_costs_neither_the_rest_nor_the_summary(runner: Path) -> None:
    (_, audit, _), inputs = action()
    (runner / "reports").mkdir()
    (runner / "reports" / "good.md").write_text("# Costs\n\nA house costs 12 crowns.\n", "utf-8")
    (runner / "reports" / "bad.md").write_bytes(b"\x00\x01\x02" * 400)
    found = run_step(runner, audit, {**inputs, "paths": "reports"})
    assert found.returncode == 2
    summary = (runner / "summary.md").read_text("utf-8")
    assert "bad.md" in summary
    assert json.loads((runner / "assay.sarif").read_text("utf-8"))["runs"]


def test_with_a_baseline_only_new_findings_fail_the_action(runner: Path) -> None:
    (_, audit, _), inputs = action()
    command = [
        sys.executable,
        "-m",
        "assay",
        "audit",
        REPORTS,
        "--format",
        "json",
        "--fail-on",
        "never",
        "-o",
        "last.json",
    ]
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    subprocess.run(command, cwd=runner, env=environ, check=True, timeout=120)
    given = {**inputs, "paths": REPORTS, "baseline": "last.json", "fail-on": "new:error"}
    found = run_step(runner, audit, given)
    assert found.returncode == 0, found.stderr
    assert "Since the baseline" in (runner / "assay.md").read_text("utf-8")
    assert '"baselineState"' in (runner / "assay.sarif").read_text("utf-8")


def test_a_path_that_looks_like_a_command_is_a_path(runner: Path) -> None:
    (_, audit, _), inputs = action()
    found = run_step(runner, audit, {**inputs, "paths": "$(touch${IFS}gotcha);touch gotcha `touch gotcha`"})
    assert found.returncode == 2
    assert not (runner / "gotcha").exists()


def test_the_action_holds_a_judge_to_its_bounds(runner: Path) -> None:
    (_, _, gate), inputs = action()
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    assay = [sys.executable, "-m", "assay", "bench"]
    for more in (
        ["build", REPORTS, "-o", "bench", "--per-type", "2", "-q"],
        ["run", "bench", "--judge", "rules", "--interface", "pairwise", "--save", "trial", "-q"],
    ):
        subprocess.run([*assay, *more], cwd=runner, env=environ, check=True, capture_output=True, timeout=120)
    kept = run_step(runner, gate, {**inputs, "trial": "trial", "bounds": "coverage=0.0"})
    assert kept.returncode == 0, kept.stderr
    missed = run_step(runner, gate, {**inputs, "trial": "trial", "bounds": "coverage=0.0 detection=0.99"})
    assert missed.returncode == 1, missed.stdout


def test_the_steps_of_gitlab_run(runner: Path) -> None:
    job = yaml.safe_load((REPOSITORY / "examples" / "ci" / "gitlab.yml").read_text("utf-8"))["assay"]
    bin_folder = runner / "temp" / "assay" / "bin"
    environ = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY / "src"),
        "REPORTS": REPORTS,
    }
    # GitLab runs the lines of a job in one shell, which ends at the first that fails.
    script = "\n".join(line for line in job["script"] if not line.startswith("pip install"))
    variables = {name: value for name, value in job["variables"].items() if name != "REPORTS"}

    def run(**more: str) -> int:
        return subprocess.run(
            ["sh", "-e", "-c", script], cwd=runner, env={**environ, **variables, **more},
            capture_output=True, check=False, timeout=120,
        ).returncode  # fmt: skip

    assert run() == 1
    assert "NUM004" in (runner / "assay.md").read_text("utf-8")
    subprocess.run(
        ["sh", "-c", 'assay audit "$REPORTS" --format json --fail-on never -o last.json'],
        cwd=runner, env=environ, check=True, timeout=120,
    )  # fmt: skip
    assert run(BASELINE="last.json") == 0
    assert '"baselineState"' in (runner / "assay.sarif").read_text("utf-8")
    for name in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]:
        assert (runner / name).stat().st_size


def test_the_hook_of_pre_commit_takes_the_files_that_changed(runner: Path) -> None:
    (hook,) = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text("utf-8"))
    program, *options = shlex.split(hook["entry"])
    command = [str(runner / "temp" / "assay" / "bin" / program), *options]
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    for name, code in (("flawed.md", 1), ("good.md", 0)):
        found = subprocess.run(
            [*command, f"{REPORTS}/{name}"], env=environ, capture_output=True, check=False, timeout=120
        )
        assert found.returncode == code, found.stderr
