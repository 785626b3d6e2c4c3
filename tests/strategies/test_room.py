"""What a schema allows can be written within the tokens there are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.base import Reply, Usage
from assay.strategies.overseer import _schema as audit_schema
from assay.strategies.registry import all_strategies
from assay.strategies.room import fitted
from assay.strategies.shape import shape_of
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
    return "x" * schema["maxLength"] if kind == "string" else kind != "boolean"


@given(
    st.sampled_from(NAMES),
    st.sampled_from([("score", 1), ("score", 3), ("pair", 2), ("rank", 1)]),
    st.integers(120, 5000),
    st.sampled_from(["en", "zh"]),
    st.booleans(),
)
def test_the_longest_reply_fits(name, form, max_tokens, language, looping):
    shape = shape_of(question(form[0], criteria=form[1]), all_strategies()[name].fields)
    schema = shape.schema()
    cut = fitted(schema, max_tokens, language, looping=looping)
    written = json.dumps(longest(cut))
    density = {("en", False): 3, ("zh", False): 0.8, ("en", True): 0.5, ("zh", True): 0.3}[language, looping]
    # A text has one character at least.
    tiny = len(json.dumps(longest(fitted(schema, 1))))
    assert len(written) <= max(max_tokens * density, tiny + 1)
    assert len(written) <= len(json.dumps(longest(schema)))


def test_keys_answers_and_their_order_are_untouched():
    schema = shape_of(question("pair", criteria=3), all_strategies()["comparative"].fields).schema()
    cut = fitted(schema, 300)
    assert list(cut["properties"]) == list(schema["properties"])
    for key in ("preferences", "preference"):
        assert cut["properties"][key] == schema["properties"][key]
    assert cut["required"] == schema["required"]
    assert cut["properties"]["rationale"]["maxLength"] < schema["properties"]["rationale"]["maxLength"]


def test_no_cut_where_there_is_room_enough():
    for name in ("direct", "full", "quote"):
        schema = shape_of(question(), all_strategies()[name].fields).schema()
        assert fitted(schema, 2048) is schema
        assert fitted(schema, None) is schema
    schema = shape_of(question(), all_strategies()["direct"].fields).schema()
    assert fitted(schema, 1) is schema


def test_an_audit_is_bounded_too():
    schema = audit_schema([item.key for item in CRITERIA])
    assert fitted(schema, 800) is schema
    assert len(json.dumps(longest(fitted(schema, 100)))) <= 300


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
