"""A sub-question or listed aspect of the query that the report never treats.

The check covers numbered parts, lists of aspects ("cover costs, risks and staff", 包括…等维度) and several questions in a
row. Each aspect is identified by words that do not occur in the rest of the query. If the report contains none of them,
or only one of several in a sentence or two, it does not answer this part.

Known problems: a report may treat the part in other words (ratings for 信誉度).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cov._coverage import Treatment, lead, treatments
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_FEW_PLACES: Final = 2
_FEWEST_QUESTION_KEYS: Final = 4

_MISSING: Final = Wording(
    en="The query asks for “{aspect}”, but no part of the report treats it",
    zh="问题要求“{aspect}”，报告却没有任何部分涉及",
)


def missing(treatment: Treatment) -> float:
    """Return the confidence that the report does not treat the aspect; 0 if it does or if that is unclear."""
    aspect = treatment.aspect
    keys = len(aspect.keys)
    chinese = not aspect.keys[0].isascii()
    named = aspect.kind == "item" or aspect.label != aspect.text
    # Some bigrams of a Chinese question cross word boundaries and mean nothing; in a label or item that hardly matters.
    if not named and (chinese or keys < _FEWEST_QUESTION_KEYS):
        return 0.0
    if named and aspect.share <= (0.3 if chinese else 0.5):
        return 0.0
    if treatment.present == 0:
        return 0.75
    if treatment.titled or len(treatment.places) > _FEW_PLACES:
        return 0.0
    share = treatment.present / keys
    # Bigrams across word boundaries do not recur, so in Chinese a share of one half proves nothing.
    return 0.6 if keys >= 2 and share <= (0.2 if chinese or not named else 0.5) else 0.0


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each aspect that the report never treats."""
    if not report.sentences:
        return
    for treatment in treatments(report):
        confidence = missing(treatment)
        if not confidence:
            continue
        label = treatment.aspect.label
        shown = label if len(label) <= 80 else label[:77] + "…"
        yield RawFinding(
            lead(report),
            _MISSING(aspect=shown),
            related=tuple(s.span for place in treatment.places if (s := report.sentence_at(place))),
            confidence=confidence,
        )


CHECK = Check(
    code="COV003",
    name="aspect-missing",
    severity="warning",
    summary="A sub-question or listed aspect of the query that no part of the report treats.",
    run=run,
    needs=("query",),
    dimension="task_alignment",
    failure="incomplete_coverage",
    bad=(
        Example(
            "# Heat pumps\n\n## Costs\n\nThe installed cost is $19,500 per home.\n\n## Bills\n\nBills fall "
            "by half and emissions by 63%.",
            query="Report on heat pumps. 1. Installed cost: what does it cost? 2. Bills and emissions: how "
            "do they change? 3. Peak load: what happens to the winter grid?",
        ),
        Example(
            "# 再生水\n\n## 工艺\n\n超滤的成本较低。\n\n## 风险\n\n主要风险是误接。",
            query="请研究再生水。1. 工艺与成本：三条路线如何？2. 风险管控：怎样控制？3. 水价机制：怎样定价？",
        ),
    ),
    good=(
        Example(
            "# Heat pumps\n\n## Costs\n\nThe installed cost is $19,500 per home.\n\n## Bills\n\nBills fall "
            "by half and emissions by 63%.\n\n## Peak\n\nThe peak load rises by 120 kW.",
            query="Report on heat pumps. 1. Installed cost: what does it cost? 2. Bills and emissions: how "
            "do they change? 3. Peak load: what happens to the winter grid?",
        ),
        Example(
            "# 再生水\n\n## 工艺\n\n超滤的成本较低。\n\n## 风险\n\n主要风险是误接。\n\n## 水价\n\n建议实行分类水价。",
            query="请研究再生水。1. 工艺与成本：三条路线如何？2. 风险管控：怎样控制？3. 水价机制：怎样定价？",
        ),
    ),
)
