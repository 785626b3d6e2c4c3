"""What the pictures share: the order nodes are shown in, their words made fit for show, their widths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import east_asian_width

from assay.logic.metrics import children_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.logic.graph import LogicGraph, Node

# Not by colour alone: each kind and each degree of support has its sign.
MARKS: Final = {"supported": "●", "partial": "◐", "unsupported": "○", "unknown": "◌", "evidence": "▪"}
_LEGEND: Final = "● supported   ◐ partly supported   ○ unsupported{unknown}   ▪ evidence"


class TreeRow(NamedTuple):
    """A place in the unfolded tree. A node with several parents is spelled out once and referred to after.

    Attributes:
        node: The node.
        depth: How deep the place is, roots at 0.
        again: Whether the node was shown before.
        last: For each level down to this one, whether it is the last of its siblings.
        has_children: Whether rows follow below it.
    """

    node: Node
    depth: int
    again: bool
    last: tuple[bool, ...]
    has_children: bool


def rows(graph: LogicGraph) -> Iterator[TreeRow]:
    """Every place of the unfolded tree in reading order; ends on any graph, cyclic or torn ones too."""
    nodes = {node.id: node for node in graph.nodes}
    below = children_of(graph.edges)
    seen: set[str] = set()
    roots = [root for root in graph.roots if root in nodes]
    targets = {edge.child for edge in graph.edges}
    roots.extend(node.id for node in graph.nodes if node.id not in targets and node.id not in graph.roots)
    yield from _unfold(roots, nodes, below, seen)
    # What only a cycle leads to would never be shown.
    for node in graph.nodes:
        if node.id not in seen:
            yield from _unfold([node.id], nodes, below, seen)


def _unfold(
    roots: list[str], nodes: dict[str, Node], below: dict[str, list[str]], seen: set[str]
) -> Iterator[TreeRow]:
    stack: list[tuple[str, tuple[bool, ...]]] = []

    def push(names: list[str], last: tuple[bool, ...]) -> None:
        for i, name in reversed(list(enumerate(names))):
            stack.append((name, (*last, i == len(names) - 1)))

    push(roots, ())
    while stack:
        name, last = stack.pop()
        children = [child for child in below.get(name, ()) if child in nodes]
        again = name in seen
        yield TreeRow(nodes[name], len(last) - 1, again, last, bool(children) and not again)
        if not again:
            seen.add(name)
            push(children, last)


def mark(node: Node) -> str:
    """The sign of a node's kind and support."""
    return MARKS[look(node)]


def look(node: Node) -> str:
    """What a node is drawn as: evidence, or a claim by its support, "unknown" where nobody has looked at that."""
    return "evidence" if node.kind == "evidence" else node.support or "unknown"


def legend(graph: LogicGraph) -> str:
    """What the signs say."""
    unknown = any(look(node) == "unknown" for node in graph.nodes)
    return _LEGEND.format(unknown="   ◌ not checked" if unknown else "")


def summary(graph: LogicGraph) -> str:
    """One line about the size of a graph."""
    sizes = graph.metrics
    claims = sizes.nodes - sizes.evidence
    return (
        f"{claims} {'claim' if claims == 1 else 'claims'}, {sizes.evidence} pieces of evidence, depth {sizes.max_depth}, "
        f"{sizes.mean_children:.1f} children on average"
    )


def cells(text: str) -> int:
    """Columns a text takes in a terminal: two for wide characters."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


_HAN: Final = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
_PIECE: Final = re.compile(rf"[{_HAN}]|[^\s{_HAN}]+|\s+")


def wrap(
    text: str, width: float, measure: Callable[[str], float] = cells, lines: int | None = None
) -> list[str]:
    """Lines of at most ``width``; breaks at spaces and between Chinese characters, and inside a word too long.

    With ``lines``, no more than so many; the last then ends in an ellipsis.
    """
    out: list[str] = []
    line = ""
    size = 0.0
    for piece in _pieces(text, width, measure):
        step = measure(piece)
        # Closing marks may hang over rather than open a line.
        if line and size + step > width and piece not in "，。；：！？、）】》”":
            out.append(line.rstrip())
            line, size = "", 0.0
            if piece.isspace():
                continue
        line += piece
        size += step
    if line.strip() or not out:
        out.append(line.rstrip())
    if lines is not None and len(out) > lines:
        out = out[:lines]
        cut = out[-1]
        while cut and measure(cut + "…") > width:
            cut = cut[:-1]
        out[-1] = cut.rstrip() + "…"
    return out


def _pieces(text: str, width: float, measure: Callable[[str], float]) -> Iterator[str]:
    """Words, Chinese characters and blanks; a word wider than a line in pieces that fit."""
    for match in _PIECE.finditer(text):
        piece = match.group()
        if measure(piece) <= width:
            yield piece
            continue
        part, size = "", 0.0
        for char in piece:
            step = measure(char)
            if part and size + step > width:
                yield part
                part, size = "", 0.0
            part += char
            size += step
        yield part
