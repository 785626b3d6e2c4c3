"""A citation marker without an entry: ``[36]`` although the reference list ends at 35.

Readers cannot look the source up. In reports written by agents, such a marker is often left over from a longer list, or
made up. There is one finding for each missing entry; if many are missing, the last finding sums up the rest. If a report
has markers but no list at all, one finding says so.

Markers with their own link, and ``<cite id>`` tags in reports without a list, are not flagged.

Known problems: in a report with numbered sources, a bracketed number that is not a citation (an interval, an array index)
looks like one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cit._shared import has_own_address, label, markers, ranges
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Citation
    from assay.subjects.report import Report

_CAP: Final = 6
_RELATED: Final = 8
# Fewer different markers without any list may be intervals or footnote marks of a quoted text.
_ENOUGH: Final = 3
_NOTE: Final = re.compile(r"[\w.\-:]{1,40}")
_CODE_AFTER: Final = frozenset("({*^=+_")
# Code before the bracket: an equals sign, a call, or a name that is not a word (one letter, an underscore, a digit).
_CODE_BEFORE: Final = re.compile(r"[=\[]\s*$|\w\(\s*$|(?<![\w’'])(?:[A-Za-z]|\w{0,30}_\w{0,30}|@\w{1,30})$")

_NO_ENTRY: Final = Wording(
    en="{marker}{times} has no entry in the reference list{end}",
    zh="{marker}{times}在参考文献表中没有对应条目{end}",
)
_TIMES: Final = Wording(en=", cited {n} times,", zh="（共引用{n}次）")
_END: Final = Wording(en=", which ends at {last}", zh="，表中最后一条是{last}")
_MORE: Final = Wording(
    en="{n} more markers have no entry in the reference list: {markers}",
    zh="另有{n}个引用标记在参考文献表中没有对应条目：{markers}",
)
_NO_LIST: Final = Wording(
    en="The text cites {markers}, but there is no reference list", zh="正文引用了{markers}，但没有参考文献表"
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each key without an entry, or one finding if there is no list."""
    cited = [c for c in markers(report) if not has_own_address(report, c)]
    if not cited:
        return
    if not report.references:
        yield from _no_list(report, cited)
        return
    keyed = [ref for ref in report.references if ref.key is not None]
    if not keyed:
        return
    missing: dict[str, list[Citation]] = {}
    bound = 0
    for citation in cited:
        if citation.form == "cite_tag":
            continue
        for key, reference in zip(citation.keys, citation.references, strict=True):
            if reference is None:
                missing.setdefault(key, []).append(citation)
            else:
                bound += 1
    unbound = sum(map(len, missing.values()))
    if not missing or (bound < unbound and bound * 3 < len(keyed)):
        # Hardly any marker has an entry, so the list does not belong to these markers.
        return
    last = keyed[-1]
    numbers = [int(ref.key) for ref in keyed if ref.key and ref.key.isdigit()]
    top = max(numbers, default=0)
    for key in list(missing)[: _CAP if len(missing) > _CAP + 1 else None]:
        uses = missing[key]
        far = key.isdigit() and int(key) > 2 * top + 20 and len(uses) == 1
        mixed = len(uses[0].keys) > 1 and uses[0].references.count(None) < len(uses[0].keys)
        times = _TIMES(n=len(uses)) if len(uses) > 1 else ""
        end = _END(last=label(str(top))) if key.isdigit() and int(key) > top else ""
        yield RawFinding(
            uses[0].span,
            _NO_ENTRY(marker=label(key), times=times, end=end),
            related=(last.span, *(c.span for c in uses[1:_RELATED])),
            confidence=0.6 if far else 0.85 if mixed else 0.95,
        )
    rest = list(missing)[_CAP:] if len(missing) > _CAP + 1 else []
    if rest:
        yield RawFinding(
            missing[rest[0]][0].span,
            _MORE(n=len(rest), markers=ranges(rest)),
            related=(last.span, *(missing[key][0].span for key in rest[1:_RELATED])),
            confidence=0.95,
        )


def _no_list(report: Report, cited: list[Citation]) -> Iterator[RawFinding]:
    numbered = [c for c in cited if c.form != "cite_tag"]
    plain = [c for c in numbered if not _in_expression(report, c)]
    if len(plain) * 2 < len(numbered):
        # A text about code or formulas, in which the other brackets may be indices too.
        return
    numbered = plain
    keys = list(dict.fromkeys(key for c in numbered for key in c.keys))
    # A list inside a code fence that was never closed is a formatting fault, not a missing list.
    if len(keys) < _ENOUGH or "\n[1] " in report.source or "\n1. http" in report.source:
        return
    consecutive = "1" in keys
    yield RawFinding(
        numbered[0].span,
        _NO_LIST(markers=ranges(keys[:40], cut=len(keys) > 40)),
        related=tuple(c.span for c in numbered[1:_RELATED]),
        confidence=0.9 if consecutive else 0.6,
        severity="warning",
    )


def _in_expression(report: Report, citation: Citation) -> bool:
    """Return whether a bracket is part of code, a pattern or a formula: ``buf[6]``, ``x = [1, 2]``, ``[^}]``."""
    source = report.source
    start, end = citation.span.start, citation.span.end
    if citation.form == "footnote" and not all(_NOTE.fullmatch(key) for key in citation.keys):
        return True
    after = source[end : end + 1]
    if after in _CODE_AFTER or (after.isascii() and after.isalnum()):
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
