"""Numbers as a reader sees them: value, unit, scale, what kind, and where they stand.

    >>> [q.value for q in find_quantities("from $1.2 billion in 2020 to 3,400 million")]
    [1200000000.0, 2020.0, 3400000000.0]
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

__all__ = ["Kind", "Quantity", "find_quantities"]

Kind = Literal["percent", "points", "currency", "year", "measure", "count", "ordinal"]

_SCALES: Final[dict[str, float]] = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "mln": 1e6, "m": 1e6, "mm": 1e6, "billion": 1e9, "bn": 1e9,
    "b": 1e9, "trillion": 1e12, "tn": 1e12, "t": 1e12, "lakh": 1e5, "crore": 1e7,
    "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12,
}  # fmt: skip
_CURRENCY: Final = {
    "$": "USD", "us$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP", "¥": "CNY", "￥": "CNY",
    "rmb": "CNY", "cny": "CNY", "jpy": "JPY", "₹": "INR", "inr": "INR", "hk$": "HKD", "hkd": "HKD", "a$": "AUD",
    "aud": "AUD", "c$": "CAD", "cad": "CAD", "s$": "SGD", "sgd": "SGD", "₩": "KRW", "krw": "KRW", "chf": "CHF",
    "元": "CNY", "人民币": "CNY", "美元": "USD", "欧元": "EUR", "日元": "JPY", "港元": "HKD", "港币": "HKD", "英镑": "GBP",
    "dollars": "USD", "euros": "EUR", "pounds": "GBP", "yuan": "CNY", "yen": "JPY",
}  # fmt: skip

_NUMBER: Final = re.compile(
    r"""
    (?<![\w.,/\-–])(?P<sign>[-−–+](?=[\d.]))?
    (?P<cur>(?:US|HK|A|C|S)?\$|[€£¥￥₹₩]|(?:USD|EUR|GBP|RMB|CNY|JPY|INR|HKD|AUD|CAD|SGD|CHF|KRW)[ ]?)?[ ]?
    (?P<num>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)
    (?P<ord>(?:st|nd|rd|th)\b)?
    (?P<tail>
        [ ]{0,3}(?:
          (?P<pct>%|％|percent\b|per[ ]cent\b|pct\b)
        | (?P<pp>(?:pp|ppts?|percentage[ ]points?|basis[ ]points|bps)\b|个百分点|个基点)
        | (?P<scale>(?:thousand|million|billion|trillion|mn|mln|bn|tn|lakh|crore)\b|[KMBT](?![A-Za-z0-9]) |k(?![A-Za-z0-9])
            |万亿|千亿|百亿|十亿|千万|百万|十万|亿|万|千(?![瓦克米赫卡焦帕升]))
        )
    )?
    """,
    re.VERBOSE,
)
_AFTER: Final = re.compile(
    r"[ ]{0,2}(?P<unit>(?:USD|EUR|GBP|RMB|CNY|JPY|dollars|euros|pounds|yuan|yen)\b|美元|欧元|日元|港元|港币|英镑|人民币|元"
    r"|(?:kWh|MWh|GWh|TWh|kW|MW|GW|TW|Wh|kg|km|cm|mm|nm|µm|μm|mg|µg|μg|ml|mL|GB|TB|MB|PB|GHz|MHz|Hz|°C|℃|°F|km²|m²|m³|ha|tonnes?|tons?|mt|t|g|m|L|W|h|s|ms"
    r"|years?|months?|weeks?|days?|hours?|minutes?|seconds?|people|persons|patients|participants|employees|users|units|companies|countries|studies|respondents|households)(?![A-Za-z0-9])"
    r"|年|个月|月|日|天|小时|分钟|秒|岁|人次|人|名|家|个|项|台|辆|套|座|件|吨|公斤|千克|克|公里|千米|平方米|平方公里|立方米|米|倍|户|次|篇|种|类|条|万人|瓦|千瓦|兆瓦|度)?"
)
_YEARISH: Final = re.compile(r"(?:1[5-9]|20|21)\d\d$")


class Quantity(msgspec.Struct, frozen=True, gc=False):
    """One number in a text.

    Attributes:
        value: With its scale applied; percents are in percent (``35 %`` is 35.0), points in percentage points.
        unit: ``"%"``, ``"pp"``, a currency code, a measure (``"km"``), or ``""``.
        kind: What the number is. A four-digit number from 1500 to 2199 without unit or separator is a year.
        start: Offset of the first code point, sign and currency included.
        end: Offset after the last, unit included.
        decimals: Digits after the point as printed, so that rounding can be allowed for.
        scale: 1, 1e3, 1e6 … as written; 1 where no scale word stands.
    """

    value: float
    unit: str
    kind: Kind
    start: int
    end: int
    decimals: int
    scale: float

    @property
    def half_unit(self) -> float:
        """Half a unit in the last printed place: the rounding error a printed number may hide."""
        return 0.5 * 10.0**-self.decimals * self.scale


def find_quantities(plain: str, start: int = 0, end: int | None = None) -> list[Quantity]:
    """Every number in ``plain[start:end]``, in order. Ranges give two numbers; dates give their year.

    Version numbers, section numbers such as "3.2.1", and digits inside words are not numbers here.
    """
    limit = len(plain) if end is None else end
    out: list[Quantity] = []
    append = out.append
    for match in _NUMBER.finditer(plain, start, limit):
        digits = match.group("num")
        stop = match.end()
        stop_num = match.end("num")
        if stop_num < limit and plain[stop_num] == "." and stop_num + 1 < limit and plain[stop_num + 1].isdigit():
            continue
        if stop == stop_num and stop < limit and (plain[stop].isalpha() and plain[stop].isascii()):
            # "3D", "5G" are names; "5kg", "10km" are measures.
            unit_match = _AFTER.match(plain, stop, limit)
            if unit_match is None or unit_match.group("unit") is None:
                continue
        value = float(digits.replace(",", ""))
        point = digits.find(".")
        decimals = len(digits) - point - 1 if point >= 0 else 0
        if len(digits) > 15:
            continue
        begin = match.start()
        while begin < stop and plain[begin] == " ":
            begin += 1
        sign = match.group("sign")
        if sign and sign in "-−" :
            value = -value
        elif sign == "–":
            # An en dash before a number is a range or a dash far more often than a minus.
            begin += 1
        kind: Kind = "count"
        unit = ""
        scale = 1.0
        if match.group("pct"):
            kind, unit = "percent", "%"
        elif match.group("pp"):
            kind, unit = "points", "pp"
            if "basis" in match.group("pp") or "bp" in match.group("pp") or "基点" in match.group("pp"):
                value /= 100
        elif match.group("ord"):
            kind = "ordinal"
        else:
            scale_word = match.group("scale")
            if scale_word:
                scale = _SCALES[scale_word.lower()]
                value *= scale
            currency = match.group("cur")
            after = _AFTER.match(plain, stop, limit)
            unit = (after.group("unit") or "") if after else ""
            if after and unit:
                stop = after.end()
            if currency:
                kind, unit = "currency", _CURRENCY.get(currency.strip().lower(), currency.strip())
            elif unit.lower() in _CURRENCY:
                kind, unit = "currency", _CURRENCY[unit.lower()]
            elif not scale_word and _YEARISH.match(digits) and unit in ("", "年", "s"):
                kind, unit = "year", ""
            elif unit:
                kind = "measure"
        append(Quantity(value, unit, kind, begin, stop, decimals, scale))
    return out
