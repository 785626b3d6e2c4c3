"""``assay rubrics`` on sets of tasks: show, lint, convert, strip-examples."""

import json

import pytest

from assay.rubrics.loaders.registry import load_rubric_set

SET = [
    {
        "prompt": "Why is the sky blue?",
        "sample_id": "sky1",
        "domain": "STEM",
        "conceptual_breadth": "Simple",
        "logical_nesting": "Shallow",
        "exploration": "Low",
        "rubrics": [
            {"criterion": "Names scattering (e.g., Rayleigh).", "weight": 5, "axis": "Explicit Criteria"},
            {"criterion": "Blames the sea.", "weight": -2, "axis": "Implicit Criteria"},
        ],
    },
    {
        "prompt": "Why is\nsnow white?",
        "sample_id": "snow2",
        "rubrics": [
            {"criterion": "The report is well written.", "weight": 1, "axis": "Communication Quality"}
        ],
    },
]


@pytest.fixture
def tasks(tmp_path):
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in SET), "utf-8")
    return "tasks.jsonl"


def test_show_counts(assay, tasks):
    shown = assay("rubrics", "show", tasks).stdout
    assert shown.startswith("tasks  2 tasks, 3 criteria (1 mandatory, 1 negative)\nVersion  ")
    for line in (
        "  critically important ",
        "  detrimental",
        "  STEM",
        "  (none)",
        "  sky1     2  Why is the sky blue?",
    ):
        assert line in shown
    assert "Why is snow white?" in shown
    data = json.loads(assay("rubrics", "show", tasks, "--format", "json").stdout)
    assert (data["schema"], data["criteria"]) == ("assay.rubric-set/1", 3)
    assert data["counts"]["by_axis"] == {
        "Explicit Criteria": 1,
        "Implicit Criteria": 1,
        "Communication Quality": 1,
    }
    assert data["counts"]["by_exploration"] == {"low": 1, "": 1}
    assert data["version"] == load_rubric_set(tasks).version


def test_show_a_task(assay, tasks):
    shown = assay("rubrics", "show", tasks, "--task", "sky1").stdout
    assert "Complex   conceptual breadth simple, logical nesting shallow, exploration low" in shown
    assert "weight 5, mandatory, Explicit Criteria" in shown
    assert (
        json.loads(assay("rubrics", "show", tasks, "--task", "sky1", "--format", "json").stdout)["id"]
        == "sky1"
    )
    result = assay("rubrics", "show", tasks, "--task", "sky")
    assert (result.exit_code, result.stderr) == (
        2,
        "assay: tasks.jsonl has no task 'sky'; did you mean 'sky1'?\n",
    )


def test_lint_names_the_task(assay, tasks):
    result = assay("rubrics", "lint", tasks, "--fail-on", "warning")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "tasks.jsonl:2 RUB004 warning task snow2 criteria[0].asks: “well written” is all the measure there is; "
        "say what would show it (vague-measure)",
        "tasks.jsonl: 2 tasks, 3 criteria: 1 warning",
    ]
    data = json.loads(assay("rubrics", "lint", tasks, "--format", "json").stdout)
    assert [(row["task"], len(row["findings"])) for row in data["rubrics"]] == [("snow2", 1)]


def test_convert_a_set_and_back(assay, tasks):
    result = assay("rubrics", "convert", tasks, "-o", "out/ours.jsonl")
    assert (result.exit_code, result.stdout) == (0, "out/ours.jsonl: 2 tasks\n")
    assert load_rubric_set("out/ours.jsonl").version == load_rubric_set(tasks).version
    assert load_rubric_set("out/ours.jsonl").tasks == load_rubric_set(tasks).tasks


@pytest.mark.parametrize("name", ["one.yaml", "one.json"])
def test_convert_one(assay, tasks, name):
    assert assay("rubrics", "convert", tasks, "--task", "sky1", "-o", name).exit_code == 0
    assert load_rubric_set(name).only.rubric == load_rubric_set(tasks).tasks["sky1"].rubric
    assert assay("rubrics", "show", name).stdout.startswith("sky1\n")
    assert assay("rubrics", "convert", "reportlogic", "-o", f"b-{name}").exit_code == 0
    assert load_rubric_set(f"b-{name}").only.rubric == load_rubric_set("reportlogic").only.rubric


def test_strip_examples(assay, tasks):
    result = assay("lab", "strip-examples", tasks, "-o", "bare.jsonl")
    assert result.stdout == "bare.jsonl: 2 tasks; 1 of 3 criteria lost examples\n"
    assert load_rubric_set("bare.jsonl").tasks["sky1"].rubric.criteria[0].asks == "Names scattering."
    assert [c.key for t in load_rubric_set(tasks).tasks.values() for c in t.rubric.criteria] == [
        c.key for t in load_rubric_set("bare.jsonl").tasks.values() for c in t.rubric.criteria
    ]


def test_strip_examples_of_one_rubric(assay, tmp_path):
    (tmp_path / "mine.yaml").write_text("name: mine\ncriteria:\n- Names two cities (e.g., Rome).\n", "utf-8")
    assert assay("lab", "strip-examples", "mine.yaml", "-o", "bare.yaml").exit_code == 0
    rubric = load_rubric_set("bare.yaml").only.rubric
    assert (rubric.name, rubric.criteria[0].asks) == ("mine-no-examples", "Names two cities.")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ("rubrics", "convert", "tasks.jsonl", "-o", "x.yaml"),
            "would hold one rubric, and there are 2 (name a .jsonl file",
        ),
        (("rubrics", "convert", "tasks.jsonl", "-o", "x.txt"), "must end in one of .jsonl"),
        (("rubrics", "convert", "tasks.jsonl", "-o", "tasks.jsonl"), "is one of the files to read"),
        (("lab", "strip-examples", "tasks.jsonl", "-o", "./tasks.jsonl"), "is one of the files to read"),
        (("rubrics", "convert", "none.jsonl", "-o", "x.jsonl"), "none.jsonl: cannot be read"),
        (("rubrics", "show", "hf:"), "hf: names no dataset"),
        (("rubrics", "lint", "bad.jsonl"), "bad.jsonl:1: broken JSON"),
    ],
)
def test_mistakes(assay, tasks, tmp_path, args, said):
    (tmp_path / "bad.jsonl").write_text("{\n", "utf-8")
    result = assay(*args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_a_set_says_reaches_the_terminal_harmless(assay, tmp_path):
    row = SET[1] | {"sample_id": "a\u202eb", "prompt": "x\u202ey", "domain": "d\u200b"}
    (tmp_path / "t.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    for more in ((), ("--task", "a\u202eb")):
        result = assay("rubrics", "show", "t.jsonl", *more)
        assert result.exit_code == 0
        assert "\u202e" not in result.stdout
    assert "\u202e" not in assay("rubrics", "lint", "t.jsonl").stdout
