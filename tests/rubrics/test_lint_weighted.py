"""Lint of weighted criteria: scale, mandatory, axes, and the convention for negative ones."""

import pytest

from assay.rubrics.lint import lint
from assay.rubrics.loaders.registry import load_rubric_set
from assay.rubrics.rubric_file import parse_rubric

ON = [
    {"text": "Names Paris.", "weight": 5, "axis": "Explicit Criteria"},
    {"text": "Invents a source.", "weight": -4, "axis": "References & Citation Quality"},
]


def found(*rows, base=ON, **head):
    findings = lint(parse_rubric({"criteria": [*base, *rows], **head}))
    return [(item.code, item.severity, item.place) for item in findings]


def row(text="Names Rome.", **fields):
    return {"text": text, "weight": 2, "axis": "Implicit Criteria", **fields}


def test_what_follows_the_conventions_is_clean():
    assert found(row(), row("Names Oslo.", weight=-1), row("Names Bern.", axis="Miscellaneous")) == []
    assert found(row(weight=4, mandatory=True), row("Names Oslo.", mandatory=False)) == []


def test_weights_off_the_scale():
    assert found(row(weight=6), row("Names Oslo.", weight=-5.5)) == [
        ("RUB018", "error", "criteria[2].weight"),
        ("RUB018", "error", "criteria[3].weight"),
    ]


@pytest.mark.parametrize(
    ("weight", "said", "wrong"),
    [
        (3, True, True),
        (-3, True, True),
        (4, False, True),
        (-5, False, True),
        (4, True, False),
        (3, False, False),
    ],
)
def test_mandatory_against_the_weight(weight, said, wrong):
    expected = [("RUB019", "warning", "criteria[2].notes.mandatory")] if wrong else []
    assert found(row(weight=weight, mandatory=said)) == expected


def test_unknown_axes():
    assert found(row(axis="Implict Criteria")) == [("RUB020", "warning", "criteria[2].notes.axis")]
    (finding,) = lint(parse_rubric([*ON, row(axis="Implict Criteria")]))
    assert "did you mean 'Implicit Criteria'?" in finding.message


def test_other_data_sets_are_not_held_to_it(shared):
    points = [
        {"text": "Names Paris.", "weight": 10},
        {"text": "Names Rome.", "weight": 7, "mandatory": False},
    ]
    assert found(*points, base=[]) == []
    race = [
        {"text": "Names Paris.", "weight": 0.2, "axis": "instruction_following"},
        {"text": "Names Rome.", "weight": 0.2, "axis": "insight"},
    ]
    assert found(*race, base=[]) == []
    tasks = load_rubric_set(shared / "deepresearch_bench" / "criteria.jsonl").tasks.values()
    assert {item.code for task in tasks for item in lint(task.rubric)} == {"RUB003"}


def test_flags_without_axes_are_enough():
    rows = [
        {"text": "Names Paris.", "weight": 5, "mandatory": True},
        {"text": "Names Rome.", "weight": 5, "mandatory": False},
    ]
    assert [code for code, _, _ in found(*rows, base=[])] == ["RUB019"]


def sign(text, weight):
    return "RUB006" in [code for code, _, _ in found({"text": text, "weight": weight})]


@pytest.mark.parametrize(
    "text",
    [
        "Avoids jargon.",
        "The response avoids factual errors.",
        "The report is free of spelling mistakes.",
        "Contains no contradictions.",
        "The response should not contain any factual errors.",
        "The answer does not fabricate sources.",
        "The response cites peer-reviewed sources.",
        "The response is well-organized.",
        "回答没有出现编造的引文",
        "报告避免了事实错误",
    ],
)
def test_a_negative_weight_must_not_punish_a_merit(text):
    assert sign(text, -3)
    assert not sign(text, 3)


@pytest.mark.parametrize(
    "text",
    [
        "The response provides specific investment advice.",
        "The response provides a clear recommendation to buy.",
        "Provides evidence for astrology.",
        "Includes a section on unrelated wars.",
        "The report cites blogs as sources.",
        "Avoids discussing the risks.",
        "The response avoids the question.",
        "The response uses a condescending tone.",
        "Includes references to Wikipedia.",
        "The response does not include citations.",
        "The response should not mention pricing.",
        "States that the treaty was signed in 1920.",
        "回答避免讨论风险",
    ],
)
def test_faults_by_their_content_are_left_alone(text):
    assert not sign(text, -3)


@pytest.mark.parametrize(
    ("text", "two"),
    [
        ("The response should mention the date and explain its importance.", True),
        ("The answer must cite at least two sources and provide links.", True),
        ("The report needs to list three options and recommend one.", True),
        ("The response should define and explain inflation.", False),
        ("The report should discuss causes and effects of the war.", False),
        ("The response must compare A and B.", False),
    ],
)
def test_two_demands_behind_a_modal_verb(text, two):
    assert ("RUB003" in [code for code, _, _ in found(row(text))]) is two


def test_our_own_examples_are_clean(examples):
    for task in load_rubric_set(examples / "rubrics" / "tasks.jsonl").tasks.values():
        assert lint(task.rubric) == []
        assert 8 <= len(task.rubric.criteria) <= 12
        assert any(item.weight < 0 for item in task.rubric.criteria)


def test_a_draft_is_told_as_one_until_somebody_has_decided():
    from assay.rubrics.lint import lint
    from assay.rubrics.rubric_file import parse_rubric

    rows = [
        {"key": "a", "asks": "Names the year of the last survey", "notes": {"draft": True}},
        {"key": "b", "asks": "Cites the survey", "notes": {"draft": False}},
    ]
    made = parse_rubric({"name": "x", "criteria": rows})
    assert [(item.code, item.severity, item.place) for item in lint(made)] == [
        ("RUB021", "info", "criteria[0].notes.draft")
    ]
