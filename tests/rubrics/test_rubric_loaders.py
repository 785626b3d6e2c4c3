"""Loaders of tasks: every public format, and every mistake with its file, its line and what is wrong."""

import gzip
import json
import sys
import types

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import EngineError, InputError, MissingExtraError, UsageError
from assay.located import parse_data
from assay.rubrics.loaders.base import RowOrigin
from assay.rubrics.loaders.registry import all_loaders, load_rubric_set, read_rubric_set
from assay.rubrics.loaders.task_rows import LOADER, dump_task
from assay.rubrics.rubric_file import parse_rubric
from assay.rubrics.rubric_writer import rubric_yaml
from assay.rubrics.tasks import LEVELS
from assay.rubrics.weighted import AXES, axis_of, is_mandatory

RESEARCH = {
    "prompt": "Why is the sky blue?",
    "sample_id": "683a58",
    "domain": "stem",
    "conceptual_breadth": "Simple",
    "logical_nesting": "SHALLOW",
    "exploration": "Very low",
    "rubrics": [
        {"criterion": "Names Rayleigh scattering.", "weight": 5.0, "axis": "Explicit Criteria"},
        {
            "criterion": "Says it is reflected sea.",
            "weight": -4.0,
            "axis": "Implicit Criteria",
            "author": "k",
        },
    ],
    "batch": 3,
}


@pytest.fixture
def write(tmp_path):
    def write(name, *rows, text=None):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
        path.write_text(text if text is not None else "".join(line + "\n" for line in lines), "utf-8")
        return path

    return write


def test_research_rubrics(write):
    found = load_rubric_set(write("tasks.jsonl", RESEARCH))
    assert found.name == "tasks"
    task = found.tasks["683a58"]
    assert (task.query, task.domain) == ("Why is the sky blue?", "STEM")
    levels = task.complexity
    assert (levels.conceptual_breadth, levels.logical_nesting, levels.exploration) == (
        "simple",
        "shallow",
        "very low",
    )
    assert task.notes == {"batch": 3}
    first, second = task.rubric.criteria
    assert (first.asks, first.weight, axis_of(first), is_mandatory(first)) == (
        "Names Rayleigh scattering.",
        5,
        "explicit",
        True,
    )
    assert second.notes == {"axis": "Implicit Criteria", "author": "k"}
    assert (task.rubric.aggregate, task.rubric.ask, task.rubric.scale.values()) == (
        "compliance",
        "each",
        ("met", "partially met", "not met"),
    )


def test_levels_may_be_missing(write):
    row = {key: value for key, value in RESEARCH.items() if key not in LEVELS and key != "domain"}
    task = load_rubric_set(write("t.jsonl", row)).tasks["683a58"]
    assert (task.domain, task.complexity.exploration) == ("", "")


def changed(**fields):
    return RESEARCH | fields


def criteria(*items):
    return changed(rubrics=list(items))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("{", "broken JSON"),
        ('{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        ("[1]", "is a list; a task must be an object (a mapping of fields)"),
        ('"text"', "is text; a task must be an object (a mapping of fields)"),
        ("{}", "has no 'rubrics'"),
        ({k: v for k, v in RESEARCH.items() if k != "rubrics"}, "has no 'rubrics'"),
        ({k: v for k, v in RESEARCH.items() if k != "prompt"}, "has no question"),
        (changed(prompt=" "), "prompt is empty"),
        (changed(prompt=["x"]), "prompt is a list"),
        (changed(sample_id={}), "sample_id is a table"),
        (changed(sample_id=True), "sample_id is true or false"),
        (changed(domain=5), "domain is a number"),
        (changed(exploration=["low"]), "exploration is a list; it must be text: low, medium, high"),
        (changed(rubrics="none"), "rubrics is text; it must be a list"),
        (changed(rubrics={}), "rubrics is a table; it must be a list"),
        (criteria(), "there are no criteria"),
        (criteria("Names it."), "rubrics[0] is text; it must be a table"),
        (criteria({"criterion": "Names it."}), "rubrics[0] has no weight"),
        (criteria({"weight": 1}), "rubrics[0] has no text"),
        (criteria({"criterion": "", "weight": 1}), "rubrics[0].criterion is empty"),
        (criteria({"criterion": 7, "weight": 1}), "rubrics[0].criterion is 7; it must be text"),
        (criteria({"criterion": "a", "weight": 0}), "rubrics[0].weight is 0"),
        (criteria({"criterion": "a", "weight": "5"}), "rubrics[0].weight is '5'; it must be a number"),
        (
            criteria({"criterion": "a", "weight": 1, "axis": 3}),
            "rubrics[0].axis is a number; it must be text",
        ),
        (criteria({"criterion": "a", "weight": 1, "mandatory": "yes"}), "rubrics[0].mandatory is text"),
        (criteria({"criterion": "a\ud800", "weight": 1}), "it must be text without control characters"),
        (changed(prompt="a\ud800"), "prompt has a control character"),
        (changed(sample_id="other", rubrics='[{"criterion": 1}'), "rubrics is text; it must be a list"),
    ],
)
def test_a_malformed_line_names_file_line_and_what_is_wrong(write, row, problem):
    path = write("tasks.jsonl", RESEARCH, "", row if isinstance(row, str) else json.dumps(row | {"n": 2}))
    with pytest.raises(InputError) as caught:
        load_rubric_set(path)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert problem in str(caught.value)


def test_all_malformed_lines_are_named(write):
    bad = changed(prompt="")
    path = write("t.jsonl", RESEARCH, bad, changed(sample_id="x"), bad, bad)
    with pytest.raises(InputError, match=r"t.jsonl:2: prompt is empty.*2 more malformed: 4, 5"):
        load_rubric_set(path)


def test_ids_that_occur_twice(write):
    path = write("t.jsonl", RESEARCH, RESEARCH)
    with pytest.raises(InputError, match=r"t.jsonl:2: the id '683a58' is also that of .*t.jsonl:1"):
        load_rubric_set(path)


BENCH = {
    "id": 51,
    "prompt": "How many?",
    "dimension_weight": {"insight": 0.4, "instruction_following": 0.6},
    "criterions": {
        "insight": [{"criterion": "Depth", "explanation": "Says why.", "weight": 1.0, "comment": "c"}],
        "instruction_following": [
            {"criterion": "Format", "explanation": "Has a table.", "weight": 0.25},
            {"criterion": "Scope", "explanation": "Is about Japan.", "weight": 0.75},
        ],
    },
}


def test_deepresearch_bench(write):
    task = load_rubric_set(write("criteria.jsonl", BENCH)).tasks["51"]
    assert [item.weight for item in task.rubric.criteria] == [0.4, 0.15, 0.45]
    assert [axis_of(item) for item in task.rubric.criteria] == ["insight"] + ["instruction_following"] * 2
    first = task.rubric.criteria[0]
    assert (first.title, first.asks) == ("Depth", "Depth: Says why.")
    assert first.notes == {"axis": "insight", "comment": "c"}
    assert not any(map(is_mandatory, task.rubric.criteria))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"dimension_weight": None}, "dimension_weight is empty; it must be a table by dimension"),
        ({"criterions": []}, "criterions is a list"),
        ({"dimension_weight": {"insight": 1, "depth": 1}}, "dimension_weight.depth has no criteria"),
        ({"dimension_weight": {"insight": 1}}, "criterions.instruction_following has no share"),
        (
            {"dimension_weight": {"insight": "x", "instruction_following": 1}},
            "dimension_weight.insight is 'x'",
        ),
        (
            {"criterions": BENCH["criterions"] | {"insight": [{"criterion": "a"}]}},
            "criterions.insight[0].weight is",
        ),
        (
            {"criterions": BENCH["criterions"] | {"insight": [{"weight": 1}]}},
            "criterions.insight[0] has no text",
        ),
        ({"criterions": BENCH["criterions"] | {"insight": [3]}}, "criterions.insight[0] is a number"),
    ],
)
def test_malformed_shares(write, change, problem):
    with pytest.raises(InputError) as caught:
        load_rubric_set(write("criteria.jsonl", BENCH | change))
    assert f"criteria.jsonl:1: {problem}" in str(caught.value)


def test_the_real_criteria(shared):
    found = load_rubric_set(shared / "deepresearch_bench" / "criteria.jsonl")
    assert len(found.tasks) == 100
    rubrics = [task.rubric for task in found.tasks.values()]
    assert sum(len(rubric.criteria) for rubric in rubrics) == 2517
    for rubric in rubrics:
        assert sum(item.weight for item in rubric.criteria) == pytest.approx(1, abs=1e-9)
    for line in (shared / "deepresearch_bench" / "queries.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        assert found.tasks[str(row["id"])].query == row["query"].strip()
        assert found.find(row["query"]).id == str(row["id"])


def test_health_bench(write):
    row = {
        "prompt_id": "p1",
        "prompt": [
            {"role": "user", "content": "Can I take two? "},
            {"role": "assistant", "content": "Of what?"},
        ],
        "rubrics": [
            {"criterion": "Asks for the dose.", "points": 10, "tags": ["axis:accuracy"]},
            {"criterion": "Names a wrong dose.", "points": -8, "tags": []},
        ],
        "example_tags": ["theme:x"],
    }
    task = load_rubric_set(write("eval.jsonl", row)).tasks["p1"]
    assert task.query == "user: Can I take two?\n\nassistant: Of what?"
    assert [item.weight for item in task.rubric.criteria] == [10, -8]
    # Points are on another scale.
    assert not any(map(is_mandatory, task.rubric.criteria))
    assert task.rubric.criteria[0].notes["tags"] == ["axis:accuracy"]
    assert task.notes == {"example_tags": ["theme:x"]}


def test_writing_bench(write):
    item = {
        "name": "Tone",
        "criteria_description": "Is it formal throughout?",
        "9-10": "always",
        "1-2": "never",
    }
    row = {"index": 4, "domain1": "Law", "domain2": "Contract", "query": "Write it.", "checklist": [item]}
    task = load_rubric_set(write("b.jsonl", row)).tasks["4"]
    criterion = task.rubric.criteria[0]
    assert (task.domain, criterion.title, criterion.asks) == ("Law", "Tone", "Is it formal throughout?")
    assert criterion.notes == {"9-10": "always", "1-2": "never"}
    assert task.notes == {"domain2": "Contract"}


def test_rubrics_as_rewards(write):
    items = [
        {"title": "Dose", "description": "States the dose.", "weight": 5},
        {"title": "Pitfall", "description": "Recommends aspirin for children.", "weight": -1},
    ]
    found = load_rubric_set(write("r.json", text=json.dumps([{"question": "How much?", "rubric": items}])))
    rubric = found.tasks["row-1"].rubric
    assert [(item.key, item.weight) for item in rubric.criteria] == [("dose", 5), ("pitfall", -1)]
    assert is_mandatory(rubric.criteria[0])


@pytest.mark.parametrize("name", ["points.json", "points.jsonl", "points.yaml"])
def test_a_list_of_points_is_one_rubric(write, name):
    rows = [{"point": "Names Paris.", "weight": 3}, {"point": "Invents a source.", "weight": -5}]
    path = write(name, *rows) if name.endswith("l") and "json" in name else write(name, text=json.dumps(rows))
    task = load_rubric_set(path).only
    assert (task.id, task.query) == ("points", "")
    assert [(item.asks, item.weight) for item in task.rubric.criteria] == [
        ("Names Paris.", 3),
        ("Invents a source.", -5),
    ]


def test_a_rubric_of_ours_is_a_set_of_one(write):
    text = "name: mine\nabout: Judge it.\ncriteria:\n- Names Paris.\n- {criterion: Names Rome., weight: 2, axis: Explicit}\n"
    task = load_rubric_set(write("some.yaml", text=text)).only
    assert (task.id, task.rubric.name, task.rubric.about) == ("some", "mine", "Judge it.")
    rubrics = write("short.json", text='{"rubrics": [{"criterion": "Names Rome.", "weight": 2}]}')
    assert load_rubric_set(rubrics).only.rubric.criteria[0].weight == 2
    assert load_rubric_set("reportlogic").only.rubric.name == "reportlogic"
    with pytest.raises(InputError, match=r"bad.yaml:2: criteria\[0\].wieght is not a field here"):
        load_rubric_set(write("bad.yaml", text="criteria:\n- {text: a, wieght: 1}\n"))


def test_arrays_and_single_objects(write):
    other = changed(sample_id="b")
    assert list(load_rubric_set(write("a.json", text=json.dumps([RESEARCH, other]))).tasks) == ["683a58", "b"]
    assert list(load_rubric_set(write("o.json", text=json.dumps(RESEARCH))).tasks) == ["683a58"]
    assert list(load_rubric_set(write("o.yaml", text=yaml.safe_dump([RESEARCH, other]))).tasks) == [
        "683a58",
        "b",
    ]
    with pytest.raises(InputError, match=r"a.json: \[1\]: prompt is empty"):
        load_rubric_set(write("a.json", text=json.dumps([RESEARCH, changed(prompt="")])))


def test_a_folder(write, tmp_path):
    write("set/b.jsonl", RESEARCH)
    write("set/a.yaml", text="- Names Paris.\n")
    write("set/notes.txt", text="not a rubric")
    found, places = read_rubric_set(tmp_path / "set")
    assert list(found.tasks) == ["a", "683a58"]
    assert [place.rpartition("/")[2] for place in places.values()] == ["a.yaml", "b.jsonl:1"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no rubrics"):
        load_rubric_set(tmp_path / "empty")


def test_gzip(tmp_path):
    path = tmp_path / "tasks.jsonl.gz"
    raw = gzip.compress((json.dumps(RESEARCH) + "\n").encode())
    path.write_bytes(raw)
    assert load_rubric_set(path).name == "tasks"
    path.write_bytes(raw[:-9])
    with pytest.raises(InputError, match="truncated or corrupt gzip file"):
        load_rubric_set(path)
    path.write_bytes(b"text")
    with pytest.raises(InputError, match="truncated or corrupt gzip file"):
        load_rubric_set(path)


def test_what_is_not_there(tmp_path, write):
    with pytest.raises(UsageError, match="no rubric is called 'reportlogik'; did you mean 'reportlogic'"):
        load_rubric_set("reportlogik")
    with pytest.raises(InputError, match="cannot be read"):
        load_rubric_set(str(tmp_path / "none.jsonl"))
    with pytest.raises(
        InputError, match=r"holds no tasks that Assay knows: a, b .*DeepResearch Bench.*ResearchRubrics rows"
    ):
        load_rubric_set(write("x.jsonl", {"a": 1, "b": 2}))
    with pytest.raises(InputError, match="holds no tasks"):
        load_rubric_set(write("x.jsonl"))


def test_formats_are_told_apart():
    samples = {
        "research-rubrics": RESEARCH,
        "deepresearch-bench": BENCH,
        "points": {"question": "a", "rubric": [{"description": "b", "weight": 1}]},
        "task-rows": {"schema": "assay.rubric-task/1", "query": "a", "rubric": {}},
    }
    assert {loader.name for loader in all_loaders()} == set(samples)
    for name, row in samples.items():
        assert next(loader for loader in all_loaders() if loader.sniff(row)).name == name


# ---- Our own rows: what is written is read back.

TEXT = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=40
).filter(lambda text: text.strip())
ROWS = st.fixed_dictionaries(
    {
        "prompt": TEXT,
        "sample_id": st.from_regex(r"[a-z0-9]{1,12}", fullmatch=True),
        "domain": TEXT,
        "exploration": st.sampled_from(["Low", "Medium", "HIGH", ""]),
        "rubrics": st.lists(
            st.fixed_dictionaries(
                {
                    "criterion": TEXT,
                    "weight": st.floats(-5, 5, allow_nan=False).filter(bool),
                    "axis": st.sampled_from([*AXES.values(), "readability"]),
                },
                optional={"mandatory": st.booleans(), "author": TEXT},
            ),
            min_size=1,
            max_size=6,
        ),
    },
    optional={"extra": st.lists(st.integers(0, 9)) | TEXT},
)


@given(ROWS)
def test_round_trip_of_tasks(row):
    loader = next(loader for loader in all_loaders() if loader.name == "research-rubrics")
    task = loader.load(row, RowOrigin("t.jsonl:1", "row-1"))
    again = LOADER.load(json.loads(json.dumps(dump_task(task))), RowOrigin("t.jsonl:1", "x"))
    assert again == task
    assert again.rubric.version == task.rubric.version


@given(ROWS)
def test_round_trip_of_yaml(row):
    loader = next(loader for loader in all_loaders() if loader.name == "research-rubrics")
    rubric = loader.load(row, RowOrigin("t.jsonl:1", "row-1")).rubric
    assert parse_rubric(parse_data(rubric_yaml(rubric), "x.yaml")) == rubric


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "prompt",
                        "rubrics",
                        "criterion",
                        "weight",
                        "criterions",
                        "dimension_weight",
                        "insight",
                        "schema",
                        "rubric",
                    ]
                ),
                x,
            )
        ),
    )
)
def test_no_row_breaks_a_loader(row):
    if not isinstance(row, dict):
        return
    for loader in all_loaders():
        if loader.sniff(row):
            try:
                loader.load(row, RowOrigin("t.jsonl:1", "row-1"))
            except InputError as error:
                assert str(error).startswith("t.jsonl:1: ")  # noqa: PT017 - the other outcome is a task


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"schema": "assay.rubric-task/2"}, "schema is 'assay.rubric-task/2'; this version of Assay reads"),
        ({"qery": "x"}, "qery is not a field here; did you mean 'query'"),
        ({"rubric": None}, "rubric: "),
        ({"complexity": {"breadth": "low"}}, "complexity.breadth is not a field here"),
        ({"complexity": []}, "complexity is a list"),
        ({"notes": "x"}, "notes is text"),
        ({"domain": 1}, "domain is a number"),
    ],
)
def test_malformed_rows_of_ours(write, change, problem):
    row = {"schema": "assay.rubric-task/1", "id": "a", "rubric": ["Names Paris."]}
    assert load_rubric_set(write("t.jsonl", row)).only.rubric.criteria[0].asks == "Names Paris."
    with pytest.raises(InputError) as caught:
        load_rubric_set(write("t.jsonl", row | change))
    assert f"t.jsonl:1: {problem}" in str(caught.value)


# ---- Hugging Face


def test_the_extra_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtraError, match=r"datasets.*the extra \[hf\]"):
        load_rubric_set("hf:owner/name")
    for name in ("hf:", "hf:a/b:c:d"):
        with pytest.raises(UsageError, match="names no dataset"):
            load_rubric_set(name)


@pytest.fixture
def stand_in(monkeypatch):
    """A stand-in for the library ``datasets``: one dataset of two splits, and the errors that the real one raises."""

    def load_dataset(path, split=None):
        if path == "owner/gone":
            raise ConnectionError("no network")
        if path != "owner/name":
            raise FileNotFoundError(f"Dataset '{path}' doesn't exist")
        splits = {"train": [RESEARCH | {"notes": None}], "test": [changed(sample_id="t")]}
        if split is None:
            return splits
        if split not in splits:
            raise ValueError(f'Unknown split "{split}".')
        return splits[split]

    module = types.ModuleType("datasets")
    module.load_dataset = load_dataset
    module.disable_progress_bars = lambda: None
    monkeypatch.setitem(sys.modules, "datasets", module)


def test_datasets_by_name(stand_in):
    found, places = read_rubric_set("hf:owner/name")
    assert (found.name, places) == ("owner-name", {"683a58": "hf:owner/name:train:1"})
    assert list(load_rubric_set("hf:owner/name:test").tasks) == ["t"]
    with pytest.raises(UsageError, match="Unknown split"):
        load_rubric_set("hf:owner/name:dev")
    with pytest.raises(UsageError, match="doesn't exist"):
        load_rubric_set("hf:owner/nme")
    with pytest.raises(EngineError, match="hf:owner/gone could not be fetched: no network"):
        load_rubric_set("hf:owner/gone")


@pytest.mark.filterwarnings("ignore")
def test_the_real_library_reads_a_local_folder(tmp_path, monkeypatch):
    pytest.importorskip("datasets")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "train.jsonl").write_text(json.dumps(RESEARCH) + "\n", "utf-8")
    task = load_rubric_set(f"hf:{folder}:train").tasks["683a58"]
    assert [item.weight for item in task.rubric.criteria] == [5, -4]
