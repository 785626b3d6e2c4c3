"""Judges on trial through the real SmolLM2, as a user runs it: built by it, run on it, interrupted, carded, judged again.

A model of 135 million parameters edits and judges nothing well. What is held is form: what it writes is refused or is an
instance by every rule; a verdict, or a status that is counted; each call kept, and none made twice. What it says may differ
between machines, so no test says what.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from assay.cli.main import root
from assay.models.llama_server import can_serve

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_serve(), reason="xllamacpp is not installed"),
]

MODEL = "local/smollm2-135m"
QUERY = "Is a heat pump worth it in an old house?"
# No shorter than a reference may be.
REPORT = """# Heat pumps in old houses

## Costs and savings

Heat pumps cut heating costs in old houses, but by how much depends on the walls. An audit of 120 houses in 2023 found savings of 40 % where the walls were insulated [1]. Without insulation the savings fell to 12 %, because the pump then runs at a higher temperature [1]. The installation cost 14,000 euros on average, and grants covered 5,600 euros of it [2].

## Limits

The audit covers one region with mild winters, and no house in it was older than 1950 [1]. However, noise was named as a problem by 9 % of the owners [2]. Colder regions may see smaller savings.

## Conclusion

A heat pump is worth it in an old house that is insulated first: it cut heating costs by 40 % there, and by 12 % elsewhere.

[1]: https://audit.example.org/pumps
[2]: https://survey.example.org/owners
"""
STEPS: list[dict[str, Any]] = [
    {
        "reasoning": "I need trials in apartments from 2022 onward, so I set the year in the search.",
        "tool_calls": [
            {
                "name": "web_search",
                "arguments": {"query": "window inserts heating savings apartments", "from_year": 2022},
                "response": "1. Maple Court: window inserts in 64 apartments (2023). https://homes.example.edu/maple",
            }
        ],
    },
    {
        "reasoning": "Result 1 is a trial in apartments, so I open it.",
        "tool_calls": [
            {
                "name": "open_page",
                "arguments": {"url": "https://homes.example.edu/maple"},
                "response": "Maple Court. Heating use fell by 11% on average. Installed cost averaged $148 per window.",
            }
        ],
    },
    {
        "reasoning": "Maple Court found a saving of 11% in 64 apartments, so I answer with it.",
        "tool_calls": [],
    },
]
TRAJECTORY = {
    "schema": "assay.trajectory/1",
    "query": "How much heating did window inserts save in apartments after 2022?",
    "tools": ["web_search", "open_page"],
    "steps": [{"index": at, **step} for at, step in enumerate(STEPS)],
    "answer": "One trial found savings of 11% (https://homes.example.edu/maple).",
}


class Bench:
    """Commands in one folder, on one ledger."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.words: list[str] = []

    def __call__(self, *args: object, codes: tuple[int, ...] = (0,)) -> Result:
        result = CliRunner().invoke(root, [*map(str, args)], prog_name="assay")
        assert result.exit_code in codes, result.output
        assert "Traceback" not in result.stderr
        assert "a bug in Assay" not in result.stderr
        return result

    def run(self, *more: object, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
        """``bench run``, a second time for nothing."""
        first = self("bench", "run", *self.judged(), *more, "-f", "json", codes=codes)
        if first.exit_code:
            data: dict[str, Any] = json.loads(first.stdout)
            return data
        count = len(self.calls())
        again = self("bench", "run", *self.judged(), *more, "-f", "json")
        assert len(self.calls()) == count
        assert "nothing was asked" in again.stderr
        one, two = json.loads(first.stdout), json.loads(again.stdout)
        assert {**one, "origin": None} == {**two, "origin": None}
        return two

    def judged(self) -> list[str]:
        """What every ``bench run`` here has."""
        return [
            "b",
            "--judge",
            f"direct@{MODEL}",
            "--rubric",
            "none",
            "--ledger",
            "l.sqlite",
            "--max-tokens",
            "96",
        ]

    def calls(self) -> list[str]:
        """Keys of what was answered, in order."""
        if not Path("l.sqlite").exists():
            return []
        with contextlib.closing(sqlite3.connect("file:l.sqlite?mode=ro", uri=True)) as base:
            return [key for (key,) in base.execute("SELECT key FROM calls ORDER BY id")]


@pytest.fixture
def bench(llama_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A folder with a report, a trajectory, and a benchmark that rules made of them: one fabrication, one tool's answer."""
    from servers.llama import model_file

    for name in list(os.environ):
        if name.startswith("ASSAY_") or name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(model_file().parent.parent))
    monkeypatch.setenv("LOCAL_BASE_URL", llama_url)
    monkeypatch.chdir(tmp_path)
    row = {"id": "pumps", "query": QUERY, "report": REPORT}
    Path("r.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    Path("t.json").write_text(json.dumps(TRAJECTORY), "utf-8")
    found = Bench(tmp_path)
    # A pair of each: many instances of one reference would cost a call each.
    found("bench", "build", "r.jsonl", "-o", "b", "--types", "fabrication", "--per-type", 1)
    return found


def counted(data: dict[str, Any]) -> str:
    """Every instance has a verdict or a status, and the shares are of verdicts alone."""
    put_to = sum(data["statuses"].values())
    assert put_to == data["n"] == 1
    ok = data["statuses"].get("ok", 0)
    assert data["coverage"] == ok / put_to
    assert data["accuracy"]["n"] == ok
    assert (data["accuracy"]["value"] is None) == (not ok)
    return f"{ok} of {put_to}"


def test_what_the_model_edits_is_an_instance_or_is_refused(bench: Bench) -> None:
    words = (
        "bench", "build", "r.jsonl", "t.json", "-o", "m", "--editor", MODEL, "--types", "fabrication,argument_corruption",
        "--per-type", 1, "--retries", 0, "--max-tokens", 96, "--ledger", "l.sqlite",
    )  # fmt: skip
    result = bench(*words, codes=(0, 2))
    asked = bench.calls()
    # Two places of each at most.
    assert 2 <= len(asked) <= 4
    if result.exit_code == 2:
        # Besides the edits that were refused, a subject without a place counts.
        assert re.search(r"no instance was built: \d+ edits refused: ", result.stderr)
        assert not Path("m").exists()
    else:
        manifest = json.loads(Path("m/bench.json").read_text("utf-8"))
        refused = sum(sum(item["refused"].values()) for item in manifest["types"].values())
        assert manifest["instances"] + refused == len(asked)
        for line in Path("m/instances.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            assert row["editor"] == MODEL
            assert row["reference"] != row["perturbed"]
    again = bench(*words, codes=(result.exit_code,))
    assert bench.calls() == asked
    assert again.stdout == result.stdout


def test_from_a_run_with_and_without_a_yardstick_to_card_gate_and_drift(bench: Bench) -> None:
    data = bench.run("--rubric", "usual,none", "--save", "kept")
    assert [item["condition"]["rubrics"] for item in data["results"]] == ["overall", "reflect-report"]
    for item in data["results"]:
        counted(item)
    assert len(bench.calls()) == 4
    assert [item["axis"] for item in data["contrasts"]][:1] == ["rubric"]
    cards = [json.loads(line) for line in bench("bench", "card", "kept", "-f", "json").stdout.splitlines()]
    assert [card["schema"] for card in cards] == ["assay.card/1"] * 2
    assert "Judges compared" in bench("bench", "card", "kept").stdout
    page = bench("bench", "card", "kept", "--condition", 2).stdout
    assert f"direct@{MODEL}" in page
    assert "no rubric" in page
    # Nothing may be sure of one instance.
    assert bench("bench", "gate", "kept", "--min", "detection=0.5", "--sure", codes=(1,)).exit_code == 1
    drift = json.loads(
        bench("bench", "drift", "kept", "--ledger", "l.sqlite", "-f", "json", codes=(0, 1, 3)).stdout
    )
    assert drift["n"] == 1
    assert drift["before"] == drift["now"]
    # Asked anew: at temperature 0 the same words, kept a second time.
    assert len(bench.calls()) == 6
    assert sorted(Counter(bench.calls()).values()) == [1, 1, 2, 2]


def test_pairs_rankings_parts_and_places(bench: Bench) -> None:
    pair = bench.run("--interface", "pairwise", "--alone")
    counted(pair)
    assert pair["orders"] is None or pair["orders"]["consistent"]["n"] <= 1
    assert len(bench.calls()) in (2, 3, 4)
    counted(bench.run("--interface", "ranking", "--alone"))
    fine = bench.run("--granularity", "fine", "--localise", "--alone")
    counted(fine)
    assert fine["condition"]["granularity"] == "fine"
    place = fine["localisation"]
    assert place is None or place["by"] == "asked"


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_a_run_goes_on_after_a_cap_and_an_interrupt(bench: Bench) -> None:
    more = ("--judge", f"full@{MODEL}", "--repetitions", "2", "--save", "kept")
    capped = bench.run(*more, "--max-total-tokens", 2600, codes=(3,))
    assert capped["origin"]["status"] == "stopped"
    first = bench.calls()
    assert first
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from assay.cli.main import main; main()",
            "bench",
            "run",
            *bench.judged(),
            *more,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while len(bench.calls()) == len(first):
        assert child.poll() is None, child.communicate()
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert "interrupted; every answered call is kept" in err
    second = bench.calls()
    data = bench.run(*more)
    assert bench.calls()[: len(second)] == second
    # Nothing was paid for twice.
    assert set(Counter(bench.calls()).values()) == {1}
    assert [item["condition"]["reasoning"] for item in data["results"]] == [False, True]
    for item in data["results"]:
        counted(item)
        assert item["noise"] is None or item["noise"]["n"] <= 1
    assert data["results"][0]["usage"]["calls"] + data["results"][1]["usage"]["calls"] == len(bench.calls())
