"""Suites as experiments: what a file or the command line says, what becomes of it, and how results are joined."""

import json

import pytest
from run_helpers import run_all, write_rows

from assay.errors import InputError
from assay.runs.experiment_file import load_experiment, parse_experiment
from assay.runs.judgment_join import join_judgments
from assay.runs.ledger import open_ledger

LEAST = "subjects: [a.md]\n"


class TestFile:
    def test_a_model_is_enough(self):
        made = parse_experiment(LEAST + "suite: finresearch\njudges: [openai/gpt-5-mini]")
        (spec,) = made.judges
        assert (spec.suite, spec.strategy, spec.rubrics) == ("finresearch", "brief", ("finresearch",))
        assert made.modes == ("score",)
        assert made.compare == ()

    def test_what_the_file_says_wins(self):
        text = "suite: {suite: finresearch, rubric: mine.yaml}\njudges: [{judge: brief@a/b, max_tokens: 99, label: x}]"
        (spec,) = parse_experiment(LEAST + text).judges
        assert (spec.strategy, spec.rubrics, spec.settings.max_tokens, spec.label) == (
            "brief",
            ("mine.yaml",),
            99,
            "x",
        )

    def test_pairs_are_compared_by_query_unless_said_otherwise(self):
        made = parse_experiment(LEAST + "suite: reportlogic\njudges: [a/b]")
        assert made.modes == ("compare",)
        assert [item.on for item in made.compare] == ["query"]
        other = parse_experiment(LEAST + "suite: reportlogic\njudges: [a/b]\ncompare: id")
        assert [item.on for item in other.compare] == ["id"]

    def test_each_judge_is_used_for_each_suite(self):
        made = parse_experiment(LEAST + "suites: [reportlogic, finresearch]\njudges: [a/b, c/d]")
        assert [(spec.suite, spec.model, spec.modes) for spec in made.judges] == [
            ("reportlogic", "a/b", ("compare",)),
            ("finresearch", "a/b", ("score",)),
            ("reportlogic", "c/d", ("compare",)),
            ("finresearch", "c/d", ("score",)),
        ]
        assert made.modes == ("score", "compare")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("suite: reportlogik", "did you mean 'reportlogic'?"),
            ("suite: researchrubrics", "needs a rubric of yours"),
            ("suite: reportlogic\nsuites: [finresearch]", "the same as 'suites'"),
            ("suites: []", "suites is empty"),
            ("suites: [finresearch, finresearch]", "suites[1] is 'finresearch' again"),
            ("suites: [{rubric: x.yaml}]", "suites[0] has no 'suite'"),
            ("suites: [{suite: finresearch, rubrik: x}]", "did you mean 'rubric'?"),
            ("suite: 3", "suite is"),
        ],
    )
    def test_what_cannot_be_is_named_with_its_place(self, text, said):
        with pytest.raises(InputError) as caught:
            parse_experiment(LEAST + text + "\njudges: [a/b]")
        assert said in str(caught.value)
        assert "experiment.yaml" in str(caught.value)

    def test_a_judge_whose_modes_the_suite_has_not_is_refused(self):
        with pytest.raises(InputError, match=r"judges\[0\] is for rank, but reportlogic is for compare"):
            parse_experiment(LEAST + "suite: reportlogic\njudges: [{model: a/b, modes: rank}]")

    def test_without_a_suite_a_model_alone_is_asked_directly(self):
        (judge,) = parse_experiment(LEAST + "judges: [a/b]").judges
        assert (judge.name, judge.label) == ("direct@a/b", "direct@a/b")


TASKS = [
    {
        "prompt": f"How quiet are pumps in case {number}?",
        "sample_id": str(number),
        "domain": "STEM",
        "conceptual_breadth": "Simple",
        "logical_nesting": "Shallow",
        "exploration": "Low",
        "rubrics": [
            {"criterion": f"Names case {number}", "weight": 5, "axis": "Explicit Criteria"},
            {"criterion": "Cites a source", "weight": 2, "axis": "References & Citation Quality"},
            {"criterion": "Recommends noise", "weight": -4, "axis": "Communication Quality"},
        ],
    }
    for number in range(3)
]


def material(folder):
    for system in ("ada", "bob", "cy"):
        write_rows(folder / f"{system}.jsonl", 3, system=system)
    (folder / "tasks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in TASKS), "utf-8")


def test_suites_run_together_and_their_results_join_on_report_and_system(tmp_path):
    material(tmp_path)
    text = (
        "subjects: ['*[aby].jsonl']\njudges: [scripted/random]\n"
        "suites: [{suite: researchrubrics, rubric: tasks.jsonl}, finresearch]\n"
    )
    made = parse_experiment(text, base=tmp_path, name="both")
    run, rows = run_all(made, str(tmp_path / "ledger.sqlite"))
    assert run.status == "done"
    assert {row.tags["suite"] for row in rows} == {"researchrubrics", "finresearch"}
    scored, compared = join_judgments(rows)
    assert not compared
    assert {(item.id, item.system) for item in scored} == {
        (str(n), s) for n in range(3) for s in ("ada", "bob", "cy")
    }
    assert {item.rubric.partition(" ")[0] for item in scored} == {"researchrubrics", "finresearch"}
    own = [row for row in rows if row.tags["suite"] == "researchrubrics"]
    assert {len(row.judgment.scores or {}) for row in own} == {4}
    assert {row.judgment.rubric for row in own} == {"tasks"}


def test_a_run_of_a_suite_goes_on_from_its_ledger_and_pays_nothing_twice(tmp_path):
    material(tmp_path)
    text = "subjects: [ada.jsonl]\njudges: [scripted/random]\nsuite: finresearch\n"
    made = parse_experiment(text, base=tmp_path, name="fin")
    where = str(tmp_path / "ledger.sqlite")
    first, _ = run_all(made, where)
    again, _ = run_all(made, where)
    assert first.progress.made == 3
    assert (again.progress.made, again.progress.recalled) == (0, 3)


def test_pairs_join_by_both_reports():
    from assay.judges.judgment import Judgment
    from assay.runs.records import JudgmentRow

    def row(preference, status="ok", **tags):
        said = Judgment(subject="x", judge="j", rubric="r", preference=preference, status=status)
        return JudgmentRow(key="k", judge_version="v", trial=0, judgment=said, tags=tags, at=0.0)

    both = {"id_a": "1", "id_b": "1", "system_a": "ada", "system_b": "bob"}
    _, compared = join_judgments(
        [
            row("A>B", **both),
            row("both_good", **both),
            row(None, "unparsed", **both),
            row("A<B", id_a="1", id_b="1", system_a="ada"),
        ]
    )
    assert [item.verdict for item in compared] == [1, 0, None]


def test_a_suite_with_two_rubrics_counts_as_two_rubrics():
    from assay.judges.judgment import Judgment
    from assay.runs.records import JudgmentRow

    def row(rubric, score):
        said = Judgment(subject="x", judge="j", rubric=rubric, scores={"overall": score})
        tags = {"suite": "researchrubrics", "id": "1", "system": "ada"}
        return JudgmentRow(key="k", judge_version="v", trial=0, judgment=said, tags=tags, at=0.0)

    scored, _ = join_judgments([row("a", 1.0), row("b", 0.0)])
    assert [item.rubric for item in scored] == ["researchrubrics · j · a", "researchrubrics · j · b"]
    (alone,), _ = join_judgments([row("a", 1.0)])
    assert alone.rubric == "researchrubrics · j"


class TestCommand:
    def run(self, *args):
        from click.testing import CliRunner

        from assay.cli.main import root

        return CliRunner().invoke(root, list(args))

    def test_a_report_is_not_saved_over(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "a.md").write_text("# A\n\nA report.\n", "utf-8")
        result = self.run(
            "run", "--suite", "finresearch", "a.md", "--judge", "scripted/random", "--save", "a.md"
        )
        assert result.exit_code == 2
        assert (tmp_path / "a.md").read_text("utf-8").startswith("# A")

    def test_it_runs_without_a_file_and_saves_one(self, tmp_path, monkeypatch):
        material(tmp_path)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("ASSAY_LEDGER", "ledger.sqlite")
        words = (
            "ada.jsonl",
            "bob.jsonl",
            "cy.jsonl",
            "--judge",
            "scripted/random",
            "--rubric",
            "tasks.jsonl",
        )
        result = self.run("run", "--suite", "researchrubrics", *words, "--save", "saved.yaml", "-q")
        assert result.exit_code == 0, result.output
        saved = load_experiment("saved.yaml")
        assert saved.judges[0].suite == "researchrubrics"
        again = self.run("run", "saved.yaml", "-q")
        assert "9 were there" in again.output
        fin = self.run("run", "--suite", "finresearch", *words[:-2], "-q")
        assert fin.exit_code == 0, fin.output
        with open_ledger("ledger.sqlite", read_only=True) as ledger:
            runs = [item.id for item in ledger.runs()]
        text = self.run("run", "suites", "agree", *runs)
        assert text.exit_code == 0, text.output
        assert "9 reports of 3 tasks" in text.output
        data = json.loads(self.run("run", "suites", "agree", *runs, "-f", "json").output)
        assert data["schema"] == "assay.suites/1"
        assert len(data["tables"]) == 2
        page = self.run("run", "suites", "agree", *runs, "-f", "html").output
        assert page.startswith("<!doctype html>")
        assert "How far they agree" in page

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--suite", "reportlogic"), "no reports"),
            (("--suite", "reportlogic", "a.md"), "no judge"),
            (("--suite", "nope", "a.md", "--judge", "a/b"), "no suite is called 'nope'"),
            (("x.yaml", "--judge", "a/b"), "--judge: only with --suite"),
            (("x.yaml", "y.yaml"), "an experiment is one file"),
        ],
    )
    def test_what_is_missing_is_said(self, words, said):
        result = self.run("run", *words)
        assert result.exit_code == 2
        assert said in str(result.output) + str(result.exception)

    def test_a_limit_is_of_each_file(self, tmp_path, monkeypatch):
        material(tmp_path)
        monkeypatch.chdir(tmp_path)
        words = (
            "ada.jsonl",
            "bob.jsonl",
            "--judge",
            "brief@scripted/random",
            "--rubric",
            "overall",
            "--limit",
            "2",
        )
        result = self.run("run", "--suite", "reportlogic", *words, "--ledger", "l.sqlite", "-q")
        assert result.exit_code == 0, result.output
        with open_ledger("l.sqlite", read_only=True) as ledger:
            (run,) = ledger.runs()
            pairs = [(row.tags["id_a"], row.tags["id_b"]) for row in ledger.judgments(run.id)]
        assert sorted(pairs) == [("0", "0"), ("1", "1")]

    def test_they_are_listed(self):
        data = json.loads(self.run("run", "suites", "-f", "json").output)
        assert [item["name"] for item in data] == ["finresearch", "reportlogic", "researchrubrics"]
        assert "reportlogic-instance" in self.run("run", "suites").output


def test_a_run_without_any_verdict_says_so(tmp_path, monkeypatch):
    from click.testing import CliRunner

    from assay.cli.main import root

    material(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ("run", "--suite", "finresearch", "ada.jsonl", "--judge", "scripted/echo", "--ledger", "l.sqlite")
    result = CliRunner().invoke(root, [*words, "-q"])
    assert result.exit_code == 3
    assert "no judge gave a verdict" in result.stderr
