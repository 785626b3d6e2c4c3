"""An aspect of the query that is only mentioned in passing, while other aspects get paragraphs.

A part that a long report mentions once or twice is acknowledged but not answered. An aspect is flagged if its words occur
in at most two sentences and in no heading, in a report of at least 600 words that treats a typical aspect in at least six
sentences.

Known problems: a report may treat the part at length in other words.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cov._coverage import treatments
from assay.checks.cov.aspect_missing import missing
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_FEW_PLACES: Final = 2
_SIBLING_PLACES: Final = 6
_LONG: Final = 600

_THIN: Final = Wording(
    en="The query asks for “{aspect}”, but only {n:sentence treats|sentences treat} it; its sibling aspects "
    "have {median:g}",
    zh="问题要求“{aspect}”，报告只有{n}句涉及，而其他方面一般有{median:g}句",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each aspect that is only mentioned in passing."""
    aspects = treatments(report)
    if len(aspects) < 3 or median(len(t.places) for t in aspects) < _SIBLING_PLACES:
        return
    for treatment in aspects:
        count = len(treatment.places)
        if not 0 < count <= _FEW_PLACES or treatment.titled or missing(treatment):
            continue
        # A plain question has many words that need not recur in its answer; a label or an item is usually repeated.
        if treatment.aspect.kind == "question" and treatment.aspect.label == treatment.aspect.text:
            continue
        # The report may treat the aspect with words that are not keys because the whole query uses them.
        if treatment.aspect.share <= 0.5:
            continue
        if report.words < _LONG:
            return
        start = treatment.places[0]
        sentence = report.sentence_at(start)
        block = report.block_at(start)
        # A table column treats its aspect in every row.
        if sentence is None and block is not None and block.kind == "table":
            continue
        span = sentence.span if sentence else Span(start, start + 1)
        middle = median(len(t.places) for t in aspects)
        yield RawFinding(
            span,
            _THIN(aspect=treatment.aspect.label, n=count, median=middle),
            confidence=0.6,
        )


def _sections(*titles: str) -> str:
    return "\n\n".join(
        f"## {title}\n\n"
        + " ".join(
            f"The {title} of plant {n} changed in spring and {title} mattered to most of the staff there."
            for n in range(9)
        )
        for title in titles
    )


_QUERY = "Study the plants and cover aspects such as wages, safety, training, and recruitment."


def _zh_sections(*titles: str) -> str:
    return "\n\n".join(
        f"## {title}\n\n"
        + "".join(
            f"第{n}号工厂的{title}今年春天有所改变，多数员工都很在意{title}，管理人员也作了说明。"
            for n in range(9)
        )
        for title in titles
    )


_ZH_QUERY = "请研究这些工厂，请包括：工资、安全、福利、招聘。"

CHECK = Check(
    code="COV008",
    name="aspect-thin",
    severity="info",
    summary="A listed aspect of the query that gets a sentence or two while its siblings get paragraphs.",
    run=run,
    needs=("query",),
    dimension="task_alignment",
    failure="incomplete_coverage",
    bad=(
        Example(
            _zh_sections("工资", "安全", "福利") + "招聘较慢。" + _zh_sections("工资", "安全"),
            query=_ZH_QUERY,
        ),
        Example(
            _sections("wages", "safety", "training") + " Recruitment is slow." + _sections("wages", "safety"),
            query=_QUERY,
        ),
    ),
    good=(
        Example(_sections("wages", "safety", "training", "recruitment"), query=_QUERY),
        Example(_zh_sections("工资", "安全", "福利", "招聘"), query=_ZH_QUERY),
    ),
)
