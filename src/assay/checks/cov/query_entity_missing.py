"""Names of the query – people, products, places, organisations – that the report never mentions.

A reader who asks about three companies expects to read about all three. A name counts as mentioned if any of its
distinctive words occurs anywhere in the report, including the references, in any known spelling (U.S., United States,
美国), or if the report spells it out.

Names in brackets and after "such as" are examples and may be left out. A query that is a set of instructions (with
headings, or several pages long), a file name or a bare title does not ask about the names in it. There is one finding for
the whole report.

Known problems: translations are only known for countries and common abbreviations, so names in another script than the
report's are not checked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cov._lead import lead
from assay.checks.wording import Wording, series
from assay.subjects.query import read_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.query import QueryParts
    from assay.subjects.query_names import QueryName
    from assay.subjects.report import Report

# A query of more than this, or with a heading of its own, is a set of instructions.
_LONGEST_QUERY: Final = 1_500
_HEADING: Final = re.compile(r"^#{1,4} ", re.MULTILINE)
_MOST_NAMED: Final = 6

_NEVER_NAMED: Final = Wording(
    en="The query names {names}, but the report never mentions {n:=it|them}",
    zh="问题提到{names}，报告却从未提及",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for all names in the query that the report does not mention."""
    query = report.query or ""
    if not report.sentences or len(query) > _LONGEST_QUERY or (" " not in query.strip() and query.isascii()):
        return
    parts = read_query(query)
    if _HEADING.search(query) or not parts.names:
        return
    lower = report.cues.lower
    absent = [
        name
        for name in parts.names
        if not name.in_passing and _comparable(name, parts, report) and not _mentions(report, lower, name)
    ]
    # The plain text does not contain code and link targets, so the names are also looked up in the source.
    source = report.source.lower() if absent else ""
    texts = [name.text for name in absent if not any(form in source for form in name.forms)]
    if texts:
        yield RawFinding(
            lead(report),
            _NEVER_NAMED(
                names=series(texts[:_MOST_NAMED], "and", quoted=True, cut=len(texts) > _MOST_NAMED),
                n=len(texts),
            ),
            confidence=0.75,
        )


def _mentions(report: Report, lower: str, name: QueryName) -> bool:
    return name.text in report.abbreviations or any(form in lower for form in name.forms)


def _comparable(name: QueryName, parts: QueryParts, report: Report) -> bool:
    """Return whether the name can be looked up: Latin names in every report, others only in the query's language."""
    return name.text.isascii() or report.language == parts.language


CHECK = Check(
    code="COV001",
    name="query-entity-missing",
    severity="warning",
    summary="People, products, places or organisations of the query that the report never mentions.",
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
        Example(
            "# Firms\n\nConsultants invest in models and train their staff.",
            query="How do consulting firms (e.g., Accenture, Capgemini) invest in artificial intelligence?",
        ),
        Example("# 比较\n\nGCS算法速度较快，PRM算法更简单。", query="请比较GCS算法与PRM算法的优缺点。"),
    ),
)
