"""``assay train distil``: the data set of teachers, planted failures and people, and what it leaves out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.training.data_set import read_manifest_of
from assay.training.examples import SWAPPED, read_examples
from assay.training.reward import expected_of, rewards
from servers.fault import FaultServer, completion

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DIMENSIONS = (
    *(
        "task_alignment",
        "global_coherence",
        "internal_consistency",
        "concept_introduction",
        "local_coherence",
    ),
    *("evidence_sufficiency", "warrants_causality", "qualifiers_counterpoints"),
)


def teacher_reply(body: dict) -> str:
    """The reply of a teacher that prefers what says "because"; one that always sees the first text ahead for "split"."""
    text = body["messages"][-1]["content"]
    first, second = (text.split(f"<<REPORT-{side}")[1].split("<<END")[0] for side in "AB")
    better = "A>B" if "because" in first else "A<B"
    if "split" in first + second:
        better = "A>B"
    block = {
        "aspect_evaluations": {
            key: {"decision": better, "justification": f"On {key}."} for key in DIMENSIONS
        },
        "overall_explanation": "One gives a reason.",
    }
    return f"<think>\n{json.dumps(block)}\n</think>\n{better}"


@pytest.fixture
def server(monkeypatch):
    with FaultServer(seed=None) as running:
        running.reply_text = teacher_reply
        monkeypatch.setenv("VLLM_BASE_URL", running.base_url)
        yield running


@pytest.fixture
def reports(tmp_path) -> Path:
    path = tmp_path / "reports.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for n in range(12):
            word = "split" if n == 5 else "plain"
            query = f"Which {'abcdefghijkl'[n] * 6} heats house number {n} best?"
            texts = {
                "x": f"The {word} pump {n} is best because it is quiet.",
                "y": f"The {word} pump {n} is best.",
            }
            for system, text in texts.items():
                out.write(
                    json.dumps({"id": f"{n}{system}", "system": system, "query": query, "report": text})
                    + "\n"
                )
    return path


@pytest.fixture
def bench(assay, tmp_path) -> Path:
    folder = tmp_path / "bench"
    result = assay(
        "bench", "build", EXAMPLES / "heat-pumps", "-o", folder, "--types", "outcome", "--per-type", "3"
    )
    assert result.exit_code == 0, result.stderr
    return folder


TEACHERS = ("--teacher", "one=logicjudge@vllm/m", "--teacher", "two=logicjudge@vllm/n")


def test_pairs_stay_if_all_teachers_agree_in_both_orders(assay, reports, server) -> None:
    result = assay("train", "distil", reports, *TEACHERS, "-o", "data", "--shares", "60,20,20")
    assert result.exit_code == 0, result.stderr
    assert len(server.bodies) == 12 * 2 * 2
    manifest = read_manifest_of("data")
    assert {name: manifest.filters[name] for name in ("pairs", "not_consistent", "kept")} == {
        "pairs": 12,
        "not_consistent": 1,
        "kept": 11,
    }
    rows = [json.loads(line) for line in Path("data/grpo/train.jsonl").read_text("utf-8").splitlines()]
    sft = [json.loads(line) for line in Path("data/sft/train.jsonl").read_text("utf-8").splitlines()]
    assert {row["label"] for row in rows} == {"A>B", "A<B"}
    for row, taught in zip(rows, sft, strict=True):
        reply = taught["messages"][-1]["content"]
        assert rewards([reply], [expected_of(row)]) == [1.0]
        assert "On local_coherence." in reply
    for row in (json.loads(line) for line in Path("data/dpo/train.jsonl").read_text("utf-8").splitlines()):
        verdicts = [row[side][0]["content"].rpartition("\n")[2] for side in ("chosen", "rejected")]
        assert verdicts[1] == SWAPPED[verdicts[0]]
    # Length decides in this material, and the card says so.
    assert next(item for item in manifest.shortcuts if item.detector == "longer").accuracy == 1.0
    assert "not stated" in Path("data/card.md").read_text("utf-8")

    again = assay("train", "distil", reports, *TEACHERS, "-o", "again", "--shares", "60,20,20")
    assert again.exit_code == 0
    assert len(server.bodies) == 12 * 2 * 2
    assert read_manifest_of("again").files == manifest.files


def test_batch_files_give_the_same_data_set(assay, reports, server, monkeypatch) -> None:
    direct = assay("train", "distil", reports, *TEACHERS[:2], "-o", "direct", "--ledger", "one.sqlite")
    assert direct.exit_code == 0, direct.stderr
    monkeypatch.setenv("VLLM_BASE_URL", "http://127.0.0.1:9/v1")
    words = ("train", "distil", reports, *TEACHERS[:2], "-o", "batch", "--ledger", "two.sqlite")
    written = assay(*words, "--requests", "r.jsonl")
    assert written.exit_code == 0, written.stderr
    assert not Path("batch").exists()
    lines = []
    for line in Path("r.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        body = completion(teacher_reply(row["body"]), row["body"])
        lines.append(
            json.dumps({"custom_id": row["custom_id"], "response": {"status_code": 200, "body": body}})
        )
    Path("replies.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    taken = assay(*words, "--responses", "replies.jsonl")
    assert taken.exit_code == 0, taken.stderr
    assert read_manifest_of("batch").files == read_manifest_of("direct").files


def test_a_plan_sends_nothing(assay, reports, server) -> None:
    result = assay("train", "distil", reports, *TEACHERS, "--dry-run")
    assert result.exit_code == 0, result.stderr
    assert "24 judgments planned" in result.stdout
    assert not server.bodies


def test_sources_are_kept_apart_and_mixed_by_ratio(assay, reports, bench, server) -> None:
    result = assay(
        "train",
        "distil",
        reports,
        *TEACHERS[:2],
        "--bench",
        bench,
        "--mix",
        "teachers=3,planted=1",
        "-o",
        "d",
    )
    assert result.exit_code == 0, result.stderr
    counts = {"teachers": 0, "planted": 0}
    for name in ("train", "validation", "test"):
        for item in read_examples(f"d/examples/{name}.jsonl"):
            counts[item.provenance] += 1
    assert abs(counts["teachers"] - 3 * counts["planted"]) <= 2
    assert counts["planted"]


def test_a_benchmark_for_testing_is_left_out_by_content(assay, tmp_path) -> None:
    bench = tmp_path / "two"
    texts = (EXAMPLES / "heat-pumps", EXAMPLES / "shanghai-reuse")
    assay("bench", "build", *texts, "-o", bench, "--types", "outcome", "--per-type", "6")
    renamed = tmp_path / "other"
    renamed.mkdir()
    (renamed / "bench.json").write_bytes((bench / "bench.json").read_bytes())
    rows = [json.loads(line) for line in (bench / "instances.jsonl").read_text("utf-8").splitlines()]
    same_question = [row for row in rows if row["query"] == rows[0]["query"]]
    assert len(same_question) < len(rows)
    # One pair under another id holds out every pair on its question.
    one = {**rows[0], "id": "new"}
    (renamed / "instances.jsonl").write_text(json.dumps(one) + "\n", "utf-8")
    result = assay("train", "distil", "--bench", bench, "--held-out", renamed, "-o", "d")
    assert result.exit_code == 0, result.stderr
    assert read_manifest_of("d").removed["in a benchmark for testing"] == len(same_question)
    everything = assay("train", "distil", "--bench", bench, "--held-out", bench, "-o", "e")
    assert everything.exit_code == 2
    assert "no example is left" in everything.stderr


def test_what_does_not_fit_is_left_out_and_counted(assay, bench) -> None:
    result = assay("train", "distil", "--bench", bench, "--max-length", "64", "-o", "d")
    assert result.exit_code == 2
    assert "longer than the maximum" in result.stderr
    short = assay("train", "distil", "--bench", bench, "--short", "900", "--max-length", "1100", "-o", "e")
    assert short.exit_code == 0, short.stderr
    assert read_manifest_of("e").lengths["train"].longest <= 1100


def test_weak_labels_are_marked(assay) -> None:
    question = "How fast will heat pumps spread?"
    result = assay(
        "train", "distil", EXAMPLES / "heat-pumps", "--query", question, "--teacher", "rules", "-o", "d"
    )
    assert result.exit_code == 0, result.stderr
    found = list(read_examples("d/examples/train.jsonl"))
    assert found
    assert {item.provenance for item in found} == {"rules"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name reports"),
        (("r.jsonl",), "need a --teacher"),
        (("r.jsonl", "--teacher", "length", "-o", "d"), "cannot teach"),
        (("r.jsonl", "--teacher", "direct@vllm/m"), "-o names"),
        (("--bench", "b", "-o", "d", "--mix", "x=1"), "'x' is not one of"),
        (("--bench", "b", "-o", "d", "--shares", "1,2"), "three numbers"),
    ],
)
def test_what_makes_no_sense_is_refused(assay, words, message) -> None:
    result = assay("train", "distil", *words)
    assert result.exit_code == 2
    assert message in result.stderr + result.output
