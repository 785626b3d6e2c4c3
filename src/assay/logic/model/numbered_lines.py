"""A report as numbered lines: what a model is shown, and what its answers refer to.

S11| ## Costs
S12| Auction prices fell to $62/MWh in 2023. ⟦1⟧

A number is the safest reference into a text: even a small model copies it correctly, and it cannot name what is not
there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

import msgspec

from assay.logic.outline import Outline
from assay.logic.wording import without_enumerator
from assay.models.tokens import estimate_tokens
from assay.subjects.span import Span
from assay.text.tidy import tidy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assay.subjects.parts import Block, Citation
    from assay.subjects.report import Report

# What a line cites, as shown after its words.
SOURCES: Final = re.compile(r"\s*⟦[^⟧]*⟧")
_MOST_SOURCES: Final = 4
_LONGEST_SOURCE: Final = 40
_OUTLINE_TITLES: Final = 30
_OUTLINE_TITLE: Final = 80
# Tokens added for the line's number, sources and bar, which take more than prose.
_FRAME: Final = 6


class NumberedLine(msgspec.Struct, frozen=True, gc=False):
    """A sentence, a heading, a row of a table, or a piece of a very long sentence.

    Attributes:
        number: Number from 1, through the whole report.
        span: Its words in the source.
        kind: What it is.
        block: Index of its block.
        section: Index of its section.
        level: Level of a heading.
        shown: The line as it is shown.
        tokens: Estimated tokens of that.
        keys: What it cites.
    """

    number: int
    span: Span
    kind: Literal["heading", "sentence", "row"]
    block: int
    section: int
    level: int
    shown: str
    tokens: int
    keys: tuple[str, ...] = ()


class NumberedReport:
    """The lines of a report that may hold its argument, without code, references and appendices."""

    __slots__ = ("lines", "report")

    def __init__(self, report: Report, lines: Sequence[NumberedLine]) -> None:
        self.report = report
        self.lines = tuple(lines)

    def __getitem__(self, number: int) -> NumberedLine:
        """Return a line by its number.

        Raises:
            IndexError: There is no such line.
        """
        if number < 1:
            raise IndexError(number)
        return self.lines[number - 1]

    @property
    def tokens(self) -> int:
        """Estimate the tokens of all lines."""
        return sum(line.tokens for line in self.lines)


def number_lines(report: Report, longest: int) -> NumberedReport:
    """Number the lines of a report.

    Args:
        report: The report.
        longest: Characters beyond which a line is cut into pieces.
    """
    return NumberedReport(report, list(_LineNumberer(report, longest).lines()))


class _LineNumberer:
    def __init__(self, report: Report, longest: int) -> None:
        self._report = report
        self._longest = longest
        self._count = 0
        self._sentences: dict[int, list[Span]] = {}
        self._cites: dict[int, list[Citation]] = {}
        for sentence in report.sentences:
            self._sentences.setdefault(sentence.block, []).append(sentence.span)

    def lines(self) -> Iterator[NumberedLine]:
        report = self._report
        skipped = Outline(report).skipped
        tables = {table.block: table for table in report.tables}
        for block in report.blocks:
            if block.section in skipped or block.kind in ("reference", "code", "rule"):
                continue
            if block.kind == "heading":
                section = report.sections[block.section]
                if len(section.title_span) and section.title_span.overlaps(block.span):
                    mark = "#" * min(max(section.level, 1), 6)
                    yield from self._line(
                        block, "heading", section.title_span, f"{mark} ", level=section.level
                    )
            elif block.index in tables:
                table = tables[block.index]
                for cells in (table.header, *table.rows):
                    filled = [cell.span for cell in cells if len(cell.span)]
                    if filled:
                        text = " | ".join(cell.text for cell in cells)
                        yield from self._line(
                            block, "row", Span(filled[0].start, filled[-1].end), "| ", text=text
                        )
            else:
                lead = "- " if block.kind == "item" else ""
                for span in self._sentences.get(block.index, ()):
                    yield from self._line(block, "sentence", span, lead)

    def _line(
        self,
        block: Block,
        kind: Literal["heading", "sentence", "row"],
        span: Span,
        lead: str,
        *,
        level: int = 0,
        text: str | None = None,
    ) -> Iterator[NumberedLine]:
        report = self._report
        plain = report.plain[span.start : span.end]
        body = plain.strip()
        if not any(map(str.isalnum, body)):
            return
        start = span.start + len(plain) - len(plain.lstrip())
        if kind != "row" and not body[0].isalpha():
            _, start = without_enumerator(body, start)
        end = span.start + len(plain.rstrip())
        for piece in _pieces(report.plain, Span(start, end), self._longest):
            self._count += 1
            keys = tuple(
                dict.fromkeys(
                    key
                    for citation in report.citations_in(Span(piece.start, max(piece.end, span.end)))
                    for key in citation.keys
                )
            )
            words = tidy(
                text if text is not None and len(text) <= self._longest else report.plain_text(piece)
            )
            shown = f"S{self._count}| {lead}{words}{_sources(keys)}"
            tokens = estimate_tokens(shown) + _FRAME
            yield NumberedLine(
                self._count, piece, kind, block.index, block.section, level, shown, tokens, keys=keys
            )


def _pieces(plain: str, span: Span, longest: int) -> Iterator[Span]:
    """Yield a span in pieces of limited length, cut at white space if there is some."""
    start = span.start
    while span.end - start > longest:
        cut = plain.rfind(" ", start + longest // 2, start + longest)
        cut = cut if cut > 0 else start + longest
        yield Span(start, cut)
        start = cut
    if plain[start : span.end].strip():
        yield Span(start, span.end)


def _sources(keys: Sequence[str]) -> str:
    if not keys:
        return ""
    # The host of an address is enough; a whole address would be longer than the sentence.
    short = [(urlsplit(key).hostname or key) if "://" in key else key for key in keys[:_MOST_SOURCES]]
    names = [name[:_LONGEST_SOURCE].replace("⟦", "").replace("⟧", "") for name in dict.fromkeys(short)]
    return f" ⟦{', '.join(names)}⟧"


def split_parts(numbered: NumberedReport, limit: int) -> list[tuple[NumberedLine, ...]]:
    """Split the lines into parts of limited tokens: sections that fit stay whole, small neighbours go together."""
    lines = numbered.lines
    pieces = list(_cut(lines, limit))
    packed: list[list[NumberedLine]] = []
    size = 0
    for piece in pieces:
        tokens = sum(line.tokens for line in piece)
        if packed and size + tokens <= limit:
            packed[-1].extend(piece)
            size += tokens
        else:
            # A heading goes with what follows it.
            moved: list[NumberedLine] = []
            while packed and len(packed[-1]) > 1 and packed[-1][-1].kind == "heading":
                moved.insert(0, packed[-1].pop())
            packed.append([*moved, *piece])
            size = tokens + sum(line.tokens for line in moved)
    return [tuple(part) for part in packed]


def _cut(lines: Sequence[NumberedLine], limit: int) -> Iterator[Sequence[NumberedLine]]:
    """Yield pieces that fit: cut at the highest headings inside, else between paragraphs, else between lines."""
    stack = [lines] if lines else []
    while stack:
        piece = stack.pop()
        if sum(line.tokens for line in piece) <= limit or len(piece) == 1:
            yield piece
            continue
        levels = [line.level for line in piece[1:] if line.kind == "heading"]
        if levels:
            top = min(levels)
            cuts = [i for i, line in enumerate(piece) if i and line.kind == "heading" and line.level == top]
        else:
            cuts = [i for i in range(1, len(piece)) if piece[i].block != piece[i - 1].block]
        if not cuts:
            cuts = list(range(1, len(piece)))
        stack.extend(reversed([piece[a:b] for a, b in zip([0, *cuts], [*cuts, len(piece)], strict=True)]))


def path_text(report: Report, section: int) -> str:
    """Return the titles of the sections around a section, from the outermost, and its own."""
    titles: list[str] = []
    at: int | None = section
    while at:
        titles.append(report.sections[at].title[:_OUTLINE_TITLE])
        at = report.sections[at].parent
    return " › ".join(title for title in reversed(titles) if title)


def outline_text(report: Report) -> str:
    """Return the titles of the main sections, up to a limit, because they go into every call."""
    sections: Iterable[int] = Outline(report).tops
    titles = [report.sections[i].title for i in sections if report.sections[i].title]
    kept = [f"- {title[:_OUTLINE_TITLE]}" for title in titles[:_OUTLINE_TITLES]]
    return "\n".join([*kept, "- …"] if len(titles) > len(kept) else kept)
