"""A name of the query – a person, product, place, organisation – that the report never mentions.

A reader who asks about three companies expects to read about all three. A name counts as mentioned if any of its
distinctive words occurs anywhere in the report, including the references, in any known spelling (U.S., United States,
美国).

Known problems: names that the query mentions only in passing are reported too. Translations are only known for countries
and common abbreviations, so names in another script than the report's are not checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cov._coverage import lead
from assay.checks.wording import Wording
from assay.subjects.query import read_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.query import QueryParts
    from assay.subjects.query_names import QueryName
    from assay.subjects.report import Report


_NEVER_NAMED: Final = Wording(
    en="The query names “{name}”, but the report never mentions it", zh="问题提到“{name}”，报告却从未提及"
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each name in the query that the report does not mention."""
    parts = read_query(report.query or "")
    lower = report.cues.lower
    if not report.sentences:
        return
    absent = [
        name
        for name in parts.names
        if _comparable(name, parts, report) and not any(form in lower for form in name.forms)
    ]
    # The plain text does not contain code and link targets, so the names are also looked up in the source.
    source = report.source.lower() if absent else ""
    for name in absent:
        if not any(form in source for form in name.forms):
            yield RawFinding(
                lead(report),
                _NEVER_NAMED(name=name.text),
                confidence=0.75,
            )


def _comparable(name: QueryName, parts: QueryParts, report: Report) -> bool:
    """Return whether the name can be looked up: Latin names in every report, others only in the query's language."""
    return name.text.isascii() or report.language == parts.language


CHECK = Check(
    code="COV001",
    name="query-entity-missing",
    severity="warning",
    summary="A person, product, place or organisation of the query that the report never mentions.",
    run=run,
    needs=("query",),
    dimension="task_alignment",
    failure="incomplete_coverage",
    bad=(
        Example(
            "# Investors\n\nWarren Buffett buys businesses he understands. Charlie Munger looked for quality.",
            query="What are the investment philosophies of Duan Yongping, Warren Buffett, and Charlie Munger?",
        ),
        Example(
            "# 比较\n\nGCS算法适合凸集内的路径求解，速度较快。", query="请比较GCS算法与PRM算法的优缺点。"
        ),
    ),
    good=(
        Example(
            "# Investors\n\nBuffett buys businesses he understands. Munger looked for quality. Duan prefers "
            "few holdings.",
            query="What are the investment philosophies of Duan Yongping, Warren Buffett, and Charlie Munger?",
        ),
        Example("# 比较\n\nGCS算法速度较快，PRM算法更简单。", query="请比较GCS算法与PRM算法的优缺点。"),
    ),
)
