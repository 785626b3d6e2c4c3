"""A report with the argument graph it was written from, and sets of them on disk.

A set is a folder with ``pairs.jsonl``, one pair on a line. A pair that could not be made is a line too, with the
reason instead of report and graph.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.errors import InputError, UsageError
from assay.generation.base import AuthorReply
from assay.logic.graph import LogicGraph
from assay.logic.metrics import depths, metrics
from assay.rows import text_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCHEMA: Final = "assay.tree-pair/1"
FILE: Final = "pairs.jsonl"
# Source of the evidence: given texts, a search, the model's own knowledge, a phrase bank, or the text that was
# annotated.
Evidence = Literal["documents", "search", "hypothetical", "planted", "annotated"]
# Means may have been rounded when they were written, and then differ by this much.
_CLOSE: Final = 1e-6


class WritingStep(msgspec.Struct, frozen=True):
    """A call made while a pair is written: its node ("1", "1.2", …), its task, and the reply."""

    node: str
    what: Literal["decide", "gather", "argue"]
    written: AuthorReply


class PairOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of a pair: a model, the phrase banks, or annotators of a given text. ``version`` covers everything else that the result depends on."""

    kind: Literal["model", "synthetic", "annotators"]
    version: str
    model: str | None = None
    seed: int | None = None


class GroundTruthPair(msgspec.Struct, frozen=True, kw_only=True):
    """A report and its argument (FinResearchBench, section 4.3.3).

    Attributes:
        id: Unique id in its set.
        topic: What the report is about.
        language: Language of the report.
        made_by: Who made it.
        evidence: Where its evidence comes from; only "documents" and "search" may be about the real world.
        status: "failed" if it could not be made; such a pair is counted, but never measured.
        report: The report in Markdown.
        graph: The graph, whose nodes stand in the report word for word; None for a failed pair.
        problem: Why it failed.
        steps: The calls it took.
    """

    id: str
    topic: str
    language: Literal["en", "zh"]
    made_by: PairOrigin
    evidence: Evidence
    status: Literal["ok", "failed"] = "ok"
    report: str = ""
    graph: LogicGraph | None = None
    problem: str | None = None
    steps: tuple[WritingStep, ...] = ()
    schema: str = SCHEMA


def write_pairs(folder: str | Path, pairs: Iterable[GroundTruthPair]) -> Path:
    """Write a set. The file is replaced at once, so that an interrupted command leaves the old one.

    Raises:
        InputError: It cannot be written.
    """
    place = Path(folder)
    path = place / FILE
    try:
        place.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("wb") as stream:
            for pair in pairs:
                stream.write(msgspec.json.encode(pair) + b"\n")
        part.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
    return path


def read_pairs(place: str | Path) -> list[GroundTruthPair]:
    """Read a set from its folder, or from the file itself.

    Raises:
        InputError: It cannot be read, or a line is not a pair; the message names the line.
    """
    path = Path(place)
    if path.is_dir():
        path /= FILE
    pairs: list[GroundTruthPair] = []
    seen: dict[str, str] = {}
    for where, line in text_lines(path, missing="`assay lab extraction build` makes a set of pairs"):
        pair = _pair(line, where)
        if pair.id in seen:
            raise InputError(
                f"id {pair.id!r} is also that of line {seen[pair.id].rpartition(':')[2]}", where=where
            )
        seen[pair.id] = where
        pairs.append(pair)
    if not pairs:
        raise InputError("holds no pairs", where=str(path), hint="`assay lab extraction build` makes some")
    return pairs


def pair_from(row: Mapping[str, Any]) -> GroundTruthPair:
    """Return a pair from plain data, checked as those of a file are.

    Raises:
        InputError: The data are not a pair.
    """
    return _pair(msgspec.json.encode(row), "pair")


def _pair(line: str | bytes, where: str) -> GroundTruthPair:
    try:
        pair = msgspec.json.decode(line, type=GroundTruthPair)
    except (msgspec.DecodeError, UnicodeDecodeError, UsageError) as error:
        raise InputError(f"is not a pair: {error}", where=where) from error
    if pair.schema != SCHEMA:
        raise InputError(f"has schema {pair.schema!r}; this reads {SCHEMA!r}", where=where)
    problem = _flaw(pair)
    if problem is not None:
        raise InputError(problem, where=where)
    return pair


def _flaw(pair: GroundTruthPair) -> str | None:
    """Return what is wrong with a pair, or None: an error in a pair would be blamed on the extractor."""
    if pair.status == "failed":
        return None
    graph = pair.graph
    if graph is None or not pair.report:
        return "has no report or graph; a pair that could not be made needs the status 'failed'"
    names = {node.id for node in graph.nodes}
    if len(names) < len(graph.nodes):
        return "has two nodes with one id"
    for node in graph.nodes:
        span = node.span
        if span is None or not 0 <= span.start < span.end <= len(pair.report):
            return f"node {node.id!r} has no place in the report"
    missing = [name for edge in graph.edges for name in (edge.parent, edge.child) if name not in names]
    missing += [name for name in graph.roots if name not in names]
    if missing:
        return f"names a node {missing[0]!r} that it does not have"
    below: dict[str, list[str]] = {}
    for edge in graph.edges:
        below.setdefault(edge.parent, []).append(edge.child)
    try:
        if len(depths(below, graph.roots)) < len(names):
            return "has a node that no root leads to"
    except ValueError as error:
        return str(error)
    stated, measured = graph.metrics, metrics(graph)
    for key in ("nodes", "evidence", "max_depth", "mean_leaf_depth", "mean_children"):
        if abs(getattr(stated, key) - getattr(measured, key)) > _CLOSE:
            return f"states that its {key} is {getattr(stated, key):g}; it is {getattr(measured, key):g}"
    return None
