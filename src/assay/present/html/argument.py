"""The argument as an outline to fold: claims, the claims under them, and the evidence at the bottom.

The same rows as `assay.present.graph` draws, in the page's own dress: every entry leads to its place in the text. A
node that carries several claims is written out under the first of them and named under the others.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from assay.present.graph.tree import rows
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph
    from assay.present.graph.tree import TreeRow

_OPEN_DEPTH: Final = 2
_TOLD: Final = {"supported": "supported", "partial": "partly supported", "unsupported": "without support"}


def argument_html(graph: LogicGraph) -> Markup:
    """The outline; empty for a graph without nodes."""
    if not graph.nodes:
        return Markup()
    metrics = graph.metrics
    head = (
        '<div class="tree"><p class="key"><span class="dot supported"></span>supported '
        '<span class="dot partial"></span>partly <span class="dot unsupported"></span>not '
        '<span class="dot evidence"></span>evidence</p>'
        f'<p class="quiet num">{metrics.nodes} nodes, {metrics.evidence} of them evidence, depth {metrics.max_depth} · '
        '<button class="fold" type="button" data-act="unfold">unfold</button> · '
        '<button class="fold" type="button" data-act="fold">fold</button></p>'
    )
    out = [head]
    depth = -1
    closing: list[str] = []
    for row in rows(graph):
        # Close what is not above this row; open a list where it is the first of its siblings.
        while depth > row.depth:
            out += [closing.pop(), "</ul>"]
            depth -= 1
        if depth == row.depth:
            out.append(closing.pop())
        else:
            out.append("<ul>")
            depth = row.depth
        opened, close = _item(row)
        out.append(opened)
        closing.append(close)
    while closing:
        out += [closing.pop(), "</ul>"]
    return Markup("".join(out) + "</div>")  # noqa: S704 - escaped piece by piece


def _item(row: TreeRow) -> tuple[str, str]:
    node = row.node
    kind = "evidence" if node.kind == "evidence" else node.support or "unknown"
    told = _TOLD.get(kind, kind)
    name, words = escape(node.id), escape(tidy(node.text))
    link = (
        f'<a data-node="{name}" href="#n{name}" title="{told}">{words}</a>'
        if node.span
        else f"<span>{words}</span>"
    )
    label = f'<span class="dot {kind}" role="img" aria-label="{told}"></span>{link}'
    if row.again:
        return f'<li class="{node.kind}">{label} <span class="quiet">(again)</span>', "</li>"
    if not row.has_children:
        return f'<li class="{node.kind}">{label}', "</li>"
    opened = " open" if row.depth < _OPEN_DEPTH else ""
    return f'<li class="{node.kind}"><details{opened}><summary>{label}</summary>', "</details></li>"
