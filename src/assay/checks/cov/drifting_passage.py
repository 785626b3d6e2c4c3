"""A paragraph that shares no words with the query and hardly any with the rest of the report.

Every paragraph should help to answer the question. If the words of a paragraph occur neither in the query nor elsewhere in
the report, it has probably drifted off the topic or comes from another text.

A paragraph is first compared with the query and the report's title. Only if it contains at most one of their words is it
compared with the rest of the report.

Off by default: on real reports it finds little and costs more than most checks. ``assay compare`` uses it.

Known problems: a digression in the vocabulary of the field is not found, and lists of names are not checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cov._topics import count_keys, sections_apart, shared_share, topic_keys, topic_terms
from assay.checks.wording import Wording
from assay.subjects.roles import role_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

# Shares of a paragraph's terms found elsewhere in the report, with none and with one of the query's terms in it. Of
# 150 paragraphs moved in from reports on other questions nearly half fall below; of several thousand real ones, one.
_SHARE: Final = {"en": (0.22, 0.16), "zh": (0.13, 0.08)}
_LEAST_CHARACTERS: Final = {"en": 280, "zh": 75}
_LEAST_TERMS: Final = {"en": 14, "zh": 14}
_LEAST_PARAGRAPHS: Final = 5
# Number of terms shared with the heading and the neighbouring blocks; a single one may be chance.
_MOST_LOCAL: Final = 1
_SKIP: Final = frozenset({"appendix", "references", "limits", "method"})

_NO_TERM: Final = Wording(
    en="This passage has none of the query's terms, and only {share:.0%} of its own occur elsewhere in the report",
    zh="这一段没有出现问题中的任何关键词，自身用词也只有{share:.0%}见于报告其他部分",
)
_ONE_TERM: Final = Wording(
    en="This passage has one of the query's terms, and only {share:.0%} of its own occur elsewhere in the report",
    zh="这一段只出现了问题中的一个关键词，自身用词也只有{share:.0%}见于报告其他部分",
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each paragraph that shares hardly a word with the query, its neighbours and the report."""
    if report.language not in _SHARE or len(report.paragraphs) < _LEAST_PARAGRAPHS:
        return
    keys = topic_keys(report)
    if not keys:
        return
    limits = _SHARE[report.language]
    least = _LEAST_CHARACTERS[report.language]
    lower = report.cues.lower
    for block in report.blocks:
        span = block.span
        # List items are not checked: each gives details of the list's topic in different words.
        if block.kind != "paragraph" or len(span) < least:
            continue
        count = count_keys(lower[span.start : span.end], keys, 2)
        if count > 1:
            continue
        # Enumerated names (countries, brands, authors) may belong to the topic although they occur nowhere else.
        if report.source.count("、", span.start, span.end) * 25 > len(span):
            continue
        terms = topic_terms(report, span)
        if len(terms) < _LEAST_TERMS[report.language]:
            continue
        share = shared_share(report, span, terms, limits[count])
        if share > limits[count] or _local(report, block, terms) > _MOST_LOCAL:
            continue
        section = report.sections[block.section]
        # The whole section is already reported.
        if any(report.sections[apart.section].span.overlaps(span) for apart in sections_apart(report)):
            continue
        if role_of(report, section) in _SKIP:
            continue
        yield RawFinding(
            span,
            (_NO_TERM if count == 0 else _ONE_TERM)(share=share),
            related=(section.title_span,) if section.index else (),
            confidence=0.6 if count == 0 else 0.5,
        )


def _local(report: Report, block: Block, terms: list[str]) -> int:
    around = report.blocks[max(0, block.index - 1) : block.index + 2 : 2]
    lower = report.cues.lower
    text = " ".join(lower[other.span.start : other.span.end] for other in around)
    text += " " + report.sections[block.section].title.lower()
    return count_keys(text, tuple(terms), _MOST_LOCAL + 1)


_BODY = "\n\n".join(
    f"Heat pumps in region {n} cut the heating bill of older homes. The bill fell because the pump moves heat from the "
    "outdoor air into the home, and installers tuned the pump and the ducts before the winter season."
    for n in range(6)
)
_OFF = (
    "Medieval harbours relied on wooden cranes driven by treadwheels. Merchants stored wool, salt and herring in brick "
    "warehouses, guilds fixed the tolls, and pilots guided galleys past shifting sandbanks toward crowded "
    "quays. Sailors "
    "drank ale in taverns, coopers mended barrels, and monks kept chronicles of storms, shipwrecks and plague."
)
_ON = (
    "Homes with oil furnaces gain most. The pump replaces oil with electricity, the outdoor unit needs space, and the "
    "heating bill of such homes falls by half in a winter season when installers size the ducts and the pump well."
)
_ZH_BODY = "\n\n".join(
    f"第{n}区的空气源热泵降低了老旧住宅的供暖费用。热泵把室外空气中的热量搬运到室内，安装人员在冬季之前调试设备和风管，因此供暖费用明显下降。"
    for n in "一二三四五六"
)
_ZH_OFF = "中世纪的港口依靠木制踏轮起重机装卸货物。商人把羊毛、盐巴与鲱鱼存放于砖砌仓库，行会制定税率，领航员引导帆船绕过沙洲，驶向拥挤的码头，水手则聚集于酒馆饮酒。"
_ZH_ON = "燃油供暖的住宅受益最大。热泵用电力替代燃油，室外设备需要空间，安装人员合理设计风管之后，老旧住宅冬季的供暖费用可以降低一半，室内温度也更加均匀稳定。"

CHECK = Check(
    code="COV006",
    default=False,
    name="drifting-passage",
    severity="info",
    summary="A paragraph that shares nothing with the query and next to nothing with the rest of the report.",
    run=run,
    languages=("en", "zh"),
    dimension="global_coherence",
    failure="topical_misalignment",
    bad=(
        Example(
            f"# Heat pumps\n\n{_BODY}\n\n{_OFF}",
            query="How do heat pumps change the heating bills of older homes?",
        ),
        Example(f"# 热泵研究\n\n{_ZH_BODY}\n\n{_ZH_OFF}", query="空气源热泵怎样改变老旧住宅的供暖费用？"),
    ),
    good=(
        Example(
            f"# Heat pumps\n\n{_BODY}\n\n{_ON}",
            query="How do heat pumps change the heating bills of older homes?",
        ),
        Example(f"# 热泵研究\n\n{_ZH_BODY}\n\n{_ZH_ON}", query="空气源热泵怎样改变老旧住宅的供暖费用？"),
    ),
)
