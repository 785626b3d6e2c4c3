"""Degenerate text: the same words over and over, or a chain of words without grammar.

Language models that run too long fall into loops ("autonomous autonomous liberated liberated colonization
colonization …") or into strings of loosely related nouns and adjectives. Such a passage says nothing, and readers stop
trusting the rest. The check reports paragraphs with far fewer different words than normal prose of the same length, and
sentences with at least fifteen consecutive words without a function word or punctuation.

Lists of single words and tables in plain text are not flagged.

Known problems: quoted song lyrics, word lists and refrains are flagged.
"""

from __future__ import annotations

import re
from operator import sub
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import WORDS, prose_at, quote, tabular
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_MIN_CHINESE: Final = 60
_CROWD: Final = (6, 260)  # as many occurrences of a word within as many characters
_MIN_WORDS: Final = 40
_CHAIN: Final = 15
_LONG_SENTENCE: Final = 300
_TOKEN: Final = re.compile(r"\S+")
_CLAUSE: Final = re.compile(r"[\s，。；、！？：,.;!?:“”（）()]+")

_WORD_LOOP: Final = Wording(
    en="Only {different} different words in {total}: {quote}",
    zh="{total}个词中只有{different}个不同的词：{quote}",
)
_WORD_CHAIN: Final = Wording(
    en="{n} words in a row without grammar or punctuation: {quote}", zh="连续{n}个词既无语法也无标点：{quote}"
)
_CLAUSE_LOOP: Final = Wording(
    en="Only {different} different clauses in {total}: {quote}",
    zh="{total}个分句中只有{different}个不同：{quote}",
)
_CHARACTER_LOOP: Final = Wording(
    en="The same few characters are repeated over and over: {quote}", zh="反复出现同样的几个字：{quote}"
)


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each degenerate paragraph or chain."""
    if report.language == "zh":
        for block in report.paragraphs:
            if len(block.span) >= _MIN_CHINESE and (finding := _chinese_loop(report, block)):
                yield finding
    else:
        lower = report.cues.lower
        for block in _crowded(report):
            if finding := _loop(report, block, lower[block.span.start : block.span.end].split()):
                yield finding
        for sentence in report.sentences:
            if sentence.span.end - sentence.span.start >= _LONG_SENTENCE and (
                chain := _chain(lower, sentence.span)
            ):
                span, count = chain
                text = report.text(span)
                # With one or two words per line, the text is a list and not a sentence.
                if tabular(text) or 3 * text.count("\n") > count:
                    continue
                message = _WORD_CHAIN(n=count, quote=quote(report, span))
                yield RawFinding(span, message, confidence=0.9 if count > 20 else 0.8)


def _crowded(report: Report) -> list[Block]:
    """Return the paragraphs that contain a content word six times within 260 characters; only these can be loops."""
    count, reach = _CROWD
    blocks: dict[int, Block] = {}
    for word, offsets in report.cues.words().items():
        if (
            len(offsets) >= count
            and word not in WORDS.function_words
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
    if sum(map(str.isalpha, words)) < 0.6 * count:
        return None
    if tabular(report.text(block.span)):
        return None
    message = _WORD_LOOP(different=different, total=count, quote=quote(report, block.span))
    return RawFinding(block.span, message, confidence=0.9)


def _chain(lower: str, span: Span) -> tuple[Span, int] | None:
    """Return the span and length of the longest run of content words in a sentence, or None if it is too short."""
    best = count = 0
    begin = best_begin = best_end = 0
    previous = span.start
    for match in _TOKEN.finditer(lower, span.start, span.end):
        word = match.group()
        # A gap wider than a space is removed markup: a citation, a link.
        if word in WORDS.function_words or not word[0].isalpha() or (count and match.start() > previous + 2):
            count = 0
        if word not in WORDS.function_words and word[0].isalpha():
            if not count:
                begin = match.start()
            count += 1
            if count > best:
                best, best_begin, best_end = count, begin, match.end()
            if not word[-1].isalpha():
                count = 0
        previous = match.end()
    return (Span(best_begin, best_end), best) if best >= _CHAIN else None


def _chinese_loop(report: Report, block: Block) -> RawFinding | None:
    text = report.plain[block.span.start : block.span.end]
    clauses = [clause for clause in _CLAUSE.split(text) if len(clause) > 3]
    if len(clauses) >= 8 and len(set(clauses)) < 0.5 * len(clauses):
        message = _CLAUSE_LOOP(
            different=len(set(clauses)), total=len(clauses), quote=quote(report, block.span)
        )
        return RawFinding(block.span, message, confidence=0.9)
    for clause in clauses:
        size = len(clause)
        if (
            size >= 24
            and not clause.isascii()
            and len({clause[i : i + 2] for i in range(size - 1)}) < 0.45 * size
        ):
            at = report.plain.find(clause, block.span.start, block.span.end)
            span = Span(at, at + size)
            return RawFinding(span, _CHARACTER_LOOP(quote=quote(report, span)), confidence=0.85)
    return None


CHECK = Check(
    code="EXP002",
    name="degenerate-text",
    severity="error",
    summary="a passage of words repeated over and over, or strung together without grammar",
    run=run,
    bad=(
        Example(
            "The ministry coordinates reviews of critical systems that are subject to periodic assessment by "
            "the users and their "
            "directors, who remain firm loyal devoted resolute determined courageous brave true heroic "
            "famous distinguished "
            "noteworthy honorable noble respectable virtuous ethical moral upright honest sincere genuine "
            "trustworthy reliable "
            "safe protected free liberated sovereign independent."
        ),
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
            "The ministry coordinates reviews of critical systems that are subject to periodic assessment by "
            "the users and their "
            "directors, who remain firm, loyal, devoted, resolute and determined, and who report on cyber "
            "risks, network segments, "
            "supply chains, staff training, legal duties and the state of readiness to the parliament once "
            "in every year."
        ),
        Example(
            "该平台能够推动行业的进步与创新，提升整体的服务水平和用户体验，并在多个城市开展试点，取得了较好的经济效益与社会效益，为后续推广积累了经验，也暴露出成本偏高的问题。"
        ),
    ),
    dimension="local_coherence",
    failure="expression_quality",
)
