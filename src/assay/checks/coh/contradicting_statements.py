"""Flags two statements of the report that cannot both be true.

One says that something rises, is higher, effective or allowed; the other says, in nearly the same words, that it falls,
is lower, ineffective or forbidden, or repeats the statement with a "not". Readers who notice it trust neither.

Only sentences that share most of their content words are compared, in particular the words around the opposites.
Sentences about different years, figures or names, sentences with a condition, a hedge or both opposites, and
definitions ("functions that increase …", "functions that decrease …") are not compared.

Known problems: a report that quotes two camps without naming them seems to contradict itself but does not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.coh._axes import poles
from assay.checks.coh._statements import SentenceReading, comparable, defines, near_terms, shared, statement
from assay.checks.wording import Wording
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.checks.coh._axes import Pole
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "coh")

_NOT: Final = PhraseLexicon(_PHRASES, "contradicting_statements_not")
_NEGATED_BEFORE: Final = _PHRASES.pattern(
    r"(?:\b(?:<<contradicting_statements_negated_before.en>>)\s+(?:\w+\s+){0,2}|[不未没无非](?:有|会|能|再|是|"
    "曾)?(?:显著|明显)?)$",
    flags=re.IGNORECASE,
)
# "If A, it returns X" and "if not A, it returns Y" complement each other.
_CONDITION: Final = re.compile(r"\b(?:if|unless|when|otherwise)\b|如果|若|否则", re.IGNORECASE)
_KIND: Final = re.compile(r"(?:the|this|these)\s+(?:more\s+|most\s+|less\s+)?\Z", re.IGNORECASE)
_MOST_IN_BUCKET: Final = 8
_MOST_USES: Final = 5
_MOST_PAIRS: Final = 400

_OPPOSITE: Final = Wording(
    en="“{here}” here, but “{there}” in line {line}, which says the opposite: “{quote}”",
    zh="此处说“{here}”，第{line}行却说“{there}”，意思相反：“{quote}”",
)
_NEGATED: Final = Wording(
    en="Line {line} says the same thing with the opposite sign: “{quote}”",
    zh="与第{line}行的说法一正一反：“{quote}”",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each later statement that contradicts an earlier one."""
    reported: set[int] = set()
    for first, second, one, two in _opposed(report):
        if second in reported or not _contradict(
            report, statement(report, first), statement(report, second), one, two
        ):
            continue
        reported.add(second)
        earlier, later = report.sentences[first], report.sentences[second]
        line, _ = report.lines.place(earlier.span.start)
        yield RawFinding(
            later.span,
            _OPPOSITE(
                here=report.source[two.start : two.end],
                there=report.source[one.start : one.end],
                line=line,
                quote=_quote(report.plain_text(earlier.span)),
            ),
            (earlier.span,),
            confidence=0.75,
        )
    for first, second in _negations(report):
        if second in reported:
            continue
        reported.add(second)
        earlier, later = report.sentences[first], report.sentences[second]
        line, _ = report.lines.place(earlier.span.start)
        yield RawFinding(
            later.span,
            _NEGATED(line=line, quote=_quote(report.plain_text(earlier.span))),
            (earlier.span,),
            confidence=0.7,
        )


def _quote(text: str) -> str:
    return text if len(text) <= 160 else text[:157].rstrip() + "…"


def _opposed(report: Report) -> Iterator[tuple[int, int, Pole, Pole]]:
    """Yield the indices of sentences with opposite words that share rare terms, each with its polar word."""
    for axis_poles in poles(report).values():
        by_sentence: dict[int, list[Pole]] = defaultdict(list)
        for pole in axis_poles:
            sentence = report.sentence_at(pole.start)
            if sentence is not None and not _bounds(report, pole):
                by_sentence[sentence.index].append(pole)
        sides: dict[int, Pole] = {}
        for index, sentence_poles in by_sentence.items():
            if len({pole.side for pole in sentence_poles}) == 1:
                sides[index] = sentence_poles[0]
        if len({pole.side for pole in sides.values()}) < 2:
            continue
        for first, second in _candidates(report, sides):
            yield first, second, sides[first], sides[second]


def _bounds(report: Report, pole: Pole) -> bool:
    """Return whether the polar word is the "most" of "at most" or the "least" of "at least", which compare nothing."""
    plain = report.plain
    return plain[pole.end - 2 : pole.end] == "st" and plain[max(0, pole.start - 3) : pole.start].lower() in (
        "at ",
        "at\n",
    )


def _candidates(report: Report, sides: dict[int, Pole]) -> list[tuple[int, int]]:
    """Return the pairs of sentences on opposite sides that share at least three terms that are rare in the text."""
    plus = [index for index, pole in sides.items() if pole.side > 0]
    minus = [index for index, pole in sides.items() if pole.side < 0]
    fewer, more = (plus, minus) if len(plus) < len(minus) else (minus, plus)
    terms = report.sentence_terms
    buckets: dict[str, list[int]] = {}
    for index in fewer:
        for term in terms[index]:
            buckets.setdefault(term, []).append(index)
    pairs: list[tuple[int, int]] = []
    for index in more:
        counts: dict[int, int] = {}
        for term in buckets.keys() & terms[index]:
            members = buckets[term]
            if len(members) <= _MOST_IN_BUCKET:
                for other in members:
                    counts[other] = counts.get(other, 0) + 1
        pairs.extend((min(index, other), max(index, other)) for other, count in counts.items() if count >= 3)
    return sorted(pairs)[:_MOST_PAIRS]


def _contradict(
    report: Report, first: SentenceReading, second: SentenceReading, one: Pole, two: Pole
) -> bool:
    if not comparable(report, first, second):
        return False
    plain = report.plain
    if defines(report, first, one.start, one.end) or defines(report, second, two.start, two.end):
        return False
    sign_one = -one.side if _NEGATED_BEFORE.search(plain[max(0, one.start - 24) : one.start]) else one.side
    sign_two = -two.side if _NEGATED_BEFORE.search(plain[max(0, two.start - 24) : two.start]) else two.side
    if sign_one == sign_two:
        return False
    around_one = near_terms(report, first, one.start, one.end)
    around_two = near_terms(report, second, two.start, two.end)
    common = around_one & around_two
    return (
        len(common) >= 2
        and 2 * len(common) >= min(len(around_one), len(around_two))
        # "The simple type obeys …", "this more complex type follows …": statements about two kinds contradict each
        # other only if nearly all their words are the same.
        and shared(first, second, strict=_names_kind(report, first, one) and _names_kind(report, second, two))
    )


def _names_kind(report: Report, one: SentenceReading, pole: Pole) -> bool:
    """Return whether the polar word begins the subject and so distinguishes one kind from another."""
    return _KIND.match(" ".join(report.plain[one.start : pole.start].split()) + " ") is not None


def _negations(report: Report) -> Iterator[tuple[int, int]]:
    """Yield the indices of each two sentences of which one negates the other."""
    negated: set[int] = set()
    for start, _ in _NOT.find(report.cues):
        sentence = report.sentence_at(start)
        if sentence is not None:
            negated.add(sentence.index)
    positions = report.cues.words()
    starts = report.sentence_starts
    for index in sorted(negated):
        counts: dict[int, int] = {}
        own = statement(report, index)
        text = report.cues.lower[own.start : own.end]
        for word in {word.strip(".,;:()\"'") for word in text.split() if len(word) >= 6}:
            offsets = positions.get(word, ())
            if 2 <= len(offsets) <= _MOST_USES:
                for at in offsets:
                    i = bisect_right(starts, at) - 1
                    if i >= 0 and i != index and i not in negated:
                        counts[i] = counts.get(i, 0) + 1
        for other_index, count in counts.items():
            if count < 3:
                continue
            other = statement(report, other_index)
            if (
                comparable(report, own, other)
                and shared(own, other, strict=True)
                and not any(_CONDITION.search(report.plain, each.start, each.end) for each in (own, other))
            ):
                yield min(index, other_index), max(index, other_index)


CHECK = Check(
    code="COH001",
    name="contradicting-statements",
    severity="error",
    summary="Two statements of the report exclude each other",
    run=run,
    bad=(
        Example(
            "# Pumps\n\n## Findings\n\nSubsidies for heat pumps increased sharply across northern "
            "regions.\n\n## Summary\n\n"
            "Subsidies for heat pumps decreased sharply across northern regions.\n"
        ),
        Example(
            "# 热泵\n\n## 发现\n\n北方地区热泵补贴金额大幅提高。\n\n## 总结\n\n北方地区热泵补贴金额大幅降低。\n"
        ),
    ),
    good=(
        Example(
            "# Pumps\n\n## Findings\n\nSubsidies for heat pumps increased sharply across northern regions in "
            "2021.\n\n## Summary\n\n"
            "Subsidies for heat pumps decreased sharply across northern regions in 2023.\n"
        ),
        Example(
            "# Options\n\n``major``\n  A required integer that gives the version of the schema in use.\n\n"
            "``minor``\n  An optional integer that gives the version of the schema in use.\n"
        ),
        Example(
            "# Counters\n\nFunctions that decrease the reference counter of an object by one should be called unref. "
            "Functions that increase the reference counter by one should be called ref.\n"
        ),
        Example(
            "# 热泵\n\n## 发现\n\n北方地区热泵补贴金额大幅提高。\n\n## 总结\n\n如果财政收紧，北方地区热泵补贴金额可能大幅降低。\n"
        ),
    ),
    dimension="internal_consistency",
    failure="incoherence",
)
