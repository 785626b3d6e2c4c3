"""Altered and invented figures, printed in the report's own style."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_DIGITS: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Too far for rounding to explain it, close enough to be believed.
_FACTORS: Final = (0.55, 0.62, 0.68, 0.74, 0.79, 1.26, 1.33, 1.41, 1.5, 1.62, 1.75)
_NOW: Final = 2025


def printed(report: Report, quantity: Quantity) -> tuple[int, int, str]:
    """Return the start, the end and the text of a figure's digits."""
    text = report.source[quantity.start : quantity.end]
    match = _DIGITS.search(text)
    if match is None:
        return quantity.start, quantity.start, ""
    return quantity.start + match.start(), quantity.start + match.end(), match.group().rstrip(",")


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
    factors = list(_FACTORS)
    draw.shuffle(factors)
    for factor in factors:
        steps = round(number * factor / unit)
        if steps % 10 == 0:
            steps += 1
        value = steps * unit
        if abs(value - number) * 6 < number or value <= 0:
            continue
        text = str(value).rjust(len(decimals) + 1, "0")
        head, tail = (text[: -len(decimals)], text[-len(decimals) :]) if decimals else (text, "")
        new = (f"{int(head):,}" if "," in digits else head) + point + tail
        if below is not None and float(new.replace(",", "")) >= below:
            continue
        if new != digits and new not in avoid:
            return new
    return None


def altered_year(year: int, draw: Random, *, avoid: frozenset[int] = frozenset()) -> int | None:
    """Return another year, three to eight years away, neither in the future nor in ``avoid``; None if there is none."""
    shifts = [-8, -7, -6, -5, -4, -3, 3, 4, 5, 6, 7, 8]
    draw.shuffle(shifts)
    limit = max(_NOW - 1, year)
    return next((y for s in shifts if (y := year + s) <= limit and y not in avoid), None)


def invented_share(report: Report, draw: Random, low: int, high: int) -> int | None:
    """Return a percentage from ``low`` to ``high``, neither round nor in the report; None if there is none."""
    known = {q.value for q in report.quantities if q.unit == "%"}
    open_ = [n for n in range(low, high + 1) if n % 5 and float(n) not in known]
    return draw.choice(open_) if open_ else None
