"""The argument graph of a report: claims, the claims under them, and the evidence at the bottom.

A directed acyclic graph: one piece of evidence may carry several claims (FinResearchBench, sections 3.1.1 and 5.2).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from assay.checks.base import LocatedSpan

SCHEMA = "assay.logic/1"
NodeKind = Literal["argument", "evidence"]
Support = Literal["supported", "partial", "unsupported"]


class Node(msgspec.Struct, frozen=True):
    """A claim or a piece of evidence. ``text`` is in the report; ``span`` says where (None if it was not located)."""

    id: str
    kind: NodeKind
    text: str
    span: LocatedSpan | None
    support: Support | None


class Edge(msgspec.Struct, frozen=True):
    """``child`` supports ``parent``."""

    parent: str
    child: str


class Metrics(msgspec.Struct, frozen=True):
    """Sizes of a graph. A root is at depth 1; ``mean_children`` is over nodes that have any."""

    nodes: int
    evidence: int
    max_depth: int
    mean_leaf_depth: float
    mean_children: float


class LogicGraph(msgspec.Struct, frozen=True):
    """The contract ``assay.logic/1``."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    roots: tuple[str, ...]
    metrics: Metrics
    schema: str = SCHEMA
