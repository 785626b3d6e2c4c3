"""Checkup of a model: whether it works, what it supports and what it costs, by two tiny calls."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from assay.errors import AssayError
from assay.models.base import CallFailedError, Message, Model, Reply, Request, Sampling, Usage
from assay.models.endpoint import EndpointModel
from assay.models.prices import Price, price_of
from assay.models.transport import shown_url
from assay.models.windows import ModelInfo, endpoint_of, preflight

# "honoured": the reply follows the schema; "ignored": the reply does not; "refused": the endpoint refuses the schema.
SchemaFinding = Literal["honoured", "ignored", "refused"]

_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string", "description": "at most ten words"},
        "verdict": {"type": "string", "enum": ["yes", "no"]},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}
_SYSTEM: Final = "You are a careful judge. Answer as JSON with the keys reason and verdict."
_QUESTION: Final = (
    "Does this sentence name a number? Sentence: The bridge is 300 metres long. Verdict: yes or no."
)
# Enough for a model that reasons first; the reply itself is one line.
_MOST: Final = 1024


class Checkup(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a checkup.

    Attributes:
        model: Model id.
        works: Whether it answered with text.
        problem: Why it does not work.
        endpoint: Base URL.
        key: Variable whose key was sent; None if none was.
        kind: Server software, if it can be recognised.
        served: Name of the model as reported by the endpoint.
        seconds: Duration of the first and the second call.
        schema: What happened to the JSON schema.
        seed: Whether a seed is accepted.
        logprobs: Whether log probabilities were returned.
        reasoning: Whether hidden reasoning was returned.
        repeats: Whether the same request brought the same reply.
        reports_cache: Whether the endpoint reports cached input tokens.
        cached_tokens: Cached input tokens of the second call.
        caches: Whether prefixes are cached; None if unknown.
        context_window: Context window in tokens.
        concurrency: Configured calls in flight.
        rpm: Configured requests per minute.
        tpm: Configured tokens per minute.
        dropped: Settings that the endpoint refuses.
        price: Price in USD per million tokens.
        usage: Usage of the checkup.
        reply: Text of the first reply.
    """

    model: str
    works: bool
    problem: str | None = None
    endpoint: str | None = None
    key: str | None = None
    kind: str | None = None
    served: str | None = None
    seconds: tuple[float, ...] = ()
    schema: SchemaFinding | None = None
    seed: bool | None = None
    logprobs: bool | None = None
    reasoning: bool | None = None
    repeats: bool | None = None
    reports_cache: bool | None = None
    cached_tokens: int | None = None
    caches: bool | None = None
    context_window: int | None = None
    concurrency: int | None = None
    rpm: int | None = None
    tpm: int | None = None
    dropped: tuple[str, ...] = ()
    price: Price | None = None
    usage: Usage = Usage()
    reply: str | None = None


async def check_model(model: Model) -> tuple[Checkup, AssayError | None]:
    """Send a model the same tiny request twice; return the checkup, and the error if the model does not work.

    The model is not closed.
    """
    settings = getattr(model, "settings", None)
    base: dict[str, Any] = {"model": model.id, "price": price_of(model.id, getattr(settings, "price", None))}
    replies: list[Reply] = []
    seconds: list[float] = []
    info = ModelInfo()
    try:
        endpoint = await endpoint_of(model)
        if endpoint is not None:
            base.update(_of_endpoint(endpoint))
        info = await preflight(model, ask=True)
        request = _request(model.id)
        for _ in range(2):
            started = time.perf_counter()
            replies.append(await model.complete(request))
            seconds.append(round(time.perf_counter() - started, 4))
    except AssayError as error:
        return Checkup(works=False, problem=str(error), **base, **_of_info(info)), error
    first, second = replies
    silence = _silence(model.id, replies)
    checkup = Checkup(
        works=silence is None,
        problem=None if silence is None else str(silence),
        served=first.served,
        seconds=tuple(seconds),
        schema=_schema_finding(first),
        seed="seed" not in first.dropped,
        logprobs=bool(first.logprobs),
        reasoning=first.reasoning is not None,
        repeats=first.text == second.text,
        reports_cache=second.reports_cache,
        cached_tokens=second.usage.cached_input_tokens if second.reports_cache else None,
        dropped=second.dropped,
        usage=first.usage + second.usage,
        reply=first.text,
        **base,
        **_of_info(info),
    )
    return checkup, silence


def _silence(model_id: str, replies: list[Reply]) -> CallFailedError | None:
    """Return the error of a model whose replies are empty: it cannot be a judge."""
    if any(reply.text.strip() for reply in replies):
        return None
    hidden = any(reply.reasoning for reply in replies)
    more = f": hidden reasoning used up the limit of {_MOST:,} tokens" if hidden else ""
    return CallFailedError(f"{model_id}: every reply was empty{more}")


def _request(model_id: str) -> Request:
    return Request(
        model=model_id,
        messages=(Message("system", _SYSTEM), Message("user", _QUESTION)),
        sampling=Sampling(max_tokens=_MOST, seed=1, top_logprobs=2),
        schema=_SCHEMA,
    )


def _of_endpoint(model: EndpointModel) -> dict[str, Any]:
    endpoint, settings = model.endpoint, model.settings
    return {
        "endpoint": shown_url(endpoint.base_url),
        "key": endpoint.key.source if endpoint.key is not None else None,
        "concurrency": settings.concurrency,
        "rpm": settings.rpm,
        "tpm": settings.tpm,
    }


def _of_info(info: ModelInfo) -> dict[str, Any]:
    return {"kind": info.kind, "caches": info.caches, "context_window": info.context_window}


def _schema_finding(reply: Reply) -> SchemaFinding:
    if "schema" in reply.dropped:
        return "refused"
    try:
        value = json.loads(reply.text)
    except ValueError:
        return "ignored"
    fits = (
        isinstance(value, Mapping)
        and set(value) == set(_SCHEMA["required"])
        and isinstance(value["reason"], str)
        and value["verdict"] in ("yes", "no")
    )
    return "honoured" if fits else "ignored"
