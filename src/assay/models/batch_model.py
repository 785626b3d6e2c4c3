"""A model that answers from batch files of responses; other requests wait for the next round.

A strategy of several calls makes the second after reading the first. A round therefore holds every request
whose reply is missing, and the next round gets as far as the new replies allow.

An endpoint reports at once what it does not accept, and the client changes the request; a batch reports it
hours later, for every request. So what is known about a model is applied from the start, and refusals are
remembered for the next round.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.models.base import CallFailedError, ContextLengthError, PendingCall, Reply, Request, Usage
from assay.models.faults import Fault
from assay.models.quirks import Quirks, usual_quirks
from assay.models.wire import GarbledError, decode_reply, encode_request

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from assay.models.batch_responses import Responses
    from assay.models.prices import Price

# OpenAI's reasoning models accept one temperature and no logprobs unless reasoning is off, which is the default in 5.1,
# 5.2 and 5.4 only (OpenAI's errors as users quote them, and LiteLLM 1.109's table of models).
_REASONS: Final = re.compile(r"(?:o\d|gpt-[5-9])(?!.*-chat)(?!.*-search)")
_OFF_AT_FIRST: Final = re.compile(r"gpt-5\.[124](?![\d])")
_FIXED: Final = ("temperature", "top_p", "logprobs")
# Complaints remembered per model, so that reading a file twice teaches nothing new.
_REMEMBERED: Final = 50
_SCHEMAS: Final = {
    "strict": "strict schemas",
    "json_schema": "schemas without strictness",
    "json_object": "JSON without schemas",
    "none": "without schemas",
}


class LearntQuirks(msgspec.Struct, omit_defaults=True):
    """What the refusals of batches have taught about a model."""

    left_out: list[str] = []
    names: dict[str, str] = {}
    schema: str | None = None
    without: list[str] = []
    complaints: list[str] = []


class BatchQuirks:
    """How requests to a model are changed in batches: what is known in advance, and what refusals have taught.

    Args:
        model_id: ``provider/name``.
        name: Name of the model at the provider.
        quirks: What is known in advance; by default about its provider.
        learnt: What was learnt before.
    """

    def __init__(
        self, model_id: str, name: str, quirks: Quirks | None = None, learnt: LearntQuirks | None = None
    ) -> None:
        self._quirks = quirks or usual_quirks(model_id)
        if model_id.partition("/")[0].lower() == "openai":
            # Reasoning models refuse the older name; all models accept the newer one.
            self._quirks.names["max_tokens"] = "max_completion_tokens"
        self._reasons = model_id.lower().startswith("openai/") and _REASONS.match(name) is not None
        self._off_at_first = _OFF_AT_FIRST.match(name) is not None
        self._known: list[str] = list(learnt.complaints) if learnt is not None else []
        self._new = False
        if learnt is not None:
            self._quirks.left_out.update(learnt.left_out)
            self._quirks.names.update(learnt.names)
            self._quirks.without.update(learnt.without)
            self._quirks.schema = learnt.schema or self._quirks.schema
        self._thinking = self._and_fixed()
        self._before = self._asks()

    def of(self, request: Request) -> Quirks:
        """Return the quirks that apply to a request."""
        if not self._reasons:
            return self._quirks
        effort = request.sampling.reasoning_effort
        off = effort == "none" or (effort is None and self._off_at_first)
        return self._quirks if off else self._thinking

    def learn(self, request: Request, fault: Fault) -> None:
        """Learn from a refusal.

        One thing is learnt per round: every request of a file repeats the same complaint in its own words.
        """
        complaint = fault.detail or fault.message
        if complaint in self._known:
            return
        if len(self._known) < _REMEMBERED:
            self._known.append(complaint)
        if not self._new and self._quirks.learn(request, fault.detail, fault.parameter):
            self._new = True
            self._thinking = self._and_fixed()

    @property
    def learnt(self) -> LearntQuirks | None:
        """What to remember; None if nothing was learnt."""
        quirks = self._quirks
        if not self._known:
            return None
        return LearntQuirks(
            left_out=sorted(quirks.left_out),
            names=dict(sorted(quirks.names.items())),
            schema=quirks.schema,
            without=sorted(quirks.without),
            complaints=list(self._known),
        )

    @property
    def taught(self) -> list[str]:
        """How the next round changes requests further, in words."""
        return [words for words in self._asks() if words not in self._before]

    def _asks(self) -> list[str]:
        quirks = self._quirks
        words = [f"without {name}" for name in sorted(quirks.left_out)]
        words += [f"{new} for {name}" for name, new in sorted(quirks.names.items())]
        words += [f"without {name} in schemas" for name in sorted(quirks.without)]
        return [*words, _SCHEMAS[quirks.schema]]

    def _and_fixed(self) -> Quirks:
        quirks = Quirks(self._quirks.names)
        quirks.schema = self._quirks.schema
        quirks.without = self._quirks.without
        quirks.left_out = {*self._quirks.left_out, *_FIXED}
        return quirks


class BatchModel:
    """A model behind batch files.

    Args:
        model_id: Model id.
        name: Name of the model at the provider.
        quirks: How its requests are changed.
        responses: Available responses.
        waits: Callback for each request without a response, with a function that encodes its body.
        extra: Additional fields of the request body.
        price: Price of the model.
        given_up: Keys of requests that are not sent again.

    Attributes:
        used: Keys of the requests that were answered from the files.
        failed: Faults by the key of the request, for responses that are not replies.
        given_up: Keys of requests that no further round can mend.
    """

    def __init__(
        self,
        model_id: str,
        name: str,
        quirks: BatchQuirks,
        *,
        responses: Responses | None = None,
        waits: Callable[[Request, Callable[[], bytes]], None] | None = None,
        extra: dict[str, Any] | None = None,
        price: Price | None = None,
        given_up: Collection[str] = (),
    ) -> None:
        self.used: set[str] = set()
        self.failed: dict[str, Fault] = {}
        self.given_up: set[str] = set(given_up)
        self._id = model_id
        self._name = name
        self._quirks = quirks
        self._responses = responses
        self._waits = waits
        self._extra = extra
        self._price = price

    @property
    def id(self) -> str:
        """``provider/name``."""
        return self._id

    async def complete(self, request: Request) -> Reply:
        """Return the reply from the files.

        Raises:
            PendingCall: There is none yet.
            ContextLengthError: The files report that the prompt is too long.
            CallFailedError: The request was given up before.
        """
        key = request.key()
        if self._responses is not None:
            reply = self._find(key, request, self._responses)
            if reply is not None:
                self.used.add(key)
                return reply
        elif key in self.given_up:
            raise CallFailedError(f"{self._id}: this request was abandoned in an earlier round")
        if self._waits is not None:
            self._waits(request, lambda: self.body(request))
        raise PendingCall(key)

    def body(self, request: Request) -> bytes:
        """Return the body of a request as it is sent."""
        return encode_request(request, self._name, self._quirks.of(request), self._extra)

    async def close(self) -> None:
        """Do nothing: the files belong to their opener."""

    def _find(self, key: str, request: Request, responses: Responses) -> Reply | None:
        fault = responses.failed.get(key)
        body = responses.body(key)
        dropped = self._quirks.of(request).dropped(request)
        if body is not None:
            try:
                return decode_reply(body, request, price=self._price, dropped=dropped)
            except GarbledError as error:
                fault = Fault(kind="broken", message=str(error))
        if fault is None:
            return None
        if fault.kind == "declined":
            # A filter's refusal is a reply, as in direct calls.
            usage = Usage(1, 0, 0, 0, 0.0 if self._price is not None else None)
            return Reply(text=fault.message, finish="refusal", usage=usage, dropped=dropped)
        self.failed[key] = fault
        if fault.kind == "long":
            self.given_up.add(key)
            raise ContextLengthError(
                f"{self._id}: the prompt is longer than the model can read ({fault.message})"
            )
        if fault.kind == "field":
            self._quirks.learn(request, fault)
        return None
