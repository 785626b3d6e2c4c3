"""A date that does not exist.

"30 February", "31 June 2024", "29 February 2023", 2024年13月, 2023-02-30: such a date is made up or mistyped, and the event
that it belongs to cannot be looked up.

Known problems: in "2023-13-05" the month and the day may merely be swapped; it is reported with lower confidence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")

# Days of each month in a leap year; names as the cue index has them.
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_NAMES: Final = (
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may",),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sep", "sept"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
)
# What may follow the day: a year, punctuation or a small word. So "in June 45 firms" is not a date.
_AFTER: Final = _PHRASES.pattern(
    r"\.? (?P<day>[0-9]{1,2})(?:(?:st|nd|rd|th)\b)?(?=(?P<rest>,? (?P<year>(?:1[5-9]|20)[0-9]{2})\b|"
    r"[,;.)](?![0-9])|$| (?:<<implausible_date_after.en>>)\b))",
)
_BEFORE: Final = re.compile(r"(?<![0-9.,:/\-–$€£])(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?: of)? $")
_YEAR_AFTER: Final = re.compile(r"[a-z]+\.?,? (?P<year>(?:1[5-9]|20)[0-9]{2})\b")
_ISO: Final = re.compile(r"-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})(?![0-9\-])")
_ZH: Final = re.compile(r"月(?P<day>[0-9]{1,2})[日号]")
_ZH_MONTH: Final = re.compile(r"(?:(?P<year>(?:1[5-9]|20)[0-9]{2})年)?(?P<month>[0-9]{1,2})$")
_QUARTER: Final = re.compile(r"第 ?[五六七八九5-9] ?季度")

_NO_SUCH_DATE: Final = Wording(en="“{date}” is not a date in any calendar", zh="“{date}”这一日期不存在")
_NO_SUCH_QUARTER: Final = Wording(
    en="A year has four quarters; there is no “{quarter}”", zh="一年只有四个季度，没有“{quarter}”"
)


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _impossible(month: int, day: int, year: int | None) -> bool:
    if not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1]:
        return True
    return month == 2 and day == 29 and year is not None and not _leap(year)


def _year(match: re.Match[str] | None) -> int | None:
    return int(match["year"]) if match and match["year"] else None


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each date and each quarter that does not exist."""
    yield from _named(report)
    plain = report.plain
    for quantity in report.quantities:
        if quantity.kind == "year" and plain[quantity.end : quantity.end + 1] == "-":
            match = _ISO.match(plain, quantity.end)
            if match and _impossible(int(match["month"]), int(match["day"]), int(quantity.value)):
                swapped = int(match["day"]) <= 12 and int(match["month"]) <= 31
                yield _finding(report, quantity.start, match.end(), 0.6 if swapped else 0.85)
    if report.cues.cjk:
        yield from _chinese(report)


def _named(report: Report) -> Iterator[RawFinding]:
    index = report.cues
    lower = index.lower
    for month, names in enumerate(_NAMES, start=1):
        for name in names:
            for at in index.positions(name):
                if name == "may" and report.plain[at] != "M":
                    continue
                stop = at + len(name)
                after = _AFTER.match(lower, stop, stop + 14)
                if after:
                    day = int(after["day"])
                    # A number above 31 may not be a day at all, unless a year follows.
                    if (day <= 31 or after["year"]) and _impossible(month, day, _year(after)):
                        yield _finding(report, at, after.end(), 0.85)
                before = _BEFORE.search(lower, max(0, at - 9), at)
                if not before or before.start() == at - 9:
                    continue
                year = _year(_YEAR_AFTER.match(lower, at, stop + 8))
                if int(before["day"]) <= 31 and _impossible(month, int(before["day"]), year):
                    yield _finding(report, before.start("day"), stop, 0.85)


def _chinese(report: Report) -> Iterator[RawFinding]:
    plain = report.plain
    at = plain.find("月")
    while at >= 0:
        match = _ZH.match(plain, at)
        if match:
            head = _ZH_MONTH.search(plain, max(0, at - 7), at)
            if head and _impossible(int(head["month"]), int(match["day"]), _year(head)):
                yield _finding(report, head.start(), match.end(), 0.9)
        at = plain.find("月", at + 1)
    at = plain.find("季度")
    while at >= 0:
        quarter = _QUARTER.search(plain, max(0, at - 4), at + 2)
        if quarter:
            yield RawFinding(
                Span(quarter.start(), quarter.end()),
                _NO_SUCH_QUARTER(quarter=quarter.group()),
                (),
                0.85,
            )
        at = plain.find("季度", at + 1)


def _finding(report: Report, start: int, end: int, confidence: float) -> RawFinding:
    return RawFinding(
        Span(start, end), _NO_SUCH_DATE(date=report.plain_text(Span(start, end))), (), confidence
    )


CHECK = Check(
    code="NUM012",
    name="implausible-date",
    severity="error",
    summary="a date that is in no calendar: 30 February, month 13, quarter 5",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example("The directive entered into force on 31 June 2024."),
        Example("The decision was published on February 29, 2023, and took effect at once."),
        Example("该办法自2023年2月30日起施行。"),
    ),
    good=(
        Example("The directive entered into force on 30 June 2024; in June 31 firms objected."),
        Example("The decision was published on February 29, 2024, and 12 May 2025 is the deadline."),
        Example("该办法自2023年2月28日起施行，有效期13个月。"),
    ),
)
