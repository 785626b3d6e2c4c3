import json

import pytest

GOOD = "subjects: r.jsonl\njudges: [direct@scripted/random, {judge: brief@scripted/random, repetitions: 2}]\nrubrics: overall\n"


@pytest.fixture
def folder(tmp_path):
    rows = [
        {"id": i, "query": "Why?", "report": f"# Report {i}\n\nPumps are quiet in case {i}.\n"}
        for i in range(4)
    ]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "e.yaml").write_text(GOOD, "utf-8")
    return tmp_path


class TestPlan:
    def test_it_is_a_table_and_nothing_is_made(self, assay, folder):
        result = assay("run", "e.yaml", "--dry-run")
        assert result.exit_code == 0, result.stderr
        assert "4 subjects, 4 to be judged; 12 judgments planned. Nothing was sent." in result.stdout
        assert "direct@scripted/random · overall" in result.stdout
        assert "replies are assumed to take" in result.stdout
        assert not (folder / ".assay").exists()

    def test_as_json(self, assay, folder):
        data = json.loads(assay("run", "e.yaml", "-n", "-f", "json", "--limit", "3").stdout)
        assert data["schema"] == "assay.plan/1"
        assert [judge["planned"] for judge in data["judges"]] == [3, 6]
        assert [judge["calls"] for judge in data["judges"]] == [3, 6]

    def test_problems_are_shown(self, assay, folder):
        (folder / "e.yaml").write_text("subjects: r.jsonl\njudges: comparative@scripted/random\n")
        result = assay("run", "e.yaml", "-n")
        assert result.exit_code == 2
        assert "4 judgments cannot be made" in result.stdout
        assert "against a reference answer" in result.stdout


class TestRun:
    def test_the_table_and_what_comes_next(self, assay, folder):
        result = assay("run", "e.yaml")
        assert result.exit_code == 0, result.stderr
        assert result.stdout.splitlines()[0].split() == ["SCORES", "N", "OK", "MEAN", "SD", "TOKENS"]
        assert "12 judgments made; 12 calls" in result.stderr
        assert "assay log export e-" in result.stderr
        again = assay("run", "e.yaml")
        assert again.stdout == result.stdout
        assert "0 judgments made, 12 were there; no calls" in again.stderr
        # What it tells to do can be done.
        exported = result.stderr.split("everything: assay ")[1].split()
        assert assay(*exported[:-1], "out").exit_code == 0
        assert (folder / "out" / "judgments.jsonl").exists()

    def test_judgments_to_a_file_and_the_result_as_json(self, assay, folder):
        result = assay("run", "e.yaml", "-o", "out.jsonl", "-f", "json", "-q", "--ledger", "l.sqlite")
        data = json.loads(result.stdout)
        assert (data["schema"], data["status"], data["made"]) == ("assay.run/1", "done", 12)
        assert data["paid"]["calls"] == 12
        rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
        assert len(rows) == 12
        assert {row["schema"] for row in rows} == {"assay.judgment/2"}
        assert (folder / "l.sqlite").exists()

    def test_pairs(self, assay, folder):
        text = (folder / "r.jsonl").read_text()
        rows = [json.loads(line) for line in text.splitlines()]
        for name in ("x", "y"):
            own = [{**row, "system": name, "report": row["report"] + name} for row in rows]
            (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, own)))
        (folder / "e.yaml").write_text(
            "subjects: [x.jsonl, y.jsonl]\njudges: direct@scripted/random\nrubric: overall\ncompare: {systems: [x, y], on: id}\n"
        )
        result = assay("run", "e.yaml", "-q")
        assert result.exit_code == 0, result.stderr
        assert "A / TIE / B  CONSISTENT" in result.stdout
        assert "direct@scripted/random · overall · x against y" in result.stdout

    def test_a_cap(self, assay, folder):
        result = assay("run", "e.yaml", "-q", "--max-total-tokens", "4000")
        assert result.exit_code == 3
        assert "the cap of 4,000 tokens is reached" in result.stderr
        assert "continues once the cap is raised" in result.stderr
        assert assay("run", "e.yaml", "-q").exit_code == 0


class TestMistakes:
    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (("repetitions", "repetition"), "did you mean 'repetitions'?"),
            (("brief@", "breef@"), "judges[1]: no strategy is called 'breef'; did you mean 'brief'?"),
            (("scripted/random", "scriptd/random"), "scripted"),
            (("r.jsonl", "q.jsonl"), "did you mean r.jsonl?"),
            (
                ("rubrics: overall", "rubrics: overal"),
                "no rubric is called 'overal'; did you mean 'overall'?",
            ),
            (("judges", "prompts: nowhere\njudges"), "is not a folder of prompts"),
        ],
    )
    def test_one_line_says_what_to_do(self, assay, folder, change, said):
        (folder / "e.yaml").write_text(GOOD.replace(*change))
        result = assay("run", "e.yaml")
        assert result.exit_code == 2
        assert said in result.stderr
        assert result.stderr.count("\n") == 1

    def test_no_file(self, assay):
        result = assay("run")
        assert result.exit_code == 2
        assert "assay run --init" in result.stderr
        assert assay("run", "nowhere.yaml").exit_code == 2

    def test_no_key(self, assay, folder, monkeypatch):
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        (folder / "e.yaml").write_text("subjects: r.jsonl\njudges: direct@openai/gpt-5-mini\n")
        result = assay("run", "e.yaml", "-q")
        assert result.exit_code == 2
        assert "OPENAI_API_KEY" in result.stderr
        assert result.stderr.count("\n") == 1


def test_init_and_schema(assay, folder):
    result = assay("run", "--init")
    assert result.stdout.startswith("# An experiment")
    assert json.loads(assay("run", "--schema").stdout)["title"] == "Assay experiment, version 1"
