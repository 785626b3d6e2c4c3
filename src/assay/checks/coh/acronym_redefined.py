"""Flags an acronym that is spelt out in two different ways.

If the same letters stand for two terms, every later use is ambiguous; if one of the two expansions is simply wrong, the
report misnames its own subject.

Both expansions must fit the letters and share hardly a word. Spelling variants, plurals and a translation beside the
English name count as the same expansion.

Known problems: a report that compares two fields may use the letters in both senses on purpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.coh._acronyms import AcronymDefinition, acronyms
from assay.checks.wording import Wording
from assay.subjects.span import Span
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report


_TWO_MEANINGS: Final = Wording(
    en="“{acronym}” is spelt out as “{second}” here, but as “{first}” before",
    zh="“{acronym}”此处的全称是“{second}”，前文却是“{first}”",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each acronym with two meanings, at the second definition."""
    for entry in acronyms(report).values():
        english = [definition for definition in entry.definitions if definition.words.isascii()]
        if len(english) < 2:
            continue
        first = english[0]
        for other in english[1:]:
            if _differ(first, other):
                yield RawFinding(
                    Span(other.start, other.end),
                    _TWO_MEANINGS(acronym=entry.text, second=other.words, first=first.words),
                    (Span(first.start, first.end),),
                    confidence=0.8,
                )
                break


def _differ(first: AcronymDefinition, other: AcronymDefinition) -> bool:
    one, two = (content_terms(each.words.replace("-", " ").replace("–", " ")) for each in (first, other))
    return bool(one and two) and 2 * len(one & two) < min(len(one), len(two)) and not _near(one, two)


def _near(one: set[str], two: set[str]) -> bool:
    """Return whether each term of one set shares its first five letters with a term of the other set."""
    return all(any(a[:5] == b[:5] for b in two) for a in one) or all(
        any(a[:5] == b[:5] for a in one) for b in two
    )


CHECK = Check(
    code="COH007",
    name="acronym-redefined",
    severity="warning",
    summary="An acronym is spelt out in two different ways",
    run=run,
    bad=(Example("The coefficient of performance (COP) rose.\n\nThe code of practice (COP) demands it.\n"),),
    good=(
        Example("The coefficient of performance (COP) rose.\n\nCoefficients of performance (COPs) differ.\n"),
    ),
    dimension="concept_introduction",
    failure="incoherence",
)
