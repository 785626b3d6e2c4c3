"""``assay rubrics``."""

import json

import jsonschema
import pytest

from assay.rubrics.loader import rubric_names
from assay.rubrics.scales import scale_names

CLEAN = "- Names Paris as the capital.\n- Cites the 2021 census.\n"
FLAWED = "- Names Paris as the capital.\n- The report is well written.\n- names Paris as the capital\n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="mine.yaml"):
        (tmp_path / name).write_text(text, "utf-8")
        return name

    return write


def test_list(assay):
    lines = assay("rubrics", "list").stdout
    for name in (*rubric_names(), *scale_names()):
        assert f"\n  {name} " in lines
    assert "also called none" in lines
    data = json.loads(assay("rubrics", "list", "--format", "json").stdout)
    assert [item["name"] for item in data["rubrics"]] == list(rubric_names())
    assert list(data["scales"]) == list(scale_names())


def test_show(assay):
    english = assay("rubrics", "show", "reportlogic").stdout
    assert "an integer from 1 (very poor) to 5 (excellent)" in english
    assert "qualifiers_counterpoints  Qualifiers & counterpoints" in english
    chinese = assay("rubrics", "show", "reportlogic", "--language", "zh").stdout
    assert "1（很差）到 5（优秀）的整数" in chinese
    assert "文中的数字、定义与立场能否同时成立？" in chinese


def test_shown_json_is_a_rubric_file(assay, write):
    schema = json.loads(assay("rubrics", "schema").stdout)
    shown = assay("rubrics", "show", "imo-7", "--format", "json").stdout
    jsonschema.validate(json.loads(shown), schema)
    assert assay("rubrics", "show", write(shown, "again.json"), "--format", "json").stdout == shown


def test_lint(assay, write):
    assert assay("rubrics", "lint", write(CLEAN)).stdout == "mine.yaml: clean\n"
    result = assay("rubrics", "lint", write(FLAWED))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "mine.yaml:2 RUB004 warning criteria[1].asks: “well written” is all the measure there is; "
        "say what would show it (vague-measure)",
        "mine.yaml:3 RUB001 error criteria[2].asks: criteria[0] asks the same in the same words (duplicate-criterion)",
        "mine.yaml: 1 error, 1 warning",
    ]
    data = json.loads(assay("rubrics", "lint", "mine.yaml", "--format", "json").stdout)
    assert data["schema"] == "assay.rubric-lint/1"
    assert [(item["code"], item["line"]) for item in data["rubrics"][0]["findings"]] == [
        ("RUB004", 2),
        ("RUB001", 3),
    ]


@pytest.mark.parametrize(("bar", "code"), [("never", 0), ("error", 0), ("warning", 1), ("info", 1)])
def test_lint_fails_on_what_it_is_told(assay, write, bar, code):
    assert (
        assay("rubrics", "lint", write("- The report is well written."), "--fail-on", bar).exit_code == code
    )


def test_built_in_rubrics_are_clean(assay):
    assert assay("rubrics", "lint", *rubric_names(), "--fail-on", "info").exit_code == 0


def test_mistakes(assay, write):
    result = assay("rubrics", "show", "reportlogik")
    assert result.exit_code == 2
    assert "did you mean 'reportlogic'?" in result.stderr
    result = assay("rubrics", "lint", write("criteria:\n- wieght: 2\n  text: a\n"))
    assert result.exit_code == 2
    assert (
        result.stderr
        == "assay: mine.yaml:2: criteria[0].wieght is not a field here; did you mean 'weight'?\n"
    )


def test_what_a_file_says_reaches_the_terminal_harmless(assay, write):
    result = assay("rubrics", "show", write('["Names \\u200bParis\\u202e"]', "x.json"))
    assert result.exit_code == 0
    assert "\u202e" not in result.stdout


def test_a_rubric_is_shown_as_wide_as_the_terminal(assay, tmp_path):
    long = (
        "States how the annual heating bill changes against oil and against gas, with the prices it takes. "
        * 3
    )
    path = tmp_path / "long.json"
    path.write_text(json.dumps([{"criterion": long, "weight": 3}]), "utf-8")
    result = assay("rubrics", "show", path)
    assert max(map(len, result.stdout.splitlines())) <= 100
    # Said once, not also as a title that is cut.
    assert result.stdout.count("States how") == 3
