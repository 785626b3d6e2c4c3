"""The error that a tool returns for a page that no search found and that does not exist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

import msgspec

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_PHRASES: Final = PhraseFile("assay.interventions", "failed_visits")

_TOPICS: Final[dict[str, str]] = {
    "Britannica": (
        "History & Society | Science & Tech | Biographies | Animals & Nature | Geography & "
        "Travel | Arts & Culture | Money"
    ),
    "HISTORY": (
        "Topics | This Day in History | Shows | Ancient History | U.S. History | World War II | "
        "Inventions & Science"
    ),
    "Encyclopedia.com": (
        "Earth and the Environment | History | Literature and the Arts | Medicine | People | Philosophy and Religion"
        " | Places | Plants and Animals | Science and Technology | Social Sciences and the Law | Sports "
        "and Everyday Life"
    ),
}


class VisitedPage(msgspec.Struct, frozen=True):
    """A visited page.

    Attributes:
        address: URL of the page.
        text: Text of the page.
        summary: The tool's summary of the page.
    """

    address: str
    text: str
    summary: str


def _closing(forms: Sequence[str], asked: Sequence[str], draw: Random) -> str:
    """Return a sentence in one of ``forms`` that mentions a random one of the queries."""
    topic = draw.choice(list(asked)).strip(" ?.\"'")
    # A name goes into a sentence as it is; other search words go in quotation marks.
    named = re.match(r"[A-Z]\w+ [A-Z]", topic) is not None and '"' not in topic
    topic = topic if named and draw.random() < 0.6 else draw.choice(("“{0}”", "'{0}'", '"{0}"')).format(topic)
    return draw.choice(forms).format(asked=topic, Asked=topic)


def absent_pages(asked: Sequence[str], draw: Random) -> list[VisitedPage]:
    """Return error pages at addresses that one would guess from a query; the pages do not exist."""
    pages: list[VisitedPage] = []
    for text in sorted(asked, key=lambda text: len(text.split()))[:3]:
        title = re.sub(r"[\"“”?#%<>\[\]{}|]", "", text).strip()
        if not title.isascii() or not 3 <= len(title.split()) <= 8:
            continue
        if draw.random() < 0.55:
            title = title[0].upper() + title[1:]
            address = f"https://en.wikipedia.org/wiki/{quote(title.replace(' ', '_'), safe=_KEPT)}"
            parts = [
                _PHRASES["no_article"].en[0],
                *(part for part in _PHRASES["no_article"].en[1:] if draw.random() < 0.75),
            ]
            body = "\n\n".join(parts).format(title=title)
        else:
            site = draw.choice(list(_PHRASES["sites"].mapping("en")))
            slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
            address = _PHRASES["sites"].mapping("en")[site] + slug
            path = unquote(re.sub(r"^https://[^/]+", "", address))
            body = f"{draw.choice(_PHRASES['missing'].en).format(path=path, site=site, title=title)}\n\n{_TOPICS[site]}"
        pages.append(VisitedPage(address, body, _closing(_PHRASES["not_there"].en, [text], draw)))
    return pages


_KEPT: Final = "_(),'&!:;-"


def reported(pages: Sequence[VisitedPage], goal: str, *, as_summary: bool) -> str:
    """Return pages in the format of the tool: each with its goal and summary, or as plain text."""
    if not as_summary:
        return "\n\n".join(page.text for page in pages)
    return "\n=======\n".join(
        f"The useful information in {page.address} for user goal {goal} as follows: \n\nEvidence in page: "
        f"\n{page.text}"
        f"\n\nSummary: \n{page.summary}\n"
        for page in pages
    )
