"""Rows as text, and requests without their texts.

A row is JSON, readable with any SQLite tool. Two things JSON cannot say – a lone surrogate, a number that is none – send
a row the long way round, marked by a ``!`` in front, so that everything comes back exactly as it went in.

A request names its longer texts by their hashes: a report that 500 requests share is kept once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, TypeVar

import msgspec

from assay.models.base import Message, Request, Role, Sampling

T = TypeVar("T")
# A reference takes 33 characters; a text not much longer is kept where it is said.
_SHORT: Final = 64


class RowCodec(msgspec.Struct, frozen=True):
    """How rows of one type are read and written."""

    decoder: msgspec.json.Decoder[Any]
    type: Any

    @classmethod
    def of(cls, kind: Any) -> RowCodec:
        """Of this type."""
        return cls(msgspec.json.Decoder(kind), kind)

    def unpack(self, text: str) -> Any:
        """What `pack` was given.

        Raises:
            msgspec.MsgspecError: The text is none of this type.
        """
        if text.startswith("!"):
            return msgspec.convert(_walk(json.loads(text[1:]), _unescaped), self.type)
        return self.decoder.decode(text)


_ENCODER: Final = msgspec.json.Encoder()


def pack(value: Any, row: RowCodec) -> str:
    """A value as text that `RowCodec.unpack` turns back into it."""
    try:
        data = _ENCODER.encode(value)
        # JSON has no infinity, and null stands in for it; only where a number must be does that show.
        if b"null" in data:
            row.decoder.decode(data)
        return data.decode()
    except (UnicodeEncodeError, msgspec.ValidationError):
        return "!" + json.dumps(_walk(msgspec.to_builtins(value), _escaped), separators=(",", ":"))


def _walk(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key): _walk(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_walk(item, change) for item in value]
    return value


def _escaped(text: str) -> str:
    # One character for each byte: nothing left that JSON could stumble over, or join with its neighbour.
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _unescaped(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogatepass")


class _StoredRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request on disk. Texts are ``=text`` or ``#hash``; messages are role, lead, text."""

    model: str
    messages: tuple[tuple[Role, str, str], ...]
    sampling: Sampling = Sampling()
    schema: str | None = None
    draw: int = 0


_KEPT: Final = RowCodec.of(_StoredRequest)
_Keep = Callable[[str, Callable[[], bytes]], None]


def pack_request(request: Request, keep: _Keep) -> str:
    """A request as text. ``keep`` is handed the hash of each longer text, and a way to get its bytes."""

    def say(text: str) -> str:
        if len(text) < _SHORT:
            return "=" + text
        data = text_bytes(text)
        name = hashlib.blake2b(data, digest_size=16).hexdigest()
        keep(name, lambda: data)
        return "#" + name

    def lead(text: str) -> str:
        if len(text) < _SHORT:
            return "=" + text
        name = _lead_name(text)
        keep(name, lambda: text_bytes(text))
        return "#" + name

    return pack(
        _StoredRequest(
            request.model,
            tuple((message.role, lead(message.lead), say(message.text)) for message in request.messages),
            request.sampling,
            None if request.schema is None else say(_schema_text(request.schema)),
            request.draw,
        ),
        _KEPT,
    )


def text_bytes(text: str) -> bytes:
    """A text as it is kept; lone surrogates survive."""
    return text.encode("utf-8", "surrogatepass")


def text_of(data: bytes) -> str:
    """What `text_bytes` was given."""
    return bytes(data).decode("utf-8", "surrogatepass")


@lru_cache(maxsize=64)
def _lead_name(lead: str) -> str:
    # Requests that share a lead share the string, whose hash Python has at hand.
    return hashlib.blake2b(text_bytes(lead), digest_size=16).hexdigest()


_SCHEMA: Final = RowCodec.of(dict[str, Any])


def _schema_text(schema: dict[str, Any]) -> str:
    return pack(schema, _SCHEMA)


def references(text: str) -> Iterator[str]:
    """Hashes of the texts that a packed request needs."""
    kept: _StoredRequest = _KEPT.unpack(text)
    for _, lead, said in kept.messages:
        for part in (lead, said):
            if part.startswith("#"):
                yield part[1:]
    if kept.schema is not None and kept.schema.startswith("#"):
        yield kept.schema[1:]


def unpack_request(text: str, find: Callable[[str], str]) -> Request:
    """The request; ``find`` gives the text for a hash."""
    kept: _StoredRequest = _KEPT.unpack(text)

    def said(part: str) -> str:
        return find(part[1:]) if part.startswith("#") else part[1:]

    return Request(
        model=kept.model,
        messages=tuple(Message(role, said(part), said(lead)) for role, lead, part in kept.messages),
        sampling=kept.sampling,
        schema=None if kept.schema is None else _SCHEMA.unpack(said(kept.schema)),
        draw=kept.draw,
    )
