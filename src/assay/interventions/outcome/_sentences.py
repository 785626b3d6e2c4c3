"""What the operators on wording, order and topic share: sentences of plain prose, and candidates of several patterns mixed."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.interventions.applying import sentence_site
from assay.interventions.base import Edit, EditSite, TextRevision
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

# Left out: what is no text of the author's own (links, code, formulas, tables) or cannot be told apart from it.
_NO_PROSE: Final = re.compile(r"\\[(\[a-zA-Z]|\$[^\d\s]|`|https?://|www\.|\||<[a-zA-Z/]|\n|=|→|≥|_\{")
_CLOSED: Final = re.compile(
    r"[.!?。！？](?:[\"”’）)*_]|\s?\[[^\[\]]{1,40}\](?:\([^)]*\))?|\s?【[^】]*】|\s?\([^()]{0,3}\[[^()]*\)\)?)*\s*$"
)
# Remarks of an agent about its own work, which a report should not have held.
_OWN_TALK: Final = _PHRASES.pattern(
    "<<own_talk>>",
    flags=re.IGNORECASE,
)
_NUMBERS: Final = re.compile(r"\d+(?:[.,]\d+)*%?")
MARKERS: Final = re.compile(r"\[\^?\d[^\[\]\n]{0,40}\]|【\d[^】\n]{0,40}】|\]\([^)\s]+\)")
_TOKEN: Final = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*|\d+(?:[.,]\d+)*%?|[^\w\s]|[^\W_]")
_SKIPPED_ROLES: Final = frozenset({"references", "appendix"})
_LONGEST_PASSAGE: Final = 2_400
# Tried in a row per pattern before another has its turn.
_MOST_OF_ONE: Final = 8


class ProposedEdit(NamedTuple):
    """One edit of a report, before it is packed: offsets of the source, what stands there then, how, and what for."""

    start: int
    end: int
    text: str
    pattern: str
    note: str


class ProseSentence(NamedTuple):
    """A sentence to work on: its span, its source text, and the same with the markup blanked."""

    start: int
    end: int
    source: str
    plain: str
    sentence: Sentence


def prose(
    report: Report, draw: Random, *, least: int = 8, most: int = 60, closed: bool = True
) -> list[ProseSentence]:
    """Sentences of plain prose in an order that is drawn.

    Args:
        report: Where they are.
        draw: The order comes from it.
        least: Words a sentence has at least; characters in Chinese count one and a half each.
        most: Words it has at most, likewise.
        closed: Only sentences that end in a full stop.
    """
    found = [words for sentence in report.sentences if (words := words_of(report, sentence, closed=closed))]
    scale = 1.5 if report.language == "zh" else 1.0
    found = [words for words in found if least * scale <= count_words(words.plain) <= most * scale * 1.4]
    draw.shuffle(found)
    return found


def words_of(report: Report, sentence: Sentence, *, closed: bool = True) -> ProseSentence | None:
    """The sentence, or None where it is no plain prose."""
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
    """Revisions of all streams by turns, so that no pattern comes first everywhere; what marks up text is left whole."""
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
    # Where an edit spans markup it has to carry all of it over.
    return all(old.count(mark) == new.count(mark) for mark in ("**", "[", "]", "`")) and sorted(
        MARKERS.findall(old)
    ) == sorted(MARKERS.findall(new))


def each(
    sentences: Iterable[ProseSentence], pattern: Callable[[ProseSentence], Iterable[ProposedEdit]]
) -> Iterator[ProposedEdit]:
    """What a pattern finds, sentence by sentence."""
    for words in sentences:
        yield from pattern(words)


def passages(report: Report, draw: Random, *, hint: str = "", least: int = 200) -> Iterator[EditSite]:
    """Paragraphs and long list items a model may rewrite, in an order that is drawn.

    ``least`` is in characters; a third as many do in Chinese.
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
        yield EditSite(start=block.span.start, end=block.span.end, hint=hint)


def touched(reference: Report, perturbed: Report, revision: TextRevision) -> tuple[str, str]:
    """The sentences a revision touches, as they stood and as they stand, with the markup."""
    first, last = revision.edits[0], revision.edits[-1]
    grown = sum(len(edit.text) - (edit.end - edit.start) for edit in revision.edits)
    before = sentence_site(reference, first.start, last.end)
    after = sentence_site(perturbed, first.start, last.end + grown)
    # Both must begin at the same place, or words that never changed would look new.
    low = min(before.start or 0, after.start or 0)
    tail = min(len(reference.source) - (before.end or 0), len(perturbed.source) - (after.end or 0))
    return (
        reference.source[low : len(reference.source) - tail],
        perturbed.source[low : len(perturbed.source) - tail],
    )


def facts(text: str) -> tuple[list[str], list[str]]:
    """Numbers and citation markers of a text, sorted: what an edit of the wording leaves alone."""
    return sorted(_NUMBERS.findall(MARKERS.sub(" ", text))), sorted(MARKERS.findall(text))


def same_facts(before: str, after: str) -> str | None:
    """Why two texts do not state the same numbers with the same citations; None where they do."""
    (numbers, marks), (new_numbers, new_marks) = facts(before), facts(after)
    if marks != new_marks:
        return "a citation changed with it"
    if numbers != new_numbers:
        return "a number changed with it"
    return None


def tokens(text: str) -> list[str]:
    """Words, numbers, punctuation, and Chinese characters one by one; citation markers and emphasis left out."""
    return _TOKEN.findall(re.sub(r"[*_]{1,3}", "", MARKERS.sub(" ", text)))
