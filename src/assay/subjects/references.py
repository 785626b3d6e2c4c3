"""The reference list, in the forms agents write it.

``[1] Title – URL`` · ``[1] URL - title`` · ``1. [Title](URL)`` · ``- [Title](URL)`` · ``[^1]: …`` · ``【1】…`` ·
author–year paragraphs. One entry a line; a line without a mark continues the entry above it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.parts import Reference
from assay.subjects.span import Span
from assay.subjects.structure import ENTRY, REFERENCE_TITLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.structured_text import StructuredText

URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>\]\"'，。；、）】》]+", re.IGNORECASE)
_LINK: Final = re.compile(
    r"\[(?P<title>(?:[^\[\]\n]"
    r"|\[[^\[\]\n]*\]){0,800})\]\((?P<url>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)"
)
_LINE: Final = re.compile(r"[^\r\n]+")
_INNER: Final = re.compile(r"(?<=\s)\[(\d{1,4})\](?=\s+\S)")
_TRAIL: Final = ".,;:!?*_"
_EDGES: Final = " -–—:：,，.。|"
_OPENERS: Final = "([<（【"
_CLOSERS: Final = ")]>）】"
_BLANK: Final = 2
# An entry that goes on for longer has swallowed something else.
_LONGEST: Final = 3000
_SCHEME_MAX: Final = 12
_TRACKING: Final = ("utm_", "ref=", "source=", "ref_src=", "fbclid=", "gclid=", "spm=")
_EMPTY_BRACKETS: Final = re.compile(r"[(（<\[【]\s*[)）>\]】]|[(（<\[【]\s*$")
_YEAR_IN_BRACKETS: Final = re.compile(r"[（(](?:19|20)\d\d[a-z]?[)）]|[,，.]\s?(?:19|20)\d\d[a-z]?[.。年)）]")


def clean_url(url: str) -> str:
    """Return a URL without the punctuation that prose puts after it."""
    url = url.rstrip(_TRAIL)
    if url.endswith(")") and url.count(")") > url.count("("):
        url = url.rstrip(")").rstrip(_TRAIL)
    return url


def normalize_url(url: str) -> str:
    """Return a URL in the form that all its spellings share.

    No scheme, no ``www.``, no fragment, no closing slash, lower-case host.

    Query strings stay, except tracking parameters (``utm_…``, ``ref``, ``source``).
    """
    bare = url.strip().rstrip(_TRAIL)
    scheme, colon, rest = bare.partition("://")
    if colon and len(scheme) < _SCHEME_MAX and scheme.isascii():
        bare = rest
    bare = bare.partition("#")[0]
    path, question, query = bare.partition("?")
    host, slash, rest = path.partition("/")
    host = host.lower().removeprefix("www.")
    if query:
        query = "&".join(part for part in query.split("&") if part and not part.startswith(_TRACKING))
    return f"{host}{slash}{rest}".rstrip("/") + (f"{question}{query}" if query else "")


def _lines(report: StructuredText) -> Iterator[tuple[int, str]]:
    for block in report.blocks:
        if block.kind == "reference":
            for match in _LINE.finditer(report.source, block.span.start, block.span.end):
                text = match.group()
                if text.strip():
                    yield match.start(), text


def find_references(report: StructuredText) -> list[Reference]:
    """Return the entries of the reference list in order; empty if the report has none."""
    out: list[Reference] = []
    # Where the words of each entry begin, behind its mark.
    bodies: list[int] = []
    numbered = False

    def add(key: str | None, start: int, body: int, end: int) -> None:
        bodies.append(body)
        out.append(_entry(report, len(out), key, Span(start, end), body))

    for start, line in _lines(report):
        match = ENTRY.match(line)
        if match:
            key = (
                match["foot"] or match["num"] or match["link"] or match["id"] or match["cjk"] or match["dot"]
            )
            numbered = True
            for piece_key, left, body, right in _pieces(key, line, match):
                add(piece_key, start + left, start + body, start + right)
        elif _starts_entry(line, numbered=numbered):
            stripped = line.strip()
            left = start + line.find(stripped)
            add(None, left, left, left + len(stripped))
        elif out and not REFERENCE_TITLE.match(line) and not line.lstrip().startswith(("#", "-", "*")):
            last = out[-1]
            between = report.source[last.span.end : start]
            # Past a blank line only an address or an indented line still belongs to the entry; prose does not.
            if len(last.span) > _LONGEST:
                continue
            if between.count("\n") < _BLANK or line.startswith("  ") or URL.match(line.lstrip()):
                end = start + len(line.rstrip())
                out[-1] = _entry(report, last.index, last.key, Span(last.span.start, end), bodies[-1])
    return out


def _starts_entry(line: str, *, numbered: bool) -> bool:
    text = line.strip()
    bullet = text.startswith(("- ", "* ", "• ", "+ "))
    has_url = bool(URL.search(text))
    if numbered:
        # Under a numbered list a bare line continues an entry unless it is plainly one of its own.
        return bullet and has_url
    return has_url or (bullet and len(text) > 15) or _YEAR_IN_BRACKETS.search(text) is not None


def _pieces(key: str | None, line: str, match: re.Match[str]) -> Iterator[tuple[str | None, int, int, int]]:
    """Yield the entries of a line (``[1] first. [2] second``): key, start, start of the words, end."""
    left = len(line) - len(line.lstrip())
    body = match.start("rest") if match["rest"] else match.end()
    if key and match["num"]:
        for inner in _INNER.finditer(line, match.end("num")):
            if key.isdigit() and int(inner.group(1)) == int(key) + 1:
                right = inner.start()
                while right > left and line[right - 1].isspace():
                    right -= 1
                yield key, left, min(body, right), right
                key, left, body = inner.group(1), inner.start(), inner.end()
    right = len(line.rstrip())
    yield key, left, min(body, right), right


def _entry(report: StructuredText, index: int, key: str | None, span: Span, body: int) -> Reference:
    text = report.source[span.start : span.end]
    link = _LINK.search(text) if "](" in text else None
    url: str | None
    if link and not link["title"].strip(" ^").isdigit():
        title, url = link["title"], clean_url(link["url"])
    else:
        found = URL.search(text)
        url = clean_url(found.group()) if found else (link["url"] if link else None)
        title = report.source[body : span.end]
        if found:
            title = _EMPTY_BRACKETS.sub(" ", title.replace(found.group(), " "))
    title = _unwrap(" ".join(title.replace("*", " ").split()).strip(_EDGES))
    return Reference(index, key, title, url or None, span)


def _unwrap(title: str) -> str:
    """Brackets at either end go where they have no partner or enclose it all."""
    if not any(char in title for char in _CLOSERS):
        title = title.lstrip(_OPENERS).strip(_EDGES)
    elif (
        title[:1] in _OPENERS
        and title[-1:] in _CLOSERS
        and not any(char in title[1:-1] for char in _OPENERS + _CLOSERS)
    ):
        title = title[1:-1].strip(_EDGES)
    return title.rstrip(_OPENERS).rstrip(_EDGES)
