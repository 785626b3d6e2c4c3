"""Words that say opposite things of one matter: rise and fall, higher and lower, effective and ineffective.

Each axis has two poles. Forms are spelt out, since matching goes by whole words through the index of the text.
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
    """One polar word in the text: its axis, its side (+1, -1), and where it stands."""

    axis: int
    side: int
    start: int
    end: int


class _Axes:
    """The axes of both languages.

    Attributes:
        english: Axis and side of every English polar word.
        chinese: The same of every Chinese one.
        chinese_word: Finds a Chinese polar word. One pass with an alternation is several times faster on Chinese text
            than a search for each word. Longer words come first, since 不稳定 holds 稳定.
    """

    def __init__(self) -> None:
        rows = _PHRASES["axes"]
        self.english = _sides(rows.rows("en"), first=0)
        self.chinese = _sides(rows.rows("zh"), first=len(rows.en))
        self.chinese_word = re.compile("|".join(sorted(self.chinese, key=len, reverse=True)))


def _sides(rows: tuple[tuple[str, ...], ...], *, first: int) -> dict[str, list[tuple[int, int]]]:
    """Return axis and side of every polar word; axes are counted from ``first``."""
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
    """Polar words of every axis that has both sides in the text, by axis, in order of place."""
    axes = _axes()
    words = report.cues.words()
    places: dict[int, list[tuple[int, int, int]]] = {}
    for word in axes.english.keys() & words.keys():
        size = len(word)
        for axis, side in axes.english[word]:
            places.setdefault(axis, []).extend([(at, at + size, side) for at in words[word]])
    if report.language == "zh":
        for match in axes.chinese_word.finditer(report.plain):
            for axis, side in axes.chinese[match.group()]:
                places.setdefault(axis, []).append((*match.span(), side))
    return {
        axis: [Pole(axis, side, start, end) for start, end, side in sorted(places[axis])]
        for axis in sorted(places)
        if len({side for _, _, side in places[axis]}) > 1
    }
