"""A citation marker without an entry: ``[36]`` although the reference list ends at 35.

Readers cannot look the source up. In reports written by agents, such a marker is often left over from a longer list, or
made up. One finding names all such markers. If a report has markers but no list at all, one finding says so.

Nothing is flagged if most markers have no entry, because the list is then not that of the markers; nor are markers with
their own link, and ``<cite id>`` tags in reports without a list.

Known problems: in a report with numbered sources, a bracketed number that is not a citation (an interval, an array index)
looks like one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import has_own_address, label, markers, ranges
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Citation
    from assay.subjects.report import Report

_RELATED: Final = 8
# Fewer different markers without any list may be intervals or footnote marks of a quoted text.
_ENOUGH: Final = 3
# A number this far beyond the list is an interval or an index, not a citation.
_FAR: Final = 20
# With so many marks that have an entry, the list is plainly that of the marks.
_PLENTY: Final = 20
_NOTE: Final = re.compile(r"[\w.\-:]{1,40}")
_CODE_AFTER: Final = frozenset("({*^=+_")
# Code before the bracket: an equals sign, a call, or a name that is not a word (one letter, an underscore, a digit).
_CODE_BEFORE: Final = re.compile(r"[=\[]\s*$|\w\(\s*$|(?<![\w’'])(?:[A-Za-z]|\w{0,30}_\w{0,30}|@\w{1,30})$")

_NO_ENTRY: Final = Wording(
    en="{markers}{times} {n:=has|have} no entry in the reference list{end}",
    zh="{markers}{times}在参考文献表中没有对应条目{end}",
)
_TIMES: Final = Wording(en=", cited {n} times,", zh="（共引用{n}次）")
_END: Final = Wording(en=", which ends at {last}", zh="，表中最后一条是{last}")
_NO_LIST: Final = Wording(
    en="The text cites {markers}, but there is no reference list", zh="正文引用了{markers}，但没有参考文献表"
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for all keys without an entry, or one finding if there is no list."""
    if not report.citations_readable:
        return
    cited = [
        c
        for c in markers(report)
        if c.form != "cite_tag" and not has_own_address(report, c) and not _in_expression(report, c)
    ]
    if not report.references:
        yield from _no_list(report, cited)
        return
    keys = [key for ref in report.references if ref.key is not None for key in (ref.key, *ref.aliases)]
    top = max((int(key) for key in keys if key.isdigit()), default=0)
    missing: dict[str, list[Citation]] = {}
    bound = sum(reference is not None for citation in cited for reference in citation.references)
    reach = 2 * top + _FAR if bound < _PLENTY else 10 * top
    for citation in cited:
        for key, reference in zip(citation.keys, citation.references, strict=True):
            if reference is None and (not key.isdigit() or int(key) <= reach):
                missing.setdefault(key, []).append(citation)
    uses = [citation for found in missing.values() for citation in found]
    within = sum(len(found) for key, found in missing.items() if key.isdigit() and int(key) <= top)
    if not uses or bound < max(within if bound >= _PLENTY else len(uses), 1):
        # The list is not plainly that of these markers.
        return
    beyond = any(key.isdigit() and int(key) > top for key in missing)
    spans = sorted({citation.span for citation in uses})
    yield Hit(
        spans[0],
        _NO_ENTRY(
            markers=ranges(missing),
            n=len(missing),
            times=_TIMES(n=len(uses)) if len(uses) > len(missing) else "",
            end=_END(last=label(str(top))) if beyond and top else "",
        ),
        related=tuple(spans[1:_RELATED]),
        confidence=0.95,
    )


def _no_list(report: Report, cited: list[Citation]) -> Iterator[Hit]:
    numbered = [c for c in markers(report) if c.form != "cite_tag" and not has_own_address(report, c)]
    if len(cited) * 2 < len(numbered):
        # A text about code or formulas, in which the other brackets may be indices too.
        return
    keys = list(dict.fromkeys(key for c in cited for key in c.keys))
    # A list inside a code fence that was never closed is a formatting fault, not a missing list.
    if len(keys) < _ENOUGH or "\n[1] " in report.source or "\n1. http" in report.source:
        return
    yield Hit(
        cited[0].span,
        _NO_LIST(markers=ranges(keys[:40], cut=len(keys) > 40)),
        related=tuple(c.span for c in cited[1:_RELATED]),
        confidence=0.9 if "1" in keys else 0.6,
        severity="warning",
    )


def _in_expression(report: Report, citation: Citation) -> bool:
    """Return whether a bracket is part of code, a pattern or a formula: ``buf[6]``, ``x = [1, 2]``, ``[^}]``."""
    source = report.source
    start, end = citation.span.start, citation.span.end
    if source[start] not in "[［":
        return False
    if citation.form == "footnote" and not all(_NOTE.fullmatch(key) for key in citation.keys):
        return True
    after = source[end : end + 1]
    if (after and after in _CODE_AFTER) or (after.isascii() and after.isalnum()):
        return True
    before = source[max(0, start - 40) : start]
    return _CODE_BEFORE.search(before) is not None


_LIST = (
    "\n\n## References\n\n[1] Heat pump survey: https://energy.example.org/survey\n[2] Grid study: "
    "https://grid.example.org/study\n"
)
_LISTE = "\n\n## 参考文献\n\n[1] 热泵调查: https://energy.example.org/survey\n[2] 电网研究: https://grid.example.org/study\n"

CHECK = Check(
    code="CIT001",
    name="marker-without-reference",
    severity="error",
    summary="A citation marker whose number or name has no entry in the reference list, or markers without any list.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(
        Example("Sales doubled in 2023 [1]. Peak load rose by 4 % [2], and bills fell [5]." + _LIST),
        Example(
            "Sales doubled in 2023 [1]. Peak load rose by 4 % [2]. Bills fell [3]. Nobody complained [4].\n"
        ),
        Example("2023年销量翻番[1]。峰值负荷上升4%[2]，电费下降[5]。" + _LISTE),
    ),
    good=(
        Example("Sales doubled in 2023 [1]. Peak load rose by 4 % [2]; both studies agree [1][2]." + _LIST),
        Example("Adults aged [18, 65] were asked. Sales doubled [1](https://energy.example.org/survey).\n"),
        Example("2023年销量翻番[1]。峰值负荷上升4%[1, 2]。" + _LISTE),
    ),
)
