"""Tables of a rubric file, read field by field: every error names the place, the value, and the nearest thing that fits."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn

from assay.errors import InputError
from assay.rubrics.reading import Source
from assay.settings import kind_of

# Beyond it sums lose digits, and nobody means it.
LARGEST: Final = 1e9


def near(name: str, known: Iterable[str]) -> str:
    """``did you mean 'x'?``, or what there is."""
    names = list(known)
    found = difflib.get_close_matches(name, names, n=1) or difflib.get_close_matches(name.lower(), names, n=1)
    return f"did you mean {found[0]!r}?" if found else f"there are {', '.join(names)}"


def fail(source: Source, path: str, problem: str, hint: str | None = None) -> NoReturn:
    """Raise an error about a place in a file.

    Raises:
        InputError: Always.
    """
    raise InputError(f"{path} {problem}" if path else problem, where=source.where(path), hint=hint)


def plain_text(source: Source, path: str, value: Any, *, empty: bool = False) -> str:
    """Text on one line, white space as single blanks.

    Raises:
        InputError: It is no text, or holds what cannot be shown.
    """
    if not isinstance(value, str):
        hint = None if isinstance(value, list | dict | None) else "put it in quotes if text is meant"
        fail(source, path, f"is {_shown(value)}; it must be text", hint)
    text = " ".join(value.split())
    if not text and not empty:
        fail(source, path, "is empty; it must be text")
    if any(char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in text):
        fail(source, path, "holds a character that is no text")
    return text


class Table:
    """A mapping with known fields."""

    def __init__(self, source: Source, path: str, value: Any, known: Sequence[str]) -> None:
        if not isinstance(value, dict):
            fail(source, path, f"is {kind_of(value)}; it must be a table with {', '.join(known[:4])} …")
        self.source = source
        self.path = path
        self.value: dict[str, Any] = value
        for key in value:
            if key not in known:
                fail(source, self.at(key), f"is no field here; {near(key, known)}")

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def at(self, key: str) -> str:
        """The path of a field."""
        return f"{self.path}.{key}" if self.path else key

    def fail(self, key: str, problem: str, hint: str | None = None) -> NoReturn:
        """Raise an error about a field."""
        fail(self.source, self.at(key), problem, hint)

    def need(self, *keys: str) -> None:
        """Refuse the table if one of the fields is not there."""
        for key in keys:
            if key not in self.value:
                fail(self.source, self.path, f"{'has' if self.path else 'there is'} no {key!r}")

    def text(self, key: str, *, empty: bool = True) -> str:
        """A text, ``""`` where there is none."""
        return (
            plain_text(self.source, self.at(key), self.value[key], empty=empty) if key in self.value else ""
        )

    def number(self, key: str, default: float) -> float:
        """A finite number, or the default where the field is missing."""
        value = self.value.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            hint = "write it without quotes" if isinstance(value, str) and _is_number(value) else None
            self.fail(key, f"is {_shown(value)}; it must be a number", hint)
        if not (math.isfinite(value) if isinstance(value, float) else True) or abs(value) > LARGEST:
            self.fail(key, f"is {_shown(value)}; it must be a number of at most {LARGEST:.0e}")
        return float(value)

    def choice(self, key: str, offered: Sequence[str], default: str) -> str:
        """One of several words."""
        value = self.value.get(key, default)
        if value not in offered:
            more = near(value, offered) if isinstance(value, str) else f"there are {', '.join(offered)}"
            self.fail(key, f"is {_shown(value)}; {more}")
        return str(value)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _shown(value: Any) -> str:
    if isinstance(value, list | dict | None):
        return kind_of(value)
    text = ("true" if value else "false") if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
