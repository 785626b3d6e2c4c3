"""Lint: every code has examples it finds and near ones it leaves alone; real criteria keep it honest."""

import json
from typing import get_args

import pytest

from assay.located import parse_data
from assay.rubrics.lint import RULES, Code, lint, lint_source
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.rubric_file import parse_rubric
from assay.rubrics.scale import Choice, Scale
from assay.rubrics.scales import load_scale

FILLER = {"text": "Names Paris as the capital of France."}


def codes(*rows, **head):
    return [finding.code for finding in lint(parse_rubric({"criteria": [*rows, FILLER], **head}))]


def test_codes_are_complete_and_names_unique():
    assert list(RULES) == list(get_args(Code))
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("RUB003", "The report states the 2023 revenue and recommends a strategy."),
        ("RUB003", "Does the report compare X with Y and recommend one of them?"),
        ("RUB003", "Assesses if the article defines the term (e.g. NFC) and outlines its history."),
        ("RUB003", "Names the author and lists three of her works."),
        ("RUB003", "评估报告是否界定了中产阶层的标准，并说明了划分依据。"),
        ("RUB003", "结论是否明确，并且论证过程是否严谨"),
        ("RUB004", "The report is well written."),
        ("RUB004", "Uses appropriate sources."),
        ("RUB004", "图表使用恰当"),
        ("RUB008", "Overall Report Structure and Logical Flow"),
        ("RUB008", "Clarity, Precision, and Correctness of Language"),
        ("RUB008", "语言表达的清晰度、准确性与专业性"),
        ("RUB007", "States that " + "one two three four five six " * 30),
    ],
)
def test_wordings_that_are_found(code, text):
    assert code in codes({"text": text})


@pytest.mark.parametrize(
    "text",
    [
        "Compares Johnson & Johnson and Pfizer.",
        "Explains the research and development spending.",
        "Assesses whether the article identifies and discusses the risks of the plan.",
        "Identifies, describes, and discusses methods of selection.",
        "Does the analysis cover causes and effects of the drought?",
        "评估报告是否识别并介绍了主要的课题组",
        "是否说明了收入范围、来源构成以及负债情况",
        "是否界定了综合体育活动时间（例如，是否包含课间操）",
        "Uses appropriate sources: peer-reviewed papers of the last ten years.",
        "Gives at least three good examples.",
        "解释了专业术语",
        "Cites the 2021 census.",
    ],
)
def test_wordings_that_are_left_alone(text):
    assert codes({"text": text}) == []


@pytest.mark.parametrize(
    ("text", "weight", "found"),
    [
        ("Fails to mention the CEO by name.", 3, True),
        ("The response contains factual errors about Paris.", 2, True),
        ("回答未能给出结论的依据", 1, True),
        ("Clearly explains the method of the study.", -2, True),
        ("清晰地解释了研究方法", -1, True),
        ("Fails to mention the CEO by name.", -3, False),
        ("Does not mention brand names.", 3, False),
        ("Identifies where the study fails to control for age.", 3, False),
        ("Cites sources that do not exist.", -3, False),
        ("States that aspirin cures cancer.", -5, False),
        ("Explains the method of the wrong study.", -2, False),
    ],
)
def test_signs_and_wordings(text, weight, found):
    assert ("RUB006" in codes({"text": text, "weight": weight})) is found


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        ("Names the capital.", "names the capital", "RUB001"),
        (
            "States the growth rate of the Chinese electric car market over the last years, with its source.",
            "States the growth rate of the Chinese electric car market over the last years, with the source.",
            "RUB002",
        ),
        (
            "Cites at least 3 peer-reviewed sources on sleep.",
            "Cites at least 5 peer-reviewed sources on sleep.",
            None,
        ),
        (
            "Gives the revenue, growth and margin of line A.",
            "Gives the revenue, growth and margin of line B.",
            None,
        ),
        ("Names the chief executive of Apple in 2023.", "Names the chief executive of Google in 2023.", None),
        ("报告提到了样本量", "报告未提到样本量", None),
    ],
)
def test_duplicates(one, other, code):
    assert codes({"text": one}, {"text": other}) == ([code] if code else [])


def test_weights():
    rows = [{"text": f"Names city number {n}.", "weight": 5} for n in range(5)]
    assert codes(*rows) == []
    assert codes(*rows, {"text": "Names the river.", "weight": 500}) == ["RUB005"]
    assert codes(*rows, {"text": "Names the river.", "weight": 0.1}) == ["RUB005"]
    zero = Rubric(
        name="x", scale=load_scale("binary"), criteria=(Criterion(key="a", asks="Names Paris.", weight=0),)
    )
    found = lint(zero)
    assert [(finding.code, finding.severity) for finding in found] == [("RUB005", "error")]


def test_what_only_code_can_build():
    rows = (Criterion(key="a", asks="Names Paris."), Criterion(key="b", asks="Names Rome."))
    labels = Scale(choices=(Choice(label="Yes", value=1), Choice(label="yes ", value=0)))
    assert {finding.code for finding in lint(Rubric(name="x", criteria=rows, scale=labels))} == {"RUB011"}


def test_scales():
    assert codes(scale={"low": 1, "high": 7}) == ["RUB010"]
    assert codes(scale={"low": 1, "high": 3}) == []
    assert codes(scale={"low": 1, "high": 7, "anchors": {"1": "bad", "7": "fine"}}) == []
    assert codes(scale={"choices": {"right": 1, "not right": 0}}) == ["RUB012"]
    assert codes(scale={"choices": {"right": 1, "wrong": 0, "unclear": None}}) == ["RUB016"]
    assert codes(scale={"choices": {"right": 1, "wrong": 0, "unclear": None}}, aggregate="none") == []
    assert codes(scale="ternary") == []


def test_the_whole():
    assert codes({"text": "Names Rome.", "scale": "score-1-5"}) == ["RUB013"]
    assert codes({"text": "Names Rome.", "scale": "score-1-5"}, aggregate="sum") == []
    many = [{"text": f"Names city number {n}."} for n in range(40)]
    assert codes(*many) == []
    assert codes(*many, ask="together") == ["RUB014"]
    assert [
        finding.code for finding in lint(parse_rubric([{"text": "Invents a source.", "weight": -1}]))
    ] == ["RUB017"]


def test_a_missing_translation_is_worth_a_note():
    found = lint(parse_rubric([{"text": "Names Rome.", "asks_zh": "提到罗马"}, FILLER]))
    assert [(finding.code, finding.severity, finding.place) for finding in found] == [
        ("RUB015", "info", "criteria[1].asks_zh")
    ]
    assert codes({"text": "Names Rome."}) == []


@pytest.mark.parametrize(("head", "line"), [("", 2), ("criteria:\n", 3), ("rubrics:\n", 3)])
def test_lines(head, line):
    source = parse_data(f"{head}- Names Paris.\n- {{text: The report is well written.}}\n", "x.yaml")
    found = lint_source(parse_rubric(source), source)
    assert [(finding.place, finding.line) for finding in found] == [("criteria[1].asks", line)]


def test_real_criteria(shared):
    """2,517 criteria of DeepResearch Bench. The counts are of findings read: 28 of 30 of RUB003 stood, 29 of 30 of RUB004 (on titles alone)."""
    counts = {"RUB003": 0}
    total = 0
    for line in (shared / "deepresearch_bench" / "criteria.jsonl").read_text("utf-8").splitlines():
        groups = json.loads(line)["criterions"]
        keys = ("criterion", "explanation", "weight")
        rows = [{key: row[key] for key in keys} for group in groups.values() for row in group]
        total += len(rows)
        for finding in lint(parse_rubric(rows)):
            counts[finding.code] = counts.get(finding.code, 0) + 1
    assert total == 2517
    assert counts == {"RUB003": counts["RUB003"]}
    assert 80 <= counts["RUB003"] <= 120


def test_hostile_text_takes_no_time():
    rows = [
        "does the report state x and " * 4000,
        "是否说明，" * 9000,
        "(" * 100_000,
        "the report states " + "a, " * 30_000,
    ]
    assert "RUB007" in [finding.code for finding in lint(parse_rubric(rows))]
