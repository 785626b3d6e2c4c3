"""Which documents a text cites by id: ``[d3]``, ``[d3, d7]``, ``[1-3]``, ``[1][2]`` and the same in full-width brackets."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

import msgspec

# A link is none: its words stand in brackets too. Nor is a box to tick.
_BRACKET: Final = re.compile(r"(?<!!)(?:\[\[?([^\[\]\n]{1,200})\]\]?(?!\()|【([^【】\n]{1,200})】)")
_SEPARATOR: Final = re.compile(r"\s*[,;，；、]\s*")
_RANGE: Final = re.compile(r"(\d{1,4})\s*[-–—]\s*(\d{1,4})")
# What a citation of something unknown looks like: one word with a figure in it. "[sic]" and "[the Act]" are no citations.
_MARK: Final = re.compile(r"(?=[^\s]*\d)[^\s,;]{1,60}")
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_MOST: Final = 100


class CitedDocuments(msgspec.Struct, frozen=True):
    """Ids that are cited, each once, in the order they are first met.

    Attributes:
        known: Ids of documents.
        unknown: What looks like an id and is none of a document.
    """

    known: tuple[str, ...]
    unknown: tuple[str, ...]


def cited_ids(text: str, ids: Collection[str]) -> CitedDocuments:
    """What a text cites in brackets.

    Args:
        text: The text.
        ids: Of the documents there are.
    """
    by_fold = {name.casefold(): name for name in ids}
    known: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for found in _BRACKET.finditer(_CODE.sub(" ", text)):
        inside = (found[1] or found[2]).strip().removeprefix("^")
        whole = by_fold.get(inside.casefold())
        if whole is not None:
            known[whole] = None
            continue
        for item in _items(inside):
            name = by_fold.get(item.casefold())
            if name is not None:
                known[name] = None
            elif _MARK.fullmatch(item):
                unknown[item] = None
    return CitedDocuments(tuple(known), tuple(unknown))


def _items(inside: str) -> list[str]:
    """The parts of a bracket, ranges spelled out."""
    items: list[str] = []
    for part in _SEPARATOR.split(inside):
        span = _RANGE.fullmatch(part)
        if span and 0 < int(span[2]) - int(span[1]) <= _MOST:
            items += [str(number) for number in range(int(span[1]), int(span[2]) + 1)]
        else:
            items.append(part.strip())
    return items
