"""The same quantity with two values in two places.

When the summary puts a market at $4.5 billion in 2023 and the body at $5.4 billion, the reader cannot use either. Two
numbers are held against each other when unit, year and period are the same and the words around them name the same
thing, nearly word for word.

Left alone: values that agree within rounding, bounds ("over 50") and approximations that hold; estimates that the
text attributes to different sources; list items that take their subject from the heading above them.

Known problems: two quantities that differ only in something the sentence leaves unsaid are reported; conflicts in
other words are missed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.num._conflicts import Conflict, conflicts
from assay.checks.num._numbers import show, span_of
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report


_CONFLICT: Final = Wording(
    en="{here} here, but {there} for the same thing on line {line}",
    zh="此处为{here}，第{line}行同一事项却为{there}",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each second value of a quantity."""
    for conflict in conflicts(report):
        if conflict.scale_jump is None and not conflict.attributed:
            yield _finding(report, conflict)


def _finding(report: Report, conflict: Conflict) -> RawFinding:
    first, second = conflict.first.quantity, conflict.second.quantity
    line, _ = report.lines.place(first.start)
    what = _CONFLICT(here=show(report, second), there=show(report, first), line=line)
    return RawFinding(span_of(second), what, (span_of(first),), round(0.55 + 0.25 * conflict.sameness, 2))


CHECK = Check(
    code="NUM003",
    name="conflicting-values",
    severity="warning",
    summary="the same quantity given two values",
    run=run,
    dimension="internal_consistency",
    failure="incoherence",
    bad=(
        Example(
            "The global heat pump market was worth $4.5 billion in 2023.\n\nIn summary, the global heat pump "
            "market reached $5.4 billion in 2023."
        ),
        Example("2023年全国新能源汽车销量达到949万辆。\n\n综上，2023年全国新能源汽车销量约为749万辆。"),
    ),
    good=(
        Example(
            "The global heat pump market was worth $4.5 billion in 2023.\n\nIn summary, the global heat pump "
            "market reached almost $4.6 billion in 2023, and the European one $1.2 billion."
        ),
        Example(
            "2023年全国新能源汽车销量达到949万辆。\n\n2024年全国新能源汽车销量约为1286万辆，2023年出口120万辆。"
        ),
    ),
)
