"""A range whose first value is larger than its second.

"Between 50 % and 20 %" or "30–15 °C" is either a typing error or joins two numbers that do not belong together, and
readers cannot know which. The check covers "between A and B", "in the range A to B", A至B之间, and dash ranges with a unit
("20–10 %").

Not flagged are falls written with a dash ("cut from 20–10 mg"), negative numbers, scores, page numbers, years
(see reversed-dates), and gaps "between 50 % and 20 %", which are differences, not ranges.

Known problems: a range in descending order on purpose ("between 90 and 40, depending on the grade") is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.num._numbers import number_lines, pattern, show, span_of
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "num")

_BETWEEN: Final = pattern(
    r"""(?:\bbetween|\bin\ the\ range(?:\ of)?|\bwithin\ the\ range(?:\ of)?|介于)
        \ ?(?:about|around|roughly|approximately|some|an\ estimated|约)?\ ?(?P<a><V>)
        (?:\ and|\ to|和|与|至|到)\ ?(?:about|around|roughly|approximately|约)?\ ?(?P<b><V>)"""
)
_ZH: Final = pattern("(?P<a><V>)(?:至|到|和|与)(?P<b><V>)之间(?!的?(?:<<reversed_range.zh>>))")
# "The gap between 50 % and 20 %" is a difference, not a range.
_NO_RANGE: Final = _PHRASES.pattern("(?:<<reversed_range_no_range.en>>|<<reversed_range_no_range.zh>>)")
_FALL: Final = _PHRASES.pattern("<<reversed_range_fall.en>>|<<reversed_range_fall.zh>>")

_BACKWARDS: Final = Wording(
    en="The range runs backwards, from {low} to {high}", zh="范围上下限颠倒：起点{low}大于终点{high}"
)


def _reversed(first: Quantity, second: Quantity) -> bool:
    if first.value <= second.value or second.value < 0:
        return False
    if first.unit != second.unit and first.unit:
        return False
    # "$500 to 1 billion" may mean 500 million: the scale of the first is not known.
    return not (first.scale == 1 and second.scale > 1)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each reversed range."""
    for line in number_lines(report):
        if line.seconds:
            for index, second in line.seconds.items():
                first = line.quantities[index]
                if second.kind in ("count", "year", "ordinal") or not _reversed(first, second):
                    continue
                if report.plain[second.end - 1] == "年":
                    continue  # "90-12年": short years across the turn of the century
                if _printed_once(report, first, second) and not _FALL.search(line.text):
                    yield _finding(report, first, second, 0.8)
        if len(line.quantities) < 2:
            continue
        match = None
        if "between " in line.text or " range " in line.text or "介于" in line.text:
            match = _BETWEEN.search(line.text)
        if match is None and "之间" in line.text:
            match = _ZH.search(line.text)
        if match is None or _NO_RANGE.search(line.text, max(0, match.start() - 40), match.start()):
            continue
        first, second = line.group(match, "a"), line.group(match, "b")
        if _reversed(first, second):
            yield _finding(report, first, second, 0.85 if second.unit else 0.7)


def _printed_once(report: Report, first: Quantity, second: Quantity) -> bool:
    """Return whether the unit is printed once, as in the range "32–28 nm"; "32 nm–28 nm" may be a change."""
    between = report.plain[first.start : second.end].replace(" ", "")
    if first.unit == "%":
        return between.count("%") + between.count("％") == 1
    if first.kind == "currency":
        return sum(between.count(symbol) for symbol in "$€£¥￥₹元") == 1
    return first.end - first.start <= len(f"{first.value / first.scale:,.{first.decimals}f}")


def _finding(report: Report, first: Quantity, second: Quantity, confidence: float) -> RawFinding:
    low, high = show(report, first), show(report, second)
    return RawFinding(
        span_of(first, second),
        _BACKWARDS(low=low, high=high),
        (),
        confidence,
    )


CHECK = Check(
    code="NUM006",
    name="reversed-range",
    severity="warning",
    summary="a range whose lower end is larger than its upper end",
    run=run,
    dimension="internal_consistency",
    failure="expression_quality",
    bad=(
        Example("The dropout rate lies between 50% and 20% in most of the trials."),
        Example("Typical payback is 12–7 years for ground-source systems."),
        Example("毛利率一般在35%至20%之间。"),
    ),
    good=(
        Example("The dropout rate lies between 20% and 50% in most of the trials."),
        Example("The gap between 50% and 20% is the largest in the sample; the dose was tapered 20–10 mg."),
        Example("毛利率一般在20%至35%之间，2023-24年度从35%降至20%。"),
    ),
)
