"""``assay lab extraction``: pairs with and without a model, and how well they are read back."""

import json

import pytest

from assay.logic.ground_truth.pair import read_pairs

TOPIC = "Are heat pumps worth buying?"
SCRIPT = [
    {"when": '"evidence": […]', "text": '{"evidence": [{"statement": "Bills fell by 31 percent."}, {"statement": "Sales rose by 4 percent."}]}'},
    {"when": "KNOWN", "text": '{"claim": "Therefore heat pumps are the best choice.", "passage": "Bills fell by 31 percent. Sales rose by 4 percent. Therefore heat pumps are the best choice."}'},
]  # fmt: skip


@pytest.fixture
def script(tmp_path) -> str:
    path = tmp_path / "script.jsonl"
    path.write_text("\n".join(map(json.dumps, SCRIPT)), "utf-8")
    return f"scripted/{path}"


def test_synthetic_pairs_without_a_key(assay) -> None:
    done = assay("lab", "extraction", "build", "--synthetic", 12, "-o", "set")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("wrote 12 pairs to set/pairs.jsonl: ")
    assert len({pair.id for pair in read_pairs("set")}) == 12
    shown = assay("lab", "extraction", "measure", "set")
    assert shown.exit_code == 0, shown.stderr
    assert "Extraction: rules  12 pairs (6 en, 6 zh)" in shown.stdout
    assert "show what breaks" in shown.stdout
    told = json.loads(assay("lab", "extraction", "measure", "set", "--format", "json").stdout)
    assert (told["schema"], told["extractor"], told["pairs"], told["left_out"]) == (
        "assay.extraction/1",
        "rules",
        12,
        0,
    )
    assert [part["pairs"] for part in told["bins"]] == [4, 4, 4]
    assert f"{told['overall']['average']['value']:.2f}" in shown.stdout
    assert len(told["scores"]) == 12


def test_a_language_a_seed_and_a_pick(assay) -> None:
    assert (
        assay(
            "lab", "extraction", "build", "--synthetic", 9, "--language", "zh", "--seed", 3, "-o", "a"
        ).exit_code
        == 0
    )
    assert (
        assay(
            "lab", "extraction", "build", "--synthetic", 9, "--language", "zh", "--pick", 4, "-o", "b"
        ).exit_code
        == 0
    )
    assert {pair.language for pair in read_pairs("a")} == {"zh"}
    assert len(read_pairs("b")) == 4
    assert not {pair.report for pair in read_pairs("a")} & {pair.report for pair in read_pairs("b")}


def test_a_pair_by_a_model_and_back(assay, script) -> None:
    done = assay(
        "lab",
        "extraction",
        "build",
        TOPIC,
        "--depth",
        2,
        "--children",
        2,
        "--model",
        script,
        "-o",
        "set",
        "--ledger",
        "l.db",
    )
    assert done.exit_code == 0, done.stderr
    (pair,) = read_pairs("set")
    assert (pair.topic, pair.evidence, pair.graph.metrics.nodes) == (TOPIC, "hypothetical", 3)
    told = json.loads(assay("lab", "extraction", "measure", "set", "-f", "json").stdout)
    assert told["overall"]["node_recall"]["value"] == 1.0
    assert told["overall"]["edge_precision"]["value"] == 1.0


def test_documents_and_topics_from_files(assay, script, tmp_path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.md").write_text(
        "Heat pumps: bills fell by 31 percent, sales rose by 4 percent.", "utf-8"
    )
    (tmp_path / "topics.txt").write_text(f"{TOPIC}\n{TOPIC}\n", "utf-8")
    replies = [{**SCRIPT[0], "text": SCRIPT[0]["text"].replace('"}', '", "source": 1}')}, SCRIPT[1]]
    (tmp_path / "script.jsonl").write_text("\n".join(map(json.dumps, replies)), "utf-8")
    done = assay(
        "lab",
        "extraction",
        "build",
        "topics.txt",
        "--sources",
        "texts",
        "--depth",
        2,
        "--model",
        script,
        "-o",
        "set",
    )
    assert done.exit_code == 0, done.stderr
    # The same topic twice is one pair.
    (pair,) = read_pairs("set")
    assert pair.evidence == "documents"
    assert "[1] a.md" in pair.report


def test_a_pair_that_cannot_be_made(assay, tmp_path) -> None:
    (tmp_path / "script.jsonl").write_text("\n".join([json.dumps({"text": "Hm."})] * 9), "utf-8")
    done = assay(
        "lab", "extraction", "build", TOPIC, "--depth", 2, "--model", "scripted/script.jsonl", "-o", "set"
    )
    assert done.exit_code == 3
    assert f"assay: not made: {TOPIC}: 1: gather: unparsed" in done.stderr
    (pair,) = read_pairs("set")
    assert pair.status == "failed"
    assert pair.steps[0].written.reply == "Hm."
    after = assay("lab", "extraction", "measure", "set")
    assert after.exit_code == 2
    assert "none of its 1 pairs could be made" in after.stderr


def test_in_rounds_by_batch_files(assay, tmp_path) -> None:
    """Each round writes what can be asked; when nothing waits, the set is there."""
    given = [
        "extraction",
        "build",
        TOPIC,
        "--depth",
        2,
        "--model",
        "openai/gpt-5-mini",
        "-o",
        "set",
        "--ledger",
        "l.db",
    ]
    for number, reply in enumerate(SCRIPT):
        answers = ["--responses", f"in{number - 1}.jsonl"] if number else []
        asked = assay(*given, "--requests", f"out{number}.jsonl", *answers)
        assert asked.exit_code == 0, asked.stderr
        assert "wrote 1 request to" in asked.stderr
        assert not (tmp_path / "set").exists()
        row = json.loads((tmp_path / f"out{number}.jsonl").read_text("utf-8"))
        body = {"choices": [{"message": {"content": reply["text"]}, "finish_reason": "stop"}], "usage": {}}
        response = {
            "custom_id": row["custom_id"],
            "response": {"status_code": 200, "body": body},
            "error": None,
        }
        (tmp_path / f"in{number}.jsonl").write_text(json.dumps(response), "utf-8")
    last = assay(*given, "--responses", "in1.jsonl")
    assert last.exit_code == 0, last.stderr
    assert read_pairs("set")[0].graph.metrics.nodes == 3


def test_a_model_that_gives_no_graph_is_left_out_and_not_the_rules(assay) -> None:
    assay("lab", "extraction", "build", "--synthetic", 2, "-o", "set")
    done = assay(
        "lab",
        "extraction",
        "measure",
        "set",
        "--limit",
        1,
        "--model",
        "scripted/echo",
        "--retries",
        0,
        "-f",
        "json",
    )
    told = json.loads(done.stdout)
    assert done.exit_code == 3
    assert (told["extractor"], told["left_out"], told["scores"][0]["status"]) == (
        "scripted/echo",
        1,
        "fallback",
    )
    assert told["overall"]["average"]["value"] is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["build", "-o", "x"], "name topics, or a file of them; or --synthetic N"),
        (["build", TOPIC, "-o", "x"], "name a --model that writes"),
        (["build", TOPIC, "--synthetic", 2, "-o", "x"], "--synthetic takes no topics"),
        (["build", "--synthetic", 2, "--depth", 3, "--model", "m", "-o", "x"], "no --depth and no --model"),
        (["build", TOPIC, "--depth", 9, "--model", "scripted/echo", "-o", "x"], "a depth is 2 to 7"),
        (["measure", "nowhere"], "assay lab extraction build"),
        (["measure", "x", "--requests", "r.jsonl"], "--requests needs a --model"),
    ],
)
def test_mistakes_are_said(assay, given, message) -> None:
    done = assay("lab", "extraction", *given)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.output
