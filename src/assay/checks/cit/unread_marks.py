r"""Marks that look like citations and lead nowhere, such as ``turn0search3`` without the search it refers to.

Some agents leave marks that only their own interface can resolve: the report then has citations, but no reader can find
a source. One finding says so and how many there are. Another says that marks of an unknown form were not understood;
the checks of citations and reference lists are then silent about this report.

Known problems: labels of another kind that end many clauses, such as ``[R12]`` for requirements, look like citations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import excerpt
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_RELATED: Final = 8
_LIST_MISSING: Final = Wording(
    en="{n} marks like “{example}” point to a list of sources that the report does not contain",
    zh="有{n}处“{example}”之类的标记，所指的来源列表不在报告中",
)
_UNKNOWN: Final = Wording(
    en="{n} marks like “{example}” were not understood; the report's citations and references are not checked",
    zh="有{n}处“{example}”之类的标记无法识别，因此未检查本报告的引用与参考文献",
)
# What an interface puts around its marks cannot be shown.
_PRIVATE: Final = dict.fromkeys(range(57856, 57872))


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each form of mark."""
    for group in report.unread_marks:
        missing = group.kind == "list_missing"
        yield Hit(
            group.spans[0],
            (_LIST_MISSING if missing else _UNKNOWN)(
                n=group.count, example=excerpt(group.example.translate(_PRIVATE), 30)
            ),
            related=group.spans[1:_RELATED],
            confidence=0.95 if missing else 0.7,
            severity="warning" if missing else None,
        )


CHECK = Check(
    code="CIT013",
    name="unread-marks",
    severity="info",
    summary="Marks like citations that lead to no source, or whose form was not understood.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(
        Example(
            "Sales doubled in 2023 citeturn0search3. Load rose citeturn1view0turn1search2. Bills fell. "
            "citeturn2search0 Nobody complained citeturn0search1.\n"
        ),
        Example(
            "Sales doubled \\cite{survey23}. Load rose \\cite{grid21}, and bills fell \\cite{bills}. Prices held "
            "\\cite{prices,survey23}.\n"
        ),
        Example(
            "销量翻番【3†L1-L5】，负荷上升【turn0search1】。电费下降【turn0search4】，用户满意【turn1view2】，价格平稳【turn1search0】。\n"
        ),
    ),
    good=(
        Example(
            "Sales doubled [d1]. Load rose [d2]; bills fell [d3]. Both agree [d1, d3].\n\n## Sources\n\n"
            "[d1] Survey: https://a.example.org/s\n[d2] Grid study: https://b.example.org/g\n"
            "[d3] Bills: https://c.example.org/b\n"
        ),
        Example(
            "Let x[i] be in [0, 1]. - [x] done\n- [ ] open\n\nSales doubled [1](https://energy.example.org/survey).\n"
        ),
    ),
)
