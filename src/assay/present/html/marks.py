"""Marking spans of a source text in the HTML that was rendered from it.

Positions are lost on the way from Markdown to HTML. So a private-use character is put into the source at every place
where a span begins or ends, the text is rendered, and each stretch of text between two such characters is wrapped
according to the spans that are open there. Because only text is wrapped, never tags, the result is well formed
whatever the spans cut across; because every character is replaced, none is left over.

A character put into the middle of markup can break it. `fit_marks` therefore renders with and without, compares, and
moves or gives up the spans that change anything.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from html import escape
from typing import TYPE_CHECKING, Final, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assay.checks.base import Severity

# Supplementary private use area A: 65,534 boundaries per piece of text are more than any page holds.
_FIRST: Final = 0xF0000
_MOST: Final = 0xFFFD
_PRIVATE: Final = re.compile("[\U000f0000-\U000ffffd]")
_UNFIT: Final = re.compile("[\U000f0000-\U000ffffd\ud800-\udfff]")
_TAG_OR_TEXT: Final = re.compile(r"<(?:[^<>\"]|\"[^\"]*\")*>|[^<]+|<")
# Characters that are there and cannot be seen. Joiners stay: emoji and several scripts need them.
_UNSEEN: Final = re.compile("[\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_RENDERS: Final = 64
_RENDERED: Final = 2_000_000

Role = Literal["finding", "related", "node"]


class Mark(msgspec.Struct, frozen=True):
    """A span to mark and what it stands for.

    Attributes:
        start: First code point, in the source of the subject.
        end: One past the last; equal to ``start`` for a point.
        role: A finding, a place related to one, or a node of the argument.
        key: The finding's number, ``"3"``; ``"3-0"`` for its first related place, ``"c0"`` for the
            first claim whose source does not support it; the node's id.
        severity: For the colour of a finding.
        begins: False for the rest of a mark that began in an earlier piece of the text.
    """

    start: int
    end: int
    role: Role
    key: str
    severity: Severity | None = None
    begins: bool = True


def neutral(text: str) -> str:
    """Replace characters that are used as markers here, or that cannot be written to a file; the length stays the same."""
    return _UNFIT.sub("\ufffd", text) if not text.isascii() else text


def _bounds(marks: Iterable[Mark]) -> list[int]:
    return sorted({edge for mark in marks for edge in (mark.start, mark.end)})[:_MOST]


def planted(text: str, offset: int, marks: Sequence[Mark]) -> str:
    """Return ``text``, which begins at ``offset`` of the source, with a sign wherever a mark begins or ends."""
    pieces: list[str] = []
    at = 0
    for number, edge in enumerate(_bounds(marks)):
        place = min(max(edge - offset, 0), len(text))
        pieces.append(text[at:place])
        pieces.append(chr(_FIRST + number))
        at = place
    pieces.append(text[at:])
    return "".join(pieces)


def fit_marks(
    text: str,
    offset: int,
    marks: Sequence[Mark],
    render: Callable[[str], str],
    adjust: Callable[[Mark], Iterable[Mark]],
) -> tuple[str, list[Mark], list[Mark]]:
    """Render ``text`` with as many marks as can be had without changing what is rendered.

    Args:
        text: A neutral piece of the source.
        offset: Where it begins in the source.
        marks: Marks inside it.
        render: Markdown to HTML.
        adjust: Other places for a mark that does not fit, best first.

    Returns:
        The rendered HTML with signs in it, the marks whose signs it holds, and those that did not fit.
    """
    clean = render(text)
    if not marks:
        return clean, [], []
    fitting = _Fitting(text, offset, render, clean)
    if fitting.fits(marks):
        return fitting.html, list(marks), []
    # Findings matter most, then the places related to them; nodes of the argument are only a convenience.
    for role in ("finding", "related", "node"):
        fitting.settle([mark for mark in marks if mark.role == role], adjust)
    return fitting.html if fitting.good else clean, fitting.good, fitting.bad


class _Fitting:
    """The search for the marks that fit: by halves, with a limit on how often a text is rendered."""

    def __init__(self, text: str, offset: int, render: Callable[[str], str], clean: str) -> None:
        self.text = text
        self.offset = offset
        self.render = render
        self.clean = clean
        self.html = clean
        self.good: list[Mark] = []
        self.bad: list[Mark] = []
        # A block of megabytes is not rendered again and again for the sake of single marks.
        self.left = max(2, min(_RENDERS, _RENDERED // (len(text) + 1)))

    def fits(self, marks: Sequence[Mark]) -> bool:
        """Return whether the text renders the same with the signs of these marks; keep the result if it does."""
        self.left -= 1
        result = self.render(planted(self.text, self.offset, marks))
        signs = [chr(_FIRST + number) for number in range(len(_bounds(marks)))]
        if _PRIVATE.findall(result) != signs or _PRIVATE.sub("", result) != self.clean:
            return False
        self.html = result
        return True

    def settle(self, group: Sequence[Mark], adjust: Callable[[Mark], Iterable[Mark]]) -> None:
        """Take a group whole if it fits, otherwise its halves; a single mark is moved before it is given up."""
        if not group:
            return
        if self.left <= 0:
            self.bad.extend(group)
        elif self.fits([*self.good, *group]):
            self.good.extend(group)
        elif len(group) > 1:
            middle = len(group) // 2
            self.settle(group[:middle], adjust)
            self.settle(group[middle:], adjust)
        else:
            others = adjust(group[0])
            moved = next(
                (other for other in others if self.left > 0 and self.fits([*self.good, other])), None
            )
            (self.bad if moved is None else self.good).append(moved or group[0])


def mark_html(html: str, marks: Sequence[Mark]) -> str:
    """Turn the signs in cleaned HTML into marks. No sign is left over."""
    bounds = _bounds(marks)
    openings: dict[int, list[Mark]] = {}
    closings: dict[int, list[Mark]] = {}
    for mark in marks:
        openings.setdefault(bisect_left(bounds, mark.start), []).append(mark)
        closings.setdefault(bisect_left(bounds, mark.end), []).append(mark)
    state = _State(openings, closings)
    out: list[str] = []
    for token in _TAG_OR_TEXT.finditer(html):
        text = token.group()
        if text[0] == "<" and len(text) > 1:
            # A sign inside a tag (an attribute) cannot be drawn there, but what it opens and closes still counts.
            for sign in _PRIVATE.findall(text):
                state.cross(ord(sign) - _FIRST)
            out.append(_PRIVATE.sub("", text))
            continue
        at = 0
        for sign in _PRIVATE.finditer(text):
            out.append(state.wrap(text[at : sign.start()]))
            out.append(state.cross(ord(sign.group()) - _FIRST))
            at = sign.end()
        out.append(state.wrap(text[at:]))
    return "".join(out)


class _State:
    """Marks that are open at the current place in the HTML."""

    def __init__(self, openings: dict[int, list[Mark]], closings: dict[int, list[Mark]]) -> None:
        self.openings = openings
        self.closings = closings
        self.open: dict[tuple[str, str], Mark] = {}

    def cross(self, number: int) -> str:
        """Pass a sign and return the anchors of the marks that begin there."""
        for mark in self.closings.get(number, ()):
            self.open.pop((mark.role, mark.key), None)
        out: list[str] = []
        for mark in self.openings.get(number, ()):
            if mark.start == mark.end:
                out.append(f"{anchor(mark)}{_wrapped('', [mark])}")
            else:
                self.open[mark.role, mark.key] = mark
                out.append(anchor(mark))
        return "".join(out)

    def wrap(self, text: str) -> str:
        """Return a stretch of text inside the marks that are open."""
        # White space between two blocks is not text, and a mark around it would not be valid there.
        if not text or not self.open or ("\n" in text and not text.strip()):
            return _shown(text)
        return _wrapped(_shown(text), list(self.open.values()))


def anchor(mark: Mark) -> str:
    """Return an empty target for links to a mark."""
    if not mark.begins:
        return ""
    prefix = {"finding": "f", "related": "r", "node": "n"}[mark.role]
    number = f' data-no="{int(mark.key) + 1}"' if mark.role == "finding" else ""
    return f'<a class="at" id="{prefix}{escape(mark.key)}"{number}></a>'


def _wrapped(text: str, marks: list[Mark]) -> str:
    keys = {
        role: " ".join(escape(m.key) for m in marks if m.role == role)
        for role in ("finding", "related", "node")
    }
    found = {mark.severity for mark in marks if mark.role == "finding"}
    worst = next((level for level in ("error", "warning", "info") if level in found), None)
    data = "".join(
        f' data-{letter}="{keys[role]}"'
        for role, letter in (("finding", "f"), ("related", "r"), ("node", "n"))
        if keys[role]
    )
    if worst or keys["related"]:
        kinds = " ".join(kind for kind in (worst, "rel" if keys["related"] else None) if kind)
        point = " point" if not text else ""
        return f'<mark class="{kinds}{point}"{data}>{text}</mark>'
    return f"<span{data}>{text}</span>"


def _shown(text: str) -> str:
    return _UNSEEN.sub(lambda match: f'<span class="unseen" title="U+{ord(match.group()):04X}"></span>', text)
