"""A part of the query that the report leaves out, while it has a heading for each of the other parts.

The query lists its parts with a label each ("1. Costs: …", "4. 水价机制：…"). If the headings of the report follow
these labels and one label occurs neither in a heading nor in the text, this part was forgotten.

Known problems: the report may treat the part under an entirely different name, within another section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cov._lead import lead
from assay.checks.wording import Wording
from assay.subjects.query import read_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.query import RequestedAspect
    from assay.subjects.report import Report

_FEWEST_SIBLINGS: Final = 2

_MISSING: Final = Wording(
    en="The query asks for “{aspect}”; the report has a section for each other part and nothing on this one",
    zh="问题要求“{aspect}”；其他各项报告都有专门章节，唯独没有涉及这一项",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for the one part of the query that the report leaves out."""
    parts = read_query(report.query or "")
    labelled = [aspect for aspect in parts.aspects if aspect.keys and aspect.label != aspect.text]
    if not report.sentences or parts.language != report.language or len(labelled) < len(parts.aspects):
        return
    titles = "\n".join(section.title for section in report.sections[1:] if not section.is_references).lower()
    untitled = [aspect for aspect in labelled if not any(key in titles for key in aspect.keys)]
    if len(untitled) != 1 or len(labelled) <= _FEWEST_SIBLINGS:
        return
    (aspect,) = untitled
    body = report.cues.lower[: report.body_end]
    if len(aspect.keys) > 1 and not any(key in body for key in aspect.keys):
        yield RawFinding(lead(report), _MISSING(aspect=_short(aspect)), confidence=0.8)


def _short(aspect: RequestedAspect) -> str:
    return aspect.label if len(aspect.label) <= 80 else aspect.label[:77] + "…"


CHECK = Check(
    code="COV003",
    name="aspect-missing",
    severity="warning",
    summary="A labelled part of the query that the report leaves out, while the other parts have sections.",
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
            "by half and emissions by 63%. The peak load rises by 120 kW.",
            query="Report on heat pumps. 1. Installed cost: what does it cost? 2. Bills and emissions: how "
            "do they change? 3. Peak load: what happens to the winter grid?",
        ),
        Example(
            "# 再生水\n\n超滤的成本较低。主要风险是误接。建议分类收费。",
            query="请研究再生水。1. 工艺与成本：三条路线如何？2. 风险管控：怎样控制？3. 水价机制：怎样定价？",
        ),
    ),
)
