"""Bounds in schemas, which some strict modes refuse."""

import asyncio
import json
import random

import pytest

from assay.models.base import Message, Request
from assay.models.providers import known_providers
from assay.models.quirks import BOUNDS, Quirks, usual_quirks
from assay.models.registry import open_model
from assay.models.schema_keywords import has_keyword, without_keywords
from assay.models.wire import encode_request
from servers.fault import FaultServer

SCHEMA = {
    "type": "object",
    "properties": {
        "maxLength": {"type": "string", "maxLength": 40},
        "reasons": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 3},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["maxLength", "reasons", "score"],
    "additionalProperties": False,
}
ASKED = Request(model="x/m", messages=(Message("user", "Is it so?"),), schema=SCHEMA)


def sent_schema(body):
    return body["response_format"]["json_schema"]["schema"]


def complete(model, count=1):
    async def run():
        try:
            return [await model.complete(ASKED) for _ in range(count)]
        finally:
            await model.close()

    return asyncio.run(run())


def test_keywords_go_and_properties_called_so_stay():
    plain = without_keywords(SCHEMA, ["maxLength"])
    assert plain["properties"]["maxLength"] == {"type": "string"}
    assert plain["properties"]["reasons"] == {"type": "array", "items": {"type": "string"}, "maxItems": 3}
    assert SCHEMA["properties"]["maxLength"]["maxLength"] == 40
    assert has_keyword(SCHEMA, ["maxLength"])
    assert not has_keyword(plain, ["maxLength"])
    assert without_keywords(plain, ["maxLength"]) is plain
    assert not has_keyword(without_keywords(SCHEMA, BOUNDS), BOUNDS)


@pytest.mark.parametrize(("provider", "bounded"), [("openai", False), ("vllm", True), ("llamacpp", True)])
def test_a_hosted_strict_mode_gets_no_lengths_and_a_server_of_ones_own_does(provider, bounded):
    with FaultServer() as server:
        environ = {f"{provider.upper()}_BASE_URL": server.base_url, "OPENAI_API_KEY": "k"}
        (reply,) = complete(open_model(f"{provider}/m{random.random()}", environ=environ))
    (body,) = server.bodies
    assert has_keyword(sent_schema(body), ["maxLength"]) is bounded
    assert has_keyword(sent_schema(body), ["maxItems"])
    assert body["response_format"]["json_schema"]["strict"] is True
    assert reply.dropped == ()


def test_a_refused_bound_is_left_out_once_and_the_schema_stays_strict():
    said = "Invalid schema for response_format 'reply': In context=('properties', 'reasons'), 'maxLength' is not permitted."
    refusal = (400, {}, {"error": {"message": said, "param": "response_format"}})
    with FaultServer([refusal]) as server:
        environ = {"LAB_BASE_URL": server.base_url}
        replies = complete(open_model(f"lab/m{random.random()}", environ=environ), 2)
    first, second, third = server.bodies
    assert has_keyword(sent_schema(first), ["maxLength"])
    for body in (second, third):
        assert sent_schema(body) == without_keywords(SCHEMA, ["maxLength"])
        assert body["response_format"]["json_schema"]["strict"] is True
    assert [reply.attempts for reply in replies] == [2, 1]
    assert replies[0].dropped == ()


def test_where_a_refusal_comes_too_late_what_may_be_refused_is_left_out_from_the_start():
    assert usual_quirks("openai/m").without == {"maxLength"}
    assert usual_quirks("deepseek/m").schema == "json_object"
    assert usual_quirks("vllm/m").without == set()
    assert usual_quirks("unheard-of/m").without == set(BOUNDS)


def test_what_the_providers_are_said_to_refuse_are_bounds():
    for provider in known_providers().values():
        assert set(provider.schema_without) <= set(BOUNDS), provider.name


def test_without_a_quirk_the_schema_is_sent_as_it_is():
    body = json.loads(encode_request(ASKED, "m", Quirks()))
    assert sent_schema(body) == SCHEMA
