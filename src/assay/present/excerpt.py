"""The line a finding is about, with carets under it, as compilers show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, Style, visible, width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.subject import Subject

_LEAD: Final = 28  # columns of context kept before the span when a long line is cut


def excerpt(
    subject: Subject, start: int, end: int, *, painter: Painter, style: Style, columns: int, gutter: int
) -> Iterator[str]:
    """Yield the first line of a span and its underline.

    Args:
        subject: The text that the span is in.
        start: First code point of the span.
        end: One past its last code point.
        painter: Colours.
        style: Colour of the carets.
        columns: Width of the terminal.
        gutter: Width of the line number.
    """
    lines = subject.lines
    row, column = lines.place(min(start, len(subject.source)))
    left = lines.start(row - 1)
    line = subject.source[left : lines.start(row)].rstrip("\r\n")
    first = column - 1
    # A span over several lines is shown by its first one.
    last = max(first, min(end - left, len(line)))
    room = max(20, columns - gutter - 3)
    text, first, last, more_left, more_right = _window(line, first, last, room)
    shown = ("…" if more_left else "") + visible(text) + ("…" if more_right else "")
    before = (1 if more_left else 0) + width(visible(text[:first]))
    under = max(1, width(visible(text[first:last])))
    rule = painter("│", "dim")
    yield f"{painter(str(row).rjust(gutter), 'dim')} {rule} {shown}"
    yield f"{' ' * gutter} {rule} {' ' * before}{painter('^' * under, style)}"


def _window(line: str, first: int, last: int, room: int) -> tuple[str, int, int, bool, bool]:
    """Return the part of a line to show: all of it, or ``room`` columns around the span."""
    # A line of a megabyte is cut before its width is measured.
    near = line[max(0, first - 4 * room) : first + 4 * room]
    if len(near) == len(line) and width(line) <= room:
        return line, first, last, False, False
    begin = first
    used = 0
    while begin > 0 and used + width(line[begin - 1]) <= _LEAD:
        begin -= 1
        used += width(line[begin])
    if begin > 0:
        begin = _word_start(line, begin, first)
    used = width(line[begin:first])
    stop = first
    while stop < len(line) and used + width(line[stop]) <= room - 2:
        used += width(line[stop])
        stop += 1
    return line[begin:stop], first - begin, min(last, stop) - begin, begin > 0, stop < len(line)


def _word_start(line: str, begin: int, first: int) -> int:
    space = line.find(" ", begin, first)
    return space + 1 if 0 <= space < begin + 12 else begin
