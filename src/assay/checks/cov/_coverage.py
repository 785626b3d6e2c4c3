"""Where a report treats each aspect of its query."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.query import RequestedAspect, read_query
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.report import Report
    from assay.subjects.span import Span

_MOST_PLACES: Final = 80

_PHRASES: Final = PhraseFile("assay.checks", "cov")


@cache
def _other_words() -> dict[str, tuple[str, ...]]:
    words = _PHRASES["other_words"]
    return words.choices("en") | words.choices("zh")


class Treatment(msgspec.Struct, frozen=True):
    """How a report treats one aspect.

    Attributes:
        aspect: The aspect.
        present: Number of its keys that occur in the report.
        places: Start offsets of the sentences, headings and table blocks that contain a key.
        titled: Whether a heading contains a key.
    """

    aspect: RequestedAspect
    present: int
    places: tuple[int, ...]
    titled: bool


def lead(report: Report) -> Span:
    """Return the span for findings about missing content: the title, or else the first sentence.

    The report must have a sentence.
    """
    first = report.sentences[0].span
    titled = [s for s in report.sections[1:2] if s.span.start <= first.start]
    return titled[0].title_span if titled else first


def treatments(report: Report) -> tuple[Treatment, ...]:
    """Return how the report treats each aspect that has key words; none if query and report differ in language."""
    result: tuple[Treatment, ...] | None = report.memo.get(treatments)
    if result is None:
        result = report.memo[treatments] = _treatments(report)
    return result


def _treatments(report: Report) -> tuple[Treatment, ...]:
    parts = read_query(report.query or "")
    if parts.language != report.language:
        return ()
    end = report.body_end
    out: list[Treatment] = []
    for aspect in parts.aspects:
        if not aspect.keys:
            continue
        present = 0
        places: set[int] = set()
        titled = False
        for key in aspect.keys:
            starts = _starts(report, key, end) or [
                start for word in _other_words().get(key, ()) for start in _starts(report, word, end)
            ]
            present += bool(starts)
            for start in starts:
                sentence = report.sentence_at(start)
                if sentence is not None:
                    places.add(sentence.span.start)
                elif block := report.block_at(start):
                    places.add(block.span.start)
                    titled = titled or block.kind == "heading"
        out.append(Treatment(aspect, present, tuple(sorted(places)), titled))
    return tuple(out)


def _starts(report: Report, key: str, end: int) -> list[int]:
    cues = report.cues
    starts: list[int] = []
    if not key.isascii():
        at = cues.lower.find(key, 0, end)
        while at >= 0 and len(starts) < _MOST_PLACES:
            starts.append(at)
            at = cues.lower.find(key, at + 1, end)
    elif len(key) >= 4:
        starts = [start for start, _ in cues.prefix(key) if start < end]
    else:
        starts = [
            start for form in (key, key + "s", key + "es") for start in cues.positions(form) if start < end
        ]
    return starts[:_MOST_PLACES]
