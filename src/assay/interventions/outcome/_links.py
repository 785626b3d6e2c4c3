"""Connectives and words of direction with their opposites, in English and Chinese.

A connective becomes one of the opposite kind: a consequence becomes an exception, or the reverse. A word of
direction becomes its opposite: more becomes less, can becomes cannot.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from assay.text.phrases import Language, PhraseFile

_PHRASES: Final = PhraseFile("assay.interventions", "links")

FORMER: Final = {
    "the former": "the latter",
    "the latter": "the former",
    "The former": "The latter",
    "The latter": "The former",
    "前者": "后者",
    "后者": "前者",
}


@cache
def opposites(language: Language) -> dict[str, str]:
    """Return words of direction with their opposites; every pair is in it both ways."""
    table: dict[str, str] = {}
    for one, two in _PHRASES["opposites"].rows(language):
        table.setdefault(one, two)
        table.setdefault(two, one)
    return table


@cache
def opposite_pattern(language: str) -> re.Pattern[str]:
    """Return a pattern that matches any word of direction; longer words take precedence."""
    words = sorted(map(re.escape, opposites("zh" if language == "zh" else "en")), key=len, reverse=True)
    return re.compile("|".join(words) if language == "zh" else rf"\b(?:{'|'.join(words)})\b(?![-’'])")


def turned(word: str) -> str:
    """Return the opposite of a word of direction, or of "former" or "latter"."""
    return opposites("en").get(word) or opposites("zh").get(word) or FORMER[word]
