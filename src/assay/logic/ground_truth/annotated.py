"""Texts whose argument people or models have annotated: our own form, and the XML of short argued texts (arggraph).

Our own form is a row for each text: ``{"id", "language", "text", "units": [{"id", "text"}], "root", "edges": [{"source",
"target", "relation"}]}``, with a ``query`` where there is one. An undercutting edge has the attacked reason as its
target.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal
from xml.etree import ElementTree as ET

import msgspec

from assay.checks.base import LocatedSpan
from assay.errors import InputError
from assay.logic.graph import Edge, LogicGraph, Node, Relation
from assay.logic.ground_truth.pair import GroundTruthPair, PairOrigin
from assay.logic.metrics import measure
from assay.text.language import detect_language

if TYPE_CHECKING:
    from collections.abc import Iterable


SCHEMA: Final = "assay.argued-text/1"
_XML_RELATIONS: Final[dict[str, Relation]] = {
    "sup": "supports",
    "exa": "supports",
    "reb": "rebuts",
    "und": "undercuts",
}


class AnnotatedUnit(msgspec.Struct, frozen=True):
    """A passage of the text that plays a part in its argument; ``text`` is copied from it."""

    id: int | str
    text: str


class AnnotatedEdge(msgspec.Struct, frozen=True):
    """What the unit ``source`` does to the unit ``target``."""

    source: int | str
    target: int | str
    relation: Relation = "supports"


class ArguedText(msgspec.Struct, frozen=True, kw_only=True):
    """The contract ``assay.argued-text/1``: a text with its units, its main claim and the links between its units."""

    id: str
    text: str
    units: tuple[AnnotatedUnit, ...]
    root: int | str
    edges: tuple[AnnotatedEdge, ...]
    language: Literal["en", "zh"] | None = None
    query: str = ""
    schema: str = SCHEMA


def pair_of(row: ArguedText) -> GroundTruthPair:
    """Return an annotated text as a pair of a report and its argument.

    Raises:
        InputError: A unit does not stand in the text, in its order; or an edge names a unit that is not there.
    """
    nodes: list[Node] = []
    at = 0
    for unit in row.units:
        start = row.text.find(unit.text, at) if unit.text else -1
        if start < 0:
            raise InputError(
                f"unit {unit.id} does not stand in the text after the one before it", where=row.id
            )
        at = start + len(unit.text)
        line = row.text.count("\n", 0, start) + 1
        column = start - row.text.rfind("\n", 0, start)
        nodes.append(Node(str(unit.id), "argument", unit.text, LocatedSpan(start, at, line, column), None))
    names = {node.id for node in nodes}
    edges = tuple(Edge(str(edge.target), str(edge.source), edge.relation) for edge in row.edges)
    for name in (str(row.root), *(name for edge in edges for name in (edge.parent, edge.child))):
        if name not in names:
            raise InputError(f"names a unit {name!r} that it does not have", where=row.id)
    roots = (str(row.root),)
    try:
        graph = LogicGraph(tuple(nodes), edges, roots, measure(nodes, edges, roots))
    except ValueError as error:
        raise InputError(str(error), where=row.id) from error
    language: Literal["en", "zh"] = row.language or ("zh" if detect_language(row.text) == "zh" else "en")
    return GroundTruthPair(
        id=row.id,
        topic=row.query,
        language=language,
        made_by=PairOrigin(kind="annotators", version=SCHEMA),
        evidence="annotated",
        report=row.text,
        graph=graph,
    )


def read_arggraphs(paths: Iterable[Path]) -> list[GroundTruthPair]:
    """Read texts in the XML of annotated short texts: ``edu``, ``adu`` and ``edge`` elements.

    Raises:
        InputError: A file cannot be read or is something else.
    """
    pairs: list[GroundTruthPair] = []
    for path in paths:
        try:
            source = path.read_text("utf-8")
            # An entity of the file's own could grow without bounds; the format has none.
            if "<!ENTITY" in source:
                raise InputError("declares entities, which an argument graph has no use for", where=str(path))
            root = ET.fromstring(source)  # noqa: S314 - without entities there is nothing to expand
        except (OSError, UnicodeDecodeError, ET.ParseError) as error:
            raise InputError(f"is not an argument graph: {error}", where=str(path)) from error
        if root.tag != "arggraph":
            raise InputError(f"is not an argument graph, but <{root.tag}>", where=str(path))
        pairs.append(pair_of(_argued_text(root, path.stem)))
    return pairs


def _argued_text(root: ET.Element, name: str) -> ArguedText:
    words = {edu.get("id", ""): (edu.text or "").strip() for edu in root.iter("edu")}
    links = {edge.get("id", ""): edge for edge in root.iter("edge")}
    held: dict[str, list[str]] = {}
    for edge in links.values():
        if edge.get("type") == "seg":
            held.setdefault(edge.get("trg", ""), []).append(edge.get("src", ""))
    order = list(words)
    units = [
        AnnotatedUnit(adu, " ".join(words[part] for part in sorted(parts, key=order.index)))
        for adu, parts in sorted(held.items(), key=lambda item: min(map(order.index, item[1])))
    ]
    edges: list[AnnotatedEdge] = []
    for edge in links.values():
        kind, source = edge.get("type", ""), edge.get("src", "")
        if kind in _XML_RELATIONS or kind == "add":
            target, relation = _target(edge, links)
            edges.append(AnnotatedEdge(source, target, relation))
    sources = {edge.source for edge in edges}
    main = next((unit.id for unit in units if unit.id not in sources), "")
    text = " ".join(words.values())
    return ArguedText(
        id=root.get("id") or name,
        text=text,
        units=tuple(units),
        root=main,
        edges=tuple(edges),
        query=(root.get("topic_id") or "").replace("_", " "),
    )


def _target(edge: ET.Element, links: dict[str, ET.Element]) -> tuple[str, Relation]:
    """Return the unit that an edge is about, and what it does to it."""
    relation: Relation = _XML_RELATIONS.get(edge.get("type", ""), "supports")
    target = edge.get("trg", "")
    if edge.get("type") == "add" and target in links:
        # A further premise does what the first one does.
        return _target(links[target], links)
    # An attacked link is named by the reason that it starts from.
    while target in links:
        target = links[target].get("src", "")
    return target, relation
