"""Citations that a rule turns wrong, by what the report itself shows of its sources.

A marker is changed only if the title of its source shares words with the claim. It then points at a source whose
title shares none and that nothing nearby cites, or past the end of the list; two claims exchange their sources; or an
entry of the list gets the address of another.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from assay.interventions.outcome._prose import claims, revise
from assay.subjects.cited_claims import CitedClaim, cited_claims
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Citation, Reference, Sentence
    from assay.subjects.report import Report

_BARE: Final = re.compile(r"[\[［【]\d{1,3}[\]］】]")
# Characters from the first to the second of two claims that exchange their sources.
_EXCHANGE: Final = 900
# A number past the end of the list is found by counting; what needs reading should prevail.
_MOST_ABSENT: Final = 3
_MOST_ADDRESSES: Final = 4
# Fewest terms that show what a title is about, and that a claim belongs to it.
_TELLING: Final = 2
_SLUG: Final = re.compile(r"(?<=/)[a-z]{2,}(?:[-_][a-z0-9]+){2,}(?=[/.?#]|$)", re.IGNORECASE)
_SHORTEST_ADDRESS: Final = 18
# If the whole list is one paragraph, the site would be all of it.
_LONGEST_BLOCK: Final = 900


def wrong_sources(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions in which a marker points at another listed source, on another subject."""
    shown = _markers(report)
    sites = _cited_once(report)[:]
    draw.shuffle(sites)
    for citation, sentence, own in sites:
        if _fit(report, sentence.span, own) < _TELLING:
            continue
        near = {index for other in _around(report, sentence) for index in other.references}
        text = report.text(citation.span)
        others = [
            index
            for index, marker in shown.items()
            if index not in near
            and _form(marker) == _form(text)
            and not _fit(report, sentence.span, index)
            and elsewhere(report, own, index)
        ]
        if others:
            marker = shown[draw.choice(others)]
            yield revise(
                report,
                citation.span.start,
                citation.span.end,
                marker,
                pattern="wrong-source",
                note=f"{text} → {marker}",
            )


def absent_sources(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions in which one marker points past the end of the list and all others into it."""
    keys = [int(r.key) for r in report.references if r.key is not None and r.key.isdigit()]
    if len(keys) < 5 or any(None in c.references for c in report.citations if c.form == "numeric"):
        return
    sites = [site for site in _cited_once(report) if _BARE.fullmatch(report.text(site[0].span))]
    draw.shuffle(sites)
    for citation, _, _ in sites[:_MOST_ABSENT]:
        text = report.text(citation.span)
        marker = text.replace(citation.keys[0], str(max(keys) + draw.randint(1, max(2, len(keys) // 4))))
        yield revise(
            report,
            citation.span.start,
            citation.span.end,
            marker,
            pattern="no-such-source",
            note=f"{text} → {marker}",
        )


def exchanged_sources(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions in which two consecutive claims exchange their sources."""
    pairs = [
        (one, other)
        for one, other in pairwise(_cited_once(report))
        if other[1].block - one[1].block <= 1
        and other[1].section == one[1].section
        and one[1] is not other[1]
    ]
    draw.shuffle(pairs)
    for (one, first, i), (other, second, j) in pairs:
        between = Span(one.span.start, other.span.end)
        if (
            i == j
            or len(between) > _EXCHANGE
            or len(report.citations_in(between)) > 2
            or not (_fit(report, first.span, i) and _fit(report, second.span, j) and elsewhere(report, i, j))
            or _fit(report, first.span, j)
            or _fit(report, second.span, i)
        ):
            continue
        a, b = report.text(one.span), report.text(other.span)
        text = b + report.source[one.span.end : other.span.start] + a
        note = f"{a} and {b} of two claims exchanged"
        yield revise(report, between.start, between.end, text, pattern="exchanged-sources", note=note)


def altered_addresses(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions in which an entry of the list has the address of another page."""
    entries = [entry for entry in report.references if _has_own_address(report, entry)]
    if len(entries) < 4:
        return
    draw.shuffle(entries)
    given = 0
    for entry in entries:
        others = [other for other in entries if other is not entry]
        draw.shuffle(others)
        found = next((new for other in others if (new := _new_address(entry, other)) is not None), None)
        if found is None or entry.url is None:
            continue
        at = report.source.index(entry.url, entry.span.start)
        start, end, text = found
        note = f"address of “{entry.title[:60]}” leads elsewhere"
        yield revise(report, at + start, at + end, text, pattern="altered-address", note=note)
        given += 1
        if given == _MOST_ADDRESSES:
            return


def elsewhere(report: Report, one: int, other: int) -> bool:
    """Return whether two sources are clearly about different things, and at different addresses."""
    terms = title_terms(report)
    first, second = report.references[one], report.references[other]
    if min(len(terms[one]), len(terms[other])) < _TELLING:
        return False
    # One word that most titles share may be the subject of all; with two, both are about the same.
    shared = content_terms(first.title) & content_terms(second.title)
    return not terms[one] & terms[other] and len(shared) <= 1 and (not first.url or first.url != second.url)


def title_terms(report: Report) -> list[set[str]]:
    """Return for each reference the terms of its title that occur in fewer than a third of the titles."""
    found: list[set[str]] | None = report.memo.get(title_terms)
    if found is None:
        raw = [content_terms(_title(entry)) for entry in report.references]
        held = Counter(term for terms in raw for term in terms)
        most = max(2, len(raw) / 3)
        found = report.memo[title_terms] = [{t for t in terms if held[t] <= most} for terms in raw]
    return found


def _title(entry: Reference) -> str:
    """Return a reference's title followed by the longer words of its address."""
    slug = re.sub(r"[-_/]+", " ", (entry.url or "").split("//", 1)[-1].partition("/")[2])
    return f"{entry.title} {' '.join(word for word in slug.split() if word.isalpha() and len(word) > 3)}"


def _cited_once(report: Report) -> list[tuple[Citation, Sentence, int]]:
    """Return the only citation of each claim that has exactly one, with its sentence and its source."""
    found: list[tuple[Citation, Sentence, int]] | None = report.memo.get(_cited_once)
    if found is None:
        allowed = {sentence.index: sentence for sentence in claims(report)}
        found = report.memo[_cited_once] = list(_single(cited_claims(report), allowed))
    return found


def _single(
    cited: Iterable[CitedClaim], allowed: dict[int, Sentence]
) -> Iterator[tuple[Citation, Sentence, int]]:
    for claim in cited:
        one = claim.citations[0]
        sentence = allowed.get(one.sentence) if one.sentence is not None else None
        if (
            len(claim.citations) == 1
            and len(one.keys) == 1
            and one.form in ("numeric", "footnote")
            and sentence is not None
            and (index := one.references[0]) is not None
        ):
            yield one, sentence, index


def _fit(report: Report, span: Span, index: int) -> int:
    """Return the number of distinctive terms that a span shares with the title of a source."""
    return len(content_terms(report.plain_text(span)) & title_terms(report)[index])


def _markers(report: Report) -> dict[int, str]:
    """Return for each source a marker that cites it alone, in the report's style."""
    out: dict[int, str] = {}
    for citation in report.citations:
        if len(citation.keys) == 1 and citation.form in ("numeric", "footnote"):
            index = citation.references[0]
            if index is not None:
                out.setdefault(index, report.text(citation.span))
    return out


def _form(marker: str) -> str:
    return re.sub(r"\d+", "1", marker.split("(", maxsplit=1)[0])


def _around(report: Report, sentence: Sentence) -> list[Citation]:
    """Return the citations of a sentence's section, or of its block if the section is most of the report."""
    section = report.sections[sentence.section]
    block = report.blocks[sentence.block].span
    return report.citations_in(section.body if section.index > 0 and len(section.body) < 4000 else block)


def _has_own_address(report: Report, entry: Reference) -> bool:
    """Return whether an entry has a title in words, and an address that it shows once, not as the text of a link."""
    block = report.block_at(entry.span.start)
    return bool(
        entry.url
        and entry.title
        and "://" not in entry.title
        and report.text(entry.span).count(entry.url) == 1
        and "[http" not in report.text(entry.span)
        and block is not None
        and len(block.span) <= _LONGEST_BLOCK
    )


def _new_address(entry: Reference, other: Reference) -> tuple[int, int, str] | None:
    """Return an edit of a reference's address after which it no longer fits the title, or None."""
    own, foreign = entry.url or "", other.url or ""
    terms = content_terms(entry.title)
    mine, theirs = _SLUG.search(own), _SLUG.search(foreign)
    if mine and theirs and urlsplit(own).netloc != "doi.org":
        a, b = (content_terms(re.sub(r"[-_]+", " ", slug.group())) for slug in (mine, theirs))
        fits = len(a & terms) >= 2 and len(b) >= 2 and not b & (a | terms)
        return (mine.start(), mine.end(), theirs.group()) if fits else None
    # An address without words is replaced as a whole and then stands under two titles.
    alike = min(len(own), len(foreign)) >= _SHORTEST_ADDRESS and abs(len(own) - len(foreign)) < 60
    strangers = urlsplit(own).netloc != urlsplit(foreign).netloc and not content_terms(other.title) & terms
    return (0, len(own), foreign) if mine is None and alike and strangers else None
