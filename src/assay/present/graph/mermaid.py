"""An argument graph for Mermaid."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.present.graph.tree import look, mark, words_of
from assay.present.wrapping import filled
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph

_LABEL_LENGTH: Final = 160
# Everything Mermaid could read as more than a character: quotes, entities, tags, Markdown, directives, classes.
_SPECIAL: Final = re.compile(r"[\"'#&<>`%{}\[\]()|\\;:*_~@$]")
_ARROWS: Final = {"supports": "-->", "rebuts": "-- rebutted by --x", "undercuts": "-. undercut by .-x"}
_CLASSES: Final = (
    "  classDef supported fill:#e3f4e6,stroke:#2e7d32,color:#111",
    "  classDef partial fill:#fdf3d8,stroke:#a56a00,color:#111",
    "  classDef unsupported fill:#fbe4e1,stroke:#b3261e,color:#111,stroke-dasharray:4 3",
    "  classDef unknown fill:#f4f4f6,stroke:#7a808a,color:#111,stroke-dasharray:2 3",
    "  classDef evidence fill:#e8eef8,stroke:#4a6ea9,color:#111",
)


def to_mermaid(graph: LogicGraph) -> str:
    """Return the graph as a Mermaid flowchart. Long texts are cut; ids are our own, so that none can be a keyword."""
    out = ["flowchart LR"]
    names: dict[str, str] = {}
    for i, node in enumerate(graph.nodes):
        name = names[node.id] = f"n{i}"
        [label] = filled(f"{mark(node)} {tidy(node.id)} {tidy(words_of(node))}", _LABEL_LENGTH, most=1)
        left, right = ("[", "]") if node.kind == "evidence" else ("(", ")")
        out.append(f'  {name}{left}"{_SPECIAL.sub(_entity, label)}"{right}:::{look(node)}')
    out.extend(
        f"  {names[edge.parent]} {_ARROWS.get(edge.relation, '-->')} {names[edge.child]}"
        for edge in graph.edges
        if edge.parent in names and edge.child in names
    )
    out.extend(_CLASSES)
    return "\n".join(out) + "\n"


def _entity(match: re.Match[str]) -> str:
    return f"#{ord(match.group())};"
