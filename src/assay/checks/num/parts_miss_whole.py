"""Parts that should make up a whole but do not add up to it.

"60 % use gas, the remaining 30 % oil" does not account for 10 %; "split evenly (60 % and 40 %)" is not even; weights of
30, 30 and 20 % do not add up to 100 %. The check covers percentages before "the remaining …" (其余, 剩余), counts out of a
stated total up to "the remaining …", even splits, and lists or columns of weights.

Known problems: "the remaining" may refer to a whole that an earlier paragraph describes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.num._numbers import NUMBER, PERCENT, NumberLine, number_lines, pattern, show, span_of
from assay.checks.num._shares import shares
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "num")

_REST: Final = pattern(
    r"(?:\bthe\ (?:remaining|other|rest\ \(|balance\ \()|(?:其余|剩余|余下|剩下|另外|其他)(?:的)?(?:约|则占|占|"
    r"为)?)(?:\ (?:about|roughly|nearly|some))?\ ?(?P<p>[<P><N>])".replace("[<P><N>]", f"[{PERCENT}{NUMBER}]")
)
_EVEN: Final = _PHRASES.pattern("<<parts_miss_whole_ev.en>>|<<parts_miss_whole_ev.zh>>")
# Words by which the rest belongs to a part of the whole, or to a whole that is not divided by percentages.
_OTHER_WHOLE: Final = _PHRASES.pattern(
    "<<parts_miss_whole_other_whole.en>>|<<parts_miss_whole_other_whole.zh>>"
)
_TOTAL: Final = pattern(
    r"(?:\bof\ (?:the\ |these\ |those\ )?|\ba\ total\ of\ |共有?|总计|一共|合计)(?P<n><N>)"
)

_UNEVEN: Final = Wording(
    en="An even split into {first} and {second} is not even", zh="既称平分，{first}与{second}却不相等"
)
_WEIGHTS: Final = Wording(
    en="The weights {parts} add up to {total:.4g} %, not to 100 %",
    zh="各项权重{parts}合计{total:.4g}%，不等于100%",
)
_REST_WRONG: Final = Wording(
    en="“The remaining” {rest} does not complete the whole: {parts} is {total:.4g} %",
    zh="“其余”{rest}未能补足整体：{parts}合计{total:.4g}%",
)
_SUM_WRONG: Final = Wording(
    en="The parts {parts} add up to {sum:,.6g}, not to the whole of {whole}",
    zh="各部分{parts}合计{sum:,.6g}，与总数{whole}不符",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each whole that differs from the sum of its parts."""
    lines = number_lines(report)
    for i, line in enumerate(lines):
        if len(line.quantities) < 2:
            continue
        rest = _REST.search(line.text)
        if rest:
            last = line.group(rest, "p")
            if last.kind == "percent":
                yield from _percents(report, line, lines[max(0, i - 3) : i], last)
            else:
                yield from _counts(report, line, last)
        if line.percents == 2 and _EVEN.search(line.text):
            first, second = [q for q in line.quantities if q.kind == "percent"][:2]
            if abs(first.value - second.value) > 5 and 90 <= first.value + second.value <= 110:
                what = _UNEVEN(first=show(report, first), second=show(report, second))
                yield RawFinding(span_of(first, second), what, (), 0.75)
    for group in shares(report):
        if group.complete and 50 < group.total < 100 - group.slack and group.where != "sentence":
            listed = " + ".join(show(report, part) for part in group.parts[:8])
            what = _WEIGHTS(parts=listed, total=group.total)
            yield RawFinding(span_of(*group.parts), what, (), 0.7)


def _percents(
    report: Report, line: NumberLine, before: list[NumberLine], last: Quantity
) -> Iterator[RawFinding]:
    if _OTHER_WHOLE.search(line.text) or not 0 < last.value < 100:
        return
    own = [q for q in line.quantities if q.start < last.start]
    if not own or any(q.kind != "percent" or q.pair or not 0 < q.value < 100 for q in own):
        return
    earlier = [
        q
        for other in before
        if other.sentence.block == line.sentence.block
        for q in other.quantities
        if q.kind == "percent"
    ]
    total = last.value
    slack = last.half_unit + 1.0
    for i, part in enumerate(reversed([*earlier, *own])):
        total += part.value
        slack += part.half_unit
        if abs(total - 100) <= slack:
            return
        if i >= len(own) - 1 and total > 100:
            break
    parts_sum = sum(q.value for q in own) + last.value
    listed = " + ".join(show(report, q) for q in [*own, last])
    yield RawFinding(
        span_of(*own, last),
        _REST_WRONG(rest=show(report, last), parts=listed, total=parts_sum),
        (),
        0.75,
    )


def _counts(report: Report, line: NumberLine, last: Quantity) -> Iterator[RawFinding]:
    match = _TOTAL.search(line.text)
    if not match:
        return
    whole = line.group(match, "n")
    own = [q for q in line.quantities if whole.end <= q.start < last.start and q.kind in ("count", "measure")]
    if (
        not own
        or any(q.pair or q.unit not in ("", whole.unit, last.unit) for q in own)
        or whole.pair
        or whole.value <= last.value
    ):
        return
    if any(q.kind in ("currency", "points") for q in line.quantities) or any(
        q.value >= whole.value for q in own
    ):
        return
    total = sum(q.value for q in own) + last.value
    slack = (sum(q.half_unit for q in own) + last.half_unit + whole.half_unit) if whole.scale > 1 else 0.5
    if abs(total - whole.value) > slack:
        listed = " + ".join(show(report, q) for q in [*own, last])
        unit = whole.scale
        what = _SUM_WRONG(parts=listed, sum=total / unit, whole=show(report, whole))
        yield RawFinding(span_of(whole, *own, last), what, (), 0.75)


CHECK = Check(
    code="NUM002",
    name="parts-miss-whole",
    severity="warning",
    summary="parts said to be all that do not reach the whole",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example("Some 60% of the households heat with gas and the remaining 30% with oil."),
        Example("Of the 400 schools, 250 had a library, 60 shared one, and the remaining 50 had none."),
        Example("全市共120家企业，其中80家已完成改造，其余30家尚未启动。"),
    ),
    good=(
        Example("Some 60% of the households heat with gas and the remaining 40% with oil."),
        Example("Of the 400 schools, 250 had a library, 100 shared one, and the remaining 50 had none."),
        Example("全市共120家企业，其中80家已完成改造，其余40家尚未启动。"),
    ),
)
