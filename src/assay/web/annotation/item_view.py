"""An item as a rater sees it: the texts as they read, marked where the task needs it, and nothing that is hidden."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup  # noqa: TC002 - a field of a struct

from assay.checks.base import Severity
from assay.interventions.instances import subject_of_side
from assay.present.html.marks import Mark
from assay.present.html.prose import markdown_html, text_html
from assay.present.html.steps import steps_html
from assay.present.interface import Interface, html_language
from assay.strategies.quotes import locate
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.web.annotation.items import AnnotationItem
from assay.web.annotation.questions import Task
from assay.web.templating import safe_markup


class MarkedFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault that a rater marked: its place in the text, type, severity, and a note."""

    start: int
    end: int
    type: str
    severity: Severity = "warning"
    note: str = ""
    text: str = ""


def marked_faults(value: str | None) -> list[MarkedFault]:
    """Return the faults of an answer."""
    try:
        return msgspec.json.decode(value or "[]", type=list[MarkedFault])
    except msgspec.MsgspecError:
        return []


class ShownText(msgspec.Struct, frozen=True):
    """A text on the page of an item."""

    label: str
    html: Markup
    language: str | None


def subject_of(item: AnnotationItem, side: int = 0) -> Subject:
    """Return one of the texts of an item."""
    return _subject(item.key, msgspec.json.encode(item.texts[side]), item.query)


@lru_cache(maxsize=64)
def _subject(_key: str, data: bytes, query: str) -> Subject:
    return subject_of_side(msgspec.json.decode(data), query=query, name="")


def shown_texts(
    item: AnnotationItem,
    task: Task,
    say: Interface,
    *,
    swapped: bool = False,
    faults: Sequence[MarkedFault] = (),
) -> list[ShownText]:
    """Return the texts of an item in the order in which a rater sees them."""
    if len(item.texts) == 2:
        order = (1, 0) if swapped else (0, 1)
        return [
            _shown(subject_of(item, side), letter, [], say) for side, letter in zip(order, "AB", strict=True)
        ]
    subject = subject_of(item)
    marks: list[Mark] = []
    if "start" in item.about:
        size = len(subject.source)
        start, end = (min(max(item.about[name], 0), size) for name in ("start", "end"))
        marks.append(Mark(start, end, role="finding", key="0", severity="warning"))
        for number, (left, right) in enumerate(item.about.get("related", ())):
            marks.append(Mark(min(left, size), min(right, size), role="related", key=f"0-{number}"))
    marks += [
        Mark(fault.start, fault.end, role="finding", key=str(number), severity=fault.severity)
        for number, fault in enumerate(faults)
    ]
    if task in ("faults", "criteria"):
        marks += [
            Mark(start, end, role="node", key=str(number))
            for number, (start, end) in enumerate(sentence_spans(subject))
        ]
    return [_shown(subject, "", marks, say)]


def _shown(subject: Subject, label: str, marks: Sequence[Mark], say: Interface) -> ShownText:
    language = html_language(subject.language)
    if not isinstance(subject, Report):
        return ShownText(label, safe_markup(steps_html(subject, marks, say)), language)
    source = subject.source
    if subject.markdown:
        html = markdown_html(source, 0, len(source), marks, report=subject)
    else:
        html = f'<div class="plain">{text_html(source, 0, len(source), marks)}</div>'
    return ShownText(label, safe_markup(html), language)


def sentence_spans(subject: Subject) -> list[tuple[int, int]]:
    """Return where the sentences and headings of a report stand, or the lines of a trajectory, in order.

    Marks on the page name them by number.
    """
    if isinstance(subject, Report):
        found = [(item.span.start, item.span.end) for item in subject.sentences]
        starts = sorted(start for start, _ in found)
        for block in subject.blocks:
            at = bisect_left(starts, block.span.start)
            if at == len(starts) or starts[at] >= block.span.end:
                found.append((block.span.start, block.span.end))
        return sorted(found)
    found = []
    at = 0
    for line in subject.source.splitlines(keepends=True):
        if line.strip():
            found.append((at, at + len(line.rstrip())))
        at += len(line)
    return found


def place_of_selection(item: AnnotationItem, text: str, first: int, last: int) -> tuple[int, int] | None:
    """Return where words that were selected on the page stand in the source.

    Args:
        item: The item.
        text: The words, as the browser shows them.
        first: Number of the first sentence that the selection touches.
        last: Number of the last.
    """
    subject = subject_of(item)
    spans = sentence_spans(subject)
    if not spans or not 0 <= first <= last < len(spans) or not text.strip():
        return None
    start, end = spans[first][0], spans[last][1]
    window = subject.source[start:end]
    found = locate(text, window)
    if found is None:
        at = window.find(text.strip())
        found = (at, at + len(text.strip())) if at >= 0 else (0, len(window))
    return start + found[0], start + found[1]


def about_of(item: AnnotationItem) -> dict[str, Any]:
    """Return what the page says beside the texts, with every name that a template may ask for."""
    return {
        name: item.about.get(name)
        for name in ("definition", "title", "source", "text", "cut", "code", "name", "message")
    }
