"""A range or period that ends before it begins, or a date that does not exist.

"Between 50 % and 20 %", "12–7 years", "from 2020 to 2015" and "31 June 2024" are typing errors, or they join numbers that
do not belong together; readers cannot know which. The check covers "between A and B", "in the range A to B", A至B之间,
ranges with a dash and a unit, periods of years, and days that a month does not have.

Not flagged are falls written with a dash ("cut from 20–10 mg"), negative numbers, amounts of money, scores, years before
Christ or "ago", and gaps "between 50 % and 20 %", which are differences, not ranges.

Known problems: a range in descending order on purpose ("between 90 and 40, depending on the grade") is reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.num._numbers import YEAR, YEARS, NumberLine, number_lines, pattern, show, span_of
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "num")

_BETWEEN: Final = pattern(
    r"""(?:\bbetween|\bin\ the\ range(?:\ of)?|\bwithin\ the\ range(?:\ of)?|介于)
        \ ?(?:about|around|roughly|approximately|some|an\ estimated|约)?\ ?(?P<a><V>)
        (?:\ and|\ to|和|与|至|到)\ ?(?:about|around|roughly|approximately|约)?\ ?(?P<b><V>)(?!\ ?(?:ago|bp\b|前))"""
)
_ZH: Final = pattern("(?P<a><V>)(?:至|到|和|与)(?P<b><V>)之间(?!的?(?:<<reversed_range.zh>>))")
_BETWEEN_DASHED: Final = re.compile(r"之间(?!的?[差比对关转区])")
# "The gap between 50 % and 20 %" is a difference, not a range.
_NO_RANGE: Final = _PHRASES.pattern("(?:<<reversed_range_no_range.en>>|<<reversed_range_no_range.zh>>)")
_FALL: Final = _PHRASES.pattern("<<reversed_range_fall.en>>|<<reversed_range_fall.zh>>|ago|前")
_PERIOD: Final = pattern(
    r"\b(?:from|between)\ (?:early\ |mid-?\ ?|late\ )?(?P<a><Y>)"
    r"\ (?:to|and|until|till|through)\ (?:early\ |late\ )?(?P<b><Y>)"
    r"|(?:从|自|由)(?P<c><Y>)(?:起)?(?:到|至)(?P<d><Y>)"
)
_BACKWARDS_MEANT: Final = _PHRASES.pattern("<<reversed_dates_backwards.en>>|<<reversed_dates_backwards.zh>>")
_AMOUNT: Final = _PHRASES.pattern(
    r"\b(?:<<reversed_dates_amount.en>>)\w*\b[^;,]{0,50}$|[降减跌缩][^，；]{0,12}$"
)
_AFTER_YEAR: Final = _PHRASES.pattern(
    r"[\ue004\ue006] ?(?:<<reversed_dates_after_year.en>>|<<reversed_dates_after_year.zh>>)"
)
# Days that no month of that name has; each begins with a small set, so that the text is read at full speed.
_DAY_FIRST: Final = re.compile(
    r"3(?<![0-9.,:/\-–$€£]3)[0-9](?:st|nd|rd|th)?(?: of)? (?P<month>Feb|Apr|Jun|Sep|Nov)[a-z]*\b"
)
_MONTH_FIRST: Final = re.compile(
    r"[FAJSN](?:eb|pr|un|ep|ov)[a-z]*\.? (?P<day>29|3[01])(?:st|th)?"
    r"(?:,? (?P<year>(?:19|20)[0-9]{2})|(?=[,;.)\n]|$))(?![0-9])"
)
_ZH_DATE: Final = re.compile(r"[0-9]{1,2}月(?P<day>[0-9]{1,2})[日号]")
_ZH_YEAR: Final = re.compile(r"((?:19|20)[0-9]{2})年$")
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTHS: Final = {"Feb": 2, "Apr": 4, "Jun": 6, "Sep": 9, "Nov": 11}

_BACKWARDS: Final = Wording(
    en="The range runs backwards, from {low} to {high}", zh="范围上下限颠倒：起点{low}大于终点{high}"
)
_ENDS_EARLIER: Final = Wording(
    en="The period ends in {end}, before it begins in {begin}",
    zh="时间段始于{begin}、止于{end}，终点早于起点",
)
_NO_SUCH_DATE: Final = Wording(en="“{date}” is not a date in any calendar", zh="“{date}”这一日期不存在")


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each reversed range or period and each date that does not exist."""
    for line in number_lines(report):
        if line.seconds:
            yield from _dashes(report, line)
        if len(line.quantities) >= 2:
            yield from _ranges(report, line)
            if line.text.count(YEAR) >= 2:
                yield from _periods(report, line)
    yield from _dates(report)


def _reversed(first: Quantity, second: Quantity) -> bool:
    if first.value <= second.value or second.value < 0:
        return False
    if first.unit != second.unit and first.unit:
        return False
    # "$500 to 1 billion" may mean 500 million: the scale of the first is not known.
    return not (first.scale == 1 and second.scale > 1)


def _dashes(report: Report, line: NumberLine) -> Iterator[Hit]:
    for index, second in line.seconds.items():
        first = line.quantities[index]
        if first.kind == second.kind == "year" and first.value > second.value:
            at = line.positions()[index]
            if not _BACKWARDS_MEANT.search(line.text) and not _AFTER_YEAR.match(line.text, at):
                yield _period(report, first, second)
            continue
        if second.kind in ("count", "year", "ordinal", "currency") or not _reversed(first, second):
            continue
        if report.plain[second.end - 1] == "年":
            continue  # "90-12年": short years across the turn of the century
        spanned = _BETWEEN_DASHED.match(report.plain, second.end) is not None
        if spanned or (_printed_once(report, first, second) and not _FALL.search(line.text)):
            yield _range(report, first, second)


def _ranges(report: Report, line: NumberLine) -> Iterator[Hit]:
    text = line.text
    match = None
    if "between " in text or " range " in text or "介于" in text:
        match = _BETWEEN.search(text)
    if match is None and "之间" in text:
        match = _ZH.search(text)
    if match is None or _NO_RANGE.search(text, max(0, match.start() - 40), match.start()):
        return
    first, second = line.group(match, "a"), line.group(match, "b")
    if _reversed(first, second):
        yield _range(report, first, second)


def _periods(report: Report, line: NumberLine) -> Iterator[Hit]:
    if YEARS in line.text or _BACKWARDS_MEANT.search(line.text):
        return
    for match in _PERIOD.finditer(line.text):
        names = ("a", "b") if match["a"] else ("c", "d")
        first, second = line.group(match, names[0]), line.group(match, names[1])
        amount = _AMOUNT.search(line.text, max(0, match.start() - 60), match.start())
        if (
            first.value > second.value
            and not amount
            and not _AFTER_YEAR.match(line.text, match.start(names[1]))
        ):
            yield _period(report, first, second)


def _printed_once(report: Report, first: Quantity, second: Quantity) -> bool:
    """Return whether the unit is printed once, as in the range "32–28 nm"; "32 nm–28 nm" may be a change."""
    between = report.plain[first.start : second.end].replace(" ", "")
    if first.unit == "%":
        return between.count("%") + between.count("％") == 1
    return first.end - first.start <= len(f"{first.value / first.scale:,.{first.decimals}f}")


def _dates(report: Report) -> Iterator[Hit]:
    plain = report.plain
    for match in _DAY_FIRST.finditer(plain):
        if _impossible(_MONTHS[match["month"]], int(match.group()[:2]), None):
            yield _date(match)
    for match in _MONTH_FIRST.finditer(plain):
        if _impossible(_MONTHS.get(match.group()[:3], 1), int(match["day"]), match["year"]):
            yield _date(match)
    if "月" in plain:
        for match in _ZH_DATE.finditer(plain):
            year = _ZH_YEAR.search(plain, max(0, match.start() - 5), match.start())
            month = int(match.group().partition("月")[0])
            if _impossible(month, int(match["day"]), year[1] if year else None):
                yield _date(match)


def _impossible(month: int, day: int, year: str | None) -> bool:
    if not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1]:
        return day <= 39
    leap = year is None or (int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0))
    return month == 2 and day == 29 and not leap


def _range(report: Report, first: Quantity, second: Quantity) -> Hit:
    return Hit(
        span_of(first, second), _BACKWARDS(low=show(report, first), high=show(report, second)), (), 0.8
    )


def _period(report: Report, first: Quantity, second: Quantity) -> Hit:
    what = _ENDS_EARLIER(begin=show(report, first), end=show(report, second))
    return Hit(span_of(first, second), what, (), 0.85)


def _date(match: re.Match[str]) -> Hit:
    return Hit(Span(*match.span()), _NO_SUCH_DATE(date=match.group()), (), 0.85)


CHECK = Check(
    code="NUM006",
    name="reversed-range",
    severity="warning",
    summary="a range or period that ends before it begins, or a date that does not exist",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example("The dropout rate lies between 50% and 20% in most of the trials."),
        Example("Typical payback is 12–7 years for ground-source systems."),
        Example("毛利率一般在35%至20%之间。"),
        Example("毛利率一般在35%～20%之间。"),
        Example("Installations were counted from 2020 to 2015 in all four regions."),
        Example("该项目从2021年到2018年共投入三批资金。"),
        Example("The directive entered into force on 31 June 2024."),
        Example("The work is not finished; it is expected to be **completed by September 31, 2025**."),
        Example("The decision was published on February 29, 2023, and took effect at once."),
        Example("该办法自2023年2月30日起施行。"),
    ),
    good=(
        Example("The dropout rate lies between 20% and 50% in most of the trials."),
        Example("The gap between 50% and 20% is the largest in the sample; the dose was tapered 20–10 mg."),
        Example("毛利率一般在20%至35%之间，2023-24年度从35%降至20%。"),
        Example("They lived between 700,000 and 200,000 years ago, and again in the 1970s-80s."),
        Example("Reported cases fell from 2000 to 1800; the dynasty lasted from 2070 to 1600 BC."),
        Example("The directive entered into force on 30 June 2024; in June 31 firms objected."),
        Example("该办法自2023年2月28日起施行，有效期13个月，公元前1600年至公元前1046年不在此列。"),
    ),
)
