"""Encoding of rows as text, and of requests without their longer texts.

A row is JSON, readable with any SQLite tool. Lone surrogates and non-finite numbers, which JSON lacks, make a row
take an escaped form, marked by a leading ``!``, so that every value is restored exactly.

An object begins with a checksum of the rest, ``{"~":"9ae0daaf",…``, so that one damaged bit is told, not believed. It
is still JSON. Rows of earlier versions have none and are read as they are.

A request refers to its longer texts by their hashes: a report that 500 requests share is kept once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, TypeVar
from zlib import crc32

import msgspec

from assay.models.base import Message, Request, Role, Sampling

T = TypeVar("T")
# A reference takes 33 characters; texts that are not much longer stay inline.
_SHORT: Final = 64


class RowCodec(msgspec.Struct, frozen=True):
    """Decoder of rows of one type."""

    decoder: msgspec.json.Decoder[Any]
    type: Any

    @classmethod
    def of(cls, kind: Any) -> RowCodec:
        """Return the codec of a type."""
        return cls(msgspec.json.Decoder(kind), kind)

    def unpack(self, text: str) -> Any:
        """Return the value that `pack` was given.

        Raises:
            msgspec.MsgspecError: The text is not of this type, or differs from its checksum.
        """
        if text.startswith("!"):
            return msgspec.convert(_walk(json.loads(_verified(text[1:])), _unescaped), self.type)
        return self.decoder.decode(_verified(text))


_ENCODER: Final = msgspec.json.Encoder()


def pack(value: Any, row: RowCodec) -> str:
    """Return a value as text that `RowCodec.unpack` restores."""
    try:
        data = _ENCODER.encode(value)
        # JSON writes infinity as null, which only shows when a number is required.
        if b"null" in data:
            row.decoder.decode(data)
        return _signed(data).decode()
    except (UnicodeEncodeError, msgspec.ValidationError):
        plain = json.dumps(_walk(msgspec.to_builtins(value), _escaped), separators=(",", ":"))
        return "!" + _signed(plain.encode()).decode()


_MARK: Final = '{"~":"'
# The mark, eight hexadecimal digits, and the closing quotation mark.
_HEAD: Final = len(_MARK) + 9


def _signed(data: bytes) -> bytes:
    """Return an object with its checksum as its first entry; anything else as it is."""
    if not data.startswith(b"{"):
        return data
    rest = data[1:]
    return b'%b%08x"%b%b' % (_MARK.encode(), crc32(rest), b"" if rest == b"}" else b",", rest)


def _verified(text: str) -> str:
    """Return an object without its checksum.

    Raises:
        msgspec.ValidationError: They differ.
    """
    if not text.startswith(_MARK):
        return text
    rest = text[_HEAD:].removeprefix(",")
    if f"{crc32(rest.encode('utf-8', 'surrogatepass')):08x}" != text[len(_MARK) : _HEAD - 1]:
        raise msgspec.ValidationError("it differs from its checksum")
    return "{" + rest


def _walk(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key): _walk(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_walk(item, change) for item in value]
    return value


def _escaped(text: str) -> str:
    # One character per byte, which JSON can always express.
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _unescaped(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogatepass")


class _StoredRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request as stored. Texts are ``=text`` or ``#hash``; messages are role, lead, text."""

    model: str
    messages: tuple[tuple[Role, str, str], ...]
    sampling: Sampling = Sampling()
    schema: str | None = None
    draw: int = 0


_KEPT: Final = RowCodec.of(_StoredRequest)
_Keep = Callable[[str, Callable[[], bytes]], None]


def pack_request(request: Request, keep: _Keep) -> str:
    """Return a request as text; ``keep`` receives each longer text: its hash, and a function for its bytes."""

    def say(text: str) -> str:
        if len(text) < _SHORT:
            return "=" + text
        data = text_bytes(text)
        name = text_name(data)
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
    """Return a text as stored; lone surrogates survive."""
    return text.encode("utf-8", "surrogatepass")


def text_of(data: bytes) -> str:
    """Return the text that `text_bytes` was given."""
    return bytes(data).decode("utf-8", "surrogatepass")


def text_name(data: bytes) -> str:
    """Return the name of a text as stored: its hash."""
    return hashlib.blake2b(bytes(data), digest_size=16).hexdigest()


@lru_cache(maxsize=64)
def _lead_name(lead: str) -> str:
    # Requests that share a lead share the string object, so the cache lookup is fast.
    return text_name(text_bytes(lead))


_SCHEMA: Final = RowCodec.of(dict[str, Any])


def _schema_text(schema: dict[str, Any]) -> str:
    return pack(schema, _SCHEMA)


def references(text: str) -> Iterator[str]:
    """Yield the hashes of the texts that a packed request needs."""
    kept: _StoredRequest = _KEPT.unpack(text)
    for _, lead, text_part in kept.messages:
        for part in (lead, text_part):
            if part.startswith("#"):
                yield part[1:]
    if kept.schema is not None and kept.schema.startswith("#"):
        yield kept.schema[1:]


def unpack_request(text: str, find: Callable[[str], str]) -> Request:
    """Return the request; ``find`` returns the text of a hash."""
    kept: _StoredRequest = _KEPT.unpack(text)

    def restored(part: str) -> str:
        return find(part[1:]) if part.startswith("#") else part[1:]

    return Request(
        model=kept.model,
        messages=tuple(Message(role, restored(part), restored(lead)) for role, lead, part in kept.messages),
        sampling=kept.sampling,
        schema=None if kept.schema is None else _SCHEMA.unpack(restored(kept.schema)),
        draw=kept.draw,
    )
