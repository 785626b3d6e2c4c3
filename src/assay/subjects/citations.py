"""Citations in the body: markers and links, bound to their references and to the words they stand behind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.references import clean_url, normalize_url
from assay.subjects.report import Citation, CitationForm
from assay.subjects.span import Span

if TYPE_CHECKING:
    from assay.subjects.report import Report

__all__ = ["find_citations"]

_AUTHOR: Final = re.compile(
    r"""[(（](?:(?:see|e\.g\.|cf\.|i\.e\.)[,\s]+)?
        ([A-Z\u00c0-\u00de\u4e00-\u9fff][^()（）\n\d]{1,80}?[,，\s]\s*(?:19|20)\d\d[a-z]?
          (?:\s*[;；]\s*[A-Z\u4e00-\u9fff][^()（）\n\d;]{1,80}?[,，\s]\s*(?:19|20)\d\d[a-z]?){0,8})
        (?:[,:]\s*(?:p|pp)\.?\s*\d+(?:[-–]\d+)?)?[)）]""",
    re.VERBOSE,
)
_NUMBER_OR_RANGE: Final = re.compile(r"(\d{1,3})(?:\s*[\-–—‑~]\s*\^?(\d{1,3}))?")
_AUTHOR_YEAR: Final = re.compile(r"(?P<name>[^\W\d_][\w'’\-]*)(?P<more>[^;；]*?)[,，\s]\s*(?P<year>(?:19|20)\d\d[a-z]?)")
# "(January 2024)", "(FY 2023)", "(Q2 2024)", "(as of 2023)" are dates, not authors.
_NOT_AUTHOR: Final = re.compile(
    r"(?i)^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]|h[12]|fy|as of|since|until|from|by|in|around|circa|about|est|"
    r"version|updated|accessed|published|spring|summer|autumn|fall|winter|early|mid|late|year|expected|projected|forecast|data|"
    r"founded|established|launched|released|the|截至|至|约|预计|自|从|到|成立|发布|更新|数据|截止)"
)
_ORGANISATION: Final = re.compile(r"\bet al\b|\band\b|&|,|，|等")
_MAX_RANGE: Final = 50


def _expand(text: str) -> tuple[str, ...]:
    keys: list[str] = []
    for first, last in _NUMBER_OR_RANGE.findall(text):
        low, high = int(first), int(last) if last else int(first)
        if low < high <= low + _MAX_RANGE:
            keys.extend(str(n) for n in range(low, high + 1))
        else:
            keys.append(first)
            if last:
                keys.append(last)
    return tuple(dict.fromkeys(keys))


class _Marker(msgspec.Struct):
    """A citation before it is bound: where, how, which keys; ``url`` where the marker carries its own address."""

    start: int
    end: int
    form: CitationForm
    keys: tuple[str, ...]
    inner: Span
    url: str | None = None


def _markers(report: Report) -> list[_Marker]:
    source = report.source
    out: list[_Marker] = []
    for inline in report.inlines:
        inner = Span(inline.inner_start, inline.inner_end)
        kind = inline.kind
        if kind in ("marker", "cjk_marker"):
            keys = _expand(source[inner.start : inner.end])
            out.append(_Marker(inline.start, inline.end, "numeric", keys, inner, inline.target))
        elif kind == "footnote":
            if source[inline.end : inline.end + 1] != ":":
                out.append(_Marker(inline.start, inline.end, "footnote", (source[inner.start : inner.end],), inner))
        elif kind == "url" or (kind == "link" and inline.target and inline.target.startswith(("http", "www."))):
            url = clean_url(inline.target or "")
            out.append(_Marker(inline.start, inline.end, "link", (url,), inner, url))
        elif kind == "cite":
            keys = tuple(key for key in (inline.target or "").split(",") if key)
            out.append(_Marker(inline.start, inline.end, "cite_tag", keys, inner))
    years = [
        _Marker(match.start(), match.end(), "author_year", keys, Span(match.start(1), match.end(1)))
        for match in _AUTHOR.finditer(report.plain)
        if (keys := _author_years(match[1]))
    ]
    if years:
        out = sorted([*out, *years], key=lambda marker: marker.start)
    return _outside(out, [block.span for block in report.blocks if block.kind in ("code", "html", "reference")])


def _outside(markers: list[_Marker], skip: list[Span]) -> list[_Marker]:
    out: list[_Marker] = []
    at = 0
    for marker in markers:
        while at < len(skip) and skip[at].end <= marker.start:
            at += 1
        if at == len(skip) or marker.start < skip[at].start:
            out.append(marker)
    return out


def _author_years(text: str) -> tuple[str, ...]:
    if _NOT_AUTHOR.match(text):
        return ()
    keys: list[str] = []
    for part in re.split(r"[;；]", text):
        found = _AUTHOR_YEAR.search(part)
        if not found:
            continue
        words = found["more"].split()
        # A name, "Name et al.,", "Name & Name,", "Name," – but "(Amazon Web Services 2023)" has no comma: a title.
        if not _ORGANISATION.search(part) or len(words) > 8:
            continue
        keys.append(f"{found['name'].lower()} {found['year']}")
    return tuple(keys)


def find_citations(report: Report) -> list[Citation]:
    """Every citation in the body, in order. Years, intervals and other bracketed numbers that fit no list are kept
    only where the report numbers its citations."""
    by_key: dict[str, int] = {}
    by_url: dict[str, int] = {}
    for ref in report.references:
        if ref.key is not None:
            by_key.setdefault(ref.key, ref.index)
        if ref.url:
            by_url.setdefault(normalize_url(ref.url), ref.index)
    out: list[Citation] = []
    previous_end = -1
    previous_claim: Span | None = None
    previous_sentence: int | None = None
    for marker in _markers(report):
        form, keys = marker.form, marker.keys
        if form == "numeric" and any(key.startswith("0") for key in keys) and "0" not in by_key:
            continue
        if form == "link":
            found = tuple(by_url.get(normalize_url(key)) for key in keys)
        elif form == "author_year":
            found = tuple(_author_reference(report, key) for key in keys)
        else:
            found = tuple(by_key.get(key) for key in keys)
            if marker.url and found == (None,):
                found = (by_url.get(normalize_url(clean_url(marker.url))),)
        span = Span(marker.start, marker.end)
        sentence = report.sentence_at(span.start)
        where = sentence.index if sentence else None
        if form == "cite_tag":
            claim = marker.inner
        elif form == "link" and marker.inner.start != span.start:
            claim = Span(sentence.span.start if sentence else span.start, span.end)
        elif previous_claim and where == previous_sentence and not report.source[previous_end : span.start].strip(" ,;，、；"):
            claim = previous_claim
        else:
            start = sentence.span.start if sentence else report.source.rfind("\n", 0, span.start) + 1
            if where == previous_sentence and where is not None and start < previous_end <= span.start:
                start = previous_end
            claim = _claim(report, start, span.start)
        out.append(Citation(len(out), span, form, keys, found, claim, where))
        previous_end, previous_claim, previous_sentence = span.end, claim, where
    return out


def _claim(report: Report, start: int, end: int) -> Span:
    piece = report.source[start:end]
    left = start + len(piece) - len(piece.lstrip(" \t\r\n,.;:，。；、-*•>#|"))
    return Span(min(left, end), end)


def _author_reference(report: Report, key: str) -> int | None:
    name, _, year = key.rpartition(" ")
    for ref in report.references:
        text = report.source[ref.span.start : ref.span.end].lower()
        if year in text and name in text[:200]:
            return ref.index
    return None
