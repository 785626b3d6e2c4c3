"""Amounts as people read them: counts with their nouns, tokens, money, durations."""

from __future__ import annotations

import re


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
