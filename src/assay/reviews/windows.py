"""What of a report is shown at once: all of it, or windows of whole sections with an outline and a digest of the rest."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from assay.models.tokens import estimate_tokens
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.reviews.faults import Depth
    from assay.subjects.report import Report

# A report of so many tokens is shown whole; a longer one in windows, so that the cost grows with the length.
_WHOLE: Final = 14_000
_WINDOW: Final = 10_000
# Tokens of a part that is read sentence by sentence, and most parts of a window.
_PART: Final[dict[Depth, tuple[int, int]]] = {"quick": (0, 0), "standard": (2_200, 4), "thorough": (800, 12)}
# Tokens of the digest, and of a reference list that is shown.
_DIGEST: Final = 2_500
_REFERENCES: Final = 2_000
_SENTENCE: Final = 220
# Characters that say where a part begins and ends.
_MARK: Final = 90


class Window(msgspec.Struct, frozen=True):
    """A piece of a report that is shown at once.

    Attributes:
        span: Its place.
        text: What is shown of it.
        context: The outline and digest of the rest; empty if it is the whole report.
        parts: The pieces that are read sentence by sentence.
    """

    span: Span
    text: str
    context: tuple[str, ...]
    parts: tuple[Span, ...]


def windows_of(report: Report, depth: Depth) -> list[Window]:
    """Return the windows in which a report is read, in order."""
    body = _body(report)
    references = _references(report)
    tokens = estimate_tokens(report.source[body.start : body.end])
    if tokens <= _WHOLE:
        return [Window(body, _shown(report, body) + references, (), _parts(report, body, depth))]
    pieces = _cut(report, body, -(-tokens // _WINDOW))
    return [
        Window(piece, _shown(report, piece), (digest_of(report, piece),), _parts(report, piece, depth))
        for piece in pieces
    ]


def digest_of(report: Report, without: Span) -> str:
    """Return headings with the first sentence under each, outside ``without``: what a reader of it must know."""
    first = {sentence.section: sentence for sentence in reversed(report.sentences)}
    lines: list[str] = []
    for section in report.sections[1:]:
        if section.is_references:
            continue
        lines.append(f"{'#' * section.level} {section.title}")
        sentence = first.get(section.index)
        if sentence is not None and not without.start <= sentence.span.start < without.end:
            lines.append(" ".join(report.text(sentence.span).split())[:_SENTENCE])
    text = "\n".join(lines)
    while estimate_tokens(text) > _DIGEST:
        text = text[: len(text) * 4 // 5].rpartition("\n")[0]
    return text


def edges(report: Report, span: Span) -> tuple[str, str]:
    """Return the beginning of the first line and the end of the last line of a piece, as they stand in the report."""
    lines = [line.strip() for line in report.source[span.start : span.end].splitlines() if line.strip()]
    first, last = (lines[0], lines[-1]) if lines else ("", "")
    # Whole words, where the line is one of words.
    head, tail = first[:_MARK], last[-_MARK:]
    if len(head) < len(first) and " " in head:
        head = head.rpartition(" ")[0]
    if len(tail) < len(last) and " " in tail:
        tail = tail.partition(" ")[2]
    return head, tail


def _body(report: Report) -> Span:
    """Return the report without a closing reference list."""
    end = len(report.source.rstrip())
    for section in reversed(report.sections[1:]):
        if not section.is_references or section.span.end < end:
            break
        end = section.title_span.start
    # The heading's marks stand before its title.
    end = report.source.rfind("\n", 0, end) + 1 if end < len(report.source.rstrip()) else end
    return Span(0, end) if report.source[:end].strip() else Span(0, len(report.source))


def _shown(report: Report, span: Span) -> str:
    return report.source[span.start : span.end].strip("\n")


def _references(report: Report) -> str:
    rest = report.source[_body(report).end :].strip()
    if not rest:
        return ""
    lines, kept, size = rest.splitlines(), list[str](), 0
    for line in lines:
        size += estimate_tokens(line)
        if size > _REFERENCES:
            kept.append(f"[… {len(lines) - len(kept)}]")
            break
        kept.append(line)
    return "\n\n" + "\n".join(kept)


def _parts(report: Report, span: Span, depth: Depth) -> tuple[Span, ...]:
    size, most = _PART[depth]
    if not most:
        return ()
    tokens = estimate_tokens(report.source[span.start : span.end])
    pieces = _cut(report, span, min(most, max(1, round(tokens / size))))
    # A list of links without a sentence has nothing to be read.
    starts = [sentence.span.start for sentence in report.sentences]
    return tuple(piece for piece in pieces if any(piece.start <= start < piece.end for start in starts))


def _cut(report: Report, span: Span, count: int) -> list[Span]:
    """Cut a piece into ``count`` of about the same size, between blocks, and at a heading if one is near."""
    blocks = [block for block in report.blocks if span.start <= block.span.start < span.end]
    if count <= 1 or len(blocks) <= 1:
        return [span]
    total = span.end - span.start
    reach = total / count / 4
    starts = [span.start]
    for number in range(1, count):
        goal = span.start + total * number / count
        later = [block for block in blocks if block.span.start > starts[-1]]
        if not later:
            break
        heading = [
            block for block in later if block.kind == "heading" and abs(block.span.start - goal) <= reach
        ]
        starts.append(_nearest(heading or later, goal))
    return [Span(start, end) for start, end in pairwise([*starts, span.end])]


def _nearest(blocks: Sequence[object], goal: float) -> int:
    starts: list[int] = [block.span.start for block in blocks]  # type: ignore[attr-defined]
    return min(starts, key=lambda start: abs(start - goal))
