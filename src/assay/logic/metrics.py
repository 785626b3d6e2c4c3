"""Sizes of an argument graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.logic.graph import Metrics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.logic.graph import Edge, LogicGraph, Node


def metrics(graph: LogicGraph) -> Metrics:
    """Measure a graph (see `measure`): what ``graph.metrics`` should be."""
    return measure(graph.nodes, graph.edges, graph.roots)


def measure(nodes: Iterable[Node], edges: Iterable[Edge], roots: Iterable[str]) -> Metrics:
    """Return nodes, evidence, depths and width, as FinResearchBench (section 3.1.4, appendix B) counts them.

    Our readings: a root is at depth 1. A node of a graph can be reached by several ways; its depth is that of the
        longest one,
    the full chain of reasoning above it. ``mean_children`` is over nodes that have children, 0 if none has;
    ``mean_leaf_depth`` is over nodes without children, 0 for an empty graph.
    """
    nodes = list(nodes)
    below = children_of(edges)
    depth = depths(below, roots)
    leaves = [depth[node.id] for node in nodes if node.id in depth and node.id not in below]
    inner = [len(children) for children in below.values()]
    return Metrics(
        nodes=len(nodes),
        evidence=sum(1 for node in nodes if node.kind == "evidence"),
        max_depth=max(depth.values(), default=0),
        mean_leaf_depth=sum(leaves) / len(leaves) if leaves else 0.0,
        mean_children=sum(inner) / len(inner) if inner else 0.0,
    )


def children_of(edges: Iterable[Edge]) -> dict[str, list[str]]:
    """Return the children of every node that has any, in the order of the edges."""
    below: dict[str, list[str]] = {}
    for edge in edges:
        below.setdefault(edge.parent, []).append(edge.child)
    return below


def depths(below: dict[str, list[str]], roots: Iterable[str]) -> dict[str, int]:
    """Return the length of the longest way from a root to every node that can be reached, roots at 1.

    Raises:
        ValueError: The edges form a cycle.
    """
    order: list[str] = []
    done: dict[str, bool] = {}
    for root in roots:
        stack = [(root, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                done[node] = True
                order.append(node)
            elif node not in done:
                done[node] = False
                stack.append((node, True))
                for child in below.get(node, ()):
                    if child not in done:
                        stack.append((child, False))
                    elif not done[child]:
                        raise ValueError(f"the graph holds a cycle through {child!r}")
    depth = dict.fromkeys(reversed(order), 1)
    for node in reversed(order):
        for child in below.get(node, ()):
            depth[child] = max(depth[child], depth[node] + 1)
    return depth
