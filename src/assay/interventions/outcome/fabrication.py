"""Fabrication: false facts – a figure, a year, a name or a finding that is wrong or made up.

The reference stands for the truth. No rule plants it: of figures that a rule changed, readers found one in four implausible or a trifle.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.edit_kit import (
    changed_texts,
    citations_changed,
    joined_texts,
    values_kept,
    without_markers,
)
from assay.interventions.hints import place_hint
from assay.interventions.outcome._prose import cited_figures, paragraph_sites

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.parts import Block
    from assay.subjects.report import Report
    from assay.text.bilingual import Bilingual

# Something that can be checked beside figures and years: a name inside a sentence, or a Chinese title.
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][\w&\-]{2,}|《[^》]{2,30}》")


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield paragraphs with a fact that can be checked: a figure, a year or a name."""
    yield from paragraph_sites(report, draw, lambda block: _checkable(report, block))


def _checkable(report: Report, block: Block) -> Bilingual | None:
    years = [q for q in report.quantities_in(block.span) if q.kind == "year"]
    stated = cited_figures(report, block.span) or years or _NAME.search(report.text(block.span))
    return place_hint("figure") if stated else None


def unfit(report: Report) -> str | None:
    """Return why no fact can be falsified."""
    if any(_checkable(report, block) is not None for block in report.paragraphs):
        return None
    return "no paragraph states a figure, a year or a name"


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why no fact can be another: citations differ, or a figure is equal or only rounded."""
    before, after = joined_texts(reference, perturbed, revision)
    if " ".join(without_markers(before).split()) == " ".join(without_markers(after).split()):
        return "only citations differ"
    if (changed := citations_changed(before, after)) is not None:
        return changed
    kept = [values_kept(old, new) for old, new in changed_texts(reference, perturbed, revision)]
    return kept[0] if all(kept) else None


OPERATOR = Operator(
    name="fabrication",
    title="Fabrication",
    title_zh="捏造",
    level="outcome",
    module="output",
    category="faithfulness",
    definition=(
        "A fact is false or made up: a figure, year, name or finding that is invented, that contradicts "
        "the rest of the report, or that belongs to something else."
    ),
    definition_zh="内容中出现虚假或编造的事实：数字、年份、名称或研究发现系捏造，与报告其他部分矛盾，或张冠李戴。",
    sites=sites,
    unfit=unfit,
    ask=(
        "Make one definite fact of the passage false, or make one up. Give a finding, a figure, a year or an act to "
        "somebody or something else that the report names; replace a figure or a year by one that is clearly "
        "different – no rounding, no other spelling – and still of a believable size; reverse what a study found; or "
        "add a finding with a figure that nobody made, in the name of an institution the report mentions. It must "
        "read as sober as the rest and fit its own sentence: a majority stays above half, a part below its whole, "
        "sums and ranges add up. Citation markers stay as they are, no doubt shows, and all else is left alone."
    ),
    ask_zh=(
        "让段落中一处确切的事实变成假的，或编造一处：把某项发现、数字、年份或举措安到报告提到的另一个对象头上；"
        "换成明显不同（不是四舍五入、也不是换个写法）而量级可信的数字或年份；把某项研究的结论说反；"
        "或借报告提到的某家机构之名，添上一条子虚乌有、带有数字的发现。新内容要与原文一样平实，并与所在的句子相容："
        "多数仍须过半，部分不得大于整体，合计与区间要对得上。引用标记保持原样，不流露犹疑，其余文字不动。"
    ),
    check=check,
    codes=("NUM003", "NUM004", "NUM005", "NUM009"),
    source="reflect, table 3: Output, Faithfulness, Fabrication",
)
