"""Degenerate text: the same words or clauses over and over.

Language models that run too long fall into loops ("the system is secure and stable, and the system is secure and …").
Such a passage says nothing, and readers stop trusting the rest. The check reports paragraphs in which most clauses recur,
and long runs without a punctuation mark in which the same few words or characters recur.

Lists of names and values, formulas, tables in plain text and runs of citation marks are not flagged.

Known problems: quoted song lyrics and refrains are flagged.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import quote, tabular
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_SHORTEST: Final = 60
_FEWEST: Final = 8
_FEWEST_UNITS: Final = 23
_PIECE: Final = re.compile(r"[^，。；、！？：,.;!?:“”（）()]+")
_HAN: Final = re.compile("[\u3400-\u9fff]+")

_CLAUSE_LOOP: Final = Wording(
    en="Only {different} different clauses in {total}: {quote}",
    zh="{total}个分句中只有{different}个不同：{quote}",
)
_WORD_LOOP: Final = Wording(
    en="The same few words are repeated over and over: {quote}", zh="反复出现同样的几个字：{quote}"
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each degenerate paragraph."""
    for block in report.paragraphs:
        if len(block.span) >= _SHORTEST and (finding := _loop(report, block)):
            yield finding


def _loop(report: Report, block: Block) -> Hit | None:
    text = report.plain[block.span.start : block.span.end]
    pieces = list(_PIECE.finditer(text))
    clauses = [words for piece in pieces if _is_clause(words := " ".join(piece.group().split()))]
    different = len(set(clauses))
    if (
        len(clauses) >= _FEWEST
        and different < 0.5 * len(clauses)
        and sum(map(len, clauses)) >= 0.7 * len(text)
        and not tabular(report.text(block.span))
    ):
        message = _CLAUSE_LOOP(different=different, total=len(clauses), quote=quote(report, block.span))
        return Hit(block.span, message, confidence=0.9)
    for piece in pieces:
        if piece.end() - piece.start() <= _FEWEST_UNITS:
            continue
        words = piece.group().lower()
        units = words if _HAN.fullmatch(words) else [word for word in words.split() if word.isalpha()]
        if len(units) > _FEWEST_UNITS and len(set(pairwise(units))) < 0.45 * len(units):
            span = Span(block.span.start + piece.start(), block.span.start + piece.end())
            if not tabular(report.text(span)):
                return Hit(span, _WORD_LOOP(quote=quote(report, span)), confidence=0.9)
    return None


def _is_clause(words: str) -> bool:
    """Return whether words are a clause: shorter pieces are names and values, which lists and data repeat."""
    return words.count(" ") >= 3 or (not words.isascii() and len(words) >= 5)


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
            "It is a lovely theorem. I am drawn to the foundations of mathematics because they are the loveliest thing we know, "
            + "and I want to understand them better. I am drawn to the foundations of mathematics because they are the "
            "loveliest thing we know, and I want to understand them better. " * 4
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
