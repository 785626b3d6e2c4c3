"""Sentences of plain prose, and mixed revisions of several patterns, for operators on wording, order and topic."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.interventions.applying import sentence_site
from assay.interventions.base import Edit, EditSite, TextRevision, passage_site
from assay.interventions.outcome._claims import preface
from assay.subjects.roles import role_of
from assay.text.phrases import PhraseFile
from assay.text.words import CJK, count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from random import Random

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "sentences")

# Excluded: links, code, formulas and tables, and text that cannot be told apart from them.
_NO_PROSE: Final = re.compile(r"\\[(\[a-zA-Z]|\$[^\d\s]|`|https?://|www\.|\||<[a-zA-Z/]|\n|=|→|≥|_\{")
_CLOSED: Final = re.compile(
    r"[.!?。！？](?:[\"”’）)*_]|\s?\[[^\[\]]{1,40}\](?:\([^)]*\))?|\s?【[^】]*】|\s?\([^()]{0,3}\[[^()]*\)\)?)*\s*$"
)
# Remarks of an agent about its own work, which do not belong in a report.
_OWN_TALK: Final = _PHRASES.pattern(
    "<<own_talk>>",
    flags=re.IGNORECASE,
)
_NUMBERS: Final = re.compile(r"\d+(?:[.,]\d+)*%?")
MARKERS: Final = re.compile(r"\[\^?\d[^\[\]\n]{0,40}\]|【\d[^】\n]{0,40}】|\]\([^)\s]+\)")
_TOKEN: Final = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*|\d+(?:[.,]\d+)*%?|[^\w\s]|[^\W_]")
_SKIPPED_ROLES: Final = frozenset({"references", "appendix"})
_LONGEST_PASSAGE: Final = 2_400
# Greatest number of revisions of one pattern.
_MOST_OF_ONE: Final = 8


class ProposedEdit(NamedTuple):
    """One edit of a report before it becomes a revision: offsets, new text, pattern and note."""

    start: int
    end: int
    text: str
    pattern: str
    note: str


class ProseSentence(NamedTuple):
    """A sentence that can be edited: its span, its source text, and the same text with markup blanked."""

    start: int
    end: int
    source: str
    plain: str
    sentence: Sentence


def prose(
    report: Report, draw: Random, *, least: int = 8, most: int = 60, closed: bool = True
) -> list[ProseSentence]:
    """Return sentences of plain prose in random order.

    Args:
        report: The report.
        draw: Random generator for the order.
        least: Fewest words; a Chinese character counts as two thirds of a word.
        most: Most words, likewise.
        closed: Whether to return only sentences that end in a full stop.
    """
    found = [words for sentence in report.sentences if (words := words_of(report, sentence, closed=closed))]
    scale = 1.5 if report.language == "zh" else 1.0
    found = [words for words in found if least * scale <= count_words(words.plain) <= most * scale * 1.4]
    draw.shuffle(found)
    return found


def words_of(report: Report, sentence: Sentence, *, closed: bool = True) -> ProseSentence | None:
    """Return a sentence as editable prose, or None if it is not plain prose."""
    span = sentence.span
    source = report.source[span.start : span.end]
    if (
        span.start < preface(report)
        or _NO_PROSE.search(source)
        or _OWN_TALK.match(source)
        or "让我" in source
        or (closed and not _CLOSED.search(source))
    ):
        return None
    if role_of(report, report.sections[sentence.section]) in _SKIPPED_ROLES:
        return None
    if report.reference_span is not None and span.start >= report.reference_span.start:
        return None
    plain = report.plain[span.start : span.end]
    chinese = len(CJK.findall(plain))
    # A quotation in the other language is not the author's wording.
    if (report.language == "zh") != (chinese * 4 > len(plain.strip())):
        return None
    return ProseSentence(span.start, span.end, source, plain, sentence)


def mixed(report: Report, streams: Sequence[Iterable[ProposedEdit]]) -> Iterator[TextRevision]:
    """Yield revisions of all streams in turn, so that no pattern always comes first; edits may not break markup."""
    source, plain = report.source, report.plain
    seen: set[tuple[int, int, str]] = set()
    counts: Counter[str] = Counter()
    running = [iter(stream) for stream in streams]
    while running:
        for stream in list(running):
            change = next(stream, None)
            if change is None:
                running.remove(stream)
                continue
            key = change[:3]
            if key in seen or counts[change.pattern] >= _MOST_OF_ONE:
                continue
            old = source[change.start : change.end]
            if old == change.text or (
                old != plain[change.start : change.end] and not _kept(old, change.text)
            ):
                continue
            seen.add(key)
            counts[change.pattern] += 1
            edit = Edit(change.start, change.end, change.text)
            yield TextRevision(edits=(edit,), pattern=change.pattern, note=change.note)


def _kept(old: str, new: str) -> bool:
    """Return whether an edit keeps the markup of the old text whole."""
    # An edit that spans markup must carry all of it over.
    return all(old.count(mark) == new.count(mark) for mark in ("**", "[", "]", "`")) and sorted(
        MARKERS.findall(old)
    ) == sorted(MARKERS.findall(new))


def each(
    sentences: Iterable[ProseSentence], pattern: Callable[[ProseSentence], Iterable[ProposedEdit]]
) -> Iterator[ProposedEdit]:
    """Yield the edits that a function proposes for each sentence, sentence by sentence."""
    for words in sentences:
        yield from pattern(words)


def passages(report: Report, draw: Random, *, hint: str = "", least: int = 200) -> Iterator[EditSite]:
    """Yield paragraphs and long list items that a model may rewrite, in random order.

    Args:
        report: The report.
        draw: Random generator for the order.
        hint: Hint given to the model editor with each site.
        least: Fewest characters; a third of that in Chinese.
    """
    shortest = least // 3 if report.language == "zh" else least
    limit = report.reference_span.start if report.reference_span else len(report.source)
    blocks = [
        block
        for block in report.paragraphs
        if shortest <= len(block.span) <= _LONGEST_PASSAGE
        and block.span.end <= limit
        and block.span.start >= preface(report)
        and not re.search(r"`|\$\$|\|", report.source[block.span.start : block.span.end])
        and role_of(report, report.sections[block.section]) not in _SKIPPED_ROLES
    ]
    draw.shuffle(blocks)
    for block in blocks:
        yield passage_site(start=block.span.start, end=block.span.end, hint=hint)


def touched(reference: Report, perturbed: Report, revision: TextRevision) -> tuple[str, str]:
    """Return the sentences that a revision touches, before and after, with their markup."""
    first, last = revision.edits[0], revision.edits[-1]
    grown = sum(len(edit.text) - (edit.end - edit.start) for edit in revision.edits)
    before = sentence_site(reference, first.start, last.end)
    after = sentence_site(perturbed, first.start, last.end + grown)
    # Both must begin at the same offset, or unchanged words would look new.
    low = min(before.start or 0, after.start or 0)
    tail = min(len(reference.source) - (before.end or 0), len(perturbed.source) - (after.end or 0))
    return (
        reference.source[low : len(reference.source) - tail],
        perturbed.source[low : len(perturbed.source) - tail],
    )


def facts(text: str) -> tuple[list[str], list[str]]:
    """Return the numbers and the citation markers of a text, both sorted; an edit of the wording must keep them."""
    return sorted(_NUMBERS.findall(MARKERS.sub(" ", text))), sorted(MARKERS.findall(text))


def same_facts(before: str, after: str) -> str | None:
    """Return which numbers or citations differ between two texts, or None if none do."""
    (numbers, marks), (new_numbers, new_marks) = facts(before), facts(after)
    if marks != new_marks:
        return "a citation changed with it"
    if numbers != new_numbers:
        return "a number changed with it"
    return None


def tokens(text: str) -> list[str]:
    """Return words, numbers, punctuation marks and single Chinese characters, without citations and emphasis."""
    return _TOKEN.findall(re.sub(r"[*_]{1,3}", "", MARKERS.sub(" ", text)))
