"""The quotes of a judge, looked up in what it quoted from.

A quote is found if its words and numbers stand there in its order, whatever their form; see
`assay.strategies.quote_text`. An ellipsis stands for what was left out. A changed word or number, or half of one,
makes it an invented quote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from unicodedata import combining

from assay.strategies.base import REFERENCE, QuotedText
from assay.strategies.quote_text import PlainText, markers, plain_text
from assay.text.words import CJK

# A letter counts one, a Chinese character three. A shorter quote proves nothing unless it is verbatim and occurs once.
_SHORTEST: Final = 10
# Least weight of a part between ellipses.
_SHORTEST_PART: Final = 6
# Characters an ellipsis may leave out.
_GAP: Final = 1500
# A quote of this length that breaks off within a word was cut off; it is not another word.
_LONG: Final = 200
# Places of the first part that are tried.
_TRIES: Final = 200
# Distance at which a marker beside a quote may stand.
_AROUND: Final = 40
_ELLIPSIS: Final = re.compile(r"[\[(（]?+\s?+(?:…++|\.{3,})\s?[\])）]?+")
_MARKS: Final = " \t\r\n'\"“”‘’«»「」『』"
_EDGES: Final = _MARKS + "*_`.,;:!?。，、；：！？…-–—"
_PLAIN_EDGES: Final = " '.,;:!?。、"
_POINTS: Final = (".", ",")


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a passage stands in a text, in code points, or None.

    The passage is looked for verbatim first, then in any form. Quotation marks and punctuation around it need not
    match.
    """
    bare = quote.strip(_EDGES)
    if len(bare) < 2:
        return None
    if _weight(bare) < _SHORTEST:
        place = _verbatim(bare, text)
        alone = place is not None and _verbatim(bare, text, place[0] + 1) is None
        return place if alone else None
    for form in (quote.strip(), bare):
        place = _verbatim(form, text, cut_after=len(form) >= _LONG)
        if place is not None:
            return place
    plain = _plain(text)
    place = _in_order([quote], plain, text, cut_after=len(bare) >= _LONG)
    if place is None:
        first, *parts = _ELLIPSIS.split(quote.strip(_MARKS))
        if parts:
            cut_before, cut_after = not first.strip(), not parts[-1].strip() or len(bare) >= _LONG
            kept = [part for part in (first, *parts) if part.strip()]
            place = _in_order(kept, plain, text, cut_before=cut_before, cut_after=cut_after)
    return place if place is not None and _same_markers(quote, text, place) else None


def locate_quotes(
    quotes: Sequence[tuple[str, str]], documents: Sequence[str], reference: str | None
) -> tuple[QuotedText, ...]:
    """Locate every quote: in the first document that has it, or in the reference if it was taken from there."""
    located: list[QuotedText] = []
    for text, source in quotes:
        if source == "reference":
            place = locate(text, reference) if reference else None
            located.append(QuotedText(text, REFERENCE, *(place or (None, None))))
            continue
        for index, document in enumerate(documents):
            place = locate(text, document)
            if place is not None:
                located.append(QuotedText(text, index, *place))
                break
        else:
            located.append(QuotedText(text, None, None, None))
    return tuple(located)


# A document is quoted from once for each criterion, while a few others are judged too.
@lru_cache(maxsize=32)
def _plain(text: str) -> PlainText:
    return plain_text(text)


def _weight(text: str) -> int:
    return len(text) + 2 * len(CJK.findall(text))


def _verbatim(quote: str, text: str, start: int = 0, *, cut_after: bool = False) -> tuple[int, int] | None:
    at = text.find(quote, start)
    for _ in range(_TRIES):
        if at < 0:
            return None
        if _is_whole(text, at, at + len(quote), cut_after=cut_after):
            return at, at + len(quote)
        at = text.find(quote, at + 1)
    return None


def _in_order(
    quotes: Sequence[str], plain: PlainText, text: str, *, cut_before: bool = False, cut_after: bool = False
) -> tuple[int, int] | None:
    """Return the place of the parts of a quote: each whole, in order, and not too far from the one before."""
    parts = [_stripped(plain_text(quote).text) for quote in quotes]
    weights = [_weight(part) for part in parts]
    if not parts or min(weights) < _SHORTEST_PART or sum(weights) < _SHORTEST:
        return None
    last = len(parts) - 1
    begin = 0
    for _ in range(_TRIES):
        first = end = _find(
            parts[0],
            plain,
            text,
            begin,
            len(plain.text),
            cut_before=cut_before,
            cut_after=cut_after or last > 0,
        )
        for index, part in enumerate(parts):
            if end < 0:
                break
            if index:
                end = _find(
                    part,
                    plain,
                    text,
                    end,
                    end + _GAP + len(part),
                    cut_before=True,
                    cut_after=cut_after or index < last,
                )
            end += len(part) if end >= 0 else 0
        if first < 0 or end >= 0:
            break
        begin = first + 1
    return None if first < 0 or end < 0 else (plain.source[first], plain.source[end - 1] + 1)


def _find(
    part: str, plain: PlainText, text: str, begin: int, limit: int, *, cut_before: bool, cut_after: bool
) -> int:
    """Return where a part stands in the plain text between two places, or -1."""
    source = plain.source
    at = plain.text.find(part, begin, limit)
    for _ in range(_TRIES):
        if at < 0:
            return -1
        end = at + len(part)
        # A character of the source that became several is quoted as one.
        split = (at > 0 and source[at - 1] == source[at]) or (
            end < len(source) and source[end - 1] == source[end]
        )
        if not split and _is_whole(
            text, source[at], source[end - 1] + 1, cut_before=cut_before, cut_after=cut_after
        ):
            return at
        at = plain.text.find(part, at + 1, limit)
    return -1


def _is_whole(text: str, start: int, end: int, *, cut_before: bool = False, cut_after: bool = False) -> bool:
    """Return whether no word or number is quoted by half; words may be if the quote is known to be cut off."""
    before, first = text[start - 1 : start], text[start]
    last, after = text[end - 1], text[end : end + 1]
    if after and combining(after):
        return False
    if first.isdigit() and (
        before.isdigit() or (before in _POINTS and text[max(0, start - 2) : start - 1].isdigit())
    ):
        return False
    if last.isdigit() and (after.isdigit() or (after in _POINTS and text[end + 1 : end + 2].isdigit())):
        return False
    return (cut_before or not (_is_word(before) and _is_word(first))) and (
        cut_after or not (_is_word(last) and _is_word(after))
    )


def _is_word(mark: str) -> bool:
    return mark.isalnum() and CJK.match(mark) is None


def _stripped(plain: str) -> str:
    """Return the text without the punctuation around it, but with a minus sign."""
    bare = plain.strip(_PLAIN_EDGES).rstrip(_PLAIN_EDGES + "-")
    return bare if bare[1:2].isdigit() else bare.lstrip(_PLAIN_EDGES + "-")


def _same_markers(quote: str, text: str, place: tuple[int, int]) -> bool:
    """Return whether the citation markers in a quote are those of the passage; a quote may leave some out."""
    quoted = markers(quote)
    if not quoted:
        return True
    there = iter(markers(text[max(0, place[0] - _AROUND) : place[1] + _AROUND]))
    return all(number in there for number in quoted)
