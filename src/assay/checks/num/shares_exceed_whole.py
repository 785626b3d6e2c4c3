"""Parts of one whole that add up to more than 100 %.

"Solar holds 45 %, wind 40 % and hydro 30 % of the market" is impossible: at least one of the shares is wrong, or they are
not shares of the same whole. The check covers enumerations in a sentence, lists below a line that announces a breakdown,
and table columns of shares or weights. It allows for rounding: half a unit in the last digit of every part, plus half a
percentage point.

Not flagged are multiple-choice answers, nested parts ("of which"), changes, rates, and shares of different wholes.

Known problems: overlapping categories are reported if the text does not say that they overlap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.num._numbers import show, span_of
from assay.checks.num._shares import Shares, shares
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_MOST: Final = 200.0  # percentages with a larger sum are not meant as parts of one whole

_EXCEEDS: Final = Wording(
    en="The parts {parts} add up to {total:.4g} %, more than the whole",
    zh="各部分{parts}合计{total:.4g}%，超过整体",
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each group of shares above 100 %."""
    for group in shares(report):
        total = group.total
        if 100 + group.slack < total <= _MOST and not _overlapping(group):
            listed = " + ".join(show(report, part) for part in group.parts[:8])
            what = _EXCEEDS(parts=listed, total=total)
            yield Hit(span_of(*group.parts), what, (), group.confidence)


def _overlapping(group: Shares) -> bool:
    """Return whether some of the parts already make up the whole, so that the others must overlap with them."""
    total = group.total
    if any(part.value >= 100 or abs(total - part.value - 100) <= 2 for part in group.parts):
        return True
    running = 0.0
    return any(abs((running := running + part.value) - 100) <= 2 for part in group.parts[:-1])


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
        Example("The 144 questions have a difficulty breakdown of 65% easy, 68% medium, and 11% hard."),
        Example("The records were divided into sets for training, validation and test of 75%, 15% and 15%."),
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
        Example("玩家分布（53%男性，46%女性，6%少数群体）。"),
    ),
)
