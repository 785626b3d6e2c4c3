"""Gaps in a query: whether the text that remains still reads like a typed query."""

from __future__ import annotations

import re
from typing import Final

from assay.interventions.process._arguments import words_of
from assay.text.phrases import PhraseFile
from assay.text.words import STOPWORDS

_PHRASES: Final = PhraseFile("assay.interventions", "query_gaps")

# Texts that break off, or have a stray hyphen or comma.
_HALF: Final = re.compile(
    r"\w- |, ?\d|\(\)|\s-|\b(?:in|on|of|at|by|the|early|late|mid|and|or|established|born)$|\bon,"
)
# Words that cannot stand before a gap because they lead up to what is gone.
_LEADS_UP: Final = _PHRASES.pattern(
    r"(?:\b(?:<<leads_up>>)|[-–/&+,('\"“])\s*$",
    flags=re.IGNORECASE,
)
# Words that cannot stand after a gap because they depend on what is gone.
_HANGS_AFTER: Final = re.compile(
    r"\s*(?:[-–/&+)'’]|,\s*\d|\d|(?:century|and|or|to|ed|edition|version)\b)", re.IGNORECASE
)


def leaves_stump(before: str, after: str) -> bool:
    """Return whether removing the text between ``before`` and ``after`` would leave a dangling word."""
    before = before.rstrip()
    open_end = _LEADS_UP.search(before) is not None
    # "in" before a gap may belong to what comes after it: "in Canadian football".
    if (
        open_end
        and re.search(r"\b(?:in|on|of|at|by|for|with|a|an|from|about|the)$", before)
        and re.match(r"\s*[a-z]{3}", after)
    ):
        open_end = False
    return open_end or _HANGS_AFTER.match(after) is not None


def fits_region(text: str, start: int, end: int, wider: str) -> bool:
    """Return whether the name of a wider region fits where a narrower name stands: after "in", say, or at the end."""
    if wider[:1].islower() and not wider.startswith("the "):
        # "famous" for a nationality, never within brackets or a name.
        return text[:start].count("(") == text[:start].count(")")
    return (
        re.search(r"\b(?:in|of|from|to|near|across)\s$", text[:start]) is not None
        or (start > 0 and not text[end:].strip(" ?"))
    ) and not re.match(r"['’-]", text[end:])


_STRAY: Final = _PHRASES.pattern(r"\s(?:<<stray>>)$")
_OPENS: Final = re.compile(r"^(?:of|and|by|with|to|s|who|that|was|is)\s", re.IGNORECASE)


def tidy(text: str) -> str:
    """Return a text without the spaces, commas and prepositions left over by a gap."""
    text = re.sub(r"\s{2,}", " ", text).strip(" ,;-–")
    text = re.sub(r"\s+([,;?])|^[,;]\s?", lambda match: match.group(1) or "", text)
    for _ in range(2):
        text = _STRAY.sub("", text)
    return text


def stands(text: str) -> bool:
    """Return whether a shortened text is still a query: it has distinctive words and no dangling ones."""
    telling = [word for word in words_of(text) if word.lower() not in STOPWORDS]
    if not telling or _OPENS.match(text) or text.count('"') % 2:
        return False
    if re.search(r"\b(?:in|of|from|at|by|the|a|an|on) (?:in|of|from|at|by|to|and|after|before|or)\b", text):
        return False
    if re.search(r"(?:ed|'s)$", text) and not text[:1].isupper():
        return False
    return len(telling) > 1 or telling[0][:1].isupper() or not text.isascii()


def breaks_off(text: str) -> bool:
    """Return whether a text breaks off, or has a stray hyphen or comma."""
    return _HALF.search(text) is not None
