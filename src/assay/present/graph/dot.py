"""An argument graph for Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.graph.tree import look, mark, words_of
from assay.present.wrapping import filled
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.graph import Edge, LogicGraph, Node

_LABEL_WIDTH: Final = 44
_LABEL_LINES: Final = 6
_STYLES: Final = {
    "supported": 'style="rounded,filled" fillcolor="#e3f4e6" color="#2e7d32"',
    "partial": 'style="rounded,filled" fillcolor="#fdf3d8" color="#a56a00"',
    "unsupported": 'style="rounded,filled,dashed" fillcolor="#fbe4e1" color="#b3261e"',
    "unknown": 'style="rounded,filled,dotted" fillcolor="#f4f4f6" color="#7a808a"',
    "evidence": 'style="filled" fillcolor="#e8eef8" color="#4a6ea9"',
}
_ATTACKS: Final = {
    "rebuts": ' [color="#b3261e" fontcolor="#b3261e" fontsize=10 label="rebutted by"]',
    "undercuts": ' [color="#b3261e" fontcolor="#b3261e" fontsize=10 style=dashed label="undercut by"]',
}


def to_dot(graph: LogicGraph) -> str:
    """Return the graph in the DOT language, left to right: ``assay logic report.md --format dot | dot -Tsvg``."""
    out = [
        "digraph argument {",
        "  rankdir=LR;",
        '  graph [charset="UTF-8"];',
        '  node [shape=box fontname="Helvetica" fontsize=11 margin="0.12,0.07"];',
        '  edge [color="#888888" arrowsize=0.6];',
    ]
    out.extend(f"  {_quote(node.id)} [label={_label(node)} {_style(node)}];" for node in graph.nodes)
    out.extend(f"  {_link(edge)};" for edge in graph.edges)
    out.append("}")
    return "\n".join(out) + "\n"


def _link(edge: Edge) -> str:
    return f"{_quote(edge.parent)} -> {_quote(edge.child)}{_ATTACKS.get(edge.relation, '')}"


def _label(node: Node) -> str:
    lines = filled(f"{mark(node)} {tidy(node.id)}  {tidy(words_of(node))}", _LABEL_WIDTH, most=_LABEL_LINES)
    # "\l" ends a line and aligns it left; it must not be escaped with the words.
    return '"' + "".join(_escape(line) + "\\l" for line in lines) + '"'


def _style(node: Node) -> str:
    return _STYLES[look(node)]


def _quote(text: str) -> str:
    return f'"{_escape(tidy(text))}"'


def _escape(text: str) -> str:
    # A backslash before a letter is an escape in DOT (\N is the node's name); doubled it is itself.
    return text.replace("\\", "\\\\").replace('"', '\\"')
