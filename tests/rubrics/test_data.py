"""The data files hold what the papers say: names, ranges, numbers of dimensions."""

import pytest

from assay.rubrics.dimensions import DIMENSIONS
from assay.rubrics.lint import lint
from assay.rubrics.loader import load_rubric, rubric_names
from assay.rubrics.rubric import PAIR_SCALE
from assay.rubrics.scales import load_scale, scale_names

# Name: keys in order, span, numbers on offer, targets, aggregate.
FACTS = {
    # REFLECT, appendix C.1.
    "reflect-trajectory": (
        ["coherence", "factual_alignment", "info_density", "synthesis_quality"],
        (1, 5),
        5,
        ("trajectory",),
        "mean",
    ),
    "reflect-step": (["relevance", "quality", "contribution"], (1, 5), 5, ("step",), "mean"),
    "overall": (["overall"], (1, 10), 10, (), "mean"),
    # REFLECT, table 1: RE, FI, EX, SY.
    "reflect-report": (
        ["relevance", "faithfulness", "expression", "synthesis"],
        (1, 5),
        5,
        ("report", "chunk"),
        "mean",
    ),
    "trajectory": (
        ["coherence", "actions", "economy", "reflection", "grounding", "honesty"],
        (1, 5),
        5,
        ("trajectory", "step"),
        "mean",
    ),
    "reportlogic": ([dimension.key for dimension in DIMENSIONS], (1, 5), 5, ("report",), "mean"),
    # CoT judges, appendix F: half-points, summed to 0–5; a single 0–7.
    "putnam-5": (
        [
            "logical_coherence",
            "faithfulness_to_task",
            "methodological_alignment",
            "intermediate_correctness",
            "error_awareness",
        ],
        (0, 1),
        3,
        (),
        "sum",
    ),
    "imo-7": (["solution"], (0, 7), 8, (), "sum"),
    # FinResearchBench, table 1: the six that are not rule derived.
    "finresearch": (
        [
            "visual_linguistic_synergy",
            "articulation_professionalism",
            "articulation_coherence",
            "analysis_framework_quality",
            "logic_consistency",
            "viewpoint_clarity",
        ],
        (0, 100),
        None,
        ("report",),
        "mean",
    ),
}


def test_every_rubric_is_accounted_for():
    assert list(rubric_names()) == sorted(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_facts(name):
    keys, span, count, targets, aggregate = FACTS[name]
    rubric = load_rubric(name)
    assert rubric.name == name
    assert [item.key for item in rubric.criteria] == keys
    assert rubric.scale.span == span
    assert (len(rubric.scale.values()) if rubric.scale.values() else None) == count
    assert rubric.targets == targets
    assert rubric.aggregate == aggregate
    assert {item.weight for item in rubric.criteria} == {1.0}
    assert all(item.scale is None for item in rubric.criteria)


@pytest.mark.parametrize("name", FACTS)
def test_both_languages_are_there(name):
    rubric = load_rubric(name)
    assert bool(rubric.about) == bool(rubric.about_zh)
    assert all(item.asks_zh for item in rubric.criteria)
    assert rubric.title
    assert rubric.source


@pytest.mark.parametrize("name", FACTS)
def test_lint_has_nothing_to_say(name):
    assert lint(load_rubric(name)) == []


def test_reportlogic_takes_the_dimensions_as_they_are():
    rubric = load_rubric("reportlogic")
    assert [item.title for item in rubric.criteria] == [dimension.title for dimension in DIMENSIONS]
    assert [item.notes["layer"] for item in rubric.criteria] == [dimension.layer for dimension in DIMENSIONS]
    assert rubric.pair_scale.values() == ("A>B", "A<B", "both_good", "both_bad")
    assert [choice.value for choice in rubric.pair_scale.choices] == [1, -1, 0, 0]


def test_the_other_rubrics_compare_with_a_plain_tie():
    others = [load_rubric(name) for name in FACTS if name != "reportlogic"]
    assert all(rubric.pair_scale == PAIR_SCALE for rubric in others)


def test_none_is_one_holistic_score():
    assert load_rubric("none") is load_rubric("overall")


def test_putnam_sums_to_five():
    rubric = load_rubric("putnam-5")
    assert rubric.overall({item.key: 1.0 for item in rubric.criteria}) == 5
    assert rubric.overall({item.key: 0.5 for item in rubric.criteria}) == 2.5
    assert rubric.scale.values() == (0, 0.5, 1)


def test_imo_says_what_every_mark_means():
    scale = load_scale("imo-0-7")
    assert {int(mark) for mark in scale.anchors} == {int(mark) for mark in scale.anchors_zh} == set(range(8))
    assert "complete" in scale.anchors["7"]
    assert "without a whole proof" in scale.anchors["4"]


def test_ternary_and_binary_count_as_in_the_paper():
    counted = {name: {c.label: c.value for c in load_scale(name).choices} for name in ("ternary", "binary")}
    assert counted == {
        "ternary": {"met": 1, "partially met": 0.5, "not met": 0},
        "binary": {"met": 1, "not met": 0},
    }


def test_named_scales_are_in_both_languages():
    for name in scale_names():
        scale = load_scale(name)
        assert set(scale.anchors) == set(scale.anchors_zh)
        assert all(choice.means and choice.means_zh for choice in scale.choices)
