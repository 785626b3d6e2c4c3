"""A report: its source, and what stands where in it.

    report = Report.read("report.md", query="How fast will heat pumps spread?")
    for sentence in report.sentences:
        print(report.text(sentence.span))

Parsing never raises on any text and never loses a character: every part is a span into ``source``, and
``report.plain`` is the same text, same length, with the markup blanked out (see `assay.text.markup`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from typing import Any, Final, Literal, Protocol

import msgspec

from assay.subjects.span import LineIndex, Span
from assay.text.language import Language, detect_language
from assay.text.lexicon import CueIndex
from assay.text.markup import InlineMarkup, plain_view, scan_inline
from assay.text.quantities import Quantity, find_quantities
from assay.text.sentences import split_sentences
from assay.text.words import content_terms, count_words, has_cjk

# More words than so many between two lists of references, and they are the lists of two chapters.
_BETWEEN_LISTS: Final = 60

BlockKind = Literal["heading", "paragraph", "item", "table", "code", "html", "rule", "figure", "reference"]
CitationForm = Literal["numeric", "footnote", "link", "author_year", "cite_tag"]

# "2.1 Method", "3) Results": the number of a heading counts nothing.
_HEADING_NUMBER = re.compile(r"[\s#]*[0-9]{1,2}(?:\.[0-9]{1,2}){0,4}(?:[.)、．](?![0-9])|(?=\s))")


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
    """A table cell: its text without markup, and its span (empty where the row is short)."""

    text: str
    span: Span


class ReportTable(msgspec.Struct, frozen=True):
    """A pipe table. Rows are as long as they are written.

    ``caption`` is the line above or below that names it ("Table 2: …", 表2 …), if one does.
    """

    block: int
    span: Span
    header: tuple[TableCell, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    caption: Span | None = None


class Reference(msgspec.Struct, frozen=True):
    """An entry of the reference list. ``key`` is what a marker names (``"3"``), or None in an unnumbered list."""

    index: int
    key: str | None
    title: str
    url: str | None
    span: Span


class Citation(msgspec.Struct, frozen=True):
    """A citation marker or link in the text.

    Attributes:
        span: The marker itself, brackets included.
        form: How it is written.
        keys: What it names: numbers, footnote names, a URL, or ``"smith 2021"``. Ranges are spelled out.
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


class Sources(Protocol):
    """Texts of cited sources, by reference key or by URL."""

    def text(self, key: str | None, url: str | None) -> str | None:
        """The source's text, or None where it is not at hand."""
        ...


class Structure(msgspec.Struct):
    """What a parser finds in a source: leaf blocks and the section tree."""

    blocks: list[Block]
    sections: list[Section]


class Report:
    """A report and everything read off it. Parts are computed when first asked for, and kept.

    Args:
        source: The text. Markdown unless ``markdown=False``.
        query: The question the report answers, if known.
        path: Where it came from, for messages.
        id: Its name in a collection.
        system: The agent that wrote it.
        markdown: False reads the text as plain text: blank lines separate paragraphs.
        meta: Whatever else came along (dates, scores); kept, not interpreted.
    """

    def __init__(
        self,
        source: str,
        *,
        query: str | None = None,
        path: str | None = None,
        id: str | None = None,  # noqa: A002 - the field's own name for it
        system: str | None = None,
        markdown: bool = True,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        self.source = source
        self.query = query
        self.path = path
        self.id = id
        self.system = system
        self.markdown = markdown
        self.meta: Mapping[str, Any] = meta or {}

    def __repr__(self) -> str:
        name = self.id or self.path or "unnamed"
        return f"<Report {name}: {len(self.source)} characters>"

    @classmethod
    def read(cls, path: str | PathLike[str], *, query: str | None = None) -> Report:
        """Read one report from a file: Markdown or text; PDF, DOCX, HTML with the extra ``assay[docs]``.

        Raises:
            InputError: The file is missing, unreadable, empty, binary, or holds something else than one report.
        """
        from assay.subjects.reading import read_report  # noqa: PLC0415 - reading knows every loader

        return read_report(path, query=query)

    # ── text ────────────────────────────────────────────────────────────────────────────────────────────

    def text(self, span: Span) -> str:
        """The source text of a span."""
        return self.source[span.start : span.end]

    def plain_text(self, span: Span) -> str:
        """The words of a span: markup blanked, white space folded."""
        return " ".join(self.plain[span.start : span.end].split())

    @cached_property
    def plain(self) -> str:
        """The source with markup blanked, the same length."""
        return plain_view(self.source, self.inlines) if self.markdown else self.source

    @cached_property
    def inlines(self) -> list[InlineMarkup]:
        """Links, citation markers, code, tags and addresses, in order (see `assay.text.markup.scan_inline`)."""
        return scan_inline(self.source)

    @cached_property
    def lines(self) -> LineIndex:
        """Line starts of the source."""
        return LineIndex(self.source)

    @cached_property
    def language(self) -> Language:
        """``"en"``, ``"zh"`` or ``"und"``."""
        return detect_language(self.plain)

    @cached_property
    def cues(self) -> CueIndex:
        """Where each word stands; what `Lexicon` looks phrases up in."""
        return CueIndex(self.plain, cjk=has_cjk(self.plain))

    @cached_property
    def memo(self) -> dict[object, Any]:
        """What rules in other rooms worked out about this report and share among themselves, by a key of their own."""
        return {}

    @cached_property
    def words(self) -> int:
        """Words of the body – headings and tables with it, the reference list not; CJK by character."""
        ref = self.reference_span
        if ref is None:
            return count_words(self.plain)
        return count_words(self.plain[: ref.start]) + count_words(self.plain[ref.end :])

    # ── structure ───────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _structure(self) -> Structure:
        from assay.subjects.structure import parse_structure  # noqa: PLC0415 - structure builds on this module

        return parse_structure(self)

    @property
    def blocks(self) -> list[Block]:
        """Leaf blocks in order."""
        return self._structure.blocks

    @property
    def sections(self) -> list[Section]:
        """The section tree, in order of appearance; section 0 is the whole report."""
        return self._structure.sections

    @cached_property
    def paragraphs(self) -> list[Block]:
        """Blocks of prose: paragraphs and list items."""
        return [block for block in self.blocks if block.kind in ("paragraph", "item")]

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Sentences of paragraphs and list items, in order."""
        plain, source = self.plain, self.source
        out: list[Sentence] = []
        for block in self.paragraphs:
            end = block.span.end
            spans = split_sentences(plain, block.span.start, end)
            for i, (left, right) in enumerate(spans):
                # A citation after the full stop is blank in `plain`; it belongs to the sentence before it.
                following = spans[i + 1][0] if i + 1 < len(spans) else end
                tail = len(source[right:following].rstrip(" \t\r\n*_>#-+|")) if following - right > 1 else 0
                out.append(Sentence(len(out), Span(left, right + tail), block.index, block.section))
        return out

    @cached_property
    def sentence_terms(self) -> list[set[str]]:
        """For each sentence the content terms it shares with others (see `assay.text.words.content_terms`)."""
        plain = self.plain
        return [content_terms(plain[s.span.start : s.span.end]) for s in self.sentences]

    @cached_property
    def sentence_starts(self) -> list[int]:
        """Start offsets of the sentences, for bisecting."""
        return [sentence.span.start for sentence in self.sentences]

    def sentence_at(self, offset: int) -> Sentence | None:
        """The sentence that holds ``offset``, if any."""
        i = bisect_right(self.sentence_starts, offset) - 1
        if i >= 0 and offset < self.sentences[i].span.end:
            return self.sentences[i]
        return None

    @cached_property
    def _block_starts(self) -> list[int]:
        return [block.span.start for block in self.blocks]

    def block_at(self, offset: int) -> Block | None:
        """The leaf block that holds ``offset``, if any."""
        i = bisect_right(self._block_starts, offset) - 1
        if i >= 0 and offset < self.blocks[i].span.end:
            return self.blocks[i]
        return None

    def sentences_in(self, span: Span) -> list[Sentence]:
        """Sentences that begin inside ``span``."""
        first = bisect_right(self.sentence_starts, span.start - 1)
        last = bisect_right(self.sentence_starts, span.end - 1)
        return self.sentences[first:last]

    @cached_property
    def tables(self) -> list[ReportTable]:
        """Pipe tables with their cells."""
        from assay.subjects.tables import parse_tables  # noqa: PLC0415

        return parse_tables(self)

    # ── numbers ─────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Every number of the body, in order; those of code, of the reference list and of heading numbers are left out."""
        plain = self.plain
        out: list[Quantity] = []
        at = 0
        for block in self.blocks:
            span = block.span
            if block.kind in ("code", "html", "reference"):
                resume = span.end
            elif block.kind == "heading" and (number := _HEADING_NUMBER.match(plain, span.start, span.end)):
                resume = number.end()
            else:
                continue
            # Skipped blocks that follow each other leave nothing but white space between them.
            if span.start - at > 8:
                out += find_quantities(plain, at, span.start)
            at = resume
        out += find_quantities(plain, at, len(plain))
        return out

    @cached_property
    def _quantity_starts(self) -> list[int]:
        return [quantity.start for quantity in self.quantities]

    def quantities_in(self, span: Span) -> list[Quantity]:
        """Numbers that begin inside ``span``."""
        first = bisect_right(self._quantity_starts, span.start - 1)
        last = bisect_right(self._quantity_starts, span.end - 1)
        return self.quantities[first:last]

    # ── citations ───────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def references(self) -> list[Reference]:
        """Entries of the reference list, in order."""
        from assay.subjects.references import find_references  # noqa: PLC0415

        return find_references(self)

    @property
    def body_end(self) -> int:
        """Offset where the reference list begins if it closes the report, otherwise the end of the source."""
        reference = self.reference_span
        return reference.start if reference and reference.start * 2 > len(self.source) else len(self.source)

    @cached_property
    def reference_span(self) -> Span | None:
        """From the reference list's heading, where it has one, to its last block; None without a list.

        Where chapters have lists of their own it is the last one: what stands between two lists is no reference.
        """
        blocks = self.blocks
        own = [block.index for block in blocks if block.kind == "reference"]
        if not own:
            return None
        at = own[-1]
        for index in reversed(own[:-1]):
            if count_words(self.plain[blocks[index].span.end : blocks[at].span.start]) > _BETWEEN_LISTS:
                break
            at = index
        first = blocks[at]
        if at and blocks[at - 1].kind == "heading" and self.sections[first.section].is_references:
            first = blocks[at - 1]
        return Span(first.span.start, blocks[own[-1]].span.end)

    @cached_property
    def citations(self) -> list[Citation]:
        """Citation markers and links in the body, in order."""
        from assay.subjects.citations import find_citations  # noqa: PLC0415

        return find_citations(self)

    @cached_property
    def _citation_starts(self) -> list[int]:
        return [citation.span.start for citation in self.citations]

    def citations_in(self, span: Span) -> list[Citation]:
        """Citations that begin inside ``span``."""
        first = bisect_right(self._citation_starts, span.start - 1)
        last = bisect_right(self._citation_starts, span.end - 1)
        return self.citations[first:last]
