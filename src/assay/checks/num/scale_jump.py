"""The same figure at two different scales, or percentage points called percent.

If one sentence says "$30 million" and another "$3 billion" for the same quantity, a scale word is wrong (million and
billion, 万 and 亿): the digits agree, but one amount is a hundred times the other. And a share that "rose from 3 % to 5 %"
has risen by two percentage points, or by two thirds, not by "2 %".

Known problems: many writers say "percent" for percentage points; such a finding is about precise wording, not about facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.num._changes import changes
from assay.checks.num._conflicts import conflicts
from assay.checks.num._numbers import NumberLine, number_lines, show, span_of
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "num")

_RISE: Final = _PHRASES.pattern(
    "(?:<<scale_jump_rise.en>>)(?: of| by)?(?: about| nearly| roughly| only| just)?[ (]*$|"
    "(?:<<scale_jump_rise.zh>>)(?:了|约|达|为)?[ （(]*$",
)

_JUMP: Final = Wording(
    en="{here} here, but {there} on line {line}: the same figure, {times:,.0f} times apart",
    zh="此处为{here}，第{line}行为{there}：同一数字相差{times:,.0f}倍",
)
_POINTS: Final = Wording(
    en="From {first} to {last} is {points:.3g} percentage points, or {relative:.3g} %, not {stated}",
    zh="从{first}到{last}，变化{points:.3g}个百分点（即{relative:.3g}%），而非{stated}",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each wrong scale, then for each number of percentage points that is called percent."""
    for conflict in conflicts(report):
        if conflict.scale_jump is not None:
            first, second = conflict.first.quantity, conflict.second.quantity
            row, _ = report.lines.place(first.start)
            times = max(first.value, second.value) / min(first.value, second.value)
            what = _JUMP(here=show(report, second), there=show(report, first), line=row, times=times)
            yield RawFinding(span_of(second), what, (span_of(first),), 0.85)
    for line in number_lines(report):
        if line.percents >= 3:
            yield from _points(report, line)


def _points(report: Report, line: NumberLine) -> Iterator[RawFinding]:
    for change in changes(line):
        if change.first.unit != "%" or change.last_index < change.first_index:
            continue
        positions = line.positions()
        index = change.last_index + 1
        while index < len(positions) and line.quantities[index].kind == "year":
            index += 1
        before = change.first_index - 1
        for i in (index, before):
            if not 0 <= i < len(positions) or line.quantities[i].unit != "%" or i in line.seconds:
                continue
            at = positions[i]
            if abs(at - positions[change.last_index]) > 90 or not _RISE.search(
                line.text, max(0, at - 32), at
            ):
                continue
            stated = line.quantities[i]
            difference = abs(change.last.value - change.first.value)
            relative = abs(change.last.value / change.first.value - 1) * 100
            if (
                abs(difference - abs(stated.value))
                <= stated.half_unit + 1e-9
                < abs(relative - abs(stated.value))
            ):
                what = _POINTS(
                    first=show(report, change.first),
                    last=show(report, change.last),
                    points=difference,
                    relative=relative,
                    stated=show(report, stated),
                )
                yield RawFinding(span_of(stated), what, (span_of(change.first, change.last),), 0.7, "info")


CHECK = Check(
    code="NUM008",
    name="scale-jump",
    severity="warning",
    summary="the same figure in another scale, or percent stated for percentage points",
    run=run,
    dimension="internal_consistency",
    failure="incoherence",
    bad=(
        Example(
            "The fund committed $30 million to rural broadband in 2022.\n\nIn short, the fund committed $30 "
            "billion to rural broadband in 2022."
        ),
        Example("The vacancy share rose from 3% to 5%, an increase of 2%."),
        Example(
            "政府宣布向该公司投资3000万美元用于建设工厂。\n\n如上所述，政府宣布向该公司投资30亿美元用于建设工厂。"
        ),
    ),
    good=(
        Example(
            "The fund committed $30 million to rural broadband in 2022.\n\nIn short, the fund committed $30 "
            "million to rural broadband in 2022, and banks lent $30 billion."
        ),
        Example("The vacancy share rose from 3% to 5%, an increase of 2 percentage points."),
        Example(
            "政府宣布向该公司投资3000万美元用于建设工厂。\n\n如上所述，政府宣布向该公司投资3000万美元用于建设工厂。"
        ),
    ),
)
