"""The factory of the five bias attacks, and the sections that a model editor may rewrite."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any, Final

from assay.interventions.attacks._prose import blocks_of_prose
from assay.interventions.base import EditSite, Operator, passage_site

if TYPE_CHECKING:
    from assay.subjects.report import Report

SOURCE: Final = "reportlogic, section 5.6 and appendix C.4"
_LONGEST: Final = 2_500
_FEWEST: Final = 400


def biased(
    *,
    name: str,
    title: str,
    title_zh: str,
    definition: str,
    definition_zh: str,
    rule: Callable[[Any, Random], Iterable[Any]],
    ask: str,
    ask_zh: str,
    check: Callable[[Any, Any, Any], str | None],
) -> Operator:
    """Return an operator that leaves the substance of a report as it is, so that the attacked report must not win."""
    return Operator(
        name=name,
        title=title,
        title_zh=title_zh,
        kind="bias",
        level="outcome",
        module="attack",
        category="bias",
        definition=definition,
        definition_zh=definition_zh,
        rule=rule,
        sites=_sections,
        ask=ask,
        ask_zh=ask_zh,
        check=check,
        source=SOURCE,
    )


def _sections(report: Report, draw: Random) -> Iterable[EditSite]:
    """Return up to six sites for a model editor: the longest sections that fit a prompt, or else paragraphs."""
    spans = [
        section.body
        for section in report.sections
        if not section.is_references and _FEWEST <= section.body.end - section.body.start <= _LONGEST
    ]
    spans = spans or [block.span for block in blocks_of_prose(report, fewest=300)]
    # The largest come first: what a surface attack adds in one place must show in the whole.
    spans.sort(key=lambda span: span.start - span.end)
    head = [passage_site(start=span.start, end=span.end) for span in spans[:6]]
    draw.shuffle(head)
    return head
