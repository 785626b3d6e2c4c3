"""``assay bench`` where the model's endpoint fails: what is told, what is kept, and how the same command goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import chain, repeat
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.main import root
from servers.fault import FaultServer, completion

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SOURCES = [EXAMPLES / "heat-pumps", EXAMPLES / "trajectories" / "clean.json"]
TYPES = "incoherence,citation_groundedness,expression_quality,result_irrelevance,process_evidence_omission"
NO_CREDIT = (402, {}, {"error": {"message": "no credit"}})


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A benchmark of the project's own examples, built once."""
    folder = tmp_path_factory.mktemp("bench") / "b"
    words = ["bench", "build", *map(str, SOURCES), "-o", str(folder), "--types", TYPES, "--per-type", "3"]
    result = CliRunner().invoke(root, words, prog_name="assay")
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def run(assay, made, monkeypatch):
    """Put the judge behind a server to the benchmark, with a ledger that stays."""
    monkeypatch.setenv("ASSAY_MODEL_MAX_ATTEMPTS", "2")

    def do(server: FaultServer, *more: object, form: str = "json"):
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        words = ("--judge", "direct@vllm/m", "--ledger", "l.sqlite", "--save", "kept", "-f", form)
        result = assay("bench", "run", made, *words, *more)
        assert "Traceback" not in result.stderr
        assert "a bug in Assay" not in result.stderr
        assert "never retrieved" not in result.stderr
        return result

    return do


def test_an_endpoint_that_dies_midway_costs_coverage_and_nothing_else(run) -> None:
    with FaultServer(chain(["ok"] * 8, repeat("reset"))) as server:
        result = run(server)
    assert result.exit_code == 0, result.stderr
    assert "brought no reply" in result.stderr
    data = json.loads(result.stdout)
    assert 0 < data["coverage"] < 1
    assert set(data["statuses"]) == {"ok", "failed"}
    assert data["accuracy"]["n"] == data["statuses"]["ok"]
    # Judges that need no endpoint are not touched by it, and it was put to the end.
    assert {item["coverage"] for item in data["beside"]} == {1.0}
    assert data["origin"]["status"] == "done"
    with FaultServer() as server:
        again = run(server)
        # What failed is asked again, and nothing else.
        assert len(server.answered) == len(server.bodies)
    assert json.loads(again.stdout)["coverage"] == 1
    with FaultServer() as server:
        whole = run(server, "--ledger", "other.sqlite")
    assert json.loads(whole.stdout)["accuracy"] == json.loads(again.stdout)["accuracy"]


@pytest.mark.parametrize("more", [(), ("--interface", "pairwise", "--interface", "ranking", "--localise")])
def test_an_endpoint_that_never_answers(run, more) -> None:
    with FaultServer(repeat("reset")) as server:
        result = run(server, *more, form="text")
    assert result.exit_code == 3
    assert "no verdict" in result.stderr
    assert "without a verdict" in result.stdout
    assert "rules" in result.stdout


def test_a_lost_account_ends_the_run_and_the_same_command_goes_on(run, assay) -> None:
    with FaultServer(chain(["ok"] * 7, repeat(NO_CREDIT))) as server:
        result = run(server, "-j", 1, form="text")
        first = set(server.answered)
    assert result.exit_code == 3, result.output
    assert "no credit left" in result.stderr
    assert "the same command continues from there" in result.stderr
    assert "not all of it" in result.stdout
    # Judges whose turn never came are not shown with rows of nothing.
    assert "random" not in result.stdout
    # Nobody takes a part for the whole: neither a card nor a gate.
    card = json.loads(assay("bench", "card", "kept", "-f", "json").stdout)
    assert card["origin"]["status"] == "failed"
    assert any("ended early" in text for text in card["cautions"])
    assert card["detection"]["condition"]["version"]
    gate = assay("bench", "gate", "kept", "--min", "detection=0")
    assert "the run is incomplete" in gate.stderr
    with FaultServer() as server:
        again = run(server)
        assert not first & set(server.answered)
    assert again.exit_code == 0
    assert "calls were in the ledger" in again.stderr
    with FaultServer() as server:
        whole = json.loads(run(server, "--ledger", "other.sqlite").stdout)
        assert len(server.answered) == whole["usage"]["calls"]
    assert json.loads(again.stdout)["by_type"] == whole["by_type"]
    assert "only a part" not in assay("bench", "gate", "kept", "--min", "detection=0").stderr


def test_a_key_that_is_refused_at_once_shows_nothing(run) -> None:
    with FaultServer(repeat((401, {}, {"error": {"message": "bad key"}}))) as server:
        result = run(server)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "VLLM_API_KEY" in result.stderr
    assert not Path("kept").exists()


def test_a_cap_shows_what_there_is_and_settings_are_compared_on_it(run) -> None:
    with FaultServer() as server:
        result = run(server, "--judge", "full@vllm/m", "--max-total-tokens", 45_000)
        asked = sum(server.answered.values())
    assert result.exit_code == 3
    assert "the cap of 45,000 tokens is reached" in result.stderr
    assert "once the cap is raised" in result.stderr
    data = json.loads(result.stdout)
    assert data["origin"]["status"] == "stopped"
    assert data["results"][0]["judge"] == "direct@vllm/m"
    if len(data["results"]) > 1 and data["results"][1]["n"]:
        assert [item["axis"] for item in data["contrasts"]] == ["reasoning"]
    with FaultServer() as server:
        again = run(server, "--judge", "full@vllm/m")
        later = sum(server.answered.values())
    assert again.exit_code == 0
    data = json.loads(again.stdout)
    assert asked + later == sum(item["usage"]["calls"] for item in data["results"])


def test_faults_that_pass_change_nothing(run) -> None:
    words = ("--interface", "pointwise", "--interface", "pairwise", "--repetitions", 2)
    with FaultServer() as server:
        calm = json.loads(run(server, *words).stdout)
    with FaultServer(seed=3, share=0.3, most=1, faults=("429-after", "500", "reset", "truncated")) as server:
        rough = run(server, *words, "--ledger", "other.sqlite")
        assert server.met
        # Two trials of each, answered once each.
        assert set(server.answered.values()) == {2}
    assert rough.exit_code == 0, rough.stderr
    rough = json.loads(rough.stdout)
    for one, two in zip(calm["results"], rough["results"], strict=True):
        assert two["coverage"] == 1
        assert {**one, "usage": None} == {**two, "usage": None}


def test_drift_against_a_dead_endpoint(run, assay) -> None:
    state = "ok"
    with FaultServer(repeat(lambda _: state)) as server:
        assert run(server).exit_code == 0
        first = len(server.bodies)
        state = "reset"
        dead = assay("bench", "drift", "kept", "--ledger", "l.sqlite")
        state = "ok"
        server.bodies.clear()
        same = assay("bench", "drift", "kept", "--ledger", "l.sqlite", "-f", "json")
        # Asked anew, though the ledger has it all.
        assert len(server.bodies) == first
    assert dead.exit_code == 3
    assert "no verdict" in dead.stderr
    assert "Traceback" not in dead.stderr
    assert same.exit_code == 0, same.stderr
    data = json.loads(same.stdout)
    assert (data["moved"], data["drifted"]) == ([], False)
    assert data["before"] == data["now"]


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_keeps_what_was_answered(made, tmp_path) -> None:
    words = [
        "bench",
        "run",
        str(made),
        "--judge",
        "direct@vllm/m",
        "--ledger",
        "l.sqlite",
        "--no-save",
        "-j",
        "2",
    ]

    def start(url: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-c", "from assay.cli.main import main; main()", *words],
            cwd=tmp_path,
            env={**os.environ, "VLLM_BASE_URL": url},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    with FaultServer(latency=0.15) as server:
        child = start(server.base_url)
        while len(server.answered) < 4:
            assert child.poll() is None, child.communicate()
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
        first = len(server.answered)
        assert (child.returncode, "Traceback" in err) == (130, False), err
        assert "assay: interrupted; every answered call is kept" in err
        assert "it was interrupted" in out
        child = start(server.base_url)
        out, err = child.communicate(timeout=60)
        assert child.returncode == 0, err
        assert f"{first} of {len(server.answered)} calls were in the ledger" in err
        # No call was paid for twice.
        assert set(server.answered.values()) == {1}
    assert "interrupted" not in out


def editing(change, **more):
    """An editor that gives back the first passage it was sent, changed."""

    def answer(body):
        said = body["messages"][-1]["content"]
        passage = said.partition("<<PASSAGE ")[2].partition(">>\n")[2].partition("\n<<END PASSAGE")[0]
        assert passage
        written = {"possible": True, "passages": [{"number": 1, "text": change(passage)}], "obstacle": ""}
        reply = completion(json.dumps(written), body)
        reply["choices"][0].update(more)
        return (200, {}, reply)

    return answer


def build(assay, monkeypatch, script, *more):
    with FaultServer(script) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.base_url)
        monkeypatch.setenv("ASSAY_MODEL_MAX_ATTEMPTS", "1")
        result = assay(
            "bench", "build", EXAMPLES / "heat-pumps", "-o", "b", "--editor", "direct@vllm/m", "--types", "fabrication",
            "--per-type", 2, "--retries", 0, "--validator", "none", "--ledger", "none", *more,
        )  # fmt: skip
    assert "Traceback" not in result.stderr
    return result


def misquoted(text: str) -> str:
    """Another figure in place of the first."""
    at = next(i for i, char in enumerate(text) if char.isdigit() and text[i - 1] not in "[0123456789.")
    return text[:at] + ("7" if text[at] != "7" else "3") + text[at + 1 :]


def test_a_model_edits(assay, monkeypatch) -> None:
    result = build(assay, monkeypatch, repeat(editing(misquoted)))
    assert result.exit_code == 0, result.stderr
    rows = [json.loads(line) for line in Path("b/instances.jsonl").read_text("utf-8").splitlines()]
    assert {row["editor"] for row in rows} == {"vllm/m"}
    for row in rows:
        reference, revised = row["reference"]["report"], row["perturbed"]["report"]
        assert len(reference) == len(revised)
        assert sum(a != b for a, b in zip(reference, revised, strict=True)) == 1


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (editing(lambda text: text), 2, "no change"),
        (editing(lambda text: f"<<PASSAGE 0123456789ab>>\n{misquoted(text)}"), 2, "artefact"),
        (editing(lambda text: f"{misquoted(text)}\n<<END PASSAGE 0123456789ab>>"), 2, "artefact"),
        (editing(lambda text: f"Here is the revised passage:\n{misquoted(text)}"), 2, "artefact"),
        (
            lambda body: (200, {}, completion('{"possible": true, "passages": [{"num', body)),
            2,
            "model unparsed",
        ),
        (
            lambda body: (200, {}, completion("I'm sorry, but I can't help with that.", body)),
            2,
            "model refused",
        ),
        ("reset", 3, "no reply came"),
        (NO_CREDIT, 2, "no credit left"),
    ],
)
def test_edits_that_cannot_be_used(assay, monkeypatch, script, code, said) -> None:
    result = build(assay, monkeypatch, repeat(script))
    assert said in result.stderr
    assert result.exit_code == code
    assert not Path("b").exists()
