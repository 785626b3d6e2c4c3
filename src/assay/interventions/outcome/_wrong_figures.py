"""Figures and years of a report that a rule may falsify, and the false ones, printed in the report's own style."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._prose import cited_figures, claims, revise
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.interventions", "outcome")
_AHEAD: Final = _PHRASES.pattern(
    r"\b(?:<<ahead>>)\b|up to|截至|到(?:19|20)\d\d年|预计|预测|预期|计划|即将|将|未来|目标|展望",
    flags=re.IGNORECASE,
)
# Terms that two passages must share before the same figure in both is the same fact.
_SHARED: Final = {"en": 2, "zh": 3, "und": 2}
_DIGITS: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Too far for rounding to explain it, close enough to be believed.
_FACTORS: Final = (0.62, 0.68, 0.74, 0.79, 1.26, 1.33, 1.41, 1.5)
_NOW: Final = 2025
_SHIFTS: Final = (-8, -7, -6, -5, -4, -3, 3, 4, 5, 6, 7, 8)
# Words beside a figure that would give a changed one away: a share called a majority, the part of a whole.
_TELLTALE: Final = re.compile(
    r"\b(?:majority|minority|most|half|third|quarter|double[ds]?|triple[ds]?|of (?:which|whom|these|those)|out of)\b"
    r"|多数|少数|过半|一半|翻番|其中",
    re.IGNORECASE,
)
_STUDY_YEAR: Final = re.compile(r"(?:[A-Z][\w.’'\-]+|[\u4e00-\u9fff]{2,4}等?)\s?[(（]((?:19|20)\d\d)[)）]")


def contradicting_figures(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions in which one of two passages gives another figure for the same thing."""
    for quantity, twin in repeated_figures(report, draw):
        sentence = report.sentence_at(quantity.start)
        if (
            quantity.value in (0.0, 100.0)
            or not _measured(report, quantity)
            or (sentence is not None and _TELLTALE.search(report.text(sentence.span)))
        ):
            continue
        start, end, digits = printed(report, quantity)
        block = report.block_at(start)
        if not digits or block is None:
            continue
        near = frozenset(printed(report, other)[2] for other in report.quantities_in(block.span))
        below = 100.0 if quantity.unit == "%" and quantity.value < 100 else None
        new = altered(digits, draw, below=below, avoid=near)
        if new is not None:
            line = report.lines.place(twin.start)[0]
            note = f"{digits} → {new}; line {line} still says {digits}"
            yield revise(report, start, end, new, pattern="contradicting-figure", note=note)


def altered_years(report: Report, draw: Random) -> Iterator[TextRevision | None]:
    """Yield revisions that change the year of a study, or one that the report states twice."""
    sites = _years(report)
    draw.shuffle(sites)
    for quantity in sites[:40]:
        sentence = report.sentence_at(quantity.start)
        # The tense reveals the year of what is expected or current.
        if sentence is None or _AHEAD.search(report.text(sentence.span)):
            continue
        near = [int(q.value) for q in report.quantities_in(sentence.span) if q.kind == "year"]
        year = altered_year(int(quantity.value), draw, avoid=frozenset(near))
        # A sequence of years must stay in order, or grammar alone would reveal the edit.
        if year is None or any((y < quantity.value) != (y < year) for y in near if y != int(quantity.value)):
            continue
        start, end, digits = printed(report, quantity)
        yield revise(report, start, end, str(year), pattern="altered-year", note=f"{digits} → {year}")


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


def _years(report: Report) -> list[Quantity]:
    """Return the years of claims that date a study in brackets, or stand beside the same words twice."""
    dated: list[tuple[int, Quantity]] = []
    for sentence in claims(report):
        years = [q for q in report.quantities_in(sentence.span) if q.kind == "year"]
        text = report.text(sentence.span)
        if len({q.value for q in years}) == len(years) <= 3 and "http" not in text:
            dated += [(sentence.index, q) for q in years if not q.pair and 1900 <= q.value < _NOW]
    least = _SHARED[report.language]
    terms = report.sentence_terms
    found = []
    for index, quantity in dated:
        around = report.source[max(0, quantity.start - 2) : quantity.end + 2]
        if re.search(r"[\-–—~/]|s\b|年代", around):
            continue
        study = _STUDY_YEAR.search(report.source, max(0, quantity.start - 30), quantity.end + 1)
        if (study is not None and study.start(1) == quantity.start) or any(
            other.value == quantity.value and at != index and len(terms[index] & terms[at]) >= least
            for at, other in dated
        ):
            found.append(quantity)
    return found


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
    digits: str, draw: Random, *, below: float | None = None, avoid: frozenset[str] = frozenset()
) -> str | None:
    """Return a different number printed in the same form: decimals, closing zeros and separators are the same.

    Args:
        digits: The printed number, without sign and unit.
        draw: Random generator for the choice.
        below: Upper bound of the new value (100 for a share); None for no bound.
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
        if abs(value - number) * 6 < number or value <= 0:
            continue
        text = str(value).rjust(len(decimals) + 1, "0")
        head, tail = (text[: -len(decimals)], text[-len(decimals) :]) if decimals else (text, "")
        new = (f"{int(head):,}" if "," in digits else head) + point + tail
        if new not in (digits, *avoid) and (below is None or float(new.replace(",", "")) < below):
            return new
    return None


def altered_year(year: int, draw: Random, *, avoid: frozenset[int] = frozenset()) -> int | None:
    """Return another year, three to eight years away, neither in the future nor in ``avoid``; None if there is none."""
    limit = max(_NOW - 1, year)
    shifts = draw.sample(_SHIFTS, len(_SHIFTS))
    return next((y for shift in shifts if (y := year + shift) <= limit and y not in avoid), None)
