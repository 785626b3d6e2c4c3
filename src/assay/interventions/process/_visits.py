"""What comes back where a page is visited that nobody had found: a site's front page, or that there is none.

The text of a front page is made of what searches for other questions found on the site, so that it reads as pages do
and is on other matters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

import msgspec

from assay.checks.trj._words import terms
from assay.interventions.process._results import blocks, items_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from assay.subjects.trajectory import Trajectory

__all__ = ["Item", "Page", "absent_pages", "front_pages", "items_in", "reported"]

_HEAD: Final = re.compile(r"\. \[(?P<title>.+?)\]\((?P<url>https?://(?P<host>[^/)\s]+)[^)\s]*)\)+\n")
_PUBLISHED: Final = re.compile(r"^Date published: (?P<date>[^\n]+)$", re.MULTILINE)
# Sites whose front page somebody might open for a question of fact.
_FRONTS: Final[dict[str, tuple[str, str]]] = {
    "en.wikipedia.org": ("https://en.wikipedia.org/wiki/Main_Page", "Wikipedia"),
    "www.britannica.com": ("https://www.britannica.com/", "Britannica"),
    "www.history.com": ("https://www.history.com/", "HISTORY"),
    "www.theguardian.com": ("https://www.theguardian.com/international", "the Guardian"),
    "www.bbc.com": ("https://www.bbc.com/", "the BBC"),
    "www.bbc.co.uk": ("https://www.bbc.co.uk/", "the BBC"),
    "www.smithsonianmag.com": ("https://www.smithsonianmag.com/", "Smithsonian Magazine"),
    "www.imdb.com": ("https://www.imdb.com/", "IMDb"),
    "www.nytimes.com": ("https://www.nytimes.com/", "The New York Times"),
    "www.biography.com": ("https://www.biography.com/", "Biography"),
    "www.ebsco.com": ("https://www.ebsco.com/research-starters", "EBSCO Research Starters"),
    "www.nationalgeographic.com": ("https://www.nationalgeographic.com/", "National Geographic"),
    "theconversation.com": ("https://theconversation.com/", "The Conversation"),
    "www.npr.org": ("https://www.npr.org/", "NPR"),
    "www.nobelprize.org": ("https://www.nobelprize.org/", "the Nobel Prize"),
    "whc.unesco.org": ("https://whc.unesco.org/en/list/", "the World Heritage Centre"),
}
_ENCYCLOPAEDIC: Final = ("From today's featured article", "Did you know ...", "In the news", "On this day")
_SECTIONS: Final = (
    "Featured", "Latest", "Most read", "Trending", "Editors' picks", "Highlights", "Recently updated", "Popular", "In depth",
    "New this week", "Recommended", "More to explore",
)  # fmt: skip
_OPENING: Final = (
    "{Site}'s front page opens with pieces on {a}, {b} and {c}.",
    "The text covers {a}, {b} and {c}, among other entries.",
    "This is the landing page of {site}; its entries include {a}, {b} and {c}.",
    "The page gathers short introductions to a range of subjects such as {a}, {b} and {c}.",
    "On display are {a}, {b}, {c} and a number of further items.",
    "What the page offers is an overview: {a}, then {b}, then {c} and others.",
    "A selection of articles is presented here, from {a} to {b}, with {c} in between.",
    "It is a general entry page with links to {a}, {b} and {c}.",
)
_CLOSING: Final = (
    "None of it concerns {asked}.",
    "There is nothing here on {asked}.",
    "{Asked} does not come up.",
    "It does not deal with {asked}, so the goal is not met by this page.",
    "No passage bears on {asked}.",
    "For {asked} the page has no information.",
    "The user goal, {asked}, is not addressed.",
    "Nothing in the text relates to {asked}.",
)
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


class Item(msgspec.Struct, frozen=True):
    """A search result: what it is called, its site, and what was shown of it."""

    title: str
    host: str
    text: str


class Page(msgspec.Struct, frozen=True):
    """A page that was visited: its address, what is on it, what that comes to."""

    address: str
    text: str
    summary: str


def items_in(trajectory: Trajectory) -> list[Item]:
    """The search results of a trajectory, each once."""
    known = trajectory.memo.get("result items")
    if isinstance(known, list):
        return list(known)
    found: dict[str, Item] = {}
    for call in trajectory.tool_calls:
        response = call.response or ""
        for start, end in blocks(response):
            for item in items_of(response[start:end])[1]:
                head = _HEAD.match(item)
                if head is None or head.group("host") not in _FRONTS:
                    continue
                title = re.split(r"\s[-|–—]\s", head.group("title"))[0].strip(" .…")
                text = _PUBLISHED.sub("", item[head.end() :]).strip()
                if 3 < len(title) < 70 and len(text) > 60 and "..." not in title and text[0].isupper():
                    found.setdefault(head.group("url"), Item(title, head.group("host"), text))
    items = list(found.values())
    trajectory.memo["result items"] = items
    return list(items)


def front_pages(
    items: Iterable[Item], asked: Sequence[str], banned: set[str], size: int, draw: Random
) -> list[Page]:
    """Front pages of sites, filled to about a size with what is on other matters; none where there is too little.

    Args:
        items: What other searches found.
        asked: What the pages are read for.
        banned: Words that may not be on them.
        size: In characters, all pages together.
        draw: Decides on sites, order and wording.
    """
    by_site: dict[str, list[Item]] = {}
    for item in items:
        if not banned & terms(f"{item.title} {item.text}"):
            by_site.setdefault(item.host, []).append(item)
    hosts = [host for host in by_site if len({item.title for item in by_site[host]}) >= 4]
    if not hosts:
        return []
    draw.shuffle(hosts)
    hosts.sort(key=lambda host: len(by_site[host]) < 12)
    pages: list[Page] = []
    for number, host in enumerate(hosts[: draw.choice((1, 2, 3, 3))]):
        due = size - sum(len(page.text) + len(page.summary) + 250 for page in pages)
        if pages and due < 500:
            break
        pool = list({item.title: item for item in by_site[host]}.values())
        draw.shuffle(pool)
        share = due if number == 2 else min(due, max(600, int(size * draw.uniform(0.4, 0.75))))
        pages.append(_front(host, pool, asked, share, draw))
    return pages


def _front(host: str, pool: list[Item], asked: Sequence[str], size: int, draw: Random) -> Page:
    address, site = _FRONTS[host]
    names = list(_ENCYCLOPAEDIC) if host == "en.wikipedia.org" else draw.sample(_SECTIONS, 4)
    form = draw.choice(("### {0}\n{1}", "* **{0}** – {1}", "{0}\n{1}", "**{0}**: {1}"))
    lines: list[str] = []
    used = 0
    taken = 0
    for number, item in enumerate(pool):
        if used > max(size - 500, 300) and number >= 3:
            break
        if number % 5 == 0 and number // 5 < len(names):
            lines.append(f"## {names[number // 5]}")
        lines.append(form.format(item.title, item.text))
        used += len(lines[-1]) + 2
        taken += 1
    shown = draw.sample(pool[:taken], 3)
    opening = draw.choice(_OPENING).format(
        site=site,
        Site=site[0].upper() + site[1:],
        a=shown[0].title,
        b=shown[1].title,
        c=shown[2].title,
    )
    return Page(address, "\n\n".join(lines), f"{opening} {_closing(_CLOSING, asked, draw)}")


def _closing(forms: Sequence[str], asked: Sequence[str], draw: Random) -> str:
    topic = draw.choice(list(asked)).strip(" ?.\"'")
    # A name goes into a sentence as it is, other words of a search in quotation marks.
    named = re.match(r"[A-Z]\w+ [A-Z]", topic) is not None and '"' not in topic
    topic = topic if named and draw.random() < 0.6 else draw.choice(("“{0}”", "'{0}'", '"{0}"')).format(topic)
    return draw.choice(forms).format(asked=topic, Asked=topic)


def absent_pages(asked: Sequence[str], draw: Random) -> list[Page]:
    """Pages that would be called what was asked for, and that no site has."""
    pages: list[Page] = []
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
        pages.append(Page(address, body, _closing(_NOT_THERE, [text], draw)))
    return pages


_KEPT: Final = "_(),'&!:;-"


def reported(pages: Sequence[Page], goal: str, *, as_summary: bool) -> str:
    """Pages as a tool returns them: each with its goal and a summary, or their plain text."""
    if not as_summary:
        return "\n\n".join(page.text for page in pages)
    return "\n=======\n".join(
        f"The useful information in {page.address} for user goal {goal} as follows: \n\nEvidence in page: \n{page.text}"
        f"\n\nSummary: \n{page.summary}\n"
        for page in pages
    )
