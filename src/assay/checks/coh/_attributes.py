"""Exchanged descriptions of two names, recognised by the words that the body uses with only one of them.

Suppose the body describes X with "long range, hydrogen" and Y with "city traffic, battery". A summary sentence has
exchanged the two if it uses at least two of Y's own words with X and at least two of X's own words with Y, and none of
either with the right name.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.roles import FRAME, title_role
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Section, Sentence
    from assay.subjects.report import Report

_NAME: Final = re.compile(r"(?<![\w-])(?:[A-Z][\w’'&-]*[A-Za-z0-9]|[a-z]+[A-Z]\w*)(?: [A-Z][\w’'&-]*)*")
# Every alternative begins with a literal character, so that `re` can skip ahead.
_CLAUSE: Final = re.compile(
    r";|；|,\s+(?:(?:and|but|while|whereas)\b|(?=[A-Z]))|w(?<!\ww)(?:hile|hereas)\b|，(?:而|但|(?=[A-Z]))"
)
_CONTRAST: Final = re.compile(r";|；|w(?<!\ww)(?:hile|hereas)\b|,\s+(?:and|but)\b|，(?:而|(?=[A-Z]))")
_MOST_MENTIONS: Final = 6
_FEWEST: Final = 2
# A name that occurs everywhere occurs beside every word.
_MOST_USES: Final = 25
_LONGEST: Final = 350


class Exchange(msgspec.Struct, frozen=True):
    """Two names with exchanged descriptions, the words that show it, and the body sentences with these words."""

    sentence: Span
    first: str
    second: str
    first_words: tuple[str, ...]
    second_words: tuple[str, ...]
    related: tuple[Span, Span]


def find_exchanges(report: Report) -> Iterator[Exchange]:
    """Yield the exchanged descriptions in summaries and conclusions."""
    frames = [section for section in report.sections[1:] if title_role(section.title) in FRAME]
    inside = {i for section in frames for i in (section.index, *_below(report, section))}
    if not inside:
        return
    for index in sorted(inside):
        for sentence in report.sentences_in(report.sections[index].body):
            if len(sentence.span) <= _LONGEST and _CONTRAST.search(
                report.plain, sentence.span.start, sentence.span.end
            ):
                yield from _in_sentence(report, sentence, inside)


def _below(report: Report, section: Section) -> Iterator[int]:
    for index in section.children:
        yield index
        yield from _below(report, report.sections[index])


def _in_sentence(report: Report, sentence: Sentence, frames: set[int]) -> Iterator[Exchange]:
    plain = report.plain
    clauses: list[tuple[str, str]] = []
    at = sentence.span.start
    for cut in [*_CLAUSE.finditer(plain, at, sentence.span.end), None]:
        end = cut.start() if cut else sentence.span.end
        text = plain[at:end]
        names = {match.group().split()[0].lower() for match in _NAME.finditer(text)}
        names = {name for name in names if 1 <= len(report.cues.positions(name)) <= _MOST_USES}
        # The first word of a sentence may be capitalised without being a name; `_described` checks the body.
        if len(names) == 1:
            clauses.append((names.pop(), text))
        at = cut.end() if cut else end
    for (one, mine), (two, other) in pairwise(clauses):
        if one == two:
            continue
        exchange = _compare(report, sentence, frames, (one, mine), (two, other))
        if exchange is not None:
            yield exchange


def _compare(
    report: Report, sentence: Sentence, frames: set[int], first: tuple[str, str], second: tuple[str, str]
) -> Exchange | None:
    (one, mine), (two, other) = first, second
    of_one = _described(report, one, two, frames)
    of_two = _described(report, two, one, frames) if of_one else {}
    if not of_two:
        return None
    only_one, only_two = of_one.keys() - of_two.keys(), of_two.keys() - of_one.keys()
    terms_one, terms_two = content_terms(mine), content_terms(other)
    wrong_one, wrong_two = terms_one & only_two, terms_two & only_one
    if len(wrong_one) < _FEWEST or len(wrong_two) < _FEWEST or terms_one & only_one or terms_two & only_two:
        return None
    return Exchange(
        sentence.span,
        one,
        two,
        tuple(sorted(wrong_one)[:3]),
        tuple(sorted(wrong_two)[:3]),
        (of_two[min(wrong_one)], of_one[min(wrong_two)]),
    )


def _described(report: Report, name: str, without: str, frames: set[int]) -> dict[str, Span]:
    """Return the terms of the body sentences that contain ``name`` but not ``without``, each with its first sentence."""
    first_sentences: dict[str, Span] = {}
    offsets = report.cues.positions(name)
    for at in offsets[:_MOST_MENTIONS]:
        sentence = report.sentence_at(at)
        if sentence is None or sentence.section in frames or not report.plain[at].isupper():
            continue
        text = report.plain[sentence.span.start : sentence.span.end]
        if without in text.lower():
            continue
        for term in report.sentence_terms[sentence.index]:
            first_sentences.setdefault(term, sentence.span)
    first_sentences.pop(name, None)
    return first_sentences
