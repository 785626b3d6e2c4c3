"""Figures changed to another value, and words of direction that can be reversed."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from random import Random

    from assay.interventions.attacks._prose import ProseLine
    from assay.text.quantity import Quantity

_FLIPS: Final = PhraseFile("assay.interventions", "flips")

DIGITS: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
EN_WORD: Final = re.compile(r"[A-Za-z][a-z-]+")


@cache
def chinese_flips() -> re.Pattern[str]:
    """Return a pattern that matches any Chinese word of direction or rank; longer words take precedence."""
    return re.compile("|".join(sorted(_FLIPS["flips"].mapping("zh"), key=len, reverse=True)))


def moved_figure(text: str, quantity: Quantity, draw: Random) -> str | None:
    """Return a figure's text with its number changed by a fifth to a half and written alike.

    A year changes by two to four years, a percentage above 85 by at most 11 %.

    Returns:
        The new text; None for a pair of numbers, or if rounding restores the old number.
    """
    match = DIGITS.search(text)
    if match is None or quantity.pair:
        return None
    digits = match.group()
    if quantity.kind == "year":
        new = str(int(digits) + draw.choice((-4, -3, -2, 2, 3)))
    else:
        value = float(digits.replace(",", ""))
        places_ = len(digits.partition(".")[2])
        shift = draw.choice((-0.4, -0.3, -0.22, 0.22, 0.3, 0.45))
        if quantity.unit == "%" and 85 < value <= 100:
            # "99.9 % available" remains credible at 95.9, not at 70.
            shift = draw.choice((-0.04, -0.07, -0.11))
        if quantity.unit == "%" and value * (1 + shift) > 97:
            shift = -abs(shift)
        new_value = value * (1 + shift)
        if not places_:
            # Round numbers stay round.
            if value >= 100 and value % 10 == 0:
                step = 10 ** max(0, len(digits.replace(",", "")) - 2)
            else:
                step = 10 if value >= 20 and value % 10 == 0 else 5 if value >= 15 and value % 5 == 0 else 1
            new_value = round(new_value / step) * step
            if new_value == value:
                return None
        new = f"{new_value:,.{places_}f}" if "," in digits else f"{new_value:.{places_}f}"
    if new == digits:
        return None
    return text[: match.start()] + new + text[match.end() :]


def named(line: ProseLine, quantity: Quantity) -> bool:
    """Return whether a number belongs to a name, title, century, range, list or thought experiment."""
    start, end = quantity.start - line.start, quantity.end - line.start
    before, after = line.text[max(0, start - 12) : start], line.text[end : end + 14]
    inside = any(
        match.start() < start < match.end()
        for match in re.finditer(r"《[^》]*》|“[^”]*”|\"[^\"]*\"|\([^()]*(?:19|20)\d\d[^()]*\)", line.text)
    )
    return (
        inside
        or re.search("[A-Z]$", line.text[start:end].strip()) is not None
        or re.search(r"\b(?:[Ss]uppose|[Ii]magine|e\.g)\b|假设|假如", line.text) is not None
        or re.match(
            (
                r"(?:[A-Z]\b|[A-Z][^a-zA-Z])|\s?(?:世纪|年代|代|st\b|nd\b|rd\b|th\b|号|岁|版|条|届|级|期|[-–—~～至到]\s?\d"
                r"|-[a-zA-Z]|[A-Za-z]{0,3}\d| (?:to|and|or) \d)"
            ),
            after,
        )
        is not None
        or re.search(
            r"第$|[A-Za-z]-?$|[-–—~～/.]\s?$|\d\s?(?:to|and|or|至|到|和|、)\s?$|(?:between|from) $", before
        )
        is not None
    )


def near(line: ProseLine, quantity: Quantity) -> set[str]:
    """Return the content terms close to a number, which say what it counts or measures."""
    start, end = quantity.start - line.start, quantity.end - line.start
    before, after = line.text[:start], line.text[end:]
    if re.search(r"[\u4e00-\u9fff]", line.text):
        before, after = re.split("[，。；：]", before)[-1][-18:], re.split("[，。；：]", after)[0][:12]
    else:
        before = " ".join(re.split(r"[,;:]", before)[-1].split()[-6:])
        after = " ".join(re.split(r"[,;:]", after)[0].split()[:6])
    return content_terms(before + " | " + after)


def _head(line: ProseLine, quantity: Quantity) -> str:
    """Return the first word after a number that says what is counted: "buyers" in "45% of the buyers"."""
    after = line.text[quantity.end - line.start :]
    match = re.match(
        r"(?:\s|of |the |all |以上|左右|的|多)*(?P<head>[a-z][a-z-]{3,}|[\u4e00-\u9fff]{2})",
        after,
        re.IGNORECASE,
    )
    return match["head"].lower() if match and content_terms(match["head"]) else ""


def same_head(line: ProseLine, quantity: Quantity, other: ProseLine, there: Quantity) -> bool:
    """Return whether two mentions of a number have the same words around them."""
    if (head := _head(line, quantity)) and head == _head(other, there):
        return True
    one, two = near(line, quantity), near(other, there)
    least = min(len(one), len(two))
    digits = f"{quantity.value:g}".strip("0").replace(".", "")
    # If both mentions name the same thing, 63.2 % of it is one fact; so is the year in which something began.
    if len(digits) >= 3:
        return len(one & two) >= 1
    return least > 0 and len(one & two) >= max(2, round(0.4 * least))


def turnable(text: str, match: re.Match[str]) -> bool:
    """Return whether a word of direction compares two things or says how a measured quantity developed."""
    before, after = text[max(0, match.start() - 24) : match.start()], text[match.end() :]
    inside = any(
        found.start() < match.start() < found.end()
        for found in re.finditer(r"《[^》]*》|“[^”]*”|\"[^\"]*\"|\*\*[^*]*\*\*", text)
    )
    if inside or re.search(
        r"\b(?:not|no|to|further|even)(?: \w+ly)? $|不|未|[可能会]$|继续$|进一步$", before
    ):
        return False
    word = match.group()
    if word in ("higher", "lower", "larger", "smaller", "faster", "slower", "cheaper", "costlier"):
        return re.match(r"(?: [a-z-]+){0,3} than\b", after) is not None
    if word in (
        "高于",
        "低于",
        "优于",
        "逊于",
        "快于",
        "慢于",
        "大于",
        "小于",
        "领先于",
        "落后于",
        "正相关",
        "负相关",
    ):
        return True
    if word in ("increased", "decreased", "rose", "fell", "grew", "shrank"):
        return re.match(r"(?: \w+ly)? (?:by|from|to)\b", after) is not None
    return word in ("增长", "下降", "上升", "上涨", "下跌", "减少", "增加") and (
        re.match(r"(?:了|约|近|超|超过|至|到)?\s?\d", after) is not None
        and re.search(r"(?:同比|环比|年均|分别|[一-龥])$", before) is not None
    )


def same_words(one: str, at: re.Match[str], two: str, there: re.Match[str]) -> bool:
    """Return whether two texts have the same words close to a word of direction."""
    wide = 16 if re.search(r"[\u4e00-\u9fff]", one) else 48
    around = [
        content_terms(
            text[max(0, match.start() - wide) : match.start()]
            + " | "
            + text[match.end() : match.end() + wide]
        )
        for text, match in ((one, at), (two, there))
    ]
    least = min(len(around[0]), len(around[1]))
    return least > 0 and len(around[0] & around[1]) >= max(2, round(0.5 * least))
