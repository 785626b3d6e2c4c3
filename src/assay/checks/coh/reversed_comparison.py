"""Flags a comparison that the report makes both ways round: A is cheaper than B here, B is cheaper than A there.

Which of two options is cheaper, better or faster is often the very point of a report. If the report states both orders,
one of them is wrong, and readers cannot know which.

The check compares "A is higher than B", "A outperforms B", A高于B and similar phrases. A and B must change sides, the
measure and the year must be the same, and neither sentence may be hedged, conditional or negated, or mention the order
only to reject it ("contrary to the belief that …").

Known problems: if the same word serves two measures ("higher than", of price and of quality), only the other words of
the sentences distinguish them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.coh._comparisons import ComparativeClause, find_comparisons
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_MOST_IN_GROUP = 30

_REVERSED: Final = Wording(
    en="This comparison is the reverse of line {line}: “{quote}”", zh="与第{line}行的比较方向相反：“{quote}”"
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each later comparison that reverses an earlier one."""
    groups: dict[str, list[ComparativeClause]] = {}
    for comparison in find_comparisons(report):
        groups.setdefault(comparison.scale, []).append(comparison)
    reported: set[int] = set()
    for group in groups.values():
        group.sort(key=lambda comparison: comparison.start)
        for i, later in enumerate(group[:_MOST_IN_GROUP]):
            for earlier in group[:i]:
                if later.start in reported or not _reversed(earlier, later):
                    continue
                reported.add(later.start)
                here, there = report.sentences[later.sentence].span, report.sentences[earlier.sentence].span
                line, _ = report.lines.place(earlier.start)
                yield RawFinding(
                    here,
                    _REVERSED(line=line, quote=_short(report.plain_text(there))),
                    (there,),
                    confidence=0.75,
                )


def _reversed(one: ComparativeClause, two: ComparativeClause) -> bool:
    if one.sentence == two.sentence or one.years != two.years:
        return False
    straight = _same(one.left, two.left) and _same(one.right, two.right)
    crossed = _same(one.left, two.right) and _same(one.right, two.left)
    if straight == crossed:
        return False
    if (one.side != two.side) != straight:
        return False
    # The other words of the sentences, such as the measure or the region, must overlap as well.
    both_sides = one.left | one.right | two.left | two.right
    mine, other = one.context - both_sides, two.context - both_sides
    return not mine or not other or bool(mine & other)


def _same(one: frozenset[str], two: frozenset[str]) -> bool:
    common = len(one & two)
    return common > 0 and 2 * common >= min(len(one), len(two))


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:157].rstrip() + "…"


CHECK = Check(
    code="COH002",
    name="reversed-comparison",
    severity="error",
    summary="Two things are compared one way here and the other way there",
    run=run,
    bad=(
        Example(
            "# Pumps\n\nGround pumps are more efficient than air pumps in winter.\n\n## Summary\n\n"
            "Air pumps are more efficient than ground pumps in winter.\n"
        ),
        Example(
            "# 热泵\n\n地源热泵的效率高于空气源热泵的效率。\n\n## 总结\n\n空气源热泵的效率高于地源热泵的效率。\n"
        ),
    ),
    good=(
        Example(
            "# Pumps\n\nGround pumps are more efficient than air pumps in winter.\n\n## Summary\n\n"
            "Air pumps are less efficient than ground pumps in winter. Air pumps are cheaper than ground pumps.\n"
        ),
        Example(
            "# Pumps\n\nGround pumps are more efficient than air pumps in winter.\n\n## Summary\n\n"
            "Contrary to the belief that air pumps are more efficient than ground pumps in winter, they use "
            "more power.\n"
        ),
        Example(
            "# Lengths\n\nIf the left list is longer than the right list, it is cut.\n\n"
            "If the right list is longer than the left list, the rest is dropped.\n"
        ),
        Example(
            "# 热泵\n\n地源热泵的效率高于空气源热泵的效率。\n\n## 总结\n\n空气源热泵的效率低于地源热泵的效率。\n"
        ),
    ),
    dimension="internal_consistency",
    failure="incoherence",
)
