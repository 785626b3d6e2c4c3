"""A year or period of the query that the report never mentions.

Figures that stop at 2030 do not answer a question about 2020 to 2050. The check looks for the first and the last year of
the period. Limits on sources ("since 2020"), dates of construction and years in titles do not count.

Known problems: a report that says "this year" instead of "2025" is flagged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cov._coverage import lead
from assay.checks.wording import Wording
from assay.subjects.query import read_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report


_YEAR_MISSING: Final = Wording(
    en="The query asks about {year}, but the report never mentions that year",
    zh="问题问到{year}年，报告却从未提及这一年",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each year in the query that the report does not mention."""
    years = [year for year in read_query(report.query or "").years if not year.bound]
    if not years or not report.sentences:
        return
    for year in years:
        if str(year.value) not in report.source:
            yield RawFinding(
                lead(report),
                _YEAR_MISSING(year=year.value),
                confidence=0.75,
            )


CHECK = Check(
    code="COV002",
    name="query-year-missing",
    severity="warning",
    summary="A year of the query's period that the report never mentions.",
    run=run,
    needs=("query",),
    dimension="task_alignment",
    failure="incomplete_coverage",
    bad=(
        Example(
            "# Ageing\n\nIn 2020 there were 36 million elderly people. In 2030 there will be about 37 million.",
            query="From 2020 to 2050, how many elderly people will there be in Japan?",
        ),
        Example("# 黄金\n\n2020年金价创下新高。", query="分析 2010 年至今的黄金走势。"),
    ),
    good=(
        Example(
            "# Ageing\n\nIn 2020 there were 36 million elderly people, and in 2050 there may be 39 million.",
            query="From 2020 to 2050, how many elderly people will there be in Japan? Use sources since 2019.",
        ),
        Example("# 黄金\n\n2010年至2020年金价先升后降。", query="分析 2010 年至今的黄金走势。"),
    ),
)
