"""The argument of a short text in prose, sentence by sentence: every sentence is part of it.

A report shows its argument by headings and lists. A short text shows it by what its sentences do for each other
(`assay.logic.discourse`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.logic.argument_points import ArgumentPoint
from assay.logic.argument_tree import ArgumentTree
from assay.logic.discourse import Unit, find_root, link_units, read_units
from assay.logic.statement import Statement
from assay.logic.statements import SentenceWeights, weigh_sentences
from assay.logic.terms import terms_in, terms_of
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.subjects.report import Report

# A longer text needs headings to be followed; its paragraphs are then read as those of a report.
_MOST_SENTENCES: Final = 40
# A text of this many sentences is taken to argue, even without a word that says so.
_SURE: Final = 4
_ARGUING: Final = frozenset(
    (
        "stance",
        "judging",
        "urging",
        "concluding_opening",
        "replying_opening",
        "objecting_opening",
        "explaining_opening",
    )
)


def essay_tree(report: Report) -> ArgumentTree | None:
    """Return the argument of a short text in prose as a tree; None if the report is not one, or does not argue."""
    sentences = _sentences(report)
    if not sentences:
        return None
    weights = weigh_sentences(report)
    units = read_units(report, sentences, weights.claims, weights.facts)
    if len(units) < 2:
        return None
    topic = terms_in(report.query[:2000]) if report.query else frozenset()
    for section in report.sections[1:]:
        topic |= terms_of(report.cues, section.title_span.start, section.title_span.end)
    root = find_root(units, topic)
    if len(units) < _SURE and not any(
        unit.hinge or unit.claim > 0 or not unit.cues.isdisjoint(_ARGUING) for unit in units
    ):
        return None
    link_units(units, root)
    points = _points(report, units, weights)
    return ArgumentTree([points[root]], [points[root]])


def _sentences(report: Report) -> list[int]:
    """Return the sentences of a short text in prose with at most a title; empty if the report is something else."""
    if report.language not in ("en", "zh"):
        return []
    lists = {section.index for section in report.sections if section.is_references}
    entries = [entry.span for entry in report.references]
    begin = min((span.start for span in entries), default=len(report.source))
    body = [
        (i, sentence)
        for i, sentence in enumerate(report.sentences)
        if sentence.section not in lists and sentence.span.start < begin
    ]
    if len(body) > _MOST_SENTENCES or sum(1 for s in report.sections if s.index not in lists) > 2:
        return []
    own = (b for b in report.blocks if b.section not in lists and b.span.start < begin)
    if any(block.kind not in ("paragraph", "reference") for block in own):
        return []
    return [
        i
        for i, sentence in body
        if any(map(str.isalpha, report.plain[sentence.span.start : sentence.span.end]))
    ]


def _points(report: Report, units: Sequence[Unit], weights: SentenceWeights) -> list[ArgumentPoint]:
    """Return a point for every unit, joined as the units are."""
    bearing = {unit.target for unit in units}
    points: list[ArgumentPoint] = []
    for i, unit in enumerate(units):
        is_evidence = unit.factual and i not in bearing and unit.target is not None
        sentence = report.sentences[unit.sentence]
        statement = Statement(
            "evidence" if is_evidence else "argument",
            Span(unit.start, unit.end),
            report,
            -1,
            sentence.block,
            sentence.section,
            unit.claim,
            0.0,
            tuple(weights.figures[unit.sentence]),
            frozenset(weights.keys.get(unit.sentence, ())),
            conclusive="concluding_opening" in unit.cues,
        )
        points.append(ArgumentPoint(statement))
    for unit, point in zip(units, points, strict=True):
        if unit.target is not None:
            points[unit.target].take(point, unit.relation)
    return points
