"""Headings and their ranks: marked lines, and lines that only look like headings.

Agents leave out the mark in three ways: a bold line instead of ``##``, a missing space (``##标题``), and plain text
with numbered or capital titles. The first and the last are believed only in a report without any marked heading.
Conversely, ``---`` right under a paragraph makes it a heading in Markdown, although a rule was meant.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from assay.subjects.parts import Block, BlockKind
from assay.subjects.span import Span

_ATX: Final = re.compile(r"^[ \t>]*#{1,6}[ \t]*|[ \t]+#+[ \t]*$")
_BARE: Final = re.compile(r"(?P<line>#{2,6}(?=[^\s#!])[^\n]{1,100})(?=\n|$)")
_BOLD: Final = re.compile(
    r"(?P<line>(?P<mark>\*\*|__)(?=\S)(?:(?!\*\*|__)[^\n]){2,90}(?P=mark)[ \t]*[:：]?)[ \t]*(?=\n|$)"
)
# "1. Introduction", "2.3 Results", "IV. Outlook", "第三章 方法", "一、背景", "RESULTS": a line of its own.
_TITLE_LINE: Final = re.compile(
    r"(?P<line>(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}[.)、]?|[IVX]{1,5}\.)[ \t]+(?=[^\W\d_])"
    r"|第[一二三四五六七八九十\d]{1,3}[章节部][分]?|[一二三四五六七八九十]{1,3}、)[^\n]{2,80}"
    r"|(?=[^\n]{4,60}(?:\n|$))[A-Z][A-Z0-9&/,' \-]{2,58}[A-Z0-9])(?=\n|$)"
)
# Chinese titles without a space after the number: （一）背景, 1、背景, 1．背景, 1.1背景, （1）背景, 【背景】.
_ZH_NUMBER: Final = (
    r"(?:[（(](?:[一二三四五六七八九十]{1,3}|[0-9]{1,2})[）)]|[0-9]{1,2}[、．]|[一二三四五六七八九十]{1,3}、"
    r"|[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}\.?(?=[\u4e00-\u9fff]))"
)
_ZH_TITLE: Final = re.compile(
    rf"(?P<line>{_ZH_NUMBER}[ \t\u3000]*(?![年月日个家%])[^\s，。；：！？,;!?（(][^\n，。；！？,;!?]{{1,28}}"
    r"|【[^】\n，。；]{2,20}】)[ \t]*(?=\n|$)"
)
_ZH_ITEM: Final = re.compile(rf"\s*(?:{_ZH_NUMBER}|【|[-*•] )")
_PROSE_END: Final = tuple(".。!！?？;；,，")
_LONGEST_SETEXT: Final = 120


def heading_level(text: str) -> int:
    """Return the rank of a heading, 1 to 6, from its source.

    Lines without a mark rank 2, deeper where numbered ``1.2``.
    """
    stripped = text.lstrip(" >\t")
    hashes = len(stripped) - len(stripped.lstrip("#"))
    if hashes:
        return min(hashes, 6)
    if "\n" in text:
        return 1 if text.rstrip().endswith("=") else 2
    number = re.split(r"[^0-9.]", stripped.lstrip("*_ "), maxsplit=1)[0].rstrip(".)、")
    if stripped.startswith(("（", "(")):
        return 3 if stripped[1:2] in "一二三四五六七八九十" else 4
    dots = number.count(".") if number.replace(".", "").isdigit() else 0
    return min(2 + dots, 6)


def title_span(source: str, span: Span) -> Span:
    """Return the words of a heading: its first line without marks."""
    first = source[span.start : span.end].splitlines()[0]
    left = 0
    right = len(first.rstrip())
    match = _ATX.match(first)
    if match:
        left = match.end()
        right = len(first.rstrip().rstrip("#").rstrip()) if right > left else left
    return Span(span.start + min(left, right), span.start + max(left, right))


def promote_headings(source: str, blocks: list[Block], *, markdown: bool) -> list[Block]:
    """``blocks`` with unmarked headings made headings, and prose that a rule line turned into one made prose again."""
    marked = False
    changed = False
    for block in blocks:
        if block.kind == "heading":
            if _is_prose(source[block.span.start : block.span.end]):
                changed = True
            else:
                marked = True
    pattern = None if marked else _BOLD if markdown else _TITLE_LINE
    if pattern is _BOLD and not _worth(source, blocks, pattern):
        pattern = _ZH_TITLE
    if pattern is not None and not _worth(source, blocks, pattern):
        pattern = None
    if not changed and pattern is None and not ("##" in source and _any_bare(source, blocks)):
        return blocks
    return _rebuild(source, blocks, pattern)


def _is_prose(text: str) -> bool:
    """Return whether a heading is a paragraph with a rule below it."""
    if text.lstrip(" >\t").startswith("#"):
        return False
    lines = text.rstrip().splitlines()
    body = "\n".join(lines[:-1]).rstrip(" *_")
    return len(lines) > 2 or len(body) > _LONGEST_SETEXT or body.endswith(_PROSE_END)


def _worth(source: str, blocks: list[Block], pattern: re.Pattern[str]) -> bool:
    # One bold line is emphasis; two or more, with text below, are a habit.
    found = 0
    for block, following in pairwise(blocks):
        if block.kind == "paragraph" and not block.depth and _title(source, block, following, pattern):
            found += 1
            if found == 2:
                return True
    return False


def _any_bare(source: str, blocks: list[Block]) -> bool:
    return any(block.kind == "paragraph" and source.startswith("##", block.span.start) for block in blocks)


def _title(source: str, block: Block, following: Block | None, pattern: re.Pattern[str]) -> int | None:
    """Return the end of the title line that opens ``block``, or None; text must follow the title."""
    match = pattern.match(source, block.span.start, block.span.end)
    chinese = match is None and pattern is _TITLE_LINE
    if chinese or pattern is _ZH_TITLE:
        match = _ZH_TITLE.match(source, block.span.start, block.span.end)
        if match is None or _item(source, block, following, match.end()):
            return None
    if match is None or match["line"].rstrip("*_ ").endswith(_PROSE_END):
        return None
    alone = not source[match.end() : block.span.end].strip()
    if alone and (following is None or following.kind in ("heading", "rule")):
        return None
    return match.end("line")


def _item(source: str, block: Block, following: Block | None, end: int) -> bool:
    """Return whether a Chinese title line is one of several items, since another of its kind comes next."""
    rest = source[end : block.span.end].lstrip()
    if not rest:
        rest = source[following.span.start : following.span.end] if following is not None else ""
    own, other = _ZH_ITEM.match(source, block.span.start), _ZH_ITEM.match(rest)
    return own is not None and other is not None and _form(own.group()) == _form(other.group())


def _form(number: str) -> str:
    """Return the form of a number: （一） and （二） have the same."""
    return re.sub("[0-9]+", "1", re.sub("[一二三四五六七八九十]+", "一", number.strip()))


def _rebuild(source: str, blocks: list[Block], pattern: re.Pattern[str] | None) -> list[Block]:
    out: list[Block] = []
    section = 0

    def put(like: Block, kind: BlockKind, span: Span) -> None:
        out.append(Block(len(out), kind, span, section, like.depth, like.ordered))

    for i, block in enumerate(blocks):
        following = blocks[i + 1] if i + 1 < len(blocks) else None
        start, end = block.span.start, block.span.end
        if block.kind == "heading":
            if _is_prose(source[start:end]):
                put(block, "paragraph", Span(start, start + len(source[start:end].rstrip("-= \t").rstrip())))
                continue
            section += 1
        elif block.kind == "paragraph" and not block.depth:
            stop = _title(source, block, following, pattern) if pattern else None
            if stop is None and (bare := _BARE.match(source, start, end)):
                stop = bare.end("line")
            if stop is not None:
                section += 1
                put(block, "heading", Span(start, stop))
                rest = source[stop:end]
                if rest.strip():
                    put(block, "paragraph", Span(stop + len(rest) - len(rest.lstrip()), end))
                continue
        put(block, block.kind, block.span)
    return out
