"""What comes back where a page is visited that nobody had found, and that there is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_NO_ARTICLE: Final = (
    (
        "Wikipedia does not have an article with this exact name. Please search for {title} in Wikipedia to check for alternative"
        " titles or spellings."
    ),
    (
        "Look for {title} on one of Wikipedia's sister projects: Wiktionary (dictionary), Wikibooks (textbooks), Wikiquote"
        " (quotations), Wikisource (library), Wikiversity (learning resources), Commons (media), Wikivoyage (travel guide),"
        " Wikinews (news source), Wikidata (linked database), Wikispecies (species directory)."
    ),
    "Other reasons this message may be displayed:",
    (
        "* If a page was recently created here, it may not be visible yet because of a delay in updating the database; wait a few"
        " minutes or try the purge function."
    ),
    (
        "* Titles on Wikipedia are case sensitive except for the first character; please check alternative capitalizations and"
        " consider adding a redirect here to the correct title."
    ),
    "* If the page has been deleted, check the deletion log, and see Why was the page I created deleted?",
)
_MISSING: Final = (
    "404 – we can't find {path} on {site}. The page may have been moved, renamed or taken down.",
    (
        "Sorry, the page you requested ({path}) is not available. Check the address, or use the search box at the top of"
        " {site}."
    ),
    "Page not found. Nothing on {site} answers to {path}; go back to the home page or browse by topic.",
    "Oops! {path} doesn't lead anywhere. Try one of the topics below or search {site} for “{title}”.",
)
_TOPICS: Final[dict[str, str]] = {
    "Britannica": "History & Society | Science & Tech | Biographies | Animals & Nature | Geography & Travel | Arts & Culture | Money",
    "HISTORY": "Topics | This Day in History | Shows | Ancient History | U.S. History | World War II | Inventions & Science",
    "Encyclopedia.com": ("Earth and the Environment | History | Literature and the Arts | Medicine | People | Philosophy and Religion"
     " | Places | Plants and Animals | Science and Technology | Social Sciences and the Law | Sports and Everyday Life"),
}  # fmt: skip
_SITES: Final[dict[str, str]] = {
    "Britannica": "https://www.britannica.com/topic/",
    "HISTORY": "https://www.history.com/topics/",
    "Encyclopedia.com": "https://www.encyclopedia.com/reference/",
}
_NOT_THERE: Final = (
    "No page exists at this address, so nothing can be said about {asked}.",
    "The site has no entry under this title; {asked} remains open.",
    "The address leads to an error page without content on {asked}.",
    "There is only a notice that the entry is missing, and no text about {asked}.",
    "Only a message about the missing page is shown; it gives no details of {asked}.",
    "The requested entry is absent, and the page that appears instead does not cover {asked}.",
)


class VisitedPage(msgspec.Struct, frozen=True):
    """A page that was visited: its address, what is on it, what that comes to."""

    address: str
    text: str
    summary: str


def _closing(forms: Sequence[str], asked: Sequence[str], draw: Random) -> str:
    topic = draw.choice(list(asked)).strip(" ?.\"'")
    # A name goes into a sentence as it is, other words of a search in quotation marks.
    named = re.match(r"[A-Z]\w+ [A-Z]", topic) is not None and '"' not in topic
    topic = topic if named and draw.random() < 0.6 else draw.choice(("“{0}”", "'{0}'", '"{0}"')).format(topic)
    return draw.choice(forms).format(asked=topic, Asked=topic)


def absent_pages(asked: Sequence[str], draw: Random) -> list[VisitedPage]:
    """Pages that would be called what was asked for, and that no site has."""
    pages: list[VisitedPage] = []
    for text in sorted(asked, key=lambda text: len(text.split()))[:3]:
        title = re.sub(r"[\"“”?#%<>\[\]{}|]", "", text).strip()
        if not title.isascii() or not 3 <= len(title.split()) <= 8:
            continue
        if draw.random() < 0.55:
            title = title[0].upper() + title[1:]
            address = f"https://en.wikipedia.org/wiki/{quote(title.replace(' ', '_'), safe=_KEPT)}"
            parts = [_NO_ARTICLE[0], *(part for part in _NO_ARTICLE[1:] if draw.random() < 0.75)]
            body = "\n\n".join(parts).format(title=title)
        else:
            site = draw.choice(list(_SITES))
            slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
            address = _SITES[site] + slug
            path = unquote(re.sub(r"^https://[^/]+", "", address))
            body = f"{draw.choice(_MISSING).format(path=path, site=site, title=title)}\n\n{_TOPICS[site]}"
        pages.append(VisitedPage(address, body, _closing(_NOT_THERE, [text], draw)))
    return pages


_KEPT: Final = "_(),'&!:;-"


def reported(pages: Sequence[VisitedPage], goal: str, *, as_summary: bool) -> str:
    """Pages as a tool returns them: each with its goal and a summary, or their plain text."""
    if not as_summary:
        return "\n\n".join(page.text for page in pages)
    return "\n=======\n".join(
        f"The useful information in {page.address} for user goal {goal} as follows: \n\nEvidence in page: \n{page.text}"
        f"\n\nSummary: \n{page.summary}\n"
        for page in pages
    )
