"""Prose of a report that operators on outcomes may edit: claims, sentences of plain prose, and sites for a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assay.interventions.base import Edit, EditSite, Place, TextRevision, passage_site
from assay.interventions.edit_kit import ADDRESS, markers
from assay.subjects.roles import role_of
from assay.text.phrases import PhraseFile
from assay.text.words import CJK, count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from assay.subjects.parts import Block, Sentence
    from assay.subjects.report import Report
    from assay.subjects.span import Span
    from assay.text.bilingual import Bilingual
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.interventions", "outcome")
_TALK: Final = _PHRASES.pattern("<<talk>>", flags=re.IGNORECASE)
_AT_WORK: Final = _PHRASES.pattern("<<at_work>>")
_OWN_TALK: Final = _PHRASES.pattern("<<own_talk>>", flags=re.IGNORECASE)
# Links, code, formulas and tables, and text that cannot be told apart from them.
_NO_PROSE: Final = re.compile(r"\\[(\[a-zA-Z]|\$[^\d\s]|`|https?://|www\.|\||<[a-zA-Z/]|\n|=|→|≥|_\{")
_CLOSED: Final = re.compile(
    r"[.!?。！？](?:[\"”’）)*_]|\s?\[[^\[\]]{1,40}\](?:\([^)]*\))?|\s?【[^】]*】|\s?\([^()]{0,3}\[[^()]*\)\)?)*\s*$"
)
_QUOTED: Final = re.compile(r"[\"“”「」]")
# What may stand between a sentence's last word and its end, or after it.
_MARKS: Final = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|【[^】]*】|（[^（）]*）")
_LEAST_WORDS: Final = {"en": 8, "zh": 14, "und": 8}
_LONGEST_CLAIM: Final = 700
# Sections that frame a report and state none of its findings.
_FRAMES: Final = frozenset({"references", "appendix", "method"})
# Characters of a passage for a model: of one paragraph, and of several that stand together.
_PARAGRAPH: Final = 2_400
_RUN: Final = 2_800
# Fewest characters of a passage; a third of it in Chinese.
_LEAST: Final = 160
_MOST_SITES: Final = 12


class ProseSentence(NamedTuple):
    """A sentence that can be edited: its span, its source, and the same text with markup blanked."""

    start: int
    end: int
    source: str
    plain: str
    sentence: Sentence


def preface(report: Report) -> int:
    """Return where the report proper begins: at its first heading if an agent talks about its own work above it."""
    found: int | None = report.memo.get(preface)
    if found is None:
        start = report.sections[1].title_span.start if len(report.sections) > 1 else 0
        found = report.memo[preface] = start if _AT_WORK.search(report.source[:start]) else 0
    return found


def claims(report: Report) -> list[Sentence]:
    """Return the sentences of the body that state something, without notes to the user, fragments and references."""
    found: list[Sentence] | None = report.memo.get(claims)
    if found is None:
        # There are no word lists for other languages.
        known = report.language != "und"
        found = report.memo[claims] = [s for s in report.sentences if known and _claims(report, s)]
    return found


def _claims(report: Report, sentence: Sentence) -> bool:
    text = report.text(sentence.span)
    return (
        preface(report) <= sentence.span.start
        and sentence.span.end <= report.body_end
        and role_of(report, report.sections[sentence.section]) not in _FRAMES
        and len(text) <= _LONGEST_CLAIM
        and "\n" not in text.strip()
        and not text.rstrip().endswith((":", "：", "?", "？"))
        and not _TALK.search(text)
        and count_words(text) >= _LEAST_WORDS[report.language]
    )


def prose(report: Report, draw: Random, *, least: int = 8, most: int = 60) -> list[ProseSentence]:
    """Return sentences of plain prose in random order.

    Args:
        report: The report.
        draw: Random generator for the order.
        least: Fewest words; a Chinese character counts as two thirds of a word.
        most: Most words, likewise.
    """
    found = [words for sentence in report.sentences if (words := words_of(report, sentence))]
    scale = 1.5 if report.language == "zh" else 1.0
    found = [words for words in found if least * scale <= count_words(words.plain) <= most * scale * 1.4]
    draw.shuffle(found)
    return found


def words_of(report: Report, sentence: Sentence) -> ProseSentence | None:
    """Return a sentence as editable prose, or None if it is not plain prose of the author's own."""
    span = sentence.span
    source = report.source[span.start : span.end]
    if (
        not preface(report) <= span.start
        or span.end > report.body_end
        or _NO_PROSE.search(source)
        or _OWN_TALK.match(source)
        or not _CLOSED.search(source)
        or role_of(report, report.sections[sentence.section]) in {"references", "appendix"}
    ):
        return None
    # In a quotation the words are somebody else's, and so would be the fault.
    block = report.blocks[sentence.block].span
    if _QUOTED.search(source) or _QUOTED.findall(report.source[block.start : span.start]).count('"') % 2:
        return None
    plain = report.plain[span.start : span.end]
    if (report.language == "zh") != (len(CJK.findall(plain)) * 4 > len(plain.strip())):
        return None
    return ProseSentence(span.start, span.end, source, plain, sentence)


def revise(
    report: Report, start: int, end: int, text: str, *, pattern: str, note: str
) -> TextRevision | None:
    """Return a revision with one edit, or None if it would break markup or change citations within the span."""
    old = report.source[start:end]
    if old == text or any(old.count(mark) != text.count(mark) for mark in ("**", "`")):
        return None
    return TextRevision(edits=(Edit(start, end, text),), pattern=pattern, note=" ".join(note.split())[:200])


def in_turn(draw: Random, streams: Iterable[Iterable[TextRevision | None]]) -> Iterator[TextRevision]:
    """Yield the revisions of several streams in turn, the streams in random order, each revision once."""
    running = [iter(stream) for stream in streams]
    draw.shuffle(running)
    seen: set[Any] = set()
    while running:
        for stream in list(running):
            try:
                revision = next(stream)
            except StopIteration:
                running.remove(stream)
                continue
            if revision is not None and (key := revision.edits) not in seen:
                seen.add(key)
                yield revision


def cited_figures(report: Report, span: Span) -> list[Quantity]:
    """Return the figures for which a reader expects a source: not years, ordinals or small whole numbers."""
    return [
        q
        for q in report.quantities_in(span)
        if q.kind in ("percent", "points", "currency")
        or (q.kind in ("count", "measure") and (q.decimals > 0 or q.scale > 1 or abs(q.value) >= 13))
    ]


def paragraph_sites(
    report: Report, draw: Random, wanted: Callable[[Block], Bilingual | str | None] = lambda _: ""
) -> Iterator[EditSite]:
    """Yield paragraphs and long list items of prose that a model may rewrite, in random order.

    Args:
        report: The report.
        draw: Random generator for the order.
        wanted: Function that returns the hint for a block, possibly empty; None if the block is not wanted.
    """
    blocks = [
        block for block in _prose_blocks(report) if _long_enough(report, block.span.start, block.span.end)
    ]
    draw.shuffle(blocks)
    given = 0
    for block in blocks:
        hint = wanted(block)
        if hint is not None and given < _MOST_SITES:
            given += 1
            yield passage_site(start=block.span.start, end=block.span.end, hint=hint)


def run_sites(report: Report, draw: Random) -> Iterator[tuple[Place, int]]:
    """Yield runs of paragraphs of one section that a model may rewrite together, each with its section, in random order."""
    runs: list[tuple[int, int, int]] = []
    last = -2
    for block in _prose_blocks(report):
        start, end = block.span.start, block.span.end
        if runs and block.index == last + 1 and runs[-1][2] == block.section and end - runs[-1][0] <= _RUN:
            runs[-1] = (runs[-1][0], end, block.section)
        else:
            runs.append((start, end, block.section))
        last = block.index
    runs = [run for run in runs if _long_enough(report, run[0], run[1])]
    draw.shuffle(runs)
    for start, end, section in runs[:_MOST_SITES]:
        yield Place(start=report.source.rfind("\n", 0, start) + 1, end=end), section


def full_sentences(report: Report, span: Span) -> list[Sentence]:
    """Return the sentences of a span that are whole and not labels: long enough without addresses, and closed."""
    found = []
    for sentence in report.sentences_in(span):
        text = _MARKS.sub("", ADDRESS.sub("", report.text(sentence.span)))
        closed = text.rstrip(' \t*_"”’)）').endswith((".", "!", "?", "。", "！", "？", "；"))
        # A chain of arrows is a diagram in words.
        if closed and "→" not in text and count_words(text) >= _LEAST_WORDS[report.language]:
            found.append(sentence)
    return found


def cites(report: Report, span: Span) -> bool:
    """Return whether a span has a citation marker or a link."""
    return bool(report.citations_in(span) or markers(report.text(span)))


def _prose_blocks(report: Report) -> list[Block]:
    """Return the paragraphs and list items of the body that hold prose, without code, formulas and tables."""
    return [
        block
        for block in report.paragraphs
        if len(block.span) <= _PARAGRAPH
        and preface(report) <= block.span.start
        and block.span.end <= report.body_end
        and not re.search(r"`|\$\$|\|", report.text(block.span))
        and role_of(report, report.sections[block.section]) not in {"references", "appendix"}
    ]


def _long_enough(report: Report, start: int, end: int) -> bool:
    return end - start >= (_LEAST // 3 if report.language == "zh" else _LEAST)
