"""``assay run --suite finresearch``: ten dimensions a report, systems beside a reference, and every form of output."""

from __future__ import annotations

import csv
import io
import json

import pytest

import assay as package
from assay.suites.finresearch.dimensions import DIMENSION_KEYS, RULE_DERIVED, final_score
from assay.suites.finresearch.results import FinResearchScores, finresearch_scores

TEXT = (
    "# Copper\n\nCopper will be short, because mines open slowly.\n\n## Supply\n\nMines take long to open. A permit took {n} "
    "years in 2023 [1].\n\n| Year | Output |\n|---|---|\n| 2022 | 22.1 |\n| 2023 | 22.4 |\n"
)
RUN = ("run", "--suite", "finresearch")
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
    result = assay(*RUN, report, *JUDGE)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "FinResearchBench · brief@scripted/random"
    assert sum(line.endswith(("rated", "computed")) for line in lines) == 10
    assert sum(line.endswith("computed") for line in lines) == 4
    assert "Final score" in result.stdout
    assert "graph built by rules" in result.stdout
    assert max(map(len, lines)) <= 100


def test_json_holds_everything_and_the_final_score_adds_up(assay, rows):
    result = assay(*RUN, rows, *JUDGE, "--reference-system", "expert", "--format", "json")
    (data,) = json.loads(result.stdout)["finresearch"]
    assert data["schema"] == "assay.finresearch/1"
    assert len(data["reports"]) == 9
    for row in data["reports"]:
        assert list(row["scores"]) == list(DIMENSION_KEYS)
        assert row["final"] == pytest.approx(final_score(row["scores"]), abs=1e-4)
        assert row["graph"] == "rules"
        assert row["query"] == f"Question {row['id']}?"
        assert row["basis"].startswith("graph built by rules: ")
        assert row["rationale"]
    assert {item["system"] for item in data["systems"]} == {"expert", "a", "b"}
    assert [item["shared"] for item in data["comparisons"]] == [3, 3]
    difference = data["comparisons"][0]["contrasts"]["overall"]["difference"]
    assert difference["low"] < difference["value"] < difference["high"]


def test_tables_for_people(assay, rows):
    result = assay(*RUN, rows, *JUDGE, "--reference-system", "expert")
    assert result.exit_code == 0
    assert "a minus expert" in result.stdout
    assert "over the 3 questions both answered" in result.stdout
    assert result.stdout.count("95 % from") == 3
    assert "expert 0" in result.stdout
    beside = result.stdout[result.stdout.index("a minus expert") :]
    # Why there is no interval may be longer.
    assert not [line for line in beside.splitlines() if len(line) > 80 and "(" not in line]


def test_csv_on_the_terminal_or_in_a_file(assay, rows, tmp_path):
    text = assay(*RUN, rows, *JUDGE, "--format", "csv").stdout
    table = list(csv.DictReader(io.StringIO(text)))
    assert len(table) == 9
    assert set(DIMENSION_KEYS) < set(table[0])
    assert {row["judge"] for row in table} == {"brief@scripted/random"}
    result = assay(*RUN, rows, *JUDGE, "--format", "csv", "-o", tmp_path / "scores.csv")
    assert (tmp_path / "scores.csv").read_text("utf-8") == text
    assert result.stdout == ""


def test_rules_give_the_four_computed_dimensions_and_say_why_there_is_no_final_score(assay, report, rows):
    result = assay(*RUN, report, "--judge", "rules")
    assert result.exit_code == 0
    assert result.stdout.count("computed") == 4
    assert "no final score: the other six" in result.stdout
    (data,) = json.loads(assay(*RUN, rows, "--judge", "rules", "--format", "json").stdout)["finresearch"]
    assert all(set(row["scores"]) == set(RULE_DERIVED) and row["final"] is None for row in data["reports"])
    assert data["judge"] == "rules"
    assert "no calls" in result.stderr
    assert "Visual" not in assay(*RUN, rows, "--judge", "rules", "--reference-system", "expert").stdout


def test_the_graph_of_the_model_is_the_default_and_a_fallback_is_marked(assay, rows):
    result = assay(*RUN, rows, "--judge", "brief@scripted/random")
    assert result.exit_code == 0
    (data,) = json.loads(assay(*RUN, rows, "--judge", "brief@scripted/random", "--format", "json").stdout)[
        "finresearch"
    ]
    fallen = sum(row["graph"] == "fallback" for row in data["reports"])
    assert fallen + sum(row["graph"] == "model" for row in data["reports"]) == 9
    assert (f"* {fallen} of 9 graphs built by rules" in result.stdout) == bool(fallen)
    # Recalled from the ledger, it is marked still.
    again = assay(*RUN, rows, "--judge", "brief@scripted/random")
    assert again.stdout == result.stdout
    assert "9 were there; no calls" in again.stderr


def test_a_judge_that_says_nothing_leaves_the_computed_ones(assay, report):
    result = assay(*RUN, report, "--judge", "direct@scripted/echo", "--graph", "rules")
    assert "6 of the ten" not in result.stdout
    assert "4 of the ten dimensions have a score" in result.stdout
    assert result.exit_code == 3
    assert "no judge gave a verdict" in result.stderr
    assert "unparsed" in result.stdout
    result = assay(*RUN, report, "--judge", "direct@scripted/echo", "--graph", "rules", "--format", "json")
    (data,) = json.loads(result.stdout)["finresearch"]
    assert data["reports"][0]["final"] is None
    assert data["reports"][0]["status"] == "unparsed"


def test_reports_that_fail_alike_are_told_once(assay, rows):
    told = assay(*RUN, rows, "--judge", "direct@scripted/echo", "--graph", "rules").stdout
    assert "! 9 reports with a call that gave nothing usable" in told
    assert " 9 × " in told
    assert told.count(" × ") == 1


def test_weights(assay, report):
    def scores(*words):
        result = assay(*RUN, report, *JUDGE, "--format", "json", *words)
        return json.loads(result.stdout)["finresearch"][0]

    plain, heavy = scores(), scores("--weight", "analysis_width=0.9")
    assert plain["reports"][0]["scores"] == heavy["reports"][0]["scores"]
    expected = final_score(heavy["reports"][0]["scores"], {"analysis_width": 0.9})
    assert heavy["reports"][0]["final"] == pytest.approx(expected, abs=1e-4)
    assert heavy["weights"]["analysis_width"] == pytest.approx(0.5)


def test_the_options_of_the_suite_are_saved(assay, rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = (rows.name, *JUDGE, "--weight", "analysis_width=0.9", "--save", "saved.yaml")
    first = assay(*RUN, *words)
    again = assay("run", "saved.yaml")
    assert again.exit_code == 0, again.stderr
    assert again.stdout == first.stdout
    assert "9 were there" in again.stderr


def test_several_judges_each_have_their_tables(assay, rows):
    result = assay(*RUN, rows, "--judge", "brief@scripted/random", "--judge", "rules")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("FinResearchBench · ") == 2
    assert result.stdout.count("no final score") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--judge", "rule"], "did you mean 'rules'"),
        (["--judge", "length"], "is 'length', which has no model of its own"),
        (["--judge", "rules", "--graph", "model"], "--graph would do nothing"),
        (["--judge", "rules", "--weight", "analysis_width=2"], "--weight would do nothing"),
        ([*JUDGE, "--weight", "analysis_width"], "write it as DIMENSION=NUMBER"),
        ([*JUDGE, "--weight", "analysis_with=1"], "did you mean 'analysis_width'"),
        ([*JUDGE, "--reference-system", "expert"], "no report names its system"),
        ([*JUDGE, "--rubric", "reportlogic"], "does not fit FinResearchBench"),
        ([*JUDGE, "--suite", "reportlogic"], "--graph: not for suite reportlogic"),
    ],
)
def test_what_makes_no_sense_is_said(assay, report, options, said):
    result = assay(*RUN, report, *options)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_other_suites_have_neither_rules_nor_these_tables(assay, rows):
    other = ("run", "--suite", "reportlogic", rows)
    assert "the judges of reportlogic ask a model" in assay(*other, "--judge", "rules").stderr
    result = assay(*other, "--judge", "brief@scripted/random", "--format", "csv")
    assert result.exit_code == 2
    assert "--format csv: only for suite finresearch" in result.stderr


def test_a_reference_that_is_none_offers_the_nearest(assay, rows):
    result = assay(*RUN, rows, *JUDGE, "--reference-system", "experts")
    assert result.exit_code == 2
    assert "did you mean 'expert'" in result.stderr


@pytest.mark.parametrize("judge", [JUDGE, ("--judge", "rules")])
def test_trajectories_are_left_out(assay, tmp_path, report, judge):
    path = tmp_path / "run.json"
    path.write_text(
        json.dumps({"schema": "assay.trajectory/1", "query": "q", "steps": [], "answer": "42"}), "utf-8"
    )
    assert assay(*RUN, path, report, *judge).exit_code == 2
    result = assay(*RUN, path, report, *judge, "--skip")
    assert result.exit_code == 0, result.stderr
    assert "left out" in result.stderr
    assert "Analysis width" in result.stdout


@pytest.mark.parametrize("earlier", [("score",), ("lab", "score")])
def test_the_earlier_command_runs_the_suite_and_says_what_it_does_not_take(assay, report, earlier):
    result = assay(*earlier, report, *JUDGE)
    assert result.exit_code == 0
    assert "is now `assay run --suite finresearch`" in result.stderr
    assert "Final score" in result.stdout
    result = assay(*earlier, report, *JUDGE, "--requests", "r.jsonl", "--temperature=1")
    assert result.exit_code == 2
    assert "no --requests, --temperature any more: `assay run batch`" in result.stderr


def test_from_python_the_numbers_are_the_same(assay, rows, tmp_path):
    result = assay(*RUN, rows, *JUDGE, "--judge", "rules", "--format", "json")
    table = json.loads(result.stdout)["finresearch"]
    options = {"graph": "rules"}
    judges = [
        package.Judge("brief@scripted/random", suite="finresearch", options=options),
        package.Judge("rules", suite="finresearch"),
    ]
    judgments = package.run(package.read(rows), judges, progress=False)
    for expected, judge in zip(table, judges, strict=True):
        scores = finresearch_scores(judgments.filter(judge=judge.name))
        assert [row.scores for row in scores] == [row["scores"] for row in expected["reports"]]
        assert [row.final for row in scores] == [row["final"] for row in expected["reports"]]
        assert [item.shared for item in scores.against("expert")] == [3, 3]
        assert judge.version == expected["judge_version"]
    scores.save(tmp_path / "scores.jsonl")
    assert FinResearchScores.load(tmp_path / "scores.jsonl") == scores
    assert list(scores.to_frame().columns)[-10:] == list(DIMENSION_KEYS)


def test_a_judge_of_a_suite_from_python_takes_the_suites_defaults():
    judge = package.Judge("scripted/random", suite="finresearch")
    assert judge.name == "brief@scripted/random"
    assert judge.rubric.name == "finresearch"
    assert repr(judge) == "Judge('scripted/random', suite='finresearch')"
    assert package.Judge("scripted/random", suite="reportlogic").settings.max_tokens == 4096
    with pytest.raises(package.UsageError, match="no judge 'length'"):
        package.Judge("length", suite="finresearch")
    with pytest.raises(package.UsageError, match="did you mean 'graph'"):
        package.Judge("scripted/random", suite="finresearch", options={"grahp": "rules"})
    with pytest.raises(package.UsageError, match="suite researchrubrics has no rubric of its own"):
        package.Judge("scripted/random", suite="researchrubrics")
    with pytest.raises(package.UsageError, match="did you mean 'finresearch'"):
        package.Judge("scripted/random", suite="finreserch")
