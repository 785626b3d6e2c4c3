"""Statements (sentences with their terms), and whether two of them can be compared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.roles import FRAME, role_of
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "coh")

# Conditions, hedges, contrasts and changes over time. A sentence with one of them does not make one plain assertion.
_QUALIFIED: Final = _PHRASES.pattern(
    r"\b(?:<<statements_qualified.en>>|\?)\b|<<statements_qualified.zh>>", flags=re.IGNORECASE
)
_NAME: Final = re.compile(r"(?<![.!?:。]\s)(?<=[\s(“\"'/-])[A-Z][\w-]*|\b[A-Z]{2,}\w*")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
# Names in code or quotation marks: `min', ``minor``, “bad_example”.
_CODE_NAME: Final = re.compile(r"[`‘“'\"]([\w.$\\-]{2,40})['’”\"`]")
# Code on a line of its own that the next line defines, as in lists of options.
_TERM: Final = re.compile(r"(?:^|\n)[ \t]*``?([^`\n]{1,60})``?[ \t:：]*\n[ \t]*\Z")
_TERM_REACH: Final = 120
# "Functions that increase …", "An optional integer …", "The following example … exports": here the polar word only
# identifies the subject or describes an example and claims nothing about the world. A label may come before.
_DEFINES: Final = re.compile(
    r"(?:[^:\n]{1,40}:\s+)?(?:"
    r"(?:the\s+|a\s+|an\s+|any\s+|all\s+|those\s+)?[\w-]+\s+(?:that|which|who)\s+|"
    r"(?P<one>an?|another|any)\s+(?:[\w-]+\s+)?|"
    r"(?!for\s)(?:(?:the|an?|this|another|our)\s+)?(?:[\w-]+\s+)?(?:examples?|listing|snippet)\b(?!,)[^.]*)\Z",
    re.IGNORECASE,
)
_FEWEST_SHARED: Final = 3
_LONGEST: Final = 400


class SentenceReading(msgspec.Struct):
    """A sentence: its index, start and end, and its content terms."""

    index: int
    start: int
    end: int
    terms: set[str]


def statement(report: Report, index: int) -> SentenceReading:
    """Return sentence ``index`` with its span and its content terms."""
    span = report.sentences[index].span
    return SentenceReading(index, span.start, span.end, report.sentence_terms[index])


def near_terms(report: Report, one: SentenceReading, start: int, end: int) -> set[str]:
    """Return the content terms within 45 characters of ``[start, end)`` in its sentence, without the word itself."""
    left = report.plain[max(one.start, start - 45) : start]
    right = report.plain[end : min(one.end, end + 45)]
    # Whole words only.
    if max(one.start, start - 45) > one.start and " " in left:
        left = left.split(" ", 1)[1]
    if end + 45 < one.end and " " in right:
        right = right.rsplit(" ", 1)[0]
    return content_terms(left) | content_terms(right)


def comparable(report: Report, one: SentenceReading, two: SentenceReading) -> bool:
    """Return whether two sentences make plain assertions about the same subject.

    They do if they share most of their terms, and do not differ in hedges, names, figures or standards of comparison.
    """
    texts = [report.plain[each.start : each.end] for each in (one, two)]
    if any(len(text) > _LONGEST for text in texts):
        return False
    left, right = one.terms, two.terms
    common = len(left & right)
    if (
        common < _FEWEST_SHARED
        or 10 * common < 5 * min(len(left), len(right))
        or 10 * common < 3 * max(len(left), len(right))
    ):
        return False
    hedges, more_hedges = ({word.lower() for word in _QUALIFIED.findall(text)} for text in texts)
    if hedges != more_hedges or (hedges and not shared(one, two, strict=True)):
        # The same condition on both sides cancels out, but only in all but the same words.
        return False
    mine, other = (set(_NAME.findall(text)) for text in texts)
    if mine - other and other - mine:
        return False
    mine, other = (_code_names(report, each) for each in (one, two))
    if mine - other and other - mine:
        return False
    return _same_numbers(report, one, two, texts) and _same_standard(texts)


_NOUN_ENDS: Final = _PHRASES.pattern(r"\s*(?:[.,;:)]|(?:<<statements_noun_ends.en>>)\b)")


def defines(report: Report, one: SentenceReading, start: int, end: int) -> bool:
    """Return whether the word in ``[start, end)`` only identifies the subject of its sentence and claims nothing."""
    match = _DEFINES.match(" ".join(report.plain[one.start : start].split()) + " ")
    if match is None:
        return False
    # In "a sharp increase in sales" or "a majority of users" the word is itself the noun that the sentence is about.
    return match["one"] is None or _NOUN_ENDS.match(report.plain, end, one.end) is None


def _code_names(report: Report, one: SentenceReading) -> set[str]:
    """Return the names in code or quotation marks in the sentence, and the term that it defines, if any."""
    source = report.source
    names = set(_CODE_NAME.findall(source[one.start : one.end]))
    if (term := _TERM.search(source[max(0, one.start - _TERM_REACH) : one.start])) is not None:
        names.add(term[1])
    return names


def _same_numbers(report: Report, one: SentenceReading, two: SentenceReading, texts: list[str]) -> bool:
    """Return whether both share a figure or neither has one; the one without may also be in a summary or conclusion."""
    mine, other = (set(_NUMBER.findall(text)) for text in texts)
    if mine and other:
        return bool(mine & other)
    if not mine and not other:
        return True
    bare = report.sentences[(two if mine else one).index]
    return role_of(report, report.sections[bare.section]) in FRAME


def _same_standard(texts: list[str]) -> bool:
    """Return whether both statements compare with the same standard; True if neither compares.

    "More than before" and "less than elsewhere" have different standards.
    """
    tails = [content_terms(text.partition(" than ")[2][:40]) for text in texts]
    return bool(tails[0] & tails[1]) or not (tails[0] or tails[1])


def shared(one: SentenceReading, two: SentenceReading, *, strict: bool = False) -> bool:
    """Return whether the two sentences share at least a third of all their terms, or 70 % of them if ``strict``."""
    common = len(one.terms & two.terms)
    union = len(one.terms | two.terms)
    return common >= (0.7 if strict else 0.33) * union
