"""Garbled punctuation: ",,", "。。", "，。", "word .", a bracket or quotation mark without its counterpart.

Such damage shows that text was cut and pasted, that a citation was taken out, or that a sentence lost its end. If a
bracket is never closed, readers do not know what belongs inside. Each of the three kinds makes one finding with its places.

Known problems: single brackets in list numbers ("a)") are recognised; other single brackets (half-open intervals such as
"[0, 1)") only if they enclose numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit, Severity
from assay.checks.prose import prose_at, quote
from assay.checks.wording import FilledWording, Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

# One pass finds all adjacent punctuation marks; these pairs are wrong.
_TOUCHING: Final = re.compile(r"[,，、；。.][,，、；。.]++")
_WRONG: Final = frozenset(
    [",,", ",.", "..", "。。", "，，", "、、", "；；", "，。", "。，", "、。", "，、", "。.", "；。", "。；"]
)
_BEFORE_TWO_STOPS: Final = re.compile(r"(?:[A-Za-z]{4}|\d|\)|\])\Z")
# Marks after a space: the literal text, and a pattern with the context it needs.
_SPACED: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (" ,", re.compile(r"(?<=\w,) ,(?=\s)|(?<=[a-z]) ,(?=\s[a-z])")),
    *((f" {mark}", re.compile(rf"(?<=\S) {mark}")) for mark in "。，；"),
    (" .", re.compile(r"(?<=\w\.) \.(?=\s[A-Z]|\s*$|\n)|(?<=[a-z]) \.(?=\s+[A-Z]|\s*$|\n)")),
)
_BRACKETS: Final = (("(（", ")）"), ("“", "”"), ("《", "》"), ("「", "」"))
# List numbers before a closing bracket ("a)", "1）"); below, inches and half-open intervals.
_ENUMERATOR: Final = re.compile(
    r"(?:(?<![A-Za-z])(?:[a-zA-Z]|[ivx]{1,4})|(?<!\d)\d{1,3}|[一二三四五六七八九十]{1,2})\Z"
)
_INCHES: Final = re.compile(r"\d[”\"]")
_INTERVAL: Final = re.compile(r"[(（\[]\s?[-−]?[\d.∞]+\s?[,，]\s?[-−+]?[\d.∞]+\s?[)）\]]")
_ADDRESS: Final = re.compile(r"://|@|/|\w\.\w")
_SMILEY: Final = re.compile(r"[:;][-']?[()]")
_FEWEST_SPACED: Final = 3
_MANY_SPACED: Final = 10  # as many are the traces of citations, without which nothing can be checked
_SHOWN: Final = 8

_PAIR: Final = Wording(
    en="Garbled punctuation “{marks}” in {quote}{more}", zh="{quote}中的标点“{marks}”有误{more}"
)
_AFTER_SPACE: Final = Wording(
    en="{n:mark|marks} of punctuation after a space, as where a citation was taken out: {quote}",
    zh="有{n}处标点前多出空格，像是删去引注后留下的：{quote}",
)
_NOT_CLOSED: Final = Wording(
    en="“{mark}” is never closed: {quote}{more}", zh="“{mark}”没有后一半：{quote}{more}"
)
_NOT_OPENED: Final = Wording(
    en="“{mark}” is never opened: {quote}{more}", zh="“{mark}”没有前一半：{quote}{more}"
)
_MORE: Final = Wording(en=" (and {n} more)", zh="（另有{n}处）")


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield at most one finding for doubled marks, one for marks after a space, and one for unbalanced brackets."""
    source = report.source
    doubled = [
        Span(*match.span())
        for match in _TOUCHING.finditer(source)
        if match.group() in _WRONG and _wrong(source, match) and _in_prose(report, *match.span())
    ]
    if doubled:
        first = doubled[0]
        near = _near(source, first)
        yield _finding(
            doubled, _PAIR(marks=report.text(first), quote=quote(report, near), more=_more(doubled)), 0.85
        )
    spaced = sorted(
        (
            Span(*match.span())
            for literal, pattern in _SPACED
            for match in _found(source, literal, pattern)
            if not _after_address(source, match) and _in_prose(report, *match.span())
        ),
        key=lambda span: span.start,
    )
    # A single one is a slip of the finger.
    if len(spaced) >= _FEWEST_SPACED:
        near = _near(source, spaced[0])
        stripped = len(spaced) >= _MANY_SPACED
        message = _AFTER_SPACE(n=len(spaced), quote=quote(report, near))
        yield _finding(spaced, message, 0.85, "warning" if stripped else None)
    lone = list(_unbalanced(report))
    if lone:
        span, closed, near = lone[0]
        spans = [each for each, _, _ in lone]
        message = (_NOT_OPENED if closed else _NOT_CLOSED)(
            mark=report.text(span), quote=quote(report, near, 50), more=_more(spans)
        )
        yield _finding(spans, message, 0.8)


def _finding(
    spans: list[Span], message: FilledWording, confidence: float, severity: Severity | None = None
) -> Hit:
    return Hit(spans[0], message, tuple(spans[1:_SHOWN]), confidence, severity)


def _more(spans: list[Span]) -> FilledWording | str:
    return _MORE(n=len(spans) - 1) if len(spans) > 1 else ""


def _near(source: str, span: Span) -> Span:
    return Span(max(source.rfind("\n", 0, span.start) + 1, span.start - 20), span.end)


def _wrong(source: str, match: re.Match[str]) -> bool:
    """Return whether the adjacent marks are wrong in their context.

    Two full stops must end a word or a number ("etc.." and "../path" do not count); after two commas, white space or the
    end of the text must follow.
    """
    start, end = match.span()
    if source[start - 1 : start] == "\\":
        return False
    if match.group() == "..":
        return _BEFORE_TWO_STOPS.search(source, max(0, start - 4), start) is not None and source[
            end : end + 1
        ] in ("", " ", "\n")
    return match.group()[0] != "," or source[end : end + 1] in ("", " ", "\n")


def _in_prose(report: Report, start: int, end: int) -> bool:
    """Return whether the mark is in prose and not in code, in a formula or among the words of a link."""
    source = report.source
    if prose_at(report, start) is None or any(sign in source[max(0, start - 20) : end + 20] for sign in "`$"):
        return False
    at = bisect_right(report.inlines, start, key=lambda inline: inline.start) - 1
    return at < 0 or report.inlines[at].end <= start


def _after_address(source: str, match: re.Match[str]) -> bool:
    """Return whether the mark follows an address or file name, from which a space may separate it on purpose."""
    words = source[max(0, match.start() - 200) : match.start()].split()
    return bool(words) and _ADDRESS.search(words[-1]) is not None


def _found(source: str, literal: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at the occurrences of a literal, since a search with look-behinds is slow."""
    at = source.find(literal)
    while at >= 0:
        if match := pattern.match(source, at):
            yield match
        at = source.find(literal, at + len(literal))


def _unbalanced(report: Report) -> Iterator[tuple[Span, bool, Span]]:
    """Yield each mark without its counterpart, whether it closes, and the text beside it."""
    plain = report.plain
    for opening, closing in _BRACKETS:
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
            # What is blank in the plain text, such as an address in brackets, may hold the counterpart.
            if sum(report.source.count(mark, start, end) for mark in opening) == sum(
                report.source.count(mark, start, end) for mark in closing
            ):
                continue
            if opened != closed and (found := _lone(report, block, opening, closing)):
                offset, closes = found
                near = (
                    Span(max(start, offset - 40), offset + 1)
                    if closes
                    else Span(offset, min(end, offset + 40))
                )
                yield Span(offset, offset + 1), closes, near


def _lone(report: Report, block: Block, opening: str, closing: str) -> tuple[int, bool] | None:
    """Return the offset of the mark without a counterpart, and whether it is a closing one."""
    text = report.plain[block.span.start : block.span.end]
    brackets, quotes = "(" in opening, opening == "“"
    if "$" in text or "\\" in text or (quotes and '"' in text):
        return None
    for pattern in (_INTERVAL, _SMILEY) if brackets else (_INCHES,):
        text = pattern.sub(lambda match: " " * len(match.group()), text)
    stack: list[int] = []
    lone_closer = -1
    for match in re.finditer(f"[{re.escape(opening + closing)}]", text):
        at = match.start()
        if match.group() in opening:
            stack.append(at)
        elif stack:
            stack.pop()
        elif lone_closer < 0 and not (brackets and _ENUMERATOR.search(text, max(0, at - 5), at)):
            lone_closer = at
    # A quotation of several paragraphs has an opening mark in each and a closing mark only in the last.
    end = block.span.end
    if not brackets and report.source[end : end + 6].strip()[:1] in tuple(opening):
        return None
    if quotes and (stack == [0] or (not stack and lone_closer == len(text.rstrip()) - 1)):
        return None
    at = stack[0] if stack else lone_closer
    if at < 0 or (stack and lone_closer >= 0):
        return None
    return block.span.start + at, not stack


CHECK = Check(
    code="EXP010",
    name="garbled-punctuation",
    severity="info",
    summary="doubled or stray punctuation, and brackets or quotation marks without a partner",
    run=run,
    bad=(
        Example("Sales grew by 12 %,, but profits fell.\n\nNorway (which is not in the Union has the most."),
        Example("Sales grew . Profits fell . Costs rose , and nobody knew why. Then demand fell ."),
        Example("销量增长了12%。。利润下降，。\n\n挪威（不是欧盟成员国的销量最高。"),
    ),
    good=(
        Example("Sales fell [Extreme Oil . The Journey](https://stats.example/a), and that is all \\,."),
        Example(
            "Sales grew by 12 %, but profits fell ... for now. Options: a) wait, b) sell. The range is [0, "
            "1). It uses .NET, Node.js etc."
        ),
        Example("The figures are at https://stats.example/a/b . Write to office@stats.example , please."),
        Example("销量增长了12%……利润下降。挪威（不是欧盟成员国）的销量最高；1）补贴，2）电价。"),
    ),
    failure="expression_quality",
)
