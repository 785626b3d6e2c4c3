"""Parts of one whole that add up to more than 100 %.

"Solar holds 45 %, wind 40 % and hydro 30 % of the market" cannot be: at least one of the shares is wrong, or they are
not shares of the same thing. Looked at are enumerations in a sentence, lists under a line that announces a breakdown,
and table columns of shares or weights. Half a unit in the last place of every part, and half a percent besides, are
allowed for rounding.

Left alone: answers of which several may be given, nested parts ("of which"), changes, rates, different wholes.

Known problems: categories that overlap without the text saying so are reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.num._numbers import show, span_of
from assay.checks.num._shares import shares
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_MOST: Final = 200.0  # beyond twice the whole nobody meant a whole

_EXCEEDS: Final = Wording(
    en="The parts {parts} add up to {total:.4g} %, more than the whole",
    zh="各部分{parts}合计{total:.4g}%，超过整体",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each group of shares above 100 %."""
    for group in shares(report):
        total = group.total
        if 100 + group.slack < total <= _MOST and all(part.value < 100 for part in group.parts):
            listed = " + ".join(show(report, part) for part in group.parts[:8])
            what = _EXCEEDS(parts=listed, total=total)
            yield RawFinding(span_of(*group.parts), what, (), group.confidence)


CHECK = Check(
    code="NUM001",
    name="shares-exceed-whole",
    severity="error",
    summary="parts of one whole that add up to more than 100 %",
    run=run,
    dimension="internal_consistency",
    failure="fabrication",
    bad=(
        Example(
            "Solar holds 45% of installed capacity, wind 40%, and hydro 30%, accounting for the whole fleet."
        ),
        Example("Market share by vendor:\n\n- Alpha: 48%\n- Beta: 37%\n- Gamma: 29%\n"),
        Example("从用户构成看，一线城市占45%，二线城市占38%，其他城市占27%。"),
    ),
    good=(
        Example(
            "Solar holds 45% of installed capacity, wind 40%, and hydro 15%, accounting for the whole fleet."
        ),
        Example(
            "Multiple answers were allowed: price was cited by 65%, noise by 48%, and size by 33%, a "
            "distribution seen before."
        ),
        Example("从用户构成看，一线城市占45%，二线城市占38%，其他城市占17%。"),
    ),
)
