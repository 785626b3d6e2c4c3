"""The argument graph of a report: claims, what speaks for and against them, and the evidence at the bottom.

A directed acyclic graph: one piece of evidence may carry several claims (FinResearchBench, sections 3.1.1 and 5.2).
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from assay.checks.base import LocatedSpan
from assay.record import Record

SCHEMA = "assay.logic/2"
NodeKind = Literal["argument", "evidence"]
Support = Literal["supported", "partial", "unsupported"]
Relation = Literal["supports", "rebuts", "undercuts"]


class Node(Record, msgspec.Struct, frozen=True):
    """A claim or a piece of evidence.

    Attributes:
        id: Unique id in the graph.
        kind: Claim or evidence.
        text: Its words in the report.
        span: Where they stand; None if they were not located.
        support: How far what stands under a claim holds it up; None for evidence, and if it was not checked.
        context: Headings and label that the words depend on, joined by " › "; empty if they stand alone.
    """

    id: str
    kind: NodeKind
    text: str
    span: LocatedSpan | None
    support: Support | None
    context: str = ""


class Edge(Record, msgspec.Struct, frozen=True):
    """What ``child`` does to ``parent``.

    It supports the parent, rebuts it (speaks against what it says), or undercuts it: it grants what the parent says and
    denies that it is a good reason for, or against, what the parent is brought for.
    """

    parent: str
    child: str
    relation: Relation = "supports"


class Metrics(Record, msgspec.Struct, frozen=True):
    """Sizes of a graph. A root is at depth 1; ``mean_children`` is over nodes that have any."""

    nodes: int
    evidence: int
    max_depth: int
    mean_leaf_depth: float
    mean_children: float


class LogicGraph(Record, msgspec.Struct, frozen=True):
    """The contract ``assay.logic/2``."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    roots: tuple[str, ...]
    metrics: Metrics
    schema: str = SCHEMA

    def summary_line(self) -> str:
        """Return the numbers of nodes and pieces of evidence."""
        return (
            f"{self.metrics.nodes} nodes, {self.metrics.evidence} of evidence, depth {self.metrics.max_depth}"
        )

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each node, with its parents."""
        parents: dict[str, list[str]] = {}
        for edge in self.edges:
            parents.setdefault(edge.child, []).append(edge.parent)
        rows = [(node, parents.get(node.id, [])) for node in self.nodes]
        fields = ("id", "kind", "support", "text")
        columns: dict[str, list[Any]] = {name: [getattr(node, name) for node, _ in rows] for name in fields}
        return {**columns, "parents": [above for _, above in rows]}
