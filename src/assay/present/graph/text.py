"""The tree in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.graph.tree import cells, legend, mark, rows, summary, wrap
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph

_NARROWEST: Final = 24


def to_text(graph: LogicGraph, *, width: int = 100, lines: int | None = None) -> str:
    """The graph as an indented tree: sign, id, words. A node with several parents is spelled out once.

    Args:
        graph: The graph.
        width: Columns to use.
        lines: At most so many lines for each node; all of its words by default.
    """
    if not graph.nodes:
        return "no claims found\n"
    out = [summary(graph), legend(graph), ""]
    for row in rows(graph):
        stem = "".join("   " if last else "│  " for last in row.last[1:-1])
        branch, below = ("", "") if row.depth == 0 else ("└─ ", "   ") if row.last[-1] else ("├─ ", "│  ")
        head = f"{mark(row.node)} {tidy(row.node.id)} "
        if row.again:
            out.append(f"{stem}{branch}{head}↑ see above")
            continue
        hang = stem + below + ("│ " if row.has_children else "  ")
        hang += " " * (cells(stem + branch + head) - cells(hang))
        room = max(_NARROWEST, width - cells(hang))
        first, *rest = wrap(tidy(row.node.text), room, lines=lines)
        out.append(f"{stem}{branch}{head}{first}")
        out.extend(hang + line for line in rest)
    return "\n".join(out) + "\n"
