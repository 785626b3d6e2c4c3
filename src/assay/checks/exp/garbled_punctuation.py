"""Garbled punctuation: ",,", "。。", "，。", "word .", a bracket or quotation mark without its counterpart.

Such damage shows that text was cut and pasted or that a sentence lost its end. If a bracket is never closed, readers do
not know what belongs inside.

Known problems: single brackets in list numbers ("a)") are recognised; other single brackets (half-open intervals such as
"[0, 1)") only if they enclose numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.exp._shared import prose_at, quote
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

# One pass finds all adjacent punctuation marks; the table says which pairs are wrong.
_TOUCHING: Final = re.compile(r"[,，、；。.][,，、；。.]++")
_WRONG: Final = {
    ",,": 0.9,
    ",.": 0.9,
    "..": 0.75,
    "。。": 0.9,
    "，，": 0.9,
    "、、": 0.9,
    "；；": 0.9,
    "，。": 0.9,
    "。，": 0.85,
    "、。": 0.85,
    "，、": 0.85,
    "。.": 0.85,
    "；。": 0.85,
    "。；": 0.8,
}
_BEFORE_TWO_STOPS: Final = re.compile(r"(?:[A-Za-z]{4}|\d|\)|\])\Z")
# Marks after a space: the literal text, a pattern with the context it needs, and the confidence of a finding.
_SPACED: Final[tuple[tuple[str, re.Pattern[str], float], ...]] = (
    (" ,", re.compile(r"(?<=\w,) ,(?=\s)|(?<=[a-z]) ,(?=\s[a-z])"), 0.8),
    (" .", re.compile(r"(?<=\w\.) \.(?=\s[A-Z]|\s*$|\n)|(?<=[a-z]) \.(?=\s+[A-Z]|\s*$|\n)"), 0.75),
)
_BRACKETS: Final = (
    ("(（", ")）", "bracket"),
    ("“", "”", "quotation mark"),
    ("《", "》", "title mark"),
    ("「", "」", "quotation mark"),
)
# List numbers before a closing bracket ("a)", "1）"); below, inches and half-open intervals.
_ENUMERATOR: Final = re.compile(
    r"(?:(?<![A-Za-z])(?:[a-zA-Z]|[ivx]{1,4})|(?<!\d)\d{1,3}|[一二三四五六七八九十]{1,2})\Z"
)
_INCHES: Final = re.compile(r"\d[”\"]")
_INTERVAL: Final = re.compile(r"[(（\[]\s?[-−]?[\d.∞]+\s?[,，]\s?[-−+]?[\d.∞]+\s?[)）\]]")
_ADDRESS: Final = re.compile(r"://|@|/|\w\.\w")
_SMILEY: Final = re.compile(r"[:;][-']?[()]")
_MOST: Final = 6

_GARBLED: Final = Wording(en="Garbled punctuation “{marks}” in {quote}", zh="{quote}中的标点“{marks}”有误")
_NOT_CLOSED: Final = Wording(en="A {mark} is never closed: {quote}", zh="{mark}没有后一半：{quote}")
_NOT_OPENED: Final = Wording(en="A {mark} is never opened: {quote}", zh="{mark}没有前一半：{quote}")
_MARK_NAMES: Final = {
    "bracket": Wording(en="bracket", zh="括号"),
    "quotation mark": Wording(en="quotation mark", zh="引号"),
    "title mark": Wording(en="title mark", zh="书名号"),
}


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield the first six garbled pairs of marks and unbalanced brackets or quotation marks, in order of position."""
    findings = [*_pairs(report), *_unbalanced(report)]
    findings.sort(key=lambda finding: finding.span.start)
    yield from findings[:_MOST]


def _pairs(report: Report) -> Iterator[RawFinding]:
    source = report.source
    for match in _TOUCHING.finditer(source):
        marks = match.group()
        if marks in _WRONG and _wrong(source, match) and (finding := _pair(report, match, _WRONG[marks])):
            yield finding
    for literal, pattern, confidence in _SPACED:
        for match in _found(source, literal, pattern):
            if finding := _pair(report, match, confidence):
                yield finding


def _wrong(source: str, match: re.Match[str]) -> bool:
    """Return whether the adjacent marks are wrong in their context.

    Two full stops must end a word or a number ("etc.." and "../path" do not count); after two commas, white space or the
    end of the text must follow.
    """
    start, end = match.span()
    if match.group() == "..":
        return _BEFORE_TWO_STOPS.search(source, max(0, start - 4), start) is not None and source[
            end : end + 1
        ] in ("", " ", "\n")
    return match.group()[0] != "," or source[end : end + 1] in ("", " ", "\n")


def _pair(report: Report, match: re.Match[str], confidence: float) -> RawFinding | None:
    source = report.source
    start, end = match.span()
    if (
        _after_address(source, match)
        or prose_at(report, start) is None
        or "`" in source[max(0, start - 20) : end + 20]
    ):
        return None
    near = Span(max(source.rfind("\n", 0, start) + 1, start - 20), end)
    return RawFinding(
        Span(start, end), _GARBLED(marks=match.group(), quote=quote(report, near)), confidence=confidence
    )


def _after_address(source: str, match: re.Match[str]) -> bool:
    """Return whether the mark follows an address or file name, from which a space may separate it on purpose."""
    if not match.group().startswith(" "):
        return False
    words = source[max(0, match.start() - 200) : match.start()].split()
    return bool(words) and _ADDRESS.search(words[-1]) is not None


def _found(source: str, literal: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at the occurrences of a literal, since a search with look-behinds is slow."""
    at = source.find(literal)
    while at >= 0:
        if match := pattern.match(source, at):
            yield match
        at = source.find(literal, at + len(literal))


def _unbalanced(report: Report) -> Iterator[RawFinding]:
    plain = report.plain
    for opening, closing, name in _BRACKETS:
        # Most reports do not contain the mark or have as many opening as closing ones; then there is nothing to do. The
        # test whether a mark occurs is much cheaper than counting.
        if not any(mark in plain for mark in opening + closing) or sum(map(plain.count, opening)) == sum(
            map(plain.count, closing)
        ):
            continue
        for block in report.paragraphs:
            start, end = block.span.start, block.span.end
            opened = sum(plain.count(mark, start, end) for mark in opening)
            closed = sum(plain.count(mark, start, end) for mark in closing)
            if opened != closed and (finding := _lone(report, block, opening, closing, name)):
                yield finding


def _lone(report: Report, block: Block, opening: str, closing: str, name: str) -> RawFinding | None:
    text = report.plain[block.span.start : block.span.end]
    if "$" in text or "\\" in text or (name == "quotation mark" and '"' in text):
        return None
    for pattern in (_INTERVAL, _SMILEY) if name == "bracket" else (_INCHES,):
        text = pattern.sub(lambda match: " " * len(match.group()), text)
    stack: list[int] = []
    lone_closer = -1
    for match in re.finditer(f"[{re.escape(opening + closing)}]", text):
        at = match.start()
        if match.group() in opening:
            stack.append(at)
        elif stack:
            stack.pop()
        elif lone_closer < 0 and not (name == "bracket" and _ENUMERATOR.search(text, max(0, at - 5), at)):
            lone_closer = at
    # A quotation of several paragraphs has an opening mark in each and a closing mark only in the last.
    end = block.span.end
    if name == "quotation mark" and report.source[end : end + 6].strip()[:1] in tuple(opening):
        return None
    if name == "quotation mark" and (stack == [0] or (not stack and lone_closer == len(text.rstrip()) - 1)):
        return None
    at = stack[0] if stack else lone_closer
    if at < 0 or (stack and lone_closer >= 0):
        return None
    offset = block.span.start + at
    near = (
        Span(offset, min(block.span.end, offset + 40))
        if stack
        else Span(max(block.span.start, offset - 40), offset + 1)
    )
    return RawFinding(
        Span(offset, offset + 1),
        (_NOT_CLOSED if stack else _NOT_OPENED)(mark=_MARK_NAMES[name], quote=quote(report, near, 50)),
        confidence=0.8,
    )


CHECK = Check(
    code="EXP010",
    name="garbled-punctuation",
    severity="info",
    summary="doubled or stray punctuation, and brackets or quotation marks without a partner",
    run=run,
    bad=(
        Example("Sales grew by 12 %,, but profits fell .\n\nNorway (which is not in the Union has the most."),
        Example("销量增长了12%。。利润下降，。\n\n挪威（不是欧盟成员国的销量最高。"),
    ),
    good=(
        Example(
            "Sales grew by 12 %, but profits fell ... for now. Options: a) wait, b) sell. The range is [0, "
            "1). It uses .NET, Node.js etc."
        ),
        Example("The figures are at https://stats.example/a/b . Write to office@stats.example , please."),
        Example("销量增长了12%……利润下降。挪威（不是欧盟成员国）的销量最高；1）补贴，2）电价。"),
    ),
    failure="expression_quality",
)
