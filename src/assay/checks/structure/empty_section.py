"""Flags a heading with nothing under it before the next heading of the same or a higher rank.

An empty section promises content that the report does not deliver. In generated text it is usually a part that was
planned but never written, or the point where the writing stopped.

A heading that is directly followed by another of the same level which has text is a note only, one for the whole report:
either the section is empty, or the levels hide that the next ones are its parts.

A heading that is directly followed by its own subheadings is not empty; nor is the report's title, nor a divider such as
"Part II" before sections of the same level.

Known problems: a section whose content only appears in the rendered page (a widget, an include) looks empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.structure._labels import read_label, title_words
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_FEW = 3
_DIVIDERS = frozenset({"part", "chapter", "section", "appendix", "第部分", "第篇", "第章"})

_EMPTY: Final = Wording(en="Section “{title}” is empty; {next}", zh="“{title}”一节没有内容，{next}")
_FLAT: Final = Wording(
    en="“{title}” has no text of its own; “{next}”, a heading of the same level, follows at once{more}",
    zh="“{title}”之下没有文字，紧接着是同级标题“{next}”{more}",
)
_MORE: Final = Wording(en=", and {n:place|places} more like it", zh="，另有{n}处类似")
_END_FOLLOWS: Final = Wording(en="the report ends there", zh="报告到此结束")
_TITLE_FOLLOWS: Final = Wording(en="“{title}” follows at once", zh="紧接着就是“{title}”")
_HEADING_FOLLOWS: Final = Wording(en="another heading follows at once", zh="紧接着就是另一个标题")


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each section without text, table, figure or subsection."""
    filled = {block.section for block in report.blocks if block.kind not in ("heading", "rule")}
    sections = report.sections
    findings: list[RawFinding] = []
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
        label = read_label(section.title)
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
            RawFinding(section.title_span, _EMPTY(title=section.title, next=what_follows), confidence=0.9)
        )
    if len(findings) > _FEW and len(findings) * 2 >= len(sections):
        # If most headings are empty, they are not headings but comments of a script or lines of a licence with "#".
        return
    yield from findings
    if flat and len(flat) * 2 < len(sections):
        first, *others = flat
        following = sections[first.index + 1]
        yield RawFinding(
            first.title_span,
            _FLAT(title=first.title, next=following.title, more=_MORE(n=len(others)) if others else ""),
            tuple(section.title_span for section in others),
            confidence=0.8,
            severity="info",
        )


CHECK = Check(
    code="STR003",
    name="empty-section",
    severity="warning",
    summary="A heading with nothing under it",
    run=run,
    bad=(
        Example("# Report\n\n## Costs\n\n## Outlook\n\nPrices fall.\n"),
        Example("# 报告\n\n## 展望\n\n价格下降。\n\n## 结论\n"),
    ),
    good=(
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
