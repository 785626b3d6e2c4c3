"""What an endpoint does not accept, learnt from its refusals, so that each is met only once.

Compatible endpoints differ in the parameters they accept, and refuse one with a 400 that names it. Such a
parameter is renamed, requested in a weaker form, or left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final

from assay.models.base import Request
from assay.models.providers import SchemaMode, known_providers
from assay.models.schema_keywords import has_keyword

# From the strictest way to request a schema to none; each refusal moves one step down.
_LADDER: Final = ("strict", "json_schema", "json_object", "none")

# Bounds in a schema, which some strict modes do not know. The parser checks them in any case.
BOUNDS: Final = ("maxLength", "minLength", "maxItems", "minItems", "maximum", "minimum")

# Phrases of complaints about a parameter.
_COMPLAINT: Final = re.compile(
    r"unsupported|not.{0,12}support|unrecogni[sz]ed|unknown|unexpected|unavailable|deprecated|incompatible|disabled"
    r"|not (?:be )?(?:permitted|allowed|available|accepted)|extra (?:inputs|fields|parameters)|does not accept"
    r"|cannot (?:find|be|both)|only the default|invalid (?:parameter|schema|value|json|argument|type|field)"
    r"|must not|not valid|required to be",
    re.IGNORECASE,
)
# Phrases of complaints about a value, not about the parameter.
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
    """What the endpoint of one model does not accept.

    Attributes:
        left_out: Parameters that are not sent.
        names: The endpoint's own names of parameters.
        schema: How a JSON schema is requested.
        without: Keywords that are removed from schemas.
        version: Number of things learnt.
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
        """Return the endpoint's name of a parameter."""
        return self.names.get(parameter, parameter)

    def dropped(self, request: Request) -> tuple[str, ...]:
        """Return the settings of a request that are not sent, or not as requested."""
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
        """Learn from a refusal; return False if it names nothing that can be changed.

        Args:
            request: The refused request.
            message: The endpoint's complaint.
            parameter: Parameter that the endpoint names apart from the message.
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
            # The new name is refused too.
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
            # The form is refused, not this schema's strictness.
            step += 1
        self.schema = _LADDER[step + 1]
        return True

    def _bounds(self, request: Request, text: str) -> bool:
        """Drop the bounds of schemas that the endpoint refuses; the schema keeps its strictness."""
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
    """Whether a complaint names a parameter, as a word of its own or apart."""
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
    """Return the process's only record of a model's quirks, so that they are learnt once."""
    del base_url, name  # the key of the cache
    return Quirks(dict(fields), schema, without)


def usual_quirks(model_id: str) -> Quirks:
    """Return the quirks of a model's provider that are known in advance, for requests that cannot be changed later."""
    provider = known_providers().get(model_id.partition("/")[0].lower())
    if provider is None:
        return Quirks(without=BOUNDS)
    return Quirks(provider.fields, provider.schema, provider.schema_without)
