"""Citations in the body: markers and links, bound to their references and to the words they stand behind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.author_years import find_author_years
from assay.subjects.parts import Citation, CitationForm, Reference
from assay.subjects.references import clean_url, entry_urls, normalize_url
from assay.subjects.span import Span
from assay.text.unbracketed_marks import SUPERSCRIPT_DIGITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.subjects.structured_text import StructuredText

_NUMBER_OR_RANGE: Final = re.compile(r"(\d{1,3})(?:\s*[\-–—‑－~～⁻]\s*\^?(\d{1,3}))?")
_TURN: Final = re.compile(r"turn\d{1,3}[a-z]{3,10}\d{1,4}")
_MAX_RANGE: Final = 50
# With this many numeric markers a report numbers its citations, and a stray "(Name, 2021)" is hardly one of them.
_FEW: Final = 2
_LONGEST_CLAIM: Final = 2000


def _expand(text: str) -> tuple[str, ...]:
    text = text.translate(SUPERSCRIPT_DIGITS)
    if text.isdigit():
        return (text,)
    if text[:1].isalpha():
        return tuple(dict.fromkeys(re.split(r"[,;，；、\s]+", text)))
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


class _References:
    """The reference list by key. A report with a list after each chapter has several entries for one key."""

    def __init__(self, report: StructuredText, references: Sequence[Reference]) -> None:
        self._by_key: dict[str, list[Reference]] = {}
        # Where a report has two lists, a marker in brackets means the one whose entries begin with brackets.
        for ref in sorted(references, key=lambda ref: not starts_with_bracket(report.source, ref)):
            for key in (ref.key, *ref.aliases):
                if key is not None:
                    self._by_key.setdefault(key, []).append(ref)

    def __contains__(self, key: str) -> bool:
        return key in self._by_key

    def find(self, key: str, end: int) -> int | None:
        """Return the entry with ``key`` that a marker ending at ``end`` means: of several the next one."""
        entries = self._by_key.get(key)
        if entries is None:
            return None
        return next((ref.index for ref in entries if ref.span.start > end), entries[0].index)


def starts_with_bracket(source: str, reference: Reference) -> bool:
    """Return whether an entry begins with a bracket: ``[3] …`` and not ``3. …``."""
    return source[reference.span.start] in "\\[［【〔"


class _Marker(msgspec.Struct):
    """A citation before it is bound to references; ``url`` is an address that the marker itself carries."""

    start: int
    end: int
    form: CitationForm
    keys: tuple[str, ...]
    inner: Span
    url: str | None = None
    references: tuple[int | None, ...] = ()


def _markers(report: StructuredText, references: Sequence[Reference]) -> list[_Marker]:
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
                out.append(
                    _Marker(inline.start, inline.end, "footnote", (source[inner.start : inner.end],), inner)
                )
        elif kind == "url" or (
            kind == "link" and inline.target and inline.target.startswith(("http", "www."))
        ):
            url = clean_url(inline.target or "")
            out.append(_Marker(inline.start, inline.end, "link", (url,), inner, url))
        elif kind == "token":
            text = source[inline.start : inline.end]
            keys = tuple(dict.fromkeys(_TURN.findall(text))) or (text,)
            out.append(_Marker(inline.start, inline.end, "token", keys, inner))
        elif kind == "cite":
            keys = tuple(key for key in (inline.target or "").split(",") if key)
            out.append(_Marker(inline.start, inline.end, "cite_tag", keys, inner))
    years = find_author_years(
        report, references, numbered=sum(marker.form == "numeric" for marker in out) > _FEW
    )
    if years:
        out.extend(
            _Marker(
                found.span.start,
                found.span.end,
                "author_year",
                found.keys,
                found.span,
                references=found.references,
            )
            for found in years
            # "([Smith et al. 2020](https://…), 24 Sep 2020)" is one citation, the link.
            if "](http" not in source[found.span.start : found.span.end]
        )
        out.sort(key=lambda marker: marker.start)
    return _outside(
        out, [block.span for block in report.blocks if block.kind in ("code", "html", "reference")]
    )


def _outside(markers: list[_Marker], skip: list[Span]) -> list[_Marker]:
    out: list[_Marker] = []
    at = 0
    for marker in markers:
        while at < len(skip) and skip[at].end <= marker.start:
            at += 1
        if at == len(skip) or marker.start < skip[at].start:
            out.append(marker)
    return out


def find_citations(report: StructuredText, references: Sequence[Reference]) -> list[Citation]:
    """Return every citation in the body, in order. Links count, whatever the style; ``[0, 1]`` is an interval."""
    by_key = _References(report, references)
    by_url: dict[str, int] = {}
    for ref in references:
        for url in entry_urls(report, ref):
            by_url.setdefault(normalize_url(url), ref.index)
    out: list[Citation] = []
    previous_end = -1
    previous_claim: Span | None = None
    previous_sentence: int | None = None
    for marker in _markers(report, references):
        form, keys = marker.form, marker.keys
        if form == "numeric" and any(key.startswith("0") for key in keys) and "0" not in by_key:
            continue
        if form == "link":
            found = tuple(by_url.get(normalize_url(key)) for key in keys)
        elif form == "author_year":
            found = marker.references
        else:
            found = tuple(by_key.find(key, marker.end) for key in keys)
            if marker.url and found == (None,):
                found = (by_url.get(normalize_url(clean_url(marker.url))),)
        span = Span(marker.start, marker.end)
        sentence = report.sentence_at(span.start)
        where = sentence.index if sentence else None
        if form == "cite_tag":
            claim = marker.inner
        elif (
            form == "author_year"
            and sentence
            and report.source[span.end - 1] in ")）"
            and _narrative(report, span)
        ):
            # "Smith (2021) found …": the claim follows.
            claim = sentence.span
        elif form == "link" and marker.inner.start != span.start:
            claim = Span(sentence.span.start if sentence else span.start, span.end)
        elif (
            previous_claim
            and where == previous_sentence
            and not report.source[previous_end : span.start].strip(" ,;，、；")
        ):
            claim = previous_claim
        elif sentence is None:
            claim = _cell_claim(report, span)
        else:
            start = sentence.span.start
            if where == previous_sentence and start < previous_end <= span.start:
                start = previous_end
            claim = _claim(report, start, span.start)
        out.append(Citation(len(out), span, form, keys, found, claim, where))
        previous_end, previous_claim, previous_sentence = span.end, claim, where
    return out


def _narrative(report: StructuredText, span: Span) -> bool:
    return report.source[span.start] not in "(（"


def _cell_claim(report: StructuredText, span: Span) -> Span:
    """Return the claim of a marker in a heading or a table: its line or cell, or the row if it fills the cell."""
    reach = max(0, span.start - _LONGEST_CLAIM)
    line = max(reach, report.source.rfind("\n", reach, span.start) + 1)
    bar = report.source.rfind("|", line, span.start)
    if bar >= 0:
        cell = _claim(report, bar + 1, span.start)
        if any(map(str.isalnum, report.plain[cell.start : cell.end])):
            return cell
    return _claim(report, line, span.start)


def _claim(report: StructuredText, start: int, end: int) -> Span:
    piece = report.source[start:end]
    left = start + len(piece) - len(piece.lstrip(" \t\r\n,.;:，。；、-*•>#|"))
    return Span(min(left, end), end)
