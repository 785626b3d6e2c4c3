"""Numbers in a text: value, unit, scale, kind and span.

>>> [q.value for q in find_quantities("from $1.2 billion in 2020 to 3,400 million")]
[1200000000.0, 2020.0, 3400000000.0]
>>> [(q.value, q.unit, q.pair) for q in find_quantities("10–20 %, 约3000多万元")]
[(10.0, '%', 'first'), (20.0, '%', 'second'), (30000000.0, 'CNY', '')]
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

Kind = Literal["percent", "points", "currency", "year", "measure", "count", "ordinal"]
Pair = Literal["", "first", "second"]

_SCALES: Final[dict[str, float]] = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "mln": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9,
    "b": 1e9, "trillion": 1e12, "tn": 1e12, "t": 1e12, "lakh": 1e5, "crore": 1e7,
    "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12,
}  # fmt: skip
_SYMBOLS: Final = {
    "$": "USD", "us$": "USD", "hk$": "HKD", "a$": "AUD", "c$": "CAD", "s$": "SGD", "r$": "BRL", "nt$": "TWD",
    "nz$": "NZD",
    "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY", "₹": "INR", "₩": "KRW",
}  # fmt: skip
_CODES: Final = {
    "usd": "USD", "eur": "EUR", "gbp": "GBP", "rmb": "CNY", "cny": "CNY", "jpy": "JPY", "inr": "INR", "hkd": "HKD",
    "aud": "AUD", "cad": "CAD", "sgd": "SGD", "krw": "KRW", "chf": "CHF",
}  # fmt: skip
_CURRENCY_WORDS: Final = {
    **_CODES, "元": "CNY", "人民币": "CNY", "元人民币": "CNY", "美元": "USD", "欧元": "EUR", "日元": "JPY", "港元": "HKD",
    "港币": "HKD", "英镑": "GBP", "韩元": "KRW", "dollars": "USD", "euros": "EUR", "pounds": "GBP", "yuan": "CNY",
    "yen": "JPY",
}  # fmt: skip
# Spellings of one measure. What is missing here is kept as written.
_MEASURES: Final = {
    "tonnes": "t", "tonne": "t", "tons": "t", "ton": "t", "mt": "Mt", "吨": "t", "公斤": "kg", "千克": "kg", "克": "g",
    "公里": "km", "千米": "km", "米": "m", "毫米": "mm", "厘米": "cm", "微米": "µm", "纳米": "nm", "毫克": "mg", "微克": "µg",
    "毫升": "ml", "毫秒": "ms", "平方米": "m²", "㎡": "m²", "平方公里": "km²", "立方米": "m³", "瓦": "W",
    "千瓦": "kW", "兆瓦": "MW", "吉瓦": "GW", "千瓦时": "kWh", "度": "kWh", "℃": "°C", "μm": "µm", "μg": "µg", "mL": "ml",
    "persons": "people", "person": "people", "人": "people", "人次": "visits", "名": "people", "countries": "country",
    "companies": "company", "studies": "study", "households": "household", "年": "year", "个月": "month", "天": "day",
    "小时": "hour", "分钟": "minute", "秒": "second", "岁": "year of age", "倍": "x", "×": "x", "-fold": "x", "fold": "x",
    "times": "x", "x": "x", "s": "second", "h": "hour",
}  # fmt: skip

# Begins with a one-character set, so that the engine skips to the next digit at full speed.
_NUMBER: Final = re.compile(
    r"""[0-9](?:[0-9]{0,2}(?:,[0-9]{3})+(?![0-9])|[0-9]*)(?:\.[0-9]+)?
    (?:
        (?P<ord>st|nd|rd|th)(?![A-Za-z])
      | [ \u00a0\u2009\u202f]{0,3}(?:
            (?P<pct>[%％]|(?:[Pp]ercent|per[ ]cent|pct)(?![A-Za-z]))(?:[ -]?(?P<pp>points?)(?![A-Za-z]))?
          | (?P<points>(?:pp|ppts?|p\.p\.|percentage[ -]points?|basis[ ]points?|bps?)(?![A-Za-z0-9])|个?百分点|个?基点)
          | (?P<scale>(?:[Tt]housand|[Mm]illion|[Bb]illion|[Tt]rillion|mn|mln|bn|tn|[Ll]akh|[Cc]rore|MN|BN)(?![A-Za-z])
              |[多余几]?(?:万亿|千亿|百亿|十亿|千万|百万|十万|亿|万|千(?![瓦克米赫卡焦帕升])))
        )
      | (?P<letter>[KMBk](?![A-Za-z0-9]))
    )?""",
    re.VERBOSE,
)
_UNIT: Final = re.compile(
    r"""[ \u00a0\u2009\u202f]{0,2}[多余几-]?(?P<unit>
        (?:USD|EUR|GBP|RMB|CNY|JPY|dollars|euros|pounds|yuan|yen)(?![A-Za-z0-9])
      | 元人民币|美元|欧元|日元|港元|港币|英镑|韩元|人民币|元
      | (?:kWh|MWh|GWh|TWh|Wh|kW|MW|GW|TW|kg|km²|km|cm|mm|nm|mg|[µμ][mgs]|us|m[lL]|[mk]?V|dB|mAh|mW|[kMG]Pa
      |[kMm]?eV|ppm|fps|K|GB|TB|MB|PB|GHz|MHz|kHz|Hz|°C|m²|m³|ha
          |fold|times|x|tonnes?|tons?|[mM]t|ms|[tgmLWhs]
          |years?|months?|weeks?|days?|hours?|minutes?|seconds?|people|persons?|patients|participants|employees
          |users|units
          |companies|countries|studies|respondents|households|jobs|stores|vehicles|sites|cases|deaths)(?![A-Za-z0-9])
      | [℃㎡×]
      | 年(?![级龄])|个月|天|小时|分钟|毫秒|微秒|纳秒|秒|岁|人次|人|名|家|个|项|台|辆|套|座|件|吨|公斤|千克|毫克|微克|克|公里|千米|毫米|厘米|微米|纳米|平方米|平方公里|立方米
      |米|毫升|倍|户|次|篇|种|类|条
      | 千瓦时|千瓦|兆瓦|吉瓦|瓦|度
    )(?P<rate>/(?:[A-Za-z²³]{1,8}|[\u4e00-\u9fff]{1,3}))?""",
    re.VERBOSE,
)
_RATE: Final = re.compile(r"/(?:[A-Za-z]{1,8}|[\u4e00-\u9fff]{1,3})")
_YEARISH: Final = re.compile(r"(?:1[5-9]|20|21)[0-9]{2}$")
_YEAR_ALONE: Final = re.compile(r"[0-9]{4}(?![0-9])")
_CURRENCY_BEFORE: Final = re.compile(
    r"(?:(?:US|HK|NT|NZ|[ACSR])?\$|[€£¥￥₹₩]|(?<![A-Za-z])(?:USD|EUR|GBP|RMB|CNY|JPY|INR|HKD|AUD|CAD|SGD|CHF"
    r"|KRW))[ ]{0,2}$"
)
# A join between two numbers: a dash or tilde, or the words for "to".
_JOIN: Final = re.compile(r"[ ]{0,2}(?:[-–—−~～〜‑]|to(?= )|至|到)[ ]{0,2}(?:(?:US|HK)?[$€£¥￥])?$")
_DASHES: Final = "-–—−~～〜‑"
_OPENERS: Final = '$€£¥￥₹₩>＞<＜≥≤=≈±+、，。；：:"“”‘「《【[［*'
_SUPERSCRIPT: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺^"
_TIMES_TEN: Final = re.compile(r"[ ]?[×x·*][ ]?10(?:[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺^]|[ ]?\^|[-−]\d)")
_MONTH_BEFORE: Final = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?[ ]{1,2}$", re.IGNORECASE
)
_MONTH_AFTER: Final = re.compile(
    r"[ ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?![a-z])", re.IGNORECASE
)


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
    """

    value: float
    unit: str
    kind: Kind
    start: int
    end: int
    decimals: int
    scale: float
    pair: Pair = ""

    @property
    def half_unit(self) -> float:
        """Half a unit in the last printed place: the rounding error a printed number may hide."""
        return 0.5 * 10.0**-self.decimals * self.scale


def find_quantities(plain: str, start: int = 0, end: int | None = None) -> list[Quantity]:
    """Return every number in ``plain[start:end]``, in order. Ranges give two numbers; dates give their year.

    Not numbers here: versions and section numbers such as "3.2.1", list enumerators, days and months of dates,
    fractions, ratios and clock times ("3/4", "3:1"), powers of ten, digits inside words and names ("GPT-4", "5G").
    """
    limit = len(plain) if end is None else end
    out: list[Quantity] = []
    append = out.append
    refused = -1  # where the last refused number ended: what hangs on it by a dash is refused too
    for match in _NUMBER.finditer(plain, start, limit):
        at, stop = match.span()
        before = plain[at - 1] if at > start else "\n"
        # The usual neighbours are let through at once; the rest needs a look.
        if before not in " \n(（约" and _hangs(plain, at, start, out, refused):
            refused = stop
            continue
        quantity = _read(plain, match, start, limit, out)
        if quantity is None:
            refused = stop
        else:
            append(quantity)
            if len(out) > 1 and at - out[-2].end < 8 and _join(plain, out):
                refused = stop
    return out


def _hangs(plain: str, at: int, start: int, out: list[Quantity], refused: int) -> bool:
    """Return whether the digits at ``at`` continue what stands before them.

    A name, a version, a date, a refused number.
    """
    before = plain[at - 1] if at > start else "\n"
    last = plain[at - 2] if at - 1 > start else "\n"
    joined = bool(out) and out[-1].end == at - 1
    if before in _DASHES:
        # Anything else than the end of a number before the dash, and it is a sign or part of a name.
        return at - 1 == refused or (last.isalpha() and not ("\u4e00" <= last <= "\u9fff" or joined))
    if before in _OPENERS:
        return before == ":" and last.isdigit()
    if before in ".,":
        year_list = (
            before == "," and joined and out[-1].kind == "year" and _YEAR_ALONE.match(plain, at) is not None
        )
        return not year_list and last.isalnum()
    if before in "/^_#@&'’§№\\" or (before.isalnum() and not "\u3040" <= before <= "\u9fff"):
        return plain[at - 2 : at].upper() != "FY" and not _CURRENCY_BEFORE.search(
            plain, max(start, at - 4), at
        )
    return False


def _read(plain: str, match: re.Match[str], start: int, limit: int, out: list[Quantity]) -> Quantity | None:
    """Return the number of ``match`` with its unit and sign, or None if it is not a quantity."""
    at, stop = match.span()
    tail = match.lastgroup
    number_end = stop if tail is None else match.start("pct" if tail == "pp" else tail)
    digits = plain[at:number_end].rstrip() if tail is not None else match.group()
    if len(digits) > 18:
        return None
    following = plain[stop] if stop < limit else "\n"
    if tail is None and _refuted(plain, (at, stop), start, limit, digits):
        return None
    value = float(digits.replace(",", ""))
    point = digits.find(".")
    decimals = len(digits) - point - 1 if point >= 0 else 0
    begin = at
    currency = ""
    before = plain[at - 1] if at > start else "\n"
    if before in "$€£¥￥₹₩ YDFRPBW":
        symbol = _CURRENCY_BEFORE.search(plain, max(start, at - 6), at)
        if symbol is not None:
            name = symbol.group().strip().lower()
            currency = _SYMBOLS.get(name) or _CODES.get(name) or name
            begin = symbol.start()
            before = plain[begin - 1] if begin > start else "\n"
    if before in "-−+" and begin - 1 >= start:
        last = plain[begin - 2] if begin - 2 >= start else "\n"
        # A dash right after a word or a number joins; after anything else it is a sign.
        if not last.isalnum() and last not in "%％)）" and not (out and out[-1].end == begin - 1):
            begin -= 1
            if before != "+":
                value = -value
    if before == "." and plain[at - 2 : at - 1] in (" ", "<", "=", "\n", ">"):
        value, decimals, begin = float("0." + digits.replace(",", "").partition(".")[0]), len(digits), at - 1
    if tail in {"pp", "points", "pct", "ord"}:
        return _with_fixed_unit(value, match, begin, decimals)
    if before == "第" or (before == " " and plain[at - 2 : at - 1] == "第"):
        return Quantity(value, "", "ordinal", begin - (1 if before == "第" else 2), stop, decimals, 1.0)
    scale = 1.0
    if tail is not None:
        scale = _SCALES[match.group(tail).lower().lstrip("多余几")]
        value *= scale
    bare = Quantity(value, currency, "currency" if currency else "count", begin, stop, decimals, scale)
    if following not in ".,;，。；、)）\n":
        with_unit = _UNIT.match(plain, stop, limit)
        if with_unit is not None:
            return _with_unit(bare, with_unit, digits, scaled=tail is not None)
        if tail is None and following.isascii() and following.isalpha():
            return None  # "3D", "5G" are names; "5kg", "10km" are measures
        if following == "/" and currency and (rate := _RATE.match(plain, stop, limit)):
            return Quantity(value, currency + rate.group(), "currency", begin, rate.end(), decimals, scale)
    if currency or tail is not None:
        return bare
    if _YEARISH.match(digits):
        return Quantity(value, "", "year", begin, stop, decimals, scale)
    return None if value <= 31 and point < 0 and _is_day(plain, begin, stop, limit) else bare


def _refuted(plain: str, span: tuple[int, int], start: int, limit: int, digits: str) -> bool:
    """Return whether the next characters show that digits are a version, an enumerator, a date or a power."""
    at, stop = span
    following = plain[stop] if stop < limit else "\n"
    if following in _SUPERSCRIPT:
        return True
    if following in "./:^":
        after = plain[stop + 1] if stop + 1 < limit else "\n"
        if after.isdigit() and not (following == "/" and _YEARISH.match(digits)):
            return True
        if following == "." and len(digits) < 4 and after in " \t" and _starts_line(plain, at, start):
            return True
    elif (following in "、)" and len(digits) < 3 and _starts_line(plain, at, start)) or (
        following in "月号" or (following == "日" and plain[at - 1 : at] == "月")
    ):
        return True
    return following in " ×x·*" and _TIMES_TEN.match(plain, stop, limit) is not None


def _with_fixed_unit(value: float, match: re.Match[str], begin: int, decimals: int) -> Quantity:
    """Return a percentage, a number of points or an ordinal."""
    tail, stop = match.lastgroup or "", match.end()
    if tail == "pct":
        return Quantity(value, "%", "percent", begin, stop, decimals, 1.0)
    if tail == "ord":
        return Quantity(value, "", "ordinal", begin, stop, decimals, 1.0)
    word = match.group(tail)
    if word[0] == "b" or "基" in word:
        return Quantity(value / 100, "pp", "points", begin, stop, decimals + 2, 1.0)
    return Quantity(value, "pp", "points", begin, stop, decimals, 1.0)


def _with_unit(bare: Quantity, match: re.Match[str], digits: str, *, scaled: bool) -> Quantity:
    """Return a number with the unit after it; ``bare.unit`` is the currency before it, if any."""
    value, currency, scale = bare.value, bare.unit, bare.scale
    unit = match["unit"]
    if currency and not scaled and unit in ("m", "t") and match.start("unit") == bare.end:
        # "£3m" is money, not metres.
        scale = _SCALES[unit]
        value *= scale
        unit = ""
    if not scaled and unit in ("年", "s") and _YEARISH.match(digits):
        return Quantity(value, "", "year", bare.start, match.end("unit"), 0, 1.0)
    word = _CURRENCY_WORDS.get(unit.lower())
    if word is not None:
        currency, unit = currency or word, ""
    unit = _MEASURES.get(unit, unit[:-1] if len(unit) > 3 and unit[-1] == "s" else unit)
    unit = ("" if currency else unit) + (match["rate"] or "")
    if currency:
        return Quantity(value, currency + unit, "currency", bare.start, match.end(), bare.decimals, scale)
    if unit:
        return Quantity(value, unit, "measure", bare.start, match.end(), bare.decimals, scale)
    kind: Kind = "year" if not scaled and _YEARISH.match(digits) else "count"
    return Quantity(value, unit, kind, bare.start, match.end(), bare.decimals, scale)


def _starts_line(plain: str, at: int, start: int) -> bool:
    i = at - 1
    while i >= start and plain[i] in " \t>":
        i -= 1
    return i < start or plain[i] in "\r\n"


def _is_day(plain: str, at: int, stop: int, limit: int) -> bool:
    """Return whether a small number is the day of a date: "May 3", "3 May 2021"."""
    if (
        plain[at - 1 : at] == " "
        and plain[at - 2 : at - 1].isalpha()
        and _MONTH_BEFORE.search(plain, max(0, at - 12), at)
    ):
        return True
    return plain[stop : stop + 1] == " " and _MONTH_AFTER.match(plain, stop, limit) is not None


def _join(plain: str, out: list[Quantity]) -> bool:
    """Make a pair of the last two numbers where they are written as one.

    True when they turned out to be a date or an identifier and the last of them was dropped.
    """
    first, second = out[-2], out[-1]
    between = plain[first.end : second.start]
    if not between.strip() or len(between) > 6 or _JOIN.match(between) is None:
        return False
    tight = between.strip() in _DASHES
    short = second.value < 100 and second.decimals == 0 and second.scale == 1
    if first.kind == "year" and tight and short and (second.kind == "count" or second.unit == "year"):
        # "2023-05", "2019–20", "2021-25年": a month or a short year.
        out.pop()
        return True
    if tight and first.pair == "second" and between == "-":
        # Telephone numbers and identifiers: "555-123-4567".
        del out[-3:]
        return True
    if between == "-" and second.kind == "year" and first.kind != "year" and not first.unit:
        # Standards with their year: "39116-2020".
        del out[-2:]
        return True
    if first.kind == "ordinal" or second.kind == "ordinal" or first.pair == "second":
        return False
    if first.unit and second.unit and first.kind != second.kind:
        return False  # "up 50 % to 3 million"
    if first.kind == "year" and second.kind != "year" and not tight:
        return False  # "from 2 million in 2020 to 3 million"
    kind, unit, scale = first.kind, first.unit, first.scale
    kind2, unit2, value2, scale2 = second.kind, second.unit, second.value, second.scale
    value = first.value
    if unit2 == "m" and scale > 1 and not unit:
        # "200k–1m passengers": a million, not a metre.
        kind2, unit2, value2, scale2 = "count", "", value2 * 1e6, 1e6
    bare = kind in ("count", "year") and not unit
    if bare and unit2:
        kind, unit = kind2, unit2
    elif bare and kind == "year" and kind2 == "count":
        kind = "count"
    elif kind in ("currency", "percent") and kind2 in ("count", "year") and not unit2 and kind != "percent":
        kind2, unit2 = kind, unit
    if (bare or kind == "currency") and scale == 1 and scale2 > 1 and value <= value2 / scale2:
        scale = scale2
        value *= scale
    out[-2] = Quantity(value, unit, kind, first.start, first.end, first.decimals, scale, "first")
    out[-1] = Quantity(value2, unit2, kind2, second.start, second.end, second.decimals, scale2, "second")
    return False
