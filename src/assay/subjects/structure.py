"""Blocks and sections of a report, from markdown-it-py's block rules (inline rules are not needed and not run).

Inline structure is read off the source by our own patterns, because positions matter to us and markdown-it-py keeps
none below the line. Link reference definitions stay ordinary lines here: in research reports they are the sources.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.block_rules import block_tokens
from assay.subjects.bold_headings import bold_level, promote_bold_lines
from assay.subjects.headings import heading_level, promote_headings, title_span
from assay.subjects.parts import Block, BlockKind, Section, Structure
from assay.subjects.reference_entries import is_reference_title
from assay.subjects.reference_lists import mark_references
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.marked_text import MarkedText

_FOOTNOTE: Final = re.compile(r"[ \t]{0,3}\[\^[^\]\s]{1,40}\]:")
_IMAGE_ONLY: Final = re.compile(r"\s*!\[[^\]]*\]\([^)]*\)\s*$")
_CITED_FENCE: Final = re.compile(
    r"^([ \t]*```)[ \t]*(?:[\[【]\d[^\]】\n]{0,40}[\]】][ \t,.。]*){1,9}$", re.MULTILINE
)
_BLANK_LINE: Final = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)+")


def parse_structure(text: MarkedText) -> Structure:
    """Return leaf blocks in order and the section tree. Never raises; plain text becomes paragraphs."""
    blocks = list(_markdown_blocks(text)) if text.markdown else list(_text_blocks(text.source))
    blocks = promote_headings(text.source, blocks, markdown=text.markdown)
    blocks = promote_bold_lines(text.source, blocks) if text.markdown else blocks
    sections = _sections(text, blocks)
    blocks = mark_references(text, blocks, sections)
    return Structure(blocks, sections)


def _mended(source: str) -> str:
    """``source``, line for line, with closing code fences that a citation follows closed: else they close nothing."""
    return _CITED_FENCE.sub(r"\1", source) if "```" in source else source


def _text_blocks(source: str) -> Iterator[Block]:
    start = 0
    index = 0
    for match in [*_BLANK_LINE.finditer(source), None]:
        stop = match.start() if match else len(source)
        span = _trim(source, start, stop)
        if span:
            yield Block(index, "paragraph", span, 0, 0)
            index += 1
        start = match.end() if match else stop


def _trim(source: str, start: int, stop: int) -> Span | None:
    piece = source[start:stop]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    return Span(left, right) if right > left else None


def _markdown_blocks(text: MarkedText) -> Iterator[Block]:
    source = text.source
    starts = text.lines.starts
    try:
        tokens = block_tokens(_mended(source))
    except (RecursionError, IndexError, ValueError):
        # markdown-it-py recurses on nesting; a text that defeats it is read as plain paragraphs.
        yield from _text_blocks(source)
        return
    index = 0
    depth = 0
    lists: list[bool] = []
    in_table = False
    section = 0
    for token in tokens:
        kind = token.type
        if kind == "table_close":
            in_table = False
        elif in_table:
            continue
        elif kind in ("bullet_list_open", "ordered_list_open"):
            lists.append(kind[0] == "o")
            depth += 1
        elif kind in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
            depth -= 1
        elif kind == "blockquote_open":
            depth += 1
        elif kind == "blockquote_close":
            depth -= 1
        elif token.map and kind in _LEAVES:
            name = _LEAVES[kind]
            in_table = kind == "table_open"
            first, last = token.map
            span = _trim(source, starts[first], starts[last] if last < len(starts) else len(source))
            if span is None:
                continue
            if name == "paragraph":
                if source[span.start] == "!" and _IMAGE_ONLY.match(source, span.start, span.end):
                    name = "figure"
                elif source[span.start] == "[" and _FOOTNOTE.match(source, span.start, span.end):
                    name = "reference"
                elif lists:
                    name = "item"
            elif name == "heading":
                section += 1
            yield Block(index, name, span, section, depth, lists[-1] if lists else False)
            index += 1


_LEAVES: Final[dict[str, BlockKind]] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "html_block": "html",
    "hr": "rule",
    "table_open": "table",
}


def _sections(text: MarkedText, blocks: list[Block]) -> list[Section]:
    source = text.source
    end = len(source)
    heads: list[tuple[int, Span, str, Span]] = []
    marked = ""
    for block in blocks:
        if block.kind == "heading":
            level = heading_level(source[block.span.start : block.span.end])
            if source[block.span.start] in "*_" and marked:
                level = bold_level(source[block.span.start : block.span.end], marked)
            elif source[block.span.start] == "#":
                marked = source[block.span.start : block.span.end]
            place = title_span(source, block.span)
            title = " ".join(text.plain[place.start : place.end].split())
            heads.append((level, block.span, title, place))
    parents: list[int | None] = [None]
    stops = [end]
    children: list[list[int]] = [[]]
    stack: list[int] = [0]
    levels = [0]
    for i, (level, span, _, _) in enumerate(heads, start=1):
        while levels[stack[-1]] >= level:
            stops[stack.pop()] = span.start
        parents.append(stack[-1])
        children[stack[-1]].append(i)
        children.append([])
        stops.append(end)
        levels.append(level)
        stack.append(i)
    starts = [0, *(span.start for _, span, _, _ in heads)]
    sections: list[Section] = []
    for i in range(len(heads) + 1):
        next_start = starts[i + 1] if i + 1 < len(starts) else end
        if i == 0:
            title, place, body_start, level = "", Span(0, 0), 0, 0
        else:
            level, span, title, place = heads[i - 1]
            body_start = span.end
        sections.append(
            Section(
                index=i,
                level=level,
                title=title,
                title_span=place,
                span=Span(starts[i], stops[i]),
                body=Span(body_start, max(body_start, next_start)),
                parent=parents[i],
                children=tuple(children[i]),
                is_references=i > 0 and is_reference_title(title),
            )
        )
    return sections
