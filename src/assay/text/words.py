"""Words, counted as the papers count them: a run of letters is a word, and so is each CJK character."""

from __future__ import annotations

import re
from operator import add
from typing import Final

# Han, with the extensions met in practice, and the Japanese syllabaries. Hangul is written in spaced words.
CJK_RANGES: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0002fa1f"
CJK: Final = re.compile(f"[{CJK_RANGES}]")
_CJK_RUN: Final = re.compile(f"[{CJK_RANGES}]+")
# Anything from here on may be a letter or a digit that the quick pattern for latin text does not know.
_BEYOND_LATIN: Final = re.compile(
    "[\u0250-\u200f\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\U0010ffff]"
)
_LATIN: Final = (
    "[0-9A-Za-z\u00aa\u00b2\u00b3\u00b5\u00b9\u00ba\u00bc-\u00be\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]++"
)
_LATIN_WORD: Final = re.compile(rf"{_LATIN}(?>(?:['’\-.,/]{_LATIN})*)")
# A latin word keeps inner apostrophes, hyphens and decimal points together: "long-term", "3.5%", "Moody's".
_WORD: Final = re.compile(rf"[^\W_{CJK_RANGES}]++(?>(?:['’\-.,/][^\W_{CJK_RANGES}]++)*)")

_TERM: Final = re.compile(rf"[^\W_{CJK_RANGES}]++(?>(?:['’\-][^\W_{CJK_RANGES}]++)*)")
_LATIN_TERM: Final = re.compile(rf"{_LATIN}(?>(?:['’\-]{_LATIN})*)")
# Letters and digits that are neither latin nor CJK; without one the quick pattern finds the same terms. Chinese
# punctuation is left out of the full-width forms, which are letters and digits otherwise.
_NEITHER: Final = re.compile(
    "[\u0250-\u200f\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\u2fff\u3003-\u3007\u3012\u3013\u301c-\u303f"
    "\u3100-\u33ff\u4dc0-\u4dff\ua000-\uf8ff\ufb00-\uff00\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\U0001ffff\U0002fa20-\U0010ffff]"
)

# Latin-1 with letters and digits as "a", marks that join two of them as "-", and blanks: words end at "a ", "a- " and
# "a--", and counting these is many times faster than any pattern.
_SHAPES: Final = bytes(
    ord("a") if _LATIN_WORD.fullmatch(char) else ord("-") if char in "'-.,/" else ord(" ")
    for char in map(chr, range(256))
)
_NOT_ASCII: Final = re.compile("[^\x00-\x7f]")
# Letters and digits outside Latin-1 and CJK.
_OTHER_LETTERS: Final = re.compile(f"[\u0100-\u024f]|{_NEITHER.pattern}")

STOPWORDS: Final = frozenset(
    """a about above after again against all also am an and any are as at be because been before being below
    between both but by can could did do does doing down during each either else ever few for from further
    had has have having he her here hers him his how however i if in into is it its itself just like many
    may me might more most much must my no nor not now of off on once one only or other our ours out over
    own per same she should since so some such than that the their theirs them then there these they this
    those through thus to too toward towards under until up upon us use used using very via was we well were
    what when where whether which while who whom whose why will with within without would yet you your yours""".split()
)

# Characters that join Chinese words and mean nothing alone; a bigram with one is not a term.
CJK_STOP: Final = frozenset(
    "的了和与及或在是为对从到由以其这那有将被把等并也都而但中上下个年月日之于可能会不更最所"
)

# One negated class instead of two tests a character: not outside CJK, and not a stop character.
_CJK_CONTENT: Final = re.compile(
    f"[^\x00-\u303f\u3100-\u33ff\ua000-\uf8ff\ufb00-\U0001ffff{''.join(sorted(CJK_STOP))}]{{2,}}"
)


def has_cjk(text: str) -> bool:
    """Return whether any Han or kana character occurs."""
    return CJK.search(text) is not None


def count_words(text: str) -> int:
    """Return the number of words: one per run of letters or digits, one per CJK character."""
    cjk = 0
    if not text.isascii():
        foreign = "".join(_NOT_ASCII.findall(text))
        cjk = len(CJK.findall(foreign))
        if _OTHER_LETTERS.search(foreign):
            return cjk + len(_WORD.findall(text))
        text = text.replace("’", "'")
    shape = text.encode("latin-1", "replace").translate(_SHAPES) + b"  "
    return cjk + shape.count(b"a ") + shape.count(b"a- ") + shape.count(b"a--")


def stem(word: str) -> str:
    """Return a light English stem for overlap tests: plural and verb endings off, nothing clever.

    >>> stem("policies"), stem("growing"), stem("markets")
    ('policy', 'grow', 'market')
    """
    n = len(word)
    if n > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if n > 5 and word.endswith("ing"):
        return _undouble(word[:-3])
    if n > 4 and word.endswith("ed"):
        return _undouble(word[:-2])
    if n > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if n > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _undouble(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word


class _Terms(dict[str, str]):
    """The stem of a content word, or nothing for one that carries none; each word is worked out once."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        term = "" if len(word) < 2 or word in STOPWORDS or word.isdigit() else stem(word)
        self[word] = term
        return term


_REMEMBERED: Final = 1 << 16
_term: Final = _Terms().__getitem__


class _Pairs(dict[str, str]):
    """Pairs of Chinese characters, each kept once: sentences hold most of theirs in common."""

    def __missing__(self, pair: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[pair] = pair
        return pair


_pair: Final = _Pairs().__getitem__


def content_terms(text: str) -> set[str]:
    """Return the terms two passages can share: stems of content words, and CJK character bigrams.

    Lower-cased; stop words, bare digits and one-letter words are left out. Empty for text without any.
    """
    lower = text.lower()
    ascii_only = text.isascii()
    pattern = _LATIN_TERM if ascii_only or _NEITHER.search(lower) is None else _TERM
    terms = set(map(_term, pattern.findall(lower)))
    if not ascii_only:
        for run in _CJK_CONTENT.findall(text):
            terms.update(map(_pair, map(add, run, run[1:])))
    terms.discard("")
    return terms
