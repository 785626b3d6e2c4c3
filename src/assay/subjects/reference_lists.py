"""Which blocks of a report belong to a reference list."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.parts import Block
from assay.subjects.reference_entries import (
    DATA_DEFINITION,
    DOCUMENT_TYPE,
    ENTRY,
    URL_SIGN,
    YEAR_IN_PARENS,
    is_sure_title,
    split_inline_label,
    split_label,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.marked_text import MarkedText
    from assay.subjects.parts import Section

_ENTRY_OPENERS: Final = frozenset("\\[［〔【*-+•·>0123456789¹²³⁴⁵⁶⁷⁸⁹<注文来资")
_BRACKETS: Final = ("[", "［", "【", "〔", "\\[")
_BULLETS: Final = frozenset("-*+•·")
_TAG: Final = re.compile(r"<[^<>\n]{1,300}>")
_LIST_ITEM: Final = re.compile(r"<li\b", re.IGNORECASE)
_ONLY_URL: Final = re.compile(r"\s*<?(?:https?://|www\.)\S+\s*$")
# The rule of a table, the definition of an image.
_NO_ROW: Final = re.compile(r"[\s|:\-]+$|\s*\[[^\[\]\n]{1,60}\]:\s?<?data:")
_TABLE_KEY: Final = re.compile(r"\s*\|?\s*\**(?:[\[［〔【]\^?\d{1,3}[\]］〕】]|\d{1,3}\.?)\**\s*\|")
_LINKS: Final = re.compile(r"\[[^\[\]\n]{0,300}\]\([^()\s]{0,1000}\)|(?:https?://|www\.)\S+")
_FEW: Final = 2


def mark_references(text: MarkedText, blocks: list[Block], sections: list[Section]) -> list[Block]:
    """Return the blocks with those of reference lists marked; in ``sections`` mistaken titles lose their flag."""
    source = text.source
    inside: set[int] = set()
    starts = [b.span.start for b in blocks]
    for section in [section for section in sections if section.is_references]:
        first, last = (bisect_left(starts, end) for end in (section.span.start, section.span.end))
        own = [b for b in blocks[first:last] if b.kind != "heading"]
        body = source[section.span.start : section.span.end].partition("\n")[2]
        if own and _looks_like_entries(body):
            # "The links above are all official" after the list is prose again.
            while (
                len(own) > 1 and own[-1].kind in ("paragraph", "rule") and not _holds_entry(source, own[-1])
            ):
                own.pop()
            inside.update(b.index for b in own if b.kind != "table" or _lists_sources(source, b))
        else:
            sections[section.index] = msgspec.structs.replace(section, is_references=False)
    inside.update(
        b.index for b in blocks if b.kind == "html" and b.index not in inside and _is_html_list(source, b)
    )
    if "]: <data:" in source or "]: data:" in source:
        inside.update(b.index for b in blocks if DATA_DEFINITION.match(source, b.span.start, b.span.end))
    inside.update(_unheaded_lists(source, [b for b in blocks if b.index not in inside and b.kind != "rule"]))
    rest = [b for b in blocks if b.kind != "rule"]
    if rest and rest[-1].index not in inside:
        inside.update(_closing_line(source, rest))
        inside.update(_closing_list(source, rest))
    if not inside:
        return blocks
    return [
        msgspec.structs.replace(b, kind="reference")
        if b.index in inside and b.kind not in ("rule", "code")
        else b
        for b in blocks
    ]


def _is_entry(row: str) -> bool:
    return bool(
        ENTRY.match(row) or URL_SIGN.search(row) or YEAR_IN_PARENS.search(row) or DOCUMENT_TYPE.search(row)
    )


def _looks_like_entries(text: str) -> bool:
    rows = [row for row in text.splitlines() if row.strip() and not _NO_ROW.match(row)]
    if not rows:
        return False
    entries = sum(1 for row in rows if _is_entry(row) or _TABLE_KEY.match(row))
    return entries * 2 >= len(rows)


def _holds_entry(source: str, block: Block) -> bool:
    text = source[block.span.start : block.span.end]
    return bool(ENTRY.match(text.partition("\n")[0])) or any(map(_is_entry, text.splitlines()))


def _lists_sources(source: str, table: Block) -> bool:
    """Return whether a table under the heading of a reference list is the list."""
    rows = source[table.span.start : table.span.end].splitlines()[2:]
    return (
        bool(rows)
        and sum(1 for row in rows if _TABLE_KEY.match(row) or URL_SIGN.search(row)) * 3 >= len(rows) * 2
    )


def _is_html_list(source: str, block: Block) -> bool:
    """Return whether a block of HTML is a reference list: ``<references>`` with entries, or ``<li>`` with addresses."""
    text = source[block.span.start : block.span.end]
    if not URL_SIGN.search(text):
        return False
    rows = [row for row in _TAG.sub(" ", text).splitlines() if row.strip()]
    entries = sum(1 for row in rows if ENTRY.match(row) and URL_SIGN.search(row))
    items = len(_LIST_ITEM.findall(text))
    return max(entries, items) >= _FEW and (
        entries * 2 >= len(rows) or len(URL_SIGN.findall(text)) >= items > 0
    )


def _unheaded_lists(source: str, blocks: list[Block]) -> Iterator[int]:
    """Yield indexes of blocks that are reference lists without a heading of their own.

    Three kinds: under a "Sources:" line (a paragraph of its own, or the first line of the list's paragraph); a run of
    ``[n] … URL`` lines wherever it stands, since nothing else looks like that; any numbered list of addresses that
    ends the text.
    """
    run: list[Block] = []
    labelled = marked = sure = False
    rows = 0
    for block, following in zip_longest(blocks, blocks[1:]):
        text = source[block.span.start : block.span.end]
        title, body = _labelled(text) if block.kind == "paragraph" else ("", text)
        if title and (
            not body or _is_entry_block(body) or _is_offline_entry(body, sure=is_sure_title(title))
        ):
            if run and (labelled or (marked and rows > 1)):
                yield from (b.index for b in run)
            run, labelled, marked, rows = [block], True, bool(body), body.count("\n") + bool(body)
            sure = is_sure_title(title)
        elif block.kind in ("paragraph", "item") and (
            _is_entry_block(text)
            or _is_split_entry(source, text, following)
            or (marked and rows and _ONLY_URL.match(text))
            or (
                labelled
                and (_is_offline_entry(text, sure=sure) or (rows and _goes_on(source, block, following)))
            )
        ):
            marked = (marked or not rows) and (text.startswith(_BRACKETS) or bool(_ONLY_URL.match(text)))
            run.append(block)
            rows += text.count("\n") + 1
        else:
            if rows and (labelled or (marked and rows > 1)):
                yield from (b.index for b in run)
            run, labelled, marked, rows = [], False, False, 0
    if rows and (labelled or rows > 1):
        yield from (b.index for b in run)


def _labelled(text: str) -> tuple[str, str]:
    title, body = split_label(text)
    if not title:
        title, body = split_inline_label(text)
        if title and not (body.startswith(_BRACKETS) and ENTRY.match(body.partition("\n")[0])):
            return "", text
    return title, body


def _is_split_entry(source: str, text: str, following: Block | None) -> bool:
    """Return whether a line is ``[3] [17] Title`` with the address in the paragraph below it."""
    if (
        following is None
        or not text.startswith(_BRACKETS)
        or not ENTRY.match(text.partition("\n")[0].rstrip())
    ):
        return False
    return _ONLY_URL.match(source, following.span.start, following.span.end) is not None


def _goes_on(source: str, block: Block, following: Block | None) -> bool:
    """Return whether an unnumbered item is the rest of an entry that a page break has cut in two."""
    if block.kind != "item" or following is None or following.kind != "item":
        return False
    return _is_offline_entry(source[following.span.start : following.span.end])


def _is_offline_entry(text: str, *, sure: bool = False) -> bool:
    """Return whether a line is a source without an address, as under a "Sources:" line.

    ``[3] Annual report``, one with its year in brackets, or, under a ``sure`` title, any numbered line.
    """
    if text.startswith(_BRACKETS) or YEAR_IN_PARENS.search(text) or DOCUMENT_TYPE.search(text):
        return True
    # ``- [3] Annual report``: the bullet is only layout.
    match = ENTRY.match(text.partition("\n")[0]) if sure or text[:1] in _BULLETS else None
    return match is not None and bool(sure or match["num"])


def _is_entry_block(text: str) -> bool:
    if text[:1] not in _ENTRY_OPENERS or not ENTRY.match(text.partition("\n")[0].rstrip()):
        return False
    rows = [row for row in text.splitlines() if row.strip()]
    return sum(1 for row in rows if URL_SIGN.search(row)) * 2 >= len(rows)


def _closing_line(source: str, blocks: list[Block]) -> Iterator[int]:
    """Yield the index of a last paragraph ``Sources: [title](url), [title](url)``, if the report has only one such."""
    if not blocks or blocks[-1].kind != "paragraph":
        return
    title, body = split_inline_label(source[blocks[-1].span.start : blocks[-1].span.end])
    links = len(_LINKS.findall(body)) if title else 0
    if links < _FEW or len(_LINKS.sub(" ", body).split()) > links * _FEW:
        return
    labels = (
        split_inline_label(source[b.span.start : b.span.end])[0] for b in blocks if b.kind == "paragraph"
    )
    if sum(map(bool, labels)) == 1:
        yield blocks[-1].index


def _closing_list(source: str, blocks: list[Block]) -> Iterator[int]:
    """Yield the blocks of links that end the text under a line such as ``**Sources**``, if there is only one such line.

    Lists of links after every section are citations of that section.
    """
    at = len(blocks)
    while at and blocks[at - 1].kind in ("item", "paragraph") and _is_link(source, blocks[at - 1]):
        at -= 1
    run = blocks[at:]
    label = blocks[at - 1] if at else None
    if run and label is not None and label.kind == "paragraph":
        labels = (split_label(source[b.span.start : b.span.end])[0] for b in blocks if b.kind == "paragraph")
        if split_label(source[label.span.start : label.span.end])[0] and sum(map(bool, labels)) == 1:
            yield from (b.index for b in (label, *run))


def _is_link(source: str, block: Block) -> bool:
    text = source[block.span.start : block.span.end]
    return _LINKS.search(text) is not None and not split_label(text)[0]
