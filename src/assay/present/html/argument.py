"""The argument as an outline to fold: claims, the claims under them, and the evidence at the bottom.

The same rows as `assay.present.graph` draws, in the style of the page; every entry leads to its place in the text. A
node that supports several claims is written out under the first of them.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from assay.present.graph.tree import ATTACKS, rows
from assay.present.interface import ENGLISH, Interface
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph
    from assay.present.graph.tree import TreeRow

_OPEN_DEPTH: Final = 2
_SUPPORT: Final = {"partial": "partly supported", "unsupported": "without support"}


def argument_html(graph: LogicGraph, say: Interface = ENGLISH) -> Markup:
    """Return the outline; empty for a graph without nodes."""
    if not graph.nodes:
        return Markup()
    metrics = graph.metrics
    size = say(
        "{nodes} nodes, {evidence} of them evidence, depth {depth}",
        nodes=metrics.nodes,
        evidence=metrics.evidence,
        depth=metrics.max_depth,
    )
    head = (
        f'<div class="tree"><p class="key"><span class="dot supported"></span>{say("supported")} '
        f'<span class="dot partial"></span>{say("partly")} <span class="dot unsupported"></span>{say("not")} '
        f'<span class="dot evidence"></span>{say("evidence")}</p>'
        f'<p class="quiet num">{size} · '
        f'<button class="fold" type="button" data-act="unfold">{say("unfold")}</button> · '
        f'<button class="fold" type="button" data-act="fold">{say("fold")}</button></p>'
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
        opened, close = _item(row, say)
        out.append(opened)
        closing.append(close)
    while closing:
        out += [closing.pop(), "</ul>"]
    return Markup("".join(out) + "</div>")  # noqa: S704 - escaped piece by piece


def _item(row: TreeRow, say: Interface) -> tuple[str, str]:
    node = row.node
    kind = "evidence" if node.kind == "evidence" else node.support or "unknown"
    support = say(_SUPPORT.get(kind, kind))
    name, words = escape(node.id), escape(tidy(node.text))
    context = f'<span class="quiet">{escape(tidy(node.context))} › </span>' if node.context else ""
    against = (
        f'<span class="attack" role="img" aria-label="{say(row.relation)}" title="{say(row.relation)}">'
        f"{ATTACKS[row.relation]} </span>"
        if row.relation in ATTACKS
        else ""
    )
    foreign = say.foreign(node.text)
    link = (
        f'<a data-node="{name}" href="#n{name}" title="{support}"{foreign}>{words}</a>'
        if node.span
        else f"<span{foreign}>{words}</span>"
    )
    label = f'{against}<span class="dot {kind}" role="img" aria-label="{support}"></span>{context}{link}'
    if row.again:
        return f'<li class="{node.kind}">{label} <span class="quiet">{say("(again)")}</span>', "</li>"
    if not row.has_children:
        return f'<li class="{node.kind}">{label}', "</li>"
    opened = " open" if row.depth < _OPEN_DEPTH else ""
    return f'<li class="{node.kind}"><details{opened}><summary>{label}</summary>', "</details></li>"
