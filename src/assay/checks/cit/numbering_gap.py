"""A reference list with missing, repeated or unordered numbers.

A repeated number makes every marker with this number ambiguous; a gap suggests that an entry was removed after the text
was written. The findings name the numbers.

Not flagged are lists in which every entry is numbered "1." (Markdown numbers them itself), and lists in reports without
numeric markers.

Known problems: a list that deliberately keeps the numbers of a longer one is reported once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cit._shared import excerpt, ranges
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Reference
    from assay.subjects.report import Report

_CAP: Final = 3

_SECOND_LIST: Final = Wording(
    en="A second list starts again at [1], so that {numbers} each stand for two sources",
    zh="第二份文献表又从[1]开始编号，{numbers}各指两个来源",
)
_MORE: Final = Wording(en="{n:more entry repeats|more entries repeat} a number", zh="另有{n}条文献的编号重复")
_ORDER: Final = Wording(
    en="The list is out of order: [{second}] comes after [{first}]",
    zh="参考文献表编号顺序有误：[{second}]排在[{first}]之后",
)
_GAP: Final = Wording(en="The list skips {numbers} of [1]–[{last}]", zh="参考文献表[1]–[{last}]中缺{numbers}")
_GAPS: Final = Wording(en="The list skips {n} numbers", zh="参考文献表缺{n}个编号")
_TWICE: Final = Wording(en="[{number}] is listed twice{titles}", zh="[{number}]在表中出现两次{titles}")
_TITLES: Final = Wording(en=": “{first}” and “{second}”", zh="：“{first}”和“{second}”")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for a second list, or findings for repeated numbers, then for wrong order, then for gaps."""
    listed = [ref for ref in report.references if ref.key is not None and ref.key.isdigit()]
    if len(listed) < 3 or not any(c.form == "numeric" for c in report.citations):
        return
    numbers = [int(ref.key or 0) for ref in listed]
    if len(set(numbers)) == 1:
        return
    repeats = _repeats(listed, numbers)
    restart = next((i for i, (a, b) in enumerate(pairwise(numbers), start=1) if b < a and b == 1), None)
    if restart is not None and len(repeats) > 1:
        again = [n for n in sorted(set(numbers)) if numbers.count(n) > 1] if len(numbers) < 1000 else [1]
        yield RawFinding(
            listed[restart].span,
            _SECOND_LIST(numbers=ranges(map(str, again))),
            related=(listed[0].span,),
            confidence=0.85,
        )
        return
    yield from repeats[:_CAP]
    if len(repeats) > _CAP:
        yield RawFinding(repeats[_CAP].span, _MORE(n=len(repeats) - _CAP), confidence=0.85)
    ascending = all(a <= b for a, b in pairwise(numbers))
    if not ascending and not repeats:
        for (left, right), (a, b) in zip(pairwise(listed), pairwise(numbers), strict=True):
            if b < a:
                yield RawFinding(
                    right.span,
                    _ORDER(first=a, second=b),
                    related=(left.span,),
                    confidence=0.9,
                )
                break
    present = set(numbers)
    gaps = [n for n in range(min(present), max(present)) if n not in present] if max(present) < 5000 else []
    if min(present) > 1 and min(present) <= 10:
        gaps = [*range(1, min(present)), *gaps]
    if gaps and (ascending or repeats):
        after = next((ref for ref, n in zip(listed, numbers, strict=True) if n > gaps[0]), listed[-1])
        yield RawFinding(
            after.span,
            _GAP(numbers=ranges(map(str, gaps)), last=max(present)) if len(gaps) < 60 else _GAPS(n=len(gaps)),
            confidence=0.85,
        )


def _repeats(listed: list[Reference], numbers: list[int]) -> list[RawFinding]:
    first: dict[int, Reference] = {}
    findings: list[RawFinding] = []
    for ref, number in zip(listed, numbers, strict=True):
        other = first.setdefault(number, ref)
        if other is not ref:
            same = other.title == ref.title and other.url == ref.url
            findings.append(
                RawFinding(
                    ref.span,
                    _TWICE(
                        number=number,
                        titles=""
                        if same
                        else _TITLES(first=excerpt(other.title, 40), second=excerpt(ref.title, 40)),
                    ),
                    related=(other.span,),
                    confidence=0.95,
                    severity="info" if same else "warning",
                )
            )
    return findings


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
