"""Numbers in context: what a number is about, its year, and whether it is exact, approximate or a bound.

A fact is a number with the words around it: on its left the clause back to the preceding number, on its right the
words that qualify it. Two facts are about the same quantity if the content words around them agree, and their units,
years and periods too. This definition of sameness is narrow on purpose.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.num._numbers import NumberLine, number_lines
from assay.text.phrases import PhraseFile
from assay.text.quantity import Quantity
from assay.text.words import content_terms

if TYPE_CHECKING:
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")


# Words about how a number is known or reached, not about the quantity it measures.
@cache
def _soft() -> frozenset[str]:
    words = _PHRASES["facts_soft_words"]
    return frozenset(content_terms(" ".join((*words.en, *words.zh))))


_ZH_SOFT: Final = _PHRASES.pattern("<<facts_soft.zh>>")
_PERIOD: Final = _PHRASES.pattern(
    r"<<facts_period.en>>|\b(?:<<facts_period_january.en>>)\b|<<facts_period.zh>>"
)
_BOUND: Final = _PHRASES.pattern(
    "(?P<low><<facts_bound.en>>|>=?|≥|<<facts_bound.zh>>)|(?P<high>up to|less than|under|below|at most|"
    "fewer than|<=?|≤|不足|低于|不超过|最多|小于)",
)
_ROUGH: Final = _PHRASES.pattern("<<facts_rough.en>>|~|≈|约|近|大概|左右|上下")


# A fact whose context contains one of these words measures another quantity than a fact without it.
@cache
def _telling() -> frozenset[str]:
    words = _PHRASES["facts_telling"]
    return frozenset(content_terms(" ".join((*words.en, *words.zh))))


_EDGE: Final = _PHRASES.pattern("[,，;；。.()（）、:：]| (?:<<facts_edge.en>>) ")
_STOPS: Final = ";；。"
_LEFT: Final = 140
_RIGHT: Final = 70
_NEAR_YEAR: Final = 60


class NumericFact(msgspec.Struct, frozen=True, gc=False):
    """A number and its context.

    Attributes:
        quantity: The number.
        line: The sentence that contains it.
        index: Index of the number among those of the sentence.
        years: The year beside it, or else the years of the sentence, in order.
        left: The words before it, as written.
        right: The words after it.
        cut: Whether ``left`` begins at a preceding number and so perhaps lacks the subject of the sentence.
    """

    quantity: Quantity
    line: NumberLine
    index: int
    years: tuple[float, ...]
    left: str
    right: str
    cut: bool


def fact_groups(report: Report) -> list[list[NumericFact]]:
    """Return the facts grouped by kind and unit, for groups that span several sentences.

    Only facts in the same group can conflict.
    """
    cached: list[list[NumericFact]] | None = report.memo.get(fact_groups)
    if cached is not None:
        return cached
    by_unit: dict[tuple[str, str], list[tuple[NumberLine, int]]] = {}
    for line in number_lines(report):
        for i, quantity in enumerate(line.quantities):
            if _eligible(quantity):
                by_unit.setdefault((quantity.kind, quantity.unit), []).append((line, i))
    groups = [
        [fact_at(report, line, i) for line, i in members]
        for members in by_unit.values()
        if members[0][0] is not members[-1][0]
    ]
    report.memo[fact_groups] = groups
    return groups


def _eligible(quantity: Quantity) -> bool:
    if quantity.pair or quantity.kind in ("year", "ordinal"):
        return False
    if quantity.kind == "count":
        # Small bare numbers are list numbers, versions and settings more often than amounts.
        return quantity.scale > 1 or quantity.value >= 100
    return True


def fact_at(report: Report, line: NumberLine, index: int) -> NumericFact:
    """Return the fact that number ``index`` of a sentence states."""
    plain = report.plain
    quantities = line.quantities
    quantity = quantities[index]
    span = line.sentence.span
    start, end = max(span.start, quantity.start - _LEFT), min(span.end, quantity.end + _RIGHT)
    years: list[float] = []
    nearest = _NEAR_YEAR
    is_cut = False
    for i, other in enumerate(quantities):
        if other.kind == "year":
            distance = quantity.start - other.end if i < index else other.start - quantity.end
            if i > index and nearest < _NEAR_YEAR and _EDGE.search(plain, quantity.end, other.start):
                continue  # "In 2024 it was 12 million, in 2023 …": the year of the next clause
            if distance < nearest:
                nearest, years = distance, [other.value]
            elif nearest == _NEAR_YEAR:
                years.append(other.value)
        elif i < index:
            start = max(start, (line.seconds.get(i) or other).end)
            is_cut = True
        elif i > index:
            end = min(end, other.start)
    left, right = plain[start : quantity.start], plain[quantity.end : end]
    cut = max(left.rfind(mark) for mark in _STOPS)
    left = left[cut + 1 :]
    edge = _EDGE.search(right)
    if edge:
        right = right[: edge.start()]
    return NumericFact(quantity, line, index, tuple(years), left, right, is_cut)


def bound_of(fact: NumericFact) -> str:
    """Return ``">"`` or ``"<"`` if the number is a bound, ``"~"`` if it is approximate, or else an empty string."""
    head, right = fact.left[-18:].lower(), fact.right
    if right[:2] in ("以上", "以下") or right[:1] == "+":
        return "<" if right[:2] == "以下" else ">"
    if match := _BOUND.search(head):
        return ">" if match["low"] else "<"
    return "~" if _ROUGH.search(head) or right[:2] in ("左右", "上下") else ""


def terms_of(fact: NumericFact) -> set[str]:
    """Return the content words around the number."""
    text = f"{fact.left} {fact.right}"
    if not text.isascii():
        text = _ZH_SOFT.sub(" ", text)
    return content_terms(text) - _soft()


def agree(a: NumericFact, b: NumericFact) -> bool:
    """Return whether both values can be true of one quantity, given rounding, bounds and approximation."""
    x, y = a.quantity, b.quantity
    mark, other_mark = bound_of(a), bound_of(b)
    if mark != other_mark and (mark in ("<", ">") or other_mark in ("<", ">")):
        low = x.value if mark == ">" else y.value if other_mark == ">" else None
        high = x.value if mark == "<" else y.value if other_mark == "<" else None
        if low is not None and high is not None:
            return low <= high
        other = y.value if mark in ("<", ">") else x.value
        return (low is None or other >= low * 0.98) and (high is None or other <= high * 1.02)
    if "~" in (mark, other_mark):
        slack = (0.02 if mark == other_mark else 0.08) * max(abs(x.value), abs(y.value))
    elif x.decimals == y.decimals and x.scale == y.scale:
        slack = 0.0  # printed alike: rounding does not explain a difference
    else:
        slack = x.half_unit + y.half_unit
    return abs(x.value - y.value) <= slack * (1 + 1e-9)


def periods(report: Report, fact: NumericFact) -> set[str]:
    """Return the quarters, months and bases ("per capita") in the sentence of the fact."""
    span = fact.line.sentence.span
    return set(_PERIOD.findall(report.cues.lower, span.start, span.end))


def same_subject(a: set[str], b: set[str], *, least: int, anchored: bool, swaps: int) -> float:
    """Return the probability that two sets of content words name the same quantity: 0, or 0.5 to 1.

    Args:
        a: Content words of one fact.
        b: Content words of the other.
        least: Number of words that they must share.
        anchored: Whether the two sentences share another figure, which connects them.
        swaps: Number of words that may differ if each set has one that the other lacks.
    """
    shared = a & b
    if len(shared) < least:
        return 0.0
    extra = a ^ b
    if not extra:
        return 1.0
    likeness = len(shared) / (len(shared) + len(extra))
    if extra & _telling():
        return 0.0
    if anchored:
        return 0.5 + 0.4 * likeness if likeness >= 0.35 else 0.0
    if a - b and b - a:
        fits = len(extra) <= swaps and len(shared) >= 8
    else:
        fits = len(extra) <= (len(shared) // 2 if len(shared) >= 8 else 1)
    return 0.5 + 0.5 * likeness if fits else 0.0


def anchored(a: NumberLine, b: NumberLine) -> bool:
    """Return whether two sentences share a figure with at least three significant digits, or two shorter ones."""
    first = {(q.unit, q.value) for q in a.quantities if q.kind != "year"}
    weight = 0
    for quantity in b.quantities:
        if (quantity.unit, quantity.value) in first and quantity.kind != "year":
            digits = f"{quantity.value / quantity.scale:.{quantity.decimals}f}".replace(".", "").strip("0")
            weight += 2 if len(digits) >= 3 or (len(digits) == 2 and quantity.scale > 1) else len(digits) // 2
    return weight >= 2


def agree_within(quantity: Quantity, value: float, half_unit: float) -> bool:
    """Return whether a printed number can be a rounding of ``value``, which is known up to ``half_unit``."""
    return abs(quantity.value - value) <= max(quantity.half_unit, half_unit, 0.02 * abs(value)) * (1 + 1e-9)
