"""``assay rank``: in one prompt, by pairs, by scores, and by rules."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "answers"
    place.mkdir()
    for number in range(3):
        (place / f"{number}.md").write_text(
            f"Answer {number}. " + "It holds, because it was measured. " * number + "\n", "utf-8"
        )
    return place


@pytest.fixture
def script(tmp_path):
    def make(*lines):
        (tmp_path / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return "direct@scripted/replies.jsonl"

    return make


def ranking(*labels: str) -> str:
    return json.dumps({"ranking": list(labels)})


def test_listwise_in_both_orders(assay, folder, script):
    # Shown 0 1 2, then 2 1 0: label 3 is candidate 2, then label 1 is.
    judge = script(ranking("3", "1", "2"), ranking("1", "3", "2"))
    result = assay("rank", folder, "--judge", judge)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "direct@scripted/replies.jsonl · rubric reportlogic"
    assert [line.split()[0:2] for line in lines[2:5]] == [["1", "2.md"], ["2", "0.md"], ["3", "1.md"]]
    assert [line.split()[-1] for line in lines[2:5]] == ["1.00", "0.50", "0.00"]
    assert f"best: {folder / '2.md'}" in lines
    assert "all in one prompt, shown in both orders" in result.stdout
    data = json.loads(assay("rank", folder, "--judge", judge, "--format", "json").stdout)
    assert (data["schema"], data["choice"]) == ("assay.judgment/2", 2)
    assert data["scores"] == {"0": 0.5, "1": 0.0, "2": 1.0}
    assert data["ranking"]["order"] == [2, 0, 1]
    assert data["ranking"]["places"] == [2, 3, 1]
    assert data["ranking"]["method"] == "listwise"


def test_a_judge_that_ranks_by_position_has_no_best_one(assay, folder, script):
    result = assay("rank", folder, "--judge", script(ranking("1", "2", "3"), ranking("1", "2", "3")))
    assert result.exit_code == 0
    assert "no single best one: 3 candidates share the first place" in result.stdout
    assert result.stdout.count("    =1  ") == 3


def test_one_order_without_a_verdict_is_no_ranking(assay, folder, script):
    result = assay("rank", folder, "--judge", script(ranking("1", "2", "3"), "No.", "No."))
    assert result.exit_code == 3
    assert "no verdict on any of them" in result.stdout
    assert "1 of 1 judgment gave no verdict (1 unparsed)" in " ".join(result.stdout.split())


def test_tournament(assay, folder):
    result = assay("rank", folder, "--judge", "direct@scripted/random", "--method", "tournament")
    assert result.exit_code == 0
    assert "everyone met everyone: 3 comparisons" in result.stdout
    data = json.loads(
        assay(
            "rank", folder, "--judge", "direct@scripted/random", "--method", "tournament", "--format", "json"
        ).stdout
    )
    assert len(data["ranking"]["judgments"]) == 3
    assert data["usage"]["calls"] == 6


def test_scores(assay, folder):
    result = assay(
        "rank", folder, "--judge", "direct@scripted/random", "--method", "scores", "--format", "json"
    )
    data = json.loads(result.stdout)
    assert len(data["ranking"]["judgments"]) == 3
    best = max(data["scores"].values())
    assert data["ranking"]["points"][data["ranking"]["order"][0]] == best


def test_more_than_five_meet_in_pairs(assay, folder):
    for number in range(3, 6):
        (folder / f"{number}.md").write_text(f"Answer {number}.\n", "utf-8")
    data = json.loads(assay("rank", folder, "--judge", "direct@scripted/random", "--format", "json").stdout)
    assert (data["ranking"]["method"], len(data["ranking"]["judgments"])) == ("tournament", 15)


def test_what_does_not_fit_one_prompt_meets_in_pairs(assay, folder, monkeypatch):
    monkeypatch.setenv("ASSAY_MODEL_CONTEXT", "2000")
    for number in range(3):
        (folder / f"{number}.md").write_text(f"Answer {number}. " + "It holds. " * 220, "utf-8")
    data = json.loads(assay("rank", folder, "--judge", "direct@scripted/random", "--format", "json").stdout)
    assert data["ranking"]["method"] == "tournament"
    forced = assay("rank", folder, "--judge", "direct@scripted/random", "--method", "listwise")
    assert forced.exit_code == 2
    assert "3 subjects together take about " in forced.stderr


@pytest.mark.parametrize("method", ["auto", "scores"])
def test_without_a_model(assay, folder, method):
    result = assay("rank", folder, "--judge", "length", "--method", method)
    assert result.exit_code == 0
    assert [line.split()[1] for line in result.stdout.splitlines()[2:5]] == ["2.md", "1.md", "0.md"]


PROSE = "Heat pumps supplied most of the heat in the surveyed homes, and the authors explain why the rest needed oil"


def test_rules_say_how_far_they_follow_quality_and_put_nothing_last(assay, tmp_path):
    rows = [
        {"id": "q1", "system": "crashy", "query": "Do they?", "report": "Error: request timed out"},
        {"id": "q1", "system": "steady", "query": "Do they?", "report": f"{PROSE}. {PROSE} [1]."},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    text = assay("rank", path, "--judge", "rules").stdout
    assert "best: q1 · steady" in text
    assert "This order is not one of quality" in text.replace("\n", " ")
    assert "q1 · crashy: the text is an error message" in text
    ranking = json.loads(assay("rank", path, "--judge", "rules", "--format", "json").stdout)["ranking"]
    assert ranking["labels"] == ["q1 · crashy", "q1 · steady"]
    assert len(ranking["notes"]) == 2
    assert (
        json.loads(assay("rank", path, "--judge", "length", "--format", "json").stdout)["ranking"]["notes"]
        == []
    )


def test_rules_refuse_reports_whose_marks_they_did_not_read(assay, tmp_path):
    for number, marks in enumerate(("", "((1)), ((2)), ((3)), ((4))")):
        (tmp_path / f"{number}.md").write_text(f"{PROSE} {marks}. {PROSE}.", "utf-8")
    result = assay("rank", tmp_path / "0.md", tmp_path / "1.md", "--judge", "rules")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "1.md (4); an order by rules would judge the notation" in result.stderr
    assert assay("rank", tmp_path / "0.md", tmp_path / "1.md", "--judge", "rules", "--anyway").exit_code == 0
    assert assay("rank", tmp_path / "0.md", tmp_path / "1.md", "--judge", "length").exit_code == 0


def test_bad_usage(assay, folder, tmp_path):
    for args, said in (
        ((folder / "0.md",), "at least two candidates, and the input has 1"),
        ((folder / "0.md", "nope.md"), "1 of 2 candidates cannot be read"),
        ((folder, "--method", "listwise", "--judge", "rules"), "has no prompt"),
        ((folder, "--method", "scores", "--judge", "rules"), "no scores of single ones"),
        ((folder, "--anyway"), "is for --judge rules"),
        ((folder, "--judge", "direct"), "write direct@openai/gpt-5-mini"),
        ((folder, "--rubric", "reflect-trajectory"), "is for a trajectory"),
    ):
        judge = () if "--judge" in args else ("--judge", "direct@scripted/random")
        result = assay("rank", *args, *judge)
        assert (result.exit_code, result.stdout) == (2, ""), args
        assert said in result.stderr


def test_the_real_model(assay, folder, llama_url, monkeypatch):
    monkeypatch.setenv("VLLM_BASE_URL", llama_url)
    result = assay(
        "rank",
        folder / "0.md",
        folder / "1.md",
        "--judge",
        "direct@vllm/smollm2-135m",
        "--rubric",
        "overall",
        "--max-tokens",
        40,
    )
    assert result.exit_code == 0, result.stderr
    assert "all in one prompt" in result.stdout
