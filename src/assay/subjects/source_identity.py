"""When two addresses or two titles are the same source."""

from __future__ import annotations

from typing import Final

from assay.subjects.references import normalize_url
from assay.text.words import count_words

_PORTALS: Final = ("amp.", "m.", "mobile.")
_INDEX: Final = ("/index.html", "/index.htm", "/index.php", "/amp", "/full", "/fulltext")
# Two sources hardly share such a long title by chance, unlike "Annual report 2023".
_TITLE_WORDS: Final = 6
_TITLE_CHARS: Final = 22


def page_identity(url: str) -> str:
    """Return a string that is equal for two addresses if they lead to the same page.

    It is the normalised address without mobile, index and full-text variants. A fragment counts only if it is a
    route ("#/…", "#!…").
    """
    at = url.find("#")
    route = url[at:] if at >= 0 and url[at + 1 : at + 2] in ("/", "!") else ""
    bare = normalize_url(url)
    for prefix in _PORTALS:
        bare = bare.removeprefix(prefix)
    for suffix in _INDEX:
        bare = bare.removesuffix(suffix)
    return bare + route


def title_identity(title: str) -> str | None:
    """Return a string that is equal for two long titles that are the same; None for a title too short to tell."""
    if len(title) < _TITLE_CHARS or count_words(title) < _TITLE_WORDS:
        return None
    return " ".join(title.lower().split())
