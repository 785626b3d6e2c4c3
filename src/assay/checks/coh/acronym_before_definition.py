"""Flags an acronym that is used well before it is spelt out.

Readers meet letters that they do not know and find the explanation sections later. This happens if a summary is
written from a body that introduces the terms, or if sections are moved.

An acronym is flagged only if running text in earlier sections uses it at least twice. Well-known acronyms and those in
the question are not flagged.

Known problems: if the report often repeats the full term, the letters may be clear anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.coh._acronyms import acronyms, known_acronyms
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_EARLIER = 2

_LATE: Final = Wording(
    en="“{acronym}” is used {n} times before line {line} spells it out (“{words}”)",
    zh="“{acronym}”使用了{n}次之后，第{line}行才给出全称（“{words}”）",
)


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each acronym that is explained too late, at its first use."""
    for entry in acronyms(report).values():
        if (
            not entry.definitions
            or entry.text in known_acronyms()
            or (report.query and entry.text in report.query)
        ):
            continue
        definition = entry.definitions[0]
        if not definition.words.isascii():
            # Chinese text in brackets beside an acronym may be a remark instead of its name.
            continue
        earlier = [at for at in entry.uses if at < definition.start]
        if len(earlier) < _EARLIER:
            continue
        first = report.block_at(earlier[0])
        second = report.block_at(earlier[1])
        there = report.block_at(definition.start)
        if (
            first is None
            or second is None
            or there is None
            or there.section in (first.section, second.section)
        ):
            continue
        # If the full term comes before the acronym, it explains the letters as well.
        if report.cues.lower.find(definition.words, 0, earlier[0]) >= 0:
            continue
        line, _ = report.lines.place(definition.start)
        size = len(entry.text)
        yield RawFinding(
            Span(earlier[0], earlier[0] + size),
            _LATE(acronym=entry.text, n=len(earlier), line=line, words=definition.words),
            (Span(definition.start, definition.end),),
            confidence=0.75,
        )


CHECK = Check(
    code="COH006",
    name="acronym-before-definition",
    severity="info",
    summary="An acronym is used sections before it is spelt out",
    run=run,
    bad=(
        Example(
            "# Report\n\n## Summary\n\nThe LCOX fell. A low LCOX helps.\n\n## Costs\n\n"
            "The levelized cost of oxygen (LCOX) fell by a third.\n"
        ),
    ),
    good=(
        Example(
            "# Report\n\n## Summary\n\nThe levelized cost of oxygen (LCOX) fell. A low LCOX helps.\n\n## Costs\n\n"
            "The levelized cost of oxygen (LCOX) fell by a third.\n"
        ),
    ),
    dimension="concept_introduction",
    failure="incoherence",
)
