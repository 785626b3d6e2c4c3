"""A section on another topic: it has few of the query's terms and shares hardly a word with the rest of the report.

Every section should contribute to the argument. A section that contains far fewer of the query's terms than the others,
and whose own vocabulary occurs nowhere else in the report, probably belongs to another subject.

Summaries, introductions, methods and appendices are not checked. Without a query, the report's title is used instead.

Known problems: a section on a legitimate side issue with its own technical terms may be flagged. A digression in the
vocabulary of the field is not found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cov._topics import sections_apart
from assay.checks.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report


_APART: Final = Wording(
    en="“{section}” has {n} of the query's terms where a section of its length has about {expected:.0f}, and only "
    "{share:.0%} of its own terms occur elsewhere in the report",
    zh="问题的关键词在“{section}”一节中只出现{n}个，同等篇幅的章节约有{expected:.0f}个；该节用词也只有{share:.0%}见于报告其他部分",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each section on another topic than the rest of the report."""
    for apart in sections_apart(report):
        section = report.sections[apart.section]
        yield RawFinding(
            section.title_span,
            _APART(section=section.title, n=apart.keys, expected=apart.expected, share=apart.share),
            related=(section.body,),
            confidence=0.7,
        )


_SECTIONS = {
    "Bills": "Heat pumps cut the heating bill of older homes by a third. The bill falls because a pump moves heat from "
    "outdoor air into the home. In oil homes the saving is larger than in gas homes, and in both the ducts decide how "
    "much heat reaches the rooms. Homes with tight ducts and trained installers saw the bill fall most in winter.",
    "Installation": "Installers size the pump, seal the ducts and check the panel. Older homes often need "
    "new ducts, and "
    "the heating load of such homes decides the size of the pump. Trained installers tune the outdoor unit in winter, "
    "since frost on the unit costs heat. In homes with radiators, installers replace the ducts by wall units.",
    "Emissions": "Emissions of older homes fall when a heat pump replaces oil or gas. The pump uses "
    "electricity, so the "
    "emissions depend on the grid. In oil homes the fall is larger than in gas homes, and homes with tight ducts gain "
    "most. Over a winter the heating of a home with a pump emits less than half of what oil heating emits.",
}
_OFF = (
    "Medieval harbours relied on wooden cranes driven by treadwheels. Merchants stored wool, salt and herring in brick "
    "warehouses, guilds fixed the tolls, and pilots guided galleys past shifting sandbanks toward crowded "
    "quays. Sailors "
    "drank ale in taverns, coopers mended barrels, and monks kept chronicles of storms, shipwrecks and plague. Bishops "
    "blessed the fleet each spring before the herring season, and brewers paid their duty in coin."
)
_ZH_SECTIONS = {
    "供暖费用": "空气源热泵使老旧住宅的供暖费用下降三分之一。费用下降是由于热泵把室外空气中的热量搬到室内，用电量小于燃油消耗。住宅保温越好，供暖费用降得越多；风管漏风的老旧住宅降幅较小。冬季气温很低时，热泵的供暖效率会降低。",
    "安装费用": "老旧住宅安装空气源热泵需要改造风管和电路，安装费用高于新建住宅。安装人员按供暖负荷选择热泵，保温差的住宅需要更大的热泵。集中安装时，安装费用可以降低一成，冬季之前完成调试可以避免返工。",
    "排放变化": "空气源热泵替代燃油后，老旧住宅的供暖排放明显下降。排放取决于电网，用电越清洁，供暖排放降得越多。保温改造同样降低排放，与热泵同时安装时，住宅冬季的用电量和排放都更低，室内也更舒适。",
}
_ZH_OFF = (
    "中世纪的港口依靠木制踏轮起重机装卸货物。商人把羊毛、盐巴与鲱鱼存放于砖砌仓库，行会制定税率，领航员引导帆船绕过沙洲，"
    "驶向拥挤的码头，水手则聚集于酒馆饮酒。主教每逢春季为船队祈福，修士抄写编年史，记述风暴、海难与瘟疫。"
)
_ZH_QUERY = "空气源热泵怎样改变老旧住宅的供暖费用和排放，安装费用是多少？"


def _report(sections: dict[str, str], title: str = "Heat pumps in older homes") -> str:
    return f"# {title}\n\n" + "\n\n".join(f"## {title}\n\n{text}" for title, text in sections.items())


_QUERY = "How do heat pumps change the heating bills and the emissions of older homes, and who installs them?"

CHECK = Check(
    code="COV005",
    name="off-topic-section",
    severity="warning",
    summary="A section that shares almost nothing with the query, nor with the rest of the report.",
    run=run,
    languages=("en", "zh"),
    dimension="global_coherence",
    failure="topical_misalignment",
    bad=(
        Example(_report({**_SECTIONS, "Harbours": _OFF}), query=_QUERY),
        Example(_report({**_ZH_SECTIONS, "中世纪的港口": _ZH_OFF}, "老旧住宅热泵研究"), query=_ZH_QUERY),
    ),
    good=(
        Example(_report(_SECTIONS), query=_QUERY),
        Example(_report(_ZH_SECTIONS, "老旧住宅热泵研究"), query=_ZH_QUERY),
    ),
)
