"""A form that the query requests but the report does not have: a table, rows, a list, a length, a language, pictures.

Such requests are easy to check, and users are annoyed if they are ignored. Lengths may differ by a tenth. A number of
items is compared with the longest list, table, series of sibling headings or enumeration in the report.

Known problems: items in running prose, one paragraph each, are not counted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import FilledWording, Wording
from assay.subjects.author_years import mentioned_works
from assay.subjects.query import read_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.query_forms import RequestedForm
    from assay.subjects.report import Report
    from assay.subjects.span import Span

_LEEWAY: Final = 0.1
# Two or three items may be in any sentence; from this number on they form a visible list.
_FEWEST_ITEMS: Final = 4
_ENUMERATION: Final = re.compile(r"[,，、;；]")

_LACKS: Final = Wording(en="The query asks “{request}”, but {lack}", zh="问题要求“{request}”，但{lack}")
_NO_TABLE: Final = Wording(en="the report has no table", zh="报告中没有表格")
_FEW_ROWS: Final = Wording(en="the longest table has {n:row|rows}", zh="最长的表格只有{n}行")
_NO_IMAGE: Final = Wording(en="the report shows none", zh="报告中没有图片")
_NO_MIND_MAP: Final = Wording(
    en="the report has neither a diagram nor a nested outline", zh="报告中既没有图示，也没有多级提纲"
)
_NO_REFERENCES: Final = Wording(en="the report cites nothing", zh="报告没有任何引用")
_IN_CHINESE: Final = Wording(en="the report is in Chinese", zh="报告是中文的")
_IN_ENGLISH: Final = Wording(en="the report is in English", zh="报告是英文的")
_LENGTH: Final = Wording(en="the report has {n}", zh="报告有{n}字")
_FEW_ITEMS: Final = Wording(
    en="the longest list, table or enumeration has {n:item|items}", zh="最长的列表、表格或列举只有{n}项"
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each requested form that the report lacks."""
    forms = read_query(report.query or "").forms
    if not forms or not report.sentences:
        return
    for form in forms:
        lack, confidence = _lack(report, form)
        if lack is not None:
            request = " ".join(form.text.split()).rstrip("的")
            yield Hit(_lead(report), _LACKS(request=request, lack=lack), confidence=confidence)


def _lack(report: Report, form: RequestedForm) -> tuple[FilledWording | None, float]:
    kind = form.kind
    if kind == "table":
        return (None if report.tables or "<table" in report.source else _NO_TABLE()), 0.85
    if kind == "rows":
        most = max((len(table.rows) for table in report.tables), default=0)
        return (_FEW_ROWS(n=most) if form.low and most < form.low else None), 0.85
    if kind == "image":
        has = "![" in report.source or "<img" in report.source.lower()
        return (None if has else _NO_IMAGE()), 0.85
    if kind == "mind_map":
        has = (
            "![" in report.source
            or any(block.kind == "code" for block in report.blocks)
            or _deep_list(report)
        )
        return (None if has else _NO_MIND_MAP()), 0.7
    if kind == "references":
        has = bool(report.references or report.citations) or len(mentioned_works(report.source)) > 1
        return (None if has else _NO_REFERENCES()), 0.85
    if kind == "language":
        ok = report.language in (form.value, "und")
        return (None if ok else (_IN_CHINESE if report.language == "zh" else _IN_ENGLISH)()), 0.85
    if kind == "words":
        return _length(report, form), 0.8
    return _count(report, form), 0.6


def _length(report: Report, form: RequestedForm) -> FilledWording | None:
    words = report.words
    if form.low and words < form.low * (1 - _LEEWAY):
        return _LENGTH(n=words)
    if form.high and words > form.high * (1 + _LEEWAY):
        return _LENGTH(n=words)
    return None


def _count(report: Report, form: RequestedForm) -> FilledWording | None:
    if not form.low or form.low < _FEWEST_ITEMS:
        return None
    most = max(
        max((len(table.rows) for table in report.tables), default=0),
        max((len(section.children) for section in report.sections), default=0),
        _longest_list(report),
    )
    if most >= form.low:
        return None
    for sentence in report.sentences:
        if len(sentence.span) > form.low * 3:
            most = max(
                most, len(_ENUMERATION.findall(report.plain, sentence.span.start, sentence.span.end)) + 1
            )
            if most >= form.low:
                return None
    return _FEW_ITEMS(n=most)


def _longest_list(report: Report) -> int:
    """Return the largest number of items or paragraphs at one depth of one section."""
    counts: dict[tuple[int, int], int] = {}
    for block in report.blocks:
        if block.kind in ("item", "paragraph"):
            key = (block.section, block.depth)
            counts[key] = counts.get(key, 0) + 1
    return max(counts.values(), default=0)


def _deep_list(report: Report) -> bool:
    return any(block.kind == "item" and block.depth >= 2 for block in report.blocks)


_TABLE = "| Option | Cost |\n|---|---:|\n| A | 10 |\n| B | 12 |\n"


def _lead(report: Report) -> Span:
    """Return where to report what a report lacks: its title, or else its first sentence."""
    first = report.sentences[0].span
    titled = [section for section in report.sections[1:2] if section.span.start <= first.start]
    return titled[0].title_span if titled else first


CHECK = Check(
    code="COV004",
    name="requested-form-missing",
    severity="warning",
    summary="A table, number of rows or items, length, language or picture that the query asks for is not there.",
    run=run,
    needs=("query",),
    dimension="task_alignment",
    failure="incomplete_coverage",
    bad=(
        Example(
            "# Costs\n\nOption A costs 10 and option B costs 12.", query="Compare the options in a table."
        ),
        Example(f"# Costs\n\nThe costs are low.\n\n{_TABLE}", query="Give a table with at least 5 rows."),
        Example("# 成本\n\n方案甲较便宜，方案乙较贵。", query="请用表格比较两个方案的成本。"),
    ),
    good=(
        Example(f"# Costs\n\nThe costs are low.\n\n{_TABLE}", query="Compare the options in a table."),
        Example(
            "# 成本\n\n成本如下。\n\n| 方案 | 成本 |\n|---|---|\n| 甲 | 10 |\n",
            query="请用表格比较两个方案的成本。",
        ),
    ),
)
