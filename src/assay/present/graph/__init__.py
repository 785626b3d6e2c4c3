"""Pictures of an argument graph: text for the terminal, JSON, Graphviz, Mermaid, SVG, HTML.

The words in a graph come from a report that nobody vouches for, so every format escapes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.graph.dot import to_dot
from assay.present.graph.html import STYLE, to_fragment, to_html
from assay.present.graph.json import to_json
from assay.present.graph.mermaid import to_mermaid
from assay.present.graph.svg import to_svg
from assay.present.graph.text import to_text
from assay.present.graph.tree import interface_of
from assay.present.interface import Choice, interface

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assay.logic.graph import LogicGraph

__all__ = [
    "FORMATS",
    "STYLE",
    "render",
    "to_dot",
    "to_fragment",
    "to_html",
    "to_json",
    "to_mermaid",
    "to_svg",
    "to_text",
]

FORMATS: Final[Mapping[str, Callable[[LogicGraph], str]]] = {
    "text": to_text,
    "json": to_json,
    "dot": to_dot,
    "mermaid": to_mermaid,
    "svg": to_svg,
    "html": to_html,
}


def render(graph: LogicGraph, form: str, language: Choice = "auto", *, width: int = 100) -> str:
    """Return ``graph`` in one of `FORMATS`; the words around it in a language, with ``auto`` in that of the graph.

    Text is ``width`` columns wide.

    Raises:
        KeyError: There is no such format.
    """
    say = interface_of(graph) if language == "auto" else interface(language)
    if form == "text":
        return to_text(graph, width=width, say=say)
    if form == "svg":
        return to_svg(graph, say=say)
    return to_html(graph, say=say) if form == "html" else FORMATS[form](graph)
