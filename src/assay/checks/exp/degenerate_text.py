"""Degenerate text: the same words or clauses over and over.

Language models that run too long fall into loops ("the system is secure and stable, and the system is secure and …").
Such a passage says nothing, and readers stop trusting the rest. The check reports paragraphs with far fewer different
words than normal prose of the same length, and in Chinese, clauses or characters that recur without end.

Lists of single words, formulas, tables in plain text and runs of citation marks are not flagged.

Known problems: quoted song lyrics and refrains are flagged.
"""

from __future__ import annotations

import re
from operator import sub
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.prose import prose_at, quote, tabular
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_WORDS: Final = WordSets(PhraseFile("assay.checks", "exp"))
_MIN_CHINESE: Final = 60
_CROWD: Final = (6, 260)  # as many occurrences of a word within as many characters
_MIN_WORDS: Final = 40
_CLAUSE: Final = re.compile(r"[\s，。；、！？：,.;!?:“”（）()]+")
_HAN: Final = re.compile("[\u3400-\u9fff]{24,}")

_WORD_LOOP: Final = Wording(
    en="Only {different} different words in {total}: {quote}",
    zh="{total}个词中只有{different}个不同的词：{quote}",
)
_CLAUSE_LOOP: Final = Wording(
    en="Only {different} different clauses in {total}: {quote}",
    zh="{total}个分句中只有{different}个不同：{quote}",
)
_CHARACTER_LOOP: Final = Wording(
    en="The same few characters are repeated over and over: {quote}", zh="反复出现同样的几个字：{quote}"
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each degenerate paragraph."""
    if report.language == "zh":
        for block in report.paragraphs:
            if len(block.span) >= _MIN_CHINESE and (finding := _chinese_loop(report, block)):
                yield finding
        return
    lower = report.cues.lower
    for block in _crowded(report):
        if finding := _loop(report, block, lower[block.span.start : block.span.end].split()):
            yield finding


def _crowded(report: Report) -> list[Block]:
    """Return the paragraphs that contain a content word six times within 260 characters; only these can be loops."""
    count, reach = _CROWD
    blocks: dict[int, Block] = {}
    for word, offsets in report.cues.words().items():
        if (
            len(offsets) >= count
            and word not in _WORDS.function_words
            and min(map(sub, offsets[count - 1 :], offsets)) < reach
        ):
            for first, last in zip(offsets, offsets[count - 1 :], strict=False):
                if last - first < reach and (block := prose_at(report, first)):
                    blocks[block.index] = block
    return list(blocks.values())


def _loop(report: Report, block: Block, words: list[str]) -> RawFinding | None:
    count = len(words)
    if count < _MIN_WORDS:
        return None
    different = len(set(words))
    # Prose of 40 words has about 32 different ones, of 100 about 70, of 400 about 200.
    allowed = 0.45 if count < 100 else 0.38 if count < 200 else 0.27 if count < 400 else 0.2
    if different >= allowed * count or not words[0][0].isascii():
        return None
    # Formulas and rows of figures repeat symbols, not words.
    if sum(map(str.isalpha, words)) < 0.6 * count or tabular(report.text(block.span)):
        return None
    message = _WORD_LOOP(different=different, total=count, quote=quote(report, block.span))
    return RawFinding(block.span, message, confidence=0.9)


def _chinese_loop(report: Report, block: Block) -> RawFinding | None:
    text = report.plain[block.span.start : block.span.end]
    clauses = [clause for clause in _CLAUSE.split(text) if len(clause) > 3]
    different = len(set(clauses))
    if len(clauses) >= 8 and different < 0.5 * len(clauses) and not tabular(report.text(block.span)):
        message = _CLAUSE_LOOP(different=different, total=len(clauses), quote=quote(report, block.span))
        return RawFinding(block.span, message, confidence=0.9)
    for match in _HAN.finditer(text):
        size = match.end() - match.start()
        if len({text[i : i + 2] for i in range(match.start(), match.end() - 1)}) < 0.45 * size:
            span = Span(block.span.start + match.start(), block.span.start + match.end())
            return RawFinding(span, _CHARACTER_LOOP(quote=quote(report, span)), confidence=0.9)
    return None


CHECK = Check(
    code="EXP002",
    name="degenerate-text",
    severity="error",
    summary="a passage of words repeated over and over",
    run=run,
    bad=(
        Example(
            "First, identify the network. It may be a home network or a public network" + " network" * 60
        ),
        Example("An image of two cats. An image of a bathroom sink." + " An image of a set table." * 12),
        Example(
            "The system is secure and stable, and the system is secure and stable, and " * 6
            + "the system is secure."
        ),
        Example(
            "该平台能够实现发展发展发展发展发展发展发展发展发展发展发展发展发展发展发展的目标，并且持续推动行业的进步与创新，提升整体的服务水平和用户体验。"
        ),
    ),
    good=(
        Example(
            "Mode and effect:\n\n"
            + "normal mode      moves the cursor      yes\nvisual mode      keeps the cursor      no\n" * 9
        ),
        Example(
            "帧时间可以用剖析器观察，锁争用与线程迁移则要看并发视图。\ue200cite\ue202turn17search0\ue202turn17search6"
            "\ue202turn10search0\ue202turn10search2\ue202turn15search1\ue202turn15search9\ue201"
        ),
        Example(
            "该平台能够推动行业的进步与创新，提升整体的服务水平和用户体验，并在多个城市开展试点，取得了较好的经济效益与社会效益，为后续推广积累了经验，也暴露出成本偏高的问题。"
        ),
    ),
    dimension="local_coherence",
    failure="expression_quality",
)
