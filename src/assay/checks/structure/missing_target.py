"""Flags a reference to a table, figure, section or appendix that the report does not have.

"See Table 3" in a report without a third table makes readers look for evidence that does not exist. In generated text,
such a reference is left over from a source, or from a draft whose tables were removed.

References to other documents ("Table 2 of the IMF report", "Section 230 of the Act", a table directly followed by a
citation) are not flagged. There is one finding for the whole report. Tables, figures and sections without numbers are counted in order, so that "Table 2" exists if
there are two tables.

Known problems: a target that the Markdown only links to (an attached file) looks missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import FilledWording, Wording, series
from assay.subjects.pointers import Pointer, Targets, find_pointers
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report


_MISSING: Final = Wording(
    en="Points to “{pointer}”, but the report has {target}{more}",
    zh="此处指向“{pointer}”，但报告中{target}{more}",
)
_MORE: Final = Wording(en="; nor {others}", zh="；也没有{others}")
_MOST_NAMED: Final = 5
_TABLES: Final = Wording(en="{n:table|tables}", zh="只有{n}张表")
_NO_TABLE: Final = Wording(en="no table", zh="没有表格")
_NOTHING: Final = {
    "figure": Wording(en="no such figure", zh="没有这张图"),
    "section": Wording(en="no such section", zh="没有这一节"),
    "appendix": Wording(en="no such appendix", zh="没有这个附录"),
}


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield one finding for all missing targets, at the first reference to one."""
    targets: Targets | None = None
    missing: dict[tuple[str, str], Pointer] = {}
    for pointer in find_pointers(report):
        key = (pointer.kind, pointer.number)
        block = report.block_at(pointer.start)
        if key in missing or block is None or block.kind in ("heading", "reference", "code"):
            continue
        if targets is None:
            targets = Targets(report)
        if not targets.has(pointer):
            missing[key] = pointer
    if not missing:
        return
    first, *others = sorted(missing.values(), key=lambda pointer: pointer.start)
    named = series(
        [pointer.text for pointer in others[:_MOST_NAMED]], "and", quoted=True, cut=len(others) > _MOST_NAMED
    )
    yield Hit(
        Span(first.start, first.end),
        _MISSING(
            pointer=first.text, target=_target(report, first.kind), more=_MORE(others=named) if others else ""
        ),
        tuple(Span(pointer.start, pointer.end) for pointer in others),
        confidence=0.85 if first.strong or others else 0.7,
    )


def _target(report: Report, kind: str) -> FilledWording:
    if kind == "table":
        count = len(report.tables)
        return _TABLES(n=count) if count else _NO_TABLE()
    return _NOTHING[kind]()


CHECK = Check(
    code="STR001",
    name="missing-target",
    severity="warning",
    summary="Points to a table, figure, section or appendix that is not there",
    run=run,
    bad=(
        Example(
            "# R\n\n## 1. Costs\n\nCosts fall, as shown in Table 3.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        ),
        Example("# R\n\n## 1. Costs\n\nCosts fall (see Section 4.2).\n\n## 2. Noise\n\nLow.\n"),
        Example("# 报告\n\n## 一、成本\n\n成本下降，如表3所示，详见第五节。\n"),
    ),
    good=(
        Example(
            "3.1 Methods\n\nWe measured forty homes.\n\n3.2 Results\n\nAs described in Section 3.1, all were heated.\n"
        ),
        Example(
            "# R\n\n## 1. Costs\n\nTable 2 of the IMF report shows it; see Section 2.\n\n## 2. Noise\n\nLow.\n"
        ),
        Example("# R\n\nCosts fall, as shown in Table 1.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
        Example(
            "# 报告\n\n## 一、成本\n\n如表1所示，成本下降，详见第二节。\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n## 二、噪声\n\n低。\n"
        ),
    ),
    dimension="global_coherence",
    failure="incoherence",
)
