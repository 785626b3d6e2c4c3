"""Tables of a rubric file, read field by field.

Every error names the place, the value, and the nearest thing that fits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from assay.decoding import fail, is_number, kind_of, shown
from assay.located import LocatedData
from assay.suggest import did_you_mean

# Beyond it sums lose digits, and nobody means it.
LARGEST: Final = 1e9


def plain_text(source: LocatedData, path: str, value: Any, *, empty: bool = False) -> str:
    """Return text on one line, white space as single blanks.

    Raises:
        InputError: It is no text, or holds what cannot be shown.
    """
    if not isinstance(value, str):
        hint = None if isinstance(value, list | dict | None) else "put it in quotes if text is meant"
        fail(source, path, f"is {shown(value)}; it must be text", hint)
    text = " ".join(value.split())
    if not text and not empty:
        fail(source, path, "is empty; it must be text")
    if any(char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in text):
        fail(source, path, "holds a character that is no text")
    return text


class FieldTable:
    """A mapping with known fields."""

    def __init__(self, source: LocatedData, path: str, value: Any, known: Sequence[str]) -> None:
        if not isinstance(value, dict):
            fail(source, path, f"is {kind_of(value)}; it must be a table with {', '.join(known[:4])} …")
        self.source = source
        self.path = path
        self.value: dict[str, Any] = value
        for key in value:
            if key not in known:
                fail(source, self.at(key), f"is no field here; {did_you_mean(key, known)}")

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def at(self, key: str) -> str:
        """Return the path of a field."""
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
        """Return a text, ``""`` if there is none."""
        return (
            plain_text(self.source, self.at(key), self.value[key], empty=empty) if key in self.value else ""
        )

    def number(self, key: str, default: float) -> float:
        """Return a finite number, or the default where the field is missing."""
        value = self.value.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            hint = "write it without quotes" if isinstance(value, str) and is_number(value) else None
            self.fail(key, f"is {shown(value)}; it must be a number", hint)
        if not (math.isfinite(value) if isinstance(value, float) else True) or abs(value) > LARGEST:
            self.fail(key, f"is {shown(value)}; it must be a number of at most {LARGEST:.0e}")
        return float(value)

    def choice(self, key: str, offered: Sequence[str], default: str) -> str:
        """Return one of several words."""
        value = self.value.get(key, default)
        if value not in offered:
            more = (
                did_you_mean(value, offered) if isinstance(value, str) else f"there are {', '.join(offered)}"
            )
            self.fail(key, f"is {shown(value)}; {more}")
        return str(value)
