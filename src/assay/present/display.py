"""Text for terminals: widths of characters, colours, and foreign text made harmless.

Quoted text comes from reports that nobody vouches for. No escape sequence in it may
reach the terminal, and hidden characters should be seen, so control characters are shown as symbols.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final, Literal

import msgspec
from rich.cells import cell_len, get_character_cell_size

Style = Literal["error", "warning", "info", "dim", "bold", "accent", "good"]

_CODES: Final[dict[Style, str]] = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;34",
    "dim": "2",
    "bold": "1",
    "accent": "36",
    "good": "32",
}
_HIDDEN: Final = "·"
_BLOCKS: Final = " ▏▎▍▌▋▊▉"


class Painter(msgspec.Struct, frozen=True):
    """Colours text, if colours are wanted."""

    color: bool = False

    def __call__(self, text: str, style: Style) -> str:
        """Return ``text`` in a style."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.color and text else text


def width(text: str) -> int:
    """Return the number of columns that ``text`` takes in a terminal."""
    return len(text) if text.isascii() else cell_len(text)


@lru_cache(maxsize=4096)
def _visible_char(char: str) -> str:
    if char == "\t":
        return " "
    code = ord(char)
    if code < 32:
        return chr(0x2400 + code)
    kind = unicodedata.category(char)
    if code == 127 or kind in ("Cc", "Zl", "Zp"):
        return "␡" if code == 127 else "�"
    if kind in ("Cf", "Cs", "Co", "Cn"):
        return _HIDDEN
    return char


def visible(text: str) -> str:
    """Return ``text`` on one line with every character visible: as many code points, no control characters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible_char, text))


def fit(text: str, columns: int) -> str:
    """Return ``text`` cut to at most ``columns``, with an ellipsis where something is missing."""
    if width(text) <= columns:
        return text
    out: list[str] = []
    used = 0
    for char in text:
        used += get_character_cell_size(char)
        if used > columns - 1:
            break
        out.append(char)
    return "".join(out) + "…"


def fit_end(text: str, columns: int) -> str:
    """Return ``text`` cut at its beginning to at most ``columns``: the end of a path tells files apart."""
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[1:]
    return "…" + text


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Return ``text`` padded with spaces to ``columns``; ``right`` aligns it to the right."""
    blank = " " * max(0, columns - width(text))
    return blank + text if right else text + blank


def bar(share: float, columns: int) -> str:
    """Return a bar of ``columns`` for a share from 0 to 1, in eighths of a column."""
    eighths = round(max(0.0, min(1.0, share)) * columns * 8)
    full, rest = divmod(eighths, 8)
    drawn = "█" * full + (_BLOCKS[rest] if rest else "")
    return drawn + "░" * (columns - len(drawn))
