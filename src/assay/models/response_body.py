"""Reading the body of an HTTP response without trusting its size.

A server may send gigabytes, and a few kilobytes of gzip may unpack to gigabytes. Bodies are therefore counted as they
arrive and unpacked piece by piece, and reading stops at the first byte too many.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import aiohttp

# The longest replies of reasoning models, with log probabilities, stay below 1 MiB.
MAX_REPLY_BYTES: Final = 8 << 20
# An error message needs far less; what follows is cut off.
MAX_ERROR_BYTES: Final = 64 << 10
OVERSIZED: Final = f"the response is larger than {MAX_REPLY_BYTES >> 20} MiB and was dropped"
ACCEPT_ENCODING: Final = "gzip, deflate"


class OversizedBodyError(Exception):
    """The body is larger than allowed, packed or unpacked."""


class EncodedBodyError(Exception):
    """The body is compressed in a way that cannot be undone."""


async def read_body(response: aiohttp.ClientResponse) -> bytes:
    """Return the unpacked body of a response whose session does not unpack by itself.

    The body of an error response is cut at `MAX_ERROR_BYTES`.

    Raises:
        OversizedBodyError: A successful response is larger than `MAX_REPLY_BYTES`.
        EncodedBodyError: The body is damaged, cut off, or packed by a method that was not offered.
    """
    if response.status != 200:
        return await _read_error(response)
    if (response.content_length or 0) > MAX_REPLY_BYTES:
        raise OversizedBodyError
    unpacker = _Unpacker(response.headers.get("Content-Encoding", ""), MAX_REPLY_BYTES)
    received = 0
    async for piece in response.content.iter_any():
        received += len(piece)
        if received > MAX_REPLY_BYTES:
            raise OversizedBodyError
        unpacker.feed(piece)
    return unpacker.finish()


async def _read_error(response: aiohttp.ClientResponse) -> bytes:
    """Return the start of an error body; what cannot be unpacked is left out."""
    unpacker = _Unpacker(response.headers.get("Content-Encoding", ""), MAX_ERROR_BYTES)
    received = 0
    try:
        async for piece in response.content.iter_any():
            received += len(piece)
            unpacker.feed(piece)
            if received > MAX_ERROR_BYTES:
                break
    except (OversizedBodyError, EncodedBodyError):
        pass
    return bytes(unpacker.body[:MAX_ERROR_BYTES])


class _Unpacker:
    """Undoes a content encoding, up to ``most`` bytes."""

    def __init__(self, encoding: str, most: int) -> None:
        self.body = bytearray()
        self._encoding = encoding.strip().lower()
        self._most = most
        self._inflater: zlib._Decompress | None = None

    def feed(self, piece: bytes) -> None:
        """Add a piece of the body as it came."""
        if self._encoding in ("", "identity"):
            self.body += piece
        else:
            self._inflate(piece)
        if len(self.body) > self._most:
            raise OversizedBodyError

    def finish(self) -> bytes:
        """Return the whole body."""
        if self._inflater is not None and not self._inflater.eof:
            raise EncodedBodyError(f"the {self._encoding} body is cut off")
        return bytes(self.body)

    def _inflate(self, piece: bytes) -> None:
        if self._inflater is None:
            self._inflater = zlib.decompressobj(self._window_bits(piece))
        try:
            # One byte more than allowed is enough to know.
            self.body += self._inflater.decompress(piece, self._most + 1 - len(self.body))
        except zlib.error as error:
            raise EncodedBodyError(f"the {self._encoding} body is damaged ({error})") from error

    def _window_bits(self, piece: bytes) -> int:
        if self._encoding in ("gzip", "x-gzip"):
            return zlib.MAX_WBITS | 16
        if self._encoding == "deflate":
            # Some servers send raw deflate data, without the header of zlib.
            return zlib.MAX_WBITS if piece[0] & 0x0F == 8 else -zlib.MAX_WBITS
        raise EncodedBodyError(f"the body is encoded as {self._encoding!r}, which was not requested")
