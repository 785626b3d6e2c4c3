"""A text with markup: its plain view, its inline constructs, its lines and its language."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from assay.subjects.span import LineIndex, Span
from assay.text.language import Language, detect_language
from assay.text.lexicon import CueIndex
from assay.text.markup import InlineMarkup, plain_view, scan_inline
from assay.text.unbracketed_marks import with_unbracketed
from assay.text.words import has_cjk

# What a blanked marker leaves behind: "介入 [3]。" reads "介入 。".
_SPACE_BEFORE_MARK: Final = re.compile(r" (?=[。，、；：！？）」』】》]|[.,;:!?)](?:\s|\Z))")


class MarkedText:
    """A source and what can be read off it without knowing its structure.

    Args:
        source: The text.
        markdown: Whether it is Markdown; otherwise plain text, in which blank lines separate paragraphs.
    """

    source: str
    markdown: bool

    def __init__(self, source: str, *, markdown: bool = True) -> None:
        # Past `__setattr__`, which a frozen subclass forbids.
        vars(self).update(source=source, markdown=markdown)

    def text(self, span: Span) -> str:
        """Return the source text of a span."""
        return self.source[span.start : span.end]

    def plain_text(self, span: Span) -> str:
        """Return the words of a span: markup blanked, white space folded, none left before punctuation."""
        words = " ".join(self.plain[span.start : span.end].split())
        return _SPACE_BEFORE_MARK.sub("", words)

    @cached_property
    def plain(self) -> str:
        """The source with markup blanked, the same length."""
        return plain_view(self.source, self.inlines) if self.markdown else self.source

    @cached_property
    def inlines(self) -> list[InlineMarkup]:
        """Links, citation markers, code, tags and addresses, in order (see `assay.text.markup.scan_inline`)."""
        return with_unbracketed(self.source, scan_inline(self.source))

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
