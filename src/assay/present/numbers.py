"""Numbers as people read them: shares in percent, intervals in brackets, money, tokens, durations; "–" for none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate
    from assay.models.base import Usage

NONE: Final = "–"


def titled(key: str) -> str:
    """Return a key as words: ``evidence_omission`` as "evidence omission"."""
    return key.replace("_", " ")


def number(value: float | None, digits: int = 3) -> str:
    """Return a value with a fixed number of decimals; a dash for None."""
    return NONE if value is None else f"{value:,.{digits}f}"


def interval(estimate: Estimate | None, digits: int = 3) -> str:
    """Return ``0.412 [0.310, 0.506]``; without an interval the value alone."""
    if estimate is None or estimate.value is None:
        return NONE
    if estimate.low is None or estimate.high is None:
        return number(estimate.value, digits)
    return (
        f"{number(estimate.value, digits)} [{number(estimate.low, digits)}, {number(estimate.high, digits)}]"
    )


def percent(value: float | None, digits: int = 0) -> str:
    """Return a share as a number of percent, without the sign."""
    return NONE if value is None else f"{100 * value:.{digits}f}"


def percent_sign(value: float | None, digits: int = 0) -> str:
    """Return ``75 %``; a dash for None."""
    return NONE if value is None else f"{percent(value, digits)} %"


def percent_interval(estimate: Estimate | None, *, signed: bool = False) -> str:
    """Return ``75.5 [73.7, 77.3]`` for a share, or with signs for a difference of shares."""
    if estimate is None or estimate.value is None:
        return NONE
    shown = [
        minus(f"{100 * value:{'+' if signed else ''}.1f}")
        for value in (estimate.value, estimate.low, estimate.high)
        if value is not None
    ]
    return f"{shown[0]} [{shown[1]}, {shown[2]}]" if len(shown) == 3 else shown[0]


def between(estimate: Estimate, *, joiner: str = "–") -> str:
    """Return the interval of a share alone, in percent: ``70–80``; empty if there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{percent(estimate.low)}{joiner}{percent(estimate.high)}"


def minus(text: str) -> str:
    """Return a formatted number with a true minus sign, and without the sign of a zero."""
    return text[1:] if text[:1] in ("-", "+") and not text.strip("-+0.") else text.replace("-", "−")


def p_value(p: float | None) -> str:
    """Return ``0.012`` or ``<0.001``."""
    return NONE if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def of(part: int, whole: int) -> str:
    """Return ``99 of 100``; the number alone where part and whole are the same."""
    return f"{whole:,}" if part == whole else f"{part:,} of {whole:,}"


def plural(number: int, noun: str) -> str:
    """Return ``3 errors``, ``1 error``, ``2 info``, ``4 trajectories``."""
    return " ".join(counted(number, noun))


def counted(number: int, noun: str) -> tuple[str, str]:
    """Return a number and its noun in the singular or plural."""
    if number == 1 or noun == "info":
        return f"{number:,}", noun
    return f"{number:,}", f"{noun[:-1]}ies" if re.search("[^aeiou]y$", noun) else f"{noun}s"


def tokens(number: float) -> str:
    """Return a number of tokens in short: 950, 12.3k, 4.56M."""
    number = round(number)
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (10_000, "k")):
        if number >= size:
            value = number / (1000 if unit == "k" else size)
            return f"{value:.3g}{unit}" if value < 1000 else f"{value:.0f}{unit}"
    return f"{number:,}"


def money(cost: float | None) -> str:
    """Return a cost in US dollars; "?" if no price is known."""
    if cost is None:
        return "?"
    if cost == 0:
        return "0"
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}" if cost >= 0.0001 else f"${cost:.2g}"


def clock(seconds: float) -> str:
    """Return a duration: 8 s, 3:05, 2:10:00."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def usage_text(usage: Usage) -> str:
    """Return calls, tokens and cost in a few words."""
    if not usage.calls:
        return "no calls"
    cached = (
        f", {usage.cached_input_tokens / usage.input_tokens:.0%} cached" if usage.cached_input_tokens else ""
    )
    cost = f", {money(usage.cost_usd)}" if usage.cost_usd != 0 else ""
    size = f"{tokens(usage.input_tokens)} tokens in{cached}, {tokens(usage.output_tokens)} out"
    return f"{plural(usage.calls, 'call')}, {size}{cost}"
