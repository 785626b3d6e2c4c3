"""What a schema allows can be written within the tokens there are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.generation.instance_rubric import _schema as instance_schema
from assay.generation.rubric_draft import _schema as drafts_schema
from assay.logic.model.calls import merge_schema, nodes_schema, pairs_schema, verdicts_schema
from assay.models.base import Reply, Usage
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.strategies.answer_form import answer_form
from assay.strategies.json_schema import table, text
from assay.strategies.overseer import _schema as audit_schema
from assay.strategies.registry import all_strategies
from assay.strategies.token_budget import fit_schema
from strategies.scripts import CRITERIA, ask, plain, question

NAMES = tuple(all_strategies())


def longest(schema):
    """The longest value that the schema allows."""
    if "enum" in schema:
        return max(schema["enum"], key=lambda item: len(json.dumps(item)))
    kind = schema["type"]
    if kind == "object":
        return {key: longest(part) for key, part in schema["properties"].items()}
    if kind == "array":
        return [longest(schema["items"])] * schema["maxItems"]
    if kind == "string":
        return "x" * schema["maxLength"]
    return {"boolean": False, "integer": 123456, "number": 0.1234567}[kind]


@given(
    st.sampled_from(NAMES),
    st.sampled_from([("score", 1), ("score", 3), ("compare", 2), ("rank", 1)]),
    st.integers(120, 5000),
    st.sampled_from(["en", "zh"]),
    st.booleans(),
)
def test_the_longest_reply_fits(name, form, max_tokens, language, looping):
    shape = answer_form(question(form[0], criteria=form[1]), all_strategies()[name].fields)
    schema = shape.schema()
    cut = fit_schema(schema, max_tokens, language, looping=looping)
    # A text has one character at least.
    tiny = tokens(fit_schema(schema, 1), language, looping=looping)
    assert tokens(cut, language, looping=looping) <= max(max_tokens, tiny + 1)
    assert len(json.dumps(longest(cut))) <= len(json.dumps(longest(schema)))


NODES = nodes_schema(12)
LISTED = {
    "nodes": NODES,
    "order": merge_schema(8, 4),
    "pairs": pairs_schema(8),
    "support": verdicts_schema(6),
    "instance rubric": instance_schema(DIMENSION_KEYS),
    "drafts": drafts_schema(8),
}


@pytest.mark.parametrize("name", LISTED)
@pytest.mark.parametrize("max_tokens", [700, 1000, 2000, 4096])
def test_lists_of_objects_fit_once_the_model_has_been_cut_off(name, max_tokens):
    schema = LISTED[name]
    cut = fit_schema(schema, max_tokens, looping=True)
    assert tokens(cut, "en", looping=True) <= max_tokens
    if name != "instance rubric":
        # There must be eight items, however small the budget.
        assert shortest_text(cut) >= 10


def test_a_list_is_not_cut_before_the_model_was_cut_off():
    # How many nodes there are is for the report to say.
    first, second = fit_schema(NODES, 480), fit_schema(NODES, 480, looping=True)
    assert first["properties"]["nodes"]["maxItems"] == NODES["properties"]["nodes"]["maxItems"]
    again = second["properties"]["nodes"]
    assert 3 <= again["maxItems"] < 12
    assert again["items"]["properties"]["lines"]["maxItems"] == 3
    assert again["items"]["properties"]["kind"] == NODES["properties"]["nodes"]["items"]["properties"]["kind"]
    assert list(again["items"]["properties"]) == list(NODES["properties"]["nodes"]["items"]["properties"])


@pytest.mark.parametrize("looping", [False, True])
def test_a_list_of_a_given_length_keeps_it_and_its_keys_are_reckoned_with(looping):
    item = table(question=text(500), good_example=text(500), bad_example=text(500))
    schema = table(items={"type": "array", "items": item, "minItems": 8, "maxItems": 8})
    cut = fit_schema(schema, 600, looping=looping)
    assert (cut["properties"]["items"]["minItems"], cut["properties"]["items"]["maxItems"]) == (8, 8)
    assert tokens(cut, "en", looping=looping) <= 600


@pytest.mark.parametrize("count", [3, 4, 8])
def test_eighty_tokens_a_criterion_are_enough_for_a_grade(count):
    """Fewer are not: SmolLM2 puts each key on a line, and 60 go to keys and marks alone."""
    question_ = question("score", criteria=min(count, 3))
    schema = answer_form(question_, all_strategies()["grader"].fields, each=True).schema()
    entries = schema["properties"]["scores"]["properties"]
    many = {f"c{index}": next(iter(entries.values())) for index in range(count)}
    schema["properties"]["scores"] = {**schema["properties"]["scores"], "properties": many}
    assert tokens(fit_schema(schema, 80 * count), "en", looping=False) <= 80 * count


def tokens(schema, language, *, looping):
    """Tokens of the longest reply, as reckoned: 1.8 characters of the frame each, and of texts as many as they may."""
    density = {("en", False): 3, ("zh", False): 0.8, ("en", True): 0.5, ("zh", True): 0.3}[language, looping]
    value = longest(schema)
    written = json.dumps(value, ensure_ascii=False)
    texts = sum(item.count("x") for item in texts_of(value) if not item.strip("x"))
    return (len(written) - texts) / 1.8 + texts / density


def texts_of(value):
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    return [value] if isinstance(value, str) else []


def shortest_text(schema):
    """The shortest length that a schema allows a text; without texts, a length that is enough."""
    return min((len(text) for text in texts_of(longest(schema)) if not text.strip("x")), default=10)


def test_keys_answers_and_their_order_are_untouched():
    schema = answer_form(question("compare", criteria=3), all_strategies()["comparative"].fields).schema()
    cut = fit_schema(schema, 300)
    assert list(cut["properties"]) == list(schema["properties"])
    for key in ("preferences", "preference"):
        assert cut["properties"][key] == schema["properties"][key]
    assert cut["required"] == schema["required"]
    assert cut["properties"]["rationale"]["maxLength"] < schema["properties"]["rationale"]["maxLength"]


def test_no_cut_where_there_is_room_enough():
    for name in ("direct", "full", "quote"):
        schema = answer_form(question(), all_strategies()[name].fields).schema()
        assert fit_schema(schema, 2048) is schema
        assert fit_schema(schema, None) is schema
    schema = answer_form(question(), all_strategies()["direct"].fields).schema()
    assert fit_schema(schema, 1) is schema


def test_an_audit_is_bounded_too():
    schema = audit_schema([item.key for item in CRITERIA])
    assert fit_schema(schema, 800) is schema
    assert len(json.dumps(longest(fit_schema(schema, 100)))) <= 300


def test_a_reply_that_was_cut_off_is_asked_for_again_in_less_room_and_not_shown_again():
    def script(count, request):
        if count == 0:
            return Reply(text='{"reasoning": "1.1.1.1.1.1', finish="length", usage=Usage(calls=1))
        return json.dumps(plain(request.schema))

    answer, (first, second) = ask("full", question(), script, retries=1, max_tokens=200)
    assert answer.status == "ok"
    lengths = [request.schema["properties"]["reasoning"]["maxLength"] for request in (first, second)]
    assert lengths[0] > 500
    assert lengths[1] < 100
    assert [message.role for message in second.messages] == ["system", "user"]
    assert second.messages[1].content.startswith(first.messages[1].content)
    assert "cut off" in second.messages[1].content


@pytest.mark.parametrize("text", ["no idea", '{"score": 9}'])
def test_a_reply_that_says_something_else_is_shown_again_with_as_much_room(text):
    answer, (first, second) = ask("full", question(), lambda n, _: text if n == 0 else None, retries=1)
    assert answer.status == "ok"
    assert second.schema == first.schema
    assert [message.role for message in second.messages] == ["system", "user", "assistant", "user"]
