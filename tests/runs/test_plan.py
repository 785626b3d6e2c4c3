import asyncio
import json
from pathlib import Path

import pytest
from run_helpers import experiment, report, run_all, scripted, write_rows

from assay.errors import UsageError
from assay.models.base import CallFailedError, Reply, Usage
from assay.models.schema_sample import sample_value
from assay.models.tokens import estimate_request
from assay.runs.experiment_file import parse_experiment
from assay.runs.experiment_judges import bind_judges
from assay.runs.experiment_subjects import ExperimentSubjects
from assay.runs.ledger import open_ledger
from assay.runs.plan import Plan
from assay.runs.run_options import RunOptions
from assay.runs.runner import estimated, opened_run
from assay.runs.session import Session
from assay.runs.tasks import RepetitionSeries


def planned(made, **rest):
    async def main():
        async with Session(connect=False, prompts=[made.at(name) for name in made.prompts]) as session:
            return Plan(made, await bind_judges(made, session), **rest)

    return asyncio.run(main())


def flat(plan):
    for item in plan.tasks():
        yield from item.tasks if isinstance(item, RepetitionSeries) else (item,)


JUDGES = "judges: [direct@scripted/random, {judge: brief@scripted/random, trials: 2, temperature: 0}]\n"


class TestOrder:
    def test_the_subject_is_outermost(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 4)
        plan = planned(experiment(tmp_path, "subjects: [r.jsonl]\n" + JUDGES))
        survey = plan.survey()
        tasks = list(flat(plan))
        assert (survey.subjects, survey.cases, survey.judgments, survey.total) == (4, 4, [4, 8], 12)
        assert len(tasks) == 12 == len({task.key for task in tasks})
        assert [task.tags["id"] for task in tasks] == [str(i) for i in range(4) for _ in range(3)]
        assert [task.tags["judge"][:5] for task in tasks[:3]] == ["direc", "brief", "brief"]
        assert [task.repetition for task in tasks[:3]] == [0, 0, 1]

    def test_the_same_plan_has_the_same_digest_and_keys_wherever_it_lies(self, tmp_path):
        digests, keys = [], []
        for name in ("here", "there"):
            folder = tmp_path / name
            folder.mkdir()
            write_rows(folder / "r.jsonl", 3)
            plan = planned(experiment(folder, "subjects: [r.jsonl]\n" + JUDGES))
            digests.append(plan.survey().digest)
            keys.append([task.key for task in flat(plan)])
        assert digests[0] == digests[1]
        assert keys[0] == keys[1]

    def test_rubrics_multiply_judges_that_name_none(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 2)
        text = (
            "subjects: [r.jsonl]\nrubrics: [overall, reflect-report]\n"
            "judges: [direct@scripted/random, {judge: brief@scripted/random, rubric: overall}]\n"
        )
        assert planned(experiment(tmp_path, text)).survey().judgments == [2, 2, 2]

    def test_judges_that_cannot_be_told_apart(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 2)
        text = "subjects: [r.jsonl]\njudges: [direct@scripted/random, {judge: direct@scripted/random, temperature: 1}]\n"
        with pytest.raises(UsageError, match="another label"):
            planned(experiment(tmp_path, text))


class TestWhatChangesAKey:
    TEXT = (
        "subjects: [r.jsonl]\njudges: [{judge: direct@scripted/random, rubric: mine.yaml, temperature: 0}]\n"
    )

    @pytest.fixture
    def keys(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 1)
        (tmp_path / "mine.yaml").write_text("criteria: [It names a source.]\n")

        def keys_of(text=self.TEXT):
            return [task.key for task in flat(planned(experiment(tmp_path, text)))]

        return tmp_path, keys_of, keys_of()

    @pytest.mark.parametrize(
        "setting",
        ["temperature: 0.5", "max_tokens: 99", "seed: 3", "structured: false", "language: zh", "retries: 3"],
    )
    def test_a_setting(self, keys, setting):
        _, keys_of, before = keys
        text = self.TEXT.replace("temperature: 0", setting)
        assert keys_of(text) != before

    def test_a_criterion(self, keys):
        folder, keys_of, before = keys
        (folder / "mine.yaml").write_text("criteria: [It names two sources.]\n")
        assert keys_of() != before

    def test_the_document_the_question_the_reference(self, keys):
        folder, keys_of, before = keys
        found = [before]
        row = json.loads((folder / "r.jsonl").read_text())
        for change in ({"report": row["report"] + "!"}, {"query": "Why?"}):
            (folder / "r.jsonl").write_text(json.dumps({**row, **change}))
            found.append(keys_of())
        (folder / "ref.md").write_text("A reference.")
        found.append(keys_of(self.TEXT + "reference: ref.md\n"))
        assert len({tuple(item) for item in found}) == 4

    def test_a_template(self, keys):
        from assay.strategies.registry import find_strategy

        folder, keys_of, before = keys
        (folder / "p").mkdir()
        source = find_strategy("direct").template
        text = Path(source).read_text("utf-8")
        (folder / "p" / "direct.jinja").write_text(text, "utf-8")
        assert keys_of(self.TEXT + "prompts: p\n") == before
        (folder / "p" / "direct.jinja").write_text(
            text.replace("udge", "udge carefully", 1) + "\n{# more #}", "utf-8"
        )
        assert keys_of(self.TEXT + "prompts: p\n") != before

    def test_what_does_not(self, keys):
        _, keys_of, before = keys
        assert keys_of("name: other\nbudget: {usd: 1}\n" + self.TEXT) == before
        # Another trial count keeps the first trial, at the same temperature.
        assert keys_of(self.TEXT + "trials: 3\n")[0] == before[0]


class TestMaterial:
    def test_ids_limits_systems_and_queries(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 5)
        (tmp_path / "one.md").write_text(report(9))
        (tmp_path / "q.txt").write_text("Why?\n")
        text = (
            'subjects: [{path: r.jsonl, ids: [1, 3, 4], limit: 2}, {path: one.md, system: me, query: "@q.txt"}]\n'
            "judges: direct@a/b\n"
        )
        entries = list(ExperimentSubjects(experiment(tmp_path, text)))
        assert [(entry.id, entry.system) for entry in entries] == [("1", None), ("3", None), ("one", "me")]
        assert entries[2].query == "Why?"
        assert entries[2].subject.path == "one.md"

    def test_an_id_that_is_not_there(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 2)
        made = experiment(tmp_path, "subjects: [{path: r.jsonl, ids: [1, 77]}]\njudges: direct@a/b\n")
        found = list(ExperimentSubjects(made))
        assert "has no subject '77'" in str(found[-1])

    @pytest.mark.parametrize("form", ["jsonl", "json", "folder", "text"])
    def test_references(self, tmp_path, form):
        write_rows(tmp_path / "r.jsonl", 3)
        if form == "jsonl":
            rows = [{"id": 0, "reference": "zero"}, {"id": "2", "article": "two"}]
            (tmp_path / "ref.jsonl").write_text("\n".join(map(json.dumps, rows)))
        elif form == "json":
            (tmp_path / "ref.json").write_text(json.dumps({"0": "zero", "2": "two"}))
        elif form == "folder":
            (tmp_path / "ref").mkdir()
            (tmp_path / "ref" / "0.md").write_text("zero")
            (tmp_path / "ref" / "2.md").write_text("two")
        else:
            (tmp_path / "ref.md").write_text("zero")
        name = {"jsonl": "ref.jsonl", "json": "ref.json", "folder": "ref", "text": "ref.md"}[form]
        made = experiment(tmp_path, f"subjects: r.jsonl\njudges: direct@a/b\nreference: {name}\n")
        wanted = ["zero"] * 3 if form == "text" else ["zero", None, "two"]
        assert [entry.reference for entry in ExperimentSubjects(made)] == wanted


class TestGroups:
    def files(self, folder):
        write_rows(folder / "x.jsonl", 3, system="x")
        write_rows(folder / "y.jsonl", 3, system="y", first=1)
        write_rows(folder / "z.jsonl", 3, system="z")

    def names(self, plan):
        return [
            (
                task.tags["mode"],
                *(value for key, value in task.tags.items() if key.startswith(("id", "system"))),
            )
            for task in flat(plan)
        ]

    def test_two_systems_on_an_id(self, tmp_path):
        self.files(tmp_path)
        text = "subjects: ['*.jsonl']\njudges: direct@scripted/random\ncompare: {systems: [y, x], on: id}\n"
        plan = planned(experiment(tmp_path, text))
        assert plan.survey().cases == 2
        assert self.names(plan) == [("compare", "1", "y", "1", "x"), ("compare", "2", "y", "2", "x")]

    def test_all_pairs_of_a_question(self, tmp_path):
        self.files(tmp_path)
        text = "subjects: ['*.jsonl']\njudges: direct@scripted/random\ncompare: query\nscore: true\n"
        names = self.names(planned(experiment(tmp_path, text)))
        # 0: x z; 1 and 2: x y z; 3: y.
        assert len(names) == 9 + 1 + 3 + 3
        assert names[9] == ("compare", "0", "x", "0", "z")

    def test_named_pairs_and_sets(self, tmp_path):
        self.files(tmp_path)
        (tmp_path / "one.md").write_text(report(9))
        text = (
            "subjects: ['*.jsonl', one.md]\njudges: direct@scripted/random\n"
            "compare: [[one.md, x/0]]\nrank: [[x/1, y/1, z/1]]\n"
        )
        assert self.names(planned(experiment(tmp_path, text))) == [
            ("compare", "one", "0", "x"),
            ("rank", "1", "x", "1", "y", "1", "z"),
        ]

    @pytest.mark.parametrize(
        ("group", "said"),
        [
            ("compare: [[x/0, x/9]]", "compare[0]: no subject is called 'x/9'; did you mean"),
            ("compare: [['1', x/0]]", "3 subjects are called '1'"),
            ("compare: {systems: [x, w]}", "no subject is of the system 'w'"),
            ("rank: {systems: [x, y], on: id}\nlimit: 1", "no subject is of the system 'y'"),
        ],
    )
    def test_what_is_not_there(self, tmp_path, group, said):
        self.files(tmp_path)
        text = f"subjects: ['*.jsonl']\njudges: direct@scripted/random\n{group}\n"
        with pytest.raises(UsageError) as caught:
            planned(experiment(tmp_path, text)).survey()
        assert said in str(caught.value)

    def test_a_judge_for_one_mode(self, tmp_path):
        self.files(tmp_path)
        text = (
            "subjects: ['*.jsonl']\njudges: [direct@scripted/random, {judge: brief@scripted/random, modes: compare}]\n"
            "compare: {systems: [x, y], on: id}\nscore: true\n"
        )
        assert planned(experiment(tmp_path, text)).survey().judgments == [11, 2]


class TestProblems:
    def test_what_cannot_be_read_or_judged_stops_before_anything_is_sent(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 2)
        with (tmp_path / "r.jsonl").open("a") as out:
            out.write("{broken\n")
        made = experiment(tmp_path, "subjects: r.jsonl\njudges: direct@scripted/random\n")
        with pytest.raises(UsageError, match=r"nothing was sent: .*r\.jsonl:3: .*problems: skip"):
            run_all(made, tmp_path / "l.sqlite")
        made = experiment(tmp_path, "subjects: r.jsonl\njudges: direct@scripted/random\nproblems: skip\n")
        run, rows = run_all(made, tmp_path / "l.sqlite")
        assert len(rows) == 2
        assert run.survey.unfit == 1

    def test_a_strategy_without_its_reference(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 2)
        (tmp_path / "ref.jsonl").write_text('{"id": 1, "reference": "text"}\n')
        text = "subjects: r.jsonl\njudges: [comparative@scripted/random, direct@scripted/random]\nreference: ref.jsonl\n"
        survey = planned(experiment(tmp_path, text)).survey()
        assert survey.judgments == [1, 2]
        assert "r.jsonl:1: strategy 'comparative' scores a document against a reference" in survey.problems[0]

    def test_a_subject_longer_than_the_window(self, tmp_path, monkeypatch):
        scripted(monkeypatch, lambda request: "x")
        write_rows(tmp_path / "r.jsonl", 1, words=60)
        write_rows(tmp_path / "long.jsonl", 1, words=2000, first=1)
        made = experiment(
            tmp_path,
            "subjects: [r.jsonl, long.jsonl]\njudges: direct@scripted/test\nmodels: {scripted/test: {context: 3000}}\n",
        )
        with pytest.raises(UsageError) as caught:
            run_all(made, tmp_path / "l.sqlite")
        said = str(caught.value)
        assert "long.jsonl:1: the report takes about " in said
        assert "reads 3,000 at most; judge it in parts (granularity: fine)" in said

    def test_no_subjects(self, tmp_path):
        (tmp_path / "empty").mkdir()
        made = experiment(tmp_path, "subjects: empty\njudges: direct@scripted/random\n")
        with pytest.raises(UsageError, match="no file to read"):
            run_all(made, tmp_path / "l.sqlite")


def answer(request):
    """A valid reply that counts its tokens as plans do."""
    import random

    text = (
        json.dumps(sample_value(request.schema, random.Random(request.key())))
        if request.schema
        else f"{request.key()} " * 42
    )
    return Reply(text=text, usage=Usage(1, estimate_request(request), 0, max(1, len(text) // 4), 0.0))


class TestEstimates:
    @pytest.mark.parametrize(
        "judge",
        [
            "direct@scripted/test", "brief@scripted/test", "panel@scripted/test", "debate@scripted/test",
            "geval@scripted/test", "comparative@scripted/test",
            "{judge: brief@scripted/test, rubric: reflect-report, per_call: 1}",
            "{judge: direct@scripted/test, granularity: fine, rubric: reflect-report}",
        ],
    )  # fmt: skip
    def test_calls_and_input_are_what_a_run_takes(self, tmp_path, monkeypatch, judge):
        scripted(monkeypatch, answer)
        write_rows(tmp_path / "r.jsonl", 3, words=800)
        (tmp_path / "ref.md").write_text(report(5))
        text = f"subjects: r.jsonl\njudges: [{judge}]\nreference: ref.md\ntrials: 2\n"
        made = experiment(tmp_path, text)
        survey, (estimate,) = asyncio.run(estimated(made, None, RunOptions()))
        run, rows = run_all(made, tmp_path / "l.sqlite")
        paid = run.session.spending.spent
        assert estimate.planned == survey.total == len(rows) == 6
        assert {row.judgment.status for row in rows} == {"ok"}
        assert estimate.calls <= paid.calls <= estimate.most_calls
        # What later calls carry of earlier replies is not known beforehand.
        assert estimate.input_tokens == pytest.approx(paid.input_tokens, rel=0.15)

    def test_pairs_take_both_orders(self, tmp_path, monkeypatch):
        scripted(monkeypatch, answer)
        write_rows(tmp_path / "x.jsonl", 2, system="x")
        write_rows(tmp_path / "y.jsonl", 2, system="y")
        made = experiment(
            tmp_path, "subjects: '*.jsonl'\njudges: direct@scripted/test\ncompare: query\nrank: query\n"
        )
        _, (estimate,) = asyncio.run(estimated(made, None, RunOptions()))
        run, _ = run_all(made, tmp_path / "l.sqlite")
        assert estimate.calls == run.session.spending.spent.calls == 8
        assert estimate.input_tokens == pytest.approx(run.session.spending.spent.input_tokens, rel=0.02)

    def test_money_and_the_cached_share(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 2, words=2000)
        text = "subjects: r.jsonl\njudges: [{judge: direct@openai/gpt-5-mini, rubric: reflect-report, per_call: 1}]\n"
        _, (estimate,) = asyncio.run(estimated(experiment(tmp_path, text), None, RunOptions()))
        assert estimate.calls == 8
        # Three of the four calls on a document find it in the cache.
        assert 0.6 < estimate.cached_tokens / estimate.input_tokens < 0.75
        assert 0 < estimate.cost < estimate.most_cost
        unpriced = text.replace("openai/gpt-5-mini", "vllm/none")
        _, (estimate,) = asyncio.run(estimated(experiment(tmp_path, unpriced), None, RunOptions()))
        assert estimate.cost is estimate.most_cost is None

    def test_what_is_there_costs_nothing(self, tmp_path):
        write_rows(tmp_path / "r.jsonl", 3)
        made = experiment(tmp_path, "subjects: r.jsonl\njudges: direct@scripted/random\n")
        run_all(made, tmp_path / "l.sqlite", RunOptions(limit=2))
        with open_ledger(tmp_path / "l.sqlite", read_only=True) as ledger:
            _, (estimate,) = asyncio.run(estimated(made, ledger, RunOptions()))
        assert (estimate.planned, estimate.there, estimate.calls) == (3, 2, 1)

    def test_nothing_is_sent(self, tmp_path, monkeypatch):
        opened = scripted(monkeypatch, lambda request: CallFailedError("asked"))
        write_rows(tmp_path / "r.jsonl", 2)
        made = experiment(tmp_path, "subjects: r.jsonl\njudges: panel@scripted/test\n")
        asyncio.run(estimated(made, None, RunOptions()))
        assert not opened["scripted/test"].requests


def test_a_hundred_thousand_are_never_held(tmp_path):
    """The stream holds a document's tasks, whatever the plan's length."""
    import tracemalloc

    write_rows(tmp_path / "r.jsonl", 500)
    text = "subjects: r.jsonl\njudges: [{judge: direct@scripted/random, temperature: 0}]\ntrials: 40\n"
    plan = planned(experiment(tmp_path, text))
    assert plan.survey().total == 20_000
    tracemalloc.start()
    count = sum(1 for _ in plan.tasks())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 3_000_000


def test_the_run_is_written_down(tmp_path):
    write_rows(tmp_path / "r.jsonl", 2)
    text = (
        "name: My run\nsubjects: r.jsonl\njudges: [{judge: direct@scripted/random, label: d}]\n"
        "models: {scripted/random: {headers: {X-Key: secret-value}, base-url: 'http://u:pw@host:1/v1?key=k'}}\n"
    )
    made = experiment(tmp_path, text)

    async def main():
        with open_ledger(tmp_path / "l.sqlite") as ledger:
            async with opened_run(made, ledger, RunOptions()) as run:
                await run.go()
            return ledger.run(run.id), run

    row, run = asyncio.run(main())
    assert row.id.startswith("My-run-")
    assert (row.name, row.status) == ("My run", "done")
    assert row.plan["judgments"] == [{"judge": "d", "rubric": "overall", "planned": 2}]
    said = row.provenance
    judge = said["judges"][0]
    assert judge["version"] == run.plan.judges[0].judge.version
    assert said["rubrics"][judge["rubric_version"]]["name"] == "overall"
    assert {"layout.jinja", "direct.jinja"} <= set(said["templates"])
    assert {"aiohttp", "msgspec"} <= set(said["packages"])
    text = json.dumps(said)
    assert "secret-value" not in text
    assert "pw@" not in text
    assert said["models"]["scripted/random"]["headers"] == ["X-Key"]


def test_git_revision(tmp_path):
    from assay.runs.provenance import git_revision

    assert git_revision(tmp_path) is None
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs" / "heads" / "main").write_text("a" * 40 + "\n")
    assert git_revision(tmp_path / "sub" / "folder") == "a" * 40
    (git / "refs" / "heads" / "main").unlink()
    (git / "packed-refs").write_text("# pack\n" + "b" * 40 + " refs/heads/main\n")
    assert git_revision(tmp_path) == "b" * 40
    (git / "HEAD").write_text("c" * 40)
    assert git_revision(tmp_path) == "c" * 40


def test_the_usual_rubric_fits_the_subjects(tmp_path):
    write_rows(tmp_path / "r.jsonl", 1)
    made = parse_experiment(
        "subjects: r.jsonl\njudges: [direct@scripted/random, {judge: brief@scripted/random, granularity: fine}]\n",
        base=tmp_path,
    )
    assert [planned.judge.rubric.name for planned in planned(made).judges] == [
        "reportlogic",
        "reflect-report",
    ]
