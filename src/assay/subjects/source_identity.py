"""When two addresses or two titles are the same source."""

from __future__ import annotations

import re
from typing import Final

from assay.subjects.references import normalize_url
from assay.text.words import count_words

_PORTALS: Final = ("amp.", "m.", "mobile.")
_INDEX: Final = ("/index.html", "/index.htm", "/index.php", "/amp", "/full", "/fulltext")
# Two sources hardly share such a long title by chance, unlike "Annual report 2023".
_TITLE_WORDS: Final = 6
_TITLE_CHARS: Final = 22
# Names of a work that stay the same at different addresses.
_ARXIV: Final = re.compile(
    r"(?:arxiv\.org/[a-z]{3,5}/|^arxiv:\s?|10\.48550/arxiv\.)(\d{4}\.\d{4,5})", re.IGNORECASE
)
_DOI: Final = re.compile(r"(?:^|[/=:])(10\.\d{4,9}/[^\s?#&]{3,100})", re.IGNORECASE)
_PMC: Final = re.compile(r"\b(PMC\d{4,9})\b", re.IGNORECASE)
_VIDEO: Final = re.compile(r"(?:youtube\.com/watch\?(?:[^#]*&)?v=|youtu\.be/)([\w\-]{11})")
# What publishers put behind a DOI.
_DOI_END: Final = re.compile(
    r"(?:/(?:full|pdf|abstract|epdf|html|fulltext|meta|short|summary|xml))+$|\.(?:full|pdf|short|abstract)+$"
)


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


def work_identity(url: str) -> str:
    """Return a string that is equal for two addresses if they lead to the same work: by arXiv number, DOI, PMC, page.

    >>> work_identity("https://arxiv.org/pdf/2311.01234v2") == work_identity("http://arxiv.org/abs/2311.01234")
    True
    """
    lower = url.lower()
    if "arxiv" in lower and (match := _ARXIV.search(url)):
        return f"arxiv.org/{match[1]}"
    if "10." in url and (match := _DOI.search(url.replace("%2F", "/").replace("%2f", "/"))):
        return f"doi.org/{_DOI_END.sub('', match[1].lower().rstrip('./'))}"
    if "pmc" in lower and (match := _PMC.search(url)):
        return f"pmc/{match[1].lower()}"
    if "youtu" in url and (match := _VIDEO.search(url)):
        return f"youtube.com/{match[1]}"
    return page_identity(url)


def title_identity(title: str) -> str | None:
    """Return a string that is equal for two long titles that are the same; None for a title too short to tell."""
    if len(title) < _TITLE_CHARS or count_words(title) < _TITLE_WORDS:
        return None
    return " ".join(title.lower().split())
