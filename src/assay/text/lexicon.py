"""Cue phrases – "because", "however", 因此 – found in a text without reading the text once per phrase.

English phrases are looked up through an index of the words that occur (made once per text); Chinese ones by
substring search, which is faster than any pattern. So a check costs what it finds, not what it reads.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

__all__ = ["CueIndex", "Lexicon"]

_WORD: Final = re.compile(r"[a-z][a-z'’\-]*")


class Lexicon:
    """A named set of cue phrases, English and Chinese.

    Args:
        en: English phrases, lower case, matched at word boundaries. A trailing ``*`` matches any ending
            (``"caus*"``: cause, caused, causing).
        zh: Chinese phrases, matched anywhere.
    """

    __slots__ = ("_by_first", "en", "zh")

    def __init__(self, en: str | tuple[str, ...] = (), zh: str | tuple[str, ...] = ()) -> None:
        self.en: tuple[str, ...] = tuple(p.strip() for p in en.split(",") if p.strip()) if isinstance(en, str) else en
        self.zh: tuple[str, ...] = tuple(p.strip() for p in zh.split(",") if p.strip()) if isinstance(zh, str) else zh
        self._by_first: dict[str, list[str]] = {}
        for phrase in self.en:
            self._by_first.setdefault(phrase.split(" ", 1)[0], []).append(phrase)

    def find(self, index: CueIndex, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
        """Spans of every phrase within ``[start, end)``, sorted by start; overlaps are kept."""
        limit = len(index.lower) if end is None else end
        hits: list[tuple[int, int]] = []
        for first, phrases in self._by_first.items():
            for phrase in phrases:
                if first.endswith("*") and first == phrase:
                    hits.extend(index.prefix(first[:-1]))
                else:
                    hits.extend(index.phrase(first, phrase))
        if index.cjk:
            lower = index.lower
            for phrase in self.zh:
                at = lower.find(phrase, start, limit)
                while at >= 0:
                    hits.append((at, at + len(phrase)))
                    at = lower.find(phrase, at + len(phrase), limit)
        if start or end is not None:
            hits = [hit for hit in hits if hit[0] >= start and hit[1] <= limit]
        hits.sort()
        return hits

    def any(self, index: CueIndex, start: int, end: int) -> bool:
        """Whether some phrase lies within ``[start, end)``."""
        lower = index.lower
        if index.cjk:
            for phrase in self.zh:
                if lower.find(phrase, start, end) >= 0:
                    return True
        for first, phrases in self._by_first.items():
            for phrase in phrases:
                if first.endswith("*") and first == phrase:
                    spans = index.prefix(first[:-1])
                else:
                    spans = index.phrase(first, phrase)
                at = bisect_right(spans, (start - 1, 1 << 60))
                if at < len(spans) and spans[at][1] <= end:
                    return True
        return False


class CueIndex:
    """Where each English word of a text stands; phrase look-ups are remembered.

    Args:
        plain: The text (see `assay.text.markup.plain_view`). Offsets returned are into it.
        cjk: Whether to search Chinese phrases at all.
    """

    __slots__ = ("_phrases", "_sorted", "_starts", "cjk", "lower")

    def __init__(self, plain: str, *, cjk: bool) -> None:
        lower = plain.lower()
        if len(lower) != len(plain):
            # Some capitals lower to two code points (İ); keep the offsets and lose the case of those.
            lower = "".join(low if len(low := char.lower()) == 1 else char for char in plain)
        self.lower: str = lower
        self.cjk: bool = cjk
        self._starts: dict[str, list[int]] = {}
        self._sorted: list[str] | None = None
        self._phrases: dict[str, list[tuple[int, int]]] = {}
        starts = self._starts
        for match in _WORD.finditer(lower):
            word = match.group()
            at = starts.get(word)
            if at is None:
                starts[word] = [match.start()]
            else:
                at.append(match.start())

    def positions(self, word: str) -> list[int]:
        """Start offsets of ``word`` (lower case), ascending."""
        return self._starts.get(word, [])

    def words(self) -> dict[str, list[int]]:
        """Every English word that occurs, with its start offsets. Do not change it."""
        return self._starts

    def phrase(self, first: str, phrase: str) -> list[tuple[int, int]]:
        """Spans of ``phrase``, whose first word is ``first``; both lower case."""
        found = self._phrases.get(phrase)
        if found is None:
            at = self._starts.get(first)
            if not at:
                found = []
            elif first == phrase:
                size = len(first)
                found = [(i, i + size) for i in at]
            else:
                found = self._verify(at, phrase)
            self._phrases[phrase] = found
        return found

    def _verify(self, at: list[int], phrase: str) -> list[tuple[int, int]]:
        lower = self.lower
        open_end = phrase.endswith("*")
        text = phrase.rstrip("*")
        size = len(text)
        spaced: re.Pattern[str] | None = None
        found: list[tuple[int, int]] = []
        for i in at:
            if lower.startswith(text, i):
                stop = i + size
            else:
                # Emphasis marks leave double spaces and lines break inside phrases.
                if spaced is None:
                    spaced = re.compile(r"\s+".join(map(re.escape, text.split(" "))))
                match = spaced.match(lower, i)
                if match is None:
                    continue
                stop = match.end()
            if open_end or not (stop < len(lower) and lower[stop].isalpha()):
                found.append((i, stop))
        return found

    def prefix(self, stem: str) -> list[tuple[int, int]]:
        """Spans of every word that begins with ``stem``."""
        key = stem + "*"
        found = self._phrases.get(key)
        if found is None:
            if self._sorted is None:
                self._sorted = sorted(self._starts)
            words = self._sorted
            found = []
            i = bisect_right(words, stem)
            if i and words[i - 1] == stem:
                i -= 1
            while i < len(words) and words[i].startswith(stem):
                size = len(words[i])
                found.extend((at, at + size) for at in self._starts[words[i]])
                i += 1
            found.sort()
            self._phrases[key] = found
        return found
