"""A repeated passage: a paragraph that repeats another almost word for word, or a long sentence that recurs unchanged.

Reports assembled section by section repeat themselves, and a summary copied from the body adds length but no content. The
check reports paragraphs of about forty words or more if seven tenths of them also occur in an earlier paragraph, and
sentences of twelve words or more that recur unchanged.

Candidates are found by the rare words (in Chinese: clauses) that two paragraphs share, so the cost grows with the length
of the report and not with the number of pairs.

Not flagged are tables, tables of contents, items that are only a link, and definitions of different terms in code.

Known problems: reports that fill in one form per item (data sheets, questionnaires) repeat text by design. For such a
report, the first repetitions are reported and the others counted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import quote, tabular
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_MIN_WORDS: Final = 35
_MIN_CHINESE: Final = 60
_SHARE: Final = 0.7
_SENTENCE: Final = (
    70,
    28,
)  # characters: about twelve English words, or a Chinese sentence of similar content
_BEGIN: Final = 24
_END_MARKS: Final = ".!?。！？…"
_CLOSED: Final = (".”", '."', ".)", "。”", "。）", "。」")
_RARE: Final = 3  # a word that occurs more often does not connect two paragraphs
_SHARED_RARE: Final = 7
_MOST: Final = 8
_LABELLED: Final = re.compile(r"[^:：,，。]{1,16}[:：]")
# "Title ........ 12": a line of a table of contents. "[Title](address)": an item that is only a link.
_CONTENTS: Final = re.compile(r"(?:\.{4,}|(?:\. ){4,}|…{2,})\s*\d*\s*\Z")
_LINK_ONLY: Final = re.compile(
    r"\W{0,6}(?:\d{1,3}[.)]\s*)?(?:\[[^\]\n]{1,300}\](?:\([^)\n]{0,500}\)|\[[^\]\n]{0,100}\])?|"
    r"`[^`\n]{1,300}`_{1,2}|https?://\S+)\W*\Z"
)
# A code term that a block defines: "- `limit`: …", "``minor``" on a line of its own.
_DEFINED: Final = re.compile(
    r"\s*(?:[-*+•>]\s+|\d{1,3}[.)]\s+|\.\. \w+:: )?(`{1,2}[^`\n]{1,80}`{1,2}|--?[\w-]{2,40})"
)
_CODE: Final = re.compile(r"`([^`\n]{1,300})`")
_CLAUSE: Final = re.compile(r"[\s，。；、！？：,;!?“”\"（）()]+")
_WORD: Final = re.compile(r"[a-z0-9]+")

_MOSTLY_EQUAL: Final = Wording(
    en="{share:.0%} of this paragraph is also in line {line}: {quote}",
    zh="这一段有{share:.0%}与第{line}行重复：{quote}",
)
_EQUAL: Final = Wording(
    en="This sentence repeats line {line} word for word: {quote}", zh="这句话与第{line}行一字不差：{quote}"
)
_AND_MORE: Final = Wording(
    en="{message} (and {n:more repeat|more repeats} in this report)", zh="{message}（报告中另有{n}处重复）"
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield findings for near-duplicate paragraphs, then for repeated sentences outside them; at most eight."""
    chinese = report.language == "zh"
    findings = list(_paragraphs(report, chinese=chinese))
    covered = {finding.span.start for finding in findings}
    findings.extend(_sentences(report, covered, chinese=chinese))
    if len(findings) > _MOST:
        first = findings[0]
        more = len(findings) - _MOST
        findings[0] = RawFinding(
            first.span,
            _AND_MORE(message=first.message, n=more),
            first.related,
            first.confidence,
        )
    yield from findings[:_MOST]


def _paragraphs(report: Report, *, chinese: bool) -> Iterator[RawFinding]:
    blocks = [
        block
        for block in report.paragraphs
        if len(block.span) >= (_MIN_CHINESE if chinese else _MIN_WORDS * 4)
    ]
    if len(blocks) < 2:
        return
    pairs = _by_clauses(report, blocks) if chinese else _by_words(report, blocks)
    done: set[int] = set()
    for (a, b), weight in sorted(pairs.items()):
        if b in done or weight < (_MIN_CHINESE * _SHARE if chinese else _SHARED_RARE):
            continue
        share = _share(report, blocks[a], blocks[b], chinese=chinese)
        if share >= _SHARE and not _by_design(report, blocks[a], blocks[b]):
            done.add(b)
            yield RawFinding(
                blocks[b].span,
                _MOSTLY_EQUAL(
                    share=share,
                    line=report.lines.place(blocks[a].span.start)[0],
                    quote=quote(report, blocks[b].span),
                ),
                related=(blocks[a].span,),
                confidence=0.9 if share > 0.85 else 0.8,
            )


def _by_design(report: Report, first: Block, second: Block) -> bool:
    """Return whether two blocks may share their words by design.

    That holds for tables, tables of contents, links, and definitions of two code terms.
    """
    for block in (first, second):
        text = report.text(block.span).rstrip()
        if tabular(text) or _CONTENTS.search(text, max(0, len(text) - 80)) or _LINK_ONLY.match(text):
            return True
    one, two = (_DEFINED.match(report.source, block.span.start, block.span.end) for block in (first, second))
    return one is not None and two is not None and one[1] != two[1]


def _by_words(report: Report, blocks: list[Block]) -> Counter[tuple[int, int]]:
    """Return the number of long rare words that each pair of paragraphs shares."""
    starts = [block.span.start for block in blocks]
    ends = [block.span.end for block in blocks]
    pairs: Counter[tuple[int, int]] = Counter()
    for offsets in [
        offsets
        for word, offsets in report.cues.words().items()
        if 1 < len(offsets) <= _RARE and len(word) > 5
    ]:
        before = bisect_right(starts, offsets[0]) - 1
        for offset in offsets[1:]:
            here = bisect_right(starts, offset) - 1
            if here != before >= 0 and offset < ends[here]:
                pairs[before, here] += 1
            before = here
    return pairs


def _by_clauses(report: Report, blocks: list[Block]) -> Counter[tuple[int, int]]:
    """Return the number of characters in the clauses that each pair of paragraphs shares."""
    where: dict[str, int] = {}
    pairs: Counter[tuple[int, int]] = Counter()
    for i, block in enumerate(blocks):
        for clause in _CLAUSE.split(report.plain[block.span.start : block.span.end]):
            if len(clause) >= 6:
                before = where.setdefault(clause, i)
                if before != i:
                    pairs[before, i] += len(clause)
    return pairs


def _share(report: Report, first: Block, second: Block, *, chinese: bool) -> float:
    """Return the share of the second paragraph's word (or character) triples that also occur in the first."""
    lower = report.cues.lower
    a = _grams(lower[first.span.start : first.span.end], chinese=chinese)
    b = _grams(lower[second.span.start : second.span.end], chinese=chinese)
    if len(b) < (_MIN_CHINESE if chinese else _MIN_WORDS) * 0.8:
        return 0.0
    return len(a & b) / len(b)


def _grams(text: str, *, chinese: bool) -> set[tuple[str, ...]]:
    parts = list("".join(_CLAUSE.split(text))) if chinese else _WORD.findall(text)
    return set(zip(parts, parts[1:], parts[2:], strict=False))


def _sentences(report: Report, covered: set[int], *, chinese: bool) -> Iterator[RawFinding]:
    lower = report.cues.lower
    least = _SENTENCE[chinese]
    # Most sentences have a unique beginning; only the others are compared in full.
    begins = Counter([lower[s.span.start : s.span.start + _BEGIN] for s in report.sentences])
    if len(begins) == len(report.sentences):
        return
    seen: dict[str, Span] = {}
    run_end = -1
    for sentence in report.sentences:
        span = sentence.span
        if span.end - span.start < least or begins[lower[span.start : span.start + _BEGIN]] < 2:
            continue
        key = "".join(lower[span.start : span.end].split())
        if (key[-1] not in _END_MARKS and not key.endswith(_CLOSED)) or _LABELLED.match(key):
            # A row of a form ("Breakfast: porridge, an egg") may recur on purpose.
            continue
        first = seen.setdefault(key, span)
        if first is span or len(key) < least * 0.8 or report.blocks[sentence.block].span.start in covered:
            continue
        if sentence.index == run_end + 1:
            # The preceding sentence was repeated too, so both belong to one finding.
            run_end = sentence.index
            continue
        other = report.block_at(first.start)
        if _CODE.findall(report.text(first)) != _CODE.findall(report.text(span)) or (
            other is not None and _by_design(report, other, report.blocks[sentence.block])
        ):
            # Code is blank in the plain text, so two sentences with different code may look equal there.
            continue
        run_end = sentence.index
        line = report.lines.place(first.start)[0]
        yield RawFinding(
            span,
            _EQUAL(line=line, quote=quote(report, span)),
            related=(first,),
            confidence=0.8,
        )


CHECK = Check(
    code="EXP003",
    name="near-duplicate-paragraph",
    severity="warning",
    summary="a paragraph or long sentence that repeats an earlier one almost word for word",
    run=run,
    bad=(
        Example(
            "Heat pumps spread fastest where electricity is cheap relative to gas, where installers are "
            "plentiful, and where "
            "subsidies reward replacement of working boilers instead of waiting for them to break; Norway "
            "and Finland meet all "
            "three conditions.\n\nOther countries differ.\n\nHeat pumps spread fastest where electricity is "
            "cheap relative to gas, "
            "where installers are plentiful, and where subsidies reward replacement of working boilers "
            "instead of waiting for them "
            "to fail; Sweden and Finland meet all three conditions."
        ),
        Example(
            "该市再生水利用率在五年内由百分之十八提高到百分之三十四，主要得益于管网建设。其他城市较低。\n\n结论：该市再生水利用率在五年内由百分之十八提高到百分之三十四，主要得益于管网建设。\n\n"
            "该市再生水利用率在五年内由百分之十八提高到百分之三十四，主要得益于管网建设。"
        ),
    ),
    good=(
        Example(
            "Heat pumps spread fastest where electricity is cheap relative to gas, where installers are "
            "plentiful, and where "
            "subsidies reward replacement of working boilers; Norway and Finland meet all three "
            "conditions.\n\nGermany meets one of "
            "them: subsidies are generous, but electricity costs three times as much as gas and installers "
            "are booked for months, "
            "so replacement waits until a boiler breaks."
        ),
        Example(
            "- `limit`: The value is a whole number of seconds that is counted from the start of the request.\n"
            "- `delay`: The value is a whole number of seconds that is counted from the start of the request.\n\n"
            "- [Why do pumps lose so much of their power when it is very cold outside?](#cold)\n"
            "- [Why do pumps lose so much of their power when it is very cold outside?](#cold)\n"
        ),
        Example(
            "该市再生水利用率在五年内由百分之十八提高到百分之三十四，主要得益于管网建设。\n\n其他城市的利用率较低，原因在于管网覆盖不足，且再生水价格与自来水相差不大。"
        ),
    ),
    dimension="global_coherence",
    failure="expression_quality",
)
