"""The query asks for a number – a count, a share, a rate, a duration – and the report gives none.

"What is the share of each supplier?" is not answered by a list of suppliers. The report writes about the matter, but no
sentence, list or table on it holds a figure.

The check looks at the passages that use the query's own word (or a common other word for it): the sentence and the one
after it, the list item, the table, and the section that has the word in its heading. If any of them has a figure of the
kind, or says that there are no data, nothing is reported; nor if the report never uses the word at all.

Known problems: a figure in loose words ("a handful") does not count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.query import read_query
from assay.subjects.query_figures import read_figures
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.query_figures import AskedFigure
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "cov")

_NO_DATA: Final = _PHRASES.pattern(
    r"\b(?:<<figure_no_data.en>>)\b|<<figure_no_data.zh>>", flags=re.IGNORECASE
)
_SHARE: Final = _PHRASES.pattern(
    r"[%％‰×]|\b(?:<<figure_share.en>>)\b|<<figure_share.zh>>", flags=re.IGNORECASE
)
_COUNT: Final = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|dozens?|hundreds?|thousands?|millions?)\b"
    r"|[两二三四五六七八九十百千万亿数][个家名人例件万亿十百千]",
    re.IGNORECASE,
)
_MOST_PLACES: Final = 60
# A query of more than this is a set of instructions.
_LONGEST_QUERY: Final = 1_500
_MOST_OF_REPORT: Final = 0.5
_SHORTEST_REPORT: Final = 300

_NONE_GIVEN: Final = Wording(
    en="The query asks for “{head}”, but no passage on it gives a figure",
    zh="问题要求给出“{head}”，相关段落却没有任何数字",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each figure that the query asks for and the report does not give."""
    query = report.query or ""
    if len(query) > _LONGEST_QUERY or report.words < _SHORTEST_REPORT:
        return
    if read_query(query).language != report.language:
        return
    for asked in read_figures(query):
        places = _places(report, asked)
        passages = [passage for at in places for passage in _passages(report, at)]
        if asked.owner:
            passages = [p for p in passages if asked.owner in report.plain[p.start : p.end]]
        if passages and not any(_answers(report, passage, asked) for passage in passages):
            begin = asked.start - len(asked.owner) - 1 if asked.owner else asked.start
            first, *others = dict.fromkeys(passages)
            yield Hit(
                first, _NONE_GIVEN(head=query[begin : asked.end].strip()), tuple(others[:5]), confidence=0.7
            )


def _places(report: Report, asked: AskedFigure) -> list[int]:
    """Return where the body uses the word, or an other word for it; nothing if the word itself never occurs."""
    end = report.body_end
    places = [list(_find(report.cues.lower, word, end)) for word in asked.words]
    if not places[0] and not any(places[1:2]):
        return []
    return sorted({at for found in places for at in found})[:_MOST_PLACES]


def _find(lower: str, word: str, end: int) -> Iterator[int]:
    at = lower.find(word, 0, end)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return
        yield at
        at = lower.find(word, at + 1, end)


def _passages(report: Report, at: int) -> Iterator[Span]:
    """Yield the passages that treat what is named at an offset."""
    block = report.block_at(at)
    if block is None or block.kind in ("code", "reference"):
        return
    if block.kind == "heading":
        section = report.sections[block.section]
        # The title of the whole report names everything that the query asks for.
        if len(section.span) < _MOST_OF_REPORT * len(report.source):
            yield section.span
        return
    sentence = report.sentence_at(at)
    after = report.blocks[min(block.index + 1, len(report.blocks) - 1)]
    if sentence is None or block.kind != "paragraph":
        # A lead-in in bold stands before its list.
        yield Span(block.span.start, after.span.end if after.kind == "item" else block.span.end)
        return
    following = report.sentences[min(sentence.index + 1, len(report.sentences) - 1)]
    if following.block == sentence.block:
        yield Span(sentence.span.start, following.span.end)
    else:
        yield Span(sentence.span.start, after.span.end if after.kind in ("item", "table") else block.span.end)


def _answers(report: Report, passage: Span, asked: AskedFigure) -> bool:
    """Return whether a passage holds a figure of the kind, or says that there is none to be had."""
    plain = report.plain
    if _NO_DATA.search(plain, passage.start, passage.end):
        return True
    if asked.is_share:
        return _SHARE.search(plain, passage.start, passage.end) is not None
    if any(quantity.kind not in ("year", "ordinal") for quantity in report.quantities_in(passage)):
        return True
    return _COUNT.search(plain, passage.start, passage.end) is not None


_FILLER: Final = "The makers compete on price and on service, and buyers value both. " * 26
_ZH_FILLER: Final = "各家厂商在价格和服务上竞争，用户两者都看重。" * 26

CHECK = Check(
    code="COV009",
    name="figure-not-given",
    severity="info",
    summary="The query asks for a number, and no passage on it gives one",
    run=run,
    needs=("query",),
    languages=("en", "zh"),
    dimension="task_alignment",
    failure="incomplete_coverage",
    bad=(
        Example(
            f"# Carbon strips\n\n{_FILLER}\n\n## Market share\n\nLeading suppliers are A, B and C. They dominate.\n",
            query="Who are the main suppliers of carbon strips, and what is the market share of each?",
        ),
        Example(
            f"# 碳滑板\n\n{_ZH_FILLER}\n\n## 主要供应商的份额\n\n主要企业包括甲、乙、丙，竞争激烈。\n",
            query="国内碳滑板主要供应商的份额以及行业趋势分析",
        ),
    ),
    good=(
        Example(
            f"# Carbon strips\n\n{_FILLER}\n\n## Market share\n\nA holds 40% and B a third.\n",
            query="Who are the main suppliers of carbon strips, and what is the market share of each?",
        ),
        Example(
            f"# 碳滑板\n\n{_ZH_FILLER}\n\n## 主要供应商的份额\n\n各企业份额尚无公开数据。\n",
            query="国内碳滑板主要供应商的份额以及行业趋势分析",
        ),
    ),
)
