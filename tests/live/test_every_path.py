"""Every path of the yardsticks once through the real SmolLM2, as a user runs it: command line, ledger, HTTP, llama.cpp.

A model of 135 million parameters judges nothing well. What is held here is form: a valid value, or a status with its
reason; nothing invented; each call counted and kept; the same answer again for nothing. Which of the two it is may
differ between machines, so no test says which, except where the schema leaves the model no way out.

``ASSAY_LIVE_TABLE=FILE`` adds a line for each path: calls, tokens in, of these cached, tokens out, seconds, outcome.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from click.testing import CliRunner, Result

from assay import Report
from assay.cli.main import root
from assay.generation.suitability import CONSTRAINTS, CRITERIA
from assay.models.base import Usage
from assay.models.llama_server import can_serve
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.rubrics.loader import load_rubric
from assay.rubrics.tasks import LEVELS
from assay.strategies.quotes import locate
from assay.suites.finresearch.categories import CATEGORIES

pytestmark = pytest.mark.skipif(not can_serve(), reason="xllamacpp is not installed")

MODEL = "local/smollm2-135m"
QUERY = "Is a heat pump worth it in an old house?"
A = (
    "# Heat pumps\n\nHeat pumps cut heating costs in insulated houses. An audit of 120 houses in 2023 found savings of 40 % "
    "where the walls were insulated. Without insulation the savings fell to 12 %.\n"
)
B = (
    "# Heat pumps\n\nHeat pumps never pay back. They cost 12,000 euros and a gas boiler costs 4,000 euros. So a boiler is "
    "the better choice.\n"
)
WIND = "# Wind\n\nOffshore wind is the cheapest option. Prices fell to $62/MWh in 2023.\n"
LONGER = (
    "# Heat pumps\n\n## Costs\n\nAn audit of 120 houses in 2023 found that heat pumps saved 40 % of heating costs where the "
    "house was insulated. Without insulation the savings fell to 12 %. The audit covers one region only.\n\n"
    "## Limits\n\nNo house was older than 1950. Heat pumps never pay back without insulation, said the authors. They advise "
    "to insulate first and to buy the pump later.\n"
)
CRITERION = {"key": "savings", "asks": "States the savings found by the audit of 2023.", "weight": 5}
OTHERS = (
    {"key": "limits", "asks": "Names a limit of the audit.", "weight": 2},
    {"key": "wrong", "asks": "Claims that heat pumps never pay back.", "weight": -3},
)
STATUSES = ("ok", "unparsed", "refused", "failed")
_SPENT = re.compile(r"(\d+) calls?, ([\d,]+) tokens in(?:, \d+% cached)?, ([\d,]+) out")


class Done(msgspec.Struct):
    """What a command did."""

    result: Result
    usage: Usage
    replies: list[dict[str, Any]]
    seconds: float
    outcome: str = ""

    def json(self) -> Any:
        return json.loads(self.result.stdout)


class Live:
    """Runs commands on one ledger, each twice: the second time nothing may be asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "ledger.sqlite"
        self.done: list[Done] = []

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return name

    def rubric(self, *criteria: dict[str, Any]) -> str:
        return self.write("criteria.yaml", yaml.safe_dump({"name": "pumps", "criteria": list(criteria)}))

    def __call__(self, *args: object, codes: tuple[int, ...] = (0, 3), made: str | None = None) -> Done:
        """Run a command.

        Args:
            *args: Its words, without the ledger.
            codes: Exit codes that are an honest end. 3: the model gave nothing that could be used.
            made: A file it writes, which must come out the same.
        """
        before = self._calls()
        began = time.monotonic()
        result = self._run(*args)
        seconds = time.monotonic() - began
        assert result.exit_code in codes, result.stderr
        assert "a bug in Assay" not in result.stderr
        assert "Traceback" not in result.stderr
        rows = self._calls()[len(before) :]
        usage = sum((msgspec.convert(row["usage"], Usage) for row in rows), start=Usage())
        self._check_usage(rows, usage, result.stderr)
        written = self._bytes(made)
        self._same_for_nothing(args, result, made, written)
        self.done.append(Done(result, usage, rows, seconds))
        return self.done[-1]

    def _run(self, *args: object) -> Result:
        words = [*map(str, args), "--ledger", str(self.ledger)]
        return CliRunner().invoke(root, words, prog_name="assay")

    def _check_usage(self, rows: list[dict[str, Any]], usage: Usage, said: str) -> None:
        """Every call in the ledger, with what it took; and what the user is told is their sum."""
        assert rows
        assert usage.calls == len(rows)
        assert all(row["usage"]["input_tokens"] > 50 for row in rows)
        assert usage.output_tokens > 0
        assert usage.cost_usd == 0
        told = [*_SPENT.finditer(said)][-1]
        assert [int(number.replace(",", "")) for number in told.groups()] == [
            usage.calls,
            usage.input_tokens,
            usage.output_tokens,
        ]

    def _same_for_nothing(
        self, args: tuple[object, ...], first: Result, made: str | None, written: bytes | None
    ) -> None:
        count = len(self._calls())
        if made is not None:
            (self.folder / made).unlink(missing_ok=True)
        again = self._run(*args)
        assert len(self._calls()) == count
        assert again.exit_code == first.exit_code
        assert again.stdout == first.stdout
        assert self._bytes(made) == written

    def _bytes(self, made: str | None) -> bytes | None:
        path = self.folder / (made or "")
        return path.read_bytes() if made is not None and path.is_file() else None

    def _calls(self) -> list[dict[str, Any]]:
        """What came back, in the order of the calls."""
        if not self.ledger.exists():
            return []
        with contextlib.closing(sqlite3.connect(f"file:{self.ledger}?mode=ro", uri=True)) as base:
            return [json.loads(row) for (row,) in base.execute("SELECT reply FROM calls ORDER BY rowid")]


@pytest.fixture
def live(
    llama_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Live]:
    """The command line in an empty folder, with the server of the tests for the model."""
    from servers.llama import model_file

    table = os.environ.get("ASSAY_LIVE_TABLE")
    for name in list(os.environ):
        if name.startswith("ASSAY_") or name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(model_file().parent.parent))
    monkeypatch.setenv("LOCAL_BASE_URL", llama_url)
    monkeypatch.chdir(tmp_path)
    run = Live(tmp_path)
    yield run
    if table is not None:
        with Path(table).open("a", encoding="utf-8") as stream:
            for done in run.done:
                used = done.usage
                row = (request.node.name, used.calls, used.input_tokens, used.cached_input_tokens)
                row += (used.output_tokens, round(done.seconds, 1), done.result.exit_code, done.outcome)
                stream.write("\t".join(map(str, row)) + "\n")


def located(quotes: list[dict[str, Any]], text: str) -> None:
    """Passages stand in the text word for word, or are marked as standing nowhere."""
    for quote in quotes:
        if quote["start"] is None:
            assert quote["end"] is None
            assert locate(quote["text"], text) is None
        else:
            assert locate(quote["text"], text[quote["start"] : quote["end"]]) is not None


def explained(row: dict[str, Any]) -> str:
    """A status, with its reason where it is not "ok"."""
    assert row["status"] in STATUSES
    assert row["status"] == "ok" or row["problem"]
    return row["status"]


def graded(done: Done, rubric: tuple[dict[str, Any], ...], text: str, labels: tuple[str, ...]) -> None:
    """A grade has a mark, a share and reasons for each criterion, or why there is none."""
    grade = done.json()
    verdicts = [
        {"verdict": None, "score": None, "status": "ok", "quotes": [], **item} for item in grade["verdicts"]
    ]
    assert [item["criterion"] for item in verdicts] == [item["key"] for item in rubric]
    for item in verdicts:
        assert item["status"] in STATUSES
        located(item["quotes"], text)
        if item["status"] == "ok":
            assert item["verdict"] in labels
            assert item["score"] in (0, 0.5, 1)
            assert 0 <= item.get("confidence", 0) <= 1
        else:
            assert item["score"] is None
            assert item["verdict"] is None
    marks = [(item["weight"], item["score"]) for item in verdicts if item["score"] is not None]
    most = sum(item["weight"] for item in rubric if item["weight"] > 0)
    if len(marks) == len(rubric):
        overall = grade["scores"]["overall"]
        assert overall == pytest.approx(sum(w * s for w, s in marks) / most, abs=1e-6)
    assert msgspec.convert(grade["usage"], Usage) == done.usage
    done.outcome = f"{len(marks)} of {len(rubric)} verdicts"


TERNARY = ("met", "partially met", "not met")
BINARY = ("met", "not met")


def test_one_criterion_graded(live):
    done = live(
        "grade", live.write("a.md", A), "--rubric", live.rubric(CRITERION), "--judge", MODEL, "--query", QUERY,
        "--max-tokens", 128, "-f", "json",
    )  # fmt: skip
    graded(done, (CRITERION,), A, TERNARY)
    assert len(done.replies) <= 2


@pytest.mark.slow
@pytest.mark.parametrize(("grading", "labels"), [("ternary", TERNARY), ("binary", BINARY)])
@pytest.mark.parametrize("per_call", [1, 3])
def test_criteria_graded(live, grading, labels, per_call):
    done = live(
        "grade", live.write("a.md", A), "--rubric", live.rubric(CRITERION, *OTHERS), "--judge", MODEL,
        "--query", QUERY, "--grading", grading, "--per-call", per_call, "--max-tokens", 80 * per_call, "-f", "json",
    )  # fmt: skip
    graded(done, (CRITERION, *OTHERS), A, labels)
    # Each reply is closed within its room, so that nothing is asked again.
    assert done.outcome == "3 of 3 verdicts"
    assert len(done.replies) == 3 // per_call
    assert done.json()["metadata"]["grading"] == grading


@pytest.mark.slow
def test_a_report_graded_in_parts(live):
    done = live(
        "grade", live.write("longer.md", LONGER), "--rubric", live.rubric(CRITERION), "--judge", MODEL,
        "--query", QUERY, "--granularity", "synthesis", "--chunk-chars", 300, "--max-tokens", 128, "-f", "json",
    )  # fmt: skip
    graded(done, (CRITERION,), LONGER, TERNARY)
    # Two parts and what they came to; what invents passages, or was cut off, is asked once more.
    assert 2 <= len(done.replies) <= 6


@pytest.mark.slow
def test_a_question_is_suitable_or_not(live):
    done = live(
        "lab",
        "query",
        "suitable",
        QUERY,
        "--model",
        MODEL,
        "--max-tokens",
        400,
        "--retries",
        0,
        "-f",
        "jsonl",
    )
    row = done.json()
    done.outcome = explained(row)
    if row["status"] == "ok":
        done.outcome = row["decision"]
        assert tuple(row["criteria"]) == CRITERIA
        held, met = row["constraints"], sum(item["met"] for item in row["criteria"].values())
        assert set(held) <= set(CONSTRAINTS)
        assert row["decision"] == ("ACCEPT" if met >= 3 and not held else "REJECT")
        assert row["contradiction"] == (row["said"] != row["decision"])


@pytest.mark.slow
def test_a_question_is_complex_on_three_axes(live):
    done = live(
        "lab",
        "query",
        "complexity",
        QUERY,
        "--model",
        MODEL,
        "--max-tokens",
        280,
        "--retries",
        0,
        "-f",
        "jsonl",
    )
    row = done.json()
    done.outcome = explained(row)
    if row["status"] == "ok":
        done.outcome = ", ".join(row[axis] for axis in LEVELS)
        assert all(row[axis] in levels for axis, levels in LEVELS.items())
        assert all(row["labels"][axis]["level"] == row[axis] for axis in LEVELS)


@pytest.mark.slow
def test_a_finance_question_has_a_category(live):
    done = live(
        "lab", "query", "category", "Which bank had the higher return on equity in 2023?", "--model", MODEL,
        "--max-tokens", 96, "--retries", 0, "-f", "jsonl",
    )  # fmt: skip
    row = done.json()
    done.outcome = explained(row)
    if row["status"] == "ok":
        done.outcome = row["category"]
        known = {item.key: item for item in CATEGORIES}
        assert row["evaluated"] == known[row["category"]].evaluated


@pytest.mark.slow
def test_a_rubric_of_a_pair_and_the_pair_judged_by_it(live):
    a, b = live.write("a.md", A), live.write("b.md", B)
    done = live(
        "rubrics", "for-pair", a, b, "--query", QUERY, "--model", MODEL, "--max-tokens", 640, "--retries", 0,
        "-o", "pairs.jsonl", made="pairs.jsonl", codes=(0,),
    )  # fmt: skip
    record = json.loads((live.folder / "pairs.jsonl").read_text("utf-8"))
    assert [item["aspect"] for item in record["items"]] == list(DIMENSION_KEYS)
    assert all(
        set(item) == {"aspect", "question", "good_example", "bad_example", "span_hint"}
        for item in record["items"]
    )
    assert (record["query"], record["generator"]) == (QUERY, MODEL)
    # What such a model writes names nothing of this pair: people are told.
    told = record.get("flaws", {})
    assert set(told) <= set(DIMENSION_KEYS)
    done.outcome = f"8 items, {len(told)} flagged"

    judged = live(
        "compare", a, b, "--query", QUERY, "--judge", f"logicjudge@{MODEL}", "--rubric", "pairs.jsonl",
        "--max-tokens", 160, "--no-swap", "-f", "json",
    )  # fmt: skip
    row = judged.json()
    assert row["status"] in STATUSES
    (asked,) = [row["coverage"]["asked"]]
    assert asked == len(DIMENSION_KEYS)
    judged.outcome = row["status"]
    if row["status"] == "ok":
        assert -1 <= row["preference"] <= 1
    else:
        assert row["preference"] is None
        assert all(gap["problem"] for gap in row["coverage"]["gaps"])
    assert msgspec.convert(row["usage"], Usage) == judged.usage


def held_to(graph: dict[str, Any], text: str) -> None:
    """Every node stands in the report; evidence has a claim above it; no circle."""
    report = Report(text)
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert nodes
    for node in nodes.values():
        own = report.source[node["span"]["start"] : node["span"]["end"]]
        assert set(re.findall(r"\w+", node["text"].casefold())) <= set(re.findall(r"\w+", own.casefold()))
    parents: dict[str, set[str]] = {name: set() for name in nodes}
    for edge in graph["edges"]:
        assert nodes[edge["parent"]]["kind"] == "argument"
        parents[edge["child"]].add(edge["parent"])
    assert all(parents[name] for name, node in nodes.items() if node["kind"] == "evidence")
    while gone := [name for name, above in parents.items() if not above]:
        for name in gone:
            del parents[name]
        for above in parents.values():
            above.difference_update(gone)
    assert not parents


@pytest.mark.slow
def test_the_argument_of_a_report_with_support(live):
    # At temperature 0 this model copies the form; drawn, it also names lines, and is asked whether they support a claim.
    done = live(
        "logic", live.write("wind.md", WIND), "--model", MODEL, "--max-tokens", 300, "--retries", 1,
        "--temperature", 0.8, "--seed", 1, "-f", "json",
    )  # fmt: skip
    graph = done.json()
    held_to(graph, WIND)
    claims = [node for node in graph["nodes"] if node["kind"] == "argument"]
    assert all(node["support"] in ("supported", "partial", "unsupported", None) for node in claims)
    by_rules = "the graph is the rule-built one" in done.result.stderr
    done.outcome = f"{len(graph['nodes'])} nodes{' by rules' if by_rules else ''}"
    # The last reply is closed: a model that was cut off is asked again for fewer nodes.
    assert done.replies[-1].get("finish", "stop") == "stop"


@pytest.mark.slow
def test_a_finance_score_with_the_models_graph(live, monkeypatch):
    monkeypatch.setenv("ASSAY_MODEL_MAX_TOKENS", "320")
    words = (
        "run", "--suite", "finresearch", live.write("a.md", A), "--judge", f"brief@{MODEL}", "--query", QUERY,
        "-f", "json",
    )  # fmt: skip
    # What the run paid and recalled differs the second time; what it found may not.
    first, again = (json.loads(live._run(*words).stdout) for _ in range(2))
    assert first["made"] == again["recalled"] == 1
    assert again["paid"]["calls"] == 0
    assert first["finresearch"] == again["finresearch"]


@pytest.mark.slow
def test_criteria_drafted_and_one_elaborated(live):
    done = live(
        "rubrics", "draft", QUERY, "--least", 2, "--most", 3, "--model", MODEL, "--max-tokens", 300, "--retries", 0,
        "-o", "draft.yaml", made="draft.yaml",
    )  # fmt: skip
    if done.result.exit_code == 0:
        draft = load_rubric(live.folder / "draft.yaml")
        assert 1 <= len(draft.criteria) <= 3
        assert all(item.notes["draft"] is True for item in draft.criteria)
        assert all(item.notes["by"] == MODEL for item in draft.criteria)
        assert all(item.weight in range(-5, 6) and item.weight for item in draft.criteria)
        done.outcome = f"{len(draft.criteria)} drafts"
    else:
        done.outcome = "none"

    source = live.rubric(CRITERION)
    elaborated = live(
        "lab", "augment", source, "--model", MODEL, "--max-tokens", 80, "--retries", 0, "-o", "long.yaml",
        made="long.yaml",
    )  # fmt: skip
    if elaborated.result.exit_code == 0:
        (item,) = load_rubric(live.folder / "long.yaml").criteria
        assert (item.key, item.weight) == (CRITERION["key"], CRITERION["weight"])
        flaws = item.notes.get("augmentation_flaws", [])
        if item.asks != CRITERION["asks"]:
            assert item.notes["original"] == CRITERION["asks"]
            assert item.notes["augmented_by"] == MODEL
            assert flaws or "<<" not in item.asks
        elaborated.outcome = f"{len(flaws)} flaws named"


@pytest.mark.slow
def test_a_report_written_from_two_documents(live):
    live.write(
        "docs/audit.md", "An audit of 120 houses in 2023 found that heat pumps saved 40 % of heating costs.\n"
    )
    live.write("docs/prices.md", "A heat pump costs 12,000 euros and a gas boiler costs 4,000 euros.\n")
    done = live(
        "lab", "write", QUERY, "--documents", "docs", "--least", 40, "--model", MODEL, "--max-tokens", 160, "--retries", 0,
        "-f", "json",
    )  # fmt: skip
    row = done.json()
    done.outcome = explained(row)
    if row["status"] == "ok":
        done.outcome = f"{len(row['report'].split())} words, {len(row['flaws'])} flaws named"
        cut = done.replies[-1].get("finish") == "length"
        assert not cut or any("cut off" in flaw for flaw in row["flaws"])
        # A document that does not exist is named.
        for mark in re.findall(r"\[(\w+)\]", row["report"]):
            assert mark in ("audit", "prices") or row["flaws"]


@pytest.mark.slow
def test_a_report_made_with_its_argument(live):
    live.write(
        "docs/audit.md", "An audit of 120 houses in 2023 found that heat pumps saved 40 % of heating costs.\n"
    )
    done = live(
        "extraction", "build", QUERY, "--sources", "docs", "--depth", 2, "--children", 2, "--model", MODEL,
        "--max-tokens", 320, "--retries", 0, "-o", "pairs", made="pairs/pairs.jsonl",
    )  # fmt: skip
    (pair,) = [
        json.loads(line) for line in (live.folder / "pairs/pairs.jsonl").read_text("utf-8").splitlines()
    ]
    assert pair["evidence"] == "documents"
    assert len(pair["steps"]) == len(done.replies)
    if pair["status"] == "ok":
        held_to(pair["graph"], pair["report"])
    else:
        assert pair["problem"].startswith("1")
        assert pair["graph"] is None
    done.outcome = pair["status"]


@pytest.mark.slow
def test_extraction_measured(live):
    words = ["extraction", "build", "--synthetic", "24", "--language", "en", "-o", "pairs"]
    made = CliRunner().invoke(root, words, prog_name="assay")
    assert made.exit_code == 0, made.stderr
    # The shortest of them.
    path = live.folder / "pairs/pairs.jsonl"
    pair = min(map(json.loads, path.read_text("utf-8").splitlines()), key=lambda row: len(row["report"]))
    path.write_text(json.dumps(pair) + "\n", "utf-8")
    done = live(
        "extraction", "measure", "pairs", "--model", MODEL, "--max-tokens", 400, "--retries", 1, "-f", "json"
    )
    data = done.json()
    assert (data["extractor"], data["pairs"], data["not_made"]) == (MODEL, 1, 0)
    overall = data["overall"]
    if data["left_out"]:
        # Nothing of the model's stood in the report: no number, and said so.
        assert done.result.exit_code == 3
        assert overall["average"]["value"] is None
        done.outcome = "left out"
    else:
        assert overall["true_nodes"] == len(pair["graph"]["nodes"])
        assert overall["extracted_nodes"] >= 1
        assert all(0 <= overall[name]["value"] <= 1 for name in ("nodes", "depth", "width", "average"))
        done.outcome = f"average {overall['average']['value']:.2f}"
