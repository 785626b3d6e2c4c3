"""Checkable content of a passage: its figures, its names, and the words that occur in few other texts."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from assay.text.generic_words import GENERIC
from assay.text.words import CJK, CJK_RANGES, CJK_STOP, STOPWORDS, content_terms, stem

_NUMBER: Final = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:%|％)?")
_NAME: Final = re.compile(
    r"(?<![.!?:;。：\"“(]\s)(?<!^)\b[A-Z][\w’'\-]*[a-z0-9A-Z](?:\s+(?:of|de|van|and|&)?\s*[A-Z][\w’'\-]+)*"
    r"|\b[A-Z]{2,}[\w\-]*\b"
)
_TITLE: Final = re.compile(r"[《“\"「『]([^》”\"」』\n]{2,60})[》”\"」』]")
_LATIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9.\-]+")
_ORDERED: Final = re.compile(rf"[{CJK_RANGES}]+|[^\W_{CJK_RANGES}]+(?:[.'’\-][^\W_{CJK_RANGES}]+)*")


class PassageContent(msgspec.Struct, frozen=True):
    """Checkable content of a passage: numbers, names, specific and generic words."""

    numbers: frozenset[str]
    names: frozenset[str]
    terms: frozenset[str]
    generic: frozenset[str]


def passage_content(text: str) -> PassageContent:
    """Return the content of a passage."""
    numbers = frozenset(number.rstrip(",.") for number in _NUMBER.findall(text))
    names = {name.lower() for name in _NAME.findall(text)}
    names.update(title.lower() for title in _TITLE.findall(text))
    if CJK.search(text):
        names.update(word.lower() for word in _LATIN.findall(text) if word.lower() not in STOPWORDS)
    terms = content_terms(text)
    generic = {term for term in terms if term in GENERIC or stem(term) in GENERIC}
    return PassageContent(numbers, frozenset(names), frozenset(terms - generic), frozenset(generic))


_WINDOW: Final = 6


def near_pairs(text: str) -> set[tuple[str, str]]:
    """Return ordered pairs of content terms that stand within a few words of each other."""
    terms = ordered_terms(text)
    return {(one, two) for i, one in enumerate(terms) for two in terms[i + 1 : i + 1 + _WINDOW] if one != two}


def ordered_terms(text: str) -> list[str]:
    """Return content terms in order; Chinese as bigrams without stop characters."""
    out: list[str] = []
    for match in _ORDERED.finditer(text.lower()):
        word = match.group()
        if word[0].isascii() or not CJK.match(word):
            if len(word) > 1 and word not in STOPWORDS:
                out.append(stem(word))
        else:
            out.extend(
                word[i : i + 2]
                for i in range(len(word) - 1)
                if word[i] not in CJK_STOP and word[i + 1] not in CJK_STOP
            )
    return out


def words_of(text: str) -> str:
    """Return the words of a text in lower case with one space around each, for substring searches by words."""
    return f" {' '.join(_ORDERED.findall(text.lower()))} "
