"""Flags two sentences that say the opposite in the same words.

A summary that repeats a sentence of the body with "fell" for "rose", with a "not", with the two sides of a comparison
exchanged, or with two figures exchanged between two names, contradicts it. Readers who notice it trust neither.

Only sentences with the same content words and the same years and figures are compared (a summary may leave the figures
out), and only within one section or between a section and a summary, introduction or conclusion: the same words under
two headings may be about two subjects. Sentences with a condition or a hedge are left out.

Known problems: paraphrased contradictions are not noticed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording
from assay.subjects.roles import FRAME, role_of
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile
from assay.text.words import STOPWORDS, content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "coh")

_QUALIFIED: Final = _PHRASES.pattern(
    r"\b(?:<<statements_qualified.en>>|\?)\b|<<statements_qualified.zh>>", flags=re.IGNORECASE
)
_NOT: Final = PhraseLexicon(_PHRASES, "contradicting_statements_not")
# Function words that change what a sentence is about.
_TURNING: Final = re.compile(
    r"\b(?:with(?:out)?|before|after|above|below|under|over|until|since|against|between|off|other|only|each|few|our"
    r"|their|first|second|last|next|both|one|another)\b|[前后内外首次另一二三]",
    re.IGNORECASE,
)
_THAN: Final = re.compile(r"\bthan\b|[高低大小多少快慢优劣强弱]于|超过|不及")
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_NAME: Final = re.compile(r"\b[A-Z][\w-]+")
_FEWEST_TERMS: Final = 4
_LONGEST: Final = 300
_MOST_ALIKE: Final = 6

_OPPOSITE: Final = Wording(
    en="Line {line} says the opposite in the same words: “{quote}”",
    zh="与第{line}行的说法用词相同，意思相反：“{quote}”",
)
_EXCHANGED: Final = Wording(
    en="Line {line} has the two sides the other way round: “{quote}”",
    zh="第{line}行的说法正好把两者对调：“{quote}”",
)


class _Reading(msgspec.Struct, frozen=True):
    """A sentence with its text, its polar words as (axis, side), whether it is negated, and its figures."""

    sentence: Sentence
    text: str
    sides: tuple[tuple[int, int], ...]
    negated: bool
    figures: tuple[str, ...]


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each later sentence that contradicts an earlier one."""
    groups: dict[frozenset[str], list[_Reading]] = defaultdict(list)
    for key, reading in _readings(report):
        groups[key].append(reading)
    for alike in groups.values():
        for at, later in enumerate(alike[1:_MOST_ALIKE], start=1):
            for earlier in alike[:at]:
                wording = _conflict(earlier, later)
                if wording is None or not _one_subject(report, earlier, later):
                    continue
                line, _ = report.lines.place(earlier.sentence.span.start)
                yield RawFinding(
                    later.sentence.span,
                    wording(line=line, quote=_quote(report.plain_text(earlier.sentence.span))),
                    (earlier.sentence.span,),
                    confidence=0.8,
                )
                break


def _readings(report: Report) -> Iterator[tuple[frozenset[str], _Reading]]:
    """Yield the sentences that can contradict another, each with its content words without the polar ones."""
    chinese = report.language == "zh"
    polar, pattern = _axes(report.language)
    stems = _polar_stems()
    groups: dict[frozenset[str], list[Sentence]] = defaultdict(list)
    for sentence, terms in zip(report.sentences, report.sentence_terms, strict=True):
        if len(sentence.span) > _LONGEST or len(terms) < _FEWEST_TERMS:
            continue
        if chinese:
            text = report.plain[sentence.span.start : sentence.span.end]
            key = frozenset(content_terms(pattern.sub(" ", text)))
        else:
            key = frozenset(terms - stems)
        if len(key) >= _FEWEST_TERMS - 1:
            groups[key].append(sentence)
    alike = {key: sentences for key, sentences in groups.items() if len(sentences) > 1}
    if not alike:
        return
    negated = {
        found.index for start, _ in _NOT.find(report.cues) if (found := report.sentence_at(start)) is not None
    }
    for key, sentences in alike.items():
        for sentence in sentences[:_MOST_ALIKE]:
            text = report.plain[sentence.span.start : sentence.span.end]
            if not _QUALIFIED.search(text):
                sides = tuple(polar[word.lower()][0] for word in pattern.findall(text))
                figures = tuple(_FIGURE.findall(text))
                yield key, _Reading(sentence, text, sides, sentence.index in negated, figures)


@cache
def _polar_stems() -> frozenset[str]:
    polar, _ = _axes("en")
    return frozenset(term for word in polar for term in content_terms(word))


@cache
def _axes(language: str) -> tuple[dict[str, list[tuple[int, int]]], re.Pattern[str]]:
    """Return axis and side of every polar word of a language, and a pattern for any of them, longest first."""
    polar: dict[str, list[tuple[int, int]]] = {}
    chosen: Literal["en", "zh"] = "zh" if language == "zh" else "en"
    for axis, sides in enumerate(_PHRASES["axes"].rows(chosen)):
        for side, words in zip((1, -1), sides, strict=False):
            for word in words.split():
                polar.setdefault(word, []).append((axis, side))
    any_word = "|".join(sorted(polar, key=len, reverse=True))
    return polar, re.compile(any_word if chosen == "zh" else rf"\b(?:{any_word})\b", re.IGNORECASE)


def _conflict(one: _Reading, two: _Reading) -> Wording | None:
    if one.figures and two.figures and sorted(one.figures) != sorted(two.figures):
        return None
    if sorted(_TURNING.findall(one.text.lower())) != sorted(_TURNING.findall(two.text.lower())):
        return None
    axes = [sorted(axis for axis, _ in each.sides) for each in (one, two)]
    turned = sum(a != b for a, b in zip(sorted(one.sides), sorted(two.sides), strict=False))
    if axes[0] != axes[1] or turned > 1:
        return None
    exchanged = _exchanged_sides(one.text, two.text)
    if (turned == 1) != (one.negated != two.negated):
        # "A is cheaper than B" and "B is pricier than A" agree.
        return None if exchanged else _OPPOSITE
    if exchanged or _exchanged_figures(one, two):
        return _EXCHANGED
    return None


def _exchanged_sides(one: str, two: str) -> bool:
    """Return whether both sentences compare, with the two sides exchanged."""
    cuts = [_THAN.search(text) for text in (one, two)]
    if cuts[0] is None or cuts[1] is None:
        return False
    left, right = content_terms(one[: cuts[0].start()]), content_terms(one[cuts[0].end() :])
    other_left, other_right = content_terms(two[: cuts[1].start()]), content_terms(two[cuts[1].end() :])
    return bool((left - other_left) & other_right) and bool((right - other_right) & other_left)


def _exchanged_figures(one: _Reading, two: _Reading) -> bool:
    """Return whether two names have exchanged their two figures."""
    mine, yours = ([f for f in each.figures if not _YEAR.fullmatch(f)] for each in (one, two))
    if len(mine) != 2 or sorted(mine) != sorted(yours) or mine[0] == mine[1]:
        return False
    names = [
        [name for name in _NAME.findall(each.text) if name.lower() not in STOPWORDS] for each in (one, two)
    ]
    common = [[name for name in own if name in other] for own, other in (names, names[::-1])]
    if any(len(own) != 2 or len(set(own)) != 2 for own in common):
        return False
    return dict(zip(common[0], mine, strict=True)) != dict(zip(common[1], yours, strict=True))


def _one_subject(report: Report, one: _Reading, two: _Reading) -> bool:
    """Return whether both are in one section, or one of them in a summary, introduction or conclusion."""
    sections = [report.sections[each.sentence.section] for each in (one, two)]
    return sections[0] is sections[1] or any(role_of(report, section) in FRAME for section in sections)


def _quote(text: str) -> str:
    return text if len(text) <= 160 else text[:157].rstrip() + "…"


CHECK = Check(
    code="COH001",
    name="contradicting-statements",
    severity="warning",
    summary="Two sentences of the report say the opposite in the same words",
    run=run,
    bad=(
        Example(
            "# Pumps\n\n## Effects\n\nSubsidies increased the adoption of heat pumps in rural areas.\n\n"
            "## Summary\n\nSubsidies decreased the adoption of heat pumps in rural areas.\n"
        ),
        Example(
            "# Pumps\n\nGround pumps are more efficient than air pumps in winter.\n\n## Summary\n\n"
            "Air pumps are more efficient than ground pumps in winter.\n"
        ),
        Example(
            "# Pumps\n\n## Shares\n\nGermany reached 15% and Norway 62.5% of homes.\n\n"
            "## Summary\n\nNorway reached 15% and Germany 62.5% of homes.\n"
        ),
        Example(
            "# 热泵\n\n## 效果\n\n补贴明显增加了农村热泵安装量。\n\n## 总结\n\n补贴明显减少了农村热泵安装量。\n"
        ),
    ),
    good=(
        Example(
            "# Pumps\n\n## Effects\n\nSubsidies increased the adoption of heat pumps in 2021.\n\n"
            "## Summary\n\nSubsidies decreased the adoption of heat pumps in 2022.\n"
        ),
        Example(
            "# Pipes\n\n## Combined\n\n- Lower capital cost of the network in towns\n\n"
            "## Separate\n\n- Higher capital cost of the network in towns\n"
        ),
        Example(
            "# Pumps\n\nGround pumps are more efficient than air pumps in winter.\n\n## Summary\n\n"
            "Air pumps are less efficient than ground pumps in winter. Air pumps are cheaper than ground pumps.\n"
        ),
        Example(
            "# 热泵\n\n## 效果\n\n补贴增加了热泵安装量。\n\n## 总结\n\n若取消补贴，热泵安装量可能减少。\n"
        ),
    ),
    dimension="internal_consistency",
    failure="incoherence",
)
