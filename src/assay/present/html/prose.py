"""A report's Markdown as safe HTML, with marks in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, Final

import msgspec
import nh3
from markdown_it import MarkdownIt

from assay.present.html.emphasis import emphasis_beside_cjk
from assay.present.html.marks import Mark, anchor, fit_marks, mark_html, neutral, planted
from assay.subjects.span import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

    from assay.subjects.report import Report

_TAGS: Final = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong",
    "s", "del", "ins", "u", "b", "i", "sub", "sup", "small", "kbd", "q", "abbr", "cite", "a", "span", "div",
    "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd",
}  # fmt: skip
# Written by hand in a report, these are let through; any other tag is shown as the text it is.
_PLAIN_TAG: Final = re.compile(
    r"<(?:/?(?:br|sub|sup|b|i|u|s|em|strong|small|kbd|q|del|ins)\s*/?"
    r"|/?cite(?:\s+id\s*=\s*[\"']?[\w\-,. ]{0,80}[\"']?)?)>",
    re.IGNORECASE,
)
_CLASSES: Final = {"raw", "image", "left", "center", "right"}
_ADDRESS: Final = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_PREFIX: Final = re.compile(r"[ \t]*(?:>[ \t]?|[-*+•][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+|\|[ \t]*)*")


def _raw(text: str) -> str:
    return f'<span class="raw">{escape(text)}</span>'


def _html_inline(
    _self: RendererHTML, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: EnvType
) -> str:
    text = tokens[idx].content
    return text if _PLAIN_TAG.fullmatch(text) else _raw(text)


def _html_block(
    _self: RendererHTML, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: EnvType
) -> str:
    return f"<div>{_raw(tokens[idx].content.rstrip())}</div>\n"


def _image(
    _self: RendererHTML, tokens: Sequence[Token], idx: int, _options: OptionsDict, _env: EnvType
) -> str:
    # Nothing is fetched: a picture is shown by its words and its address.
    token = tokens[idx]
    address = str(token.attrs.get("src", ""))
    words = token.content or "image"
    shown = f" <code>{escape(address)}</code>" if not address.startswith("data:") else ""
    return f'<span class="image">{escape(words)}{shown}</span>'


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    # Reference definitions stay visible, as the rest of Assay reads them: they are the list of sources.
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).disable("reference")
    parser.inline.ruler.at("emphasis", emphasis_beside_cjk)
    for name, rule in (("html_inline", _html_inline), ("html_block", _html_block), ("image", _image)):
        parser.add_render_rule(name, rule)
    return parser


def _render(text: str) -> str:
    parser = _parser()
    env: dict[str, Any] = {}
    try:
        tokens = parser.parse(text, env)
    except (RecursionError, IndexError, ValueError):
        # markdown-it-py recurses on nesting; a text that defeats it is shown as it is.
        return f"<p>{escape(text)}</p>"
    for token in tokens:
        # Alignment comes as a style attribute, which the page's policy would refuse.
        style = token.attrs.pop("style", None)
        if isinstance(style, str):
            token.attrSet("class", style.rpartition(":")[2])
    return str(parser.renderer.render(tokens, parser.options, env))


def _render_clean(text: str) -> str:
    # Cleaned before the signs are counted: one in an attribute that goes would be lost with it.
    return _clean(_render(text))


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "class":
        return value if value in _CLASSES else None
    # A relative address would lead into the reader's own files.
    if tag == "a" and name == "href" and not _ADDRESS.match(value):
        return None
    return value


def _clean(html: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags={"script", "style"},
        attributes={
            "a": {"href", "title"},
            "ol": {"start"},
            "span": {"class"},
            "th": {"class"},
            "td": {"class"},
        },
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def text_html(source: str, start: int, end: int, marks: Sequence[Mark]) -> str:
    """Return a stretch of plain text with marks; the style sheet keeps its white space."""
    inside = _clipped(marks, start, end, last=True)
    return mark_html(escape(planted(neutral(source[start:end]), start, inside)), inside)


def markdown_html(
    source: str, start: int, end: int, marks: Sequence[Mark], *, report: Report | None = None
) -> str:
    """Return a stretch of Markdown with marks.

    Each top-level block is rendered by itself, so that a mark that cannot be drawn inside one does not touch the
    others: there the whole block is marked instead.

    Args:
        source: The text the marks' offsets refer to.
        start: Where the Markdown begins in it.
        end: Where it ends.
        marks: What to mark.
        report: The report, when ``source`` is its text: it knows where markup stands.
    """
    text = neutral(source[start:end])
    out: list[str] = []
    pieces = list(_pieces(text))
    ordered = sorted((_snug(source, mark) for mark in marks), key=lambda mark: mark.start)
    waiting = 0
    active: list[Mark] = []
    for number, (left, right) in enumerate(pieces):
        # What stands between two blocks belongs to the first of them.
        stop = pieces[number + 1][0] if number + 1 < len(pieces) else len(text) + 1
        while waiting < len(ordered) and ordered[waiting].start < start + stop:
            active.append(ordered[waiting])
            waiting += 1
        inside = _clipped(
            active, start + left, start + right, first=number == 0, last=number + 1 == len(pieces)
        )
        active = [mark for mark in active if mark.end > start + stop]
        html, drawn, failed = fit_marks(
            text[left:right], start + left, inside, _render_clean, lambda mark: _moved(report, mark)
        )
        marked = mark_html(html, drawn)
        if failed:
            marked = _block_mark(marked, failed)
        out.append(marked)
    return "\n".join(out)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield the top-level blocks of a Markdown text, as ranges of whole lines."""
    lines = LineIndex(text)
    try:
        tokens = _block_parser().parse(text)
    except (RecursionError, IndexError, ValueError):
        yield 0, len(text)
        return
    for token in tokens:
        if token.level == 0 and token.map is not None and token.nesting >= 0:
            yield lines.start(token.map[0]), lines.start(token.map[1])


@lru_cache(maxsize=1)
def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table").disable("reference")
    parser.core.ruler.disable(["inline", "text_join"], ignoreInvalid=True)
    return parser


def _clipped(
    marks: Iterable[Mark], start: int, end: int, *, first: bool = False, last: bool = False
) -> list[Mark]:
    """Return the parts of marks inside a range; a mark before or behind it becomes a point at its edge."""
    out: list[Mark] = []
    for mark in marks:
        left, right = min(max(mark.start, start), end), min(max(mark.end, start), end)
        begins = mark.begins and (first or mark.start >= start)
        if left < right or begins or (last and mark.start >= end):
            out.append(msgspec.structs.replace(mark, start=left, end=right, begins=begins))
    return out


def _snug(source: str, mark: Mark) -> Mark:
    """Return a mark without the list signs, heading signs and cell borders at its edges, which are not text."""
    start, end = mark.start, mark.end
    line = max(source.rfind("\n", 0, start), source.rfind("\r", 0, start)) + 1
    prefix = _PREFIX.match(source, line)
    if prefix and start < prefix.end() < end:
        start = prefix.end()
    edges = " \t\r\n|" if source.startswith("|", line) else " \t\r\n"
    while end > start and source[end - 1] in edges:
        end -= 1
    return (
        mark
        if (start, end) == (mark.start, mark.end)
        else msgspec.structs.replace(mark, start=start, end=end)
    )


def _moved(report: Report | None, mark: Mark) -> Iterator[Mark]:
    """Yield other places for a mark that would break markup: its words alone, or whole links that it cuts."""
    if report is None:
        return
    plain = report.plain[mark.start : mark.end]
    words = plain.strip()
    if words:
        left = mark.start + plain.index(words)
        yield msgspec.structs.replace(mark, start=left, end=left + len(words))
    first = bisect_right(report.inlines, mark.start, key=lambda inline: inline.end)
    start, end = mark.start, mark.end
    for inline in report.inlines[first:]:
        if inline.start >= mark.end:
            break
        start, end = min(start, inline.start), max(end, inline.end)
    if (start, end) != (mark.start, mark.end):
        yield msgspec.structs.replace(mark, start=start, end=end)


def _block_mark(html: str, marks: Sequence[Mark]) -> str:
    anchors = "".join(anchor(mark) for mark in marks)
    named = [mark for mark in marks if mark.role == "finding"]
    if not named:
        data = "".join(
            f' data-{letter}="{escape(" ".join(mark.key for mark in marks if mark.role == role))}"'
            for role, letter in (("related", "r"), ("node", "n"))
        )
        return f"{anchors}<div{data}>{html}</div>"
    worst = min((mark.severity or "info" for mark in named), key=("error", "warning", "info").index)
    data = escape(" ".join(mark.key for mark in named))
    return f'{anchors}<div class="hit {worst}" data-f="{data}">{html}</div>'
