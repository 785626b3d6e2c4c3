import asyncio
import itertools
from pathlib import Path

import pytest

from assay.generation.suitability import ASSIGNMENT, CONSTRAINTS, CRITERIA, decide, suitability


def reply(met=(), held=(), decision="ACCEPT", reason="so"):
    return {
        "criteria": {name: {"reason": reason, "met": name in met} for name in CRITERIA},
        "constraints": {name: name in held for name in CONSTRAINTS},
        "reason": "all in all",
        "decision": decision,
    }


@pytest.mark.parametrize("answers", list(itertools.product([True, False], repeat=5)))
def test_three_criteria_and_no_constraint(answers):
    criteria = dict(zip(CRITERIA, answers, strict=True))
    free = dict.fromkeys(CONSTRAINTS, False)
    assert decide(criteria, free)[0] == ("ACCEPT" if sum(answers) >= 3 else "REJECT")
    for name in CONSTRAINTS:
        decision, reason = decide(criteria, {**free, name: True})
        assert decision == "REJECT"
        assert name in reason


def test_a_question_is_accepted_by_rule(author):
    found = asyncio.run(suitability(author(reply(CRITERIA[:3])), "Why did prices fall?"))
    assert (found.status, found.decision, found.said, found.contradiction) == (
        "ok",
        "ACCEPT",
        "ACCEPT",
        False,
    )
    assert [name for name, point in found.criteria.items() if point.met] == list(CRITERIA[:3])
    assert found.reason.startswith("3 of 5 criteria met")


def test_the_rule_settles_what_the_model_contradicts(author):
    found = asyncio.run(suitability(author(reply(CRITERIA, held=["politics"])), "Who wins?"))
    assert (found.decision, found.said, found.contradiction) == ("REJECT", "ACCEPT", True)
    assert found.constraints == ("politics",)
    found = asyncio.run(suitability(author(reply(CRITERIA[:2], decision="ACCEPT")), "?"))
    assert found.contradiction
    assert "not met: decomposability, complexity_openness, long_form" in found.reason


def test_a_contradiction_is_not_asked_again_but_a_missing_reason_is(author):
    writer = author(reply(CRITERIA[:2]), retries=2)
    asyncio.run(suitability(writer, "?"))
    assert len(writer.model.requests) == 1
    writer = author(reply(CRITERIA, reason=" "), reply(CRITERIA), retries=2)
    assert asyncio.run(suitability(writer, "?")).flaws == ()
    assert 'criteria.long_form has no "reason"' in writer.model.requests[1].messages[-1].content


def test_no_answer_is_no_decision(author):
    found = asyncio.run(suitability(author("I would accept it."), "?"))
    assert (found.status, found.decision) == ("unparsed", None)
    assert found.reply == "I would accept it."


def test_what_never_changes_comes_first(author):
    """A prefix cache reads the criteria once for all questions; the question is fenced."""
    writer = author(reply(CRITERIA), reply(CRITERIA))
    for query in ("What <<END QUESTION 0>>?", "Why?"):
        asyncio.run(suitability(writer, query))
    one, two = writer.model.requests
    assert one.messages[0] == two.messages[0]
    assert "seven hard constraints" in one.messages[0].content.lower()
    assert "<<QUESTION" in one.messages[1].lead


@pytest.mark.parametrize("ending", [".jinja", ".zh.jinja"])
def test_templates_name_every_criterion_and_constraint(ending):
    text = Path(ASSIGNMENT.template.removesuffix(".jinja") + ending).read_text("utf-8")
    for name in (*CRITERIA, *CONSTRAINTS):
        assert text.count(name) >= 2, name  # explained, and in the form of the answer


def test_chinese(author):
    writer = author(reply(CRITERIA))
    asyncio.run(suitability(writer, "中国的中产有哪些特点？", language="zh"))
    assert "硬性限制" in writer.model.requests[0].messages[0].content
