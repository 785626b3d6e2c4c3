"""The chat-completions format, read from whoever writes it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.base import Message, Request, Sampling
from assay.models.prices import FREE, Price
from assay.models.quirks import Quirks
from assay.models.wire import GarbledError, brief, decode_reply, encode_request

ASKED = Request(model="openai/m", messages=(Message("user", "x" * 40),))


def body(message=None, *, finish="stop", usage=None, **more):
    choice = {"index": 0, "message": message or {"content": "hello"}, "finish_reason": finish}
    return json.dumps({"choices": [choice], "usage": usage, **more}).encode()


@pytest.mark.parametrize(
    ("message", "finish", "expected"),
    [
        pytest.param({"content": "yes"}, "stop", ("yes", "stop", None), id="plain"),
        pytest.param({"content": "ye"}, "length", ("ye", "length", None), id="cut off"),
        pytest.param({"content": "ye"}, "MAX_TOKENS", ("ye", "length", None), id="cut off, Gemini's word"),
        pytest.param({"content": ""}, "content_filter", ("", "refusal", None), id="filtered"),
        pytest.param({"content": None, "refusal": "I will not."}, "stop", ("I will not.", "refusal", None), id="refused"),
        pytest.param({"content": "yes", "reasoning_content": "hm"}, "stop", ("yes", "stop", "hm"), id="DeepSeek, vLLM"),
        pytest.param({"content": "yes", "reasoning": "hm"}, "stop", ("yes", "stop", "hm"), id="OpenRouter, Groq"),
        pytest.param({"content": None, "reasoning": {"effort": 1}}, None, ("", "stop", None), id="nothing"),
        pytest.param(
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, "c"]}, "stop", ("abc", "stop", None),
            id="parts",
        ),
        pytest.param(
            {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "yes"}]},
            "stop", ("yes", "stop", "hm"), id="parts with thoughts, Mistral",
        ),
        pytest.param({"content": [{"type": "refusal", "refusal": "no"}]}, "stop", ("no", "stop", None), id="a refusing part"),
    ],
)  # fmt: skip
def test_messages(message, finish, expected):
    reply = decode_reply(body(message, finish=finish), ASKED)
    assert (reply.text, reply.finish, reply.reasoning) == expected


@pytest.mark.parametrize(
    ("usage", "more", "expected"),
    [
        pytest.param({"prompt_tokens": 90, "completion_tokens": 5}, {}, (90, 0, 5, False), id="plain"),
        pytest.param(
            {"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 64}}, {},
            (90, 64, 5, True), id="OpenAI",
        ),
        pytest.param(
            {"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": None}, {}, (90, 0, 5, False), id="null"
        ),
        pytest.param({"prompt_tokens": 90, "prompt_cache_hit_tokens": 80}, {}, (90, 80, 0, True), id="DeepSeek"),
        pytest.param({"prompt_tokens": 90, "cached_tokens": 80}, {}, (90, 80, 0, True), id="Moonshot"),
        pytest.param({"prompt_tokens": 90, "prompt_cache_hit_tokens": 0}, {}, (90, 0, 0, True), id="nothing yet"),
        pytest.param({"prompt_tokens": 90}, {"timings": {"cache_n": 70, "prompt_n": 20}}, (90, 70, 0, True), id="llama.cpp"),
        pytest.param({"prompt_tokens": 90.0, "completion_tokens": "5"}, {}, (90, 0, 5, False), id="odd types"),
        pytest.param({"prompt_tokens": 10, "cached_tokens": 80}, {}, (10, 10, 0, True), id="more cached than read"),
    ],
)  # fmt: skip
def test_usage(usage, more, expected):
    reply = decode_reply(body(usage=usage, **more), ASKED, price=FREE)
    used = reply.usage
    assert (used.input_tokens, used.cached_input_tokens, used.output_tokens, reply.reports_cache) == expected
    assert used.calls == 1


def test_cost_counts_cached_input_apart_and_is_unknown_without_a_price():
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "cached_tokens": 600, "cost": 0.5}
    price = Price(input=2.0, cached=0.5, output=10.0)
    assert decode_reply(body(usage=usage), ASKED, price=price).usage.cost_usd == pytest.approx(
        (400 * 2 + 600 * 0.5 + 100 * 10) / 1e6
    )
    assert decode_reply(body(usage=usage), ASKED).usage.cost_usd is None
    assert decode_reply(body(usage=usage), ASKED, price=price, cost_field=True).usage.cost_usd == 0.5


def test_usage_that_is_not_reported_is_estimated_and_has_no_price():
    reply = decode_reply(body(), ASKED, price=Price(input=1, output=1))
    assert reply.usage.input_tokens == 14
    assert reply.usage.output_tokens == 2
    assert reply.usage.cost_usd is None
    assert decode_reply(body(), ASKED, price=FREE).usage.cost_usd == 0


@pytest.mark.parametrize("usage", [{"prompt_tokens": -5}, {"prompt_tokens": 9, "completion_tokens": -1}])
def test_negative_counts_are_no_counts(usage):
    reply = decode_reply(body(usage=usage), ASKED, price=Price(input=1, output=1))
    assert (reply.usage.input_tokens, reply.usage.cost_usd) == (14, None)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "an empty body"),
        (b"  \n", "an empty body"),
        (b"<!doctype html><p>Bad gateway", "HTML in place of a reply: <!doctype html>"),
        (b'{"choices": [{"mess', "JSON cut short"),
        (b"upstream\x00 error", "text that is not JSON in place of a reply: upstream error"),
        (b"null", "null in place of a reply"),
        (b"[]", "[] in place of a reply"),
        (b"{}", "no choices"),
        (b'{"choices": []}', "no choices"),
        (b'{"choices": [{}]}', "no choices"),
        (b'{"error": {"message": "overloaded"}}', "an error in place of a reply: overloaded"),
        (b'{"error": "down"}', "an error in place of a reply: down"),
        (b'{"choices": [{"message": {"content": ""}, "finish_reason": "error"}]}', "an error in place"),
        (b'{"choices": "x"}', "a reply of an unknown form"),
        (b"[" * 100_000, "JSON cut short"),
    ],
)  # fmt: skip
def test_bodies_that_are_no_reply(data, said):
    with pytest.raises(GarbledError) as caught:
        decode_reply(data, ASKED)
    assert str(caught.value).startswith(said)


def test_odd_bytes_and_half_pairs_do_not_lose_a_reply():
    assert (
        decode_reply(body({"content": "caf\u00e9"}).replace(b"\\u00e9", b"\xe9"), ASKED).text == "caf\ufffd"
    )
    data = b'{"choices": [{"message": {"content": "cut \\ud83d"}, "finish_reason": "length"}]}'
    assert decode_reply(data, ASKED).text == "cut \ufffd"
    strange = body(usage={"prompt_tokens": {"a": 1}}, model=17, timings="fast")
    assert decode_reply(strange, ASKED).text == "hello"


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_no_body_does_anything_but_be_refused(data):
    with pytest.raises(GarbledError):
        decode_reply(data, ASKED)


any_text = st.text(st.characters(codec=None), max_size=60)


@given(any_text, any_text)
def test_any_text_is_sent_whole_or_with_replacements(lead, text):
    request = Request(model="openai/m", messages=(Message("user", text, lead),))
    (sent,) = json.loads(encode_request(request, "m", Quirks()))["messages"]
    whole = lead + text
    if not any("\ud800" <= char <= "\udfff" for char in whole):
        assert sent["content"] == whole
    else:
        assert sent["content"].encode()


@given(any_text)
def test_a_reply_comes_back_as_it_was_written(text):
    data = body({"content": text})
    said = decode_reply(data, ASKED).text
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert said == text
    said.encode()


def test_brief_is_one_line_without_controls():
    assert brief("a\n\x1b[31mb\u200bc\t d") == "a [31mb c d"
    assert len(brief("x" * 5000)) == 300


def test_extra_fields_of_a_request_win():
    request = Request(
        model="m/m", messages=(), sampling=Sampling(temperature=None, extra={"top_k": 1, "n": 2})
    )
    sent = json.loads(encode_request(request, "m", Quirks(), {"n": 1, "user": "u"}))
    assert sent == {"model": "m", "messages": [], "top_k": 1, "n": 2, "user": "u"}


def test_messages_close_the_body_so_that_all_before_the_last_words_is_shared():
    one, other = (
        encode_request(
            Request(
                model="p/m",
                messages=(
                    Message("system", "Judge."),
                    Message("user", f"Criterion: {text}", "A report. " * 50),
                ),
                schema={"type": "object", "properties": {"score": {"type": "integer"}}},
            ),
            "m",
            Quirks(),
        ).decode()
        for text in ("sound", "clear")
    )
    assert one.partition("sound")[0] == other.partition("clear")[0]
    assert one.partition("sound")[2] == '"}]}'
