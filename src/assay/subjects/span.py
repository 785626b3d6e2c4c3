"""Spans of a text: half-open ranges of Unicode code points, with their lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final

import msgspec

_NEWLINE: Final = re.compile(r"\r\n?|\n")


class Span(msgspec.Struct, frozen=True, gc=False, order=True):
    """``source[start:end]``, in code points, 0-based, end-exclusive."""

    start: int
    end: int

    def of(self, source: str) -> str:
        """Return the text of the span."""
        return source[self.start : self.end]

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        """Return whether two spans share a code point."""
        return self.start < other.end and other.start < self.end


class LineIndex:
    r"""Line starts of a text; turns offsets into 1-based lines and columns.

    A line ends at ``\n``, ``\r\n`` or a lone ``\r``.
    """

    __slots__ = ("size", "starts")

    def __init__(self, text: str) -> None:
        if "\r" in text:
            self.starts: list[int] = [0, *(match.end() for match in _NEWLINE.finditer(text))]
        else:
            # The same, in C: every line is as long as its text and one line feed.
            self.starts = [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]
        self.size: int = len(text)

    def start(self, line: int) -> int:
        """Return the offset at which the 0-based ``line`` begins, or the length of the text past the last line."""
        return self.starts[line] if line < len(self.starts) else self.size

    def place(self, offset: int) -> tuple[int, int]:
        """1-based line and column of ``offset``."""
        row = bisect_right(self.starts, offset) - 1
        return row + 1, offset - self.starts[row] + 1
