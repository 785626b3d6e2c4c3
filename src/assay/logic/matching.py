"""Comparison of two graphs of one report: nodes are matched by the words they cover, edges by their nodes.

matched = match_nodes(true, found)
node_match(true, found, matched).f1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.logic.graph import Edge, LogicGraph, Node

# Two nodes are the same when they share at least this part of all the words either covers.
_SAME: Final = 0.5


class Match(msgspec.Struct, frozen=True):
    """Counts of a comparison: ``found`` extracted, ``true`` in the true graph, ``hits`` in both.

    Precision is None if nothing was extracted, recall if there was nothing to find, F1 if either is None.
    """

    hits: int
    found: int
    true: int

    @property
    def precision(self) -> float | None:
        """Return the share of the extracted items that are right."""
        return self.hits / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """Return the share of the true items that were extracted."""
        return self.hits / self.true if self.true else None

    @property
    def f1(self) -> float | None:
        """Return the harmonic mean of both, ``2 hits / (found + true)``."""
        return 2 * self.hits / (self.found + self.true) if self.found + self.true else None


def match_nodes(true: LogicGraph, found: LogicGraph) -> dict[str, str]:
    """Return the true node that each extracted node stands for, by id, one to one.

    Two nodes can be the same if what both cover is half or more of what either covers; the closest are paired first.
    """
    truth = sorted(_spans(true))
    pairs: list[tuple[float, str, str]] = []
    first = 0
    for start, end, name in sorted(_spans(found)):
        while first < len(truth) and truth[first][1] <= start:
            first += 1
        for low, high, other in truth[first:]:
            if low >= end:
                break
            both = min(end, high) - max(start, low)
            share = both / (max(end, high) - min(start, low))
            if both > 0 and share >= _SAME:
                pairs.append((-share, name, other))
    out: dict[str, str] = {}
    used: set[str] = set()
    for _, name, other in sorted(pairs):
        if name not in out and other not in used:
            out[name] = other
            used.add(other)
    return out


def node_match(true: LogicGraph, found: LogicGraph, matched: dict[str, str]) -> Match:
    """Compare the nodes; a node without a place in the report is never found."""
    return Match(len(matched), len(found.nodes), len(true.nodes))


def edge_match(true: LogicGraph, found: LogicGraph, matched: dict[str, str]) -> Match:
    """Compare the edges between matched nodes. A node that is in one graph only counts among the nodes, not again here.

    What stands under such a node is taken to stand under the nearest node above it that is in both graphs.
    """
    there = _links(true, {name: name for name in matched.values()})
    extracted = _links(found, matched)
    return Match(len(there & extracted), len(extracted), len(there))


def kind_match(true: LogicGraph, found: LogicGraph, matched: dict[str, str]) -> Match:
    """Count the matched nodes that are of the right kind."""
    here: dict[str, Node] = {node.id: node for node in found.nodes}
    there: dict[str, Node] = {node.id: node for node in true.nodes}
    right = sum(here[name].kind == there[other].kind for name, other in matched.items())
    return Match(right, len(matched), len(matched))


def _spans(graph: LogicGraph) -> Iterator[tuple[int, int, str]]:
    for node in graph.nodes:
        if node.span is not None and node.span.start < node.span.end:
            yield node.span.start, node.span.end, node.id


def _links(graph: LogicGraph, names: dict[str, str]) -> set[tuple[str, str]]:
    """Return the edges between named nodes, by these names; other nodes on the way are skipped."""
    above: dict[str, list[str]] = {}
    for edge in graph.edges:
        above.setdefault(edge.child, []).append(edge.parent)
    links: set[tuple[str, str]] = set()
    for child, name in names.items():
        stack, seen = list(above.get(child, ())), set[str]()
        while stack:
            parent = stack.pop()
            if parent in seen:
                continue
            seen.add(parent)
            if parent in names:
                links.add((names[parent], name))
            else:
                stack += above.get(parent, ())
    return links


def has_right_root(true: LogicGraph, found: LogicGraph, matched: dict[str, str]) -> bool:
    """Return whether the first root of the extracted graph is a root of the true one."""
    return bool(found.roots) and matched.get(found.roots[0]) in true.roots


def link_match(true: LogicGraph, found: LogicGraph, matched: dict[str, str]) -> Match:
    """Compare all edges as pairs of units, whatever their direction; an edge from or to a unit not found is missed."""
    return _edge_counts(true, found, matched, directed=False)


def relation_match(true: LogicGraph, found: LogicGraph, matched: dict[str, str]) -> Match:
    """Compare all edges with their direction and their relation."""
    return _edge_counts(true, found, matched, directed=True)


def attack_match(true: LogicGraph, found: LogicGraph, matched: dict[str, str]) -> Match:
    """Compare the edges that rebut or undercut, as pairs of units."""
    return _edge_counts(true, found, matched, directed=False, attacks=True)


def _edge_counts(
    true: LogicGraph, found: LogicGraph, matched: dict[str, str], *, directed: bool, attacks: bool = False
) -> Match:
    def key(edge: Edge, name: Callable[[str], str]) -> object:
        parent, child = name(edge.parent), name(edge.child)
        return (parent, child, edge.relation) if directed else frozenset((parent, child))

    wanted = [edge for edge in true.edges if not attacks or edge.relation != "supports"]
    given = [edge for edge in found.edges if not attacks or edge.relation != "supports"]
    there = {key(edge, lambda name: name) for edge in wanted}
    # A node that stands for no true one keeps a name that no true one can have.
    here = {key(edge, lambda name: matched.get(name, f"\0{name}")) for edge in given}
    return Match(len(there & here), len(here), len(there))
