"""Announcements such as "three factors", and counts of the items that follow them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.heading_labels import chinese_number, word_number
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.subjects", "announced_counts")

_NUMBER: Final = r"two|three|four|five|six|seven|eight|nine|ten|[2-9]|10"
_EN: Final = _PHRASES.pattern(
    rf"(?<![\w.,/$€£-])(?P<n>{_NUMBER})\s+(?:(?:[a-z]+(?:-[a-z]+)?,"
    rf"?\s+){{0,4}}?)(?P<noun><<counts_nouns.en>>)\b(?P<tail>[^.:;\n]{{0,70}})$",
    flags=re.IGNORECASE,
)
_ZH: Final = _PHRASES.pattern(
    r"(?<![\d.十百第前])(?P<n>[两二三四五六七八九十]|[2-9]|10)(?P<unit><<counts.zh>>)(?P<noun>[\u4e00-\u9fff]{0,8})(?P<t"
    r"ail>[^。：:；;，,\n]{0,20})$",
)
# "two of the three factors", "at least three reasons", "one or two ways", 第三个, 前三大 do not announce a count.
_NUMBER_WORDS: Final = PhraseLexicon(_PHRASES, "counts_number_words")
_ZH_NUMERALS: Final = "两二三四五六七八九十23456789"
_UNITS: Final = ("个", "大", "种", "类", "项", "点", "条", "步", "方面", "阶段", "层面", "维度", "要素")
_VAGUE_BEFORE: Final = _PHRASES.pattern(
    r"(?:<<counts_vague_before.en>>|-|–|<<counts_vague_before_more.en>>|<<counts_vague_before_more.zh>>)\s*$",
    flags=re.IGNORECASE,
)
_VAGUE_TAIL: Final = _PHRASES.pattern(
    r"\b(?:<<counts_vague_tail.en>>)\b|例如|比如|之一|等$", flags=re.IGNORECASE
)
_MARK: Final = re.compile(r"(?:[-*+•·●▪◦‣–]|\(?\d{1,3}[.)、])\s")
# "Advantages: …" after two variants is a remark on both.
_REMARK: Final = re.compile(
    r"[\s*+•·-]*(?:(?:dis)?advantages|pros|cons|limitations|strengths|weaknesses|note|summary|[优缺]点|[优劣]势|局限|不足|注|小结)"
    r"\s*[:：]",
    re.IGNORECASE,
)
_ORDINALS: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_ORDINAL: Final = re.compile(
    rf"\b({'|'.join(_ORDINALS)}|final|last)(?:ly)?\b(?=,|:| is\b| comes\b|\s*—|\s*–)", re.IGNORECASE
)
_BRACKETED: Final = re.compile(r"(?<![\w(])[(（]?(10|[1-9]|[a-h])[)）](?=\s*\w)")
_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_ROMANS: Final = re.compile(r"(?<![\w(])[(（](x|ix|iv|v?i{1,3}|v)[)）](?=\s*\w)")
_CIRCLED: Final = re.compile("[①②③④⑤⑥⑦⑧⑨⑩]")
_ZH_ORDINAL: Final = re.compile(
    r"(?:^|(?<=[。；;，,：:\s]))(?:第)?([一二三四五六七八九十])(?:是|，|、|：|,|则)"
)
_SEPARATOR: Final = re.compile(r"[、/–—,，和与-]|\band\b")
_SENTENCE_END: Final = re.compile(r"[。！？\n]|[.!?]\s")
_PARENTHESES: Final = re.compile(r"[(（][^()（）]{0,200}[)）]")


class Announcement(msgspec.Struct, frozen=True):
    """An announcement such as "three factors": its number, start, end and words."""

    number: int
    start: int
    end: int
    words: str


class Counted(msgspec.Struct, frozen=True):
    """A counted enumeration: the lowest and highest number of its items, and its start and end."""

    low: int
    high: int
    start: int
    end: int


def announcement_at(text: str, place: int, stop: int) -> Announcement | None:
    """Return the announcement whose number is at ``place`` and whose words end before ``stop``, or None."""
    match = _EN.match(text, place, stop) or _ZH.match(text, place, stop)
    if match is None:
        return None
    # An enumeration in an earlier sentence or heading has nothing to do with this number.
    before = _SENTENCE_END.split(text[max(0, place - 60) : place])[-1]
    if _VAGUE_BEFORE.search(before[-14:]) or _VAGUE_TAIL.search(match["tail"]):
        return None
    number = word_number(match["n"]) or chinese_number(match["n"])
    if len(_SEPARATOR.findall(before)) >= number - 1 and number > 2:
        # "Cost, noise and trust are three factors": already listed.
        return None
    end = match.end("noun")
    return Announcement(number, place, end, " ".join(text[place:end].split()))


def announcement_places(report: Report) -> list[int]:
    """Return the offsets of numbers that may be announcements: words, digits, and Chinese numerals with a classifier."""
    offsets = {start for start, _ in _NUMBER_WORDS.find(report.cues)}
    offsets.update(
        quantity.start
        for quantity in report.quantities
        if quantity.kind == "count" and 2 <= quantity.value <= 10
    )
    if report.cues.cjk:
        plain = report.plain
        for unit in _UNITS:
            at = plain.find(unit)
            while at >= 0:
                if at and plain[at - 1] in _ZH_NUMERALS:
                    offsets.add(at - 1)
                at = plain.find(unit, at + 1)
    return sorted(offsets)


def count_items(report: Report, index: int) -> Counted | None:
    """Return the count of the outermost items of the list at block ``index``; None if the block is not an item.

    A list with a remark on all items among them has no clear count.
    """
    blocks = report.blocks
    if index >= len(blocks) or blocks[index].kind != "item":
        return None
    base = blocks[index].depth
    source = report.source
    count = 0
    # "1." among bullets of the same depth belongs to the bullet above, whatever its indentation.
    mark = source[blocks[index].span.start].isdigit()
    end = blocks[index].span.end
    for i in range(index, len(blocks)):
        block = blocks[i]
        if not block.depth or block.depth < base or block.kind in ("heading", "reference"):
            break
        if block.kind == "item":
            if block.depth == base and _MARK.match(source, block.span.start):
                if _REMARK.match(report.plain, block.span.start, block.span.end):
                    return None
                count += source[block.span.start].isdigit() == mark
            end = block.span.end
    return Counted(count, count, blocks[index].span.start, end)


def count_enumerators(text: str, start: int = 0) -> Counted | None:
    """Return the count of the longest "First, … Second, …" (or (1) …, 一是 …) in ``text`` from ``start``.

    The result is None if no such enumeration has two items.
    """
    best: Counted | None = None
    for pattern in (_ORDINAL, _BRACKETED, _ROMANS, _CIRCLED, _ZH_ORDINAL):
        expected = 1
        closed = 0
        first = last = -1
        for match in pattern.finditer(text, start):
            value = _ROMAN.index(match[1]) + 1 if pattern is _ROMANS else _value(match)
            if value == expected:
                expected += 1
                first = match.start() if first < 0 else first
                last = match.end()
            elif value == 0 and expected > 1:
                closed = 1
                last = match.end()
        count = expected - 1
        if count >= 2 and (best is None or count > best.high):
            best = Counted(count, count + closed, first, last)
    return best


def _value(match: re.Match[str]) -> int:
    text = match.group(match.lastindex or 0).lower()
    if text in _ORDINALS:
        return _ORDINALS.index(text) + 1
    if text in ("final", "last"):
        return 0
    if text.isascii():
        return int(text) if text.isdigit() else ord(text) - 96
    code = ord(text)
    return code - 0x245F if 0x2460 <= code <= 0x2469 else chinese_number(text)


def count_inline(text: str) -> Counted | None:
    """Return the count of the items in ``text``, such as ``a, b, and c`` or 甲、乙和丙; None if it is not a plain list."""
    bare = _PARENTHESES.sub("", text).strip(" .。")
    han = "、" in bare or "；" in bare
    separator = next((mark for mark in ("；", ";", "、", "，" if han else ",") if mark in bare), None)
    if separator is None:
        return None
    parts = [part.strip() for part in bare.split(separator) if part.strip()]
    if sum(mark in bare for mark in "；;、") > 1 or (separator == "、" and "," in bare):
        # Which mark separates the items is unclear.
        return None
    if separator in (",", "，", "、") and any(
        len(part) > 14 if han else len(part.split()) > 6 for part in parts
    ):
        return None
    joined = bare.count("和") + bare.count("与") + bare.count("及") + bare.count("或") if han else 0
    for word in (" and ", " or ", " & ", " as well as ", " plus "):
        joined += sum(part.count(word) for part in parts)
    return Counted(len(parts), len(parts) + joined, 0, len(text))
