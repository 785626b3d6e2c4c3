"""Exchanges of sources: names, titles, citation markers and addresses that can replace one another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from assay.interventions.outcome._claims import revise, sentence_citations, title_terms
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Citation, Reference, Sentence
    from assay.subjects.report import Report

_BODY: Final = PhraseFile("assay.interventions", "facts").pattern(r"\b(?:<<bodies>>)\b")
_ACRONYM: Final = re.compile(r"\b[A-Z][A-Z&]{1,7}s?\b")
_PERSON: Final = re.compile(
    r"(?:(?:Dr|Prof|Professor|Mr|Ms|Sir)\.? )?[A-Z][a-z]+(?: [A-Z]\.?)?(?: [A-Z][a-z\-]+){1,2}"
)
_PEOPLE: Final = re.compile(r" et al| and | & ")
_SLUG: Final = re.compile(r"(?<=/)[a-z]{2,}(?:[-_][a-z0-9]+){2,}(?=[/.?#]|$)", re.IGNORECASE)
_SHORTEST: Final = 18
# If the whole list is one paragraph, the site would be all of it.
_LONGEST_BLOCK: Final = 900
_MOST: Final = 4
# Fewest terms that show what a title is about, and that a claim belongs to it.
TELLING: Final = 2


def same_sort(one: str, other: str) -> bool:
    """Return whether two names may replace each other: both organizations, people, single words, or Chinese names."""
    return _sort(one) == _sort(other) and (" and " in one) == (" and " in other)


def _sort(name: str) -> str:
    """Return the sort of a name, by which names may replace each other."""
    if has_cjk(name):
        return "zh"
    if _BODY.search(name) or _ACRONYM.search(name):
        return "body"
    if _PEOPLE.search(name):
        return "people"
    if _PERSON.fullmatch(name):
        return "person"
    return "word" if " " not in name else "words"


def altered_addresses(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which the address of a reference belongs to another page than its title."""
    entries = [
        r
        for r in report.references
        if r.url
        and r.title
        and r.url in report.text(r.span)
        and (block := report.block_at(r.span.start)) is not None
        and len(block.span) <= _LONGEST_BLOCK
    ]
    if len(entries) < 4:
        return
    sites = entries[:]
    draw.shuffle(sites)
    given = 0
    for ref in sites:
        others = [other for other in entries if other is not ref]
        draw.shuffle(others)
        for other in others:
            found = _new_address(ref, other)
            if found is not None:
                given += 1
                at = report.source.index(ref.url or "", ref.span.start)
                start, end, text = found
                yield revise(
                    at + start,
                    at + end,
                    text,
                    "altered-address",
                    f"address of “{ref.title[:60]}” leads elsewhere",
                )
                break
        if given >= _MOST:
            return


def _new_address(ref: Reference, other: Reference) -> tuple[int, int, str] | None:
    """Return an edit of a reference's address after which it no longer fits the title, or None."""
    own, foreign = ref.url or "", other.url or ""
    terms = content_terms(ref.title)
    mine, theirs = _SLUG.search(own), _SLUG.search(foreign)
    if mine and theirs and urlsplit(own).netloc != "doi.org":
        a, b = _slug_terms(mine.group()), _slug_terms(theirs.group())
        if len(a & terms) >= 2 and len(b) >= 2 and not b & (a | terms):
            return mine.start(), mine.end(), theirs.group()
        return None
    # An address without words is replaced as a whole and then stands under two titles.
    if mine is None and min(len(own), len(foreign)) >= _SHORTEST and abs(len(own) - len(foreign)) < 60:
        same = urlsplit(own).netloc == urlsplit(foreign).netloc
        if not same and not content_terms(other.title) & terms:
            return 0, len(own), foreign
    return None


def _slug_terms(slug: str) -> set[str]:
    return content_terms(re.sub(r"[-_]+", " ", slug))


def elsewhere(report: Report, one: int, other: int) -> bool:
    """Return whether two sources are clearly about different things: their distinctive title terms do not overlap."""
    terms = title_terms(report)
    if min(len(terms[one]), len(terms[other])) < TELLING:
        return False
    refs = report.references
    # One word that most titles share may be the subject of all; with two, both are about the same.
    shared = content_terms(refs[one].title) & content_terms(refs[other].title)
    return not terms[one] & terms[other] and len(shared) <= 1


def number(citation: Citation) -> int:
    """Return the number by which a citation refers to its source; 0 if it does not use one."""
    return int(citation.keys[0]) if citation.keys[0].isdigit() else 0


def closing(report: Report, sentence: Sentence) -> list[Citation]:
    """Return the adjacent markers at the end of a sentence."""
    found = sentence_citations(report, sentence.span)
    run = found[-1:]
    for before in reversed(found[:-1]):
        if report.source[before.span.end : run[0].span.start].strip(" ,、"):
            break
        run.insert(0, before)
    return run


def last_marker(report: Report, sentence: Sentence) -> Citation | None:
    """Return the marker that ends a sentence, or None if it ends without one."""
    found = sentence_citations(report, sentence.span)
    if not found or report.plain_text(Span(found[-1].span.end, sentence.span.end)).strip(" .。;；*"):
        return None
    return found[-1]
