"""Parts of a report: blocks, sections, sentences, tables, references, citations. All are spans into its source."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from assay.subjects.span import Span

BlockKind = Literal["heading", "paragraph", "item", "table", "code", "html", "rule", "figure", "reference"]
CitationForm = Literal["numeric", "footnote", "link", "author_year", "cite_tag", "token"]


class Block(msgspec.Struct, frozen=True, gc=False):
    """A leaf block: a heading, one paragraph, one list item's text, a table, code and so on.

    ``kind`` is ``"item"`` for text inside a list and ``"reference"`` for anything inside the reference list.
    ``depth`` is the nesting of lists and quotes around it (0 outside any). ``section`` indexes ``Report.sections``.
    """

    index: int
    kind: BlockKind
    span: Span
    section: int
    depth: int
    ordered: bool = False


class Section(msgspec.Struct, frozen=True):
    """A heading and what follows it up to the next heading of the same or a higher rank.

    Section 0 is the whole report: level 0, no title. ``body`` ends where the first subsection begins;
    ``span`` covers the subsections too.
    """

    index: int
    level: int
    title: str
    title_span: Span
    span: Span
    body: Span
    parent: int | None
    children: tuple[int, ...]
    is_references: bool = False


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence of prose or of a list item; headings, tables, code and references have none."""

    index: int
    span: Span
    block: int
    section: int


class TableCell(msgspec.Struct, frozen=True, gc=False):
    """A table cell: its text without markup, and its span (empty if the row is short)."""

    text: str
    span: Span


class ReportTable(msgspec.Struct, frozen=True):
    """A pipe table. Rows keep their own number of cells, which may differ from that of the header.

    ``caption`` is the line above or below the table that names it ("Table 2: …", 表2 …), if there is one.
    """

    block: int
    span: Span
    header: tuple[TableCell, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    caption: Span | None = None


class Reference(msgspec.Struct, frozen=True):
    """An entry of the reference list. ``key`` is what a marker names (``"3"``), or None in an unnumbered list.

    ``aliases`` are further numbers of the same entry, as in ``[3] [17] https://…``.
    """

    index: int
    key: str | None
    title: str
    url: str | None
    span: Span
    aliases: tuple[str, ...] = ()


class Citation(msgspec.Struct, frozen=True):
    """A citation marker or link in the text.

    Attributes:
        span: The marker itself, brackets included.
        form: How it is written.
        keys: What it names: numbers, footnote names, a URL, ``"smith 2021"``, or an agent's own ``"turn0search3"``.
            Ranges are spelled out.
        references: For each key the index of its reference, or None.
        claim: The words it stands behind: back to the previous marker or the start of the sentence.
        sentence: Index of its sentence, or None (a marker in a heading or a table).
    """

    index: int
    span: Span
    form: CitationForm
    keys: tuple[str, ...]
    references: tuple[int | None, ...]
    claim: Span
    sentence: int | None


class SourceTexts(Protocol):
    """Texts of cited sources, by reference key or by URL."""

    def text(self, key: str | None, url: str | None) -> str | None:
        """Return the source's text, or None if it is not at hand."""
        ...


class Structure(msgspec.Struct):
    """What a parser finds in a source: leaf blocks and the section tree."""

    blocks: list[Block]
    sections: list[Section]
