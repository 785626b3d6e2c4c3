"""A reference list whose numbers skip, repeat or run out of order.

A repeated number makes every marker that uses it ambiguous; a gap tells that an entry was dropped after the text was
written. The findings name the numbers.

Lists in which every entry is numbered "1." (Markdown counts for itself) and lists that are numbered anew under each
sub-heading without markers in the text are left alone.

Known problems: a list that deliberately keeps the numbers of a longer one is reported once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import excerpt, ranges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Reference, Report

_CAP: Final = 3


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield repeats, then breaks of order, then gaps."""
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
        yield Hit(
            listed[restart].span,
            f"a second list begins again at [1]: {ranges(map(str, again))} name two sources each",
            related=(listed[0].span,),
            confidence=0.85,
        )
        return
    yield from repeats[:_CAP]
    if len(repeats) > _CAP:
        yield Hit(repeats[_CAP].span, f"{len(repeats) - _CAP} more entries repeat a number", confidence=0.85)
    ascending = all(a <= b for a, b in pairwise(numbers))
    if not ascending and not repeats:
        for (left, right), (a, b) in zip(pairwise(listed), pairwise(numbers), strict=True):
            if b < a:
                yield Hit(
                    right.span,
                    f"the list is out of order: [{b}] comes after [{a}]",
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
        yield Hit(
            after.span,
            f"the list skips {ranges(map(str, gaps))} of [1]–[{max(present)}]"
            if len(gaps) < 60
            else f"the list skips {len(gaps)} numbers",
            confidence=0.85,
        )


def _repeats(listed: list[Reference], numbers: list[int]) -> list[Hit]:
    first: dict[int, Reference] = {}
    hits: list[Hit] = []
    for ref, number in zip(listed, numbers, strict=True):
        other = first.setdefault(number, ref)
        if other is not ref:
            same = other.title == ref.title and other.url == ref.url
            hits.append(
                Hit(
                    ref.span,
                    f"[{number}] is listed twice"
                    + ("" if same else f': "{excerpt(other.title, 40)}" and "{excerpt(ref.title, 40)}"'),
                    related=(other.span,),
                    confidence=0.95,
                    severity="info" if same else "warning",
                )
            )
    return hits


CHECK = Check(
    code="CIT005",
    name="numbering-gap",
    severity="info",
    summary="Numbers of the reference list that skip, repeat or run out of order.",
    run=run,
    failure="citation_groundedness",
    bad=(
        Example(
            "Sales doubled [1]. Load rose [2]. Bills fell [4].\n\n## References\n\n[1] Survey: https://a.example.org/s\n"
            "[2] Grid study: https://c.example.org/g\n[4] Bills: https://d.example.org/b\n"
        ),
        Example(
            "销量翻番[1]。负荷上升[2]。\n\n## 参考文献\n\n[1] 调查: https://a.example.org/s\n"
            "[2] 电网研究: https://c.example.org/g\n[2] 账单统计: https://d.example.org/b\n"
        ),
    ),
    good=(
        Example(
            "Sales doubled [1]. Load rose [2]. Bills fell [3].\n\n## References\n\n[1] Survey: https://a.example.org/s\n"
            "[2] Grid study: https://c.example.org/g\n[3] Bills: https://d.example.org/b\n"
        ),
        Example(
            "Sales doubled [1].\n\n## References\n\n1. [Survey](https://a.example.org/s)\n1. [Grid](https://c.example.org/g)\n"
            "1. [Bills](https://d.example.org/b)\n"
        ),
    ),
)
