"""Cue phrases ("because", "however", 因此), found without reading the text once per phrase.

English phrases are looked up through an index of the words that occur (made once per text); Chinese ones by
substring search, which is faster than any pattern. The cost of a check grows with its matches, not with the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate, compress, islice
from operator import eq
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from assay.text.phrases import PhraseFile

# Marks join only inside a word: the quote around ‘however’ is not part of it. Accented letters are letters ("naïve").
_LETTERS: Final = "[a-zß-öø-ɏ]++"
_WORD: Final = re.compile(rf"({_LETTERS}(?>(?:['’\-]{_LETTERS})*))")


class Lexicon:
    """A named set of cue phrases, English and Chinese.

    Args:
        en: English phrases, lower case, matched at word boundaries. A trailing ``*`` matches any ending
            (``"caus*"``: cause, caused, causing).
        zh: Chinese phrases, matched anywhere.
    """

    __slots__ = ("_by_first", "_prefixes", "_zh", "_zh_firsts", "en", "zh")

    def __init__(self, en: str | tuple[str, ...] = (), zh: str | tuple[str, ...] = ()) -> None:
        self.en: tuple[str, ...] = (
            tuple(p.strip() for p in en.split(",") if p.strip()) if isinstance(en, str) else en
        )
        self.zh: tuple[str, ...] = (
            tuple(p.strip() for p in zh.split(",") if p.strip()) if isinstance(zh, str) else zh
        )
        self._by_first: dict[str, list[str]] = {}
        self._prefixes: list[str] = []
        for phrase in self.en:
            first = phrase.split(" ", 1)[0]
            if first[-1] == "*":
                self._prefixes.append(phrase[:-1])
            else:
                self._by_first.setdefault(first, []).append(phrase)
        self._zh_firsts: frozenset[str] = frozenset(phrase[0] for phrase in self.zh)
        # One pattern reads the text once where one search per phrase would read it as often as there are phrases.
        self._zh: re.Pattern[str] | None = None

    def find(self, index: CueIndex, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
        """Return spans of every phrase within ``[start, end)``, sorted by start.

        Overlapping English phrases are all kept; of overlapping Chinese ones the first, and the longest there.
        """
        limit = len(index.lower) if end is None else end
        hits: list[tuple[int, int]] = []
        for first in self._by_first.keys() & index.words().keys():
            for phrase in self._by_first[first]:
                hits.extend(index.phrase(first, phrase))
        for prefix in self._prefixes:
            hits.extend(index.prefix(prefix))
        if self._may_be_chinese(index):
            hits.extend(match.span() for match in self._chinese().finditer(index.lower, start, limit))
        if start or end is not None:
            hits = [hit for hit in hits if hit[0] >= start and hit[1] <= limit]
        hits.sort()
        return hits

    def any(self, index: CueIndex, start: int, end: int) -> bool:
        """Return whether some phrase lies within ``[start, end)``."""
        lower = index.lower
        if self._may_be_chinese(index) and self._chinese().search(lower, start, end):
            return True
        spans: list[tuple[int, int]]
        for first in self._by_first.keys() & index.words().keys():
            for phrase in self._by_first[first]:
                spans = index.phrase(first, phrase)
                if spans and _within(spans, start, end):
                    return True
        for prefix in self._prefixes:
            spans = index.prefix(prefix)
            if spans and _within(spans, start, end):
                return True
        return False

    def _may_be_chinese(self, index: CueIndex) -> bool:
        """Return whether a search for Chinese phrases can succeed.

        English texts with few Chinese names can be skipped.
        """
        return (
            index.cjk
            and bool(self.zh)
            and (index.chinese or not self._zh_firsts.isdisjoint(index.characters()))
        )

    def _chinese(self) -> re.Pattern[str]:
        # Made on first use: most lexicons are never asked about a Chinese text in one run.
        if self._zh is None:
            self._zh = re.compile("|".join(map(re.escape, sorted(self.zh, key=len, reverse=True))))
        return self._zh


class PhraseLexicon(Lexicon):
    """The cue phrases of a list in a phrase file, read when they are first looked up.

    Args:
        file: Where the list is.
        name: Its name.
    """

    __slots__ = ("_file", "_name")

    def __init__(self, file: PhraseFile, name: str) -> None:
        self._file = file
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """Read the list; called only while the attributes of `Lexicon` are not set."""
        if attribute not in Lexicon.__slots__:
            raise AttributeError(attribute)
        phrases = self._file[self._name]
        super().__init__(phrases.en, phrases.zh)
        return getattr(self, attribute)


def _within(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect_right(spans, (start - 1, 1 << 60))
    return at < len(spans) and spans[at][1] <= end


@lru_cache(maxsize=4096)
def _spaced(phrase: str) -> re.Pattern[str]:
    """Return the pattern of a phrase with any white space between its words; `re` caches only 512 patterns."""
    return re.compile(r"\s+".join(map(re.escape, phrase.split(" "))))


class CueIndex:
    """Where each English word of a text stands; phrase look-ups are remembered.

    Args:
        plain: The text (see `assay.text.markup.plain_view`). Offsets returned are into it.
        cjk: Whether to search Chinese phrases at all.

    Attributes:
        lower: The text in lower case, the same length.
        chinese: Whether the text has running Chinese, by its commonest character, and not only names.
        doubled: Words whose next word, whatever stands between, is the same.
    """

    __slots__ = (
        "_characters",
        "_followed",
        "_phrases",
        "_sorted",
        "_starts",
        "chinese",
        "cjk",
        "doubled",
        "lower",
    )

    def __init__(self, plain: str, *, cjk: bool) -> None:
        lower = plain.lower()
        if len(lower) != len(plain):
            # Some capitals lower to two code points (İ); keep the offsets and lose the case of those.
            lower = "".join(low if len(low := char.lower()) == 1 else char for char in plain)
        self.lower: str = lower
        self.cjk: bool = cjk
        self.chinese: bool = cjk and "的" in lower
        self._sorted: list[str] | None = None
        self._phrases: dict[str, list[tuple[int, int]]] = {}
        self._followed: dict[str, dict[str, list[int]]] = {}
        self._characters: frozenset[str] | None = None
        # Splitting on the words gives gap, word, gap, word, …; where each begins is the length of all before it.
        parts = _WORD.split(lower)
        starts: dict[str, list[int]] = {}
        words = parts[1::2]
        # Words whose next word is the same; one pass in C while the list is at hand.
        self.doubled: frozenset[str] = frozenset(compress(words, map(eq, words, islice(words, 1, None))))
        for word, at in zip(words, islice(accumulate(map(len, parts)), 0, None, 2), strict=False):
            if word in starts:
                starts[word].append(at)
            else:
                starts[word] = [at]
        self._starts: dict[str, list[int]] = starts

    def positions(self, word: str) -> list[int]:
        """Return start offsets of ``word`` (lower case), ascending."""
        return self._starts.get(word, [])

    def words(self) -> dict[str, list[int]]:
        """Return every English word that occurs, with its start offsets. Do not change it."""
        return self._starts

    def characters(self) -> frozenset[str]:
        """Return every character that occurs."""
        if self._characters is None:
            self._characters = frozenset(self.lower)
        return self._characters

    def phrase(self, first: str, phrase: str) -> list[tuple[int, int]]:
        """Return spans of ``phrase``, whose first word is ``first``; both lower case."""
        found = self._phrases.get(phrase)
        if found is None:
            at = self._starts.get(first)
            if not at:
                found = []
            elif first == phrase:
                size = len(first)
                found = [(i, i + size) for i in at]
            else:
                found = self._verify(first, phrase)
            self._phrases[phrase] = found
        return found

    def _followed_by(self, first: str, letter: str) -> list[int]:
        """Return where ``first`` stands and the next word begins with ``letter``, or more than one space comes between.

        Phrases share their first words ("as well as", "as a result"), so its places are sorted once for all of them.
        """
        groups = self._followed.get(first)
        if groups is None:
            groups = self._followed[first] = {}
            lower = self.lower
            gap = len(first) + 1
            for at in self._starts[first]:
                following = lower[at + gap : at + gap + 1]
                if following.isspace():
                    following = " "
                if following in groups:
                    groups[following].append(at)
                else:
                    groups[following] = [at]
        spaced = groups.get(" ")
        found = groups.get(letter)
        if spaced and found:
            return sorted(found + spaced)
        return found or spaced or []

    def _verify(self, first: str, phrase: str) -> list[tuple[int, int]]:
        lower = self.lower
        open_end = phrase.endswith("*")
        text = phrase.rstrip("*")
        size = len(text)
        spaced: re.Pattern[str] | None = None
        found: list[tuple[int, int]] = []
        # The words between the first and the last stand alone wherever the phrase does.
        if not all(map(self._starts.__contains__, _inner(text))):
            return found
        gap = len(first) + 1
        second = text[gap:].split(" ", 1)[0]
        for i in self._followed_by(first, second[:1]):
            if lower.startswith(text, i):
                stop = i + size
            else:
                # Emphasis marks leave double spaces and lines break inside phrases. Most places fail at the second
                # word; the pattern is not made for them.
                if not lower.startswith(second, i + gap) and not lower[i + gap : i + gap + 1].isspace():
                    continue
                if spaced is None:
                    spaced = _spaced(text)
                match = spaced.match(lower, i)
                if match is None:
                    continue
                stop = match.end()
            # Han letters may follow an English phrase directly; latin ones would go on with its last word.
            if open_end or not (stop < len(lower) and lower[stop] < "\u0250" and lower[stop].isalpha()):
                found.append((i, stop))
        return found

    def prefix(self, stem: str) -> list[tuple[int, int]]:
        """Return spans of every word that begins with ``stem``."""
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


def _inner(phrase: str) -> list[str]:
    """Return the inner words of a phrase that are plain words."""
    return [word for word in phrase.split(" ")[1:-1] if word.isalpha()]
