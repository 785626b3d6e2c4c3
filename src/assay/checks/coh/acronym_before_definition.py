"""Flags acronyms that are used well before they are spelt out.

Readers meet letters that they do not know and find the explanation sections later. This happens if a summary is
written from a body that introduces the terms, or if sections are moved.

An acronym counts if running text in earlier sections uses it at least three times, and the full term does not stand there
in any form. Well-known acronyms, products and those in the question do not count. There is one finding for the whole report.

Known problems: if the report often repeats the full term, the letters may be clear anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.wording import Wording, series
from assay.subjects.abbreviations import known_abbreviations
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.abbreviations import Abbreviation
    from assay.subjects.report import Report

_EARLIER: Final = 3
# Products keep their letters: "Elastic Kubernetes Service".
_PRODUCT: Final = frozenset(
    "service services engine platform suite cloud console framework toolkit sdk api studio agent".split()
)
_MOST_NAMED: Final = 6
_HYPHENS: Final = str.maketrans(dict.fromkeys("-\u2010\u2011\u2012\u2013", " "))

_LATE: Final = Wording(
    en="“{acronym}” is used {n:time|times} before line {line} spells it out (“{words}”){more}",
    zh="“{acronym}”使用了{n}次之后，第{line}行才给出全称（“{words}”）{more}",
)
_MORE: Final = Wording(en="; {others} likewise", zh="；{others}也是如此")


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield one finding for all acronyms that are explained too late, at the first use of the first."""
    late = [entry for entry in report.abbreviations.values() if _is_late(report, entry)]
    if not late:
        return
    late.sort(key=lambda entry: entry.uses[0])
    first, *others = late
    size = len(first.text)
    definition = first.definitions[0]
    line, _ = report.lines.place(definition.start)
    named = series(
        [entry.text for entry in others[:_MOST_NAMED]], "and", quoted=True, cut=len(others) > _MOST_NAMED
    )
    yield Hit(
        Span(first.uses[0], first.uses[0] + size),
        _LATE(
            acronym=first.text,
            n=sum(at < definition.start for at in first.uses),
            line=line,
            words=definition.words,
            more=_MORE(others=named) if others else "",
        ),
        (
            Span(definition.start, definition.end),
            *(Span(entry.uses[0], entry.uses[0] + len(entry.text)) for entry in others),
        ),
        confidence=0.75,
    )


def _is_late(report: Report, entry: Abbreviation) -> bool:
    if (
        not entry.definitions
        or entry.text in known_abbreviations()
        or (report.query and entry.text in report.query)
        # Chinese text in brackets beside an acronym may be a remark instead of its name.
        or not entry.definitions[0].words.isascii()
    ):
        return False
    definition = entry.definitions[0]
    # "GO:0003883" is an identifier.
    earlier = [
        at
        for at in entry.uses
        if at < definition.start and report.plain[at + len(entry.text) : at + len(entry.text) + 1] != ":"
    ]
    if len(earlier) < _EARLIER or definition.start >= report.body_end:
        return False
    places = [report.block_at(at) for at in (*earlier[:2], definition.start)]
    sections = [place.section for place in places if place is not None]
    if len(sections) < len(places) or sections[2] in sections[:2]:
        return False
    words = _loose(definition.words)
    if words.rpartition(" ")[2] in _PRODUCT:
        return False
    # The full term explains the letters as well, wherever it stands before: in a heading, with other hyphens, as a plural.
    return words not in _loose(report.cues.lower[: definition.start])


def _loose(text: str) -> str:
    """Return a text without hyphens, line breaks and the plural s at its end."""
    return " ".join(text.translate(_HYPHENS).split()).removesuffix("s")


CHECK = Check(
    code="COH006",
    name="acronym-before-definition",
    severity="info",
    summary="Acronyms are used sections before they are spelt out",
    run=run,
    bad=(
        Example(
            "# Report\n\n## Summary\n\nThe LCOX fell. A low LCOX helps. The LCOX matters.\n\n## Costs\n\n"
            "The levelized cost of oxygen (LCOX) fell by a third.\n"
        ),
    ),
    good=(
        Example(
            "# Report\n\n## Summary\n\nThe levelized cost of oxygen (LCOX) fell. A low LCOX helps.\n\n## Costs\n\n"
            "The levelized cost of oxygen (LCOX) fell by a third.\n"
        ),
        Example(
            "# Report\n\n## Summary\n\nThe LCOX fell. The LCOX matters. A low LCOX helps.\n\n## Levelized cost-of-oxygen\n\n"
            "It fell.\n\n## Costs\n\nThe levelized cost of oxygen (LCOX) fell by a third.\n"
        ),
        Example(
            "# Report\n\n## Summary\n\nRLHX needs people. RLHX is slow.\n\n## Next\n\nAsynchronous RLHX (ARLHX) is faster.\n"
        ),
    ),
    dimension="concept_introduction",
    failure="incoherence",
)
