"""Sections that tell again, in the same or other words, what an earlier section has told."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from assay.subjects.roles import FRAME, role_of
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")
# A recapitulation or a comparison repeats what it puts together.
_RECAP: Final = _PHRASES.pattern(r"\b(?:<<retold_recap.en>>)|<<retold_recap.zh>>", flags=re.IGNORECASE)
_FEWEST_CHARACTERS: Final = (350, 120)  # of a section: English, Chinese
_FEWEST_TERMS: Final = (30, 45)
_FEWEST_SECTIONS: Final = 4
_RARE: Final = 4  # a word that more sections have does not connect two of them
_SHARED_RARE: Final = 6
_SHARE: Final = 0.42  # of the shorter section's terms, by weight
_SHARE_UNDER_ONE_TITLE: Final = 0.55
_OF_LONGER: Final = 0.2


def without_links(report: Report, span: Span) -> str:
    """Return the text of a span in lower case; titles of sources recur wherever they are linked."""
    text = report.cues.lower[span.start : span.end]
    at = bisect_right(report.inlines, span.start - 1, key=lambda inline: inline.start)
    parts, done = [], 0
    for inline in report.inlines[at:]:
        if inline.start >= span.end:
            break
        if inline.kind in ("link", "url"):
            parts.append(text[done : max(done, inline.start - span.start)])
            done = max(done, inline.end - span.start)
    return " ".join([*parts, text[done:]])


def retold(report: Report) -> list[tuple[Section, Section]]:
    """Return pairs of sections, the earlier one first, of which one tells most of what the other tells.

    Summaries, introductions, conclusions and comparisons are left out. Sections under one heading often follow one
    pattern (profiles of several firms); of them only the terms that no third section has are compared. Sections with the
    same title may do so too, and must share more.
    """
    chinese = report.language == "zh"
    terms = _terms_of_sections(report, chinese=chinese)
    if len(terms) < _FEWEST_SECTIONS:
        return []
    having: dict[str, list[int]] = defaultdict(list)
    for index, words in terms.items():
        for word in words:
            having[word].append(index)
    shared: Counter[tuple[int, int]] = Counter()
    for places in having.values():
        if 1 < len(places) <= _RARE:
            shared.update((a, b) for i, a in enumerate(places) for b in places[i + 1 :])
    weight = {word: math.log(len(terms) / len(places)) for word, places in having.items()}
    total = {index: sum(map(weight.__getitem__, words)) for index, words in terms.items()}
    pairs: list[tuple[Section, Section]] = []
    for (a, b), count in sorted(shared.items()):
        if count < _SHARED_RARE:
            continue
        first, later = report.sections[a], report.sections[b]
        common = terms[a] & terms[b]
        if first.parent == later.parent:
            common = {word for word in common if len(having[word]) == 2}
        mass = sum(map(weight.__getitem__, common))
        share = _SHARE_UNDER_ONE_TITLE if first.title == later.title else _SHARE
        if mass < share * min(total[a], total[b]) or mass < _OF_LONGER * max(total[a], total[b]):
            continue
        if (_RECAP.search(first.title) is None) == (_RECAP.search(later.title) is None):
            pairs.append((first, later))
    return pairs


def _terms_of_sections(report: Report, *, chinese: bool) -> dict[int, set[str]]:
    """Return the terms of each section's own prose, for sections that are long enough to be compared."""
    spans: dict[int, list[Span]] = defaultdict(list)
    for sentence in report.sentences:
        spans[sentence.section].append(sentence.span)
    terms: dict[int, set[str]] = {}
    for index, parts in spans.items():
        section = report.sections[index]
        if (
            not index
            or sum(map(len, parts)) < _FEWEST_CHARACTERS[chinese]
            or role_of(report, section) in (*FRAME, "references")
        ):
            continue
        words = content_terms(without_links(report, Span(parts[0].start, parts[-1].end)))
        if len(words) >= _FEWEST_TERMS[chinese]:
            terms[index] = words
    return terms
