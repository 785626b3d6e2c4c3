import asyncio

import pytest

from assay.generation.complexity import (
    AXES,
    LEVELS,
    breadth_level,
    complexity,
    exploration_level,
    nesting_level,
)


def reply(domains=1, sources=1, steps=1, open_factors=0, labels=("simple", "shallow", "low")):
    def some(name, number):
        return [f"{name} {index}" for index in range(number)]

    return {
        "conceptual_breadth": {
            "domains": some("domain", domains),
            "sources": some("source", sources),
            "reason": "so",
            "label": labels[0],
        },
        "logical_nesting": {"steps": some("step", steps), "reason": "so", "label": labels[1]},
        "exploration": {"open_factors": some("factor", open_factors), "reason": "so", "label": labels[2]},
    }


@pytest.mark.parametrize(
    ("sources", "domains", "level"),
    [(0, 1, "simple"), (1, 1, "simple"), (2, 1, "moderate"), (1, 2, "moderate"), (5, 2, "moderate"), (6, 1, "high"), (3, 3, "high")],
)  # fmt: skip
def test_breadth_by_table_7(sources, domains, level):
    assert breadth_level(sources, domains) == level


def test_nesting_and_exploration_by_table_7():
    assert [nesting_level(n) for n in range(6)] == ["shallow"] * 2 + ["intermediate"] * 2 + ["deep"] * 2
    assert [exploration_level(n) for n in range(5)] == ["low", "medium", "medium", "high", "high"]


def test_levels_come_from_counts_and_contradictions_are_flagged(author):
    said = reply(3, 4, 4, 1, labels=("moderate", "deep", "medium"))
    found = asyncio.run(complexity(author(said), "Why?"))
    assert {axis: label.level for axis, label in found.labels.items()} == dict(
        zip(AXES, ("high", "deep", "medium"), strict=True)
    )
    assert [label.contradiction for label in found.labels.values()] == [True, False, False]
    assert found.contradiction
    assert found.labels["conceptual_breadth"].counts() == {"domains": 3, "sources": 4}


def test_what_is_listed_twice_counts_once_and_is_asked_again(author):
    said = reply()
    said["exploration"]["open_factors"] = ["The place", "the  place.", " ", "—"]
    writer = author(said, reply(), retries=1)
    assert asyncio.run(complexity(writer, "Why?")).flaws == ()
    assert (
        "exploration.open_factors lists the same thing twice" in writer.model.requests[1].messages[-1].content
    )
    found = asyncio.run(complexity(author(said), "Why?"))
    assert found.labels["exploration"].level == "medium"
    assert found.flaws


def test_a_label_off_the_menu_is_no_answer(author):
    found = asyncio.run(complexity(author(reply(labels=("medium", "shallow", "low"))), "Why?"))
    assert (found.status, found.labels) == ("unparsed", {})


def test_templates_name_every_level(author):
    for language in ("en", "zh"):
        writer = author(reply())
        asyncio.run(complexity(writer, "Why?", language=language))
        system = writer.model.requests[0].messages[0].content
        for axis in AXES:
            for level in LEVELS[axis]:
                assert f'"{level}"' in system
