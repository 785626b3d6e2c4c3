"""Flags a heading with nothing under it before the next heading of the same or a higher rank, and empty table columns.

An empty section promises content that the report does not deliver. In generated text it is usually a part that was
planned but never written, or the point where the writing stopped.

A heading that is directly followed by another of the same level which has text is a note only, one for the whole report:
either the section is empty, or the levels hide that the next ones are its parts.

A column of a table with three or more rows is empty if all its cells are blank or say "n/a" or "not specified": it was
planned for content that was not found, or its sources were lost.

A heading that is directly followed by its own subheadings is not empty; nor is the report's title, a subtitle or date
below it, nor a divider such as "Part II" before sections of the same level.

Known problems: a section whose content only appears in the rendered page (a widget, an include) looks empty.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.heading_labels import title_words
from assay.subjects.roles import title_role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import ReportTable, Section
    from assay.subjects.report import Report

_FEW = 3
_FEWEST_ROWS: Final = 3
_NOTHING: Final = re.compile(
    r"\s*(?:n/?a\b\.?|(?:not (?:specified|stated|available|provided|reported|given|disclosed|found|known)|unspecified"
    r"|unknown|undisclosed)\b[^|\n]{0,24}|未(?:提供|说明|公开|披露|提及|明确)|不详|未知|暂无(?:数据|信息)?|无数据)?\s*\Z",
    re.IGNORECASE,
)
_DATED: Final = re.compile(
    r"(?i)\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (?:\d{1,2},? )?20\d\d|20\d\d年\d{1,2}月"
    r"|20\d\d-\d\d"
)
_DIVIDERS = frozenset({"part", "chapter", "section", "appendix", "第部分", "第篇", "第章"})

_EMPTY: Final = Wording(en="Section “{title}” is empty; {next}", zh="“{title}”一节没有内容，{next}")
_FLAT: Final = Wording(
    en="“{title}” has no text of its own; “{next}”, a heading of the same level, follows at once{more}",
    zh="“{title}”之下没有文字，紧接着是同级标题“{next}”{more}",
)
_MORE: Final = Wording(en=", and {n:place|places} more like it", zh="，另有{n}处类似")
_END_FOLLOWS: Final = Wording(en="the report ends there", zh="报告到此结束")
_COLUMN: Final = Wording(
    en="The column “{title}” is empty in all {n} rows{more}", zh="“{title}”一列的{n}行全是空的{more}"
)
_MORE_COLUMNS: Final = Wording(en=", and {n:column|columns} more", zh="，另有{n}列如此")
_TITLE_FOLLOWS: Final = Wording(en="“{title}” follows at once", zh="紧接着就是“{title}”")
_HEADING_FOLLOWS: Final = Wording(en="another heading follows at once", zh="紧接着就是另一个标题")


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each section without text, table, figure or subsection, and one for empty columns."""
    yield from _columns(report)
    filled = {block.section for block in report.blocks if block.kind not in ("heading", "rule")}
    sections = report.sections
    findings: list[Hit] = []
    flat: list[Section] = []
    for section in sections[1:]:
        if section.index in filled or section.children or section.is_references:
            continue
        following = sections[section.index + 1] if section.index + 1 < len(sections) else None
        if section.index == 1 and following is not None:
            # The report's title, if the sections have the same level.
            continue
        if following is not None and title_words(following.title) == title_words(section.title):
            # STR005 reports duplicate headings.
            continue
        if following is not None and _is_title(report, section, following):
            continue
        label = report.heading_labels[section.index]
        if label and label.style in _DIVIDERS and following is not None and following.level == section.level:
            continue
        if not section.title or section.title.startswith(("[", "(", "（", "【")):
            # A remark that is formatted as a heading.
            continue
        if (
            following is not None
            and (following.index in filled or following.children)
            and following.level == section.level
            and section.level > 1
        ):
            # The part may be meant to hold the sections after it, although the headings do not say so.
            flat.append(section)
            continue
        if following is None:
            what_follows = _END_FOLLOWS()
        else:
            what_follows = _TITLE_FOLLOWS(title=following.title) if following.title else _HEADING_FOLLOWS()
        findings.append(
            Hit(section.title_span, _EMPTY(title=section.title, next=what_follows), confidence=0.9)
        )
    if len(findings) > _FEW and len(findings) * 2 >= len(sections):
        # If most headings are empty, they are not headings but comments of a script or lines of a licence with "#".
        return
    yield from findings
    if flat and len(flat) * 2 < len(sections):
        first, *others = flat
        following = sections[first.index + 1]
        yield Hit(
            first.title_span,
            _FLAT(title=first.title, next=following.title, more=_MORE(n=len(others)) if others else ""),
            tuple(section.title_span for section in others),
            confidence=0.8,
            severity="info",
        )


def _is_title(report: Report, section: Section, following: Section) -> bool:
    """Return whether a heading is a line of the title page: a subtitle or date below the title, or a title itself."""
    if report.heading_labels[section.index] is not None:
        return False
    below = report.sections[section.index - 1]
    if section.index == 2 and not report.plain[below.title_span.end : section.span.start].strip():
        return section.level > following.level or _DATED.search(section.title) is not None
    return title_role(following.title) in ("summary", "introduction") and section.level == following.level


def _columns(report: Report) -> Iterator[Hit]:
    empty: list[tuple[ReportTable, int]] = []
    for table in report.tables:
        if len(table.rows) >= _FEWEST_ROWS:
            columns = [at for at in range(1, len(table.header)) if _is_empty(report, table, at)]
            # A table without any content beside its first column is a form to be filled in.
            if len(columns) < len(table.header) - 1:
                empty.extend((table, at) for at in columns if table.header[at].text.strip())
    if empty:
        table, column = empty[0]
        cell = table.header[column]
        more = _MORE_COLUMNS(n=len(empty) - 1) if len(empty) > 1 else ""
        yield Hit(
            cell.span,
            _COLUMN(title=cell.text.strip(), n=len(table.rows), more=more),
            tuple(other.header[at].span for other, at in empty[1:]),
            confidence=0.85,
        )


def _is_empty(report: Report, table: ReportTable, column: int) -> bool:
    # The text of a cell that holds only a citation or code is blank, its source is not.
    return all(
        len(row) > column and _NOTHING.match(report.text(row[column].span)) is not None for row in table.rows
    )


CHECK = Check(
    code="STR003",
    name="empty-section",
    severity="warning",
    summary="A heading with nothing under it, or a table column without content",
    run=run,
    bad=(
        Example("# Report\n\n## Costs\n\n## Outlook\n\nPrices fall.\n"),
        Example("# 报告\n\n## 展望\n\n价格下降。\n\n## 结论\n"),
        Example("| Pump | Price | Source |\n|---|---|---|\n| A | 9 | |\n| B | 8 | |\n| C | 7 | |\n"),
    ),
    good=(
        Example("| Pump | Price | Source |\n|---|---|---|\n| A | 9 | [1] |\n| B | 8 | |\n| C | 7 | `x` |\n"),
        Example(
            "# Report\n\n## Costs\n\n### Installation\n\nNine thousand euros.\n\n## Outlook\n\nPrices fall.\n"
        ),
        Example(
            "# 报告\n\n## 成本\n\n| 项目 | 价格 |\n|---|---|\n| 安装 | 9000 |\n\n## 展望\n\n价格下降。\n"
        ),
    ),
    dimension="global_coherence",
    failure="incomplete_coverage",
)
