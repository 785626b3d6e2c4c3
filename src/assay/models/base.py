"""The model interface: anything that completes a `Request` with a `Reply`.

    class Echo:
        id = "demo/echo"
        async def complete(self, request: Request) -> Reply:
            return Reply(text=request.messages[-1].content)

Whatever wraps a model, such as a ledger or a limiter, is a model too.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Final, Literal, Protocol

import msgspec

from assay.errors import EngineError, ModelError, UsageError
from assay.text.amounts import money, plural, tokens

Role = Literal["system", "user", "assistant"]
# "length": cut off at max_tokens; "refusal": the model or a filter declined.
Finish = Literal["stop", "length", "refusal"]


class ModelSetupError(UsageError):
    """No request can succeed: a wrong key, an unknown model. The whole run should stop and say so once."""


class ModelStoppedError(ModelSetupError):
    """A model stopped answering for now: its credit or its daily quota is used up. The same command resumes later."""

    exit_code = EngineError.exit_code


class CallFailedError(ModelError):
    """One call failed for good after its retries; other calls may go on. ``attempts`` counts the attempts."""

    def __init__(self, message: str, *, attempts: int = 1) -> None:
        self.attempts = attempts
        super().__init__(message)


class ContextLengthError(CallFailedError):
    """The prompt does not fit into the model's context window."""


class PendingCall(Exception):  # noqa: N818 - not an error: the reply comes later
    """The reply to a call will arrive in a later round of batch files."""


class Message(msgspec.Struct, frozen=True, gc=False):
    """One message; its content is ``lead + text``.

    ``lead`` is the part that many requests share (instructions, documents). The ledger stores it once, and it
    is hashed once if the same string object is passed each time.
    """

    role: Role
    text: str
    lead: str = ""

    @property
    def content(self) -> str:
        """The whole content."""
        return self.lead + self.text


class Sampling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sampling parameters. None leaves a parameter to the endpoint's default and sends nothing.

    Attributes:
        temperature: 0 to 2.
        top_p: Nucleus sampling, 0 to 1.
        max_tokens: Maximum tokens of the reply, reasoning included.
        seed: Random seed, for endpoints that accept one.
        stop: Strings that end the reply.
        top_logprobs: Number of alternatives per token; 0 requests none.
        reasoning_effort: For models that accept one.
        extra: Additional fields of the request body, under the endpoint's names.
    """

    temperature: float | None = 0.0
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    top_logprobs: int = 0
    reasoning_effort: str | None = None
    extra: dict[str, Any] = {}


class Request(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A complete request to a model: two equal requests ask the same question.

    Attributes:
        model: Model id, ``provider/name``.
        messages: The conversation so far.
        sampling: Sampling parameters.
        schema: JSON schema for the reply, for endpoints that can enforce one.
        draw: Number of the draw; repetitions differ in it even without a seed.
    """

    model: str
    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    schema: dict[str, Any] | None = None
    draw: int = 0

    def key(self) -> str:
        """Return the content address, 32 hex digits: anything that could change the reply changes it."""
        key: str | None = self.__dict__.get("hashed")
        if key is None:
            key = self.__dict__["hashed"] = self._key()
        return key

    def _key(self) -> str:
        rest = msgspec.json.encode((self.model, self.sampling, self.draw))
        digest = hashlib.blake2b(rest, digest_size=16)
        if self.schema is not None:
            # Not sorted: models write the properties in the order of the schema.
            digest.update(_ENCODER.encode(self.schema))
        for message in self.messages:
            text = message.text.encode("utf-8", "surrogatepass")
            # The length makes the boundary between messages unambiguous.
            digest.update(b"\0%s\0%d\0" % (message.role.encode(), len(text)))
            if message.lead:
                digest.update(_lead_digest(message.lead))
            digest.update(text)
        return digest.hexdigest()


_ENCODER: Final = msgspec.json.Encoder()


@lru_cache(maxsize=1024)
def _lead_digest(lead: str) -> bytes:
    return hashlib.blake2b(lead.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Usage(msgspec.Struct, frozen=True):
    """Calls, tokens and cost. Input tokens include cached ones; ``cost_usd`` is None if the price is unknown."""

    calls: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.cached_input_tokens + other.cached_input_tokens,
            self.output_tokens + other.output_tokens,
            (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )

    def __str__(self) -> str:
        """Return calls, tokens and cost in a few words."""
        if not self.calls:
            return "no calls"
        cached = (
            f", {self.cached_input_tokens / self.input_tokens:.0%} cached" if self.cached_input_tokens else ""
        )
        cost = f", {money(self.cost_usd)}" if self.cost_usd != 0 else ""
        size = f"{tokens(self.input_tokens)} tokens in{cached}, {tokens(self.output_tokens)} out"
        return f"{plural(self.calls, 'call')}, {size}{cost}"


class TokenLogprob(msgspec.Struct, frozen=True):
    """A token of the reply, its natural log probability, and the requested alternatives."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model's reply.

    Attributes:
        text: The text.
        finish: Why it ended.
        usage: One call and its tokens.
        reasoning: Hidden reasoning, if the endpoint returns it apart from the text.
        served: Name of the model as reported by the endpoint.
        reports_cache: Whether the endpoint reports the number of cached input tokens, even if it is 0.
        logprobs: Log probabilities, if requested and returned.
        attempts: Number of attempts it took.
        seconds: Duration of the last attempt.
        dropped: Settings that were not sent because the endpoint refuses them.
    """

    text: str
    finish: Finish = "stop"
    usage: Usage = Usage(calls=1)
    reasoning: str | None = None
    served: str | None = None
    reports_cache: bool = False
    logprobs: tuple[TokenLogprob, ...] | None = None
    attempts: int = 1
    seconds: float = 0.0
    dropped: tuple[str, ...] = ()


class Model(Protocol):
    """A chat model, or a wrapper around one."""

    @property
    def id(self) -> str:
        """``provider/name``, as on the command line."""
        ...

    async def complete(self, request: Request) -> Reply:
        """Answer one request.

        Raises:
            ModelSetupError: No call to this model can succeed.
            ContextLengthError: The prompt is too long for the model.
            CallFailedError: This call failed for good.
        """
        ...

    async def close(self) -> None:
        """Release connections. A closed model answers no further requests."""
        ...
