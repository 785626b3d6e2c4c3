"""Flags a name in the conclusion that the body never mentions.

A conclusion draws together what the report has shown. If a company, place, product or term appears there for the first
time, either the report never argued for it, or the part about it is missing.

Names are capitalised words inside sentences, letters with digits, titles in 《》, and – in Chinese text – Latin words.
A name counts as treated if any of its words occurs in the body, in a table or in the question. Reference lists are not
part of the body. Names in passing – after "such as", in brackets, in a citation, in a list of three or more – are not
flagged.

Known problems: a conclusion may rightly name an organisation or a programme as the next step.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.coh._acronyms import known_acronyms
from assay.checks.wording import Wording
from assay.subjects.roles import title_role
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "coh")
_WORDS: Final = WordSets(_PHRASES)

_NAME: Final = re.compile(
    r"(?<![\w.@/#-])(?:[A-Z][A-Za-z0-9]*[a-z0-9][A-Za-z0-9'’-]*|[A-Z]{2,8}(?![\w])|[a-z]{1,3}[A-Z]\w+)"
    r"(?:[ -](?:of|and|de|for|the|&)?[ ]?[A-Z][\w'’-]*){0,4}"
)
_TITLE: Final = re.compile(r"《([^《》\n]{2,40})》")
_WORD: Final = re.compile(r"[A-Za-z]+")
_PASSING: Final = _PHRASES.pattern(
    "(?:<<conclusion_names_untreated_passing.en>>|<<conclusion_names_untreated_passing.zh>>)[^.。;；]{0,60}$",
    flags=re.IGNORECASE,
)
# "Gordian", "Kafkaesque", "Japanese" are adjectives, not names.
_ADJECTIVE: Final = _PHRASES.pattern("[A-Z][a-z]+(?:<<conclusion_names_untreated_adjective.en>>)$")
_SHORTEST_BODY: Final = 1_500
_MOST_FINDINGS: Final = 3

_UNTREATED: Final = Wording(
    en="“{name}” appears in “{section}” but nowhere in the body",
    zh="“{name}”只出现在“{section}”中，正文从未提及",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield at most three names that occur only in the concluding sections."""
    frames = [section for section in report.sections[1:] if _is_frame(report, section)]
    frames = [section for section in frames if not any(_within(section, other) for other in frames)]
    if not frames:
        return
    reference = report.reference_span
    end = (
        reference.start
        if reference is not None and reference.start > len(report.source) // 2
        else len(report.source)
    )
    body = _BodyText(report, [section.span for section in frames], end)
    if body.size < _SHORTEST_BODY:
        return
    count = 0
    for section in frames:
        for finding in _untreated(report, section, body):
            yield finding
            count += 1
            if count == _MOST_FINDINGS:
                return


def _is_frame(report: Report, section: Section) -> bool:
    late = section.span.start > len(report.source) * 0.4
    return late and title_role(section.title) in ("conclusion", "summary")


def _within(section: Section, other: Section) -> bool:
    return (
        section.index != other.index
        and other.span.start <= section.span.start
        and section.span.end <= other.span.end
    )


class _BodyText:
    """The text of the report outside its concluding sections and its reference list."""

    def __init__(self, report: Report, frames: list[Span], end: int) -> None:
        self.cues = report.cues
        self.end = end
        self._frames = frames
        self.size = end - sum(len(span) for span in frames)

    def outside(self, at: int) -> bool:
        return at < self.end and not any(span.start <= at < span.end for span in self._frames)

    def has(self, text: str) -> bool:
        """Return whether ``text`` (lower case) occurs in the body."""
        lower = self.cues.lower
        at = lower.find(text, 0, self.end)
        while at >= 0:
            if self.outside(at):
                return True
            at = lower.find(text, at + 1, self.end)
        return False


def _untreated(report: Report, section: Section, body: _BodyText) -> Iterator[RawFinding]:
    plain = report.plain
    query = (report.query or "").lower()
    seen: set[str] = set()
    for sentence in report.sentences_in(Span(section.span.start, min(section.span.end, body.end))):
        start = sentence.span.start
        for pattern in (_NAME, _TITLE):
            for match in pattern.finditer(plain, start, sentence.span.end):
                name = match.group()
                if name in seen:
                    continue
                seen.add(name)
                if pattern is _NAME and not _is_name(report, match, start):
                    continue
                if _treated(body, name, query) or _passing(plain, match, start, sentence.span.end):
                    continue
                yield RawFinding(
                    Span(*match.span()),
                    _UNTREATED(name=name, section=section.title),
                    confidence=0.65,
                )


def _is_name(report: Report, match: re.Match[str], sentence_start: int) -> bool:
    """Return whether a capitalised match is a name.

    It is not if the capital only marks the start of a sentence or label, or a label in title case.
    """
    name = match.group()
    plain = report.plain
    if (
        name.upper() in known_acronyms()
        or name.lower() in _WORDS.conclusion_names_untreated_months
        or len(name) < 3
    ):
        return False
    if _ADJECTIVE.match(name):
        return False
    before = plain[max(sentence_start, match.start() - 3) : match.start()].rstrip(" \"“‘'")
    if not before or before[-1:] in ".:：;；!?—–•\n":
        # The first word is capitalised anyway; only an inner capital or a digit shows that it is a name.
        head = name.split()[0]
        return any(char.isupper() or char.isdigit() for char in head[1:]) and not head.isupper()
    # Emphasised labels ("**Key Recommendation**") are title case by habit.
    source = report.source
    left = source.rfind("**", sentence_start, match.start())
    inside = left >= 0 and source.count("**", sentence_start, match.start()) % 2 == 1
    return not inside


def _treated(body: _BodyText, name: str, query: str) -> bool:
    if name.startswith("《"):
        inner = name[1:-1].lower()
        return inner in query or body.has(inner)
    for word in _WORD.findall(name):
        low = word.lower()
        if len(low) < 3 or low in ("the", "and", "for"):
            continue
        stem = low.rstrip("s")[:6] if len(low) > 4 else low
        if stem in query or any(map(body.outside, body.cues.positions(low))):
            return True
        if len(stem) >= 4 and body.has(stem):
            return True
    return any(map(str.isdigit, name)) and body.has(name.lower())


def _passing(plain: str, match: re.Match[str], start: int, end: int) -> bool:
    before = plain[start : match.start()]
    if _PASSING.search(before[-90:]) or before.count("(") + before.count("（") > before.count(
        ")"
    ) + before.count("）"):
        return True
    around = plain[max(start, match.start() - 40) : min(end, match.end() + 40)]
    # One of a list of three or more.
    return around.count(",") + around.count("、") + around.count("/") >= 2


CHECK = Check(
    code="COH004",
    name="conclusion-names-untreated",
    severity="info",
    summary="The conclusion names something the body never treats",
    run=run,
    bad=(
        Example(
            "# Pumps\n\n## Costs\n\n"
            + "Heat pumps in Norway and Sweden became cheaper as series grew. " * 26
            + "\n\n## Conclusion\n\nPumps pay off, above all because Daikin cut its prices.\n"
        ),
    ),
    good=(
        Example(
            "# Pumps\n\n## Costs\n\n"
            + "Heat pumps by Daikin in Norway became cheaper as series grew. " * 26
            + "\n\n## Conclusion\n\nPumps pay off, above all because Daikin cut its prices.\n"
        ),
    ),
    dimension="global_coherence",
    failure="incoherence",
)
