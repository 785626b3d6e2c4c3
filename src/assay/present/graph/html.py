"""An argument graph as HTML: nested ``<details>``, which browsers open and close by keyboard."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from assay.present.graph.tree import ATTACKS, LABELS, interface_of, legend, look, mark, rows, summary
from assay.present.interface import html_language
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph, Node
    from assay.present.graph.tree import TreeRow
    from assay.present.interface import Interface

STYLE: Final = """\
.logic{--supported:#1b6e2c;--partial:#8a5a00;--unsupported:#b3261e;--evidence:#3c5f9a;--rule:#d5d8dd;--quiet:#5d6470;
  font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Hiragino Sans GB",
  "Microsoft YaHei","Noto Sans CJK SC","Noto Sans SC",sans-serif;overflow-wrap:anywhere;line-break:strict}
.logic ul{list-style:none;margin:0;padding:0 0 0 1.1em;border-left:1px solid var(--rule)}
.logic>ul{padding-left:0;border-left:0}
.logic li{margin:.3em 0}
.logic summary{cursor:pointer;list-style-position:outside;margin-left:1em}
.logic li>.node{display:block;margin-left:1em}
.logic .mark{font-size:.9em}
.logic .id{font:12px/1 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--quiet);margin:0 .35em}
.logic .supported>.mark{color:var(--supported)}.logic .partial>.mark{color:var(--partial)}
.logic .unsupported>.mark{color:var(--unsupported)}.logic .evidence>.mark{color:var(--evidence)}
.logic .unknown>.mark{color:var(--quiet)}.logic .attack{color:var(--unsupported);margin-right:.3em}
.logic .context{color:var(--quiet)}
.logic .evidence>.words{color:var(--quiet)}
.logic .state,.logic .legend{color:var(--quiet);font-size:.85em}
.logic li:target>.node,.logic li:target>details>summary{outline:2px solid currentColor;outline-offset:2px}
@media (prefers-color-scheme:dark){.logic{--supported:#7fd08f;--partial:#e0b35a;--unsupported:#ff9d94;
  --evidence:#9dbdf2;--rule:#3a3f47;--quiet:#a4abb6}}
"""
_PAGE_STYLE: Final = """\
:root{color-scheme:light dark}
body{margin:0 auto;padding:1.2rem;max-width:60rem;background:#fff;color:#16181d}
h1{font:600 1.3rem/1.3 system-ui,sans-serif}
@media (prefers-color-scheme:dark){body{background:#14161a;color:#e6e8ec}}
"""
# Deeper branches start folded: a long report should open as an overview.
_OPEN_DEPTH: Final = 2


def to_html(graph: LogicGraph, *, title: str = "Argument", say: Interface | None = None) -> str:
    """Return a complete page without scripts, which loads nothing and whose policy forbids it to."""
    say = say or interface_of(graph)
    name = escape(tidy(say(title)))
    return (
        f'<!doctype html>\n<html lang="{html_language(say.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{name}</title>\n<style>\n{_PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
        f"{to_fragment(graph, say=say)}</body>\n</html>\n"
    )


def to_fragment(graph: LogicGraph, *, prefix: str = "logic-", say: Interface | None = None) -> str:
    """Return the tree to embed in a page that has `STYLE`.

    Each node has the id ``prefix`` + its own and the offsets of its words in ``data-start`` and ``data-end``; places
    where a node is used again link to the first.
    """
    say = say or interface_of(graph)
    if not graph.nodes:
        return f'<div class="logic">\n<p class="legend">{say("No claims found.")}</p>\n</div>\n'
    out = [
        '<div class="logic">',
        f'<p class="legend">{escape(summary(graph, say))}<br>{legend(graph, say)}</p>',
    ]
    # End tags of the list items that are still open, one for every level.
    closing: list[str] = []
    for row in rows(graph):
        while len(closing) > row.depth + 1:
            out.append(closing.pop() + "</ul>")
        if len(closing) > row.depth:
            out.append(closing.pop())
        else:
            out.append("<ul>")
        opened, close = _item(row, prefix, say)
        out.append(opened)
        closing.append(close)
    while closing:
        out.append(closing.pop() + "</ul>")
    out.append("</div>")
    return "\n".join(out) + "\n"


def _item(row: TreeRow, prefix: str, say: Interface) -> tuple[str, str]:
    node = row.node
    name = escape(prefix + tidy(node.id))
    if row.again:
        link = f'<a href="#{name}">{escape(tidy(node.id))}</a>'
        return (
            (
                f'<li><span class="node {look(node)}">{_attack(row, say)}{_mark(node, say)}<span '
                f'class="id">{link}</span>{say("see above")}</span>'
            ),
            "</li>",
        )
    place = f' data-start="{node.span.start}" data-end="{node.span.end}"' if node.span else ""
    context = f'<span class="context">{escape(tidy(node.context))} › </span>' if node.context else ""
    words = (
        f'{_attack(row, say)}{_mark(node, say)}<span class="id">{escape(tidy(node.id))}</span>'
        f'{context}<span class="words">{escape(tidy(node.text))}</span>'
    )
    if not row.has_children:
        return (
            f'<li id="{name}"{place}><span class="node {look(node)}">{words}</span>',
            "</li>",
        )
    state = " open" if row.depth < _OPEN_DEPTH else ""
    head = f'<summary class="{look(node)}">{words}</summary>'
    return f'<li id="{name}"{place}><details{state}>{head}', "</details></li>"


def _attack(row: TreeRow, say: Interface) -> str:
    sign = ATTACKS.get(row.relation)
    if sign is None:
        return ""
    label = say(row.relation)
    return f'<span class="attack" role="img" aria-label="{label}" title="{label}">{sign}</span>'


def _mark(node: Node, say: Interface) -> str:
    label = say(LABELS.get(look(node), look(node)))
    return f'<span class="mark" role="img" aria-label="{label}" title="{label}">{mark(node)}</span>'
