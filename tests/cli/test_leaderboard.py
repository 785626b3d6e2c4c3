import asyncio
import csv
import io
import json
import sys
from pathlib import Path

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runs"))
from ledger_rows import judgment, run_row

from assay.judges.judgment import Judgment
from assay.runs.ledger import open_ledger

SHORT = "# Answer\n\nHeat pumps spread.\n"
LONG = "# Answer\n\n" + "Heat pumps spread because they save money, as a survey shows [1]. " * 6


@pytest.fixture
def reports(tmp_path):
    for system, texts in (("ada", (LONG, LONG, LONG)), ("ben", (SHORT, LONG, SHORT)), ("cyd", (SHORT,) * 3)):
        lines = [
            {"id": str(n), "system": system, "query": f"Question {n}?", "report": text}
            for n, text in enumerate(texts)
        ]
        (tmp_path / f"{system}.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines), "utf-8")
    tasks = [{"id": str(n), "query": f"Question {n}?", "topic": "Law" if n else "Health"} for n in range(3)]
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(x) + "\n" for x in tasks), "utf-8")
    return ("ada.jsonl", "ben.jsonl", "cyd.jsonl")


def test_three_files_and_one_command(assay, reports):
    result = assay("leaderboard", *reports, "--judge", "rules", "--tasks", "tasks.jsonl", "--format", "json")
    assert result.exit_code == 0, result.stderr
    board = json.loads(result.stdout)
    assert board["schema"] == "assay.leaderboard/2"
    assert (board["comparisons"], board["tasks"], board["domains"]) == (9, 3, ["Health", "Law"])
    assert board["systems"][0]["system"] == "ada"
    assert board["dimensions"][-1] == "overall"
    assert len(board["dimensions"]) == 9


def test_a_leaderboard_by_rules_says_what_it_is_worth_and_who_wrote_nothing(assay, reports):
    notes = json.loads(assay("leaderboard", *reports, "--judge", "rules", "--format", "json").stdout)["notes"]
    assert any(note.startswith("This order is not one of quality") for note in notes)
    assert any("Nothing to judge in 5 of 9" in note and "0 · ben: the text is" in note for note in notes)
    length = json.loads(assay("leaderboard", *reports, "--judge", "length", "--format", "json").stdout)[
        "notes"
    ]
    assert not any("quality" in note or "Nothing to judge" in note for note in length)


def test_a_leaderboard_by_a_model_is_kept_and_resumed(assay, reports, tmp_path):
    command = ("leaderboard", *reports, "--judge", "full@scripted/random")
    stopped = assay(*command, "--max-total-tokens", "9000")
    assert stopped.exit_code == 3
    assert "the same command continues from there" in stopped.stderr
    boards = [
        json.loads(assay(*command, "--format", "json", "--save", f"{i}.jsonl").stdout) for i in range(2)
    ]
    assert boards[0] == boards[1]
    assert boards[0]["comparisons"] == 9
    with open_ledger(tmp_path / ".assay" / "ledger.sqlite") as ledger:
        assert len(list(ledger.runs())) == 3
    # The judgments that were kept before are the same rows.
    assert (tmp_path / "0.jsonl").read_text() == (tmp_path / "1.jsonl").read_text()


def test_a_leaderboard_by_rules_refuses_marks_that_were_not_read(assay, reports, tmp_path):
    marked = [
        {"id": "0", "system": "dot", "query": "Question 0?", "report": LONG + "((1)), ((2)), ((3)), ((4))."}
    ]
    (tmp_path / "dot.jsonl").write_text(json.dumps(marked[0]) + "\n", "utf-8")
    result = assay("leaderboard", *reports, "dot.jsonl", "--judge", "rules")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "not understood: dot (4)" in result.stderr
    assert assay("leaderboard", *reports, "dot.jsonl", "--judge", "rules", "--anyway").exit_code == 0
    assert assay("leaderboard", *reports, "dot.jsonl", "--judge", "length", "--anyway").exit_code == 2


def test_judgments_are_saved_and_read_again(assay, reports):
    first = assay("leaderboard", *reports, "--judge", "length", "--save", "said.jsonl", "--format", "csv")
    assert first.exit_code == 0, first.stderr
    second = assay("leaderboard", "said.jsonl", "--format", "csv")
    rows = [
        [row for row in csv.DictReader(io.StringIO(x.stdout)) if row["table"] in ("standings", "win_rates")]
        for x in (first, second)
    ]
    assert rows[0] == rows[1]
    # Style wants the texts as well.
    third = assay(
        "leaderboard", "said.jsonl", "--reports", "ada.jsonl", "--reports", "ben.jsonl", "--format", "json"
    )
    assert third.exit_code == 0, third.stderr


@pytest.mark.parametrize("form", ["text", "json", "html", "csv", "markdown"])
def test_formats(assay, reports, form, tmp_path):
    result = assay("leaderboard", *reports, "--judge", "length", "--format", form, "-o", "out")
    assert result.exit_code == 0, result.stderr
    assert "ada" in (tmp_path / "out").read_text("utf-8")


def test_a_run_in_the_ledger(assay, tmp_path):
    async def fill(ledger):
        await ledger.start_run(run_row("trio"))
        for number in range(6):
            row, answers = judgment(number)
            said = Judgment(
                f"a.jsonl:{number} | b.jsonl:{number}",
                "direct@m",
                rubric="overall",
                preference="A>B" if number < 5 else None,
                status="ok" if number < 5 else "unparsed",
            )
            tags = {"system_a": "ada", "system_b": "ben", "id_a": f"{number}", "id_b": f"{number}"}
            row = msgspec.structs.replace(row, judgment=said, tags=tags)
            await ledger.record_judgment("run-trio", row, answers)

    with open_ledger(tmp_path / ".assay" / "ledger.sqlite") as ledger:
        asyncio.run(fill(ledger))
        result = assay("leaderboard", "--run", "trio", "--format", "json")
        assert result.exit_code == 0, result.stderr
        board = json.loads(result.stdout)
        counts = board["systems"][0]["counts"]
        assert board["systems"][0]["system"] == "ada"
        assert (counts["wins"], counts["ties"], counts["no_verdict"]) == (5, 0, 1)
        exported = assay("log", "export", "trio", "-o", "out")
        assert exported.exit_code == 0, exported.stderr
        again = json.loads(assay("leaderboard", "out", "--format", "json").stdout)
        assert again["systems"] == board["systems"]
        assert assay("log", "export", "trio", "--format", "csv", "-o", "flat").exit_code == 0
        flat = json.loads(assay("leaderboard", "flat/judgments.csv", "--format", "json").stdout)
        assert flat["systems"] == board["systems"]


def test_compliance_beside(assay, reports, tmp_path):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from suites.grades import criterion, grade

    rows = [
        grade(system, f"{n}", criterion("c0", 3, 1), criterion("c1", 3, 0)).to_dict()
        for system in ("ada", "ben")
        for n in range(3)
    ]
    (tmp_path / "grades.jsonl").write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    result = assay(
        "leaderboard", *reports, "--judge", "length", "--grades", "grades.jsonl", "--format", "json"
    )
    assert result.exit_code == 0, result.stderr
    found = {item["system"]: item["compliance"] for item in json.loads(result.stdout)["systems"]}
    assert found["ada"]["value"] == 0.5
    assert found["cyd"] is None


def test_arena_rows(assay, tmp_path):
    rows = "".join(f"x,y,{said}\n" for said in ["model_a"] * 6 + ["model_b"] * 2 + ["tie", ""])
    (tmp_path / "battles.csv").write_text("model_a,model_b,winner\n" + rows, "utf-8")
    result = assay("leaderboard", "battles.csv")
    assert result.exit_code == 0, result.stderr
    assert "75.0" in result.stdout
    assert "1 without a verdict" in result.stdout
    assert "10 comparisons name no task" in result.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "nothing to read"),
        (("missing.jsonl",), "no such file"),
        (("ada.jsonl",), "--judge rules"),
        (("ada.jsonl", "ben.jsonl", "--judge", "direct@m"), "'m' has no provider"),
        (("ada.jsonl", "--judge", "rules"), "two systems or more"),
        (("--judge", "rules"), "needs reports"),
        (("said.jsonl", "--save", "x"), "--save is for --judge"),
        (("said.jsonl", "--limit", "1"), "--limit is for --judge"),
        (("said.jsonl", "--ledger", "x"), "of --run or of --judge"),
        (("ada.jsonl", "ben.jsonl", "--judge", "length", "--by", "overal"), "overall"),
        (("ada.jsonl", "ben.jsonl", "--judge", "length", "--domain", "Law"), "no domain is known"),
        (("ada.jsonl", "ben.jsonl", "--judge", "length", "--table", "pears"), "pairs"),
        (("ada.jsonl", "ben.jsonl", "--judge", "length", "-o", "ada.jsonl"), "one of the files to read"),
        (("ada.jsonl", "ben.jsonl", "--judge", "length", "--save", "ada.jsonl"), "--save ada.jsonl"),
        (("ada.jsonl", "ben.jsonl", "--judge", "length", "--systems", "tasks.jsonl"), "has no system"),
        (("bad.jsonl", "ben.jsonl", "--judge", "length"), "bad.jsonl"),
        (("unknown.jsonl",), "--systems FILE"),
    ],
)
def test_mistakes(assay, reports, tmp_path, args, said):
    (tmp_path / "bad.jsonl").write_text("{not json\n", "utf-8")
    row = {"schema": "assay.judgment/2", "subject": "p.md | q.md", "preference": "A>B", "judge": "rules"}
    (tmp_path / "unknown.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    result = assay("leaderboard", *args)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_real_reports(assay, shared, tmp_path):
    """Three research agents on the same questions: every pair of them on each, by the rules."""
    folder = shared / "deepresearch_bench"
    for name in ("reports_raw/claude-3-7-sonnet", "reports/odr-gpt-5", "reports/odr-gpt-4.1"):
        lines = (folder / f"{name}.jsonl").read_text("utf-8").splitlines()
        rows = [line for line in lines if json.loads(line)["id"] in (1, 11, 19, 52, 67, 83)]
        (tmp_path / f"{Path(name).name}.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    result = assay(
        "leaderboard",
        *sorted(str(path) for path in tmp_path.glob("*.jsonl")),
        "--judge",
        "rules",
        "--tasks",
        folder / "queries.jsonl",
        "--format",
        "json",
    )
    assert result.exit_code == 0, result.stderr
    board = json.loads(result.stdout)
    assert (board["comparisons"], board["tasks"]) == (18, 6)
    assert {item["system"] for item in board["systems"]} == {"claude-3-7-sonnet", "odr-gpt-5", "odr-gpt-4.1"}
    assert len(board["domains"]) >= 2
    # Five covariates and three systems want more than 18 comparisons, and that is said.
    assert board["style"] is None
    assert any("Style is not controlled for" in note for note in board["notes"])


def test_the_suffix_of_the_output_asks_for_charts(assay, reports, tmp_path):
    result = assay("leaderboard", *reports, "--judge", "rules", "-o", "board.svg")
    assert result.exit_code == 0, result.stderr
    written = sorted(path.name for path in tmp_path.glob("board*"))
    assert {"board-ratings.svg", "board-win-rates.svg"} <= set(written)
    assert all(name in result.stderr for name in written)
    refused = assay("leaderboard", *reports, "--judge", "rules", "--format", "pdf")
    assert refused.exit_code == 2
    assert "-o board.pdf" in refused.stderr
