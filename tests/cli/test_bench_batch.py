"""``assay bench run`` through batch files: the same judgments, keys and results as by direct calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.main import root
from assay.runs.ledger import open_ledger
from servers.fault import FaultServer, completion

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SOURCES = [EXAMPLES / "heat-pumps", EXAMPLES / "trajectories" / "clean.json"]
TYPES = "expression_quality,citation_groundedness,process_evidence_omission"
ROUNDS = 8


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Path:
    """A benchmark of the project's own examples, built once."""
    folder = tmp_path_factory.mktemp("bench") / "b"
    words = ["bench", "build", *map(str, SOURCES), "-o", str(folder), "--types", TYPES, "--per-type", "2"]
    result = CliRunner().invoke(root, words, prog_name="assay")
    assert result.exit_code == 0, result.output
    return folder


def answered(requests: Path, responses: Path, keep: Callable[[int], bool] = lambda _: True) -> Path:
    """Write what the server would say to the requests that are kept; the others fail."""
    lines = []
    for number, text in enumerate(requests.read_text("utf-8").splitlines()):
        row = json.loads(text)
        response = {"status_code": 500, "body": {"error": {"message": "try later"}}}
        if keep(number):
            reply = completion(FaultServer.reply_text(row["body"]), row["body"])
            response = {"status_code": 200, "body": reply}
        lines.append(json.dumps({"custom_id": row["custom_id"], "response": response, "error": None}))
    responses.write_text("\n".join(reversed(lines)) + "\n", "utf-8")
    return responses


def judged(path: Path) -> dict[str, dict]:
    """The judgments of a ledger by key."""
    with open_ledger(str(path), read_only=True) as ledger:
        return {key: ledger.judgment(key).judgment.to_dict() for key in ledger.finished()}


def files(folder: Path) -> tuple[dict, list[dict]]:
    """The result and the trials of a run that was kept, without its name and date."""
    result = json.loads((folder / "result.json").read_text("utf-8"))
    for name in ("id", "created"):
        assert result["origin"].pop(name)
    return result, [json.loads(line) for line in (folder / "trials.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("words", "rounds"),
    [
        (("--judge", "direct@vllm/m", "--judge", "geval@vllm/n"), 2),
        (("--judge", "direct@vllm/m", "--interface", "pairwise", "--repetitions", "2"), 1),
        (("--judge", "direct@vllm/m", "--interface", "ranking", "--interface", "pairwise", "--granularity", "holistic"), 1),
        (("--judge", "full@vllm/m", "--granularity", "both", "--rubric", "none", "--defence", "both"), 1),
        (("--judge", "direct@vllm/m", "--localise"), 2),
    ],
)  # fmt: skip
def test_both_ways_give_the_same_files(assay, bench, monkeypatch, words, rounds) -> None:
    command = ("bench", "run", bench, *words)
    with FaultServer() as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        direct = assay(*command, "--ledger", "direct.sqlite", "--save", "direct")
        assert direct.exit_code == 0, direct.stderr
        sent = len(server.bodies)
        # No call goes to the server any more.
        monkeypatch.setenv("VLLM_BASE_URL", "http://127.0.0.1:9/v1")
        written, taken = 0, ()
        for number in range(ROUNDS):
            requests = Path(f"r{number}")
            requests.mkdir()
            result = assay(
                *command,
                *taken,
                "--ledger",
                "batch.sqlite",
                "--save",
                "batch",
                "--requests",
                requests / "q.jsonl",
            )
            assert result.exit_code == 0, result.stderr
            found = sorted(requests.iterdir())
            if not found:
                break
            assert result.stdout == ""
            assert not Path("batch").exists()
            assert "nothing was sent" in result.stderr
            taken = ()
            for path in found:
                written += path.read_text("utf-8").count("\n")
                taken += ("--responses", answered(path, Path(f"a{number}-{path.name}")))
        assert number == rounds
        assert len(server.bodies) == sent
    assert written == sent
    assert result.stdout == direct.stdout
    assert files(Path("batch")) == files(Path("direct"))
    assert judged(Path("batch.sqlite")) == judged(Path("direct.sqlite"))


def test_what_fails_is_asked_again_and_direct_calls_may_finish(assay, bench, monkeypatch) -> None:
    command = (
        "bench",
        "run",
        bench,
        "--judge",
        "direct@vllm/m",
        "--alone",
        "--ledger",
        "l.sqlite",
        "-f",
        "json",
    )
    assert assay(*command, "--requests", "q.jsonl").exit_code == 0
    many = Path("q.jsonl").read_text("utf-8").count("\n")
    half = answered(Path("q.jsonl"), Path("a.jsonl"), keep=lambda number: number % 2 == 0)
    result = assay(*command, "--responses", half)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "wait for replies; --requests FILE writes their requests" in result.stderr
    result = assay(*command, "--requests", "q.jsonl")
    assert Path("q.jsonl").read_text("utf-8").count("\n") == many // 2
    with FaultServer() as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        result = assay(*command)
        assert len(server.bodies) == many // 2
    assert json.loads(result.stdout)["coverage"] == 1
    shown = assay("log", "list", "--ledger", "l.sqlite").stdout
    assert "waiting" in shown


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--judge", "rules", "--requests", "q.jsonl"), "--requests would do nothing"),
        (("--judge", "direct@vllm/m", "--requests", "q.jsonl", "--until", "0.2"), "leave out --until"),
        (
            ("--judge", "direct@vllm/m", "--requests", "q.jsonl", "--ledger", "none"),
            "batch files need a ledger",
        ),
    ],
)
def test_what_a_batch_cannot_do_is_refused(assay, bench, more, said) -> None:
    result = assay("bench", "run", bench, *more)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not Path("q.jsonl").exists()
