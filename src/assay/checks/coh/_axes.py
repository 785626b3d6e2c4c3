"""Pairs of words with opposite meanings: rise and fall, higher and lower, effective and ineffective.

Each axis has two poles. Every inflected form is listed, since the word index of the text only finds whole words.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.report import Report


_PHRASES: Final = PhraseFile("assay.checks", "coh")


class Pole(msgspec.Struct, frozen=True, gc=False):
    """One polar word in the text: its axis, its side (+1 or -1), and its start and end."""

    axis: int
    side: int
    start: int
    end: int


class _Axes:
    """The axes of both languages.

    Attributes:
        english: Axis and side of every English polar word.
        chinese: Axis and side of every Chinese polar word.
        chinese_word: Pattern that matches any Chinese polar word. One pass with an alternation is several times faster
            on Chinese text than a search for each word. Longer words come first, since 不稳定 contains 稳定.
    """

    def __init__(self) -> None:
        rows = _PHRASES["axes"]
        self.english = _sides(rows.rows("en"), first=0)
        self.chinese = _sides(rows.rows("zh"), first=len(rows.en))
        self.chinese_word = re.compile("|".join(sorted(self.chinese, key=len, reverse=True)))


def _sides(rows: tuple[tuple[str, ...], ...], *, first: int) -> dict[str, list[tuple[int, int]]]:
    """Return the axis and side of every polar word; axes are numbered from ``first``."""
    sides: dict[str, list[tuple[int, int]]] = {}
    for axis, (plus, minus) in enumerate(rows, start=first):
        for side, words in ((1, plus), (-1, minus)):
            for word in words.split():
                sides.setdefault(word, []).append((axis, side))
    return sides


@cache
def _axes() -> _Axes:
    return _Axes()


def poles(report: Report) -> dict[int, list[Pole]]:
    """Return the polar words of each axis with both sides in the text, by axis number, in order of their offsets."""
    axes = _axes()
    words = report.cues.words()
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for word in axes.english.keys() & words.keys():
        size = len(word)
        for axis, side in axes.english[word]:
            spans.setdefault(axis, []).extend([(at, at + size, side) for at in words[word]])
    if report.language == "zh":
        for match in axes.chinese_word.finditer(report.plain):
            for axis, side in axes.chinese[match.group()]:
                spans.setdefault(axis, []).append((*match.span(), side))
    return {
        axis: [Pole(axis, side, start, end) for start, end, side in sorted(spans[axis])]
        for axis in sorted(spans)
        if len({side for _, _, side in spans[axis]}) > 1
    }
