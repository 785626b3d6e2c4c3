"""Blocks and sections of a report, from markdown-it-py's block rules (inline rules are not needed and not run).

Inline structure is read off the source by our own patterns, because positions matter to us and markdown-it-py keeps
none below the line. Link reference definitions stay ordinary lines here: in research reports they are the sources.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from assay.subjects.block_rules import block_parser
from assay.subjects.headings import heading_level, promote_headings, title_span
from assay.subjects.parts import Block, BlockKind, Section, Structure
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.marked_text import MarkedText

REFERENCE_TITLE: Final = re.compile(
    r"""^[\W\d一二三四五六七八九十IVX.]*(?:
        (?:(?:list\ of|full|key|main|selected|primary|cited|all|data|further)\ )*
        (?:references?|sources?|bibliography|works\ cited|citations?|literature(?:\ cited)?|footnotes?
        |end\ ?notes?|reference\ list)
        (?:\ (?:list|cited|used|consulted|and\ (?:further\ )?(?:reading|notes|links|citations|references
        |sources)|&\ (?:links|notes)))?
        (?:\ section)?
      | (?:主要|全部|核心|部分|数据|附[:：]?|附录[:：]?)?(?:参考(?:文献|资料|来源|链接)?|引用(?:文献|来源|资料|列表)?|资料来源|信息来源|数据来源|来源|文献|注释|脚注)
        (?:列表|清单|目录|链接|一览)?(?:与(?:链接|注释|说明|来源|数据来源))?
      )[\s\W]*(?:\([^)]*\)|（[^）]*）)?[\s\W]*$""",
    re.IGNORECASE | re.VERBOSE,
)

_REFERENCE_WORDS: Final = (
    "reference", "source", "bibliograph", "cited", "citation", "literature", "note", "参考", "引用", "来源", "文献", "注释", "脚注",
)  # fmt: skip

# One entry of a reference list, at the start of a line.
ENTRY: Final = re.compile(
    r"""^[ \t>]*(?:[-*+•·][ \t]+)?\**
    (?: \[\^(?P<foot>[^\]\s]{1,40})\]:?
      | [\[［](?P<num>\d{1,4})[\]］]\**[:：.]?(?=\s|\(?http|[^\s(])
      | \[(?P<link>\d{1,4})\](?=\()
      | \[(?P<id>[A-Za-z][\w.\-]{0,30})\]:
      | 【(?P<cjk>\d{1,4})】[:：]?
      | (?P<dot>\d{1,4})[.)、．](?!\d)
    )\**[ \t]*(?P<rest>\S.*)?$""",
    re.VERBOSE,
)
_URL: Final = re.compile(r"https?://|www\.|\bdoi\.org|\bdoi:|arxiv:", re.IGNORECASE)
_FOOTNOTE: Final = re.compile(r"[ \t]{0,3}\[\^[^\]\s]{1,40}\]:")
_IMAGE_ONLY: Final = re.compile(r"\s*!\[[^\]]*\]\([^)]*\)\s*$")
_LABEL: Final = re.compile(r"^[\s>*_#]*(?P<title>[^\n]{2,60}?)[\s*_]*[:：]?[\s*_]*$")
_LABEL_MAX: Final = 70
_ENTRY_OPENERS: Final = frozenset("[［【*-+•·>0123456789")
_BULLETS: Final = frozenset("-*+•·")
_YEAR_IN_PARENS: Final = re.compile(r"\((?:19|20)\d\d[a-z]?\)|[（(](?:19|20)\d\d")
_CITED_FENCE: Final = re.compile(
    r"^([ \t]*```)[ \t]*(?:[\[【]\d[^\]】\n]{0,40}[\]】][ \t,.。]*){1,9}$", re.MULTILINE
)
_BLANK_LINE: Final = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)+")


def parse_structure(text: MarkedText) -> Structure:
    """Return leaf blocks in order and the section tree. Never raises; plain text becomes paragraphs."""
    blocks = list(_markdown_blocks(text)) if text.markdown else list(_text_blocks(text.source))
    blocks = promote_headings(text.source, blocks, markdown=text.markdown)
    sections = _sections(text, blocks)
    blocks = _mark_references(text, blocks, sections)
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
        tokens = block_parser().parse(_mended(source))
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
    for block in blocks:
        if block.kind == "heading":
            level = heading_level(source[block.span.start : block.span.end])
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


def is_reference_title(title: str) -> bool:
    """Return whether a heading or label names a reference list."""
    lower = title.lower()
    # Every such title holds one of these; asking for them first spares the pattern nearly all titles.
    return any(word in lower for word in _REFERENCE_WORDS) and REFERENCE_TITLE.match(title) is not None


def _looks_like_entries(text: str) -> bool:
    rows = [row for row in text.splitlines() if row.strip()]
    if not rows:
        return False
    entries = sum(1 for row in rows if ENTRY.match(row) or _URL.search(row) or _YEAR_IN_PARENS.search(row))
    return entries * 2 >= len(rows)


def _mark_references(text: MarkedText, blocks: list[Block], sections: list[Section]) -> list[Block]:
    """Return the blocks with those of the reference list marked; mistaken titles lose their flag."""
    source = text.source
    inside: set[int] = set()
    flagged = [section for section in sections if section.is_references]
    for section in flagged:
        own = [
            b for b in blocks if section.span.start <= b.span.start < section.span.end and b.kind != "heading"
        ]
        body = source[section.span.start : section.span.end].partition("\n")[2]
        if own and _looks_like_entries(body):
            # "The links above are all official" after the list is prose again.
            while (
                len(own) > 1 and own[-1].kind in ("paragraph", "rule") and not _holds_entry(source, own[-1])
            ):
                own.pop()
            inside.update(b.index for b in own if b.kind != "table")
        else:
            sections[section.index] = _unflag(section)
    inside.update(_unheaded_lists(source, [b for b in blocks if b.index not in inside and b.kind != "rule"]))
    if not inside:
        return blocks
    return [
        Block(b.index, "reference", b.span, b.section, b.depth, b.ordered)
        if b.index in inside and b.kind not in ("rule", "code")
        else b
        for b in blocks
    ]


def _holds_entry(source: str, block: Block) -> bool:
    text = source[block.span.start : block.span.end]
    return bool(ENTRY.match(text.partition("\n")[0]) or _URL.search(text) or _YEAR_IN_PARENS.search(text))


def _unheaded_lists(source: str, blocks: list[Block]) -> Iterator[int]:
    """Yield indexes of blocks that are reference lists without a heading of their own.

    Three kinds: under a "Sources:" line (a paragraph of its own, or the first line of the list's paragraph); a run of
    ``[n] … URL`` lines wherever it stands, since nothing else looks like that; any numbered list of addresses that
    ends the text.
    """
    run: list[Block] = []
    labelled = marked = False
    rows = 0
    for block, following in zip_longest(blocks, blocks[1:]):
        text = source[block.span.start : block.span.end]
        title, body = _split_label(text) if block.kind == "paragraph" else (False, text)
        if title and (not body or _is_entry_block(body)):
            if run and (labelled or (marked and rows > 1)):
                yield from (b.index for b in run)
            run, labelled, marked, rows = [block], True, bool(body), body.count("\n") + bool(body)
        elif block.kind in ("paragraph", "item") and (
            _is_entry_block(text)
            or (labelled and (_is_offline_entry(text) or (rows and _goes_on(source, block, following))))
        ):
            marked = (marked or not rows) and text.startswith(("[", "［", "【"))
            run.append(block)
            rows += text.count("\n") + 1
        else:
            if rows and (labelled or (marked and rows > 1)):
                yield from (b.index for b in run)
            run, labelled, marked, rows = [], False, False, 0
    if rows and (labelled or rows > 1):
        yield from (b.index for b in run)


def _goes_on(source: str, block: Block, following: Block | None) -> bool:
    """Return whether an unnumbered item is the rest of an entry that a page break has cut in two."""
    if block.kind != "item" or following is None or following.kind != "item":
        return False
    return _is_offline_entry(source[following.span.start : following.span.end])


def _is_offline_entry(text: str) -> bool:
    """Return whether a line is a source without an address, as under a "Sources:" line.

    ``[3] Annual report`` or one with its year in brackets.
    """
    if text.startswith(("[", "［", "【")) or _YEAR_IN_PARENS.search(text) is not None:
        return True
    # ``- [3] Annual report``: the bullet is only layout.
    return (
        text[:1] in _BULLETS
        and (match := ENTRY.match(text.partition("\n")[0])) is not None
        and bool(match["num"])
    )


def _split_label(text: str) -> tuple[bool, str]:
    """Return whether the first line is a title such as "References:", and the text after it."""
    first, _, rest = text.partition("\n")
    if len(first) > _LABEL_MAX:
        return False, text
    match = _LABEL.match(first)
    return (True, rest) if match and is_reference_title(match["title"]) else (False, text)


def _is_entry_block(text: str) -> bool:
    if text[:1] not in _ENTRY_OPENERS or not ENTRY.match(text.partition("\n")[0].rstrip()):
        return False
    rows = [row for row in text.splitlines() if row.strip()]
    return sum(1 for row in rows if _URL.search(row)) * 2 >= len(rows)


def _unflag(section: Section) -> Section:
    return Section(
        index=section.index, level=section.level, title=section.title, title_span=section.title_span,
        span=section.span, body=section.body, parent=section.parent, children=section.children,
    )  # fmt: skip
