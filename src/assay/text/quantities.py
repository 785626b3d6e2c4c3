"""Numbers in a text: value, unit, scale, kind and span.

>>> [q.value for q in find_quantities("from $1.2 billion in 2020 to 3,400 million")]
[1200000000.0, 2020.0, 3400000000.0]
>>> [(q.value, q.unit, q.pair) for q in find_quantities("10–20 %, 约3000多万元")]
[(10.0, '%', 'first'), (20.0, '%', 'second'), (30000000.0, 'CNY', '')]
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from msgspec.structs import replace

from assay.text.quantity import Kind, Quantity, Spelling
from assay.text.spelled_numbers import SpelledNumber, spelled_numbers
from assay.text.units import CURRENCY_CODES, CURRENCY_SYMBOLS, CURRENCY_WORDS, SCALES, UNIT_SPELLINGS

# Begins with a one-character set, so that the engine skips to the next digit at full speed.
_NUMBER: Final = re.compile(
    r"""[0-9](?:[0-9]{0,2}(?:,[0-9]{3})+(?![0-9])|[0-9]*)(?:\.[0-9]+)?
    (?:
        (?P<ord>st|nd|rd|th)(?![A-Za-z])
      | [ \u00a0\u2009\u202f]{0,3}(?:
            (?P<pct>[%％‰]|(?:[Pp]ercent|per[ ]cent|pct)(?![A-Za-z]))(?:[ -]?(?P<pp>points?)(?![A-Za-z]))?
          | (?P<points>(?:pp|ppts?|p\.p\.|percentage[ -]points?|basis[ ]points?|bps?|BPs?)(?![A-Za-z0-9])|个?百分点|个?基点)
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
          |users|units|acres?|hectares?|miles?|barrels?
          |companies|countries|studies|respondents|households|jobs|stores|vehicles|sites|cases|deaths)(?![A-Za-z0-9])
      | [℃㎡×]
      | 年(?![级龄])|个月|天|小时|分钟|毫秒|微秒|纳秒|秒|岁|人次|人|名|家|个|项|台|辆|套|座|件|吨|公斤|千克|毫克|微克|克|公里|千米|毫米|厘米|微米|纳米|平方米|平方公里|立方米|公顷|亩
      |米|毫升|倍|户|次|篇|种|类|条
      | 千瓦时|千瓦|兆瓦|吉瓦|瓦|度
    )(?P<rate>/(?:[A-Za-z²³]{1,8}|[\u4e00-\u9fff]{1,3}))?""",
    re.VERBOSE,
)
# "24年3月" is a date, "90年代" a decade; "3∶1" and "2：1" are ratios.
_SHORT_DATE: Final = re.compile(r"年(?:[01]?[0-9]月|代)")
_CENTURY: Final = re.compile(r"(?:(?P<last>上个?世纪)|(?P<n>[0-9]{2})世纪)(?:[0-9]0年代?[、至到和-])?$")
_FULL_WIDTH: Final = re.compile("[０-９]")
_HALF_WIDTH: Final = {0xFF10 + i: 0x30 + i for i in range(10)}
_FULL_POINT: Final = re.compile("(?<=[0-9])．(?=[0-9])")
_DECADES: Final = frozenset(["50", "70", "80", "90"])
_RATE: Final = re.compile(r"/(?:[A-Za-z]{1,8}|[\u4e00-\u9fff]{1,3})")
_YEARISH: Final = re.compile(r"(?:1[5-9]|20|21)[0-9]{2}$")
_YEAR_ALONE: Final = re.compile(r"[0-9]{4}(?![0-9])")
_CURRENCY_BEFORE: Final = re.compile(
    r"(?:(?:US|HK|NT|NZ|[ACSR])?\$|[€£¥￥₹₩]|(?<![A-Za-z])(?:USD|EUR|GBP|RMB|CNY|JPY|INR|HKD|AUD|CAD|SGD|CHF"
    r"|KRW))[ ]{0,2}$"
)
# A join between two numbers: a dash or tilde, or the words for "to".
_JOIN: Final = re.compile(r"[ ]{0,2}(?:[-–—−~～〜‑]|to(?= )|至|到)[ ]{0,2}(?:(?:US|HK)?[$€£¥￥])?$")
# Han characters after which a dash before a number is a sign: "降至-1.1%", "增速-2%".
_BEFORE_SIGN: Final = "至到为约达率速降升"
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


def find_quantities(plain: str, start: int = 0, end: int | None = None) -> list[Quantity]:
    """Return every number in ``plain[start:end]``, in order. Ranges give two numbers; dates give their year.

    Not numbers here: versions and section numbers such as "3.2.1", list enumerators, days and months of dates,
    fractions, ratios and clock times ("3/4", "3:1"), powers of ten, digits inside words and names ("GPT-4", "5G").
    """
    limit = len(plain) if end is None else end
    if not plain.isascii() and _FULL_WIDTH.search(plain, start, limit):
        narrow = _FULL_POINT.sub(".", plain[start:limit].translate(_HALF_WIDTH))
        return [replace(q, start=q.start + start, end=q.end + start) for q in find_quantities(narrow)]
    out = _in_digits(plain, start, limit)
    if words := spelled_numbers(plain, start, limit):
        out = _merged(out, words)
    return out


def _merged(out: list[Quantity], words: list[SpelledNumber]) -> list[Quantity]:
    """Return numbers in digits and in words in order; where they overlap, the digits."""
    starts = [q.start for q in out]
    for word in words:
        i = bisect_left(starts, word.end)
        if i and out[i - 1].end > word.start:
            continue
        kind: Kind = "percent" if word.unit == "%" else "currency" if len(word.unit) == 3 else "count"
        if kind == "count" and word.unit:
            kind = "measure"
        spelled: Spelling = "fraction" if word.fraction else "words"
        read = Quantity(word.value, word.unit, kind, word.start, word.end, 0, word.scale, spelled=spelled)
        out.insert(i, read)
        starts.insert(i, word.start)
    return out


def _in_digits(plain: str, start: int, limit: int) -> list[Quantity]:
    """Return every number in digits."""
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
            if len(out) > 1 and at == out[-2].end and _compound(out):
                continue
            if len(out) > 1 and at - out[-2].end < 8 and _join(plain, out):
                refused = stop
    return out


def _compound(out: list[Quantity]) -> bool:
    """Make one number of 1万2千 or 3万5000."""
    first, second = out[-2], out[-1]
    if first.scale < 1e4 or first.unit or second.pair or not 0 < second.value < first.scale:
        return False
    out[-2:] = [replace(second, value=first.value + second.value, start=first.start)]
    return True


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
    if before in _OPENERS and before != "：":
        return before == ":" and last.isdigit()
    if before in ".,":
        year_list = (
            before == "," and joined and out[-1].kind == "year" and _YEAR_ALONE.match(plain, at) is not None
        )
        return not year_list and last.isalnum()
    if before in "∶：" and last.isdigit():
        return at - 1 == refused
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
            currency = CURRENCY_SYMBOLS.get(name) or CURRENCY_CODES.get(name) or name
            begin = symbol.start()
            before = plain[begin - 1] if begin > start else "\n"
    if before in "-−+" and begin - 1 >= start:
        last = plain[begin - 2] if begin - 2 >= start else "\n"
        # A dash right after a word or a number joins; after anything else it is a sign.
        free = not last.isalnum() or last in _BEFORE_SIGN
        if free and last not in "%％)）" and not (out and out[-1].end == begin - 1):
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
        scale = SCALES[match.group(tail).lower().lstrip("多余几")]
        value *= scale
    bare = Quantity(value, currency, "currency" if currency else "count", begin, stop, decimals, scale)
    if following == "年" and len(digits) == 2 and (date := _SHORT_DATE.match(plain, stop, limit)):
        return _short_year(plain, bare, start, date)
    if following == "世" and plain.startswith("世纪", stop):
        return None
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


def _short_year(plain: str, bare: Quantity, start: int, match: re.Match[str]) -> Quantity:
    """Return the year of 24年3月 or 90年代, whose century stands before it or is the likely one."""
    century = _CENTURY.search(plain, max(start, bare.start - 12), bare.start)
    if century is None:
        base = 2000 if bare.value < 50 else 1900
    else:
        base = 1900 if century["last"] else 100 * (int(century["n"]) - 1)
    stop = match.end() if match.group() == "年代" else match.start() + 1
    return Quantity(base + bare.value, "", "year", bare.start, stop, 0, 1.0)


def _refuted(plain: str, span: tuple[int, int], start: int, limit: int, digits: str) -> bool:
    """Return whether the next characters show that digits are a version, an enumerator, a date or a power."""
    at, stop = span
    following = plain[stop] if stop < limit else "\n"
    if following in _SUPERSCRIPT:
        return True
    if following in "./:^∶：":
        after = plain[stop + 1] if stop + 1 < limit else "\n"
        if following == "：" and len(digits) > 2:
            return False
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
    if match["pct"] == "‰":
        return Quantity(value / 10, "%", "percent", begin, stop, decimals + 1, 1.0)
    if tail == "pct":
        return Quantity(value, "%", "percent", begin, stop, decimals, 1.0)
    if tail == "ord":
        return Quantity(value, "", "ordinal", begin, stop, decimals, 1.0)
    word = match.group(tail)
    if word[0] in "bB" or "基" in word:
        return Quantity(value / 100, "pp", "points", begin, stop, decimals + 2, 1.0)
    return Quantity(value, "pp", "points", begin, stop, decimals, 1.0)


def _with_unit(bare: Quantity, match: re.Match[str], digits: str, *, scaled: bool) -> Quantity:
    """Return a number with the unit after it; ``bare.unit`` is the currency before it, if any."""
    value, currency, scale = bare.value, bare.unit, bare.scale
    unit = match["unit"]
    if currency and not scaled and unit in ("m", "t") and match.start("unit") == bare.end:
        # "£3m" is money, not metres.
        scale = SCALES[unit]
        value *= scale
        unit = ""
    if not scaled and unit in ("年", "s") and _YEARISH.match(digits):
        return Quantity(value, "", "year", bare.start, match.end("unit"), 0, 1.0)
    if unit == "s" and not scaled and digits in _DECADES and match.start("unit") == bare.end:
        # "the 80s", "the early 90s".
        return Quantity(1900.0 + value, "", "year", bare.start, match.end("unit"), 0, 1.0)
    word = CURRENCY_WORDS.get(unit.lower())
    if word is not None:
        currency, unit = currency or word, ""
    unit = UNIT_SPELLINGS.get(unit, unit[:-1] if len(unit) > 3 and unit[-1] == "s" else unit)
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
    if (
        first.kind == "year"
        and tight
        and short
        and (second.kind == "count" or second.unit in ("year", "second"))
    ):
        # "2023-05", "2019–20", "2021-25年", "1970s–80s": a month, a short year or a decade.
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
