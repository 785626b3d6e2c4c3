"""Something that the query asks for is left out, or no more than touched on.

What a query asks for is read off its words (see `assay.subjects.query`); a passage is where a report treats it when
it holds a good part of the mentions, or is headed by it. Such a passage is dropped where no number or count would
miss it, cut to its first sentence, or replaced by a mention that says nothing, shorter or as long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator, Place
from assay.interventions.outcome._aspects import headed_by, hits, passages, wanted
from assay.interventions.outcome._claims import (
    difference,
    exact_figures,
    mixed,
    refused,
    revise,
    sentence_citations,
)
from assay.interventions.outcome._vague import filler, in_running_text, listing, phrase_of, topic_of
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.interventions.outcome._aspects import Passage
    from assay.subjects.report import Report

__all__ = ["OPERATOR"]

_PASSAGE: Final = 2500
# Of what a passage said about an aspect, so much has to be gone.
_LOST: Final = 0.4


def _rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    if not report.query or report.language not in ("en", "zh"):
        return
    yield from mixed(report, draw, _dropped, _cut, _thin, _shallow, _first_sentence_and_more)


def _some(report: Report, draw: Random) -> list[Passage]:
    """The more dedicated half of the passages in a drawn order, then the rest."""
    found = passages(report)
    half = -(-len(found) // 2)
    first, rest = list(found[:half]), list(found[half:])
    draw.shuffle(first)
    draw.shuffle(rest)
    return first + rest


def _note(passage: Passage, what: str) -> str:
    return f"“{passage.wanted.label[:60]}” ({passage.share:.0%} of its mentions): {what}"


def _dropped(report: Report, draw: Random) -> Iterator[TextRevision]:
    """The passage is gone, heading and all."""
    for passage in _some(report, draw):
        if passage.removable and len(passage.span) <= _PASSAGE:
            yield revise(
                passage.span.start,
                passage.span.end,
                "",
                f"dropped-{passage.kind}",
                _note(passage, f"{passage.kind} dropped {passage.label[:50]}"),
            )


def _bodies(report: Report, draw: Random) -> Iterator[Passage]:
    """Passages of prose whose words can be replaced in one piece."""
    for passage in _some(report, draw):
        text = report.text(passage.body)
        if passage.kind == "row" or len(passage.body) < (24 if report.language == "zh" else 55):
            continue
        if "```" in text or "$$" in text or re.search(r"^\s*\|", text, re.MULTILINE):
            continue
        yield passage


def _sentences(report: Report, span: Span) -> list[Span]:
    return [s.span for s in report.sentences_in(span) if s.span.end <= span.end]


def _cut(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Only the first sentence of the passage is left."""
    for passage in _bodies(report, draw):
        found = _sentences(report, passage.body)
        first = found[0] if len(found) >= 2 else None
        if first is None or first.start - passage.body.start > 8 or "\n" in report.text(first).strip():
            continue
        # One item of a list, or one step of many, is no beginning.
        block = report.block_at(first.start)
        if passage.kind == "section" and (block is None or block.kind != "paragraph"):
            continue
        gone = Span(first.end, passage.body.end)
        if len(gone) < 0.5 * len(passage.body) or report.text(first).rstrip().endswith((":", "：")):
            continue
        text = report.text(first)
        yield revise(
            gone.start, gone.end, "", f"cut-{passage.kind}", _note(passage, f"only “{text[:60]}” is left")
        )


def _first_sentence_and_more(report: Report, draw: Random) -> Iterator[TextRevision]:
    """The first sentence is left, and general words follow where the treatment stood."""
    for passage in _bodies(report, draw):
        found = _sentences(report, passage.body)
        first = found[0] if len(found) >= 2 else None
        if first is None or first.start - passage.body.start > 8 or "\n" in report.text(passage.body).strip():
            continue
        if report.text(first).rstrip().endswith((":", "：")):
            continue
        gone = Span(first.end, passage.body.end)
        if len(gone) < 0.5 * len(passage.body):
            continue
        size = len(report.plain_text(gone))
        if size > (420 if report.language == "en" else 170):
            continue
        length = _length(size, draw)
        join = "" if report.language == "zh" else " "
        text = join + filler(None, length, report.language, draw)
        yield revise(
            gone.start,
            gone.end,
            text,
            "general-words",
            _note(passage, "the treatment gave way to general words"),
        )


def _length(length: int, draw: Random) -> float:
    """How long the general words may be: as long as what they replace, or less, and never a page of nothing."""
    return length * draw.choice((0.8, 1.2, 1.45))


def _thin(report: Report, draw: Random) -> Iterator[TextRevision]:
    """A short mention under the same heading or label."""
    yield from _mention(report, draw, "thin", 0.4)


def _shallow(report: Report, draw: Random) -> Iterator[TextRevision]:
    """A mention of about the same length that says nothing."""
    yield from _mention(report, draw, "shallow", 1.2)


def _mention(report: Report, draw: Random, name: str, factor: float) -> Iterator[TextRevision]:
    limit = 330 if report.language == "en" else 130
    for passage in _bodies(report, draw):
        size = len(report.plain_text(passage.body))
        # Nothing can be said at any length for only so long.
        if factor >= 1 and size > limit:
            continue
        topic = _topic(report, passage)
        if topic is None:
            continue
        parts = [part for part in _labels(report, passage) if part.lower() not in topic.lower()]
        text = listing(topic, parts, report.language, draw) if len(parts) > 1 and draw.random() < 0.6 else ""
        # A short mention is a sentence or two.
        rest = (size * factor if factor >= 1 else draw.choice((0, limit / 3))) - len(text)
        join = "" if report.language == "zh" or not text else " "
        if not text or rest > (60 if report.language == "en" else 24):
            text += join + filler(None if text else topic, rest, report.language, draw)
        if passage.label and passage.kind != "section" and text[0].isupper() and report.language == "en":
            text = _after_label(report, passage, text)
        yield revise(
            passage.body.start,
            passage.body.end,
            text,
            f"{name}-{passage.kind}",
            _note(passage, f"→ {text[:80]}"),
        )


def _after_label(report: Report, passage: Passage, text: str) -> str:
    """As small or as large a first letter as the other items have after their labels."""
    first = report.source[passage.body.start]
    return text[0].lower() + text[1:] if first.islower() else text


def _topic(report: Report, passage: Passage) -> str | None:
    """What the passage is about, as a phrase inside a sentence."""
    if passage.label:
        return phrase_of(report, passage.label)
    sentence = report.sentence_at(passage.body.start)
    return topic_of(report, sentence.section) if sentence is not None else None


def _labels(report: Report, passage: Passage) -> list[str]:
    """Labels inside the passage: what it would go through one by one."""
    found = re.findall(
        r"^\s*(?:[-*+]|\d{1,2}[.)])\s+\*\*([^*\n:：]{2,40})[:：]?\*\*",
        report.text(passage.body),
        re.MULTILINE,
    )
    labels = [in_running_text(report, label) for label in found]
    limit = 16 if report.language == "zh" else 36
    return [label for label in labels if 2 <= len(label) <= limit and not re.search(r"\d", label)][:3]


def _sites(report: Report, draw: Random) -> Iterator[Place]:
    seen: set[int] = set()
    for passage in _some(report, draw):
        if passage.kind == "row" or len(passage.body) > _PASSAGE or passage.body.start in seen:
            continue
        seen.add(passage.body.start)
        yield Place(
            start=passage.body.start,
            end=passage.body.end,
            hint=f"The query asks for “{passage.wanted.label[:80]}”, and the passage is where the report treats it.",
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
    # The mention may stay while what it announced is gone.
    for head in _heads(reference, edit.start):
        if (
            any(hits(head.lower(), want.keys) for want in wanted(reference))
            or headed_by(reference, head) is not None
        ):
            return None
    return "nothing that the query asks for is treated less than before"


def _heads(report: Report, at: int) -> Iterator[str]:
    """The label at a place, and the titles over it."""
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
    level="outcome",
    module="output",
    category="relevance",
    definition=(
        "Something that the query asks for is missing, or is mentioned so briefly or so generally that the question "
        "about it stays open."
    ),
    definition_zh="问题所要求的某个方面缺失，或只是一笔带过、泛泛而谈，没有真正作答。",
    rule=_rule,
    sites=_sites,
    ask=(
        "The passage answers one part of the question. Rewrite it so that this part is no longer answered: mention the "
        "aspect in general terms that would fit any report, without findings, figures, names, reasons or comparisons. "
        "It may be as long as before or shorter. Keep the tone, the format and any heading; do not say that something "
        "is left out, and do not bring in another subject."
    ),
    ask_zh=(
        "该段落回答了问题的一个方面。请改写，使这一方面不再得到真正的回答：只用放在任何报告中都成立的泛泛之词提及它，"
        "不给出发现、数据、名称、理由或比较。篇幅可以与原来相当或更短。保持语气、格式和标题，不要说明有所省略，也不要转向其他话题。"
    ),
    check=_check,
    codes=("COV001", "COV003", "COV004", "COV007", "COV008"),
    source="reflect, table 3: Output, Relevance, Incomplete Coverage",
)
