"""Flags a heading that skips a level: ``##`` followed by ``####``.

Readers, screen readers and outline tools take heading levels as the structure of the argument. A skipped level leaves a
gap in this structure: a section seems to belong to a part that does not exist.

The first heading may have any level, and levels may be skipped on the way back up. If a report makes the same jump several
times, there is one finding, which refers to the others. The reference list may be at any level.

Known problems: a template that chooses levels by their appearance ("#### for boxes") is flagged too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Section
    from assay.subjects.report import Report


_JUMP: Final = Wording(
    en="Heading “{title}” is at level {lower} directly under “{parent}” at level {upper}{more}",
    zh="标题“{title}”是{lower}级，却直接位于{upper}级标题“{parent}”之下{more}",
)
_MORE: Final = Wording(en=", and {n} more like it", zh="，另有{n}处类似")


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield one finding for each kind of jump."""
    jumps: dict[tuple[int, int], list[Section]] = {}
    sections = report.sections
    for section in sections[2:]:
        above = sections[section.parent or 0]
        if above.index and section.level > above.level + 1 and not section.is_references:
            jumps.setdefault((above.level, section.level), []).append(section)
    for (upper, lower), jumping in jumps.items():
        first, *more = jumping
        above = sections[first.parent or 0]
        yield Hit(
            first.title_span,
            _JUMP(
                title=_short(first.title),
                lower=lower,
                parent=_short(above.title),
                upper=upper,
                more=_MORE(n=len(more)) if more else "",
            ),
            (above.title_span, *(section.title_span for section in more[:8])),
            confidence=0.85,
        )


def _short(title: str) -> str:
    return title if len(title) <= 60 else title[:57].rstrip() + "…"


CHECK = Check(
    code="STR002",
    name="heading-level-jump",
    severity="info",
    summary="A heading skips a level (## to ####)",
    run=run,
    default=False,
    bad=(
        Example("# Heat pumps\n\n## Costs\n\n#### Installation\n\nAbout 9,000 euros.\n"),
        Example("# 热泵\n\n## 成本\n\n#### 安装\n\n约九千欧元。\n"),
    ),
    good=(
        Example("# Heat pumps\n\n## Costs\n\n### Installation\n\nAbout 9,000 euros.\n\n# Outlook\n\nGood.\n"),
        Example("### 热泵\n\n#### 成本\n\n约九千欧元。\n\n## 展望\n\n良好。\n"),
    ),
    dimension="global_coherence",
    failure="expression_quality",
)
