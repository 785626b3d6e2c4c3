"""What an extractor of arguments must beat: one sentence as the main claim, and everything else under it.

first = star(report, first_sentence(report))
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.checks.base import LocatedSpan
from assay.logic.graph import Edge, LogicGraph, Node
from assay.logic.metrics import measure
from assay.logic.segments import PHRASES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assay.subjects.report import Report

_EMPTY: Final = LogicGraph((), (), (), measure((), (), ()))


def first_sentence(report: Report) -> int:
    """Return the index of the first sentence: texts often open with their claim."""
    del report
    return 0


def cue_sentence(report: Report) -> int:
    """Return the index of the first sentence that says what should be or concludes; else of the first sentence."""
    pattern = _cues()
    lower = report.cues.lower
    for i, sentence in enumerate(report.sentences):
        if pattern.search(lower, sentence.span.start, sentence.span.end):
            return i
    return 0


def star(report: Report, root: int) -> LogicGraph:
    """Return a graph of all sentences in which every one supports the sentence ``root``."""
    if not report.sentences:
        return _EMPTY
    nodes: list[Node] = []
    for i, sentence in enumerate(report.sentences):
        span = sentence.span
        line, column = report.lines.place(span.start)
        nodes.append(
            Node(
                f"s{i}",
                "argument",
                report.plain_text(span),
                LocatedSpan(span.start, span.end, line, column),
                None,
            )
        )
    edges = [Edge(f"s{root}", node.id) for i, node in enumerate(nodes) if i != root]
    return LogicGraph(tuple(nodes), tuple(edges), (f"s{root}",), measure(nodes, edges, (f"s{root}",)))


BASELINES: Final[Mapping[str, Callable[[Report], int]]] = {
    "first sentence": first_sentence,
    "cue sentence": cue_sentence,
}


@cache
def _cues() -> re.Pattern[str]:
    words = PHRASES["baseline_cues"]
    return re.compile(rf"\b(?:{words.alternation('en')})\b|{words.alternation('zh')}")
