"""Lines and paragraphs of prose that an attack can edit, section titles worded for running text, and mixed patterns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.edit_kit import ADDRESS
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "prose")

# The end of a sentence: its full stop and the marks around it.
_MARK: Final = r"(?:\s{0,2}(?:\[\^?\d[^\[\]\n]{0,40}\]|【\d[^】\n]{0,40}】))"
TAIL: Final = re.compile(rf"{_MARK}*\s?[.。!！;；]?[*_]{{0,3}}{_MARK}*\s*\Z")
_MARKUP: Final = re.compile(r"\]\(|https?://|www\.|`|\||<[a-zA-Z/!]|\n|\$\$")
# Remarks of the writer on its own search, with which some reports open.
OWN_TALK: Final = _PHRASES.pattern(
    "<<own_talk>>",
    flags=re.IGNORECASE,
)
# What limits a claim, and what says why one holds; "May 2023" and "since 2010" do neither.
HEDGES: Final = re.compile(
    r"\b(?:may|might|could|if)\b|(?i:\b(?:likely|potential(?:ly)?|possibl[ey]|possibilit"
    r"|perhaps|appears? to|seems?\b|however\b"
    r"|although\b|limited\b|limitation|depend(?:s|ing|ent)? (?:on|upon)|uncertain|suggest"
    r"|unless\b|estimated\b|approximately\b"
    r"|preliminary|tends? to|caution|not (?:yet|fully|entirely)))|可能|或许|也许|尽管|然而|局限|取决于"
    r"|不确定|如果|潜在|大致|倾向于|尚未|预计"
)
CAUSES: Final = re.compile(
    r"(?i:\b(?:because|since (?!(?:\d|then|the |its |[A-Z]))|due to|owing to|leads? to"
    r"|led to|result(?:s|ed|ing)? in|therefore"
    r"|thus|hence|consequently|enabl|driv(?:es?|en|ing)\b|caus(?:e|es|ed|ing)\b"
    r"|by (?!spring|morning|evening)\w+ing\b|as a result"
    r"|so that|allow(?:s|ing)|reflect(?:s|ing)))|因为|由于|导致|从而|使得|因此|通过|促使|进而|带动|推动"
)
_LONGEST_PLACE: Final = 2_500
_SHORTEST_PLACE: Final = 160


class ProseLine(msgspec.Struct, frozen=True):
    """A sentence of prose: its source text, its span, and its position in the report."""

    text: str
    start: int
    end: int
    index: int
    block: int
    section: int

    @property
    def tail(self) -> int:
        """Offset in ``text`` at which the closing marks begin."""
        match = TAIL.search(self.text)
        return match.start() if match else len(self.text)


def chinese(report: Report) -> bool:
    """Return whether a report is written in Chinese."""
    return report.language == "zh"


def lines(report: Report, *, shortest: int = 40, longest: int = 420) -> list[ProseLine]:
    """Return sentences that can be rewritten: whole, on one line, without links, code or open brackets.

    Args:
        report: The report.
        shortest: Fewest characters; a third of that in Chinese.
        longest: Most characters.
    """
    if chinese(report):
        shortest //= 3
    out: list[ProseLine] = []
    for sentence in report.sentences:
        span = sentence.span
        if not shortest <= span.end - span.start <= longest:
            continue
        text = report.source[span.start : span.end]
        if _MARKUP.search(text) or not _closed(text) or OWN_TALK.search(text):
            continue
        if report.sections[sentence.section].is_references:
            continue
        first = text.lstrip("*_“\"'(")[:1]
        if first.islower() or not first or first in "，,：:、；;":
            continue
        out.append(ProseLine(text, span.start, span.end, sentence.index, sentence.block, sentence.section))
    return out


def _closed(text: str) -> bool:
    if text.count('"') % 2 or text.count("**") % 2:
        return False
    return all(text.count(pair[0]) == text.count(pair[1]) for pair in _PHRASES["pairs"].en)


def blocks_of_prose(report: Report, *, fewest: int = _SHORTEST_PLACE) -> list[Block]:
    """Return paragraphs of the body that are long enough for an edit.

    Args:
        report: The report.
        fewest: Fewest characters; a third of that in Chinese.
    """
    if chinese(report):
        fewest //= 3
    return [
        block
        for block in report.blocks
        if block.kind == "paragraph"
        and not report.sections[block.section].is_references
        and fewest <= block.span.end - block.span.start <= _LONGEST_PLACE
        and not OWN_TALK.search(report.source, block.span.start, block.span.end)
        and "|" not in report.source[block.span.start : block.span.end]
    ]


def matches(fits: re.Pattern[str], report: Report, block: Block) -> bool:
    """Return whether a pattern occurs in a paragraph; of an address only its beginning counts."""
    return fits.search(ADDRESS.sub("https://", report.text(block.span))) is not None
