"""A draft of a graph: nodes are added, joined, merged and removed, without cycles or repeated edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.checks.base import LocatedSpan
from assay.logic.graph import Edge, LogicGraph, Node
from assay.logic.metrics import measure
from assay.logic.terms import terms_in
from assay.text.quantities import find_quantities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.logic.graph import NodeKind, Support
    from assay.logic.model.node_words import LocatedWords
    from assay.subjects.report import Report
    from assay.subjects.span import Span


class DraftNode:
    """A node: where it stands, and what it is about."""

    __slots__ = ("cited", "figures", "key", "keys", "kind", "part", "section", "span", "terms", "text")

    def __init__(self, key: int, part: int, kind: NodeKind, found: LocatedWords, report: Report) -> None:
        self.key = key
        self.part = part
        self.kind = kind
        self.section = found.lines[0].section
        self.span: Span = found.span
        self.text = found.text
        self.terms = terms_in(found.text)
        self.figures = frozenset(
            (item.value, item.unit) for item in find_quantities(found.text) if item.kind != "ordinal"
        )
        self.keys = frozenset(name for line in found.lines for name in line.keys)
        # Cited by a marker after its own words, not merely somewhere in its lines.
        last = max(line.span.end for line in found.lines)
        self.cited = bool(self.keys) and (
            found.span.end >= last or bool(report.citations_in(found.span)) or not found.verbatim
        )

    @property
    def is_argument(self) -> bool:
        """Return whether it is a claim."""
        return self.kind == "argument"


class GraphDraft:
    """Nodes by key, and what supports what.

    Attributes:
        items: The nodes by key, in the order they were added.
        unified: Nodes that were merged with another that says the same.
        loose: Evidence that was left out at the end, because it supports nothing.
    """

    def __init__(self, report: Report) -> None:
        self.report = report
        self.items: dict[int, DraftNode] = {}
        self.unified = 0
        self.loose = 0
        self._up: dict[int, dict[int, None]] = {}
        self._down: dict[int, dict[int, None]] = {}
        self._spans: dict[tuple[int, int, str], int] = {}
        self._next = 0

    def add(self, part: int, kind: NodeKind, found: LocatedWords) -> tuple[DraftNode, bool]:
        """Add a node and return whether it is new: the same words in the same place are one node."""
        place = (found.span.start, found.span.end, found.text)
        known = self._spans.get(place)
        if known is not None and known in self.items:
            return self.items[known], False
        item = DraftNode(self._next, part, kind, found, self.report)
        self._next += 1
        self.items[item.key] = item
        self._up[item.key], self._down[item.key] = {}, {}
        self._spans[place] = item.key
        return item, True

    def parents(self, key: int) -> list[int]:
        """Return the claims that a node supports."""
        return list(self._up[key])

    def children(self, key: int) -> list[int]:
        """Return the nodes that support a node."""
        return list(self._down[key])

    def join(self, child: int, parent: int) -> str:
        """Let one node support another; return why that cannot be, or an empty text."""
        if child == parent:
            return "itself"
        if not self.items[parent].is_argument:
            return "evidence"
        if parent in self._up[child]:
            return "twice"
        if self.stands_under(parent, child):
            return "cycle"
        self._up[child][parent] = None
        self._down[parent][child] = None
        return ""

    def stands_under(self, key: int, above: int) -> bool:
        """Return whether one node is somewhere below another."""
        seen = {key}
        stack = [key]
        while stack:
            for parent in self._up[stack.pop()]:
                if parent == above:
                    return True
                if parent not in seen:
                    seen.add(parent)
                    stack.append(parent)
        return False

    def unify(self, kept: int, gone: int) -> None:
        """Let one node take over all edges of another that says the same."""
        children, parents = self.children(gone), self.parents(gone)
        self.drop(gone)
        for child in children:
            self.join(child, kept)
        for parent in parents:
            self.join(kept, parent)
        self.unified += 1

    def drop(self, key: int) -> None:
        """Remove a node."""
        for parent in self._up.pop(key):
            del self._down[parent][key]
        for child in self._down.pop(key):
            del self._up[child][key]
        del self.items[key]

    def tops(self, part: int | None = None) -> list[DraftNode]:
        """Return the claims that support nothing, of all parts or of one, by their place in the report."""
        found = [
            item
            for item in self.items.values()
            if item.is_argument and not self._up[item.key] and part in (None, item.part)
        ]
        return sorted(found, key=lambda item: (item.span, item.key))

    def loose_evidence(self) -> list[DraftNode]:
        """Return the evidence that supports nothing so far."""
        return [item for item in self.items.values() if not item.is_argument and not self._up[item.key]]

    def settle(self) -> list[DraftNode]:
        """Remove the evidence that supports nothing, because evidence cannot be a root."""
        loose = self.loose_evidence()
        for item in loose:
            self.drop(item.key)
        self.loose += len(loose)
        return loose

    def graph(self, support: Mapping[int, Support | None]) -> LogicGraph:
        """Return the graph, nodes in reading order from the roots down."""
        order: list[int] = []
        seen: set[int] = set()
        stack = [item.key for item in reversed(self.tops())]
        while stack:
            key = stack.pop()
            if key in seen:
                continue
            seen.add(key)
            order.append(key)
            below = sorted(self._down[key], key=lambda at: (self.items[at].span, at), reverse=True)
            stack.extend(child for child in below if child not in seen)
        names: dict[int, str] = {}
        counts = {"argument": 0, "evidence": 0}
        nodes: list[Node] = []
        for key in order:
            item = self.items[key]
            counts[item.kind] += 1
            names[key] = f"{item.kind[0]}{counts[item.kind]}"
            line, column = self.report.lines.place(item.span.start)
            nodes.append(
                Node(
                    id=names[key],
                    kind=item.kind,
                    text=item.text,
                    span=LocatedSpan(item.span.start, item.span.end, line, column),
                    support=support.get(key) if item.is_argument else None,
                )
            )
        edges = [
            Edge(names[key], names[child])
            for key in order
            for child in sorted(self._down[key], key=lambda at: (self.items[at].span, at))
        ]
        roots = tuple(names[item.key] for item in self.tops())
        return LogicGraph(tuple(nodes), tuple(edges), roots, measure(nodes, edges, roots))
