import json
from pathlib import Path

import jsonschema
import pytest

from assay.errors import InputError
from assay.judges.settings import JudgeSettings
from assay.located import parse_data
from assay.runs import experiment_file as module
from assay.runs.experiment_file import load_experiment, parse_experiment
from assay.runs.experiment_format import (
    ExperimentFile,
    JudgeTable,
    SettingsTable,
    SubjectTable,
    experiment_schema,
)

LEAST = "subjects: [a.md]\njudges: [direct@scripted/random]\n"
FULL = """
name: everything
subjects:
  - reports/*.md
  - {path: [runs.jsonl, more.jsonl], limit: 20, ids: [1, b], system: agent, query: "@q.txt", reference: refs.jsonl,
     format: report-rows, fields: {report: article}}
judges:
  - direct@openai/gpt-5-mini
  - {judge: panel@vllm/mine, rubric: [overall, own.yaml], label: small, modes: [score, compare], granularity: fine,
     per_call: 0, swap: false, language: zh, temperature: 0.3, top_p: 0.9, max_tokens: 500, seed: 7, structured: false,
     retries: 0, repetitions: 2, early_stop: false, reasoning_effort: low, options: {rounds: 2}}
  - {strategy: brief, model: openai/gpt-5-mini}
rubrics: [reflect-report]
score: true
compare:
  - {systems: [x, y], on: id}
  - [a, b]
  - {a: 1, b: two.md}
rank: query
query: What is it?
reference: refs/
repetitions: 5
early_stop: true
settings: {max_tokens: 900}
limit: 50
problems: skip
budget: {usd: 2.5, tokens: 1000000}
models:
  vllm/mine: {concurrency: 8, base_url: "http://127.0.0.1:1/v1"}
providers: {lab: {base-url: "http://127.0.0.1:2/v1"}}
ledger: l.sqlite
prompts: [prompts]
"""


def plain(text):
    return parse_data(text, "experiment.yaml").data


def test_subjects_and_judges_are_enough():
    found = parse_experiment(LEAST)
    assert found.subjects[0].path == ("a.md",)
    assert found.judges[0].name == found.judges[0].label == "direct@scripted/random"
    assert found.judges[0].rubrics == ()
    assert found.modes == ("score",)
    assert (found.name, found.budget.usd, found.problems) == ("experiment", None, "stop")


def test_one_needs_no_list():
    found = parse_experiment("subjects: a.md\njudges: direct@m/n\nrubric: overall\nprompts: p\n")
    assert found.subjects[0].path == ("a.md",)
    assert found.judges[0].model == "m/n"


def test_every_field(tmp_path):
    path = tmp_path / "full.yaml"
    path.write_text(FULL, "utf-8")
    found = load_experiment(path)
    assert found.base == tmp_path
    assert found.modes == ("score", "compare", "rank")
    rows = found.subjects[1]
    assert (rows.path, rows.ids, rows.limit) == (("runs.jsonl", "more.jsonl"), ("1", "b"), 20)
    assert rows.fields == {"report": "article"}
    plain, small, brief = found.judges
    assert plain.settings == JudgeSettings(repetitions=5, early_stop=True, max_tokens=900)
    assert (small.settings.repetitions, small.settings.early_stop, small.settings.max_tokens) == (
        2,
        False,
        500,
    )
    assert small.settings.options == {"rounds": 2}
    assert (small.rubrics, small.modes, small.label) == (
        ("overall", "own.yaml"),
        ("score", "compare"),
        "small",
    )
    assert brief.name == "brief@openai/gpt-5-mini"
    first, second, third = found.compare
    assert (first.systems, first.on) == (("x", "y"), "id")
    assert (second.members, third.members) == (("a", "b"), ("1", "two.md"))
    assert found.rank[0].on == "query"
    assert (found.budget.usd, found.budget.tokens) == (2.5, 1_000_000)
    assert found.models.models["vllm/mine"].concurrency == 8
    assert found.models.models["vllm/mine"].base_url == "http://127.0.0.1:1/v1"
    assert found.models.providers["lab"].base_url == "http://127.0.0.1:2/v1"


class TestEarlierNameOfRepetitions:
    PLACES = (
        LEAST + "KEY: 3\n",
        LEAST + "settings: {KEY: 3}\n",
        "subjects: a.md\njudges: {judge: direct@a/b, KEY: 3}\n",
        "subjects: a.md\njudges:\n- brief@a/b\n- {judge: direct@a/b, KEY: 3}\n",
    )

    @pytest.mark.parametrize("text", PLACES)
    def test_both_names_mean_the_same(self, text):
        older, current = (text.replace("KEY", key) for key in ("trials", "repetitions"))
        assert parse_experiment(older) == parse_experiment(current)
        assert parse_experiment(older).judges[-1].settings.repetitions == 3
        jsonschema.validate(plain(older), experiment_schema())

    @pytest.mark.parametrize("text", PLACES)
    def test_both_at_once_are_an_error(self, text):
        text = text.replace("KEY: 3", "trials: 3, KEY: 3" if "{" in text else "trials: 3\nKEY: 3")
        with pytest.raises(InputError, match="trials is an earlier name of 'repetitions'; give one of them"):
            parse_experiment(text.replace("KEY", "repetitions"))

    def test_a_wrong_value_is_found_in_its_line(self):
        with pytest.raises(InputError, match=r"experiment.yaml:4: .*repetitions is 0"):
            parse_experiment(LEAST + "name: x\ntrials: 0\n")


def test_json_is_read_too(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"subjects": ["a.md"], "judges": ["direct@a/b"]}), "utf-8")
    assert load_experiment(path).name == "x"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("judges: [direct@a/b]", "'subjects'"),
        (LEAST + "repetition: 3", "experiment.yaml:3: repetition is not a field here; did you mean 'repetitions'?"),
        (
            "subjects: [a]\njudges:\n- direct@a/b\n- {judge: brief@a/b, granularty: fine}",
            "experiment.yaml:4: judges[1].granularty is not a field here; did you mean 'granularity'?",
        ),
        ("subjects: [{path: a, idz: [1]}]\njudges: [direct@a/b]", "subjects[0].idz"),
        ("subjects: [a]\njudges: [direct]", "names no model; write direct@"),
        ("subjects: [a]\njudges: [{strategy: direct}]", "judges[0] has no 'model'"),
        ("subjects: [a]\njudges: [{judge: direct@a/b, model: c/d}]", "given twice"),
        ("subjects: [a]\njudges: [{judge: direct@a/b, granularity: coarse}]", "judges[0].granularity is 'coarse'"),
        ("subjects: [a]\njudges: [{judge: direct@a/b, repetitions: 0}]", "judges[0].repetitions is 0; it must be a whole number, at least 1"),
        ("subjects: [a]\njudges: [{judge: direct@a/b, temperature: warm}]", "temperature is 'warm'"),
        ("subjects: [a]\njudges: [{judge: direct@a/b, modes: [compares]}]", "did you mean 'compare'?"),
        ("subjects: [a]\njudges: [direct@a/b, direct@a/b]", "judges[1] is judges[0] again"),
        ("subjects: []\njudges: [direct@a/b]", "subjects is empty"),
        ("subjects: 3\njudges: [direct@a/b]", "subjects is 3; it must be text, a table or a list"),
        (LEAST + "repetitions: many", "repetitions is 'many'"),
        (LEAST + "settings: {repetition: 3}", "settings.repetition is not a field here; did you mean 'repetitions'?"),
        (LEAST + "problems: ignore", "problems is 'ignore'"),
        (LEAST + "budget: {usd: -1}", "budget.usd is -1; it must be"),
        (LEAST + "budget: {dollars: 3}", "budget.dollars"),
        (LEAST + "limit: 0", "limit is 0"),
        (LEAST + "compare: somehow", "compare is 'somehow'"),
        (LEAST + "compare: [{a: x}]", "compare[0] has no 'b'"),
        (LEAST + "compare: [[a, b, c]]", "a comparison takes two"),
        (LEAST + "compare: [[a, a]]", "names one twice"),
        (LEAST + "compare: [{systems: [x]}]", "it takes two or more"),
        (LEAST + "compare: {system: [x, y]}", "compare.system is not a field here; did you mean 'systems'?"),
        (LEAST + "rank: [{candidates: [a, b], systems: [x, y]}]", "cannot be combined"),
        (LEAST + "models: {gpt: {rpm: 3}}", "models.gpt names no model"),
        (LEAST + "models: {a/b: {rmp: 3}}", "did you mean 'rpm'?"),
        (LEAST + "rubric: a\nrubrics: [b]", "the same as"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_named_with_its_place(text, said):
    with pytest.raises(InputError) as caught:
        parse_experiment(text)
    assert said in str(caught.value)
    assert "experiment.yaml" in str(caught.value)


class TestSchema:
    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(experiment_schema())

    @pytest.mark.parametrize("text", [LEAST, FULL])
    def test_it_takes_what_is_read(self, text):
        jsonschema.validate(plain(text), experiment_schema())

    def test_it_takes_the_example(self):
        path = Path(module.__file__).with_name("experiment.example.yaml")
        jsonschema.validate(plain(path.read_text("utf-8")), experiment_schema())
        parse_experiment(path.read_text("utf-8"))

    def test_every_field_is_described(self):
        schema = experiment_schema()
        parts = {"ExperimentFile": schema, **schema["$defs"]}
        for kind in (ExperimentFile, SubjectTable, JudgeTable, SettingsTable):
            fields = parts[kind.__name__]["properties"]
            older = {"trials"} & set(fields)
            assert set(fields) == set(kind.__struct_encode_fields__) | older
            assert all(fields[name]["deprecated"] for name in older)
            assert not [name for name, field in fields.items() if not field.get("description")]

    @pytest.mark.parametrize("text",
        [
            "{}",
            "subjects: [a]\njudges: [direct]",
            "subjects: [a]\njudges: [{strategy: direct}]",
            "subjects: []\njudges: [direct@a/b]",
            "subjects: [{path: a, idz: [1]}]\njudges: [direct@a/b]",
            *(
                LEAST + line
                for line in (
                    "repetition: 3", "repetitions: 0", "repetitions: many", "trials: 0", "trials: 3\nrepetitions: 3", "limit: 0", "problems: ignore", "budget: {usd: -1}",
                    "budget: {dollars: 3}", "settings: {trial: 3}", "compare: somehow", "compare: [[a, b, c]]",
                    "compare: [[a, a]]", "compare: [{systems: [x]}]", "rank: [[a]]", "models: {a/b: {rmp: 3}}",
                    "suite: []", "ensemble: all",
                )
            ),
        ],
    )  # fmt: skip
    def test_it_refuses_what_is_refused(self, text):
        with pytest.raises(InputError):
            parse_experiment(text)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(plain(text), experiment_schema())


def test_judges_without_a_model_and_ensembles_are_read(tmp_path):
    path = tmp_path / "experiment.yaml"
    path.write_text(
        "subjects: [a.md]\ncompare: id\njudges:\n- rules\n- majority(rules length a/b)\n"
        "- {ensemble: consensus, judges: [length, random], name: both}\n",
        "utf-8",
    )
    rules, majority, both = load_experiment(path).judges
    assert (rules.name, rules.modes) == ("rules", ("compare", "rank"))
    assert (majority.rule, majority.members) == ("majority", ("rules", "length", "a/b"))
    assert (both.label, both.name, both.modes) == ("both", "consensus(length random)", ("compare",))
    path.write_text("subjects: [a.md]\njudges: rules\nsuite: finresearch\n", "utf-8")
    (spec,) = load_experiment(path).judges
    assert (spec.name, spec.suite, spec.modes) == ("rules", "finresearch", ("score",))
    for judge, suite, said in (
        ("length", "finresearch", "is 'length', which has no model of its own"),
        ("rules", "reportlogic", "is 'rules', but the judges of reportlogic ask a model"),
    ):
        path.write_text(f"subjects: [a.md]\njudges: {judge}\nsuite: {suite}\n", "utf-8")
        with pytest.raises(InputError, match=said):
            load_experiment(path)
