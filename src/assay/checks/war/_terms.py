"""Content terms of clauses, coarse enough that "efficient" meets "efficiency"."""

from __future__ import annotations

from typing import Final

from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import content_terms

_PHRASES: Final = PhraseFile("assay.checks", "war")
_WORDS: Final = WordSets(_PHRASES)

_KEEP: Final = 6


def clause_terms(text: str) -> set[str]:
    """Content terms cut to six letters; Chinese bigrams as they are."""
    return {term[:_KEEP] for term in content_terms(text) if term not in _WORDS.terms_form}
