"""The reference list, in the forms agents write it.

``[1] Title – URL`` · ``[1] URL - title`` · ``[7] title[ url](url)`` · ``1. [Title](URL)`` · ``- [Title](URL)`` · ``[^1]: …`` · ``【1】…`` ·
rows of a table · items of an HTML list · author–year paragraphs. One entry a line; a line without a mark continues the
entry above it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.parts import Reference
from assay.subjects.reference_entries import (
    DATA_DEFINITION,
    DOCUMENT_TYPE,
    ENTRY,
    entry_keys,
    is_reference_title,
    split_inline_label,
)
from assay.subjects.span import Span
from assay.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.subjects.structured_text import StructuredText

URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>\]\"'，。；、）】》]+", re.IGNORECASE)
_LINK: Final = re.compile(
    r"\[(?P<title>(?:[^\[\]\n]"
    r"|\[[^\[\]\n]*\]){0,800})\]\((?P<url>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)"
)
_LINE: Final = re.compile(r"[^\r\n]+")
_INNER: Final = re.compile(r"(?<=[\s;；。.])\\?[\[［](\d{1,4})\\?[\]］](?=\s*\S)")
_LINK_OR_URL: Final = re.compile(r"\[[^\[\]\n]{0,300}\]\([^()\s]{0,1000}\)|(?:https?://|www\.)[^\s,，;；、]+")
_WORDS_BETWEEN: Final = re.compile(r"[^\W\d_]{2}")
_HTML_ITEM: Final = re.compile(r"<li\b[^<>]{0,300}>(?:(?!</?li\b)[^\0]){0,3000}", re.IGNORECASE)
_HTML_ANCHOR: Final = re.compile(r"\s?<a\b", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>\n]{1,300}>")
_TABLE_ROW: Final = re.compile(r"\s*\|\s*\**(?:[\[［〔【]?\^?(?P<key>\d{1,4})[\]］〕】.]?\**\s*\|)?")
_ESCAPED: Final = re.compile(r"\\([-_\[\]().*~&#+!>|])")
_ACCESSED: Final = re.compile(
    r"[\s,，.(（\[]*(?:\b(?:accessed|retrieved)(?: on)?[ :]|访问时间|訪問時間|访问日期|檢索日期|检索日期|存取日期)[^\[\n]{0,40}$",
    re.IGNORECASE,
)
_LINK_WORDS: Final = frozenset(
    ("link", "url", "source", "pdf", "doi", "online", "链接", "原文", "来源", "全文")
)
_TRAIL: Final = ".,;:!?*_"
_EDGES: Final = " -–—:：,，.。|"
_OPENERS: Final = "([<（【"
_CLOSERS: Final = ")]>）】"
_BLANK: Final = 2
_APART: Final = 4
# More words than this between two entries, and they belong to the lists of two chapters.
_BETWEEN_LISTS: Final = 60
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
    source = report.source
    for block in report.blocks:
        if block.kind != "reference":
            continue
        if source[block.span.start] == "<":
            yield from _html_lines(source, block.span)
            continue
        for match in _LINE.finditer(source, block.span.start, block.span.end):
            start, text = match.start(), match.group()
            label, rest = split_inline_label(text)
            if DATA_DEFINITION.match(text) or (not label and is_reference_title(text.strip(" *_:："))):
                continue
            if label:
                start, text = start + len(text) - len(rest), rest
            if text.strip():
                yield start, text


def _html_lines(source: str, span: Span) -> Iterator[tuple[int, str]]:
    """Yield list items, or lines, of a block of HTML."""
    pattern = _HTML_ITEM if _HTML_ITEM.search(source, span.start, span.end) else _LINE
    for match in pattern.finditer(source, span.start, span.end):
        text = match.group()
        if _TAG.sub("", text).strip():
            yield match.start(), text


def find_references(report: StructuredText) -> list[Reference]:
    """Return the entries of the reference list in order; empty if the report has none."""
    out: list[Reference] = []
    # Where the words of each entry begin, behind its mark.
    bodies: list[int] = []
    numbered = False

    def add(keys: tuple[str, ...], start: int, body: int, end: int) -> None:
        bodies.append(body)
        out.append(_entry(report, len(out), keys, Span(start, end), body))

    ordered = 0
    for start, line in _lines(report):
        match = ENTRY.match(line)
        if line[:3].lower() == "<li":
            ordered += 1
            inner = line.index(">") + 1
            own = ENTRY.match(line, inner) if not _HTML_ANCHOR.match(line, inner) else None
            numbered = True
            add(entry_keys(own) if own else (str(ordered),), start, start + inner, start + len(line.rstrip()))
        elif line.lstrip().startswith("|"):
            row = _TABLE_ROW.match(line)
            if row and (row["key"] or URL.search(line)):
                numbered = numbered or bool(row["key"])
                keys: tuple[str, ...] = (row["key"],) if row["key"] else ()
                left = len(line) - len(line.lstrip())
                add(keys, start + left, start + row.end(), start + len(line.rstrip()))
        elif match:
            numbered = True
            for piece_keys, left, body, right in _pieces(entry_keys(match), line, match):
                add(piece_keys, start + left, start + body, start + right)
        elif _starts_entry(line, numbered=numbered):
            for left, right in _unnumbered(line):
                add((), start + left, start + left, start + right)
        elif out and not is_reference_title(line) and not line.lstrip().startswith(("#", "-", "*")):
            last = out[-1]
            between = report.source[last.span.end : start]
            # Past a blank line only an address or an indented line still belongs to the entry; prose does not.
            if len(last.span) > _LONGEST:
                continue
            if between.count("\n") < _BLANK or line.startswith("  ") or URL.match(line.lstrip()):
                end = start + len(line.rstrip())
                keys = () if last.key is None else (last.key, *last.aliases)
                out[-1] = _entry(report, last.index, keys, Span(last.span.start, end), bodies[-1])
    return out


def entry_urls(report: StructuredText, reference: Reference) -> list[str]:
    """Return all addresses of an entry, the main one first: ``[doi](https://…), [PMC](https://…)``."""
    text = report.text(reference.span)
    if text.count("http") < 2:
        return [reference.url] if reference.url else []
    found = [clean_url(match["url"]) for match in _LINK.finditer(text)] + [
        clean_url(url) for url in URL.findall(text)
    ]
    return list(dict.fromkeys(url for url in (reference.url, *found) if url))


def split_lists(report: StructuredText, references: Sequence[Reference]) -> list[list[Reference]]:
    """Return the entries by list: another begins after prose, or where the numbers begin again below a heading."""
    lists: list[list[Reference]] = []
    for ref in references:
        if not lists or _begins_list(report, lists[-1][-1], ref):
            lists.append([])
        lists[-1].append(ref)
    return lists


def _begins_list(report: StructuredText, last: Reference, ref: Reference) -> bool:
    between = report.source[last.span.end : ref.span.start]
    if len(between) < _APART or not any(map(str.isalnum, between)):
        return False
    if count_words(between) > _BETWEEN_LISTS:
        return True
    keys = last.key or "", ref.key or ""
    # A list without numbers beside one with them is another list, too.
    return (keys[1] in ("0", "1") and keys[0] not in ("", "0")) or bool(keys[0]) != bool(keys[1])


def _unnumbered(line: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the entries of a line without numbers: more than one if it only strings links together."""
    links = list(_LINK_OR_URL.finditer(line))
    if len(links) > 1 and not _WORDS_BETWEEN.search(_LINK_OR_URL.sub(" ", line)):
        for link in links:
            yield link.span()
        return
    left = len(line) - len(line.lstrip())
    yield left, len(line.rstrip())


def _starts_entry(line: str, *, numbered: bool) -> bool:
    text = line.strip()
    bullet = text.startswith(("- ", "* ", "• ", "+ "))
    has_url = bool(URL.search(text))
    if numbered:
        # Under a numbered list a bare line continues an entry unless it is plainly one of its own.
        return bullet and has_url
    return (
        has_url
        or (bullet and len(text) > 15)
        or bool(_YEAR_IN_BRACKETS.search(text) or DOCUMENT_TYPE.search(text))
    )


def _pieces(
    keys: tuple[str, ...], line: str, match: re.Match[str]
) -> Iterator[tuple[tuple[str, ...], int, int, int]]:
    """Yield the entries of a line (``[1] first. [2] second``): keys, start, start of the words, end."""
    left = len(line) - len(line.lstrip())
    body = match.start("rest") if match["rest"] else match.end()
    if match["num"]:
        for inner in _INNER.finditer(line, body):
            if keys[-1].isdigit() and int(inner.group(1)) == int(keys[-1]) + 1:
                right = inner.start()
                while right > left and line[right - 1].isspace():
                    right -= 1
                yield keys, left, min(body, right), right
                keys, left, body = (inner.group(1),), inner.start(), inner.end()
    right = len(line.rstrip())
    yield keys, left, min(body, right), right


def _entry(report: StructuredText, index: int, keys: tuple[str, ...], span: Span, body: int) -> Reference:
    text = report.source[span.start : span.end]
    words = report.source[body : span.end]
    link = _LINK.search(text) if "](" in text else None
    url = clean_url(link["url"]) if link else None
    if link and not link["title"].strip(" ^").isdigit() and _names_title(link, words):
        title = link["title"]
    else:
        title = words
        if link:
            title = title.replace(link.group(), " ")
        elif found := URL.search(text):
            url = clean_url(found.group())
            title = title.replace(found.group(), " ")
            title = title.replace(url, " ")
        title = _TAG.sub(" ", title) if "<" in title else title
    title = _EMPTY_BRACKETS.sub(" ", _ESCAPED.sub(r"\1", _ACCESSED.sub("", title)))
    title = _unwrap(" ".join(title.replace("*", " ").replace("|", " ").split()).strip(_EDGES))
    key, *aliases = keys or (None,)
    return Reference(index, key, title, url or None, span, tuple(alias for alias in aliases if alias))


def _names_title(link: re.Match[str], words: str) -> bool:
    """Return whether the words of an entry's link are its title, not an address or a label before or behind it."""
    title = link["title"].strip()
    if not title or URL.match(title.replace("\\", "")) or (title.lower() in _LINK_WORDS):
        return False
    outside = _ACCESSED.sub("", words.replace(link.group(), " ")).strip(_EDGES + "()[]\\")
    # "[Smith 2021](url)] A long title", "A long title, [doi:10.1/x](url)": the longer one is the title.
    label = words.lstrip().startswith(("\\[[", "[[")) or " " not in title
    return not (label and len(outside) > len(title))


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
