"""Foreign text wrapped to a width, Chinese too, with nothing in it that a terminal would obey."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from assay.present.display import visible, width

# A word with its space, or one character of a script that breaks anywhere.
_PIECES: Final = re.compile(
    r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+"
)
# Punctuation that must not begin a line.
_CLOSING: Final = frozenset("，。、；：？！）》」』”’】")


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Return lines of at most ``columns``, each after ``indent``; keep line breaks of the text, drop blank lines."""
    room = max(20, columns - width(indent))
    return [
        indent + line
        for paragraph in text.splitlines()
        if paragraph.strip()
        for line in filled(visible(paragraph.strip()), room)
    ]


def hanging(text: str, columns: int) -> list[str]:
    """Return lines of at most ``columns``, all but the first indented."""
    first, *rest = wrapped(text, columns - 2) or [""]
    return [first, *(f"  {line}" for line in rest)]


def filled(
    text: str, room: float, measure: Callable[[str], float] = width, most: int | None = None
) -> list[str]:
    """Return one paragraph in lines that fit; breaks at spaces, between Chinese characters, and inside a word too long.

    Args:
        text: The paragraph.
        room: Width of a line.
        measure: How wide a text is.
        most: The most lines; the last of them then ends in an ellipsis.
    """
    lines: list[str] = []
    line = ""
    used = 0.0
    for piece in _PIECES.findall(text):
        space = piece.isspace()
        rest = " " if space else piece
        size = measure(rest)
        # Closing punctuation may stand in the margin, one of it.
        hangs = piece in _CLOSING and used <= room
        if used + size > room and not space and not hangs and line.strip():
            lines.append(line.rstrip())
            line, used = "", 0.0
        if space and not line:
            continue
        while used + measure(rest) > room and not space and not hangs and len(rest) > 1:
            # A word longer than a line, an address as a rule.
            cut = _head(rest, room - used, measure)
            lines.append(line + rest[:cut])
            line, used, rest = "", 0.0, rest[cut:]
        line += rest
        used += measure(rest)
    if line.strip() or not lines:
        lines.append(line.rstrip())
    if most is not None and len(lines) > most:
        last = lines[most - 1]
        while last and measure(last + "…") > room:
            last = last[:-1]
        lines = [*lines[: most - 1], last.rstrip() + "…"]
    return lines


def _head(text: str, room: float, measure: Callable[[str], float]) -> int:
    """Return how many characters of ``text`` fit; at least one."""
    used = 0.0
    for index, char in enumerate(text):
        used += measure(char)
        if used > room:
            return max(1, index)
    return len(text)
