"""Tests for code and quotations, since a report may show an attack without being one."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "sec")

_OPENING: Final = '"“‘「『«`'
_CLOSING: Final = '"”’」』»`'
_INTRODUCES: Final = _PHRASES.pattern(
    r"(?i)(?:<<places_introduces.en>>|<<places_introduces.zh>>)[\s:：,，]*$"
)
_REACH: Final = 160
_LINE: Final = 2000


def in_code(report: Report, offset: int) -> bool:
    """Return whether ``offset`` lies in a code block or in inline code."""
    block = report.block_at(offset)
    if block is not None and block.kind == "code":
        return True
    inlines = report.inlines
    at = bisect_right(inlines, offset, key=lambda inline: inline.start) - 1
    return at >= 0 and inlines[at].kind == "code" and offset < inlines[at].end


def is_quoted(report: Report, start: int, end: int) -> bool:
    """Return whether ``source[start:end]`` is a quotation or an example.

    That is text in quotation marks, in a quoted block, or after words that introduce an example.
    """
    source = report.source
    line = source.rfind("\n", max(0, start - _LINE), start) + 1
    if source[line:start].lstrip().startswith(">"):
        return True
    stop = source.find("\n", end, end + _REACH)
    before = source[max(line, start - _REACH) : start]
    after = source[end : min(len(source) if stop < 0 else stop, end + _REACH)]
    if _INTRODUCES.search(before):
        return True
    for left, right in zip(_OPENING, _CLOSING, strict=True):
        if left == right:
            # A straight mark both opens and closes; after an odd number of them, a quotation is open.
            if before.count(left) % 2 and right in after:
                return True
        elif before.rfind(left) > before.rfind(right) and right in after:
            return True
    return False
