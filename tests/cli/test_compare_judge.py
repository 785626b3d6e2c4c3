"""``assay compare`` with a judge that asks a model."""

from __future__ import annotations

import json

import pytest

GOOD = "# Heat\n\nPumps are quiet. They heat the house because they move heat.\n"
POOR = "# Cold\n\nFridges hum.\n"


@pytest.fixture
def pair(tmp_path):
    (tmp_path / "a.md").write_text(GOOD, "utf-8")
    (tmp_path / "b.md").write_text(POOR, "utf-8")
    return "a.md", "b.md"


@pytest.fixture
def biased(tmp_path):
    """A model whose verdict depends on what is shown first; gives its id."""

    def make(pumps_first: str, fridges_first: str, **more: str) -> str:
        lines = [
            {
                "when": f"<<REPORT-A {_mark(text)}",
                "text": verdict if verdict[:1] not in "ABtb" else json.dumps({**more, "preference": verdict}),
            }
            for text, verdict in ((GOOD, pumps_first), (POOR, fridges_first))
        ]
        (tmp_path / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return "scripted/replies.jsonl"

    return make


def _mark(text: str) -> str:
    from assay.strategies.prompts import fence

    return fence("X", text).split(" ", 1)[1].split(">", 1)[0]


def run(assay, pair, model, *args, strategy="direct"):
    return assay("compare", *pair, "--judge", f"{strategy}@{model}", "--rubric", "overall", *args)


def test_consistent(assay, pair, biased):
    result = run(assay, pair, biased("A>B", "A<B", reasoning="Because."), strategy="full")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "A is better: a.md"
    assert lines[1] == "full@scripted/replies.jsonl · Overall quality"
    assert lines[2:5] == [
        "  A shown first: A is better",
        "  B shown first: A is better",
        "  consistent: whichever is shown first",
    ]
    assert "  Overall  ··········│██████████  +1.00" in lines
    # In the second order the words of the judge call the first one B.
    assert "  B shown first (called A here; a.md is called B)" in lines


@pytest.mark.parametrize(("always", "place"), [("A>B", "first"), ("A<B", "second")])
def test_inconsistent(assay, pair, biased, always, place):
    result = run(assay, pair, biased(always, always))
    assert result.exit_code == 0
    assert result.stdout.startswith("a tie\n")
    assert f"  inconsistent: it prefers whichever is shown {place}, which makes it a tie" in result.stdout
    row = json.loads(run(assay, pair, "scripted/replies.jsonl", "--format", "json").stdout)
    assert (row["preference"], row["consistency"], row["status"]) == ("tie", "inconsistent", "ok")


def test_ties(assay, pair, biased):
    model = biased("tie", "tie")
    assert run(assay, pair, model).stdout.startswith("a tie\n")
    assert json.loads(run(assay, pair, model, "--format", "json").stdout)["consistency"] == "tie"


def test_one_order_without_a_verdict(assay, pair, biased):
    result = run(assay, pair, biased("A>B", "Cannot say."))
    assert result.exit_code == 3
    assert result.stdout.startswith("no verdict\n")
    assert "  A shown first: A is better" in result.stdout
    assert "  B shown first: no verdict" in result.stdout
    assert "unparsed (B shown first):" in result.stdout
    row = json.loads(run(assay, pair, "scripted/replies.jsonl", "--format", "json").stdout)
    assert (row["preference"], row["by_order"]) == (None, {"AB": "A>B", "BA": None})


def test_one_order_only(assay, pair, biased):
    result = run(assay, pair, biased("A>B", "A<B"), "--no-swap")
    assert result.exit_code == 0
    assert "B shown first" not in result.stdout
    assert "one order only" in result.stdout
    assert result.stderr.startswith("1 call, ")


def test_trials_and_early_stop(assay, pair, biased):
    model = biased("A>B", "A<B")
    result = run(assay, pair, model, "--repetitions", 5, "--early-stop")
    assert "  3 repetitions: A is better 3" in result.stdout
    assert "  settled: 2 of 5 repetitions could not have changed it and were not asked" in result.stdout
    assert "  both orders agree in 3 of 3" in result.stdout
    assert result.stderr.startswith("6 calls, ")
    rows = run(assay, pair, model, "--repetitions", 5, "--format", "json").stdout.splitlines()
    assert [json.loads(row)["repetition"] for row in rows] == [0, 1, 2, 3, 4]
    refused = run(assay, pair, model, "--early-stop")
    assert refused.exit_code == 2
    assert "add --repetitions 5" in refused.stderr


def test_the_usual_rubric_has_eight_dimensions(assay, pair):
    row = json.loads(assay("compare", *pair, "--judge", "direct@scripted/random", "--format", "json").stdout)
    assert (row["rubric"], len(row["scores"])) == ("reportlogic", 8)
    text = assay("compare", *pair, "--judge", "direct@scripted/random").stdout
    assert "Warrants & causal reasoning" in text


def test_answers_to_different_questions_are_not_compared(assay, tmp_path):
    for name, query in (("a", "What of heat?"), ("b", "What of cold?")):
        (tmp_path / f"{name}.jsonl").write_text(
            json.dumps({"report": GOOD + name, "query": query}) + "\n", "utf-8"
        )
    refused = assay("compare", "a.jsonl", "b.jsonl", "--judge", "direct@scripted/random")
    assert refused.exit_code == 2
    assert "2 different questions" in refused.stderr
    allowed = assay("compare", "a.jsonl", "b.jsonl", "--judge", "direct@scripted/random", "--query", "Which?")
    assert allowed.exit_code == 0


def test_rules_take_no_options_of_a_model(assay, pair):
    result = assay("compare", *pair, "--repetitions", 3)
    assert result.exit_code == 2
    assert "judge 'rules' asks no model; --repetitions would do nothing" in result.stderr
