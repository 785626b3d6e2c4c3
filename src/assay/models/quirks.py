"""What a model's endpoint would not take, learnt from its refusals, so that it is asked for once only.

Endpoints that call themselves compatible differ in what they accept, and say so with a 400 that names a parameter. Such
a parameter is renamed where there is another name for it, asked for in a weaker form where there is one, or left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final

from assay.models.base import Request
from assay.models.providers import SchemaMode, known_providers
from assay.models.schema_keywords import has_keyword

# From the strictest way to ask for a schema to none; a refusal moves one further.
_LADDER: Final = ("strict", "json_schema", "json_object", "none")

# Bounds in a schema, which some strict modes do not know. The parser minds them all the same.
BOUNDS: Final = ("maxLength", "minLength", "maxItems", "minItems", "maximum", "minimum")

# What a complaint about a parameter says of it.
_COMPLAINT: Final = re.compile(
    r"unsupported|not.{0,12}support|unrecogni[sz]ed|unknown|unexpected|not (?:be )?(?:permitted|allowed|available|accepted)"
    r"|unavailable|extra (?:inputs|fields|parameters)|does not accept|deprecated|cannot (?:find|be|both)|only the default"
    r"|invalid (?:parameter|schema|value|json|argument|type|field)|must not|not valid|required to be|incompatible|disabled",
    re.IGNORECASE,
)
# Complaints about how much was asked for, not about the parameter.
_AMOUNT: Final = re.compile(
    r"too (?:large|small|high|low|long)|at (?:least|most)|less than|greater than|exceed|maximum",
    re.IGNORECASE,
)

_PLAIN: Final = ("temperature", "top_p", "seed", "stop", "reasoning_effort")
_MAX_TOKENS: Final = ("max_tokens", "max_completion_tokens")
_LOGPROBS: Final = ("logprobs", "top_logprobs")
_SCHEMA_WORDS: Final = (
    "response_format",
    "json_schema",
    "json_object",
    "guided_json",
    "strict",
    "schema",
    "additionalproperties",
    "additional_properties",
)


class Quirks:
    """What one model's endpoint does not take.

    Attributes:
        left_out: Parameters that are not sent any more.
        names: What it calls a parameter, where its name for it differs.
        schema: How it is asked to follow a schema.
        without: Keywords that are left out of the schema.
        version: Grows with each thing learnt.
    """

    def __init__(
        self,
        fields: Mapping[str, str] | None = None,
        schema: SchemaMode = "json_schema",
        without: Collection[str] = (),
    ) -> None:
        self.left_out: set[str] = set()
        self.names: dict[str, str] = dict(fields or {})
        self.schema: str = "strict" if schema == "json_schema" else schema
        self.without: set[str] = set(without)
        self.version = 0

    def name(self, parameter: str) -> str:
        """What the endpoint calls a parameter."""
        return self.names.get(parameter, parameter)

    def dropped(self, request: Request) -> tuple[str, ...]:
        """What of a request is not sent, or not as asked."""
        sampling = request.sampling
        missing: list[str] = []
        if self.left_out:
            missing = [
                name
                for name in (*_PLAIN, "max_tokens")
                if name in self.left_out and getattr(sampling, name) not in (None, ())
            ]
            if sampling.top_logprobs and "logprobs" in self.left_out:
                missing.append("logprobs")
        if request.schema is not None and self.schema != "strict":
            missing.append("strict" if self.schema == "json_schema" else "schema")
        return tuple(missing)

    def learn(self, request: Request, message: str, parameter: str | None) -> bool:
        """Take a refusal to heart; False where it names nothing that can be mended.

        Args:
            request: What was asked.
            message: The endpoint's complaint.
            parameter: The parameter it names apart from the message, if it does.
        """
        if not _COMPLAINT.search(message) and not parameter:
            return False
        text = message.lower()
        learnt = (
            self._max_tokens(request, text, parameter)
            or self._schema(request, text, parameter)
            or self._other(request, text, parameter)
        )
        self.version += learnt
        return learnt

    def _max_tokens(self, request: Request, text: str, parameter: str | None) -> bool:
        sent = self.name("max_tokens")
        if (
            request.sampling.max_tokens is None
            or "max_tokens" in self.left_out
            or not _names(text, parameter, sent)
        ):
            return False
        if _AMOUNT.search(text) and "instead" not in text:
            return False
        other = _MAX_TOKENS[1 - _MAX_TOKENS.index(sent)] if sent in _MAX_TOKENS else "max_tokens"
        if "max_tokens" in self.names:
            # It was renamed before, and that is refused too.
            self.left_out.add("max_tokens")
        else:
            self.names["max_tokens"] = other
        return True

    def _schema(self, request: Request, text: str, parameter: str | None) -> bool:
        if request.schema is None or self.schema == "none":
            return False
        if not any(_names(text, parameter, word) for word in _SCHEMA_WORDS):
            return False
        if self._bounds(request, text):
            return True
        step = _LADDER.index(self.schema)
        whole = not any(
            word in text
            for word in ("strict", "additionalprop", "additional_prop", "invalid schema", "in context=")
        )
        if self.schema == "strict" and whole and ("json_schema" in text or "response_format" in text):
            # It is the form that is refused, not this schema's strictness.
            step += 1
        self.schema = _LADDER[step + 1]
        return True

    def _bounds(self, request: Request, text: str) -> bool:
        """A bound that it will not have in a schema; the schema may stay as strict as it is."""
        refused = [word for word in BOUNDS if word not in self.without and _names(text, None, word.lower())]
        if not refused or not has_keyword(request.schema, refused):
            return False
        self.without.update(refused)
        return True

    def _other(self, request: Request, text: str, parameter: str | None) -> bool:
        sampling = request.sampling
        sent = [
            name for name in _PLAIN if getattr(sampling, name) not in (None, ()) and name not in self.left_out
        ]
        named = [name for name in sent if _names(text, parameter, self.name(name))]
        if (
            sampling.top_logprobs
            and "logprobs" not in self.left_out
            and any(_names(text, parameter, name) for name in _LOGPROBS)
        ):
            named.append("logprobs")
        if {"temperature", "top_p"} <= set(named) and "both" in text:
            # One of the two may stay.
            named.remove("temperature")
        self.left_out.update(named)
        return bool(named)


def _names(text: str, parameter: str | None, name: str) -> bool:
    """Whether a complaint names a parameter: apart, or as a word of its own."""
    if parameter and re.split(r"[.\[]", parameter.lower())[0] == name:
        return True
    return re.search(rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])", text) is not None


@lru_cache(maxsize=1024)
def shared_quirks(
    base_url: str,
    name: str,
    fields: tuple[tuple[str, str], ...] = (),
    schema: SchemaMode = "json_schema",
    without: tuple[str, ...] = (),
) -> Quirks:
    """The one memory a process has of a model: whoever opens it again need not learn it again."""
    del base_url, name  # the key of the memory
    return Quirks(dict(fields), schema, without)


def usual_quirks(model_id: str) -> Quirks:
    """What is known beforehand of a model's provider, for requests that cannot be put differently once refused."""
    provider = known_providers().get(model_id.partition("/")[0].lower())
    if provider is None:
        return Quirks(without=BOUNDS)
    return Quirks(provider.fields, provider.schema, provider.schema_without)
