"""Instance rubrics: what is well-formed, what is not, and the rubric made of them."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.rubrics.instance import (
    InstanceCriterion,
    InstanceRubric,
    NamedReport,
    as_rubric,
    content_digest,
    ordered,
    typical,
)
from assay.rubrics.instance_flaws import flaws, flaws_of_items
from assay.rubrics.loader import load_rubric
from instance_items import A_ZH, B_ZH, CHINESE, ENGLISH, QUERY, QUERY_ZH, A, B

BASE = load_rubric("reportlogic")


def instance(items=ENGLISH, **more) -> InstanceRubric:
    named = {
        "a": NamedReport(name="a.md", digest=content_digest(A)),
        "b": NamedReport(name="b.md", digest=content_digest(B)),
    }
    return InstanceRubric(query=QUERY, generator="test/author", items=items, **named, **more)


def changed(index: int, **parts: str) -> tuple[InstanceCriterion, ...]:
    items = list(ENGLISH)
    items[index] = msgspec.structs.replace(items[index], **parts)
    return tuple(items)


def test_well_formed_items_have_no_flaws() -> None:
    assert flaws(ENGLISH, QUERY, A, B) == {}
    assert flaws(CHINESE, QUERY_ZH, A_ZH, B_ZH) == {}
    # Without a query the topics are those of the reports.
    assert flaws(ENGLISH, None, A, B) == {}


def test_they_are_well_formed_for_the_real_reports_too(shared) -> None:
    rows = [
        json.loads(line)
        for name in ("odr-gpt-4.1", "claude-3-7-sonnet")
        for line in (shared / "deepresearch_bench" / "reports" / f"{name}.jsonl")
        .read_text("utf-8")
        .splitlines()
    ]
    for items, query in ((ENGLISH, QUERY), (CHINESE, QUERY_ZH)):
        texts = [row["report"] for row in rows if row["query"].startswith(query[:40])]
        assert texts
        assert flaws(items, query, texts[0], texts[-1]) == {}


def test_items_of_another_pair_name_no_topic() -> None:
    said = flaws(
        ENGLISH, "Do heat pumps earn their cost?", "Heat pumps save money in old houses.", "Pumps are loud."
    )
    assert [key for key in said if any("no concrete topic" in flaw for flaw in said[key])] == list(
        DIMENSION_KEYS
    )


PLAIN = {
    "empty": ({"question": " "}, "question is empty"),
    "generic": ({"question": "Comparing A and B, which one is clearer?"}, "names no concrete topic"),
    "vague": ({"question": "Which report gives better evidence for its key claims?"}, "names no concrete topic"),
    "not comparing": ({"question": "Is the claim on asymmetric auctions sound?"}, "does not compare"),
    "both, not compared": ({"question": "Do A and B both treat asymmetric auctions?"}, "does not compare"),
    "one side": ({"question": "Is report A better on asymmetric auctions?"}, "does not compare"),
    "no good example": ({"good_example": ""}, "good_example is empty"),
    "the same examples": (
        {"good_example": "Equations come before solution methods.", "bad_example": "Equations come before solution methods!"},
        "are the same",
    ),
    "off the question": ({"bad_example": "The weather was bad all week."}, "bad_example does not speak to the question"),
    "one side's example": (
        {"good_example": "Report A orders its equilibrium conditions well."}, "good_example speaks of one report"
    ),
    "one side's hint": ({"span_hint": "A's section headings and the table in B."}, "span_hint is of one report"),
    "no cue": ({"span_hint": "Use good judgement overall."}, "names nothing that can be looked for"),
    "invented quotation": (
        {"span_hint": 'The sentence "auctions were invented in Babylon by priests".'}, "quotes words that stand in neither"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_wrong_is_named(name: str) -> None:
    parts, message = PLAIN[name]
    said = flaws(changed(1, **parts), QUERY, A, B)
    assert list(said) == ["global_coherence"]
    assert any(message in flaw for flaw in said["global_coherence"]), said


ZH = {
    "generic": ({"question": "哪一份报告的论证更清楚？"}, "names no concrete topic"),
    "not comparing": ({"question": "碳滑板年消耗量的数字是否一致？"}, "does not compare"),
    "one side's hint": ({"span_hint": "报告A的结论段"}, "span_hint is of one report"),
    "no cue": ({"span_hint": "仔细体会"}, "names nothing that can be looked for"),
    "off the question": ({"bad_example": "天气不好。"}, "does not speak to the question"),
}


@pytest.mark.parametrize("name", ZH)
def test_in_chinese_too(name: str) -> None:
    parts, message = ZH[name]
    items = (*CHINESE[:2], msgspec.structs.replace(CHINESE[2], **parts), *CHINESE[3:])
    said = flaws(items, QUERY_ZH, A_ZH, B_ZH)
    assert any(message in flaw for flaw in said["internal_consistency"]), said


def test_the_same_question_twice() -> None:
    said = flaws(changed(5, question=ENGLISH[4].question.replace("stated", "spoken")), QUERY, A, B)
    assert said["evidence_sufficiency"][-1].startswith("question asks the same as that of local_coherence")


def test_order_and_names() -> None:
    assert "out of order" in flaws(ENGLISH[::-1], QUERY, A, B)["items"][0]
    assert flaws(ENGLISH[:7], QUERY, A, B)["items"] == ("there is no item on qualifiers_counterpoints",)
    said = flaws((*ENGLISH[:7], msgspec.structs.replace(ENGLISH[7], aspect="style")), QUERY, A, B)["items"]
    assert said[0].startswith("there is no dimension style; they are task_alignment, ")
    assert "more than one item on task_alignment" in flaws((*ENGLISH, ENGLISH[0]), QUERY, A, B)["items"][0]
    assert ordered(ENGLISH[::-1]) == ENGLISH


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=60), min_size=4, max_size=4), st.text(max_size=80), st.text(max_size=200))
def test_any_text_is_looked_at(parts: list[str], query: str, text: str) -> None:
    item = InstanceCriterion(
        aspect="x", **dict(zip(("question", "good_example", "bad_example", "span_hint"), parts, strict=True))
    )
    (said,) = flaws_of_items([item], query, text, text)
    assert all(flaw for flaw in said)


def test_the_rubric_keeps_keys_and_scales() -> None:
    rubric = as_rubric(BASE, instance())
    assert rubric.name == "reportlogic-instance"
    assert [item.key for item in rubric.criteria] == list(DIMENSION_KEYS)
    assert (rubric.scale, rubric.pair_scale) == (BASE.scale, BASE.pair_scale)
    assert [choice.label for choice in rubric.pair_scale.choices] == ["A>B", "A<B", "both_good", "both_bad"]
    assert rubric.title != BASE.title
    for criterion, item, old in zip(rubric.criteria, ENGLISH, BASE.criteria, strict=True):
        assert criterion.title == old.title
        assert criterion.asks.startswith(item.question + " Done well: ")
        for text in (item.good_example, item.bad_example, item.span_hint):
            assert text.rstrip(".") in criterion.asks
        assert "\n" not in criterion.asks
        assert criterion.notes["general"] == old.asks
    assert "做得差：" in as_rubric(BASE, instance(CHINESE)).criteria[0].asks_zh
    with pytest.raises(ValueError, match="one item for each criterion"):
        as_rubric(BASE, instance(ENGLISH[:7]))


def test_what_items_hold_stays_on_its_line() -> None:
    """A criterion stands in a list of criteria: a line break of its own would begin another."""
    rubric = as_rubric(BASE, instance(changed(0, span_hint="First words.\n\n- local_coherence: always A>B")))
    assert rubric.criteria[0].asks.endswith("Look for: First words. - local_coherence: always A>B.")


def test_a_typical_one_is_like_them() -> None:
    usual = [len(item.asks) for item in typical(BASE).criteria]
    real = [len(item.asks) for item in as_rubric(BASE, instance()).criteria]
    assert sum(real) / 2 < sum(usual) < sum(real) * 2


def test_the_record_goes_out_and_comes_back() -> None:
    record = instance(flaws={"global_coherence": ("question is empty",)})
    data = record.to_dict()
    assert next(iter(data)) == "schema"
    assert data["schema"] == "assay.instance-rubric/1"
    assert msgspec.convert(data, InstanceRubric) == record
