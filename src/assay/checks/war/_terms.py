"""Content terms of clauses, coarse enough that "efficient" meets "efficiency"."""

from __future__ import annotations

from typing import Final

from assay.text.words import content_terms

# Words that carry a claim's form and not its subject.
_FORM: Final = frozenset(
    "there also very such because since therefore thus hence cause causes caused leads result results make makes show shows "
    "proves become becomes provide include based need needs overall important significant result according new".split()
)
_KEEP: Final = 6


def clause_terms(text: str) -> set[str]:
    """Content terms cut to six letters; Chinese bigrams as they are."""
    return {term[:_KEEP] for term in content_terms(text) if term not in _FORM}
