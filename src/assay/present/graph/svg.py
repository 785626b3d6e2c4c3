"""An argument graph as a self-contained SVG: no script, no font, nothing loaded.

Small graphs are drawn as a tree from the top. Graphs too wide for a page are drawn as an outline with one node a row,
so that a report with sixty statements is read by scrolling down and never sideways.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from assay.present.display import width as columns
from assay.present.graph.tree import (
    LABELS,
    TreeRow,
    attack,
    interface_of,
    legend,
    look,
    mark,
    rows,
    summary,
    words_of,
)
from assay.present.interface import html_language
from assay.present.wrapping import filled
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph
    from assay.present.interface import Interface

_FONT: Final = 13
_LINE: Final = 18
_PAD: Final = 9
_GAP: Final = 8
_MARGIN: Final = 16
_HEADER: Final = 46
# The tree: boxes side by side, levels one above the other.
_BOX: Final = 210
_LEVEL: Final = 44
_WIDEST_TREE: Final = 1300
_TREE_LINES: Final = 7
# The outline: one column.
_INDENT: Final = 30
_OUTLINE: Final = 980
_OUTLINE_LINES: Final = 4

_STYLE: Final = """\
.page{fill:#fff}
text{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Hiragino Sans GB','Microsoft YaHei',
'Noto Sans CJK SC','Noto Sans SC',sans-serif;fill:#16181d}
.quiet{fill:#5d6470}.id{fill:#5d6470;font-weight:600}.edge{fill:none;stroke:#aab0ba;stroke-width:1.3}
.shared{fill:none;stroke:#4a6ea9;stroke-width:1.3;stroke-dasharray:5 4}
.rebuts{fill:none;stroke:#b3261e;stroke-width:1.6}
.undercuts{fill:none;stroke:#b3261e;stroke-width:1.6;stroke-dasharray:2 3}
rect{stroke-width:1.3}.supported{fill:#e9f6eb;stroke:#2e7d32}.partial{fill:#fdf5e0;stroke:#a56a00}
.unsupported{fill:#fdecea;stroke:#b3261e;stroke-dasharray:5 3}.evidence{fill:#eef3fb;stroke:#4a6ea9}
.unknown{fill:#f4f4f6;stroke:#7a808a;stroke-dasharray:2 3}.s-unknown{fill:#5d6470}
.s-supported{fill:#1b6e2c}.s-partial{fill:#8a5a00}.s-unsupported{fill:#b3261e}.s-evidence{fill:#3c5f9a}
@media (prefers-color-scheme:dark){.page{fill:#14161a}text{fill:#e6e8ec}.quiet,.id{fill:#a4abb6}.edge{stroke:#565d68}
.shared{stroke:#9dbdf2}.rebuts,.undercuts{stroke:#ff9d94}.supported{fill:#16301c;stroke:#7fd08f}.partial{fill:#332709;stroke:#e0b35a}
.unsupported{fill:#3a1714;stroke:#ff9d94}.evidence{fill:#18243a;stroke:#9dbdf2}
.unknown{fill:#22252b;stroke:#8b929d}.s-unknown{fill:#a4abb6}
.s-supported{fill:#7fd08f}.s-partial{fill:#e0b35a}.s-unsupported{fill:#ff9d94}.s-evidence{fill:#9dbdf2}}
"""


class _Box:
    """A node with its place and size in the picture."""

    __slots__ = ("children", "height", "lines", "row", "width", "x", "y")

    def __init__(self, row: TreeRow, width: float, lines: int, say: Interface) -> None:
        self.row = row
        self.width = width
        words = f"↑ {say('see above')}" if row.again else tidy(words_of(row.node))
        self.lines = filled(
            f"{attack(row)}{mark(row.node)} {tidy(row.node.id)}  {words}", width - 2 * _PAD, _pixels, lines
        )
        self.height = len(self.lines) * _LINE + 2 * _PAD - 4
        self.children: list[_Box] = []
        self.x = 0.0
        self.y = 0.0


def to_svg(graph: LogicGraph, *, say: Interface | None = None) -> str:
    """Return the graph as SVG: as a tree if it fits a page's width, otherwise as an outline."""
    say = say or interface_of(graph)
    places = list(rows(graph))
    leaves = sum(1 for row in places if not row.has_children and not row.again)
    if places and leaves * (_BOX + _GAP) <= _WIDEST_TREE:
        return _tree(graph, [row for row in places if not row.again], say)
    return _outline(graph, places, say)


def _nest(boxes: list[_Box]) -> None:
    """Hang each box under the one above it."""
    path: list[_Box] = []
    for box in boxes:
        del path[box.row.depth :]
        if path:
            path[-1].children.append(box)
        path.append(box)


def _tree(graph: LogicGraph, places: list[TreeRow], say: Interface) -> str:
    boxes = [_Box(row, _BOX, _TREE_LINES, say) for row in places]
    _nest(boxes)
    tops: list[float] = []
    top = float(_HEADER)
    for depth in range(max(box.row.depth for box in boxes) + 1):
        tops.append(top)
        top += max(box.height for box in boxes if box.row.depth == depth) + _LEVEL
    right = float(_MARGIN)
    # Children come after their parents in reading order; read backwards, every parent finds them placed.
    leaves = [box for box in boxes if not box.children]
    for leaf in leaves:
        leaf.x = right
        right += _BOX + _GAP
    for box in reversed(boxes):
        box.y = tops[box.row.depth]
        if box.children:
            box.x = (box.children[0].x + box.children[-1].x) / 2
    out: list[str] = []
    for box in boxes:
        for child in box.children:
            x1, y1, x2, y2 = box.x + _BOX / 2, box.y + box.height, child.x + _BOX / 2, child.y
            bend = (y1 + y2) / 2
            out.append(
                f'<path class="{_line(child.row)}" d="M{x1:g} {y1:g}C{x1:g} {bend:g} {x2:g} {bend:g} {x2:g} {y2:g}"/>'
            )
    at = {box.row.node.id: box for box in boxes}
    drawn = {(box.row.node.id, child.row.node.id) for box in boxes for child in box.children}
    for edge in graph.edges:
        if (edge.parent, edge.child) not in drawn and edge.parent in at and edge.child in at:
            a, b = at[edge.parent], at[edge.child]
            x1, y1, x2, y2 = a.x + _BOX / 2, a.y + a.height, b.x + _BOX / 2, b.y
            kind = "shared" if edge.relation == "supports" else edge.relation
            out.append(
                f'<path class="{kind}" d="M{x1:g} {y1:g}C{x1:g} {y1 + 30:g} {x2:g} {y2 - 30:g} {x2:g} {y2:g}"/>'
            )
    out.extend(_draw(box, say) for box in boxes)
    return _page(graph, say, out, max(right - _GAP + _MARGIN, 520.0), top - _LEVEL + _MARGIN)


def _outline(graph: LogicGraph, places: list[TreeRow], say: Interface) -> str:
    deepest = max((row.depth for row in places), default=0)
    # Very deep graphs get thinner steps, never narrower text.
    step = min(float(_INDENT), 300 / max(deepest, 1))
    boxes = [
        _Box(row, 260.0 if row.again else _OUTLINE - row.depth * step, _OUTLINE_LINES, say) for row in places
    ]
    y = float(_HEADER)
    for box in boxes:
        box.x = _MARGIN + box.row.depth * step
        box.y = y
        y += box.height + (_GAP if not box.row.again else _GAP / 2)
    out: list[str] = []
    _nest(boxes)
    for box in boxes:
        for child in box.children:
            x, y1, y2 = box.x + step / 2, box.y + box.height, child.y + child.height / 2
            out.append(f'<path class="{_line(child.row)}" d="M{x:g} {y1:g}V{y2:g}H{child.x:g}"/>')
    out.extend(_draw(box, say) for box in boxes)
    return _page(graph, say, out, _OUTLINE + 2 * _MARGIN, y + _MARGIN)


def _line(row: TreeRow) -> str:
    """Return the class of the line that leads to a place."""
    if row.relation != "supports":
        return row.relation
    return "shared" if row.again else "edge"


def _draw(box: _Box, say: Interface) -> str:
    node = box.row.node
    x, y = box.x, box.y
    kind = look(node)
    corner = 2 if node.kind == "evidence" else 8
    text = []
    for i, line in enumerate(box.lines):
        words = escape(line)
        if i == 0:
            head = f"{attack(box.row)}{mark(node)} {tidy(node.id)}"
            words = f'<tspan class="id s-{kind}">{escape(head)}</tspan>{escape(line.removeprefix(head))}'
        text.append(
            f'<text xml:space="preserve" x="{x + _PAD:g}" y="{y + _PAD + 11 + i * _LINE:g}">{words}</text>'
        )
    label = escape(f"{tidy(node.id)}, {say(LABELS.get(kind, kind))}: {tidy(words_of(node))}")
    return (
        f'<g><title>{label}</title><rect class="{kind}" x="{x:g}" y="{y:g}" width="{box.width:g}" '
        f'height="{box.height:g}" '
        f'rx="{corner}"/>{"".join(text)}</g>'
    )


def _page(graph: LogicGraph, say: Interface, body: list[str], width: float, height: float) -> str:
    head = escape(summary(graph, say)) if graph.nodes else say("no claims found")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" lang="{html_language(say.language)}">\n'
        f"<title>{say('Argument')}: {head}</title>\n<style>\n{_STYLE}</style>\n"
        f'<rect class="page" width="100%" height="100%" stroke="none"/>\n'
        f'<text class="quiet" x="{_MARGIN}" y="20">{head}</text>\n'
        f'<text class="quiet" x="{_MARGIN}" y="38" xml:space="preserve">{legend(graph, say)}</text>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


_NARROW: Final = frozenset("fijlrtI.,;:!'|()[]/- ")
_BROAD: Final = frozenset("mwMW@%ABCDEFGHKNOPQRSUVXYZ&—●◐○▪")


def _pixels(text: str) -> float:
    """Return about how wide a text is in a common sans-serif face; rather too wide than too narrow."""
    wide = columns(text) - len(text)
    size = 0.0
    for char in text:
        size += 0.37 if char in _NARROW else 0.8 if char in _BROAD else 0.6
    return _FONT * (size + 0.44 * wide)
