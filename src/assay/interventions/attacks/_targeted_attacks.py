"""The factory of the attacks on one dimension, which a model writes in several passages (ReportLogic, appendix C.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from assay.interventions.attacks._prose import blocks_of_prose, matches
from assay.interventions.base import EditSite, Operator, Place
from assay.interventions.edit_kit import (
    added_figures,
    figures_changed,
    joined_texts,
    lost,
    markers,
    values_kept,
)
from assay.subjects.roles import FRAME, role_of

if TYPE_CHECKING:
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Block
    from assay.subjects.report import Report

SOURCE: Final = "reportlogic, section 5.6 and appendix C.4"
# Passages that a site offers; the paper's examples change two or three.
_PASSAGES: Final = 4
_SITES: Final = 2
# Numbers that count the parts of the report itself.
_PART: Final = re.compile(
    r"\b(?:Sections?|Chapters?|Parts?)\s+\d[\d.]*(?:\s?(?:,|and|to|[–-])\s?\d[\d.]*)*|第\s?\d+\s?[章节部分]+",
    re.IGNORECASE,
)
# What may happen to the figures of the passages: nothing, loss, anything.
Figures: TypeAlias = Literal["stay", "may_go", "may_change"]


def targeted(
    *,
    dimension: str,
    title: str,
    title_zh: str,
    definition: str,
    definition_zh: str,
    fits: re.Pattern[str],
    having: str,
    ask: str,
    ask_zh: str,
    figures: Figures = "may_go",
    citations_stay: bool = True,
    must_take: bool = False,
    sentences: int = 1,
    headings: int = 0,
    frames: bool = False,
    against: Literal["report"] | None = None,
    codes: tuple[str, ...] = (),
) -> Operator:
    """Return an operator that brings one dimension of a report to a clearly sub-standard level.

    Args:
        dimension: The dimension, of ReportLogic's eight.
        title: Title for readers.
        title_zh: Chinese title, for prompts.
        definition: What a second reader looks for.
        definition_zh: The same in Chinese.
        fits: Pattern of passages in which the dimension lives.
        having: What such a passage has, for the message about a report with none or one: "with an introduced term".
        ask: Instructions for the editor.
        ask_zh: The same in Chinese.
        figures: What may happen to figures; one that may go can be part of the reason, gloss or condition that goes.
        citations_stay: Whether citations must stay; none may ever be added.
        must_take: Whether the attack consists in taking something away.
        sentences: Fewest sentences of a passage.
        headings: Fewest headings of a report.
        frames: Whether passages of the summary, the introduction and the conclusion fit whatever they say.
        against: Whether the second reader is shown passages of the report that speak of the same.
        codes: Checks that find this failure.
    """
    fitting = partial(_fitting, fits=fits, sentences=sentences, frames=frames)
    return Operator(
        name=f"targeted_{dimension}",
        title=title,
        title_zh=title_zh,
        kind="targeted",
        level="outcome",
        module="attack",
        category="targeted",
        definition=definition,
        definition_zh=definition_zh,
        sites=lambda report, draw: _sites(fitting(report), draw),
        unfit=lambda report: _unfit(report, len(fitting(report)), having, headings),
        ask=ask,
        ask_zh=ask_zh,
        check=partial(_check, figures=figures, citations_stay=citations_stay, must_take=must_take),
        dimension=dimension,
        against=against,
        codes=codes,
        source=SOURCE,
    )


def _fitting(report: Report, *, fits: re.Pattern[str], sentences: int, frames: bool) -> list[Block]:
    return [
        block
        for block in blocks_of_prose(report)
        if (
            matches(fits, report, block)
            or (frames and role_of(report, report.sections[block.section]) in FRAME)
        )
        and (sentences < 2 or len(report.sentences_in(block.span)) >= sentences)
    ]


def _unfit(report: Report, passages: int, having: str, headings: int) -> str | None:
    """Return why a report offers no site: it has fewer than two such passages, or too few headings."""
    if sum(bool(section.title) for section in report.sections[1:]) < headings:
        return f"it has fewer than {headings} headings"
    if passages > 1:
        return None
    return (
        f"it has only one passage {having}, and this attack takes two"
        if passages
        else f"it has no passage {having}"
    )


def _sites(blocks: list[Block], draw: Random) -> Iterable[EditSite]:
    """Return sites of up to four passages each, in the order of the text."""
    for _ in range(_SITES):
        if len(blocks) < 2:
            return
        chosen = sorted(draw.sample(blocks, min(_PASSAGES, len(blocks))), key=lambda block: block.span.start)
        yield EditSite(places=tuple(Place(start=block.span.start, end=block.span.end) for block in chosen))
        blocks = [block for block in blocks if block not in chosen]


def _check(
    reference: Report,
    perturbed: Report,
    revision: TextRevision,
    *,
    figures: Figures,
    citations_stay: bool,
    must_take: bool,
) -> str | None:
    """Return which figure or citation was added, or lost where it must stay; the rest is for a reader."""
    before, after = joined_texts(reference, perturbed, revision)
    if added := markers(after) - markers(before):
        return f"a citation was added: {min(added)}"
    if citations_stay and (gone := markers(before) - markers(after)):
        return f"a citation is gone: {min(gone)}"
    if must_take and lost(before, after) is None:
        return "no figure, citation or word is gone"
    if figures == "may_change":
        return values_kept(before, after)
    before, after = _PART.sub(" ", before), _PART.sub(" ", after)
    if figures == "stay":
        return figures_changed(before, after)
    # A passage may take up what another one says.
    if figure := added_figures(reference.source, after):
        return f"a figure was added: {figure}"
    return None
