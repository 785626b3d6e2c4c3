"""The same quantity with two different values.

If the summary puts a market at $4.5 billion in 2023 and the body at $5.4 billion, readers cannot use either. Figures of
sentences and of tables are compared if they name the same subject (in the clause, the label, the row or the heading
above), the same measure, unit, year and basis, or if the words around them are the same.

Not flagged are values that agree within rounding, bounds ("over 50") and approximations that hold, forecasts beside
facts, and values that the text attributes to different sources or explains.

Known problems: two quantities are reported as one if the sentences do not state how they differ. Conflicts in different
words are missed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.same_figure import agree, same_thing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.figures import Figure
    from assay.subjects.report import Report

# A word of many figures does not tell them apart; the limit also keeps the work linear.
_MOST_WITH_A_TERM: Final = 12
_SMALL: Final = 10

_CONFLICT: Final = Wording(
    en="{here} here, but {there} for the same thing on line {line}",
    zh="此处为{here}，第{line}行同一事项却为{there}",
)
_JUMP: Final = Wording(
    en="{here} here, but {there} on line {line}: the same figure, {times:,.0f} times apart",
    zh="此处为{here}，第{line}行为{there}：同一数字相差{times:,.0f}倍",
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each quantity with two values, at the second value."""
    groups: dict[tuple[str, str, str], list[Figure]] = defaultdict(list)
    for figure in report.figures:
        quantity = figure.quantity
        if quantity.pair or not quantity.value or (figure.sentence is None and figure.cell is None):
            continue
        if quantity.kind == "count" and (quantity.value < _SMALL or not (figure.counted or figure.measure)):
            continue
        groups[quantity.unit, figure.counted, figure.measure].append(figure)
    done: set[tuple[float, float]] = set()
    for members in groups.values():
        for a, b in _candidates(report, members):
            values = min(a.value, b.value), max(a.value, b.value)
            if values not in done and not agree(a, b) and same_thing(report, a, b):
                done.add(values)
                yield _finding(report, a, b)


def _candidates(report: Report, members: list[Figure]) -> list[tuple[Figure, Figure]]:
    """Return the pairs of figures that share a term of their clause, row or heading."""
    if len(members) < 2:
        return []
    having: dict[str, list[int]] = defaultdict(list)
    for i, figure in enumerate(members):
        for term in figure.subject | report.title_terms[figure.section]:
            having[term].append(i)
    pairs = {
        pair
        for places in having.values()
        if 1 < len(places) <= _MOST_WITH_A_TERM
        for pair in combinations(places, 2)
    }
    return [
        (members[i], members[j]) for i, j in sorted(pairs) if members[i].sentence is not members[j].sentence
    ]


def _finding(report: Report, a: Figure, b: Figure) -> Hit:
    line, _ = report.lines.place(a.quantity.start)
    powers = math.log10(abs(a.value / b.value))
    if a.dimension != "share" and abs(powers - round(powers)) < 1e-6:
        times = 10.0 ** abs(round(powers))
        return Hit(b.span, _JUMP(here=b.printed, there=a.printed, line=line, times=times), (a.span,), 0.85)
    return Hit(b.span, _CONFLICT(here=b.printed, there=a.printed, line=line), (a.span,), 0.8)


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
        Example(
            "## 票房排名\n\n票房前列：\n\n1. 《山海》- 46.87亿元\n\n## 《山海》\n\n**票房表现**：票房最终停留在46.16亿元。\n"
        ),
        Example(
            "The fund committed $30 million to rural broadband in 2022.\n\nIn short, the fund committed $30 "
            "billion to rural broadband in 2022."
        ),
        Example(
            "| Region | Revenue 2022 | Revenue 2023 |\n|---|---|---|\n| Northland | $90 million | $120 million |\n"
            "| Southland | $70 million | $80 million |\n\nIn 2023 Northland had a revenue of $150 million.\n"
        ),
        Example(
            "| 地区 | 装机容量（万千瓦） | 增速 |\n|---|---|---|\n| 山东 | 320 | 12% |\n| 河南 | 180 | 9% |\n\n"
            "从表中可见，山东的装机容量为420万千瓦。\n"
        ),
    ),
    good=(
        Example(
            "The global heat pump market was worth $4.5 billion in 2023.\n\nIn summary, the global heat pump "
            "market reached almost $4.6 billion in 2023, and the European one $1.2 billion."
        ),
        Example(
            "2023年全国新能源汽车销量达到949万辆。\n\n2024年全国新能源汽车销量约为1286万辆，2023年出口120万辆。"
        ),
        Example(
            "According to Acme, the global heat pump market was worth $4.5 billion in 2023.\n\nOther sources put it "
            "lower: the global heat pump market was worth $3.9 billion in 2023."
        ),
        Example(
            "# Firms\n\n## Alpha\n\n### Spending\n\n- Committed investment in 2023: $900 million\n\n## Beta\n\n"
            "### Spending\n\n- Committed investment in 2023: $670 million\n"
        ),
        Example(
            "| Region | Revenue 2022 | Revenue 2023 |\n|---|---|---|\n| Northland | $90 million | $120 million |\n"
            "| Southland | $70 million | $80 million |\n\nIn 2023 Northland had a revenue of $120 million.\n"
        ),
    ),
)
