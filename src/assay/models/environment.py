"""Variables: those of the process, and those in a file ``.env`` where the process has none of that name."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from assay.errors import InputError

_LINE: Final = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(.*?)\s*$")
_QUOTED: Final = re.compile(r"""(?:"((?:\\.|[^"\\])*)"|'([^']*)')\s*(?:#.*)?$""", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "$": "$"}


class Secret:
    """A key, and where it is from. It never shows itself; ``reveal`` is called where it is sent, and nowhere else."""

    __slots__ = ("_value", "source")

    def __init__(self, value: str, source: str) -> None:
        self._value = value
        self.source = source

    def reveal(self) -> str:
        """The key itself."""
        return self._value

    def hide(self, text: str) -> str:
        """``text`` without the key, should it hold it."""
        return text.replace(self._value, "…") if self._value else text

    def __repr__(self) -> str:
        return f"Secret(from {self.source})"

    def __reduce__(self) -> str:
        raise TypeError("a secret is not written anywhere")


def environment(folder: Path | None = None) -> dict[str, str]:
    """All variables, as a copy; those of the process win over those in ``folder``'s ``.env``.

    Args:
        folder: Where ``.env`` may be; the working directory by default.

    Raises:
        InputError: There is a ``.env`` and it cannot be read.
    """
    path = (folder or Path.cwd()) / ".env"
    found: dict[str, str] = {}
    if path.is_file():
        try:
            found = parse_env(path.read_text("utf-8-sig"))
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
        except UnicodeDecodeError as error:
            raise InputError("is not UTF-8", where=str(path)) from error
    return {**found, **os.environ}


def parse_env(text: str) -> dict[str, str]:
    r"""The variables of a ``.env``: ``NAME=value``, with ``export``, quotes, ``\n`` in double quotes, and comments.

    A line that is none of these is passed over, as the tools that read the same file do.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            found[match[1]] = _value(match[2])
    return found


def _value(raw: str) -> str:
    quoted = _QUOTED.match(raw)
    if quoted is None:
        return re.sub(r"(^|\s)#.*$", "", raw).rstrip()
    if quoted[2] is not None:
        return quoted[2]
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), quoted[1])
