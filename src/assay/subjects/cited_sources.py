"""The sources of a report: each work once, with what its title and its address tell of it.

    for source in report.sources:
        print(source.name, source.kind)

Entries of the reference list and links of the text that lead to the same work are one source.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.subjects.source_identity import work_identity
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.subjects.marked_text import MarkedText
    from assay.subjects.parts import Citation, Reference

SourceKind = Literal[
    "",
    "home page",
    "search",
    "login",
    "error",
    "call for papers",
    "shop",
    "dictionary",
    "forum",
    "social",
    "blog",
    "encyclopaedia",
    "press release",
    "preprint",
    "journal",
    "news",
    "official",
    "government",
]

_PHRASES: Final = PhraseFile("assay.subjects", "sources")
_PARTS: Final = re.compile(
    r"(?:[a-z]{2,12}://)?(?:[^@/?#\s]*@)?([^/?#:\s]+)(?::\d+)?([^#\s]*)", re.IGNORECASE
)
# What these hosts put up is of one kind, whatever the address.
_SETTLED: Final = ("government", "journal", "preprint", "official")
_HOME: Final = re.compile(r"/?(?:index\.\w{2,5})?(?:(?:en|zh|cn|us|de|en-us|zh-cn)/?)?$", re.IGNORECASE)
# No title: digits, an address, a host ("pmc.ncbi.nlm.nih.gov").
_WORDLESS: Final = re.compile(r"[\d\W_]*$|[a-z]{3,5}://|www\.|\S+\.\S+$", re.IGNORECASE)


class Source(msgspec.Struct, frozen=True):
    """One work that a report lists or links.

    Attributes:
        index: Its place in ``Report.sources``.
        title: Its longest title among entries and link texts; may be empty.
        url: Its first address, or None.
        host: The host of the address without "www.", or "".
        kind: What it is by host, address or title; "" if they do not tell.
        references: Indexes of its entries.
        span: Its first entry, or its first link.
    """

    index: int
    title: str
    url: str | None
    host: str
    kind: SourceKind
    references: tuple[int, ...]
    span: Span

    @property
    def name(self) -> str:
        """Its title, or its address."""
        return self.title or self.url or ""


class SourceIndex(msgspec.Struct, frozen=True):
    """The sources of a report, and which of them each citation names.

    Attributes:
        sources: Each work once, listed ones first.
        cited: For each citation of the report the sources it names; empty for marks that lead nowhere.
    """

    sources: list[Source]
    cited: list[tuple[int, ...]]


class _Draft(msgspec.Struct):
    title: str
    url: str | None
    span: Span
    references: list[int]


def find_sources(
    report: MarkedText, references: Sequence[Reference], citations: Sequence[Citation]
) -> SourceIndex:
    """Return the works that a report lists or links, and the works behind each citation. Linear; never raises."""
    works = _Works()
    of_reference: list[int] = []
    for ref in references:
        at = works.add(ref.url, ref.title, ref.span)
        works.drafts[at].references.append(ref.index)
        of_reference.append(at)
    cited = [tuple(dict.fromkeys(_named(report, citation, works, of_reference))) for citation in citations]
    return SourceIndex([_source(i, draft) for i, draft in enumerate(works.drafts)], cited)


class _Works:
    """The works met so far, by identity."""

    def __init__(self) -> None:
        self.drafts: list[_Draft] = []
        self._by_identity: dict[str, int] = {}

    def add(self, url: str | None, title: str, span: Span) -> int:
        """Return the index of a work; a new one if its address is new or it has none."""
        title = "" if _WORDLESS.match(title) else " ".join(title.split())
        identity = work_identity(url) if url else ""
        at = self._by_identity.get(identity, -1) if identity else -1
        if at < 0:
            at = len(self.drafts)
            self.drafts.append(_Draft(title, url, span, []))
            if identity:
                self._by_identity[identity] = at
        elif len(title) > len(self.drafts[at].title):
            self.drafts[at].title = title
        return at


def _named(report: MarkedText, citation: Citation, works: _Works, of_reference: list[int]) -> Iterator[int]:
    for key, reference in zip(citation.keys, citation.references, strict=True):
        if reference is not None:
            yield of_reference[reference]
        elif citation.form == "link":
            text = report.source[citation.span.start : citation.span.end]
            title = text[1 : text.find("](")] if text.startswith("[") and "](" in text else ""
            yield works.add(key, title, citation.span)


def _source(index: int, draft: _Draft) -> Source:
    url = draft.url or ""
    match = _PARTS.match(url)
    host = match[1].lower().removeprefix("www.") if match and "." in match[1] else ""
    path = match[2].lower() if match and host else ""
    return Source(
        index,
        draft.title,
        draft.url,
        host,
        _kind(host, path, draft.title),
        tuple(draft.references),
        draft.span,
    )


@cache
def _hosts() -> dict[str, SourceKind]:
    return {host: kind for kind, hosts in _PHRASES["hosts"].rows("any") for host in hosts.split()}  # type: ignore[misc]


@cache
def _patterns(name: str) -> tuple[tuple[SourceKind, re.Pattern[str]], ...]:
    lists = _PHRASES[name]
    rows = (*lists.rows("any"), *lists.rows("en"), *lists.rows("zh"))
    return tuple((row[0], re.compile(" | ".join(row[1:]), re.IGNORECASE)) for row in rows)  # type: ignore[misc]


@cache
def _any_pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(pattern.pattern for _, pattern in _patterns(name)), re.IGNORECASE)


def _first_kind(name: str, text: str) -> SourceKind | None:
    """Return the kind of the first row of a list that a text matches; most texts match none."""
    if _any_pattern(name).search(text) is None:
        return None
    return next((kind for kind, pattern in _patterns(name) if pattern.search(text)), None)


def _kind(host: str, path: str, title: str) -> SourceKind:
    if kind := _first_kind("titles", title):
        return kind
    if not host:
        return ""
    if _HOME.match(path):
        return "home page"
    known = _hosts()
    found = next((known[name] for name in _suffixes(host) if name in known), None)
    if found not in _SETTLED and (kind := _first_kind("paths", path)):
        return kind
    return found or ("blog" if host.startswith(("blog.", "blogs.")) else "")


def _suffixes(host: str) -> Iterator[str]:
    rest = host
    while rest:
        yield rest
        rest = rest.partition(".")[2]


def is_archive(source: Source) -> bool:
    """Return whether its site holds works of many authors, as archives, libraries and publishers of journals do."""
    archives = _PHRASES["archives"].words("any")
    names = {name for line in archives for name in line.split()}
    return source.kind in ("preprint", "journal") or any(name in names for name in _suffixes(source.host))
