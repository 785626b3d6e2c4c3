"""Helpers that the checks of sentences share: prose, code and quotations; cited, attributed, hedged, conditional."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block, Sentence
    from assay.subjects.report import Report
    from assay.text.lexicon import Lexicon

_PHRASES: Final = PhraseFile("assay.checks", "prose")

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
_BOX: Final = re.compile("[\u2500-\u259f]|[|+][-=]{3}|-{3}[|+]")
_GAP: Final = re.compile(r"\S(?: {3,}|\t+)\S")
_OPENING: Final = '"“‘「『«`'
_CLOSING: Final = '"”’」』»`'
_INTRODUCES: Final = _PHRASES.pattern(r"(?i)(?:<<prose_introduces.en>>|<<prose_introduces.zh>>)[\s:：,，]*$")
_REACH: Final = 160
_LINE: Final = 2000


def tabular(source: str) -> bool:
    r"""Return whether a passage is a table in plain text: ruled, aligned with white space, or mostly numbers.

    >>> tabular("Norway     60     12\nFinland    52     11"), tabular("Norway has 60, and Finland has 52.")
    (True, False)
    """
    if _BOX.search(source) or source.count("|") > 3:
        return True
    lines = [line for line in source.splitlines() if line.strip()]
    if len(lines) > 1 and 2 * sum(_GAP.search(line) is not None for line in lines) > len(lines):
        return True
    characters = "".join(source.split())
    return 5 * sum(map(str.isalpha, characters)) < 2 * len(characters)


def in_code(report: Report, offset: int) -> bool:
    """Return whether ``offset`` is in a code block or in inline code."""
    block = report.block_at(offset)
    if block is not None and block.kind == "code":
        return True
    inlines = report.inlines
    at = bisect_right(inlines, offset, key=lambda inline: inline.start) - 1
    return at >= 0 and inlines[at].kind == "code" and offset < inlines[at].end


def prose_at(report: Report, offset: int) -> Block | None:
    """Return the paragraph, list item or heading at ``offset``; None inside tables, code and references."""
    block = report.block_at(offset)
    return block if block is not None and block.kind in ("paragraph", "item", "heading") else None


def quote(report: Report, span: Span, limit: int = 60) -> str:
    """Return the words of a span in quotation marks; if longer than ``limit``, the middle is left out."""
    text = " ".join(report.source[span.start : span.end].split())
    if len(text) > limit:
        text = f"{text[: limit * 2 // 3].rstrip()} … {text[-limit // 3 :].lstrip()}"
    return f"“{text}”"


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


def is_quoted(report: Report, start: int, end: int) -> bool:
    """Return whether ``source[start:end]`` is a quotation or an example.

    That is text in quotation marks, in a quoted block, or after words that introduce an example.
    """
    source = report.source
    line = source.rfind("\n", max(0, start - _LINE), start) + 1
    if source[line:start].lstrip().startswith(">"):
        return True
    stop = source.find("\n", end, end + _REACH)
    before = source[max(line, start - _REACH) : start]
    after = source[end : min(len(source) if stop < 0 else stop, end + _REACH)]
    if _INTRODUCES.search(before):
        return True
    for left, right in zip(_OPENING, _CLOSING, strict=True):
        if left == right:
            # A straight mark both opens and closes; after an odd number of them, a quotation is open.
            if before.count(left) % 2 and right in after:
                return True
        elif before.rfind(left) > before.rfind(right) and right in after:
            return True
    return False


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


def leads_in(report: Report, sentence: Sentence) -> bool:
    """Return whether the sentence, or what follows it in its paragraph, announces a list that has citations."""
    block = report.blocks[sentence.block]
    if not report.plain[sentence.span.start : block.span.end].rstrip().endswith((":", "：")):
        return False
    for item in report.blocks[block.index + 1 : block.index + 1 + _LIST_REACH]:
        if item.kind not in ("item", "table"):
            return False
        if report.citations_in(item.span):
            return True
    return False


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
