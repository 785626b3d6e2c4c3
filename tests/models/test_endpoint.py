"""The client of chat-completion endpoints, against a real server that misbehaves."""

import asyncio
import base64
import codecs
import logging
import random
import time
import traceback
from urllib.parse import quote

import msgspec
import pytest

from assay.models.base import CallFailedError, ContextLengthError, Message, ModelSetupError, Request, Sampling
from assay.models.endpoint import EndpointModel
from assay.models.registry import open_model
from assay.models.retry import RetryPolicy
from servers.fault import FAULTS, FaultServer, completion

KEY = "sk-secret-0123456789abcdef"
SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 1, "maximum": 5}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
# Real time, but little of it.
QUICK = RetryPolicy(attempts=8, base=0.002, cap=0.01)


class FakeClock:
    """Time passes when somebody sleeps."""

    def __init__(self):
        self.now = 1000.0
        self.slept = []

    def time(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(seconds)
        wake = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, wake)


def ask(text="Is it so?", **changes):
    return Request(
        model="openai/m", messages=(Message("system", "Judge."), Message("user", text, "lead ")), **changes
    )


def model_at(server, *, policy=QUICK, clock=None, model_id="openai/m", **settings):
    # Each test its own model name: what is learnt about a model is kept for the process.
    environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url}
    settings.setdefault("name", f"m{random.random()}")
    made = open_model(model_id, environ=environ, **settings)
    return EndpointModel(
        made.id,
        made.endpoint,
        made.settings,
        price=made.price,
        policy=policy,
        **({"clock": clock} if clock else {}),
    )


def run(model, *requests, gather=False):
    async def go():
        try:
            if gather:
                return await asyncio.gather(
                    *(model.complete(one) for one in requests), return_exceptions=True
                )
            return [await model.complete(one) for one in requests]
        finally:
            await model.close()

    return asyncio.run(go())


def refusal(message, **more):
    return (400, {}, {"error": {"message": message, "type": "invalid_request_error", **more}})


def test_what_is_sent_and_what_comes_back():
    with FaultServer() as server:
        model = model_at(
            server, model_id="openai/gpt-5-mini", body={"user": "u1"}, headers={"X-Team": "judges"}
        )
        request = ask(
            sampling=Sampling(
                temperature=0.5, top_p=0.9, max_tokens=50, seed=3, stop=("END",), reasoning_effort="low"
            ),
            schema=SCHEMA,
        )
        (reply,) = run(model, request)
    body = server.bodies[0]
    assert body == {
        "model": model.endpoint.name,
        "messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": "lead Is it so?"}],
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 50,
        "seed": 3,
        "stop": ["END"],
        "reasoning_effort": "low",
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
        },
        "user": "u1",
    }
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert server.headers[0]["X-Team"] == "judges"
    assert reply.text == FaultServer.reply_text(body)
    assert (reply.finish, reply.attempts, reply.dropped, reply.served) == ("stop", 1, (), model.endpoint.name)
    assert reply.usage.input_tokens == 5
    assert reply.usage.cost_usd == pytest.approx((5 * 0.25 + reply.usage.output_tokens * 2) / 1e6)
    assert 0 < reply.seconds < 5


def test_none_of_the_sampling_is_sent_that_is_not_set():
    with FaultServer() as server:
        run(model_at(server), ask(sampling=Sampling(temperature=None)))
    assert set(server.bodies[0]) == {"model", "messages"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_passing_fault_is_tried_again(fault):
    with FaultServer([fault, "ok"], stall=1.0) as server:
        (reply,) = run(model_at(server, timeout=0.3), ask())
    assert reply.text == FaultServer.reply_text(server.bodies[0])
    assert reply.attempts == 2
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("500", "HTTP 500: try later"),
        ("reset", "connection broken"),
        ("stall", "no response within 0.2 s"),
        ("truncated", "connection broken"),
        ("bad_json", "HTTP 200 with JSON cut short in place of a reply"),
        ("html", "HTTP 200 with HTML in place of a reply: <html><body>502 Bad Gateway"),
        ("no_choices", "HTTP 200 with no choices in the reply"),
        ("error_200", "HTTP 200 with an error in place of a reply: overloaded"),
        ("empty", "HTTP 200 with an empty body"),
        ("429", "HTTP 429: Rate limit reached"),
    ],
)
def test_tries_end_and_the_error_says_why(fault, said):
    policy = RetryPolicy(attempts=3, base=0.001, cap=0.001)
    with FaultServer([fault] * 3, stall=0.5) as server, pytest.raises(CallFailedError) as caught:
        run(model_at(server, policy=policy, timeout=0.2), ask())
    assert str(caught.value).startswith(f"openai/m: {said}")
    assert str(caught.value).endswith(", 3 times")
    assert caught.value.attempts == 3
    assert len(server.bodies) == 3


def test_an_empty_reply_is_asked_for_again_paid_for_and_in_the_end_taken_as_it_is():
    with FaultServer(["blank"] * 2) as server:
        (reply,) = run(model_at(server), ask("x" * 400))
    assert reply.text
    assert reply.usage.calls == 3
    assert reply.usage.input_tokens == 3 * (411 // 4)
    with FaultServer(["blank"] * 9) as server:
        (reply,) = run(model_at(server), ask())
    assert (reply.text, reply.finish, len(server.bodies)) == ("", "stop", 3)


def test_a_run_through_faults_ends_like_one_without():
    requests = [ask(f"question {i}", schema=SCHEMA) for i in range(80)]
    with FaultServer() as server:
        clean = run(model_at(server), *requests, gather=True)
    with FaultServer(seed=5, share=0.5, stall=0.6) as server:
        rough = run(model_at(server, timeout=0.4), *requests, gather=True)
    assert [reply.text for reply in rough] == [reply.text for reply in clean]
    assert len(server.met) >= 10
    assert set(server.answered.values()) == {1}


@pytest.mark.parametrize(
    ("answer", "sampling", "dropped", "sent"),
    [
        pytest.param(
            refusal(
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                param="max_tokens",
                code="unsupported_parameter",
            ),
            Sampling(max_tokens=9),
            (),
            {"max_completion_tokens": 9, "temperature": 0.0},
            id="renamed",
        ),
        pytest.param(
            refusal("Unsupported value: 'temperature' does not support 0 with this model.", param="temperature"),
            Sampling(seed=1),
            ("temperature",),
            {"seed": 1},
            id="temperature",
        ),
        pytest.param(
            refusal("Unrecognized request argument supplied: reasoning_effort"),
            Sampling(temperature=None, reasoning_effort="low"),
            ("reasoning_effort",),
            {},
            id="reasoning effort",
        ),
        pytest.param(
            (400, {}, [{"error": {"code": 400, "message": 'Invalid JSON payload received. Unknown name "seed": Cannot find field.'}}]),
            Sampling(temperature=None, seed=4),
            ("seed",),
            {},
            id="gemini: a list",
        ),
        pytest.param(
            (422, {}, {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}),
            Sampling(temperature=None, seed=4),
            ("seed",),
            {},
            id="422 with details",
        ),
        pytest.param(
            (400, {}, {"error": "property 'logprobs' is unsupported"}),
            Sampling(temperature=None, top_logprobs=3),
            ("logprobs",),
            {},
            id="logprobs",
        ),
        pytest.param(
            refusal("Argument not supported on this model: stop"),
            Sampling(temperature=None, stop=("x",)),
            ("stop",),
            {},
            id="stop",
        ),
        pytest.param(
            refusal("`temperature` and `top_p` cannot both be specified for this model."),
            Sampling(top_p=0.9),
            ("top_p",),
            {"temperature": 0.0},
            id="not both",
        ),
    ],
)  # fmt: skip
def test_what_an_endpoint_does_not_take_is_mended_once_and_remembered(answer, sampling, dropped, sent):
    with FaultServer([answer]) as server:
        model = model_at(server)
        first, second = run(model, ask("a", sampling=sampling), ask("b", sampling=sampling))
        (third,) = run(model_at(server), ask("c", sampling=sampling))
    assert first.dropped == second.dropped == dropped
    assert (first.attempts, second.attempts) == (2, 1)
    for body in server.bodies[1:3]:
        assert {key: value for key, value in body.items() if key not in ("model", "messages")} == sent
    assert third.dropped == ()  # another model is another matter


def test_whoever_opens_a_model_again_need_not_learn_again():
    with FaultServer([refusal("'seed' is not supported")]) as server:
        for _ in range(2):
            (reply,) = run(model_at(server, name="twice"), ask(sampling=Sampling(seed=1)))
            assert reply.dropped == ("seed",)
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("answers", "dropped", "form"),
    [
        pytest.param(
            [refusal("Invalid schema for response_format 'reply': In context=(), 'additionalProperties' is required to be false.",
                     param="response_format")],
            ("strict",), "json_schema", id="not strict",
        ),
        pytest.param([refusal("This response_format type is unavailable now")], ("schema",), "json_object", id="json object"),
        pytest.param(
            [refusal("'response_format' of type 'json_schema' is not supported with this model."),
             refusal("'response_format' of type 'json_object' is not supported with this model.")],
            ("schema",), None, id="none",
        ),
    ],
)  # fmt: skip
def test_a_schema_is_asked_for_in_the_strictest_form_that_is_taken(answers, dropped, form):
    with FaultServer(answers) as server:
        (reply,) = run(model_at(server), ask(schema=SCHEMA))
    assert reply.dropped == dropped
    assert server.bodies[-1].get("response_format", {}).get("type") == form


def test_many_calls_that_meet_the_same_refusal_learn_it_once():
    def picky(body):
        kind = body.get("response_format", {}).get("type")
        return refusal("response_format json_schema is not supported") if kind == "json_schema" else "ok"

    with FaultServer([picky] * 200, latency=0.05) as server:
        replies = run(model_at(server), *(ask(f"{i}", schema=SCHEMA) for i in range(30)), gather=True)
    assert {reply.dropped for reply in replies} == {("schema",)}
    assert {body["response_format"]["type"] for body in server.bodies[-10:]} == {"json_object"}
    assert len(server.bodies) <= 60


def test_a_complaint_about_an_amount_is_no_reason_to_leave_it_out():
    message = "max_tokens is too large: 99999. This model supports at most 16384 completion tokens"
    answer = refusal(message, param="max_tokens")
    with FaultServer([answer] * 3) as server, pytest.raises(ModelSetupError, match="too large: 99999"):
        run(model_at(server), ask(sampling=Sampling(max_tokens=99999)))
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            (401, {}, {"error": {"message": f"Incorrect API key provided: {KEY}"}}),
            "refuses the key in OPENAI_API_KEY",
        ),
        (
            (400, {}, {"error": {"message": "API key not valid. Missing api key."}}),
            "refuses the key in OPENAI_API_KEY",
        ),
        (
            (402, {}, {"error": {"message": "Insufficient credits"}}),
            "the account behind OPENAI_API_KEY has no credit left",
        ),
        (
            (
                429,
                {},
                {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}},
            ),
            "no credit left",
        ),
        (
            (403, {}, {"error": {"message": "Country not supported"}}),
            "does not allow this request to OPENAI_API_KEY",
        ),
        (
            refusal("messages: role user expected"),
            "refuses this request in every form (HTTP 400: messages",
        ),
        ((301, {"Location": "https://elsewhere"}, ""), "HTTP 301"),
    ],
)
def test_what_no_retry_mends_stops_the_model(answer, said):
    with FaultServer([answer] * 500, latency=0.02) as server:
        model = model_at(server, concurrency=8)
        errors = run(model, *(ask(f"{i}") for i in range(200)), gather=True)
    assert {type(error) for error in errors} == {ModelSetupError}
    assert len({str(error) for error in errors}) == 1
    assert said in str(errors[0])
    assert KEY not in str(errors[0])
    assert "\n" not in str(errors[0])
    # Those under way when the first answer came, and no thousand more.
    assert len(server.bodies) <= 8
    with pytest.raises(ModelSetupError):
        asyncio.run(model.complete(ask()))


def test_an_unknown_model_is_met_with_near_names():
    rows = [{"id": name} for name in ("gpt-5-mini", "gpt-5", "o3", "whisper")]
    answer = (404, {}, {"error": {"message": "The model does not exist", "code": "model_not_found"}})
    with FaultServer([answer] * 50, models=rows) as server:
        errors = run(model_at(server, name="gpt5-mini"), *(ask(f"{i}") for i in range(20)), gather=True)
    assert "serves no model 'gpt5-mini'; near: gpt-5-mini, gpt-5 (" in str(errors[0])
    assert server.gets == ["/v1/models"]


def test_one_odd_request_does_not_stop_a_model_that_works():
    with FaultServer(["ok", refusal("messages: something odd"), "ok"]) as server:
        model = model_at(server)

        async def go():
            await model.complete(ask("a"))
            with pytest.raises(CallFailedError, match="something odd"):
                await model.complete(ask("b"))
            reply = await model.complete(ask("c"))
            await model.close()
            return reply

        assert asyncio.run(go()).text


def test_without_a_key_nothing_is_sent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = open_model("gemini/gemini-2.5-flash", environ={})
    with pytest.raises(ModelSetupError) as caught:
        asyncio.run(model.complete(ask()))
    assert str(caught.value) == (
        "gemini/gemini-2.5-flash: no API key is set; set GEMINI_API_KEY or GOOGLE_API_KEY in the environment or in a file .env"
    )


def test_a_server_that_is_not_there_stops_the_model(unused_port):
    model = open_model(
        "vllm/m", environ={"VLLM_BASE_URL": f"http://127.0.0.1:{unused_port}/v1"}, max_attempts=2
    )
    with pytest.raises(ModelSetupError) as caught:
        run(model, ask())
    assert (
        f"check that a server runs at http://127.0.0.1:{unused_port}/v1; VLLM_BASE_URL sets another address"
        in str(caught.value)
    )


@pytest.fixture
def unused_port():
    import socket

    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.mark.parametrize("url", ["not a url", "ftp://x/v1", "http://", "localhost:8000/v1"])
def test_an_odd_base_url_is_named(url):
    model = open_model("vllm/m", environ={}, base_url=url)
    with pytest.raises(ModelSetupError, match="is not a base URL"):
        asyncio.run(model.complete(ask()))


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        "the request exceeds the available context size, try increasing it",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "The input token count (1200000) exceeds the maximum number of tokens allowed",
        "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 4096 tokens",
    ],
)
def test_a_prompt_that_is_too_long_is_an_error_of_that_call_alone(message):
    with FaultServer([refusal(message, code="context_length_exceeded")]) as server:
        model = model_at(server)

        async def go():
            with pytest.raises(ContextLengthError, match="longer than the model can read"):
                await model.complete(ask("long", sampling=Sampling(max_tokens=4000)))
            reply = await model.complete(ask("short"))
            await model.close()
            return reply

        assert asyncio.run(go()).text
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    "answer",
    [
        refusal(
            "The response was filtered due to the prompt triggering the content management policy",
            code="content_filter",
        ),
        refusal(
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy",
            code="invalid_prompt",
        ),
    ],
)
def test_a_filter_that_declines_is_a_refusal(answer):
    with FaultServer([answer]) as server:
        (reply,) = run(model_at(server), ask())
    assert reply.finish == "refusal"
    assert "HTTP 400" in reply.text
    assert len(server.bodies) == 1


def test_too_many_requests_pause_every_caller():
    clock = FakeClock()
    with FaultServer([(429, {"Retry-After": "30"}, {"error": {"message": "slow down"}})]) as server:
        model = model_at(server, clock=clock, concurrency=1)
        replies = run(model, *(ask(f"{i}") for i in range(5)), gather=True)
    assert all(reply.text for reply in replies)
    assert len(server.bodies) == 6  # one refused, and nobody else sent anything meanwhile
    assert clock.now >= 1030


def test_a_wait_of_hours_stops_the_model():
    answer = (429, {"Retry-After": "36000"}, {"error": {"message": "daily limit"}})
    with FaultServer([answer]) as server, pytest.raises(ModelSetupError, match="asks to wait 10 hours"):
        run(model_at(server), ask())


def test_a_model_that_stops_midway_is_no_bad_usage():
    """Money that runs out, or a day's requests, are met later; what was wrong from the start is met by mending it."""
    broke = (429, {}, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}})
    for script, code in (([broke], 2), (["ok", broke], 3), ([(429, {"Retry-After": "36000"}, {})], 3)):
        with FaultServer(script) as server, pytest.raises(ModelSetupError) as caught:
            run(model_at(server, concurrency=1), ask("a"), ask("b"))
        assert caught.value.exit_code == code


def test_waiting_for_a_crowded_endpoint_is_no_failure_while_others_get_through():
    # Every second request is refused: with two tries a call, most would fail if that counted.
    with FaultServer(["429", "ok"] * 60) as server:
        policy = RetryPolicy(attempts=2, base=0.001, cap=0.001)
        replies = run(model_at(server, policy=policy), *(ask(f"{i}") for i in range(40)), gather=True)
    assert not [reply for reply in replies if isinstance(reply, Exception)]
    assert len(server.bodies) == 80


def test_concurrency_is_kept():
    with FaultServer(latency=0.02) as server:
        run(model_at(server, concurrency=3), *(ask(f"{i}") for i in range(20)), gather=True)
    assert server.most_at_once == 3


def test_keys_show_nowhere(caplog):
    caplog.set_level(logging.DEBUG)
    shown = []
    refused = (401, {}, {"error": {"message": f"Incorrect API key provided: {KEY[:12]}****cdef, {KEY}"}})
    with FaultServer(["429", "500", refused]) as server:
        model = model_at(server)
        try:
            run(model, ask())
        except ModelSetupError:
            shown.append(traceback.format_exc())
        shown += [repr(model), repr(model.endpoint), repr(model.settings), repr(vars(model)["endpoint"].key)]
    shown.append(caplog.text)
    text = "\n".join(shown)
    assert "refuses the key" in text
    assert "429" in caplog.text
    assert KEY not in text
    assert KEY[:12] not in text
    with pytest.raises(TypeError):
        msgspec.json.encode(model.endpoint)


def disguises(key):
    coded = [
        base64.b64encode(before + key.encode() + b" and more").decode()
        for before in (b"", b"k", b"ke", b"key")
    ]
    more = [
        key[4:], key[-14:], "-".join(key[i : i + 4] for i in range(0, len(key), 4)), " ".join(key), "\u200b".join(key),
        key.replace("-", "_"), base64.b32encode(key.encode()).decode(), codecs.encode(key, "rot13"),
        base64.b64encode(key.upper().encode()).decode(),
    ]  # fmt: skip
    return [key, key.upper(), key[:16], key[::-1], quote(f"{key}/&"), key.encode().hex(), *coded, *more]


@pytest.mark.parametrize("said", disguises(KEY))
def test_a_reply_that_repeats_the_key_is_kept_without_it(said):
    with FaultServer([(200, {}, completion(f"The key is {said}, I think."))]) as server:
        (reply,) = run(model_at(server), ask())
    # The letter before it may belong to the key.
    assert reply.text.startswith("The key i")
    assert reply.text.endswith("I think.")
    assert said not in reply.text
    assert KEY[:12].lower() not in reply.text.lower()


def test_a_reply_without_the_key_is_kept_word_for_word():
    text = "sk-secret santas, secret keys and 0123456789 are words like others; EMPTY, none."
    with FaultServer([(200, {}, completion(text))]) as server:
        (reply,) = run(model_at(server), ask())
    assert reply.text == text


def test_special_tokens_are_sent_in_pieces_and_recorded_as_they_are():
    text = "x <|im_end|>\n<|im_start|>system [/INST] <｜end▁of▁sentence｜> <end_of_turn> </s> [THINK] [TOOL_CONTENT] [gMASK] a <| b |> c [1] <b>"
    request = ask(text)
    with FaultServer() as server:
        run(model_at(server), request)
    sent = server.bodies[0]["messages"][1]["content"]
    for token in (
        "<|im_end|>",
        "<|im_start|>",
        "[/INST]",
        "<｜end▁of▁sentence｜>",
        "<end_of_turn>",
        "</s>",
        "[THINK]",
        "[TOOL_CONTENT]",
        "[gMASK]",
    ):
        assert token in text
        assert token not in sent
    assert sent.replace("\u2060", "") == "lead " + text
    assert sent.endswith("a <| b |> c [1] <b>")
    assert request.messages[1].text == text


def test_a_key_and_a_password_in_the_address_are_one_too_many():
    model = open_model("vllm/m", environ={"VLLM_API_KEY": KEY}, base_url="http://user:pass@127.0.0.1:9/v1")
    with pytest.raises(ModelSetupError, match="an endpoint takes one of them") as caught:
        asyncio.run(model.complete(ask()))
    assert "pass@" not in str(caught.value)


def test_lone_surrogates_do_not_stop_a_call():
    with FaultServer() as server:
        run(model_at(server), ask("half a pair: \ud83d, a whole one: \ud83d\ude00, text: 漢"))
    assert server.bodies[0]["messages"][1]["content"] == "lead half a pair: \ufffd, a whole one: 😀, text: 漢"


def test_a_large_prompt_goes_through():
    with FaultServer() as server:
        (reply,) = run(model_at(server), ask("word " * 400_000))
    assert reply.text
    assert len(server.bodies[0]["messages"][1]["content"]) > 2_000_000


def test_a_model_serves_one_loop_after_another():
    with FaultServer() as server:
        model = model_at(server)
        for i in range(3):
            (reply,) = run(model, ask(f"{i}"))
            assert reply.text


def test_models_of_one_endpoint_share_its_connections():
    with FaultServer() as server:

        async def go():
            first, second = model_at(server), model_at(server)
            await first.complete(ask())
            await second.complete(ask())
            assert first._transport is second._transport
            await first.close()
            reply = await second.complete(ask("again"))
            await second.close()
            return reply

        assert asyncio.run(go()).text


def test_logprobs_come_when_asked_for():
    tops = [{"token": "yes", "logprob": -0.1}, {"token": "no", "logprob": -2.3}]
    rows = {"content": [{"token": "yes", "logprob": -0.1, "top_logprobs": tops}]}
    whole = completion("yes")
    whole["choices"][0]["logprobs"] = rows
    with FaultServer([(200, {}, whole)] * 2) as server:
        with_them, without = run(model_at(server), ask(sampling=Sampling(top_logprobs=2)), ask("b"))
    assert server.bodies[0]["logprobs"] is True
    assert server.bodies[0]["top_logprobs"] == 2
    (token,) = with_them.logprobs
    assert (token.token, token.logprob, token.top) == ("yes", -0.1, (("yes", -0.1), ("no", -2.3)))
    assert without.logprobs is None


def test_cancelling_a_call_gives_its_place_back():
    with FaultServer(latency=0.05) as server:

        async def go():
            model = model_at(server, concurrency=1)
            first = asyncio.create_task(model.complete(ask("a")))
            second = asyncio.create_task(model.complete(ask("b")))
            await asyncio.sleep(0.01)
            first.cancel()
            reply = await second
            await model.close()
            return reply

        assert asyncio.run(go()).text


def test_a_wrong_key_costs_one_request_however_many_calls_wait():
    answer = (401, {}, {"error": {"message": "Incorrect API key provided"}})
    with FaultServer([answer] * 50) as server:
        found = run(model_at(server), *(ask(f"{number}") for number in range(40)), gather=True)
    assert all(isinstance(error, ModelSetupError) for error in found)
    assert len(server.bodies) == 1


def test_the_others_do_not_wait_long_for_a_slow_first_call():
    with FaultServer(latency=1.0) as server:
        started = time.monotonic()
        run(model_at(server), *(ask(f"{number}") for number in range(20)), gather=True)
        assert time.monotonic() - started < 1.9  # one latency after another would be two
    assert server.most_at_once == 20
