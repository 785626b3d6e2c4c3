"""What a model is to Assay: something that completes a `Request` with a `Reply`.

    class Echo:
        id = "demo/echo"
        async def complete(self, request: Request) -> Reply:
            return Reply(text=request.messages[-1].content)

Everything that wraps a model – a ledger, a gate that lets the first call of a document go first – is a model too.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Final, Literal, Protocol

import msgspec

from assay.errors import EngineError, UsageError

Role = Literal["system", "user", "assistant"]
# "length": cut off at max_tokens; "refusal": the model or a filter declined.
Finish = Literal["stop", "length", "refusal"]


class ModelSetupError(UsageError):
    """A wrong key, an unknown model, a request no retry can mend: the whole run should stop and say so once."""


class ModelStoppedError(ModelSetupError):
    """A model that answered, or would, and now does not: the money is spent, the day's requests are used up.

    Nothing is wrong with what was asked; the same command goes on later.
    """

    exit_code = EngineError.exit_code


class CallFailedError(EngineError):
    """One call failed for good after its retries; other calls may go on. ``attempts`` counts the tries."""

    def __init__(self, message: str, *, attempts: int = 1) -> None:
        self.attempts = attempts
        super().__init__(message)


class ContextLengthError(CallFailedError):
    """The prompt does not fit into the model's context window."""


class PendingCall(Exception):  # noqa: N818 - no error: the answer comes later
    """A call whose reply is not there yet and will be in a later round, of batch files."""


class Message(msgspec.Struct, frozen=True, gc=False):
    """One message. Its content is ``lead + text``.

    ``lead`` is the part that many requests share (instructions, documents): kept once in the ledger and hashed once,
    if the same string object is handed over each time.
    """

    role: Role
    text: str
    lead: str = ""

    @property
    def content(self) -> str:
        """All of it."""
        return self.lead + self.text


class Sampling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How to sample. None leaves a setting to the endpoint's default, and nothing is sent.

    Attributes:
        temperature: 0 to 2.
        top_p: Nucleus, 0 to 1.
        max_tokens: Most tokens of the reply, reasoning included.
        seed: Sent where the endpoint takes one.
        stop: Strings that end the reply.
        top_logprobs: How many alternatives a token; 0 asks for none.
        reasoning_effort: For models that take one.
        extra: Further fields of the request body, as the endpoint names them.
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
    """A question to a model, complete: the same request is the same question.

    Attributes:
        model: The model's id, ``provider/name``.
        messages: What is said so far.
        sampling: How to sample.
        schema: JSON schema the reply must follow, where the endpoint can hold a model to one.
        draw: Which of several draws this is; repeated trials differ in it even where no seed is taken.
    """

    model: str
    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    schema: dict[str, Any] | None = None
    draw: int = 0

    def key(self) -> str:
        """Content address, 32 hex digits: anything that could change the reply changes it."""
        kept: str | None = self.__dict__.get("hashed")
        if kept is None:
            kept = self.__dict__["hashed"] = self._key()
        return kept

    def _key(self) -> str:
        rest = msgspec.json.encode((self.model, self.sampling, self.draw))
        digest = hashlib.blake2b(rest, digest_size=16)
        if self.schema is not None:
            # In the order given: the order of the properties is the order they are written in.
            digest.update(_ENCODER.encode(self.schema))
        for message in self.messages:
            text = message.text.encode("utf-8", "surrogatepass")
            # The length keeps the border between messages unambiguous.
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
    """What was used. Input counts cached input too; ``cost_usd`` is None where no price is known."""

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


class TokenLogprob(msgspec.Struct, frozen=True):
    """A token of the reply, its log probability (natural), and the alternatives that were asked for."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came back.

    Attributes:
        text: The reply.
        finish: Why it ended.
        usage: One call and its tokens.
        reasoning: Hidden reasoning, where the endpoint gives it apart from the text.
        served: The model's name as the endpoint reports it.
        reports_cache: Whether the endpoint says how much input it had cached, be it nothing.
        logprobs: Where asked for and given.
        attempts: Tries until it came.
        seconds: From the last try's first byte out to its last byte in.
        dropped: Settings the endpoint would not take and that were left out.
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
        """Let go of connections. A closed model answers no more."""
        ...
