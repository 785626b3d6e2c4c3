"""The same quantity with two different values.

If the summary puts a market at $4.5 billion in 2023 and the body at $5.4 billion, readers cannot use either. Two numbers
are compared if their units, years and periods are the same and the words around them name the same quantity, nearly word
for word.

Not flagged are values that agree within rounding, bounds ("over 50") and approximations that hold, estimates that the
text attributes to different sources, and list items whose heading names the subject.

Known problems: two quantities are reported as one if the sentences do not state how they differ. Conflicts in different
words are missed.
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
    """Yield a finding for each quantity with two values, at the second value."""
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
