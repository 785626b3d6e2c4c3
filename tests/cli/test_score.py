"""``assay lab score``: ten dimensions a report, systems beside a reference, and every form of output."""

from __future__ import annotations

import csv
import io
import json

import pytest

from assay.suites.finresearch.dimensions import DIMENSION_KEYS, RULE_DERIVED, final_score

TEXT = (
    "# Copper\n\nCopper will be short, because mines open slowly.\n\n## Supply\n\nMines take long to open. A permit took {n} "
    "years in 2023 [1].\n\n| Year | Output |\n|---|---|\n| 2022 | 22.1 |\n| 2023 | 22.4 |\n"
)
JUDGE = ("--judge", "brief@scripted/random", "--graph", "rules")


@pytest.fixture
def rows(tmp_path):
    """Two systems and an expert on three questions."""
    path = tmp_path / "reports.jsonl"
    lines = [
        {
            "id": f"{i}",
            "system": system,
            "query": f"Question {i}?",
            "report": TEXT.format(n=10 + i) + f"\nBy {system}.\n",
        }
        for system in ("expert", "a", "b")
        for i in range(3)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.md"
    path.write_text(TEXT.format(n=16), "utf-8")
    return path


def test_one_report(assay, report):
    result = assay("lab", "score", report, *JUDGE)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "FinResearchBench · brief@scripted/random"
    assert sum(line.endswith(("rated", "computed")) for line in lines) == 10
    assert sum(line.endswith("computed") for line in lines) == 4
    assert "Final score" in result.stdout
    assert "graph built by rules" in result.stdout
    assert max(map(len, lines)) <= 100


def test_json_holds_everything_and_the_final_score_adds_up(assay, rows):
    result = assay("lab", "score", rows, *JUDGE, "--reference-system", "expert", "--format", "json")
    data = json.loads(result.stdout)
    assert data["schema"] == "assay.finresearch/1"
    assert len(data["reports"]) == 9
    for row in data["reports"]:
        assert list(row["scores"]) == list(DIMENSION_KEYS)
        assert row["final"] == pytest.approx(final_score(row["scores"]), abs=1e-4)
        assert row["graph"] == "rules"
    assert {item["system"] for item in data["systems"]} == {"expert", "a", "b"}
    assert [item["shared"] for item in data["comparisons"]] == [3, 3]
    difference = data["comparisons"][0]["contrasts"]["overall"]["difference"]
    assert difference["low"] < difference["value"] < difference["high"]


def test_tables_for_people(assay, rows):
    result = assay("lab", "score", rows, *JUDGE, "--reference-system", "expert")
    assert result.exit_code == 0
    assert "a minus expert" in result.stdout
    assert "over the 3 questions both answered" in result.stdout
    assert result.stdout.count("95 % from") == 3
    assert "expert 0" in result.stdout
    beside = result.stdout[result.stdout.index("a minus expert") :]
    # Why there is no interval may be longer.
    assert not [line for line in beside.splitlines() if len(line) > 80 and "(" not in line]


def test_csv_and_jsonl(assay, rows):
    table = list(csv.DictReader(io.StringIO(assay("lab", "score", rows, *JUDGE, "--format", "csv").stdout)))
    assert len(table) == 9
    assert set(DIMENSION_KEYS) < set(table[0])
    lines = assay("lab", "score", rows, *JUDGE, "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["system"] for line in lines] == [row["system"] for row in table]
    assert float(table[0]["final"]) == pytest.approx(json.loads(lines[0])["final"], abs=1e-3)


def test_rules_give_the_four_computed_dimensions_and_say_why_there_is_no_final_score(assay, report, rows):
    result = assay("lab", "score", report, "--judge", "rules")
    assert result.exit_code == 0
    assert result.stdout.count("computed") == 4
    assert "no final score: the other six" in result.stdout
    data = json.loads(assay("lab", "score", rows, "--judge", "rules", "--format", "json").stdout)
    assert all(set(row["scores"]) == set(RULE_DERIVED) and row["final"] is None for row in data["reports"])
    assert (
        "Visual" not in assay("lab", "score", rows, "--judge", "rules", "--reference-system", "expert").stdout
    )


def test_the_graph_of_the_model_is_the_default_and_a_fallback_is_marked(assay, rows):
    result = assay("lab", "score", rows, "--judge", "brief@scripted/random")
    assert result.exit_code == 0
    data = json.loads(
        assay("lab", "score", rows, "--judge", "brief@scripted/random", "--format", "json").stdout
    )
    fallen = sum(row["graph"] == "fallback" for row in data["reports"])
    assert fallen + sum(row["graph"] == "model" for row in data["reports"]) == 9
    assert (f"* {fallen} of 9 graphs built by rules" in result.stdout) == bool(fallen)
    # Recalled from the ledger, it is marked still.
    again = assay("lab", "score", rows, "--judge", "brief@scripted/random")
    assert again.stdout == result.stdout
    assert "nothing was asked" in again.stderr


def test_a_judge_that_says_nothing_leaves_the_computed_ones(assay, report):
    result = assay("lab", "score", report, "--judge", "direct@scripted/echo", "--graph", "rules")
    assert "6 of the ten" not in result.stdout
    assert "4 of the ten dimensions have a score" in result.stdout
    assert result.exit_code == 3
    assert "no verdict" in result.stderr
    assert "unparsed" in result.stdout
    data = json.loads(
        assay(
            "lab", "score", report, "--judge", "direct@scripted/echo", "--graph", "rules", "--format", "json"
        ).stdout
    )
    assert data["reports"][0]["final"] is None
    assert data["reports"][0]["status"] == "unparsed"


def test_reports_that_fail_alike_are_told_once(assay, rows):
    told = assay("lab", "score", rows, "--judge", "direct@scripted/echo", "--graph", "rules").stdout
    assert "! 9 reports with a call that gave nothing usable" in told
    assert " 9 × " in told
    assert told.count(" × ") == 1


def test_weights(assay, report):
    plain = json.loads(assay("lab", "score", report, *JUDGE, "--format", "json").stdout)
    heavy = json.loads(
        assay("lab", "score", report, *JUDGE, "--format", "json", "--weight", "analysis_width=0.9").stdout
    )
    assert plain["reports"][0]["scores"] == heavy["reports"][0]["scores"]
    scores = heavy["reports"][0]["scores"]
    assert heavy["reports"][0]["final"] == pytest.approx(
        final_score(scores, {"analysis_width": 0.9}), abs=1e-4
    )
    assert heavy["weights"]["analysis_width"] == pytest.approx(0.5)


def test_output_to_a_file(assay, report, tmp_path):
    assert (
        assay("lab", "score", report, *JUDGE, "-o", tmp_path / "out.json", "--format", "json").exit_code == 0
    )
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["reports"]
    assert assay("lab", "score", report, *JUDGE, "-o", report).exit_code == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--judge", "rule"], "did you mean 'rules'"),
        (["--judge", "length"], "no judge of FinResearchBench is called 'length'"),
        (["--judge", "rules", "--graph", "model"], "--graph would do nothing"),
        (["--judge", "rules", "--weight", "analysis_width=2"], "--weight would do nothing"),
        (["--judge", "rules", "--requests", "x.jsonl"], "--requests would do nothing"),
        ([*JUDGE, "--weight", "analysis_width"], "write it as DIMENSION=NUMBER"),
        ([*JUDGE, "--weight", "analysis_with=1"], "did you mean 'analysis_width'"),
        ([*JUDGE, "--system", "finreserch"], "did you mean 'finresearch'"),
        ([*JUDGE, "--reference-system", "expert"], "no report names its system"),
        ([*JUDGE, "--rubric", "reportlogic"], "does not fit FinResearchBench"),
        ([*JUDGE, "--granularity", "fine"], "nothing was sent"),
    ],
)
def test_what_makes_no_sense_is_said(assay, report, options, said):
    result = assay("lab", "score", report, *options)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_a_reference_that_is_none_offers_the_nearest(assay, rows):
    result = assay("lab", "score", rows, *JUDGE, "--reference-system", "experts")
    assert result.exit_code == 2
    assert "did you mean 'expert'" in result.stderr


def test_trajectories_are_left_out(assay, tmp_path, report):
    path = tmp_path / "run.json"
    path.write_text(
        json.dumps({"schema": "assay.trajectory/1", "query": "q", "steps": [], "answer": "42"}), "utf-8"
    )
    result = assay("lab", "score", path, report, *JUDGE)
    assert result.exit_code == 2
    assert "1 trajectory; reports are scored" in result.stderr
    assert "Final score" in result.stdout
    assert assay("lab", "score", path, "--judge", "rules").exit_code == 2


def _answered(requests, replies):
    """A reply by chance to each request of a batch file."""
    from random import Random

    from assay.models.schema_sample import sample_value

    rows = [json.loads(line) for line in requests.read_text("utf-8").splitlines()]
    lines = []
    for row in rows:
        schema = row["body"]["response_format"]["json_schema"]["schema"]
        text = json.dumps(sample_value(schema, Random(row["custom_id"])))
        body = {
            "model": "gpt-5-mini",
            "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 5},
        }
        lines.append(
            {"custom_id": row["custom_id"], "response": {"status_code": 200, "body": body}, "error": None}
        )
    replies.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return rows


def test_by_batch_files_in_rounds(assay, rows, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    asked = ("score", rows, "--judge", "brief@openai/gpt-5-mini", "--ledger", tmp_path / "l.sqlite")
    taken: list = []
    for number in range(12):
        requests, replies = tmp_path / f"requests{number}.jsonl", tmp_path / f"replies{number}.jsonl"
        result = assay(*asked, "--requests", requests, *taken)
        assert result.exit_code == 0, result.stderr
        if not requests.is_file() or not requests.read_text("utf-8"):
            break
        if number == 0:
            assert "9 of 9 reports wait for replies" in result.stderr
            assert result.stdout == ""
        assert _answered(requests, replies)
        taken = ["--responses", replies]
    else:
        pytest.fail("it never ended")
    assert number >= 2  # the graph first, then the ratings that are shown it
    data = json.loads(assay(*asked, "--requests", tmp_path / "none.jsonl", "--format", "json").stdout)
    assert len(data["reports"]) == 9
    assert all(row["final"] is not None for row in data["reports"])


def test_batch_files_need_a_ledger(assay, report):
    result = assay("lab", "score", report, *JUDGE, "--ledger", "none", "--requests", "r.jsonl")
    assert result.exit_code == 2
    assert "batch files need a ledger" in result.stderr
