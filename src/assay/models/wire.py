"""The chat-completions format: a request as the body of a POST, and the body of the response as a reply.

Pure functions on bytes, shared by endpoints, batch files and tests. Replies are decoded into structs, which
takes microseconds; servers that stray from the format take a slower, more tolerant path.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from assay.models.base import Finish, Reply, Request, TokenLogprob, Usage
from assay.models.prices import Price
from assay.models.quirks import Quirks
from assay.models.schema_keywords import without_keywords
from assay.models.special_tokens import neutralised, neutralised_lead
from assay.models.tokens import estimate_request, estimate_tokens

_ENCODER: Final = msgspec.json.Encoder()
_CUT: Final = frozenset(("length", "max_tokens", "model_length", "max_output_tokens"))
_DECLINED: Final = frozenset(
    (
        "content_filter",
        "refusal",
        "safety",
        "prohibited_content",
        "recitation",
        "blocklist",
        "spii",
        "sensitive",
    )
)


class GarbledError(Exception):
    """A body that is not a chat completion; the message says what it is instead."""


class _Details(msgspec.Struct, gc=False):
    cached_tokens: int | float | None = None


class _WireUsage(msgspec.Struct):
    prompt_tokens: int | float | None = None
    completion_tokens: int | float | None = None
    prompt_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: int | float | None = None
    cached_tokens: int | float | None = None
    cache_read_input_tokens: int | float | None = None
    cost: float | None = None


class _Message(msgspec.Struct):
    content: str | list[Any] | None = None
    reasoning_content: str | None = None
    reasoning: Any = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    finish_reason: str | None = None
    logprobs: msgspec.Raw = msgspec.Raw(b"null")
    error: Any = None


class _Timings(msgspec.Struct, gc=False):
    cache_n: int | float | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: _WireUsage | None = None
    model: str | None = None
    error: Any = None
    timings: _Timings | None = None


_DECODER: Final = msgspec.json.Decoder(_Completion)


def request_body(
    request: Request, name: str, quirks: Quirks, extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the body of a request as plain data.

    Args:
        request: The request.
        name: Name of the model at the endpoint.
        quirks: What the endpoint does not accept.
        extra: Additional fields; those of the request's own sampling win.
    """
    sampling = request.sampling
    left_out = quirks.left_out
    body: dict[str, Any] = {"model": name}
    if sampling.temperature is not None and "temperature" not in left_out:
        body["temperature"] = sampling.temperature
    if sampling.top_p is not None and "top_p" not in left_out:
        body["top_p"] = sampling.top_p
    if sampling.max_tokens is not None and "max_tokens" not in left_out:
        body[quirks.name("max_tokens")] = sampling.max_tokens
    if sampling.seed is not None and "seed" not in left_out:
        body[quirks.name("seed")] = sampling.seed
    if sampling.stop and "stop" not in left_out:
        body["stop"] = sampling.stop
    if sampling.top_logprobs and "logprobs" not in left_out:
        body["logprobs"] = True
        body["top_logprobs"] = sampling.top_logprobs
    if sampling.reasoning_effort is not None and "reasoning_effort" not in left_out:
        body["reasoning_effort"] = sampling.reasoning_effort
    if request.schema is not None:
        if quirks.schema in ("strict", "json_schema"):
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {
                    "name": "reply",
                    "schema": without_keywords(request.schema, quirks.without),
                    "strict": quirks.schema == "strict",
                },
            }
        elif quirks.schema == "json_object":
            body["response_format"] = {"type": "json_object"}
    if extra:
        body.update(extra)
    if sampling.extra:
        body.update(sampling.extra)
    # Messages come last, and the criterion comes last in them, so that requests share the longest possible prefix.
    body["messages"] = [
        {"role": message.role, "content": neutralised_lead(message.lead) + neutralised(message.text)}
        for message in request.messages
    ]
    return body


def encode_request(
    request: Request, name: str, quirks: Quirks, extra: Mapping[str, Any] | None = None
) -> bytes:
    """Return the body of a request as bytes. Lone surrogates, which UTF-8 cannot express, become U+FFFD."""
    body = request_body(request, name, quirks, extra)
    try:
        return _ENCODER.encode(body)
    except UnicodeEncodeError:
        return _ENCODER.encode(_whole(body))


def decode_reply(
    data: bytes,
    request: Request,
    *,
    price: Price | None = None,
    cost_field: bool = False,
    attempts: int = 1,
    seconds: float = 0.0,
    dropped: tuple[str, ...] = (),
) -> Reply:
    """Return the reply in the body of a response.

    Args:
        data: The body.
        request: The request it answers.
        price: Price of the model; None if unknown.
        cost_field: Whether the endpoint's ``usage.cost`` is the price of the call in USD.
        attempts: Number of attempts so far.
        seconds: Duration of the last attempt.
        dropped: Settings that were not sent.

    Raises:
        GarbledError: The body is not a chat completion.
    """
    completion = _decode(data)
    if completion.error:
        raise GarbledError(f"an error in place of a reply: {brief(_error_text(completion.error))}")
    if not completion.choices or (message := completion.choices[0].message) is None:
        raise GarbledError("no choices in the reply")
    choice = completion.choices[0]
    if choice.error or choice.finish_reason == "error":
        raise GarbledError(f"an error in place of a reply: {brief(_error_text(choice.error))}")
    text, reasoning = _content(message)
    refused = bool(message.refusal)
    if refused and not text:
        text = message.refusal or ""
    usage, reports_cache = _usage(completion, request, text, price, cost_field=cost_field)
    return Reply(
        text=text,
        finish="refusal" if refused else _finish(choice.finish_reason),
        usage=usage,
        reasoning=reasoning,
        served=completion.model,
        reports_cache=reports_cache,
        logprobs=_logprobs(choice.logprobs) if request.sampling.top_logprobs else None,
        attempts=attempts,
        seconds=seconds,
        dropped=dropped,
    )


def brief(text: str, most: int = 300) -> str:
    """Return foreign text on one line, without control characters, cut to ``most`` characters."""
    line = "".join(char if char.isprintable() else " " for char in text[: most * 4])
    line = " ".join(line.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _decode(data: bytes) -> _Completion:
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _decode_slowly(data)


def _decode_slowly(data: bytes) -> _Completion:
    """Decode a body with invalid UTF-8, lone surrogates, or unusual types in minor fields."""
    if not data.strip():
        raise GarbledError("an empty body")
    text = data.decode("utf-8", "replace")
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        kind = (
            "HTML"
            if text.lstrip()[:1] == "<"
            else "JSON cut short"
            if text.lstrip()[:1] in "{["
            else "text that is not JSON"
        )
        raise GarbledError(f"{kind} in place of a reply: {brief(text, 80)}") from None
    if not isinstance(plain, dict):
        raise GarbledError(f"{brief(text, 80)} in place of a reply")
    plain = _whole(plain)
    for spare in ("timings", "usage", "model"):
        try:
            return msgspec.convert(plain, _Completion, strict=False)
        except msgspec.ValidationError:
            # Odd metadata is not worth losing a reply.
            plain.pop(spare, None)
    try:
        return msgspec.convert(plain, _Completion, strict=False)
    except msgspec.ValidationError as error:
        raise GarbledError(f"a reply of an unknown form: {brief(str(error), 120)}") from None


def _content(message: _Message) -> tuple[str, str | None]:
    """Return text and hidden reasoning of a message."""
    thoughts = (
        message.reasoning_content
        or (message.reasoning if isinstance(message.reasoning, str) else None)
        or None
    )
    if isinstance(message.content, str):
        return message.content, thoughts
    texts: list[str] = []
    hidden: list[str] = []
    for part in message.content or ():
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            kind = str(part.get("type", "text"))
            into = hidden if kind in ("thinking", "reasoning") else texts
            into.append(_part_text(part.get("text", part.get(kind, ""))))
    return "".join(texts), thoughts or "".join(hidden) or None


def _part_text(value: Any) -> str:
    if isinstance(value, list):
        return "".join(_part_text(item.get("text", "") if isinstance(item, dict) else item) for item in value)
    return value if isinstance(value, str) else ""


def _finish(reason: str | None) -> Finish:
    if reason is None or reason == "stop":
        return "stop"
    word = reason.lower()
    return "length" if word in _CUT else "refusal" if word in _DECLINED else "stop"


def _usage(
    completion: _Completion, request: Request, text: str, price: Price | None, *, cost_field: bool
) -> tuple[Usage, bool]:
    """Return the usage, and whether the endpoint reports how much input was cached."""
    usage = completion.usage
    if (
        usage is None
        or usage.prompt_tokens is None
        or min(usage.prompt_tokens, usage.completion_tokens or 0) < 0
    ):
        # The endpoint does not count tokens: they are estimated here, and the cost stays unknown.
        return Usage(
            1,
            estimate_request(request),
            0,
            estimate_tokens(text),
            None if price is None or price.input else 0.0,
        ), False
    details = usage.prompt_tokens_details
    reported = (
        details.cached_tokens if details is not None else None,
        usage.prompt_cache_hit_tokens,
        usage.cached_tokens,
        usage.cache_read_input_tokens,
        completion.timings.cache_n if completion.timings is not None else None,
    )
    known = [int(number) for number in reported if number is not None]
    tokens = int(usage.prompt_tokens)
    cached = min(tokens, max((0, *known)))
    written = int(usage.completion_tokens or 0)
    if cost_field and usage.cost is not None:
        cost: float | None = usage.cost
    else:
        cost = price.cost(tokens, cached, written) if price is not None else None
    return Usage(1, tokens, cached, written, cost), bool(known)


def _logprobs(raw: msgspec.Raw) -> tuple[TokenLogprob, ...] | None:
    try:
        return tuple(
            TokenLogprob(
                str(row["token"]),
                float(row["logprob"]),
                tuple((str(top["token"]), float(top["logprob"])) for top in row.get("top_logprobs") or ()),
            )
            for row in msgspec.json.decode(raw)["content"]
        )
    except (msgspec.DecodeError, KeyError, TypeError, ValueError):
        return None


def _error_text(error: Any) -> str:
    if isinstance(error, dict):
        return str(error.get("message") or error.get("code") or error)
    return str(error) if error else "no reason given"


def _whole(value: Any) -> Any:
    """Return plain data with lone surrogates replaced; surrogate pairs become the character they encode."""
    if isinstance(value, str):
        return (
            value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(item) for item in value]
    return value
