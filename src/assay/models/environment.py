"""Environment variables: those of the process, and those of a ``.env`` file that the process does not set."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from io import StringIO
from pathlib import Path
from typing import Final
from urllib.parse import quote

from assay.errors import InputError


class Secret:
    """A key and its origin. It never shows itself; call `reveal` only where the key is sent."""

    __slots__ = ("_disguises", "_pieces", "_value", "source")

    def __init__(self, value: str, source: str) -> None:
        self._value = value
        self._disguises: re.Pattern[str] | None = None
        self._pieces: tuple[str, ...] = ()
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
        """Return ``text`` with the key replaced by an ellipsis: in any case, cut short, quoted for a URL, or in base64."""
        if not self.is_long:
            # What is so short is "none", or "EMPTY": a word, not a key.
            return text.replace(self._value, "…") if self._value else text
        if self._disguises is None:
            forms = _disguises(self._value.split()[-1])
            # Searching for a few plain pieces first is fifty times as fast as the pattern.
            self._pieces = tuple({form[:_PREFIX].lower() for form in forms})
            self._disguises = re.compile("|".join(re.escape(form) + _REST for form in forms), re.IGNORECASE)
        low = text.lower()
        return self._disguises.sub("…", text) if any(piece in low for piece in self._pieces) else text

    def __repr__(self) -> str:
        return f"Secret(from {self.source})"

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be serialised")


# A shorter beginning of a key is no secret, nor distinctive: many keys begin alike.
_PREFIX: Final = 12
# What can follow the beginning of a key.
_REST: Final = r"[\w.+/=*-]*"


def _disguises(key: str) -> list[str]:
    """Return the beginnings of a key and of what is easily turned back into it."""
    data = key.encode("utf-8", "surrogatepass")
    forms = [key[:_PREFIX], key[::-1], quote(key, safe=""), data.hex()]
    for shift in range(3):
        # Base64 depends on where in its triples a text begins, and its first and last characters on what stands beside it.
        core = b64encode(b"\0" * shift + data).decode().rstrip("=")[shift + 1 if shift else 0 : -1]
        forms += [core, core.translate(str.maketrans("+/", "-_"))]
    return list(dict.fromkeys(forms))


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
