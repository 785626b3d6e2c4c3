"""Environment variables: those of the process, and those of a ``.env`` file that the process does not set."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

from assay.errors import InputError


class Secret:
    """A key and its origin. It never shows itself; call `reveal` only where the key is sent."""

    __slots__ = ("_value", "source")

    def __init__(self, value: str, source: str) -> None:
        self._value = value
        self.source = source

    def reveal(self) -> str:
        """Return the key."""
        return self._value

    def hide(self, text: str) -> str:
        """Return ``text`` with the key replaced by an ellipsis."""
        return text.replace(self._value, "…") if self._value else text

    def __repr__(self) -> str:
        return f"Secret(from {self.source})"

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be serialised")


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
