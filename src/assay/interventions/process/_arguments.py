"""The texts in a call's arguments with their paths, and copies of the arguments with one text replaced."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.subjects.tool_calls import kind

if TYPE_CHECKING:
    from assay.subjects.trajectory import Step, ToolCall

Path = tuple[str | int, ...]
_URL: Final = re.compile(r"^\s{0,4}(?:https?://|www\.)\S{3,}\s{0,4}$", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")


class ArgumentText(msgspec.Struct, frozen=True):
    """A text in a call's arguments.

    Attributes:
        path: Keys and indices that lead to it.
        text: The text; a number as it is printed.
        address: Whether it is a URL.
    """

    path: Path
    text: str
    address: bool


def leaves_of(arguments: Any, path: Path = ()) -> list[ArgumentText]:
    """Return every text and number in arguments, each with its path."""
    if isinstance(arguments, bool) or arguments is None:
        return []
    if isinstance(arguments, str | int | float):
        text = str(arguments)
        return [ArgumentText(path, text, _URL.match(text) is not None)]
    found: list[ArgumentText] = []
    if isinstance(arguments, dict):
        for key, value in arguments.items():
            found += leaves_of(value, (*path, str(key)))
    elif isinstance(arguments, list):
        for index, value in enumerate(arguments):
            found += leaves_of(value, (*path, index))
    return found


def words_of(text: str) -> list[str]:
    """Return the words of a text; a run of Chinese characters counts as one word."""
    return _WORD.findall(text)


_POINTS: Final = re.compile(r"click|scroll|hover|press|drag|^(?:sh|zsh|cmd|powershell)$", re.IGNORECASE)


def asks(call: ToolCall) -> bool:
    """Return whether a call asks for something in words: it neither points at a page nor runs code."""
    code = isinstance(call.arguments, dict) and "code" in call.arguments
    return kind(call) != "code" and not code and _POINTS.search(call.name) is None


def asking_calls(step: Step) -> list[tuple[int, ToolCall]]:
    """Return the calls of a step that have a text argument in words, each with its number."""
    return [
        (number, call)
        for number, call in enumerate(step.tool_calls)
        if kind(call) != "code"
        and any(not leaf.address and len(leaf.text) > 1 for leaf in leaves_of(call.arguments))
    ]
