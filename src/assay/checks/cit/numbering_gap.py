"""A reference list with missing or repeated numbers.

A repeated number makes every marker with this number ambiguous; a gap suggests that an entry was removed after the text
was written. The findings name the numbers.

Not flagged are lists in which every entry is numbered "1." (Markdown numbers them itself), lists that keep the numbers of
a longer one and so have gaps everywhere, lists of chapters, entries repeated word for word, and lists in reports without
numeric markers.

Known problems: a list whose last entries were left out on purpose shows no gap.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import excerpt, ranges
from assay.checks.wording import Wording
from assay.subjects.source_identity import work_identity
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Reference
    from assay.subjects.report import Report

_RELATED: Final = 8
_FEW: Final = 3
_SHARE: Final = 0.34

_SECOND_LIST: Final = Wording(
    en="A second list starts again at [1], so that {numbers} each stand for two sources",
    zh="第二份文献表又从[1]开始编号，{numbers}各指两个来源",
)
_GAP: Final = Wording(
    en="The {n:=number|numbers} {numbers} {n:=is|are} missing from the list, which runs to [{last}]",
    zh="参考文献表编到[{last}]，其中缺{numbers}",
)
_TWICE: Final = Wording(
    en="{numbers} {n:=stands|stand} for two different sources each: {titles}",
    zh="{numbers}各列了两个不同的来源：{titles}",
)
_TITLES: Final = Wording(en="“{first}” and “{second}”", zh="“{first}”和“{second}”")


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield a finding for a second list, or for each list one for repeated numbers and one for gaps."""
    if not report.citations_readable or not any(c.form == "numeric" for c in report.citations):
        return
    lists = [[ref for ref in entries if ref.key and ref.key.isdigit()] for entries in report.reference_lists]
    lists = [entries for entries in lists if len(entries) >= _FEW and len({ref.key for ref in entries}) > 1]
    for left, right in pairwise(lists):
        again = _clashes(report, left, right)
        if again:
            yield Hit(
                right[0].span, _SECOND_LIST(numbers=ranges(again)), related=(left[0].span,), confidence=0.85
            )
            return
    cited = {key for c in report.citations if c.form == "numeric" for key in c.keys}
    for entries in lists:
        yield from _repeats(entries)
        yield from _gaps(entries, cited)


def _clashes(report: Report, left: list[Reference], right: list[Reference]) -> list[str]:
    """Return the numbers that two lists side by side give to different sources."""
    if report.citations_in(Span(left[-1].span.end, right[0].span.start)):
        # Each chapter has its own list.
        return []
    if report.source[left[0].span.start] != report.source[right[0].span.start]:
        # "[1] …" and "1. …": the marks belong to the list with brackets.
        return []
    first = {ref.key: ref for ref in left}
    return [ref.key for ref in right if ref.key and ref.key in first and _differ(first[ref.key], ref)]


def _differ(one: Reference, other: Reference) -> bool:
    if one.url and other.url:
        return work_identity(one.url) != work_identity(other.url)
    return one.title.lower() != other.title.lower()


def _repeats(listed: list[Reference]) -> Iterator[Hit]:
    first: dict[str | None, Reference] = {}
    pairs: list[tuple[Reference, Reference]] = []
    for ref in listed:
        other = first.setdefault(ref.key, ref)
        if other is not ref and _differ(other, ref):
            pairs.append((other, ref))
    if pairs:
        one, other = pairs[0]
        titles = (excerpt(ref.title or ref.url or "", 40) for ref in (one, other))
        yield Hit(
            other.span,
            _TWICE(
                numbers=ranges(ref.key or "" for _, ref in pairs),
                n=len(pairs),
                titles=_TITLES(first=next(titles), second=next(titles)),
            ),
            related=(one.span, *(ref.span for _, ref in pairs[1:_RELATED])),
            confidence=0.95,
            severity="warning",
        )


def _gaps(listed: list[Reference], cited: set[str]) -> Iterator[Hit]:
    present = {int(key) for ref in listed for key in (ref.key, *ref.aliases) if key and key.isdigit()}
    top = max(present)
    gaps = [number for number in range(1, top) if number not in present]
    # A list that keeps the numbers of a longer one has gaps everywhere. A cited number is the finding of CIT001.
    if not gaps or len(gaps) > _SHARE * top or any(str(number) in cited for number in gaps):
        return
    after = next(ref for ref in listed if int(ref.key or 0) > gaps[0])
    yield Hit(after.span, _GAP(numbers=ranges(map(str, gaps)), n=len(gaps), last=top), confidence=0.85)


CHECK = Check(
    code="CIT005",
    name="numbering-gap",
    severity="info",
    summary="Numbers of the reference list that skip, repeat or run out of order.",
    run=run,
    failure="citation_groundedness",
    bad=(
        Example(
            "Sales doubled [1]. Load rose [2]. Bills fell [4].\n\n## References\n\n[1] Survey: "
            "https://a.example.org/s\n"
            "[2] Grid study: https://c.example.org/g\n[4] Bills: https://d.example.org/b\n"
        ),
        Example(
            "销量翻番[1]。负荷上升[2]。\n\n## 参考文献\n\n[1] 调查: https://a.example.org/s\n"
            "[2] 电网研究: https://c.example.org/g\n[2] 账单统计: https://d.example.org/b\n"
        ),
    ),
    good=(
        Example(
            "Sales doubled [1]. Load rose [2]. Bills fell [3].\n\n## References\n\n[1] Survey: "
            "https://a.example.org/s\n"
            "[2] Grid study: https://c.example.org/g\n[3] Bills: https://d.example.org/b\n"
        ),
        Example(
            "Sales doubled [1].\n\n## References\n\n1. [Survey](https://a.example.org/s)\n1. "
            "[Grid](https://c.example.org/g)\n"
            "1. [Bills](https://d.example.org/b)\n"
        ),
    ),
)
