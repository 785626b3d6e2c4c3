"""From-to statements: the first and the last value of one quantity, with their years."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.num._numbers import YEAR, NumberLine, pattern
from assay.text.phrases import PhraseFile
from assay.text.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

_PHRASES: Final = PhraseFile("assay.checks", "num")

_EN: Final = pattern(
    r"""\bfrom\ [^<T>;:]{0,28}?(?:<Y>(?:'s|\ level\ of
    |\ levels\ of)?\ ?[^<T>;:,]{0,12}?)?(?P<a><V>)[^<T>;:]{0,40}?(?:<Y>[^<T>;:]{0,24}?)?,?\ ?
        \b(?:to|reaching|reach)\ [^<T>;:]{0,28}?(?P<b><V>)"""
)
# "to B in 2023, from A in 2020"
_EN_BACK: Final = pattern(
    r"\b(?:to|of|at|reached|reaching|was|reach)\ [^<T>;:]{0,16}?(?P<b><V>)[^<T>;:]{0,24}?(?:<Y>)?(?:,|\ "
    r"\()?\ ?\b(?:up|down)\ (?:by\ )?(?:(?:about|around|nearly|some|over)\ )?(?:(?P<m><P>)\ )?from\ "
    "[^<T>;:]{0,16}?(?P<a><V>)"
)
_ZH: Final = pattern(
    "(?:从|由)[^<T>；。：]{0,14}(?:<Y>[^<T>；。：]{0,10})?(?P<a><V>)[^<T>；。：]{0,16}?(?:(?P<m><P>)[^<T>；。：]{0,8}"
    "(?:<Y>[^<T>；。：]{0,8})?)?(?:到|至)(?:了)?[^<T>；。：]{0,8}(?:<Y>[^<T>；。：]{0,10})?(?P<b><V>)"
)
_NEAR: Final = 26


class NumericChange(msgspec.Struct, frozen=True):
    """A change from ``first`` to ``last`` in a line: the offsets of the statement and the indices of its numbers.

    ``rate_index`` is the index of the rate that the statement itself gives, if any.
    """

    first: Quantity
    last: Quantity
    start: int
    end: int
    first_index: int
    last_index: int
    rate_index: int | None = None


def comparable(a: Quantity, b: Quantity) -> bool:
    """Return whether two numbers have the same kind and unit, and neither is an end of a range."""
    return (
        a.kind == b.kind
        and a.unit == b.unit
        and a.kind in ("percent", "currency", "measure", "count")
        and not a.pair
        and not b.pair
    )


def changes(line: NumberLine) -> Iterator[NumericChange]:
    """Yield every from-to statement of the line whose ends can be compared."""
    text = line.text
    forms = []
    if "from " in text:
        forms += [_EN, _EN_BACK]
    if "从" in text or "由" in text:
        forms.append(_ZH)
    for form in forms:
        for match in form.finditer(text):
            i, j = line.index(match.start("a")), line.index(match.start("b"))
            first, last = line.quantities[i], line.quantities[j]
            # "from 5 to 10 percent" is written as a pair and means a change.
            joined = first.pair == "first" and last.pair == "second" and j == i + 1
            plain = first.kind == last.kind and first.unit == last.unit if joined else comparable(first, last)
            if plain and first.kind != "year" and first.value > 0 and last.value > 0:
                rate = line.index(match.start("m")) if match.re.groupindex.get("m") and match["m"] else None
                yield NumericChange(first, last, match.start(), match.end(), i, j, rate)


def years_between(line: NumberLine, change: NumericChange) -> tuple[float, ...]:
    """Return the possible numbers of years between the two values.

    They come from the years beside the values, from a range of years, and from phrases such as "over N years".
    """
    positions = line.positions()
    spans: list[float] = []
    first, last = _year_by(line, positions, change.first_index), _year_by(line, positions, change.last_index)
    if first is not None and last is not None and last > first:
        spans.append(last - first)
    for index, second in line.seconds.items():
        if line.quantities[index].kind == "year":
            spans.append(second.value - line.quantities[index].value)
    loose = [q.value for q in line.quantities if q.kind == "year" and not q.pair]
    if not spans and len(loose) == 2:
        spans.append(abs(loose[1] - loose[0]))
    spans.extend(q.value for q in line.quantities if q.unit == "year" and not q.pair and 1 <= q.value <= 60)
    return tuple(n for n in spans if n >= 1)


def _year_by(line: NumberLine, positions: list[int], index: int) -> float | None:
    """Return the year right after a number ("$5 million in 2020"), or else the year right before it, or None."""
    at = positions[index]
    if (
        index + 1 < len(positions)
        and line.text[positions[index + 1]] == YEAR
        and positions[index + 1] - at <= _NEAR
    ):
        after = line.text[at : positions[index + 1]]
        if "从" not in after and "到" not in after and "至" not in after and "，" not in after:
            return line.quantities[index + 1].value
    if index and line.text[positions[index - 1]] == YEAR and at - positions[index - 1] <= _NEAR:
        return line.quantities[index - 1].value
    if (
        index + 1 < len(positions)
        and line.text[positions[index + 1]] == YEAR
        and positions[index + 1] - at <= _NEAR
    ):
        return line.quantities[index + 1].value
    return None


def change_bounds(change: NumericChange) -> tuple[float, float]:
    """Return the lowest and the highest possible change in percent, given that the values may be rounded."""
    ratios = [b / a for a in _ends(change.first) for b in _ends(change.last)]
    rates = sorted(abs(ratio - 1) * 100 for ratio in ratios)
    return rates[0], rates[-1]


def compound_bounds(change: NumericChange, years: tuple[float, ...]) -> tuple[float, float]:
    """Return the lowest and the highest possible yearly rate in percent, over any of ``years``, plus or minus one."""
    rates = [
        abs((b / a) ** (1 / n) - 1) * 100
        for a in _ends(change.first)
        for b in _ends(change.last)
        for base in years
        for n in (base - 1, base, base + 1)
        if n >= 1
    ]
    return min(rates), max(rates)


def _ends(quantity: Quantity) -> tuple[float, float]:
    half = min(quantity.half_unit, 0.2 * quantity.value)
    # "$20 billion" printed without decimals is exact more often than it is rounded; half the slack is enough.
    half *= 0.5
    return quantity.value - half, quantity.value + half


_EXPECTED: Final = _PHRASES.pattern("<<changes_expected.en>>|<<changes_expected.zh>>")


def valued_then_expected(line: NumberLine) -> NumericChange | None:
    """Return the change in a line such as "$2 billion in 2020, expected to reach $4 billion by 2030", or None.

    The line must contain exactly two amounts, in the same unit and each with its year.
    """
    amounts = [
        i
        for i, q in enumerate(line.quantities)
        if line.text and q.kind in ("currency", "measure", "count") and q.unit != "year"
    ]
    if len(amounts) != 2:
        return None
    i, j = amounts
    first, last = line.quantities[i], line.quantities[j]
    if (
        not comparable(first, last)
        or first.value <= 0
        or last.value <= 0
        or (first.kind == "count" and first.scale == 1)
    ):
        return None
    positions = line.positions()
    years = _year_by(line, positions, i), _year_by(line, positions, j)
    if years[0] is None or years[1] is None or years[0] == years[1]:
        return None
    if years[0] > years[1]:
        i, j, first, last = j, i, last, first
    if not _EXPECTED.search(line.text):
        return None
    low, high = min(positions[i], positions[j]), max(positions[i], positions[j])
    return NumericChange(first, last, low, high, i, j)
