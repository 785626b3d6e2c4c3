"""A chart in SVG at any width: two for a page, which shows the one that fits, and one for a file of its own.

At the width of a phone, 360 units, text is as large as the page's there; at that of a page the marks have more room, not
larger letters. Colours come from the page's style sheet by class, for light and dark; what a colour shows is also shown
by a label, a shape or a number. Each chart has a title and a description for those who cannot see it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Final

import msgspec
from markupsafe import Markup

from assay.present.display import width

PHONE: Final = 360.0
PAGE: Final = 960.0
LINE: Final = 12.5
_LETTER: Final = 6.3
_MOST_LINES: Final = 3
# What a line does not break: a word with its space, or up to a hyphen; one character of a script that breaks anywhere.
_PIECES: Final = re.compile(
    r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]\s*|[^-_/:@\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]*[-_/:@]+\s*"
    r"|[^-_/:@\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+\s*|\s+"
)

# The colours of the page's style sheet on white, for a file that has none.
_FILE_STYLE: Final = (
    "text{font:11px 'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif;fill:#1b2125}.tick{font-size:10px;fill:#5c666c}"
    ".under{font-size:10px}"
    ".gl{font-weight:600}.ax{stroke:#dfddd7;stroke-width:1;fill:none}.iv{stroke:#1b2125;stroke-width:1.2;fill:none}"
    ".s0{fill:#0f5c63}.s1{fill:#b3541e}.s2{fill:#33548f}.s3{fill:#8a6400}.s4{fill:#7a3b78}.s5{fill:#4b6b2f}"
    ".faint{opacity:.45}.dot-mark{opacity:.72}.head{font-size:13px;font-weight:600}"
)


class Chart(msgspec.Struct, frozen=True):
    """A chart that can be drawn at any width.

    Attributes:
        key: Its name on its page.
        title: Title.
        about: Description for those who cannot see it.
        paint: Given a width, the height and the parts of the picture, all texts escaped.
    """

    key: str
    title: str
    about: str
    paint: Callable[[float], tuple[float, Sequence[str]]]

    def svg(self, across: float = PHONE, *, kind: str = "") -> Markup:
        """Return the SVG element for a page whose style sheet has the colours."""
        height, parts = self.paint(across)
        name = escape(f"{self.key}-{across:.0f}")
        return Markup(  # noqa: S704 - numbers of our own, and texts escaped where they enter
            f'<svg class="chart{kind}" viewBox="0 0 {across:.0f} {height:.0f}" role="img" '
            f'aria-labelledby="{name}-t {name}-d"><title id="{name}-t">{escape(self.title)}</title>'
            f'<desc id="{name}-d">{escape(self.about)}</desc>{"".join(parts)}</svg>'
        )

    def __html__(self) -> Markup:
        """Return the chart at both widths; the style sheet shows the one that fits."""
        return self.svg(PHONE, kind=" slim") + self.svg(PAGE, kind=" broad")

    def file(self, across: float = PAGE) -> str:
        """Return a document of its own: with its title, its colours, and a white ground."""
        height, parts = self.paint(across)
        head = label_lines(self.title, across * 0.8)
        top = 18 * len(head) + 10
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 {across + 24:.0f} {height + top + 24:.0f}" '
            f'width="{across + 24:.0f}" height="{height + top + 24:.0f}" role="img"><title>{escape(self.title)}</title>'
            f"<desc>{escape(self.about)}</desc><style>{_FILE_STYLE}</style>"
            f'<rect x="-12" y="-12" width="100%" height="100%" fill="#fff"/>'
            + "".join(
                f'<text class="head" x="0" y="{18 * at + 11}">{escape(line)}</text>'
                for at, line in enumerate(head)
            )
            + f'<g transform="translate(0 {top})">{"".join(parts)}</g></svg>\n'
        )


def label_lines(text: str, room: float) -> list[str]:
    """Return a label in lines of ``room`` units; names break after hyphens too. Only more than three lines are cut."""
    lines, line = [], ""
    for whole in _PIECES.findall(" ".join(text.split())):
        piece = whole
        if line and text_width((line + piece).rstrip()) > room:
            lines.append(line.rstrip())
            line = ""
        while len(piece) > 1 and text_width(piece.rstrip()) > room:
            end = max(1, sum(1 for at in range(1, len(piece)) if text_width(piece[:at]) <= room))
            lines.append(piece[:end])
            piece = piece[end:]
        line += piece if line else piece.lstrip()
    if line.strip() or not lines:
        lines.append(line.rstrip())
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], lines[_MOST_LINES - 1] + "…"]


def fits_unbroken(text: str, room: float) -> bool:
    """Return whether a label fits in three lines without a word cut in two."""
    pieces = _PIECES.findall(text)
    return all(text_width(piece.strip()) <= room for piece in pieces) and not label_lines(text, room)[
        -1
    ].endswith("…")


def label_room(labels: Iterable[str], most: float) -> float:
    """Return how wide the longest label is, at most ``most``."""
    return min(most, max((text_width(label) for label in labels), default=0.0))


def label(lines: Sequence[str], x: float, middle: float, *, anchor: str = "end", kind: str = "") -> str:
    """Return a label of one line or several, set about the height ``middle``."""
    first = middle + 4 - LINE * (len(lines) - 1) / 2
    name = f' class="{kind}"' if kind else ""
    if len(lines) == 1:
        return f'<text{name} x="{x:.1f}" y="{first:.1f}" text-anchor="{anchor}">{escape(lines[0])}</text>'
    return (
        f'<text{name} text-anchor="{anchor}">'
        + "".join(
            f'<tspan x="{x:.1f}" y="{first + LINE * at:.1f}">{escape(line)}</tspan>'
            for at, line in enumerate(lines)
        )
        + "</text>"
    )


def row_height(labels: Iterable[Sequence[str]], least: float) -> float:
    """Return the height of rows that hold labels of so many lines."""
    return max(least, *(LINE * len(lines) + 5 for lines in labels), 0.0)


def described(parts: Iterable[str]) -> str:
    """Return the description of a chart for those who cannot see it, from those of its parts."""
    return "; ".join(filter(None, parts))


def text_width(text: str) -> float:
    """Return about how wide a text is in a chart."""
    return _LETTER * width(text)
