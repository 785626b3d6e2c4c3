"""Which documents a text cites by id.

``[d3]``, ``[d3, d7]``, ``[1-3]``, ``[1][2]`` and the same in full-width brackets are read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

import msgspec

# Links and boxes to tick have brackets too, but are no citations.
_BRACKET: Final = re.compile(r"(?<!!)(?:\[\[?([^\[\]\n]{1,200})\]\]?(?!\()|【([^【】\n]{1,200})】)")
_SEPARATOR: Final = re.compile(r"\s*[,;，；、]\s*")
_RANGE: Final = re.compile(r"(\d{1,4})\s*[-–—]\s*(\d{1,4})")
# A citation of an unknown document is one word with a figure in it; "[sic]" and "[the Act]" are no citations.
_MARK: Final = re.compile(r"(?=[^\s]*\d)[^\s,;]{1,60}")
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_MOST: Final = 100


class CitedDocuments(msgspec.Struct, frozen=True):
    """Ids that a text cites, each once, in the order of their first mention.

    Attributes:
        known: Ids of documents.
        unknown: Words that look like an id but are none.
    """

    known: tuple[str, ...]
    unknown: tuple[str, ...]


def cited_ids(text: str, ids: Collection[str]) -> CitedDocuments:
    """Return what a text cites in brackets.

    Args:
        text: The text.
        ids: Ids of the documents.
    """
    by_fold = {name.casefold(): name for name in ids}
    known: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for bracket in _BRACKET.finditer(_CODE.sub(" ", text)):
        inside = (bracket[1] or bracket[2]).strip().removeprefix("^")
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


def with_reference_list(text: str, documents: Mapping[str, str], *, chinese: bool = False) -> str:
    """Return a text that cites by numbers, with a list of what they stand for; one that cites nothing stays as it is.

    Args:
        text: A text that cites documents by id.
        documents: What stands in the list, by id: a title and an address, where there are any.
        chinese: Whether the text is Chinese.
    """
    order = cited_ids(text, documents).known
    if not order:
        return text
    numbers = {name.casefold(): number for number, name in enumerate(order, 1)}

    def marked(bracket: re.Match[str]) -> str:
        inside = (bracket[1] or bracket[2]).strip().removeprefix("^")
        parts = [inside] if inside.casefold() in numbers else _items(inside)
        found = [numbers[part.casefold()] for part in parts if part.casefold() in numbers]
        return "".join(f"[{number}]" for number in dict.fromkeys(found)) if found else bracket[0]

    pieces: list[str] = []
    at = 0
    for code in _CODE.finditer(text):
        pieces += [_BRACKET.sub(marked, text[at : code.start()]), code[0]]
        at = code.end()
    pieces.append(_BRACKET.sub(marked, text[at:]))
    heading = "## 参考文献" if chinese else "## References"
    entries = "\n".join(f"[{number}] {documents[name]}" for number, name in enumerate(order, 1))
    return f"{''.join(pieces).rstrip()}\n\n{heading}\n\n{entries}"


def _items(inside: str) -> list[str]:
    """Return the parts of a bracket, ranges spelled out."""
    items: list[str] = []
    for part in _SEPARATOR.split(inside):
        span = _RANGE.fullmatch(part)
        if span and 0 < int(span[2]) - int(span[1]) <= _MOST:
            items += [str(number) for number in range(int(span[1]), int(span[2]) + 1)]
        else:
            items.append(part.strip())
    return items
