"""Hints for a model editor: what to do at the given site, and what was wrong with the text it wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.text.bilingual import Bilingual, message
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterable

_HINTS: Final = PhraseFile("assay.interventions", "hints")
_FLAWS: Final = PhraseFile("assay.interventions", "flaws")


def place_hint(name: str, /, **values: object) -> Bilingual:
    """Return a hint in both languages; names and placeholders are those of ``phrases/hints.yaml``."""
    return message(_HINTS, name, **values)


def edit_flaw(filter_name: str, reason: str) -> Bilingual:
    """Return the reason why a text was refused; in Chinese, what the filter that refused it asks for.

    Args:
        filter_name: The filter, as in ``phrases/flaws.yaml``.
        reason: Its reason, in English or in both languages.
    """
    if isinstance(reason, Bilingual):
        return reason
    return Bilingual(reason, _FLAWS[filter_name].zh[0])


def semicolons(items: Iterable[str]) -> Bilingual:
    """Return items joined by semicolons, because an item may contain commas."""
    every = list(items)
    return Bilingual("; ".join(every), "；".join(every))
