"""Zero-width characters between the characters of a word, which hide a sentence from filters but not from a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHARACTERS: Final = "\u200b\u200c\u200d\u2060\ufeff"
_ZERO_WIDTH: Final = re.compile(f"[{_CHARACTERS}]")
# A single zero-width space between Chinese characters only lets the line break; this many so close together do not.
_FEWEST: Final = 4
_HAN: Final = "[\u3400-\u9fff]"
_THREADED: Final = re.compile(
    f"{_HAN}?(?:[\u200b-\u200d\u2060\ufeff]+{_HAN}{{1,8}}){{{_FEWEST - 1},400}}[\u200b-\u200d\u2060\ufeff]+{_HAN}?"
)


def threaded_spans(source: str) -> Iterator[Span]:
    """Yield the stretches of Chinese text with at least four zero-width characters among its characters."""
    # A search for the characters is far cheaper than the pattern.
    if source.isascii() or not any(char in source for char in _CHARACTERS):
        return
    for match in _THREADED.finditer(source):
        yield Span(match.start(), match.end())


def without_zero_width(text: str) -> str:
    """Return the text without zero-width characters, as a model reads it."""
    return _ZERO_WIDTH.sub("", text)
