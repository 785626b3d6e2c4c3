"""Words around a figure that tell what it measures, how exactly it is stated, and as what."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

_PHRASES: Final = PhraseFile("assay.subjects", "figures")
_WORD_START: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]{3}")


def _either(name: str, template: str = "<<{0}.en>>") -> re.Pattern[str]:
    return _PHRASES.pattern(rf"\b(?:{template.format(name)})\b|<<{name}.zh>>", flags=re.IGNORECASE)


FORECAST: Final = _either("forecast")
TARGET: Final = _either("target")
HYPOTHETICAL: Final = _either("hypothetical")
ATTRIBUTED: Final = _either("attributed")
PERIODS: Final = _PHRASES.pattern("<<periods.en>>|<<periods.zh>>", flags=re.IGNORECASE)
AT_LEAST: Final = _PHRASES.pattern(
    r"(?:\b(?:<<bound_low.en>>)|(?<!不)(?:<<bound_low.zh>>)|>=?|≥|＞)[ 了达]{0,2}(?:an? |the )?$",
    flags=re.IGNORECASE,
)
AT_MOST: Final = _PHRASES.pattern(
    r"(?:\b(?:<<bound_high.en>>)|<<bound_high.zh>>|<=?|≤|＜)[ 了达]{0,2}(?:an? |the )?$", flags=re.IGNORECASE
)
ROUGHLY: Final = _PHRASES.pattern(
    r"(?:\b(?:<<rough.en>>)|<<rough.zh>>|~|≈|±|～)[ 为达]{0,2}$", flags=re.IGNORECASE
)
CHANGE_BEFORE: Final = _PHRASES.pattern(
    r"(?:\b(?:<<change_before.en>>)|<<change_before.zh>>)[ (（]*(?:(?:about|around|nearly|roughly|only|just|an?|over|"
    r"more than|up to|almost|another|approximately|some)[ ~]*){0,3}[了约达为近超至少过仅的 ]{0,3}$",
    flags=re.IGNORECASE,
)
CHANGE_AFTER: Final = _PHRASES.pattern(
    r"[ )]{0,2}(?:(?:year-on-year |annual |relative |yoy )*<<change_after.en>>\b|<<change_after.zh>>)",
    flags=re.IGNORECASE,
)


class MeasureWords:
    """Finds the words for measures; most words of a text are passed over by their first letters."""

    def __init__(self) -> None:
        names: dict[str, list[str]] = {}
        self.firsts: set[str] = set()
        for name, *spellings in _PHRASES["measures"].rows("en"):
            names[name] = spellings
            self.firsts.update(spelling[:3] for spelling in spellings)
        groups = "|".join(f"(?P<{name}>{'|'.join(each)})" for name, each in names.items())
        self.english = re.compile(rf"(?:{groups})(?![A-Za-z])", re.IGNORECASE)
        rows = _PHRASES["measures"].rows("zh")
        self.names = {spelling: name for name, *spellings in rows for spelling in spellings}
        self.chinese = re.compile("|".join(sorted(self.names, key=len, reverse=True)))

    def find(self, text: str) -> list[tuple[int, str, str]]:
        """Return the offset, name and spelling of every measure in a text, in order."""
        out: list[tuple[int, str, str]] = []
        end = 0
        for word in _WORD_START.finditer(text):
            if word.start() >= end and word.group().lower() in self.firsts:
                match = self.english.match(text, word.start())
                if match and match.lastgroup:
                    out.append((match.start(), match.lastgroup, match.group()))
                    end = match.end()
        if not text.isascii():
            out += [(m.start(), self.names[m.group()], m.group()) for m in self.chinese.finditer(text)]
            out.sort()
        return out


@cache
def measure_words() -> MeasureWords:
    """Return the finder of measures."""
    return MeasureWords()


@cache
def soft_words() -> frozenset[str]:
    """Return the English terms that tell how a figure is known or reached, not what it measures."""
    words = _PHRASES["soft_words"]
    return frozenset(content_terms(" ".join(words.en)))


@cache
def soft_words_zh() -> re.Pattern[str]:
    """Return the pattern of the Chinese words of that kind."""
    words = sorted(" ".join(_PHRASES["soft_words"].zh).split(), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


@cache
def telling_words() -> frozenset[str]:
    """Return the terms by which two figures are different ones, such as "median" and "mean"."""
    words = _PHRASES["telling_words"]
    return frozenset(content_terms(" ".join((*words.en, *words.zh))))


def measures_in(text: str) -> list[str]:
    """Return the measures that a text names, in order: ``["revenue", "users"]``."""
    return [name for _, name, _ in measure_words().find(text)]
