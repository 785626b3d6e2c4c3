"""Flags a title that occurs twice at the same level under the same heading, and a report that starts again.

If two sibling sections have the same title, a part was written or pasted twice, or readers cannot distinguish two
different parts. If the title of the whole report recurs, the report contains two drafts.

Titles that recur under different parents ("Strengths" for each product) are not flagged. Titles that differ only in number
or case count as the same.

Known problems: in a flat list of headings ("Company A", "Risks", "Company B", "Risks"), recurring titles are only accepted
if several of them recur.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.heading_labels import title_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Section
    from assay.subjects.report import Report

# A title that recurs this often is part of the layout and not a mistake.
_PATTERN = 3
_SHOWN: Final = 8

_RESTART: Final = Wording(
    en="The report's title “{title}” appears a second time: the report seems to start again here",
    zh="报告标题“{title}”再次出现，报告似乎在此重新开始",
)
_TWICE: Final = Wording(
    en="Section title “{title}” is used twice at the same level", zh="同一级有两个标题都是“{title}”"
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each title that several siblings have, at the second of them."""
    groups: dict[tuple[int | None, int, str], list[Section]] = {}
    for section in report.sections[1:]:
        # The plain title does not contain code, which may be the only difference ("`get` options", "`set` options").
        raw = report.text(section.title_span)
        words = " ".join(raw.split()) if "`" in raw else title_words(section.title)
        if words:
            groups.setdefault((section.parent, section.level, words), []).append(section)
    repeated = {key: group for key, group in groups.items() if len(group) > 1}
    recurring: dict[tuple[int | None, int], int] = {}
    for parent, level, _ in repeated:
        recurring[parent, level] = recurring.get((parent, level), 0) + 1
    for (parent, level, _), group in repeated.items():
        restart = group[0].index == 1 and group[0].level == 1
        if not restart and (len(group) >= _PATTERN or recurring[parent, level] >= _PATTERN):
            continue
        first, later, *others = group
        if restart:
            message = _RESTART(title=later.title)
        else:
            message = _TWICE(title=later.title or " ".join(report.text(later.title_span).split()))
        related = (first.title_span, *(other.title_span for other in others[:_SHOWN]))
        yield Hit(later.title_span, message, related, confidence=0.9 if restart else 0.8)


CHECK = Check(
    code="STR005",
    name="duplicate-heading",
    severity="warning",
    summary="The same section title twice at the same level, or the report's title again",
    run=run,
    bad=(
        Example("# Heat pumps\n\n## Costs\n\nHigh.\n\n## Subsidies\n\nLow.\n\n## Costs\n\nHigh again.\n"),
        Example("# 热泵报告\n\n前言。\n\n# 热泵报告\n\n## 成本\n\n很高。\n"),
    ),
    good=(
        Example("# Tool\n\n## The `get` option\n\nReads.\n\n## The `set` option\n\nWrites.\n"),
        Example("# Pumps\n\n## Air\n\n### Costs\n\nHigh.\n\n## Ground\n\n### Costs\n\nHigher.\n"),
        Example("# 热泵报告\n\n## 空气源\n\n### 成本\n\n高。\n\n## 地源\n\n### 成本\n\n更高。\n"),
    ),
    dimension="global_coherence",
    failure="incoherence",
)
