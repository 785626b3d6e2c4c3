"""A guess at the category of a finance question from its wording, without a model.

It is a cross-check of a model's answer, not a replacement. The phrases of each category are in
``phrases/query_categories.yaml``; if phrases of several categories occur, the first category of that file decides.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from assay.text.phrases import PhraseFile


class CategoryGuess(msgspec.Struct, frozen=True):
    """A category, and the words that it was guessed from."""

    category: str
    words: str


PHRASES: Final = PhraseFile("assay.suites.finresearch", "query_categories")
# The first match decides: a briefing is a briefing whatever it should contain, and most queries mention analysts.
_CATEGORIES: Final = (
    "investment_education",
    "morning_brief",
    "post_market_recap",
    "expert_opinion",
    "stock_filtering",
    "trade_recommendation",
    "stock_movements",
    "plate_selection",
    "event_analysis",
    "sector_analysis",
    "stock_analysis",
)
_LIST: Final = re.compile(r"<<(\w+)>>")


def _expanded(pattern: str) -> str:
    """Replace ``<<name>>`` within phrases by the alternatives of that list."""
    return _LIST.sub(lambda match: PHRASES[match[1]].alternation("en"), pattern)


_PATTERNS: Final = {
    name: PHRASES.pattern(rf"(?:\b(?:<<{name}.en>>)\b|<<{name}.zh>>)", flags=re.IGNORECASE, prepare=_expanded)
    for name in _CATEGORIES
}


def guess(query: str) -> CategoryGuess | None:
    """Return the category that the wording of a question points to, or None if it points to none."""
    text = " ".join(query.split())
    for category, pattern in _PATTERNS.items():
        match = pattern.search(text)
        if match is not None:
            return CategoryGuess(category, match.group())
    return None
