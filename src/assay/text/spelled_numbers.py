"""Numbers written in words: 两成, 百分之三十五, 三千五百万, "two thirds", "three million".

>>> [(n.value, n.unit) for n in spelled_numbers("近三成五的企业，三分之一的用户，共三千五百万元")]
[(35.0, '%'), (33.333333333333336, '%'), (35000000.0, 'CNY')]
>>> [(n.value, n.unit) for n in spelled_numbers("two thirds of the three million users")]
[(66.66666666666667, '%'), (3000000.0, '')]

Small counts ("three firms", 两家公司) and round words ("dozens", 数百万) are not numbers here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGITS: Final = {char: i for i, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS: Final = {"十": 10, "百": 100, "千": 1000}
_ZH_UNITS: Final = {
    "元": "CNY", "块": "CNY", "美元": "USD", "欧元": "EUR", "日元": "JPY", "港元": "HKD", "英镑": "GBP", "人": "people",
    "倍": "x", "吨": "t", "亩": "mu", "公里": "km",
}  # fmt: skip
# A word of digits after anything that makes it a name, an ordinal or a round word is left alone.
_ZH: Final = re.compile(
    r"""(?<![第数几好上零一二两三四五六七八九十百千万亿点0-9.多余统唯单归同])(?:
        (?P<base>百|千|[一二两三四五六七八九十]{1,3})分之(?P<share>[零一二两三四五六七八九十百]{1,5}(?:点[零一二三四五六七八九]{1,3})?|半)
      | (?P<tenths>[一二两三四五六七八九])成(?P<half>[一二三四五六七八九半])?(?![立员长本为果功就熟品分交绩效型都见语片形了不])
      | (?P<word>(?>[一二两三四五六七八九十百千零]+)
            (?:(?P<scale>万亿|[万亿])(?P<rest>[一二三四五六七八九][千百十一二三四五六七八九零]*)?|(?=美元|欧元|元|倍)))
        (?:[多余])?(?P<unit>美元|欧元|日元|港元|英镑|元|人(?![均工])|倍|吨|亩|公里)?
    )""",
    re.VERBOSE,
)
# Begins with a one-character set, so that the engine skips to the next numeral at full speed.
_ZH_RUN: Final = re.compile("[零一二两三四五六七八九十百千]+[万亿成分元美欧倍]")
_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_EN_VALUES: Final = (
    {word: float(i) for i, word in enumerate(_ONES)}
    | {word: float(20 + 10 * i) for i, word in enumerate(_TENS)}
    | {"a": 1.0, "an": 1.0, "half a": 0.5}
)
_WORD: Final = "|".join([*_ONES[1:], *_TENS])
_EN_COUNT: Final = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})[- ])?(?P<one>{_WORD}|half a|an?)[ -]$", re.IGNORECASE
)
_EN_FRACTION: Final = re.compile(
    r"\b(?P<n>one|two|three|four|a|nearly a|about a|over a|almost a)[- ]$", re.IGNORECASE
)
# The word to look for, what it means, and whether it is a scale or the lower part of a fraction.
_SCALES: Final = {
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "thousand": 1e3,
    "percent": 1.0,
    "per cent": 1.0,
}
_PARTS: Final = {"third": 3, "quarter": 4, "fifth": 5}
_AFTER_PART: Final = re.compile(r"s?(?:[- ](?=of\b|the\b|majority\b))?", re.IGNORECASE)
# "The first half of 2024", "the other half": periods and leftovers, not shares.
_HALF: Final = re.compile(r"(?:of|the|all|its|their)\b(?! (?:the )?(?:year|century|decade|day|month|19|20))")
_NOT_HALF: Final = re.compile(
    r"(?:first|second|latter|other|top|bottom|upper|lower|former|better|last|early|and a|an? |[0-9])[ -]?$",
    re.IGNORECASE,
)
_REACH: Final = 24


class SpelledNumber(NamedTuple):
    """A number in words; the fields are those of a `Quantity`. ``fraction`` marks a simple fraction or a round word."""

    value: float
    unit: str
    start: int
    end: int
    scale: float = 1.0
    fraction: bool = False


def spelled_numbers(plain: str, start: int = 0, end: int | None = None) -> list[SpelledNumber]:
    """Return the numbers in words of ``plain[start:end]``, in order and without overlap."""
    limit = len(plain) if end is None else end
    found = [*_english(plain, start, limit)]
    if not plain.isascii():
        found += _chinese(plain, start, limit)
    found.sort(key=lambda number: number.start)
    return found


def _chinese(plain: str, start: int, limit: int) -> Iterator[SpelledNumber]:
    for run in _ZH_RUN.finditer(plain, start, limit):
        match = _ZH.match(plain, run.start(), limit)
        if match is None:
            continue
        at, stop = match.span()
        if match["base"]:
            base = _zh_value(match["base"])
            part = 0.5 if match["share"] == "半" else _zh_value(match["share"])
            if base > 1 and (base >= 100 or part < base):
                yield SpelledNumber(100 * part / base, "%", at, stop, fraction=base < 100)
        elif match["tenths"]:
            half = match["half"]
            value = 10.0 * _DIGITS[match["tenths"]] + (5 if half == "半" else _DIGITS[half] if half else 0)
            yield SpelledNumber(value, "%", at, stop)
        else:
            scale = {"万": 1e4, "亿": 1e8, "万亿": 1e12}.get(match["scale"] or "", 1.0)
            digits, _, rest = match["word"].partition(match["scale"] or "元")
            unit = _ZH_UNITS.get(match["unit"] or "", "")
            # 千万 and 十分 are adverbs, 百万 beside a noun is a word; with a unit they are amounts.
            if unit or (scale > 1 and digits[0] not in "百千十零"):
                value = _zh_value(digits) * scale + _zh_value(rest) * (
                    1 if "千" in rest or "百" in rest else 0
                )
                yield SpelledNumber(value, unit, at, stop, scale, fraction=digits in ("十", "百", "千", "一"))


def _zh_value(digits: str) -> float:
    """Return the value of Chinese numerals below 10,000, with a decimal part after 点."""
    whole, _, decimal = digits.partition("点")
    total = current = 0
    for char in whole:
        if char in _POWERS:
            total += (current or 1) * _POWERS[char]
            current = 0
        else:
            current = _DIGITS[char]
    places = "".join(str(_DIGITS[char]) for char in decimal)
    return total + current + (float(f"0.{places}") if places else 0.0)


def _english(plain: str, start: int, limit: int) -> Iterator[SpelledNumber]:
    for word, factor in _SCALES.items():
        for at in _places(plain, word, start, limit):
            stop = at + len(word)
            match = _EN_COUNT.search(plain, max(start, at - _REACH), at)
            if match is not None and not plain[stop : stop + 1].isalpha():
                one = match["one"].lower()
                if factor in (1.0, 1e3) and one in ("a", "an", "half a"):
                    continue
                value = _EN_VALUES[one] + (_EN_VALUES[match["tens"].lower()] if match["tens"] else 0.0)
                unit = "%" if factor == 1.0 else ""
                yield SpelledNumber(
                    value * factor, unit, match.start(), stop, factor, fraction=one in ("a", "half a")
                )
    for word, base in _PARTS.items():
        for at in _places(plain, word, start, limit):
            match = _EN_FRACTION.search(plain, max(start, at - _REACH), at)
            after = _AFTER_PART.match(plain, at + len(word), limit)
            if match is None or after is None:
                continue
            n = {"one": 1, "two": 2, "three": 3, "four": 4}.get(match["n"].lower(), 1)
            # "A third option", "one quarter earlier": only "a third of" and "two thirds" are shares.
            if n < base and (after.group().endswith((" ", "-")) if n == 1 else after.group().startswith("s")):
                stop = at + len(word) + (n > 1)
                yield SpelledNumber(100 * n / base, "%", match.start("n"), stop, fraction=True)
    for at in _places(plain, "half ", start, limit):
        if (
            _HALF.match(plain, at + 5, limit)
            and not plain[at - 1 : at].isalpha()
            and not _NOT_HALF.search(plain, max(start, at - 10), at)
        ):
            yield SpelledNumber(50.0, "%", at, at + 4, fraction=True)


def _places(plain: str, word: str, start: int, limit: int) -> Iterator[int]:
    """Yield where ``word`` stands, in lower case; a search for a fixed word is many times faster than a pattern."""
    at = plain.find(word, start, limit)
    while at >= 0:
        yield at
        at = plain.find(word, at + len(word), limit)
