"""Instance rubrics by a model: one call, what is ill-formed again and only that, the rest flagged."""

from __future__ import annotations

import asyncio
import json

import msgspec
import pytest

from assay.generation.author import Author
from assay.generation.instance_rubric import ASSIGNMENT, write_instance_rubric
from assay.models.base import PendingCall, Reply
from assay.models.scripted import ScriptedModel
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.strategies.base import Document, Question
from assay.strategies.prompts import Prompts
from assay.subjects.report import Report
from instance_items import A_ZH, B_ZH, CHINESE, ENGLISH, QUERY, QUERY_ZH, A, B, by_dimension

BAD = {"question": "Comparing A and B, which one is clearer?"}


def rows(items=ENGLISH, **changes: dict[str, str]) -> list[dict[str, str]]:
    return [{**msgspec.to_builtins(item), **changes.get(item.aspect, {})} for item in items]


def reply(items) -> str:
    """As a model gives them: by dimension."""
    return json.dumps({"items": by_dimension(items)}, ensure_ascii=False)


def write(*replies, retries: int = 2, items=(QUERY, A, B), language="en"):
    model = ScriptedModel(list(replies))
    author = Author(model, Prompts(), retries=retries)
    query, a, b = items
    found = asyncio.run(
        write_instance_rubric(author, query, Report(a, id="a"), Report(b, id="b"), language=language)
    )
    return *found, model.requests


def test_one_call_where_all_is_well() -> None:
    rubric, written, (request,) = write(reply(rows()))
    assert rubric.items == ENGLISH
    assert (rubric.query, rubric.generator, rubric.flaws) == (QUERY, "scripted/test", {})
    assert (rubric.a.name, rubric.b.name) == ("a", "b")
    assert (written.status, written.flaws, written.usage.calls) == ("ok", (), 1)
    schema = request.schema["properties"]["items"]
    # A list could be of eight items on one dimension; so can no object.
    assert list(schema["properties"]) == schema["required"] == list(DIMENSION_KEYS)
    assert not schema["additionalProperties"]


def test_the_reports_stand_before_the_task_as_before_a_judges() -> None:
    _, _, (request,) = write(reply(rows()))
    asked = Question(
        mode="compare", documents=(Document("A", A), Document("B", B)), rubric=None, criteria=(), query=QUERY
    )  # type: ignore[arg-type]
    assert request.messages[1].lead == Prompts().lead(asked)
    assert A not in request.messages[1].text


def test_only_what_is_ill_formed_is_written_again() -> None:
    new = rows()[2]
    rubric, written, requests = write(reply(rows(internal_consistency=BAD)), reply([new]))
    assert rubric.items == ENGLISH
    assert rubric.flaws == {}
    assert (written.usage.calls, len(written.calls)) == (2, 2)
    assert written.notes == ("internal_consistency written anew",)
    again = requests[1]
    schema = again.schema["properties"]["items"]
    assert list(schema["properties"]) == ["internal_consistency"]
    said = again.messages[1].text
    assert "question names no concrete topic of this pair" in said
    assert BAD["question"] in said
    assert ENGLISH[0].question in said
    assert ENGLISH[0].good_example not in said
    assert again.messages[1].lead == requests[0].messages[1].lead


def test_what_stays_flawed_is_flagged_for_people() -> None:
    bad = rows(internal_consistency=BAD)
    rubric, written, requests = write(reply(bad), reply([bad[2]]), reply([bad[2]]))
    assert len(requests) == 3
    assert list(rubric.flaws) == ["internal_consistency"]
    assert written.status == "ok"
    assert written.flaws[0].startswith("internal_consistency: question names no concrete topic")
    _, _, requests = write(reply(bad), retries=0)
    assert len(requests) == 1


def test_a_worse_item_does_not_take_the_place_of_a_better_one() -> None:
    worse = {**rows()[2], **BAD, "span_hint": ""}
    rubric, _, _ = write(reply(rows(internal_consistency=BAD)), reply([worse]), retries=1)
    assert rubric.items[2].span_hint == ENGLISH[2].span_hint


def test_order_is_mended_and_noted() -> None:
    rubric, written, _ = write(reply(rows()[::-1]))
    assert rubric.items == ENGLISH
    assert written.notes == ("the items came out of order and were put in order",)


def test_a_dimension_left_out_is_asked_for_again() -> None:
    rubric, written, requests = write(reply(rows()[:7]), reply(rows()))
    assert (rubric.items, len(requests)) == (ENGLISH, 2)
    rubric, written, _ = write(reply(rows()[:7]), retries=0)
    assert (rubric, written.status) == (None, "unparsed")


def test_no_rubric_out_of_nothing() -> None:
    rubric, written, requests = write("no idea", "none", "really")
    assert (rubric, written.status, len(requests)) == (None, "unparsed", 3)
    rubric, written, _ = write(Reply(text="", finish="refusal"))
    assert (rubric, written.status) == (None, "refused")
    # Rewriting that gives nothing leaves what there was.
    rubric, written, _ = write(reply(rows(internal_consistency=BAD)), "x", "y", "z")
    assert rubric is not None
    assert "internal_consistency" in rubric.flaws
    assert any("gave nothing (unparsed" in note for note in written.notes)


def test_in_chinese() -> None:
    rubric, _, (request,) = write(reply(rows(CHINESE)), items=(QUERY_ZH, A_ZH, B_ZH), language="zh")
    assert (rubric.items, rubric.flaws, rubric.language) == (CHINESE, {}, "zh")
    said = request.messages[0].content + request.messages[1].text
    for forbidden in (" the ", "Reply", "report"):
        assert forbidden not in said
    assert "恰好八项" in said


def test_a_reply_of_a_later_round_is_waited_for() -> None:
    with pytest.raises(PendingCall):
        write(PendingCall("later"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_block_renders(language) -> None:
    prompts = Prompts()
    flawed = [{"key": "x", "title": "X", "focus": "f", "text": "t", "flaws": ["w"]}]
    for block, more in (
        ("task", {"dimensions": flawed, "rules": "R"}),
        ("again", {"flawed": flawed, "kept": "", "rules": "R"}),
        ("system", {}),
    ):
        text = prompts.page(ASSIGNMENT.template, block, language, more)
        assert "  " not in text
        assert "\n\n\n" not in text
    focus = {
        prompts.page(ASSIGNMENT.template, "focus", language, {"key": key}).strip() for key in DIMENSION_KEYS
    }
    assert len(focus) == 8
