"""Flags an announced number that differs from the list, such as "three factors:" followed by two or four.

Readers can check an announced number at a glance. If the list that follows has another length, an item was lost or added,
and statements that rely on the number are in doubt.

The check counts the items of a list right after the announcement, enumerators in the same passage (First … Second …; (1)
(2); 一是 二是), short items after a colon in the same sentence, and numbered subsections below a heading that announces
their number. Only announcements that clearly introduce the following items count.

Known problems: if a list ends with a remark as an item of its own, this item is counted too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.announced_counts import (
    Announcement,
    Counted,
    announcement_at,
    announcement_places,
    count_enumerators,
    count_inline,
    count_items,
)
from assay.subjects.heading_labels import read_label
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block, Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "structure")

_TITLE_NUMBER = _PHRASES.pattern(
    r"\b(?:<<announced_count_title_number.en>>)\b|[两二三四五六七八九十2-9](?![.、\d])", flags=re.IGNORECASE
)
_ZH_NOUNS = tuple(
    "趋势 因素 方面 挑战 问题 原因 路径 阶段 步骤 维度 层面 策略 建议 方向 特征 特点 要素 类型 模式 机制 方法 情景 障碍 风险".split()
)
# A series of ordinals is followed into later paragraphs up to this distance.
_REACH = 6_000

_HEADING: Final = Wording(
    en="The heading announces {announced} (“{words}”), but {counted} numbered subsections follow",
    zh="标题说有{announced}项（“{words}”），其下却有{counted}个编号小节",
)
_LIST: Final = Wording(
    en="“{words}” announces {announced}, but the list has {counted}",
    zh="“{words}”说有{announced}项，列表却有{counted}项",
)
_INLINE: Final = Wording(
    en="“{words}” announces {announced}, but {counted} follow",
    zh="“{words}”说有{announced}项，后文却列了{counted}项",
)
_ENUMERATION: Final = Wording(
    en="“{words}” announces {announced}, but the enumeration has {counted}",
    zh="“{words}”说有{announced}项，编号却有{counted}项",
)
_RANGE: Final = Wording(en="{low} to {high}", zh="{low}至{high}")


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each wrong announcement before a list or in a passage, then for those in headings."""
    plain = report.plain
    done = -1
    for offset in announcement_places(report):
        block = report.block_at(offset)
        if offset < done or block is None or block.kind not in ("paragraph", "item"):
            continue
        colon = _colon(plain, offset, block.span.end)
        sentence = report.sentence_at(offset)
        if sentence is None:
            continue
        stop = colon if colon is not None else _sentence_stop(plain, sentence.span)
        announced = announcement_at(plain, offset, stop)
        if announced is None:
            continue
        done = stop
        if colon is not None and not plain[colon + 1 : block.span.end].strip():
            finding = _before_list(report, block, announced)
        else:
            finding = _passage_finding(report, block, announced, colon, sentence.span)
        if finding is not None:
            yield finding
    for section in report.sections[2:]:
        if len(section.children) > 1:
            yield from _in_heading(report, section)


def _colon(plain: str, start: int, end: int) -> int | None:
    stop = min(end, start + 160)
    found = [at for mark in (":", "：") if (at := plain.find(mark, start, stop)) >= 0]
    return min(found) if found else None


def _sentence_stop(plain: str, span: Span) -> int:
    return span.start + len(plain[span.start : span.end].rstrip(" .。"))


def _before_list(report: Report, block: Block, announced: Announcement) -> Hit | None:
    if block.index + 1 >= len(report.blocks):
        return None
    following = report.blocks[block.index + 1]
    if following.kind != "item" or (block.kind == "item" and following.depth <= block.depth):
        return None
    counted = count_items(report, block.index + 1)
    if counted is None or counted.low < 2 or counted.low == announced.number:
        return None
    return _finding(announced, counted, _LIST, 0.85)


def _passage_finding(
    report: Report, block: Block, announced: Announcement, colon: int | None, sentence: Span
) -> Hit | None:
    plain = report.plain
    stop = colon if colon is not None else _sentence_stop(plain, sentence)
    passage = plain[stop : block.span.end]
    counted = count_enumerators(passage)
    if counted is None:
        if colon is None or not passage[1:].strip():
            return None
        counted = count_inline(plain[colon + 1 : sentence.end])
        if counted is None or counted.low < 2 or counted.low <= announced.number <= counted.high:
            return None
        base = colon + 1
        return _finding(announced, _moved(counted, base), _INLINE, 0.7)
    if counted.high < announced.number:
        # The series may continue in the following paragraphs.
        section = report.sections[block.section]
        longer = count_enumerators(plain[stop : min(section.body.end, stop + _REACH)])
        counted = longer or counted
    if counted.low <= announced.number <= counted.high:
        return None
    if colon is not None:
        listed = count_inline(plain[colon + 1 : sentence.end])
        if listed is not None and listed.low <= announced.number <= listed.high:
            # "Three models: A, B and C." is already complete; later numbers belong to another enumeration.
            return None
    return _finding(announced, _moved(counted, stop), _ENUMERATION, 0.8)


def _in_heading(report: Report, section: Section) -> Iterator[Hit]:
    children = [report.sections[i] for i in section.children]
    labels = [label for i in section.children if (label := report.heading_labels[i])]
    if len(labels) != len(children) or len({label.style for label in labels}) != 1 or labels[0].number != 1:
        return
    announced = _announced_by(section.title)
    if announced is None or announced.number == len(children):
        return
    if not announced.start and labels[0].prefix[-1:] == (announced.number,):
        # "5 Conclusions" over 5.1 and 5.2: the section's own number.
        return
    tail = section.title[announced.end :].strip(" :：)）")
    if tail or (not announced.words.isascii() and not announced.words.endswith(_ZH_NOUNS)):
        # "Nine classes and their income": the subsections need not be the nine.
        return
    yield Hit(
        section.title_span,
        _HEADING(announced=announced.number, words=announced.words, counted=len(children)),
        tuple(child.title_span for child in children),
        confidence=0.75,
    )


def _announced_by(title: str) -> Announcement | None:
    """Return the first announcement in a title after its own number ("5 Conclusions"), or None."""
    label = read_label(title)
    for match in _TITLE_NUMBER.finditer(title, label.end if label else 0):
        announced = announcement_at(title, match.start(), len(title))
        if announced is not None:
            return announced
    return None


def _moved(counted: Counted, offset: int) -> Counted:
    return Counted(counted.low, counted.high, counted.start + offset, counted.end + offset)


def _finding(announced: Announcement, counted: Counted, wording: Wording, confidence: float) -> Hit:
    number = counted.low if counted.low == counted.high else _RANGE(low=counted.low, high=counted.high)
    return Hit(
        Span(announced.start, announced.end),
        wording(words=announced.words, announced=announced.number, counted=number),
        (Span(counted.start, counted.end),),
        confidence=confidence,
    )


CHECK = Check(
    code="STR004",
    name="announced-count",
    severity="warning",
    summary="Announces a number of things and gives another number of them",
    run=run,
    bad=(
        Example("Adoption depends on three factors:\n\n- price\n- noise\n- trust\n- policy\n"),
        Example(
            "There are three main reasons. First, prices fell. Second, rules changed.\n\nThat was all.\n"
        ),
        Example("政策主要体现在以下三个方面：一是补贴提高，二是标准收紧。\n"),
    ),
    good=(
        Example(
            "# Report\n\n## 5 Conclusions\n\n### 5.1 Main conclusions\n\nPrices fall.\n\n### 5.2 "
            "Outlook\n\nThey go on falling.\n"
        ),
        Example(
            "We use three models: Alpha, Beta, and Gamma. Two filters follow: (1) agreement and (2) order.\n"
        ),
        Example(
            "Queries come from three sources: (i) older surveys, (ii) one forum, and (iii) our own staff.\n"
        ),
        Example("Adoption depends on three factors:\n\n- price\n  - new\n  - used\n- noise\n- trust\n"),
        Example(
            "There are three main reasons. First, prices fell. Second, rules changed. Finally, trust grew.\n"
        ),
        Example("政策主要体现在以下三个方面：一是补贴提高，二是标准收紧，三是培训增加。\n"),
    ),
    languages=("en", "zh"),
    dimension="internal_consistency",
    failure="incoherence",
)
