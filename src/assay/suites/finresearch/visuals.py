"""Tables and figures of a report, and how its text uses them.

The paper's first dimension asks whether visuals and words convey the message together. The model receives what can be
counted: which visuals exist, which the text mentions, how many of their numbers it repeats, and which visuals it
announces that do not exist.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.subjects.span import Span
from assay.suites.finresearch.mentions import Family, VisualMention, find_mentions, label_of

if TYPE_CHECKING:
    from assay.subjects.report import Report

VisualKind = Literal["table", "image", "diagram"]
# Languages of code blocks that draw.
_DRAWN: Final = frozenset(
    "mermaid vega vega-lite echarts plotly chart chartjs highcharts graphviz dot plantuml svg d2".split()
)
_TAG: Final = re.compile(r"<(?P<name>img|svg|table|canvas)\b[^<>]{0,4000}>", re.IGNORECASE)
_SRC: Final = re.compile(r"\bsrc\s?=\s?[\"']?([^\"'\s>]+)", re.IGNORECASE)
_ALT: Final = re.compile(r"\balt\s?=\s?(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_FENCE: Final = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*\{?\.?([\w+-]+)")
_ROW: Final = re.compile(r"<tr\b", re.IGNORECASE)
# Targets of placeholders that show nothing.
_EMPTY: Final = re.compile(
    r"(?:#?|about:blank|placeholder\S*|\S*/?(?:placeholder|example)\.(?:png|jpe?g|svg))", re.IGNORECASE
)
_CAPTION: Final = 240
# Largest distance of "the table below", in characters.
_REACH: Final = 2500
_SHORT: Final = 120


class Visual(msgspec.Struct, frozen=True):
    """A table or a figure.

    Attributes:
        kind: Kind of the visual.
        number: Number in the caption, as written; empty without one.
        title: Caption, or alternative text of a picture.
        span: Span in the source.
        size: Size of a table, "5 rows, 3 columns"; empty for others.
        mentions: Number of mentions in the text, without the caption.
        numbers: Number of distinct numbers in a table, without years and small counts.
        shared: Number of these that occur in the text, too.
    """

    kind: VisualKind
    number: str
    title: str
    span: Span
    size: str = ""
    mentions: int = 0
    numbers: int = 0
    shared: int = 0

    @property
    def family(self) -> Family:
        """How the text refers to the visual."""
        return "table" if self.kind == "table" else "figure"


class Visuals(msgspec.Struct, frozen=True):
    """All visuals in order, and the visuals that the text announces or mentions but does not have."""

    items: tuple[Visual, ...]
    absent: tuple[str, ...] = ()

    @property
    def tables(self) -> int:
        """Number of tables."""
        return sum(item.kind == "table" for item in self.items)

    @property
    def figures(self) -> int:
        """Number of figures."""
        return len(self.items) - self.tables

    @property
    def mentioned(self) -> int:
        """Number of visuals that the text mentions."""
        return sum(item.mentions > 0 for item in self.items)

    def __bool__(self) -> bool:
        return bool(self.items)


def find_visuals(report: Report) -> Visuals:
    """Find all tables and figures of a report. Never raises on any text."""
    items = sorted(
        [*_tables(report), *_pictures(report), *_diagrams(report)], key=lambda item: item.span.start
    )
    counts = [0] * len(items)
    absent: dict[str, None] = {}
    for text in _bare_captions(report, items):
        absent[text] = None
    for mention in find_mentions(report):
        at = _referent(mention, items)
        if at is not None:
            counts[at] += 1
        elif mention.number:
            absent[mention.text] = None
    visuals = tuple(
        msgspec.structs.replace(item, mentions=count) for item, count in zip(items, counts, strict=True)
    )
    return Visuals(visuals, tuple(absent))


def _tables(report: Report) -> list[Visual]:
    tables = []
    inside = [table.span for table in report.tables]
    in_text = {
        _exact(quantity.value)
        for quantity in report.quantities
        if not any(span.start <= quantity.start < span.end for span in inside)
    }
    for table in report.tables:
        title = report.plain_text(table.caption) if table.caption else ""
        own = {
            _exact(quantity.value)
            for quantity in report.quantities_in(table.span)
            if quantity.kind not in ("year", "ordinal")
            and (quantity.unit or quantity.decimals or abs(quantity.value) > 12)
        }
        wide = max(len(table.header), *(len(row) for row in table.rows)) if table.rows else len(table.header)
        tables.append(
            Visual(
                "table",
                _number(title),
                _brief(title),
                table.span,
                f"{len(table.rows)} rows, {wide} columns",
                numbers=len(own),
                shared=len(own & in_text),
            )
        )
    return tables


def _pictures(report: Report) -> list[Visual]:
    """Return images in Markdown and HTML, outside code."""
    if not report.markdown:
        return []
    pictures = []
    source = report.source
    for inline in report.inlines:
        if inline.kind == "image" and not _in_code(report, inline.start):
            target = (inline.target or "").strip()
            if _EMPTY.fullmatch(target):
                continue
            words = " ".join(source[inline.inner_start : inline.inner_end].split())
            pictures.append(_figure(report, "image", words, Span(inline.start, inline.end)))
    for match in _TAG.finditer(source):
        if _in_code(report, match.start()):
            continue
        name = match["name"].lower()
        span = Span(match.start(), match.end())
        if name == "table":
            end = source.lower().find("</table", match.end())
            end = len(source) if end < 0 else end
            rows = len(_ROW.findall(source, match.end(), end))
            if rows:
                around = _caption_near(report, span)
                pictures.append(
                    Visual("table", _number(around), _brief(around), Span(span.start, end), f"{rows} rows")
                )
            continue
        if name == "img":
            shown = _SRC.search(match.group())
            if shown is None or _EMPTY.fullmatch(shown[1]):
                continue
        alt = _ALT.search(match.group())
        pictures.append(_figure(report, "image", (alt[1] or alt[2] or "") if alt else "", span))
    return pictures


def _diagrams(report: Report) -> list[Visual]:
    diagrams = []
    for block in report.blocks:
        if block.kind != "code":
            continue
        match = _FENCE.match(report.source, block.span.start, block.span.end)
        body = report.source[match.end() : block.span.end].strip("`~ \t\r\n") if match else ""
        if match and match[1].lower() in _DRAWN and body:
            diagrams.append(_figure(report, "diagram", "", block.span))
    return diagrams


def _figure(report: Report, kind: VisualKind, words: str, span: Span) -> Visual:
    caption = words if label_of(words) else _caption_near(report, span)
    return Visual(kind, _number(caption), _brief(caption or words), span)


def _caption_near(report: Report, span: Span) -> str:
    """Return the line before or after a figure that is its caption."""
    starts = [block.span.start for block in report.blocks]
    at = bisect_left(starts, span.start + 1) - 1
    for index in (at, at + 1, at - 1):
        if 0 <= index < len(report.blocks):
            block = report.blocks[index]
            if block.kind in ("paragraph", "heading", "item", "html") and len(block.span) <= _CAPTION:
                text = report.plain_text(block.span)
                if label_of(text):
                    return text
    return ""


def _bare_captions(report: Report, items: list[Visual]) -> list[str]:
    """Return captions without a visual near them."""
    named = {(item.family, item.number) for item in items if item.number}
    bare = []
    for block in report.paragraphs:
        if len(block.span) > _CAPTION:
            continue
        text = report.plain_text(block.span)
        label = label_of(text)
        # A sentence may begin with "Table 2 shows"; a caption has a mark after the number.
        if label and label not in named and re.match(r"\S+\s?\S+?\s?[:：]", text):
            near = any(abs(item.span.start - block.span.start) <= _CAPTION * 2 for item in items)
            if not near:
                bare.append(f"{_brief(text)}")
    return bare


def _referent(mention: VisualMention, items: list[Visual]) -> int | None:
    same = [i for i, item in enumerate(items) if item.family == mention.family]
    if mention.number:
        for i, item in enumerate(items):
            if item.number == mention.number and (item.family == mention.family or not same):
                return i
        # Visuals without numbers are counted in order.
        if same and not any(items[i].number for i in same) and mention.number.isdigit():
            place = int(mention.number) - 1
            return same[place] if 0 <= place < len(same) else None
        return None
    if mention.up:
        before = [i for i in same if items[i].span.end <= mention.start]
        return before[-1] if before and mention.start - items[before[-1]].span.end <= _REACH else None
    after = [i for i in same if items[i].span.start >= mention.end]
    return after[0] if after and items[after[0]].span.start - mention.end <= _REACH else None


def _in_code(report: Report, offset: int) -> bool:
    block = report.block_at(offset)
    return block is not None and block.kind == "code"


def _number(caption: str) -> str:
    label = label_of(caption)
    return label[1] if label else ""


def _brief(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def _exact(value: float) -> float:
    return float(f"{value:.9g}")
