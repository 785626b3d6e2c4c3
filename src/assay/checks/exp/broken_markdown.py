"""Markdown that does not render as intended: an open code fence, a lone **, a table row with too many cells, a torn link.

Readers see raw marks, a page that is code to its end, or a table with missing cells, since Markdown silently drops the
cells of a row beyond those of the header.

Known problems: literal asterisks next to words (footnote stars, "p**2") may be taken for emphasis.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.prose import quote
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_HEADING: Final = re.compile(r"#{2,6}(?=[^\s#!/\d])[^\n]{1,120}")
_SPACED_LINK: Final = re.compile(r"\[[^\[\]\n]{2,200}+\] {1,2}\(https?://[^\s()]{3,500}\)")
_TORN_LINK: Final = re.compile(r"\[[^\[\]\n]{2,200}+\]\((?:https?://[^\s()]{0,500}+)?(?=\s*(?:\n|\Z))")
# "2**3", "2 ** 18", "2**o": a power.
_POWER: Final = re.compile(r"(?<=\w)\*\*(?=\d)|(?<=\d)\*\*(?=\w)|(?<= )\*\*(?= \w)")
_PROGRAM: Final = re.compile(
    r"\);|\{|\w\(\)|->|==|(?<!:)//|>>>|\bconst\b|#include|[(,]\s*\*\*\w|\*\*kwargs|\w\*\* "
    r"(?:to|of|and|or|pointers?)\b.{0,40}\btype\b"
)
_MOST_ROWS: Final = 3

_OPEN_FENCE: Final = Wording(
    en="A code fence opened here is never closed, so {n:line|lines} to the end are code",
    zh="此处开始的代码块没有结束标记，直到文末的{n}行都成了代码",
)
_LONE_STARS: Final = Wording(en="“**” has no partner: {quote}", zh="“**”没有成对：{quote}")
_WIDE_ROW: Final = Wording(
    en="A row of {cells} cells stands under a header of {width}; {dropped} is dropped{more}",
    zh="表头有{width}列，这一行却有{cells}个单元格，{dropped}不会显示{more}",
)
_MORE_ROWS: Final = Wording(en=" (and {n:more row|more rows})", zh="（另有{n}行）")
_NO_SPACE: Final = Wording(
    en="There is no space after the heading mark, which most renderers need: {quote}",
    zh="标题标记后没有空格，多数阅读器不会把它显示为标题：{quote}",
)
_SPACED: Final = Wording(
    en="A space between the words and the address keeps this from being a link: {quote}",
    zh="文字与网址之间有空格，无法成为链接：{quote}",
)
_TORN: Final = Wording(en="This link is never closed: {quote}", zh="链接没有结束括号：{quote}")


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for each broken construct."""
    if not report.markdown:
        return
    yield from _fences(report)
    yield from _emphasis(report)
    yield from _tables(report)
    yield from _headings(report)
    yield from _links(report)


def _fences(report: Report) -> Iterator[Hit]:
    """Yield a finding if the last block is an unclosed code fence; an earlier one would contain all that follows."""
    blocks = report.blocks
    if not blocks or blocks[-1].kind != "code":
        return
    span = blocks[-1].span
    lines = report.source[span.start : span.end].splitlines()
    mark = lines[0].lstrip(" >")[:3]
    if _underlines(report, span.start, lines[0]):
        return
    if mark in ("```", "~~~") and (len(lines) == 1 or not lines[-1].lstrip(" >").startswith(mark)):
        end = span.start + len(lines[0])
        yield Hit(
            Span(span.start, end),
            _OPEN_FENCE(n=len(lines) - 1),
            confidence=0.9,
        )


def _underlines(report: Report, start: int, line: str) -> bool:
    """Return whether a row of marks underlines the line above it, as headings do in reStructuredText."""
    marks = line.strip()
    above = report.source[max(0, start - 200) : start].removesuffix("\n").rsplit("\n", 1)[-1].strip()
    return (
        len(marks) > 3 and len(set(marks)) == 1 and above != "" and len(above) <= len(marks) <= len(above) + 4
    )


def _emphasis(report: Report) -> Iterator[Hit]:
    source = report.source
    if "**" not in source:
        return
    for block in report.blocks:
        if block.kind not in ("paragraph", "item", "heading"):
            continue
        start, end = block.span.start, block.span.end
        if source.count("**", start, end) % 2 and (at := _lone(source, block)) >= 0:
            yield Hit(
                Span(at, at + 2),
                _LONE_STARS(quote=quote(report, Span(at, min(end, at + 50)))),
                confidence=0.8,
            )


def _lone(source: str, block: Block) -> int:
    """Return the offset of the unpaired ``**`` in a block, or -1 if it may be intended."""
    text = source[block.span.start : block.span.end]
    if "***" in text or "\\*" in text or "`" in text or "$" in text:
        return -1
    text = _POWER.sub("\0\0", text)
    if _PROGRAM.search(text) or (text.startswith("** ") and text.count("**") == 1):
        # The stars belong to program code or to an outline.
        return -1
    marks = [match.start() for match in re.finditer(r"\*\*", text)]
    if len(marks) % 2 == 0:
        return -1
    opened = -1
    for at in marks:
        before, after = text[at - 1 : at].strip(), text[at + 2 : at + 3].strip()
        if opened < 0:
            if not after:
                # It does not open emphasis, so it is unpaired.
                return block.span.start + at
            opened = at
        elif not before and after:
            # This mark opens emphasis again, so the previous one was never closed.
            return block.span.start + opened
        else:
            opened = -1
    return block.span.start + opened if opened >= 0 else -1


def _tables(report: Report) -> Iterator[Hit]:
    for table in report.tables:
        width = len(table.header)
        odd = [
            row for row in table.rows if len(row) > width and any(cell.text.strip() for cell in row[width:])
        ]
        for row in odd[:_MOST_ROWS]:
            span = Span(row[0].span.start, row[-1].span.end)
            more = (
                _MORE_ROWS(n=len(odd) - _MOST_ROWS)
                if len(odd) > _MOST_ROWS and row is odd[_MOST_ROWS - 1]
                else ""
            )
            yield Hit(
                span,
                _WIDE_ROW(cells=len(row), width=width, dropped=quote(report, row[width].span, 40), more=more),
                related=(Span(table.header[0].span.start, table.header[-1].span.end),) if width else (),
                confidence=0.85,
            )


def _headings(report: Report) -> Iterator[Hit]:
    source = report.source
    at = 0 if source.startswith("##") else source.find("\n##") + 1
    while at > 0 or (at == 0 and source.startswith("##")):
        if match := _HEADING.match(source, at):
            block = report.block_at(match.end() - 1)
            if block is not None and block.kind in ("paragraph", "item", "heading"):
                span = Span(*match.span())
                yield Hit(
                    span,
                    _NO_SPACE(quote=quote(report, span, 40)),
                    confidence=0.9,
                )
        at = source.find("\n##", at) + 1
        if at == 0:
            return


def _links(report: Report) -> Iterator[Hit]:
    source = report.source
    if "] (http" in source or "]  (http" in source:
        for match in _SPACED_LINK.finditer(source):
            if _prose(report, match.start()) and not match.group()[1:-1].split("]")[0].strip("^ ").isdigit():
                yield Hit(
                    Span(*match.span()),
                    _SPACED(quote=quote(report, Span(*match.span()), 50)),
                    confidence=0.75,
                )
    if "](" in source:
        for match in _TORN_LINK.finditer(source):
            if _prose(report, match.start()):
                yield Hit(
                    Span(*match.span()),
                    _TORN(quote=quote(report, Span(*match.span()), 50)),
                    confidence=0.85,
                )


def _prose(report: Report, at: int) -> bool:
    block = report.block_at(at)
    return block is not None and block.kind in ("paragraph", "item", "table", "heading", "reference")


CHECK = Check(
    code="EXP009",
    name="broken-markdown",
    severity="warning",
    summary="Markdown that will not render as meant",
    run=run,
    bad=(
        Example("##Results\n\nSales grew by **12 % in 2022 and fell after."),
        Example("| Country | Sales |\n|---|---|\n| Norway | 60 | growing |\n"),
        Example("The code is below.\n\n```python\nprint(1)\n\n## Outlook\n\nSales will grow."),
        Example("见[统计局] (https://stats.example/a) 与[年报](https://stats.example/b"),
    ),
    good=(
        Example(
            "## Results\n\nSales grew by **12 %** in 2022 and fell after; 2**3 is 8.\n\nThe grid has 2 ** 18 cells."
        ),
        Example("Results\n~~~~~~~\n\nSales grew by 12 %."),
        Example("| Country | Sales |\n|---|---|\n| Norway | 60 |\n| Finland |\n"),
        Example(
            "```python\nprint(1)\n```\n\n#1 in the world. See [the office](https://stats.example/a) "
            "(https://stats.example)."
        ),
    ),
    failure="expression_quality",
)
