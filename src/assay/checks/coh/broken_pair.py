"""Flags a connective whose other half is missing: "on the one hand" alone, "Third," without a second.

Such words announce a structure: two sides, or points in order. If the other half never comes, one side of the argument
or a point is missing; if "Third" follows "First", readers look for the second point.

The check covers "on the one hand" / 一方面, and ordinals at the start of sentences (Second, Third, Fourth; 其次, 第二,
第三), which need the preceding ordinal earlier in the section.

Known problems: an other half in different words ("yet others hold …") is not recognised.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "coh")

_ONE_HAND: Final = re.compile(r"on (?:the )?one $", re.IGNORECASE)
_OTHER_HAND: Final = _PHRASES.pattern(
    "<<broken_pair_other_hand.en>>|<<broken_pair_other_hand.zh>>", flags=re.IGNORECASE
)
_REACH: Final = 900
_ORDINALS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (
        "second",
        re.compile(
            r"\b(?:first|firstly|one|1st|initially|initial|primary|primarily|main|begin|start|1)\b|[(（]?[1a①][)）.]",
            re.IGNORECASE,
        ),
    ),
    (
        "third",
        re.compile(r"\b(?:second|secondly|two|2nd|another|next|also|2)\b|[(（]?[2b②][)）.]", re.IGNORECASE),
    ),
    ("fourth", re.compile(r"\b(?:third|thirdly|three|3rd|3)\b|[(（]?[3c③][)）.]", re.IGNORECASE)),
    ("fifth", re.compile(r"\b(?:fourth|fourthly|four|4th|4)\b|[(（]?[4d④][)）.]", re.IGNORECASE)),
)
_ZH_ORDINALS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("其次，", re.compile(r"首先|第一|其一|一是|一方面|先是|首要|最|主要|1|①|一、|（一）|先")),
    ("第二，", re.compile(r"第一|首先|其一|一是|1|①|一、|（一）")),
    ("第三，", re.compile(r"第二|其次|其二|二是|2|②|二、|（二）")),
    ("第四，", re.compile(r"第三|再次|其三|三是|3|③|三、|（三）")),
    ("三是", re.compile(r"二是|第二|其次|2")),
    ("四是", re.compile(r"三是|第三|3")),
)

_NO_OTHER_HAND: Final = Wording(
    en="“{words}” is not followed by the other side", zh="“{words}”之后没有与之呼应的另一方面"
)
_NO_FIRST_POINT: Final = Wording(
    en="“{words}” comes without the point before it", zh="“{words}”之前缺少上一点"
)


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each "on the one hand" without the other, then for each ordinal without its predecessor."""
    yield from _hands(report)
    yield from _ordinals(report)


def _hands(report: Report) -> Iterator[Hit]:
    done = -1
    for start, end in _one_hands(report):
        if start < done:
            continue
        done = end + _REACH
        block = report.block_at(start)
        if block is None or block.kind not in ("paragraph", "item"):
            continue
        limit = min(report.sections[block.section].body.end, end + _REACH)
        if _OTHER_HAND.search(report.plain, end, limit) is None:
            yield Hit(
                Span(start, end),
                _NO_OTHER_HAND(words=report.source[start:end]),
                confidence=0.8,
            )


def _one_hands(report: Report) -> Iterator[tuple[int, int]]:
    plain = report.plain
    for at in report.cues.positions("hand"):
        match = _ONE_HAND.search(plain, max(0, at - 11), at)
        if match is not None:
            yield match.start(), at + 4
    if report.cues.cjk:
        at = plain.find("一方面")
        while at >= 0:
            if plain[at - 1 : at] != "另":
                yield at, at + 3
            at = plain.find("一方面", at + 3)


def _ordinals(report: Report) -> Iterator[Hit]:
    plain = report.plain
    for word, before in _ORDINALS:
        for form in (word, word + "ly"):
            for at in report.cues.positions(form):
                if plain[at].isupper() and plain.startswith(",", at + len(form)):
                    yield from _ordinal(report, at, at + len(form), before)
    if report.cues.cjk:
        for word, before in _ZH_ORDINALS:
            at = plain.find(word)
            while at >= 0:
                if at == 0 or plain[at - 1] in "。；\n ，：;":
                    yield from _ordinal(report, at, at + len(word.rstrip("，")), before)
                at = plain.find(word, at + 1)


def _ordinal(report: Report, start: int, end: int, before: re.Pattern[str]) -> Iterator[Hit]:
    i = bisect_right(report.sentence_starts, start) - 1
    if i < 0:
        return
    section = report.sections[report.sentences[i].section]
    # Points may be spread over the subsections of one part.
    parent = report.sections[section.parent] if section.parent else section
    from_ = parent.span.start if section.level > 1 else section.span.start
    if before.search(report.source, from_, start) is None:
        yield Hit(
            Span(start, end),
            _NO_FIRST_POINT(words=report.source[start:end]),
            confidence=0.75,
        )


CHECK = Check(
    code="COH009",
    name="broken-pair",
    severity="warning",
    summary="“On the one hand” without the other, “Third” without a second",
    run=run,
    bad=(
        Example("# Pumps\n\nOn the one hand, pumps save energy. They are quiet and small.\n"),
        Example(
            "# Pumps\n\nPumps spread for several reasons. First, they save energy. Third, they are quiet.\n"
        ),
        Example("# 热泵\n\n热泵普及有多重原因。第一，热泵节能。第三，热泵安静。\n"),
    ),
    good=(
        Example("# Pumps\n\nOn the one hand, pumps save energy. On the other, they cost more.\n"),
        Example("# Pumps\n\nFirst, they save energy. Second, they are small. Third, they are quiet.\n"),
        Example("# 热泵\n\n第一，热泵节能。第二，热泵小巧。第三，热泵安静。\n"),
    ),
    dimension="local_coherence",
    failure="incoherence",
)
