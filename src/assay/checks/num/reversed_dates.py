"""A period that ends before it begins.

"From 2020 to 2015", "(1950–1930)", "born in 1960 … died in 1931": one of the two dates is wrong, and so may be what the
report says about the period. The check covers year ranges with a dash, "from … to", "between … and", from month to month
of a year, 从…年到…年, and "began/founded/born … ended/closed/died" in one clause.

Not flagged are years before Christ, short years (2023–24), page ranges, and quantities that look like years ("fell from
2000 to 1800 cases").

Known problems: a text that looks back on purpose ("from 2020 to 2015, going backwards") is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.num._numbers import YEAR, YEARS, NumberLine, number_lines, pattern, show, span_of
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "num")

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = r"(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\ )?"
_FROM_TO: Final = pattern(
    rf"(?P<from>\b(?:from|between)\ )?(?:early\ |mid-?\ ?|late\ |about\ )?(?P<m>{_MONTH})(?P<a><Y>)"
    rf"\ (?:to|and|until|till|through|up\ to)\ (?:early\ |mid-?\ ?|late\ |about\ )?(?P<n>{_MONTH})(?P<b><Y>)"
)
_ZH: Final = pattern(r"(?:从|自|由)?(?P<a><Y>)(?:起)?(?:到|至)(?P<b><Y>)")
_LIFE: Final = pattern(
    r"""\b(?:born|began|begun|started|launched|founded|established|opened)\ (?:in|on)?~(?P<a><Y>)
        [^;；。]{0,30}\b(?:died|ended|closed|concluded|dissolved|disbanded|shut\ down|expired)\ (?:in|on)?~(?P<b><Y>)"""
)
_ZH_LIFE: Final = pattern(
    r"(?:生于|出生于|成立于|始于|创立于)(?P<a><Y>)[^;；。]{0,20}(?:卒于|逝世于|去世于|关闭于|终于|解散于|止于)(?P<b><Y>)"
)
_ZH_CLOSED: Final = pattern(
    "(?:成立于|始建于|创立于|创办于|出生于|生于|始于)(?P<a><Y>)[^<T>；。]{0,16}，[^<T>；。，]{0,6}(?P<b><Y>)(?:[^<T>；。，]{0,6})(?"
    ":<<reversed_dates_closed.zh>>)"
)
_BACKWARDS: Final = _PHRASES.pattern("<<reversed_dates_backwards.en>>|<<reversed_dates_backwards.zh>>")
_AMOUNT: Final = _PHRASES.pattern(
    r"\b(?:<<reversed_dates_amount.en>>)\w*\b[^;,]{0,50}$|[降减跌缩][^，；]{0,12}$"
)
_AFTER_YEAR: Final = _PHRASES.pattern(
    r"[\ue004\ue006] ?(?:<<reversed_dates_after_year.en>>|<<reversed_dates_after_year.zh>>)"
)

_ENDS_EARLIER: Final = Wording(
    en="The period ends in {end}, before it begins in {begin}",
    zh="时间段始于{begin}、止于{end}，终点早于起点",
)
_MONTHS_BACKWARDS: Final = Wording(en="The months of {year} run backwards", zh="{year}年的起止月份前后颠倒")


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each period that ends before it begins."""
    for line in number_lines(report):
        text = line.text
        if YEARS in text:
            yield from _dash_ranges(report, line)
        if text.count(YEAR) < 2:
            continue
        for form in (_FROM_TO, _ZH):
            for match in form.finditer(text):
                first, second = line.group(match, "a"), line.group(match, "b")
                if first.value < second.value:
                    continue
                if form is _FROM_TO and not match["from"] and not (match["m"] and match["n"]):
                    continue  # "2020 to 2015" may compare; "May 2020 to June 2015" is a period
                if first.value == second.value:
                    if form is _ZH or not _months_reversed(match["m"], match["n"]):
                        continue
                elif _AMOUNT.search(text, max(0, match.start() - 60), match.start()):
                    continue
                if not _BACKWARDS.search(text) and not _AFTER_YEAR.match(text, match.start("b")):
                    yield _finding(report, first, second, 0.85)
        for form in (_LIFE, _ZH_LIFE, _ZH_CLOSED):
            life = form.search(text)
            if life and not _BACKWARDS.search(life.group()):
                first, second = line.group(life, "a"), line.group(life, "b")
                if first.value > second.value:
                    yield _finding(report, first, second, 0.8)


def _dash_ranges(report: Report, line: NumberLine) -> Iterator[RawFinding]:
    for index, second in line.seconds.items():
        first = line.quantities[index]
        if first.kind == second.kind == "year" and first.value > second.value:
            position = line.positions()[index]
            if _BACKWARDS.search(line.text) or _AFTER_YEAR.match(line.text, position):
                continue
            yield _finding(report, first, second, 0.85)


def _months_reversed(first: str, second: str) -> bool:
    a, b = first.strip()[:3], second.strip()[:3]
    return a in _MONTHS and b in _MONTHS and _MONTHS.index(a) > _MONTHS.index(b)


def _finding(report: Report, first: Quantity, second: Quantity, confidence: float) -> RawFinding:
    begin, end = show(report, first), show(report, second)
    what = _MONTHS_BACKWARDS(year=end) if first.value == second.value else _ENDS_EARLIER(begin=begin, end=end)
    return RawFinding(span_of(first, second), what, (), confidence)


CHECK = Check(
    code="NUM007",
    name="reversed-dates",
    severity="error",
    summary="a period that ends before it begins",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example("Installations were counted from 2020 to 2015 in all four regions."),
        Example("The composer (1953–1921) wrote mostly chamber music."),
        Example("该项目从2021年到2018年共投入三批资金。"),
    ),
    good=(
        Example("Installations were counted from 2015 to 2020, and again in 2023-24."),
        Example("Reported cases fell from 2000 to 1800; the dynasty lasted from 2070 to 1600 BC."),
        Example("该项目从2018年到2021年共投入三批资金，公元前1600年至公元前1046年不在此列。"),
    ),
)
