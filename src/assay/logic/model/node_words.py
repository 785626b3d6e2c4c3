"""Whether a node that a model names stands in the report: word for word, or in fewer of the same words.

Nothing else gets into a graph (FinResearchBench, section 3.1.3: the report is kept as it is, nothing added or
interpreted). A shorter wording counts if each of its content words stands in the lines that it refers to, its
figures stand there in the same order, and it denies as much as they do. Who does what to whom is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.logic.model.numbered_lines import SOURCES
from assay.strategies.quotes import locate
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.quantities import find_quantities
from assay.text.words import CJK_RANGES, CJK_STOP, content_terms, has_cjk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.model.numbered_lines import NumberedLine, NumberedReport

# A model that copies more than this copies a paragraph, not a statement.
_LONGEST: Final = 1200
_MOST_LINES: Final = 6
_NUMBER: Final = re.compile(r"^\s*S\d+\|\s*(?:[-#|]+\s+)?")
_PHRASES: Final = PhraseFile("assay.logic", "terms")
_RUN: Final = re.compile(f"[{CJK_RANGES}]+")

_WHY: Final[Mapping[str, str]] = {
    "lines": "it refers to lines that were not shown{}",
    "nowhere": "it refers to no line",
    "long": "its words are a whole passage",
    "words": "its words are not in the lines it refers to{}",
    "empty": "it says nothing",
    "figure": "a figure does not stand so in the lines it refers to{}",
    "denial": "it denies what its lines affirm, or affirms what they deny",
    "alone": "it is evidence for nothing",
}


class NodeRefusal(msgspec.Struct, frozen=True):
    """Why a node does not count: a key of a few words, and what they are about."""

    code: Literal["lines", "nowhere", "long", "words", "empty", "figure", "denial", "alone"]
    detail: str = ""

    @property
    def why(self) -> str:
        """Return the reason in words."""
        return _WHY[self.code].format(f" ({self.detail})" if self.detail else "")


class LocatedWords(msgspec.Struct, frozen=True):
    """Where the words of a node stand, and the words that it gets."""

    span: Span
    text: str
    verbatim: bool
    lines: tuple[NumberedLine, ...]


def locate_words(
    numbered: NumberedReport, part: Sequence[NumberedLine], numbers: Sequence[int], text: str
) -> LocatedWords | NodeRefusal:
    """Return the place of a node, or why it has none.

    Args:
        numbered: The report.
        part: The lines that were shown, in order.
        numbers: The lines that the model refers to.
        text: The words of the node; empty for those of the lines.
    """
    report = numbered.report
    words = _bare(text)
    low, high = part[0].number, part[-1].number
    valid = sorted({number for number in numbers if low <= number <= high})
    if words and len(words) <= _LONGEST:
        # Its own lines first: a wrong line number with words that are in the report is a slip, not an invention.
        spots = [_run(numbered, valid), tuple(part)] if valid else [tuple(part)]
        for lines in spots:
            start, end = lines[0].span.start, lines[-1].span.end
            place = locate(words, report.plain[start:end])
            if place is not None:
                span = Span(start + place[0], start + place[1])
                held = tuple(line for line in lines if line.span.overlaps(span))
                found = report.plain_text(span)
                if held and found:
                    return LocatedWords(span, found, True, held)
    if not valid:
        return NodeRefusal("lines", _list(numbers)) if numbers else NodeRefusal("nowhere")
    run = _run(numbered, valid)
    span = Span(run[0].span.start, run[-1].span.end)
    own = report.plain_text(span)
    if not words or _folded(words) == _folded(own):
        return LocatedWords(span, own, True, run)
    if len(words) > _LONGEST:
        return NodeRefusal("long")
    return _added(words, own) or LocatedWords(span, words, False, run)


def _bare(text: str) -> str:
    return " ".join(SOURCES.sub("", _NUMBER.sub("", text)).split())


def _run(numbered: NumberedReport, numbers: Sequence[int]) -> tuple[NumberedLine, ...]:
    """Return the lines from the first number on that follow each other."""
    run = [numbers[0]]
    for number in numbers[1:_MOST_LINES]:
        if number != run[-1] + 1:
            break
        run.append(number)
    return tuple(numbered[number] for number in run)


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _added(words: str, own: str) -> NodeRefusal | None:
    """Return what a wording adds to the words it stands for, or None."""
    terms = content_terms(words)
    # A wording in another language lacks all terms, as it should.
    missing = sorted(term for term in terms - content_terms(own) if not has_cjk(term))
    # A unit between figures is a run of one character.
    whole = set(_RUN.findall(own))
    missing += [run for run in _RUN.findall(words) if run not in whole and not _made_of(run, own)]
    if missing:
        return NodeRefusal("words", ", ".join(missing[:4]))
    if not terms:
        return NodeRefusal("empty")
    there = iter([(item.value, item.unit) for item in find_quantities(own)])
    for item in find_quantities(words):
        if (item.value, item.unit) not in there:
            return NodeRefusal("figure", words[item.start : item.end].strip())
    pattern = _denials("zh" if has_cjk(own) else "en")
    if (pattern.search(words) is None) != (pattern.search(own) is None):
        return NodeRefusal("denial")
    return None


def _made_of(run: str, own: str) -> bool:
    """Return whether a run of Chinese consists of pieces of another text, at least two characters each, and particles.

    Pairs of characters would not do: the place where two pieces meet has a pair that the source does not have.
    """
    reached = {0}
    for start in range(len(run)):
        if start not in reached:
            continue
        if run[start] in CJK_STOP:
            reached.add(start + 1)
        for end in range(start + 2, len(run) + 1):
            if run[start:end] not in own:
                break
            reached.add(end)
    return len(run) in reached


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(f"S{number}" for number in numbers[:4])


@cache
def _denials(language: Literal["en", "zh"]) -> re.Pattern[str]:
    words = _PHRASES["denials"].alternation(language)
    if language == "zh":
        return re.compile(words)
    return re.compile(rf"\b(?:{words})\b|n['’]t\b", re.IGNORECASE)
