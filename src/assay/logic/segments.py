"""Segments of sentences: the clauses that play different parts in an argument.

"Although X, Y", "Y because X", "X, but Y" and 虽然X，但Y are two segments each; a sentence without such a hinge is one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from assay.logic.patterns import has_verb
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

# What a segment does to the other one of its sentence.
Hinge = Literal["", "concedes", "turns", "grounds"]

PHRASES: Final = PhraseFile("assay.logic", "discourse")
# A clause has at least this many words, or Chinese characters.
_WORDS: Final = 3
_HAN: Final = 5
_TRIMMED: Final = " ,;，；、:：–—-\n\t"
_COMMA: Final = re.compile(r"[,，]\s*")
_GRANTING: Final = frozenset(("though", "although", "even though"))
# These set two things side by side as often as against each other.
_BESIDE: Final = frozenset(("while", "whereas"))
_LOOSE: Final = re.compile(r"(?:but|yet)\b")
_SUBJECT: Final = re.compile(
    r"\w+ (?:it|they|we|you|i|he|she|there|this|that|the|these|those|many|most|some|no|people)\b"
)
_HAN_TEXT: Final = re.compile("[\u3400-\u9fff]")
# Not a hinge: "not only … but also", "not X but Y", "nothing but", 不是……而是.
_PAIRED: Final = re.compile(r"\bnot (?:only|just|merely)\b|\b(?:nothing|anything|all)\W*$|不仅|不但|不只")


class Segment(NamedTuple):
    """Part of a sentence.

    Attributes:
        start: Start in the text.
        end: End in the text.
        hinge: What its conjunction says that it does to the other segment.
        other: How far away the other segment is: 1 for the next one, -1 for the one before; 0 without a hinge.
    """

    start: int
    end: int
    hinge: Hinge = ""
    other: int = 0


def segments_of(lower: str, start: int, end: int) -> list[Segment]:
    """Return the segments of the sentence ``lower[start:end]``, in lower case: one or two."""
    chinese = _HAN_TEXT.search(lower, start, end) is not None
    for cut, first, second in _cuts(lower, start, end, chinese=chinese):
        left, right = _trimmed(lower, start, cut), _trimmed(lower, cut, end)
        if _is_clause(lower, *left, chinese=chinese) and _is_clause(lower, *right, chinese=chinese):
            return [
                Segment(*left, first, 1 if first else 0),
                Segment(*right, second, -1 if second else 0),
            ]
    return [Segment(start, end)]


def _cuts(lower: str, start: int, end: int, *, chinese: bool) -> Iterator[tuple[int, Hinge, Hinge]]:
    """Yield places where the sentence may be cut, with the hinges of the two parts; the surest first."""
    language: Literal["en", "zh"] = "zh" if chinese else "en"
    opening = _opening(language).match(lower, start, end)
    inner = list(_inner(language).finditer(lower, start, end))
    if opening is not None:
        conceding = opening.lastgroup == "conceding"
        paired = opening["reason"] == "之所以"
        for match in inner:
            kind = match.lastgroup or ""
            if conceding and kind == "turning":
                yield match.start(kind), "concedes", ""
            elif paired and kind == "grounding":
                yield match.start(kind), "", "grounds"
        comma = None if paired else _COMMA.search(lower, opening.end(), end)
        if comma is not None:
            yield comma.end(), "concedes" if conceding else "grounds", ""
        return
    for match in inner:
        kind = match.lastgroup or ""
        at = match.start(kind)
        if kind == "turning":
            word = match[kind]
            if word in _BESIDE or _PAIRED.search(lower[max(start, at - 90) : at]):
                continue
            # "Y, although X": what follows is granted; "X, but Y": what follows turns.
            yield at, "", "concedes" if word in _GRANTING else "turns"
        else:
            yield at, "", "grounds"


def _trimmed(lower: str, start: int, end: int) -> tuple[int, int]:
    while start < end and lower[start] in _TRIMMED:
        start += 1
    while end > start and lower[end - 1] in _TRIMMED:
        end -= 1
    return start, end


def _is_clause(lower: str, start: int, end: int, *, chinese: bool) -> bool:
    text = lower[start:end]
    if chinese:
        return len(_HAN_TEXT.findall(text)) >= _HAN
    if text.count(" ") + 1 < _WORDS:
        return False
    # After "but" and "yet" a phrase can follow as well as a clause.
    return not _LOOSE.match(text) or _SUBJECT.match(text) is not None or has_verb(text)


@cache
def _opening(language: Literal["en", "zh"]) -> re.Pattern[str]:
    edge = r"\b" if language == "en" else ""
    conceding, reason = (
        PHRASES[name].alternation(language) for name in ("conceding_clause", "reason_clause")
    )
    return re.compile(rf"\W*(?:(?P<conceding>{conceding})|(?P<reason>{reason})){edge}")


@cache
def _inner(language: Literal["en", "zh"]) -> re.Pattern[str]:
    parts = {name: PHRASES[name].alternation(language) for name in ("turning", "grounding")}
    groups = "|".join(f"(?P<{name}>{words})" for name, words in parts.items())
    if language == "zh":
        return re.compile(rf"[，；](?:{groups})")
    # "because" needs no comma before it, the others do.
    phrases = r"(?!\s+(?:also|then|far|example|instance|all)\b)"
    return re.compile(rf"(?:[,;–—]\s*|\s-\s)(?:{groups})\b{phrases}|\s(?P<late>because)\b(?! of)")
