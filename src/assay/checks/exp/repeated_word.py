"""A word written twice in a row: "the the", "of of", 的的.

Readers notice a doubled word at once and conclude that nobody proofread the text. Only white space or emphasis marks may
stand between the two words. In English only words of grammar count, and words three times in a row: other words may be
doubled as names, titles and terms ("Walla Walla", "query query_batch"). Not flagged are intended doublings ("had had",
"that that"), numbers and table cells. In Chinese, only doublings that are not part of a word are reported (的的, 以及以及,
but not 目的的).

Known problems: quotations of damaged text are reported.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import prose_at
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "exp")
_WORDS: Final = WordSets(_PHRASES)

_MAX_GAP: Final = 4
_JOINED: Final = ("-", "/", "&", "‑", "–", "_")

_IN_A_ROW: Final = Wording(en="“{word}” appears {n} times in a row", zh="“{word}”连续出现{n}次")


@cache
def _doublings() -> tuple[tuple[str, re.Pattern[str] | None, re.Pattern[str] | None], ...]:
    """Return each Chinese doubling with patterns for the text before and after it that make it correct."""
    return tuple(
        (
            row[0],
            re.compile(f"(?:{row[1]})$") if len(row) > 1 else None,
            re.compile(row[2]) if len(row) > 2 else None,
        )
        for row in _PHRASES["doublings"].rows("zh")
    )


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each run of equal words."""
    for word in sorted(report.cues.doubled):
        starts = report.cues.positions(word)
        if len(starts) > 1 and len(word) > 1 and word not in _WORDS.repeated_word_doubled:
            yield from _runs(report, word, starts)
    if report.cues.cjk:
        yield from _chinese(report)


def _runs(report: Report, word: str, starts: list[int]) -> Iterator[Hit]:
    source = report.source
    size = len(word)
    begin = -1
    count = 1
    for left, right in [*pairwise(starts), (starts[-1], len(source) + size + _MAX_GAP)]:
        gap = source[left + size : right] if right - left <= size + _MAX_GAP else "|"
        if gap.strip("*_ \t\r\n") == "" and gap.strip("*_"):
            if count == 1:
                begin = left
            count += 1
            continue
        if count > 1 and (finding := _judge(report, word, begin, left + size, count)):
            yield finding
        count = 1


def _judge(report: Report, word: str, begin: int, end: int, count: int) -> Hit | None:
    source = report.source
    block = prose_at(report, begin)
    if block is None or end > block.span.end or "\n\n" in source[begin:end]:
        return None
    if word not in _WORDS.function_words and (count < 3 or len(word) < 4):
        return None
    after = source[end : end + 2].lstrip("\\")
    if source[begin - 1 : begin] in _JOINED or after[:1] in _JOINED:
        return None
    if source[begin - 1 : begin] in "\"'“‘(" and after[:1] in "\"'”’)":
        # The words are in quotation marks.
        return None
    return Hit(Span(begin, end), _IN_A_ROW(word=word, n=count), confidence=0.95)


def _chinese(report: Report) -> Iterator[Hit]:
    plain = report.plain
    for pair, before, after in _doublings():
        at = plain.find(pair)
        while at >= 0:
            half = pair[: len(pair) // 2]
            stop = at + len(pair)
            while plain.startswith(half, stop):
                stop += len(half)
            ends_word = before is not None and before.search(plain, max(0, at - 2), at)
            begins_word = after is not None and after.match(plain, stop)
            if not ends_word and not begins_word and prose_at(report, at):
                count = (stop - at) // len(half)
                yield Hit(Span(at, stop), _IN_A_ROW(word=half, n=count), confidence=0.85)
            at = plain.find(pair, stop)


CHECK = Check(
    code="EXP001",
    name="repeated-word",
    severity="warning",
    summary="a word written twice in a row",
    run=run,
    bad=(
        Example("The magazine has a design history of the the scooter that began it all."),
        Example("The course is about about a song that Schubert composed in 1825."),
        Example("影响基因挖掘成功率的的主要原因有两方面。"),
    ),
    good=(
        Example("The firm said that that decision had had no effect."),
        Example(
            "Boutros Boutros-Ghali came from Cairo; Walla Walla is in Washington. The agent may query query\\_batch."
        ),
        Example("以盈利为目的的机构不在此列。"),
    ),
    dimension="local_coherence",
    failure="expression_quality",
)
