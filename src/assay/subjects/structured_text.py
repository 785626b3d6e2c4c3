"""A text with its structure: blocks, sections and sentences."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import Final

from assay.subjects.heading_labels import HeadingLabel, read_label
from assay.subjects.marked_text import MarkedText
from assay.subjects.parts import Block, Section, Sentence, Structure
from assay.subjects.span import Span
from assay.subjects.structure import parse_structure
from assay.text.sentences import split_sentences
from assay.text.words import content_terms, count_words

# More words than this between two lists of references, and they are the lists of two chapters.
_BETWEEN_LISTS: Final = 60


class StructuredText(MarkedText):
    """A marked text with its blocks, its section tree and its sentences."""

    @cached_property
    def _structure(self) -> Structure:
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
    def title_terms(self) -> list[frozenset[str]]:
        """For each section the content terms of its title."""
        return [frozenset(content_terms(section.title)) for section in self.sections]

    @cached_property
    def heading_labels(self) -> list[HeadingLabel | None]:
        """For each section the number of its heading ("2.1", "Part II", 三、), or None."""
        return [read_label(section.title) for section in self.sections]

    @cached_property
    def sentence_starts(self) -> list[int]:
        """Start offsets of the sentences, for bisecting."""
        return [sentence.span.start for sentence in self.sentences]

    def sentence_at(self, offset: int) -> Sentence | None:
        """Return the sentence that holds ``offset``, if any."""
        i = bisect_right(self.sentence_starts, offset) - 1
        if i >= 0 and offset < self.sentences[i].span.end:
            return self.sentences[i]
        return None

    @cached_property
    def _block_starts(self) -> list[int]:
        return [block.span.start for block in self.blocks]

    def block_at(self, offset: int) -> Block | None:
        """Return the leaf block that holds ``offset``, if any."""
        i = bisect_right(self._block_starts, offset) - 1
        if i >= 0 and offset < self.blocks[i].span.end:
            return self.blocks[i]
        return None

    def sentences_in(self, span: Span) -> list[Sentence]:
        """Return sentences that begin inside ``span``."""
        first = bisect_right(self.sentence_starts, span.start - 1)
        last = bisect_right(self.sentence_starts, span.end - 1)
        return self.sentences[first:last]

    @cached_property
    def reference_span(self) -> Span | None:
        """The reference list from its heading, if any, to its last block; None without a list.

        If chapters have lists of their own, this is the last one, since text between two lists is not a reference.
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

    @property
    def body_end(self) -> int:
        """Offset where the reference list begins if it closes the report, otherwise the end of the source."""
        reference = self.reference_span
        return reference.start if reference and reference.start * 2 > len(self.source) else len(self.source)
