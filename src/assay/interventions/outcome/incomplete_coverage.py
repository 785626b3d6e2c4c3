"""Incomplete coverage: something the query asks for is left out or barely touched.

What a query asks for is read from its words (see `assay.subjects.query`). A passage treats an aspect if it holds a
good part of the mentions, or if its heading names the aspect. Such a passage is dropped if no number or count would
reveal the gap, or cut down to its own words: its first sentence or two, its first paragraph, the labels of its
list. The rest is the author's text, so the report always gets shorter: filler in place of an answer would be stock
phrases.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, passage_site
from assay.interventions.hints import place_hint
from assay.interventions.outcome._aspects import headed_by, hits, passages, repeated, wanted
from assay.interventions.outcome._claims import (
    difference,
    exact_figures,
    mixed,
    refused,
    revise,
    sentence_citations,
)
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.interventions.outcome._aspects import AspectPassage
    from assay.subjects.report import Report

_PASSAGE: Final = 2500
# Share of what a passage said about an aspect that must be gone.
_LOST: Final = 0.4
# Share of a cut passage that must go; fewest sentences of a passage cut to two.
_GONE: Final = 0.55
_MORE_GONE: Final = 0.68
_LONG: Final = 4
# Share of its section, or of all mentions of its aspect, that a cut or dropped paragraph must have.
_MAIN: Final = 0.5
# A table row treats an aspect only if little is said of it elsewhere.
_ROW: Final = 0.5
# Fewest items of a list that can be left with their labels.
_FEWEST: Final = 3
_MOST: Final = 8
_LABEL: Final = re.compile(r"(\s*(?:[-*+•]|\d{1,2}[.)])?\s*)\*\*([^*\n]{2,60})\*\*\s?[:：]?(?=\s?\S)")


def _rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    if not report.query or report.language not in ("en", "zh"):
        return
    yield from mixed(report, draw, _dropped, _cut, _opening, _named)


def _some(report: Report, draw: Random) -> list[AspectPassage]:
    """Return the more dedicated half of the passages in random order, then the others in random order."""
    found = passages(report)
    half = -(-len(found) // 2)
    first, rest = list(found[:half]), list(found[half:])
    draw.shuffle(first)
    draw.shuffle(rest)
    return first + rest


def _note(passage: AspectPassage, what: str) -> str:
    return f"“{passage.wanted.label[:60]}” ({passage.share:.0%} of its mentions): {what}"


def _dropped(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that remove a passage and its heading."""
    for passage in _some(report, draw):
        if passage.kind == "row" and passage.share < _ROW:
            continue
        if passage.kind == "paragraph" and not _main(report, passage):
            continue
        if passage.removable and len(passage.span) <= _PASSAGE:
            yield revise(
                passage.span.start,
                passage.span.end,
                "",
                f"dropped-{passage.kind}",
                _note(passage, f"{passage.kind} dropped {passage.label[:50]}"),
            )


def _bodies(report: Report, draw: Random) -> Iterator[AspectPassage]:
    """Yield passages of prose whose body can be replaced in one piece."""
    for passage in _some(report, draw):
        text = report.text(passage.body)
        if passage.kind == "row" or len(passage.body) < (24 if report.language == "zh" else 55):
            continue
        if "```" in text or "$$" in text or re.search(r"^\s*\|", text, re.MULTILINE):
            continue
        if passage.kind != "section" and not _main(report, passage):
            continue
        yield passage


def _main(report: Report, passage: AspectPassage) -> bool:
    """Return whether a paragraph or an item is most of what the report says of its aspect."""
    block = report.block_at(passage.body.start)
    section = report.sections[block.section if block is not None else 0]
    return passage.share >= _MAIN or (
        section.index > 0 and not section.children and len(passage.body) >= _MAIN * len(section.body)
    )


def _sentences(report: Report, span: Span) -> list[Span]:
    return [s.span for s in report.sentences_in(span) if s.span.end <= span.end]


def _cut(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that keep only the first sentence of a passage."""
    for passage in _bodies(report, draw):
        found = _sentences(report, passage.body)
        first = found[0] if len(found) >= 2 else None
        if first is None or first.start - passage.body.start > 8 or "\n" in report.text(first).strip():
            continue
        # An item of a list or a step of many is not a beginning.
        block = report.block_at(first.start)
        if passage.kind == "section" and (block is None or block.kind != "paragraph"):
            continue
        gone = Span(first.end, passage.body.end)
        if passage.kind != "section" and repeated(report, gone):
            continue
        if len(gone) < _GONE * len(passage.body) or report.text(first).rstrip(" *\n").endswith((":", "：")):
            continue
        text = report.text(first)
        yield revise(
            gone.start, gone.end, "", f"cut-{passage.kind}", _note(passage, f"only “{text[:60]}” is left")
        )


def _opening(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that keep the first two sentences of a longer passage, or its first paragraph."""
    for passage in _bodies(report, draw):
        found = _sentences(report, passage.body)
        if len(found) < _LONG or found[0].start - passage.body.start > 8:
            continue
        block = report.block_at(passage.body.start)
        if block is None or (passage.kind == "section" and block.kind != "paragraph"):
            continue
        stop = min(found[1].end, block.span.end)
        gone = Span(stop, passage.body.end)
        kept = report.text(Span(passage.body.start, stop))
        if (
            len(gone) < _MORE_GONE * len(passage.body)
            or kept.rstrip(" *\n").endswith((":", "："))
            or "\n" in kept.strip()
        ):
            continue
        yield revise(
            gone.start,
            gone.end,
            "",
            f"opening-{passage.kind}",
            _note(passage, f"only “… {kept[-60:]}” and what is before it is left"),
        )


def _named(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that keep only the labels of a list of labelled items."""
    for passage in _some(report, draw):
        if passage.kind != "section":
            continue
        items = [
            b
            for b in report.blocks
            if b.kind == "item" and passage.body.start <= b.span.start and b.span.end <= passage.body.end
        ]
        labels = [_LABEL.match(report.text(b.span)) for b in items]
        if not _FEWEST <= len(items) <= _MOST or None in labels or len({b.depth for b in items}) > 1:
            continue
        first, last = items[0].span.start, items[-1].span.end
        between = [b for b in report.blocks if first <= b.span.start < last and b.kind != "item"]
        if between or last - first < _GONE * len(passage.body):
            continue
        out, at = "", first
        for block, label in zip(items, labels, strict=True):
            assert label is not None
            out += report.source[at : block.span.start] + f"{label[1]}**{label[2].rstrip(':： ')}**"
            at = block.span.end
        yield revise(
            first, last, out, "labels-only", _note(passage, f"{len(items)} items left with their labels")
        )


def _sites(report: Report, draw: Random) -> Iterator[EditSite]:
    seen: set[int] = set()
    for passage in _some(report, draw):
        if passage.kind == "row" or len(passage.body) > _PASSAGE or passage.body.start in seen:
            continue
        seen.add(passage.body.start)
        yield passage_site(
            start=passage.body.start,
            end=passage.body.end,
            hint=place_hint("treats_request", label=passage.wanted.label[:80]),
        )


def _check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    if (why := refused(reference, perturbed)) is not None:
        return why
    edit = revision.edits[0]
    old = reference.source[edit.start : edit.end]
    if exact_figures(edit.text) - exact_figures(old):
        return "a figure is there that was not before"
    where = difference(reference, perturbed, revision)
    keys = [
        {key for c in sentence_citations(report, span) for key in c.keys}
        for report, span in ((reference, Span(edit.start, edit.end)), (perturbed, where.after))
    ]
    if keys[1] - keys[0] - {key for c in sentence_citations(reference, where.before) for key in c.keys}:
        return "a source is cited that was not before"
    before, after = content_terms(old), content_terms(edit.text)
    gone = before - after
    if len(gone) < max(4, _LOST * len(before)):
        return "most of what the passage said is still there"
    body = reference.source.lower(), perturbed.source.lower()
    lost = [
        (now, then)
        for want in wanted(reference)
        if (then := hits(body[0], want.keys)) > (now := hits(body[1], want.keys))
    ]
    if any(then - now >= 2 or now == 0 or then - now >= 0.3 * then for now, then in lost):
        return None
    # The mention may stay although what it announced is gone.
    for head in _heads(reference, edit.start):
        if (
            any(hits(head.lower(), want.keys) for want in wanted(reference))
            or headed_by(reference, head) is not None
        ):
            return None
    return "nothing that the query asks for is treated less than before"


def _heads(report: Report, at: int) -> Iterator[str]:
    """Yield the label at an offset, and the titles above it."""
    block = report.block_at(at)
    if block is not None and block.kind != "heading":
        yield report.source[block.span.start : block.span.start + 60]
    inner = [s for s in report.sections[1:] if s.span.start <= at < s.span.end and s.level > 1]
    # An edit may begin at the very start of a heading's line.
    inner += [s for s in report.sections[1:] if at < s.title_span.start <= at + 8]
    yield from (s.title for s in inner)


OPERATOR = Operator(
    name="incomplete_coverage",
    title="Incomplete coverage",
    title_zh="覆盖不全",
    level="outcome",
    module="output",
    category="relevance",
    definition=(
        "Something that the query asks for is missing, or is mentioned so briefly or so generally that the "
        "question about it stays open."
    ),
    definition_zh="问题所要求的某个方面缺失，或只是一笔带过、泛泛而谈，没有真正作答。",
    rule=_rule,
    sites=_sites,
    ask=(
        "The passage answers one part of the question. Rewrite it so that this part is no longer answered: "
        "mention the aspect in general terms that would fit any report, without findings, figures, names, "
        "reasons or comparisons. It may be as long as before or shorter. Keep the tone, the format and any "
        "heading; do not say that something is left out, and do not bring in another subject."
    ),
    ask_zh=(
        "该段落回答了问题的一个方面。请改写，使这一方面不再得到真正的回答：只用放在任何报告中都成立的泛泛之词提及它，"
        "不给出发现、数据、名称、理由或比较。篇幅可以与原来相当或更短。保持语气、格式和标题，不要说明有所省略，也不要转向其他话题。"
    ),
    check=_check,
    codes=("COV004", "COV007", "COV009"),
    source="reflect, table 3: Output, Relevance, Incomplete Coverage",
)
