"""What the pictures of a graph share: the order nodes are shown in, their signs, and what the signs mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assay.present.interface import Interface, interface
from assay.text.language import detect_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.logic.graph import Edge, LogicGraph, Node, Relation

# Not by colour alone: each kind and each degree of support has its sign.
MARKS: Final = {"supported": "●", "partial": "◐", "unsupported": "○", "unknown": "◌", "evidence": "▪"}
# What speaks against the node above it; support, the rule, has no sign.
ATTACKS: Final = {"rebuts": "✗", "undercuts": "↯"}
LABELS: Final = {"partial": "partly supported", "unknown": "not checked"}


class TreeRow(NamedTuple):
    """A place in the unfolded tree. A node with several parents is spelled out once and referred to afterwards.

    Attributes:
        node: The node.
        depth: Depth of the place; roots are at 0.
        again: Whether the node was shown before.
        last: For each level down to this one, whether it is the last of its siblings.
        has_children: Whether rows follow below it.
        relation: What it does to the node above it.
    """

    node: Node
    depth: int
    again: bool
    last: tuple[bool, ...]
    has_children: bool
    relation: Relation


def rows(graph: LogicGraph) -> Iterator[TreeRow]:
    """Yield every place of the unfolded tree in reading order; ends on any graph, also a cyclic or disconnected one."""
    nodes = {node.id: node for node in graph.nodes}
    below: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        if edge.child in nodes:
            below.setdefault(edge.parent, []).append(edge)
    seen: set[str] = set()
    roots = [root for root in graph.roots if root in nodes]
    targets = {edge.child for edge in graph.edges}
    roots.extend(node.id for node in graph.nodes if node.id not in targets and node.id not in graph.roots)
    yield from _unfold(roots, nodes, below, seen)
    # A node that only a cycle leads to would never be shown.
    for node in graph.nodes:
        if node.id not in seen:
            yield from _unfold([node.id], nodes, below, seen)


def _unfold(
    roots: list[str], nodes: dict[str, Node], below: dict[str, list[Edge]], seen: set[str]
) -> Iterator[TreeRow]:
    stack: list[tuple[str, Relation, tuple[bool, ...]]] = []

    def push(names: list[tuple[str, Relation]], last: tuple[bool, ...]) -> None:
        for i, (name, relation) in reversed(list(enumerate(names))):
            stack.append((name, relation, (*last, i == len(names) - 1)))

    push([(root, "supports") for root in roots], ())
    while stack:
        name, relation, last = stack.pop()
        children = [(edge.child, edge.relation) for edge in below.get(name, ())]
        again = name in seen
        yield TreeRow(nodes[name], len(last) - 1, again, last, bool(children) and not again, relation)
        if not again:
            seen.add(name)
            push(children, last)


def attack(row: TreeRow) -> str:
    """Return the sign of an attack and a space; empty if the row supports what is above it."""
    sign = ATTACKS.get(row.relation)
    return f"{sign} " if sign else ""


def words_of(node: Node) -> str:
    """Return the words of a node after the context that they depend on."""
    return f"{node.context} › {node.text}" if node.context else node.text


def mark(node: Node) -> str:
    """Return the sign of a node's kind and support."""
    return MARKS[look(node)]


def look(node: Node) -> str:
    """Return how a node is drawn: as evidence, or as a claim by its support; "unknown" if that was not checked."""
    return "evidence" if node.kind == "evidence" else node.support or "unknown"


def legend(graph: LogicGraph, say: Interface) -> str:
    """Return what the signs mean."""
    shown = {look(node) for node in graph.nodes} & {"unknown"} | set(MARKS) - {"unknown"}
    used = {edge.relation for edge in graph.edges}
    signs = {name: sign for name, sign in MARKS.items() if name in shown}
    signs |= {name: sign for name, sign in ATTACKS.items() if name in used}
    return "   ".join(f"{sign} {say(LABELS.get(name, name))}" for name, sign in signs.items())


def summary(graph: LogicGraph, say: Interface) -> str:
    """Return the size of a graph on one line."""
    sizes = graph.metrics
    return say(
        "{claims}, {evidence} pieces of evidence, depth {depth}, {children} children on average",
        claims=say.count(sizes.nodes - sizes.evidence, "claim"),
        evidence=sizes.evidence,
        depth=sizes.max_depth,
        children=f"{sizes.mean_children:.1f}",
    )


def interface_of(graph: LogicGraph) -> Interface:
    """Return the interface in the language that a graph is written in."""
    return interface(detect_language(" ".join(node.text for node in graph.nodes[:20])))
