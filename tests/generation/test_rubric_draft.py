import asyncio

from assay.generation.rubric_draft import draft_flaws, draft_rubric
from assay.rubrics.rubric_file import dump_rubric, parse_rubric
from assay.rubrics.weighted import AXES, axis_of


def row(text, axis="explicit", weight=3, rationale="It matters."):
    return {"criterion": text, "axis": axis, "weight": weight, "rationale": rationale}


GOOD = [
    *(
        row(f"The report names the {thing} of 2023.", axis, weight)
        for thing, axis, weight in zip(
            ("mines", "prices", "makers", "sources", "terms", "pages"), AXES, (5, 3, 2, 1, 4, 1), strict=True
        )
    ),
    row("The report states a forecast as a fact.", "implicit", -3),
]


def draft(author, *replies, **rest):
    return asyncio.run(draft_rubric(author(*replies), "Why did prices fall?", least=5, **rest))


def test_a_draft(author):
    found = draft(author, {"criteria": GOOD})
    rubric = found.rubric
    assert found.written.flaws == ()
    assert len(rubric.criteria) == 7
    assert rubric.drafts == rubric.criteria
    assert [axis_of(item) for item in rubric.criteria[:6]] == list(AXES)
    assert rubric.criteria[0].notes == {
        "axis": "Explicit Criteria",
        "mandatory": True,
        "rationale": "It matters.",
        "draft": True,
        "by": "scripted/test",
    }
    assert (rubric.aggregate, rubric.criteria[-1].weight) == ("compliance", -3.0)
    assert "Why did prices fall?" in rubric.source
    assert parse_rubric(dump_rubric(rubric)) == rubric


def test_the_same_asked_twice_is_left_out(author):
    found = draft(author, {"criteria": [*GOOD, row("the report names the mines of 2023")]})
    assert found.dropped == ("the report names the mines of 2023",)
    assert len(found.rubric.criteria) == 7


def test_what_the_lint_finds(author):
    found = draft(author, {"criteria": [*GOOD, row("The report fails to name a cause.", weight=4)]})
    assert "RUB006" in [item.code for item in found.findings]


def test_what_is_wrong_with_the_whole():
    assert draft_flaws(GOOD, 7) == []
    assert draft_flaws([*GOOD, GOOD[0]], 8) == ["it has 7 criteria that differ; at least 8 are asked for"]
    flaws = " | ".join(draft_flaws([row("a"), row("b", rationale=" ")], 3))
    for told in (
        "it has 2 criteria",
        "none on implicit",
        "negative weight",
        "weight 4 or 5",
        "same weight",
        "rationale",
    ):
        assert told in flaws


def test_no_draft(author):
    assert draft(author, "Here are some ideas.").written.status == "unparsed"
    found = draft(author, {"criteria": [row(" ")]})
    assert (found.rubric, found.written.status) == (None, "unparsed")
    assert draft(author, {"criteria": [row("a", weight=0)]}).rubric is None
