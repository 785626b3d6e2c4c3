"""Sentences with placeholders for their numbers, which the patterns of the numeric checks are matched against.

A sentence becomes one lower-case line with single spaces, in which a character for its kind replaces every number:

    "Sales grew from $1.2 billion in 2020 to $2.4 billion in 2023 (+50%)."
    "sales grew from C in Y to C in Y (P)."

where C, Y, P stand for the private-use characters below. A pattern over such a line is readable and independent of the
spelling of numbers. A range written with a dash ("10–20 %") is one character, because a pattern for a single value must
not match an end of a range.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.parts import Sentence
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile
from assay.text.quantity import Quantity

if TYPE_CHECKING:
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")
PERCENT: Final = "\ue000"
POINTS: Final = "\ue001"
CURRENCY: Final = "\ue002"
NUMBER: Final = "\ue003"
YEAR: Final = "\ue004"
RANGE: Final = "\ue005"
YEARS: Final = "\ue006"
ORDINAL: Final = "\ue007"
_OF_KIND: Final = {
    "percent": PERCENT, "points": POINTS, "currency": CURRENCY, "measure": NUMBER, "count": NUMBER, "year": YEAR,
    "ordinal": ORDINAL,
}  # fmt: skip
VALUE: Final = f"[{PERCENT}{CURRENCY}{NUMBER}]"
TOKEN: Final = f"[{PERCENT}-{ORDINAL}]"
_TOKEN: Final = re.compile(TOKEN)
_TOKENS: Final = (PERCENT, POINTS, CURRENCY, NUMBER, YEAR, RANGE, YEARS, ORDINAL)
# A sentence with more numbers is raw data and would make the look-ups below slow.
_MOST_NUMBERS: Final = 80
_LONGEST: Final = 4_000
_DASHES: Final = "-–—−~～〜‑"
_NAMES: Final = {
    "P": PERCENT,
    "B": POINTS,
    "C": CURRENCY,
    "N": NUMBER,
    "Y": YEAR,
    "R": RANGE,
    "S": YEARS,
    "V": VALUE,
    "T": TOKEN,
}
_NAME: Final = re.compile(r"<([PBCNYRSVT])>")


def pattern(template: str) -> re.Pattern[str]:
    """Return a pattern over number lines, compiled when it is first used.

    ``<P>``, ``<C>``, … match numbers of one kind, ``<V>`` any value, ``<T>`` any number; ``<<name.en>>`` stands for
    phrases of ``phrases/num.yaml``. ``~`` matches up to 40 characters without a number or the end of a clause;
    ``[^<T>…]`` matches a character that is not a number.
    """
    return _PHRASES.pattern(template, flags=re.VERBOSE, prepare=_with_numbers)


def _with_numbers(text: str) -> str:
    text = text.replace("~", "[^<T>;；。!?]{0,40}?").replace("[^<T>", f"[^{PERCENT}-{ORDINAL}")
    return _NAME.sub(lambda match: _NAMES[match[1]], text)


class NumberLine(msgspec.Struct, frozen=True, gc=False):
    """A sentence with at least one number.

    Attributes:
        sentence: The sentence.
        text: Its words in lower case with single spaces; each number is one character (see the module).
        quantities: The numbers, one for each such character, in order; for a range with a dash, its first end.
        seconds: Second ends of ranges with a dash, by the index of the range in ``quantities``.
        percents: Number of single percentages.
    """

    sentence: Sentence
    text: str
    quantities: tuple[Quantity, ...]
    seconds: dict[int, Quantity]
    percents: int

    def index(self, position: int) -> int:
        """Return the index of the number at ``position`` of ``text``."""
        return len(_TOKEN.findall(self.text, 0, position))

    def at(self, position: int) -> Quantity:
        """Return the number at ``position`` of ``text``."""
        return self.quantities[self.index(position)]

    def group(self, match: re.Match[str], name: str) -> Quantity:
        """Return the number at the start of group ``name`` of a match over ``text``."""
        return self.at(match.start(name))

    def positions(self) -> list[int]:
        """Return the offsets of the numbers in ``text``."""
        return [match.start() for match in _TOKEN.finditer(self.text)]


def number_lines(report: Report) -> list[NumberLine]:
    """Return every sentence of the report that contains a number, in order. The result is cached in the report."""
    lines: list[NumberLine] | None = report.memo.get(number_lines)
    if lines is None:
        lines = report.memo[number_lines] = _number_lines(report)
    return lines


def _number_lines(report: Report) -> list[NumberLine]:
    plain = report.plain
    if not plain.isascii() and any(token in plain for token in _TOKENS):
        plain = _TOKEN.sub(" ", plain)
    lines: list[NumberLine] = []
    quantities = report.quantities
    count = len(quantities)
    i = 0
    for sentence in report.sentences:
        start, end = sentence.span.start, sentence.span.end
        while i < count and quantities[i].start < start:
            i += 1
        first = i
        while i < count and quantities[i].start < end:
            i += 1
        if 0 < i - first <= _MOST_NUMBERS and end - start <= _LONGEST:
            lines.append(_line(plain, sentence, quantities[first:i]))
    return lines


def _line(plain: str, sentence: Sentence, quantities: list[Quantity]) -> NumberLine:
    pieces: list[str] = []
    kept: list[Quantity] = []
    seconds: dict[int, Quantity] = {}
    at = sentence.span.start
    percents = 0
    for quantity in quantities:
        between = plain[at : quantity.start]
        at = quantity.end
        if quantity.pair == "second" and kept and between.strip() in _DASHES:
            seconds[len(kept) - 1] = quantity
            if pieces[-1] == PERCENT:
                percents -= 1
            pieces[-1] = YEARS if quantity.kind == "year" else RANGE
            continue
        pieces.append(between)
        pieces.append(_OF_KIND[quantity.kind])
        kept.append(quantity)
        if quantity.kind == "percent":
            percents += 1
    pieces.append(plain[at : sentence.span.end])
    text = " ".join("".join(pieces).lower().split())
    return NumberLine(sentence, text, tuple(kept), seconds, percents)


def show(report: Report, *quantities: Quantity) -> str:
    """Return numbers as printed, for messages: ``"12 %, 30 %"``."""
    return ", ".join(" ".join(report.plain[q.start : q.end].split()) for q in quantities)


def span_of(*quantities: Quantity) -> Span:
    """Return the span from the first of the numbers to the last."""
    return Span(min(q.start for q in quantities), max(q.end for q in quantities))
