"""Composes written claims into a report and its graph: Markdown that contains every node word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.base import LocatedSpan
from assay.logic.graph import Edge, LogicGraph, Node
from assay.logic.metrics import measure
from assay.subjects.report import Report
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

# Markdown has six levels of headings, and evidence stands below the last.
DEEPEST: Final = 7


class NotFoundError(Exception):
    """A node's words are not in the text that should hold them."""


class ClaimFact(msgspec.Struct, frozen=True):
    """A piece of evidence: its sentence, what to cite for it, and other claims (by key) that it carries too."""

    text: str
    source: int | None = None
    carries: tuple[str, ...] = ()


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A written argument: what stands in its own part of the report, and what stands below it.

    Attributes:
        key: Unique key in the tree.
        text: Its sentence.
        title: Title of its section; empty if it is a paragraph of its parent's.
        blocks: Paragraphs and lists of its own, Markdown; they hold its sentence and those of its facts.
        facts: Evidence in these blocks.
        claims: Arguments below it, written after its blocks.
    """

    key: str
    text: str
    title: str = ""
    blocks: tuple[str, ...] = ()
    facts: tuple[ClaimFact, ...] = ()
    claims: tuple[Claim, ...] = ()


def locate(sentences: Sequence[str], blocks: Sequence[str]) -> list[tuple[int, int] | None]:
    """Return the block and the place of each sentence, or None; no two share a character.

    Longer ones are placed first, so that a sentence that is part of another is looked for elsewhere.
    """
    taken: list[list[Span]] = [[] for _ in blocks]
    out: list[tuple[int, int] | None] = [None] * len(sentences)
    for i in sorted(range(len(sentences)), key=lambda i: -len(sentences[i])):
        sentence = sentences[i]
        for number, block in enumerate(blocks):
            at = block.find(sentence) if sentence else -1
            while at >= 0 and any(Span(at, at + len(sentence)).overlaps(span) for span in taken[number]):
                at = block.find(sentence, at + 1)
            if at >= 0:
                taken[number].append(Span(at, at + len(sentence)))
                out[i] = (number, at)
                break
    return out


def compose(
    root: Claim, *, sources: Sequence[str] = (), sources_title: str = "", note: tuple[str, str] | None = None
) -> tuple[str, LogicGraph]:
    """Return the report and its graph, nodes in the order of the tree.

    Args:
        root: The whole argument.
        sources: Sources of the facts, in order; listed at the end, and cited by number after each fact.
        sources_title: Heading of that list.
        note: Heading and text of a last section that says what kind of text this is.

    Raises:
        NotFoundError: A node's sentence is not in its blocks.
    """
    return _Composer().compose(root, sources, sources_title, note)


class _Composer:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0
        self.found: list[tuple[str, str, int, int]] = []  # name, kind, start, end
        self.edges: list[Edge] = []
        self.names: dict[str, str] = {}
        self.carries: list[tuple[str, str]] = []  # key of the claim, name of the fact
        self.facts = 0

    def compose(
        self, root: Claim, sources: Sequence[str], sources_title: str, note: tuple[str, str] | None
    ) -> tuple[str, LogicGraph]:
        self._claim(root, None, 1)
        if sources:
            listed = "\n".join(f"[{number}] {text}" for number, text in enumerate(sources, start=1))
            self._add(f"## {sources_title}\n\n{listed}\n")
        if note is not None:
            self._add(f"## {note[0]}\n\n{note[1]}\n")
        for key, fact in self.carries:
            edge = Edge(self.names[key], fact)
            if edge not in self.edges:
                self.edges.append(edge)
        text = "".join(self.parts).rstrip() + "\n"
        report = Report(text)
        nodes: list[Node] = []
        for name, kind, start, end in self.found:
            line, column = report.lines.place(start)
            words = report.plain_text(Span(start, end))
            nodes.append(
                Node(
                    id=name,
                    kind="argument" if kind == "argument" else "evidence",
                    text=words,
                    span=LocatedSpan(start, end, line, column),
                    support=None,
                )
            )
        roots = (self.names[root.key],)
        return text, LogicGraph(tuple(nodes), tuple(self.edges), roots, measure(nodes, self.edges, roots))

    def _claim(self, claim: Claim, parent: str | None, level: int) -> None:
        name = self.names[claim.key] = f"a{len(self.names) + 1}"
        if parent is not None:
            self.edges.append(Edge(parent, name))
        if claim.title:
            self._add(f"{'#' * min(level, DEEPEST - 1)} {claim.title}\n\n")
        sentences = [claim.text, *(fact.text for fact in claim.facts)]
        places = locate(sentences, claim.blocks)
        for sentence, place in zip(sentences, places, strict=True):
            if place is None:
                raise NotFoundError(sentence)
        marks: list[list[tuple[int, str]]] = [[] for _ in claim.blocks]
        for fact, place in zip(claim.facts, places[1:], strict=True):
            if fact.source is not None and place is not None:
                marks[place[0]].append((place[1] + len(fact.text), f" [{fact.source}]"))
        starts: list[int] = []
        for block, inside in zip(claim.blocks, marks, strict=True):
            starts.append(self.size)
            cited = block
            for at, mark in sorted(inside, reverse=True):
                cited = cited[:at] + mark + cited[at:]
            self._add(f"{cited}\n\n")
        for number, (sentence, place) in enumerate(zip(sentences, places, strict=True)):
            if place is None:
                continue
            index, at = place
            start = starts[index] + at + sum(len(mark) for before, mark in marks[index] if before <= at)
            kind = "evidence" if number else "argument"
            node = name
            if number:
                self.facts += 1
                node = f"e{self.facts}"
                self.edges.append(Edge(name, node))
                self.carries += [(key, node) for key in claim.facts[number - 1].carries]
            self.found.append((node, kind, start, start + len(sentence)))
        for child in claim.claims:
            self._claim(child, name, level + 1 if child.title else level)

    def _add(self, text: str) -> None:
        self.parts.append(text)
        self.size += len(text)
