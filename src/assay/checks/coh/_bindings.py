"""Names and the figures that belong to them: "Germany reached 15 %, France 22 %", a table row, 德国和法国分别为15%和22%.

A figure is bound to a name only if no other reading is possible: the name is the last one between the previous figure
and this one, or names and figures are listed in parallel ("respectively", 分别), or the figure stands in the table row
that begins with the name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.span import Span
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "coh")
_WORDS: Final = WordSets(_PHRASES)

_NAME: Final = re.compile(
    r"(?<![\w-])(?:[A-Z][\w&'’-]*|[a-z]+[A-Z]\w*)(?: (?:[A-Z][\w&'’-]*|\d{1,3}(?![\d%.])))*"
)
_CALENDAR: Final = frozenset(["year", "month", "day", "年", "月", "日"])
_ZH_SPLIT: Final = re.compile(
    r"[，。；：、,;:（）()\s]|(?<=[\u4e00-\u9fff])(?:而|但|和|与|及)(?=[\u4e00-\u9fff])"
)
_ZH_PREDICATE: Final = _PHRASES.pattern("(?:<<bindings_predicate.zh>>)+$")
_HAN: Final = re.compile(r"^[\u4e00-\u9fffA-Za-z0-9·-]{2,14}$")
_SPLIT_NAMES: Final = re.compile(r"、|和|与|及|以及|，|,")


class Binding(msgspec.Struct, frozen=True):
    """A name and its figure, with the span of the figure. ``unit`` distinguishes shares from sums."""

    name: str
    value: float
    unit: str
    span: Span


def _usable(quantity: Quantity) -> bool:
    # Small bare counts coincide by chance; years, ordinals and dates (60年代, 3月) are not attributes.
    if quantity.kind in ("year", "ordinal") or quantity.unit in _CALENDAR:
        return False
    return quantity.kind != "count" or quantity.value >= 20 or quantity.decimals > 0


def sentence_bindings(report: Report, sentence: Sentence) -> list[Binding]:
    """Return the bindings of one sentence, in order; none unless at least two names have a figure each."""
    quantities = [quantity for quantity in report.quantities_in(sentence.span) if _usable(quantity)]
    if len(quantities) < 2 or len(quantities) > 8:
        return []
    plain = report.plain
    parallel = _parallel(plain, sentence.span, quantities)
    if parallel is not None:
        names = parallel
    else:
        names = []
        at = sentence.span.start
        for quantity in quantities:
            names.append(_name_in(plain[at : quantity.start]))
            at = quantity.end
    out = [
        Binding(name, quantity.value, quantity.unit, Span(quantity.start, quantity.end))
        for name, quantity in zip(names, quantities, strict=True)
        if name
    ]
    return out if len({binding.name for binding in out}) > 1 else []


def lone_bindings(report: Report, wanted: set[tuple[float, str]]) -> Iterator[Binding]:
    """Yield a binding for each figure with a wanted value and unit, to the last name before it in its sentence."""
    last = 0
    for quantity in report.quantities:
        before, last = last, quantity.end
        if (quantity.value, quantity.unit) in wanted and _usable(quantity):
            sentence = report.sentence_at(quantity.start)
            if sentence is not None:
                name = _name_in(report.plain[max(before, sentence.span.start) : quantity.start])
                if name:
                    span = Span(quantity.start, quantity.end)
                    yield Binding(name, quantity.value, quantity.unit, span)


def _parallel(plain: str, span: Span, quantities: list[Quantity]) -> list[str] | None:
    """Return the names in the order of the figures if the sentence says "respectively" or 分别; otherwise None."""
    text = plain[span.start : span.end]
    if "respectively" in text:
        head = plain[span.start : quantities[0].start]
        names = [name for name in map(_clean, _NAME.findall(head)) if name]
        return names[-len(quantities) :] if len(names) >= len(quantities) else None
    at = text.find("分别")
    if at < 0 or quantities[0].start < span.start + at:
        return None
    head = re.split(r"[。；：:;]", text[:at])[-1]
    names = [part.strip() for part in _SPLIT_NAMES.split(head) if part.strip()]
    names = [_strip_predicate(name.rsplit("的", 1)[0]) for name in names]
    return names[-len(quantities) :] if len(names) >= len(quantities) and all(names) else None


def _name_in(piece: str) -> str:
    """Return the last name in the words between two figures, in lower case, or an empty string."""
    names = [name for name in map(_clean, _NAME.findall(piece)) if name]
    if names:
        return names[-1]
    for part in reversed(_ZH_SPLIT.split(piece)):
        name = _strip_predicate(part.strip())
        if name and _HAN.match(name) and not name.isascii():
            return name
        if part.strip() and not name:
            continue
        if name:
            return ""
    return ""


def _clean(name: str) -> str:
    words = name.split()
    while words and words[0].lower() in _WORDS.bindings_not_names:
        words.pop(0)
    text = " ".join(words).lower().removesuffix("'s").removesuffix("’s")
    return text if len(text) > 1 and not text.isdigit() else ""


def _strip_predicate(text: str) -> str:
    return _ZH_PREDICATE.sub("", text)


def table_bindings(report: Report) -> Iterator[Binding]:
    """Yield the figures of each table row, bound to the row's first cell."""
    for table in report.tables:
        for row in table.rows:
            if not row or not 2 <= len(row[0].text) <= 40:
                continue
            name = row[0].text.lower()
            for cell in row[1:]:
                for quantity in report.quantities_in(cell.span):
                    if _usable(quantity):
                        yield Binding(name, quantity.value, quantity.unit, Span(quantity.start, quantity.end))
