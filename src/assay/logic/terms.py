"""The terms by which two statements of a report are compared.

They are made from `assay.text.words.content_terms`, but coarser: a Latin word is cut to its first six letters, and
of Han text only pairs of adjacent characters without a particle are kept.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.text.phrases import PhraseFile
from assay.text.words import CJK_STOP, STOPWORDS, stem

if TYPE_CHECKING:
    from assay.text.lexicon import CueIndex

_LATIN: Final = re.compile(r"[a-z][a-z0-9\-]{2,}")
_HAN: Final = re.compile(f"[^\x00-\u33ff\ua000-\uffff{''.join(sorted(CJK_STOP))}]{{2,}}")
_PHRASES: Final = PhraseFile("assay.logic", "terms")


def coarse(terms: set[str], *, chinese: bool) -> frozenset[str]:
    """Return the terms of a sentence, from its `content_terms`."""
    telling = terms - _common_stems()
    if chinese:
        # Pairs of characters, and Latin names that have no endings to cut.
        return frozenset(telling)
    return frozenset([term[:6] for term in telling if len(term) > 2])


def terms_of(index: CueIndex, start: int, end: int) -> frozenset[str]:
    """Return the terms of ``plain[start:end]``."""
    return _terms(index.lower[start:end], cjk=index.cjk)


def terms_in(text: str) -> frozenset[str]:
    """Return the terms of a text that is not part of a report: a query."""
    return _terms(text.lower(), cjk=not text.isascii())


def _terms(lower: str, *, cjk: bool) -> frozenset[str]:
    common = _common()
    words = {word[:6] for word in _LATIN.findall(lower) if word not in common}
    if cjk and not lower.isascii():
        for run in _HAN.findall(lower):
            words.update(map(str.__add__, run, run[1:]))
    return frozenset(words)


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the shared terms over those of the smaller set, 0 to 1; 0 if one has none."""
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0


@cache
def _common() -> frozenset[str]:
    return STOPWORDS.union(_PHRASES["common"].en)


@cache
def _common_stems() -> frozenset[str]:
    # As stems, which is the form of a sentence's terms.
    return frozenset(map(stem, _common())) | _common()
