"""Bold lines that serve as headings in a report that also has marked headings.

``**3. Discussion**`` alone on its line is a heading if other such lines carry on its numbers, and ``**References**`` is one
if a list follows. Any other bold line may be an emphasised sentence.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

import msgspec

from assay.subjects.parts import Block
from assay.subjects.reference_entries import is_reference_title
from assay.subjects.span import Span

_BOLD: Final = re.compile(
    r"(?P<mark>\*\*|__)(?P<title>(?!\s)[^\n*]{2,90}?)(?P=mark)[ \t]*[:：]?[ \t]*(?=\n|$)"
)
_NUMBER: Final = re.compile(
    r"(\d{1,2}(?:\.\d{1,2}){0,3})(?:[.)、]\s?|\s)\S|([一二三四五六七八九十]{1,3})、\S"
)
_PROSE_END: Final = tuple(".。!！?？;；,，")
_CHINESE: Final = "一二三四五六七八九十"


def bold_level(line: str, marked: str) -> int:
    """Return the rank of a bold heading below the marked heading ``marked``: its equal if it carries on its number."""
    hashes = len(marked) - len(marked.lstrip("#"))
    if is_reference_title(line.strip("*_: ：")):
        return min(hashes, 2)
    above, own = _NUMBER.match(marked.lstrip("#* ")), _NUMBER.match(line.lstrip("*_ "))
    if above and own and (above[1] or "").count(".") == (own[1] or "").count("."):
        return hashes
    return min(hashes + 1, 6)


def promote_bold_lines(source: str, blocks: list[Block]) -> list[Block]:
    """Return ``blocks`` with bold lines that are used as headings made headings."""
    if "**" not in source and "__" not in source:
        return blocks
    titles: dict[int, tuple[int, str]] = {}
    numbers: list[tuple[int, str]] = []
    for block, following in pairwise(blocks):
        if block.kind != "paragraph" or block.depth:
            continue
        match = _BOLD.match(source, block.span.start, block.span.end)
        if match is None or match["title"].endswith(_PROSE_END):
            continue
        alone = match.end() >= block.span.end
        if alone and following.kind in ("heading", "rule"):
            continue
        if is_reference_title(match["title"]):
            titles[block.index] = (match.end(), "")
        elif alone and (number := _NUMBER.match(match["title"])):
            numbers.append((block.index, number[1] or number[2]))
            titles[block.index] = (match.end(), numbers[-1][1])
    kept = _in_series(numbers)
    titles = {index: found for index, found in titles.items() if not found[1] or index in kept}
    return _rebuilt(source, blocks, {index: end for index, (end, _) in titles.items()}) if titles else blocks


def _in_series(numbers: list[tuple[int, str]]) -> set[int]:
    """Return the indexes of titles whose number the title before or after it carries on."""
    kept: set[int] = set()
    for (left, first), (right, second) in pairwise(numbers):
        if _follows(first, second):
            kept |= {left, right}
    return kept


def _follows(first: str, second: str) -> bool:
    if first in _CHINESE and second in _CHINESE:
        return _CHINESE.index(second) == _CHINESE.index(first) + 1
    *head, last = first.split(".")
    parts = second.split(".")
    return (parts[:-1] == head and last.isdigit() and parts[-1] == str(int(last) + 1)) or parts == [
        *head,
        last,
        "1",
    ]


def _rebuilt(source: str, blocks: list[Block], ends: dict[int, int]) -> list[Block]:
    out: list[Block] = []
    section = 0
    for block in blocks:
        end = ends.get(block.index)
        if end is None:
            section += block.kind == "heading"
            out.append(msgspec.structs.replace(block, index=len(out), section=section))
            continue
        section += 1
        title = Span(block.span.start, block.span.start + len(source[block.span.start : end].rstrip()))
        out.append(Block(len(out), "heading", title, section, block.depth, block.ordered))
        rest = source[end : block.span.end]
        if rest.strip():
            left = end + len(rest) - len(rest.lstrip())
            out.append(Block(len(out), "paragraph", Span(left, block.span.end), section, block.depth))
    return out
