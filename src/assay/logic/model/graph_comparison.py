"""Comparison of the model's graph with the rule-built one, which checks both at no cost."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from assay.logic.model.records import GraphComparison
from assay.logic.similarity import similarity

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph


def compare(model: LogicGraph, rules: LogicGraph) -> GraphComparison:
    """Compare two graphs of one report by their size and by the words that their nodes cover."""
    return GraphComparison(similarity(model, rules), _inside(model, rules), _inside(rules, model))


def _inside(graph: LogicGraph, other: LogicGraph) -> float | None:
    """Return the share of a graph's nodes that overlap a node of the other."""
    spans = sorted((node.span.start, node.span.end) for node in other.nodes if node.span is not None)
    starts = [start for start, _ in spans]
    # The furthest end of all spans so far: nodes may lie inside each other.
    ends = list(accumulate((end for _, end in spans), max))
    own = [node.span for node in graph.nodes if node.span is not None]
    if not own:
        return None
    hits = 0
    for span in own:
        before = bisect_right(starts, span.end - 1)
        hits += before > 0 and ends[before - 1] > span.start
    return hits / len(own)
