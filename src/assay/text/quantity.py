"""A number of a text, with its value, unit, scale and span."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["percent", "points", "currency", "year", "measure", "count", "ordinal"]
Pair = Literal["", "first", "second"]
Spelling = Literal["", "words", "fraction"]


class Quantity(msgspec.Struct, frozen=True, gc=False):
    """One number in a text.

    Attributes:
        value: With its scale applied; percents are in percent (``35 %`` is 35.0), points in percentage points.
        unit: ``"%"``, ``"pp"``, a currency code, a measure (``"km"``, ``"year"``), a rate of one (``"CNY/吨"``), or
            ``""``.
        kind: What the number is. A four-digit number from 1500 to 2199 without unit or separator is a year.
        start: Offset of the first code point, sign and currency included.
        end: Offset after the last, unit included.
        decimals: Digits after the point as printed, so that rounding can be allowed for.
        scale: 1, 1e3, 1e6 … as written; 1 without a scale word.
        pair: Whether it is the first or second of two numbers written together, "10–20 %", "5 to 8 million". A unit,
            scale or currency that is printed once belongs to both.
        spelled: ``"words"`` for a number in words (三成五, "three million"), ``"fraction"`` for a fraction or a round
            word ("a third of", 千亿元); empty for digits.
    """

    value: float
    unit: str
    kind: Kind
    start: int
    end: int
    decimals: int
    scale: float
    pair: Pair = ""
    spelled: Spelling = ""

    @property
    def half_unit(self) -> float:
        """Half a unit in the last printed place: the rounding error a printed number may hide."""
        return 0.5 * 10.0**-self.decimals * self.scale
