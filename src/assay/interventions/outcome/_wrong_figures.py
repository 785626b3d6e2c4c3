"""Figures of a report that a rule may falsify, and the false ones, printed in the report's own style."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._prose import cited_figures, claims, revise
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.interventions", "outcome")
# A figure that is advised, supposed or an example is not stated as a fact.
_NOT_STATED: Final = _PHRASES.pattern(
    r"\b(?:<<not_stated>>)\b|应当|应该|应设|建议|例如|比如|假设|假如|如果|倘若|至少设",
    flags=re.IGNORECASE,
)
# Terms that two passages must share before the same figure in both is the same fact.
_SHARED: Final = {"en": 2, "zh": 3, "und": 2}
_DIGITS: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Too far for rounding to explain it, close enough to be believed.
_FACTORS: Final = (0.55, 0.62, 0.68, 0.74, 1.35, 1.42, 1.55, 1.7)
# An accuracy of 99.9 % cannot fall by a third and be believed.
_NEAR_ALL: Final = 96.0
# A change of one digit alone – 6 points to 8 – reads as a trifle.
_LEAST_DIGITS: Final = 2
# Words beside a figure that would give a changed one away: a share called a majority, the part of a whole.
_TELLTALE: Final = re.compile(
    r"\b(?:majority|minority|most|half|third|quarter|double[ds]?|triple[ds]?|of (?:which|whom|these|those)|out of)\b"
    r"|多数|少数|过半|一半|翻番|其中",
    re.IGNORECASE,
)


def contradicting_figures(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions in which one of two passages gives another figure for the same thing."""
    for quantity, twin in repeated_figures(report, draw):
        sentence = report.sentence_at(quantity.start)
        if (
            quantity.value == 0.0
            or (quantity.unit == "%" and _NEAR_ALL <= quantity.value <= 100.0)
            or not _measured(report, quantity)
            or sentence is None
            or not _sourced(report, sentence)
            or _TELLTALE.search(report.text(sentence.span))
            or _NOT_STATED.search(report.text(sentence.span))
        ):
            continue
        start, end, digits = printed(report, quantity)
        block = report.block_at(start)
        if not digits or block is None or _stands_near(report, sentence, digits, start):
            continue
        if len(digits.replace(",", "").replace(".", "").lstrip("0")) < _LEAST_DIGITS:
            continue
        near = frozenset(printed(report, other)[2] for other in report.quantities_in(block.span))
        low, high = _between(report, quantity, sentence)
        new = altered(digits, draw, above=low, below=high, avoid=near)
        if new is not None and _article_fits(report.source[:start], digits, new):
            line = report.lines.place(twin.start)[0]
            note = f"{digits} → {new}; line {line} still says {digits}"
            yield revise(report, start, end, new, pattern="contradicting-figure", note=note)


def _sourced(report: Report, sentence: Sentence) -> bool:
    """Return whether a sentence names its source; without one a reader cannot tell which of two figures is right."""
    return any(sentence.span.start <= c.span.start < sentence.span.end for c in report.citations)


def _between(report: Report, quantity: Quantity, sentence: Sentence) -> tuple[float, float]:
    """Return the bounds that keep a figure in its order among the figures of its sentence.

    A level that is broken through at 5,180 on the way to 3,880 gives the edit away, and so does "705 a year" beside
    "over 1,000".
    """
    digits = printed(report, quantity)[2].replace(",", "")
    own = float(digits)
    others: list[float] = []
    for other in report.quantities_in(sentence.span):
        text = printed(report, other)[2].replace(",", "")
        if other.start != quantity.start and text and other.kind != "year":
            others.append(float(text))
    low = max((value for value in others if value <= own), default=0.0)
    high = min((value for value in others if value > own), default=math.inf)
    return low, min(high, 100.0) if quantity.unit == "%" and own < 100 else high


# "an 80 %", "an 11th", "an 18 %" – and "a" before every other figure.
_VOWEL: Final = re.compile(r"8|11(?!\d)|18(?!\d)|(?:11|18),?\d{3}(?!\d)")


def _article_fits(before: str, old: str, new: str) -> bool:
    """Return whether the article before a figure suits the new one as well."""
    article = re.search(r"\b(?:a|an)\s$", before[-4:], re.IGNORECASE)
    return article is None or bool(_VOWEL.match(old)) == bool(_VOWEL.match(new))


def _stands_near(report: Report, sentence: Sentence, digits: str, start: int) -> bool:
    """Return whether a figure stands again in its section or a heading above it, where it would give the edit away."""
    section = report.sections[sentence.section]
    again = re.compile(rf"(?<![\d.,]){re.escape(digits)}(?![\d]|[.,]\d)")
    own = (
        report.source[section.span.start : start]
        + "\n"
        + report.source[start + len(digits) : section.body.end]
    )
    headings = [report.text(section.title_span)]
    while section.parent:
        section = report.sections[section.parent]
        headings.append(report.text(section.title_span))
    return again.search("\n".join([own, *headings])) is not None


def repeated_figures(report: Report, draw: Random) -> list[tuple[Quantity, Quantity]]:
    """Return pairs of figures that two passages give for the same thing, in random order."""
    allowed = {s.block for s in claims(report)}
    by_value: dict[tuple[float, str], list[Quantity]] = defaultdict(list)
    for quantity in cited_figures(report, report.sections[0].span):
        block = report.block_at(quantity.start)
        if block is not None and block.index in allowed and not quantity.pair and _distinct(quantity):
            by_value[quantity.value, quantity.unit].append(quantity)
    least = _SHARED[report.language]
    pairs: list[tuple[Quantity, Quantity]] = []
    for twins in by_value.values():
        if not 2 <= len(twins) <= 6:
            continue
        sentences = [report.sentence_at(quantity.start) for quantity in twins]
        for quantity, own in zip(twins, sentences, strict=True):
            for twin, other in zip(twins, sentences, strict=True):
                if own is None or other is None or own.index == other.index:
                    continue
                terms = report.sentence_terms[own.index] & report.sentence_terms[other.index]
                if len(terms) >= least:
                    pairs.append((quantity, twin))
                    break
    draw.shuffle(pairs)
    return pairs


def _distinct(quantity: Quantity) -> bool:
    """Return whether a figure is unlikely to occur twice by chance."""
    return (
        quantity.kind in ("percent", "currency", "points")
        or quantity.decimals > 0
        or abs(quantity.value) >= 100
    )


def _measured(report: Report, quantity: Quantity) -> bool:
    """Return whether a figure states an amount; a figure in a name, a title, a code or a decade does not."""
    before = report.source[max(0, quantity.start - 60) : quantity.start]
    after = report.source[quantity.end : quantity.end + 8]
    if (
        re.match(r"s\b|年?代|世纪| century| centuries|后[，的]", after)
        or re.search(r"(?:past|last|next|first|top|age[ds]?)\s$|[近过未]去?来?$|第$", before, re.IGNORECASE)
        or before.rfind("《") > before.rfind("》")
        or before.count("`") % 2
        or re.match(
            r"\s?(?:国|大|级|号|型|版|届|条|章|岁|分|周年|小时工作|强|线|楼|环|集团)|[A-Za-z]\w*-", after
        )
    ):
        return False
    # 802.11 and 27.001 are standards.
    if not quantity.unit and quantity.decimals and abs(quantity.value) >= 100:
        return False
    named = re.search(
        r"[A-Z][\w\-]*\s$|[a-z]{2,}-$|\b(?:chmod|version|type|class|level|phase|port)\s$", before
    )
    return bool(quantity.unit) or (re.match(r"\s[a-z]|[\u4e00-\u9fff]", after) is not None and named is None)


def printed(report: Report, quantity: Quantity) -> tuple[int, int, str]:
    """Return the start, the end and the text of a figure's digits."""
    match = _DIGITS.search(report.source, quantity.start, quantity.end)
    if match is None:
        return quantity.start, quantity.start, ""
    digits = match.group().rstrip(",")
    return match.start(), match.start() + len(digits), digits


def altered(
    digits: str,
    draw: Random,
    *,
    above: float = 0.0,
    below: float = math.inf,
    avoid: frozenset[str] = frozenset(),
) -> str | None:
    """Return a different number printed in the same form: decimals, closing zeros and separators are the same.

    Args:
        digits: The printed number, without sign and unit.
        draw: Random generator for the choice.
        above: The new value is greater than this.
        below: The new value is less than this (100 for a share).
        avoid: Printed values nearby that must not be returned.

    Returns:
        The new digits, or None if none are possible.
    """
    whole, point, decimals = digits.replace(",", "").partition(".")
    if not whole.isdigit():
        return None
    number = int(whole + decimals)
    zeros = len(str(number)) - len(str(number).rstrip("0")) if number else 0
    unit = 10**zeros
    for factor in draw.sample(_FACTORS, len(_FACTORS)):
        steps = round(number * factor / unit)
        value = (steps + (steps % 10 == 0)) * unit
        if abs(value - number) * 4 <= number or value <= 0:
            continue
        text = str(value).rjust(len(decimals) + 1, "0")
        head, tail = (text[: -len(decimals)], text[-len(decimals) :]) if decimals else (text, "")
        new = (f"{int(head):,}" if "," in digits else head) + point + tail
        if new not in (digits, *avoid) and above < float(new.replace(",", "")) < below:
            return new
    return None
