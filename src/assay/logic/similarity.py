"""Similarity of two argument graphs in size and shape (FinResearchBench, section 4.3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from assay.logic.graph import LogicGraph

if TYPE_CHECKING:
    from assay.logic.graph import Metrics


class Similarity(msgspec.Struct, frozen=True):
    """Three similarities from 0 to 1, and their mean."""

    nodes: float
    depth: float
    width: float

    @property
    def average(self) -> float:
        """Return the mean of the three."""
        return (self.nodes + self.depth + self.width) / 3


def similarity(left: LogicGraph | Metrics, right: LogicGraph | Metrics) -> Similarity:
    """Compare two graphs by total nodes, average depth and average width; symmetric.

    It compares sizes, not words: two graphs about different things can be alike. Our readings: "average depth" is
        the mean depth
    of the leaves, the only average depth that the paper defines (appendix B); width is the mean number of children
    over nodes that have any.
    """
    a = _metrics(left)
    b = _metrics(right)
    return Similarity(
        nodes=ratio(a.nodes, b.nodes),
        depth=ratio(a.mean_leaf_depth, b.mean_leaf_depth),
        width=ratio(a.mean_children, b.mean_children),
    )


def ratio(left: float, right: float) -> float:
    """Return ``1 - |left - right| / max(left, right)`` for sizes; 1 if both are zero."""
    largest = max(left, right)
    return 1 - abs(left - right) / largest if largest > 0 else 1.0


def _metrics(graph: LogicGraph | Metrics) -> Metrics:
    return graph.metrics if isinstance(graph, LogicGraph) else graph
