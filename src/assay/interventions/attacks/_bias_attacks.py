"""The factory of the five bias attacks, which a model writes over the whole report (ReportLogic, section 5.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import blocks_of_prose, matches
from assay.interventions.base import EditSite, Operator, Place
from assay.interventions.edit_kit import added_figures, changed_texts, lost, markers
from assay.text.sentences import split_sentences
from assay.text.words import content_terms

if TYPE_CHECKING:
    from assay.interventions.base import TextRevision
    from assay.subjects.parts import Block
    from assay.subjects.report import Report

SOURCE: Final = "reportlogic, section 5.6 and appendix C.4"
# Characters of all passages of a site: what a model can rewrite in one reply.
_IN_ALL: Final = 8_000
_FEWEST: Final = 3
_FEWEST_FITTING: Final = 2
# Greatest share of the terms of one sentence that may be said otherwise; beyond it the sentence is gone.
_GONE: Final = 0.6
# Numbers that count headings, items and exhibits and say nothing about the world.
_LABEL: Final = re.compile(
    r"^[ \t>]*(?:#{1,6}[ \t]+|[-*][ \t]+)?(?:\*\*)?[（(]?\d{1,2}(?:\.\d{1,2})*[.)、）:：]?(?=[ \t\u4e00-\u9fff*])"
    r"|(?<=[.;!?。；！？\]] )(?:\*\*)?[（(]?\d{1,2}(?:\.\d{1,2})*[.)）](?=[ \t]+\S)|(?<=[。；！？])\d{1,2}[.、]"
    r"|\*\*\d{1,2}(?:\.\d{1,2})*[.)、]?(?=[ \t])"
    r"|\b(?:Evidence|Step|Point|Item|Support|Exhibit|Link|Finding|Part|Reason)\s+(?:No\.\s*|#)?\(?\d{1,2}\b"
    r"|(?:证据|步骤|要点|依据|佐证|环节|原因)\s?[（(]?\d{1,2}|[（(]\d{1,2}[）)]|\b[A-Z]\d{1,2}(?=[.:)\]：）])",
    re.MULTILINE | re.IGNORECASE,
)


def biased(
    *,
    name: str,
    title: str,
    title_zh: str,
    definition: str,
    definition_zh: str,
    ask: str,
    ask_zh: str,
    growth: tuple[float, float],
    reworded: float,
    fits: re.Pattern[str] | None = None,
    having: str = "",
) -> Operator:
    """Return an operator that leaves the substance of a report as it is, so that the attacked report must not win.

    Args:
        name: Its name.
        title: Title for readers.
        title_zh: Chinese title, for prompts.
        definition: What a second reader looks for.
        definition_zh: The same in Chinese.
        ask: Instructions for the editor.
        ask_zh: The same in Chinese.
        growth: Least and greatest growth of the report, as shares of its length.
        reworded: Greatest share of the terms of the passages that may be said otherwise.
        fits: Pattern of passages with which the attack can do something, if not with any.
        having: What such a passage has, for the message about a report without them: "with a hedge".
    """
    fewest = _FEWEST if fits is None else _FEWEST_FITTING
    kind = f"passages {having}" if having else "paragraphs of prose"
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
        sites=lambda report, _: _sites(_chosen(report, fits), fewest),
        unfit=lambda report: (
            None if len(_chosen(report, fits)) >= fewest else f"it has fewer than {fewest} {kind}"
        ),
        ask=ask,
        ask_zh=ask_zh,
        check=partial(_check, reworded),
        growth=growth,
        source=SOURCE,
    )


def _chosen(report: Report, fits: re.Pattern[str] | None) -> list[Block]:
    """Return the longest fitting paragraphs that one reply can rewrite, in the order of the text."""
    room = _IN_ALL // 2 if report.language == "zh" else _IN_ALL
    chosen = []
    for block in sorted(blocks_of_prose(report), key=lambda block: block.span.start - block.span.end):
        size = block.span.end - block.span.start
        if size <= room and (fits is None or matches(fits, report, block)):
            chosen.append(block)
            room -= size
    return sorted(chosen, key=lambda block: block.span.start)


def _sites(chosen: list[Block], fewest: int) -> Iterable[EditSite]:
    """Return one site: paragraphs from the whole report."""
    if len(chosen) >= fewest:
        yield EditSite(places=tuple(Place(start=block.span.start, end=block.span.end) for block in chosen))


def _check(reworded: float, reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return what an edit added or lost; whether it says something new is for a reader."""
    pairs = changed_texts(reference, perturbed, revision)
    before, after = ("\n\n".join(texts) for texts in zip(*pairs, strict=True))
    if added := markers(after) - markers(before):
        return f"a citation was added: {min(added)}"
    if figure := added_figures(before, _LABEL.sub(" ", after)):
        return f"a figure was added: {figure}"
    if sentence := next((gone for pair in pairs if (gone := _lost_sentence(*pair))), None):
        return f"a sentence is lost: “{sentence[:60]}”"
    return lost(before, after, share=reworded)


def _lost_sentence(before: str, after: str) -> str | None:
    """Return a sentence of a passage most of whose terms are gone."""
    left = content_terms(after)
    for start, end in split_sentences(before, 0, len(before)):
        terms = content_terms(before[start:end])
        if len(terms - left) > _GONE * len(terms):
            return before[start:end].strip()
    return None
