"""An argument graph in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.display import width as columns
from assay.present.graph.tree import attack, interface_of, legend, mark, rows, summary, words_of
from assay.present.wrapping import filled
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph
    from assay.present.interface import Interface

_NARROWEST: Final = 24


def to_text(
    graph: LogicGraph, *, width: int = 100, lines: int | None = None, say: Interface | None = None
) -> str:
    """Return the graph as an indented tree of signs, ids and words. A node with several parents is spelled out once.

    Args:
        graph: The graph.
        width: Width of the terminal.
        lines: The most lines for each node; all of its words by default.
        say: Interface; by default in the language of the graph.
    """
    say = say or interface_of(graph)
    if not graph.nodes:
        return f"{say('no claims found')}\n"
    out = [summary(graph, say), legend(graph, say), ""]
    for row in rows(graph):
        stem = "".join("   " if last else "│  " for last in row.last[1:-1])
        branch, below = ("", "") if row.depth == 0 else ("└─ ", "   ") if row.last[-1] else ("├─ ", "│  ")
        head = f"{attack(row)}{mark(row.node)} {tidy(row.node.id)} "
        if row.again:
            out.append(f"{stem}{branch}{head}↑ {say('see above')}")
            continue
        hang = stem + below + ("│ " if row.has_children else "  ")
        hang += " " * (columns(stem + branch + head) - columns(hang))
        room = max(_NARROWEST, width - columns(hang))
        first, *rest = filled(tidy(words_of(row.node)), room, most=lines)
        out.append(f"{stem}{branch}{head}{first}")
        out.extend(hang + line for line in rest)
    return "\n".join(out) + "\n"
