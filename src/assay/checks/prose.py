"""Tests of sentences for the QUA and WAR checks: quoted, cited, attributed, hedged or conditional."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.span import Span
from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block, Sentence
    from assay.subjects.report import Report
    from assay.text.lexicon import Lexicon

_PHRASES: Final = PhraseFile("assay.checks", "prose")
_WORDS: Final = WordSets(_PHRASES)
# Terms are compared by this many letters.
_KEEP: Final = 6

# These patterns are only run on single sentences that contain a check's cue, which are few and short.
HEDGED: Final = _PHRASES.pattern(r"\b(?:<<prose_hedged.en>>)\b|<<prose_hedged.zh>>")
CONDITIONAL: Final = _PHRASES.pattern(r"\b(?:<<prose_conditional.en>>)\b|<<prose_conditional.zh>>")
ATTRIBUTED: Final = _PHRASES.pattern(r"\b(?:<<prose_attributed.en>>)\b|<<prose_attributed.zh>>")
_DATED: Final = re.compile(r"[《〈]|(?:19|20)\d\d|\bet al\b|等人")
_NAME: Final = re.compile(
    r"\b(?:[A-Z][\w&.'’\-]+ (?:(?:of|for|and|the|&|in|on) )?){1,4}[A-Z][\w&\-]+|(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z])"
)
# A line of citations for a whole list is looked for at most this many items further on.
_LIST_REACH: Final = 12
# Quotation marks are counted from the paragraph's start, unless that is too far off to be cheap.
_LONG_PARAGRAPH: Final = 4000


def candidates(report: Report, cues: Lexicon) -> Iterator[tuple[Sentence, int, int]]:
    """Yield the sentence, start and end of each cue that is in a sentence and not in quotation marks."""
    for start, end in cues.find(report.cues):
        sentence = report.sentence_at(start)
        if sentence is not None and not in_quotes(report, sentence, start):
            yield sentence, start, end


def in_quotes(report: Report, sentence: Sentence, at: int) -> bool:
    """Return whether ``at`` is inside quotation marks that were opened in its paragraph."""
    start = report.blocks[sentence.block].span.start
    if at - start > _LONG_PARAGRAPH:
        start = max(sentence.span.start, at - _LONG_PARAGRAPH)
    before = report.source[start:at]
    if before.count('"') % 2 or before.count("“") > before.count("”"):
        return True
    return before.count("「") > before.count("」") or before.count("«") > before.count("»")


def cited(report: Report, sentence: Sentence) -> bool:
    """Return whether a citation is in the sentence or right after it."""
    return bool(report.citations_in(sentence.span))


def covered(report: Report, sentence: Sentence) -> bool:
    """Return whether a citation plausibly supports the sentence.

    It does if it is in the sentence or the next two of its paragraph; if it is the first citation of the paragraph, since
    authors often give one for a whole paragraph; or if it is in a line of citations after the sentence's list.
    """
    block = report.blocks[sentence.block]
    later = report.citations_in(Span(sentence.span.start, block.span.end))
    if not later:
        return block.kind == "item" and _list_cited(report, block)
    near = report.sentences[min(sentence.index + 2, len(report.sentences) - 1)]
    if later[0].span.start < near.span.end:
        return True
    return not report.citations_in(Span(block.span.start, sentence.span.start))


def _list_cited(report: Report, item: Block) -> bool:
    for block in report.blocks[item.index + 1 : item.index + 1 + _LIST_REACH]:
        if block.kind != "item":
            return block.kind == "paragraph" and bool(
                report.citations_in(Span(block.span.start, block.span.start + 2))
            )
    return False


def names_someone(report: Report, span: Span, cue_end: int) -> bool:
    """Return whether a sentence contains a title, a year or an author, or any name before the end of its cue.

    A name after the cue ("studies show that New York …") is the subject of the study, not its author.
    """
    # The first letter of a sentence is a capital whatever the word is.
    left = span.start + 1
    return bool(_DATED.search(report.plain, left, span.end) or _NAME.search(report.plain, left, cue_end))


def clause_terms(text: str) -> set[str]:
    """Return the content terms of a text, cut to six letters so that "efficient" and "efficiency" are equal."""
    return {term[:_KEEP] for term in content_terms(text) if term not in _WORDS.terms_form}
