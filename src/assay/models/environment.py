"""Environment variables: those of the process, and those of a ``.env`` file that the process does not set."""

from __future__ import annotations

import codecs
import os
import re
from base64 import b32encode, b64encode
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from assay.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Secret:
    """A key and its origin. It never shows itself; call `reveal` only where the key is sent."""

    __slots__ = ("_forms", "_pieces", "_value", "source")

    def __init__(self, value: str, source: str) -> None:
        self._value = value
        self._forms: tuple[str, ...] = ()
        self._pieces: frozenset[bytes] = frozenset()
        self.source = source

    def reveal(self) -> str:
        """Return the key."""
        return self._value

    @property
    def is_long(self) -> bool:
        """Whether it is long enough to be a key; "none" and "EMPTY" are not."""
        # Of "Bearer …", the last word is the key.
        return len((self._value.split() or [""])[-1]) >= _PREFIX

    def hide(self, text: str) -> str:
        """Return ``text`` with an ellipsis for every part of the key that is long enough to be of use.

        In any case, also cut short at either end, with blanks, hyphens or invisible characters between, reversed, quoted
        for a URL, or in hexadecimal, base64, base32 or ROT13.
        """
        if not self.is_long:
            # What is so short is "none", or "EMPTY": a word, not a key.
            return text.replace(self._value, "…") if self._value else text
        if not self._forms:
            self._forms, self._pieces = _disguises(self._value.split()[-1])
        if "\\u" in text:
            # JSON may write any character as an escape: then letters are read one by one.
            bare = "".join(letter for _, _, letter in _letters(text)).encode()
        else:
            bare = text.encode("utf-8", "replace").lower().translate(None, _NO_LETTERS)
        # A part that counts, wherever it begins, holds six characters that begin at a multiple of six.
        if self._pieces.isdisjoint([bare[at : at + _PIECE] for at in range(0, len(bare), _PIECE)]):
            return text
        return _without(text, self._forms)

    def __repr__(self) -> str:
        return f"Secret(from {self.source})"

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be serialised")


# A shorter part of a key is no secret, nor distinctive: many keys begin alike.
_PREFIX: Final = 12
_PIECE: Final = 6
# Bytes of UTF-8 that are neither ASCII letters nor digits.
_NO_LETTERS: Final = bytes(byte for byte in range(256) if not (byte < 128 and chr(byte).isalnum()))
_SEPARATORS: Final = re.compile(r"[\W_]+", re.ASCII)
_LETTER: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|[0-9A-Za-z]")


def _disguises(key: str) -> tuple[tuple[str, ...], frozenset[bytes]]:
    """Return the forms of a key, in lower case and without separators, and pieces of which each part holds one."""
    data = key.encode("utf-8", "surrogatepass")
    forms = [key, key[::-1], quote(key, safe=""), data.hex(), codecs.encode(key, "rot13")]
    for turned in {data, data.upper()}:
        for shift in range(3):
            # Base64 depends on where in its triples a text begins, and its first and last characters on what stands beside it.
            forms.append(
                b64encode(b"\0" * shift + turned).decode().rstrip("=")[shift + 1 if shift else 0 : -1]
            )
    forms += [b32encode(b"\0" * shift + data).decode().rstrip("=")[2 * shift : -1] for shift in range(5)]
    bare = dict.fromkeys(_SEPARATORS.sub("", form.lower()) for form in forms)
    kept = tuple(form for form in bare if len(form) >= _PREFIX)
    pieces = {form[at : at + _PIECE].encode() for form in kept for at in range(len(form) - _PIECE + 1)}
    return kept, frozenset(pieces)


def _without(text: str, forms: Sequence[str]) -> str:
    """Return a text with an ellipsis in place of each part of a form that has twelve characters or more."""
    places = list(_letters(text))
    bare = "".join(letter for _, _, letter in places)
    hidden: set[int] = set()
    for form in forms:
        for first in range(len(form) - _PREFIX + 1):
            window, at = form[first : first + _PREFIX], 0
            while (at := bare.find(window, at)) >= 0:
                hidden.update(range(at, at + _PREFIX))
                at += 1
    out, done = [], 0
    for start, end in _runs(sorted(hidden)):
        out += [text[done : places[start][0]], "…"]
        done = places[end][1]
    return "".join([*out, text[done:]])


def _letters(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and lower case of each ASCII letter and digit, also of those that JSON escapes."""
    for match in _LETTER.finditer(text):
        letter = match.group() if match[1] is None else chr(int(match[1], 16))
        if letter.isascii() and letter.isalnum():
            yield match.start(), match.end(), letter.lower()


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of consecutive numbers."""
    start = previous = None
    for number in numbers:
        if start is None or previous is None or number != previous + 1:
            if start is not None and previous is not None:
                yield start, previous
            start = number
        previous = number
    if start is not None and previous is not None:
        yield start, previous


def environment(folder: Path | None = None) -> dict[str, str]:
    """Return a copy of all variables; those of the process win over those in ``folder``'s ``.env``.

    Args:
        folder: Folder that may hold a ``.env``; the working directory by default.

    Raises:
        InputError: The ``.env`` cannot be read.
    """
    path = (folder or Path.cwd()) / ".env"
    variables: dict[str, str] = {}
    if path.is_file():
        try:
            variables = parse_env(path.read_text("utf-8-sig"))
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
        except UnicodeDecodeError as error:
            raise InputError("is not UTF-8", where=str(path), hint="save it as UTF-8") from error
    return {**variables, **os.environ}


def parse_env(text: str) -> dict[str, str]:
    """Return the variables of a ``.env``. ``${NAME}`` is not expanded; lines that do not set a variable are skipped."""
    # The parser itself, because `dotenv_values` logs a warning for every such line.
    from dotenv.parser import parse_stream  # noqa: PLC0415 - only if there is a .env

    bindings = parse_stream(StringIO(text))
    return {item.key: item.value for item in bindings if item.key and item.value is not None}
