"""The four rule-derived scores of FinResearchBench (section 3.1.4, equations 1–4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from assay.record import Record
from assay.subjects.span import Span
from assay.text.words import count_words

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph, Metrics
    from assay.subjects.report import Report


class RuleScores(Record, msgspec.Struct, frozen=True):
    """The four scores, from 0 to 100."""

    analysis_width: float
    analysis_depth: float
    information_density: float
    paragraph_richness: float


def rule_scores(report: Report, graph: LogicGraph) -> RuleScores:
    """Return the four scores of a report and its argument graph."""
    sizes = graph.metrics
    return RuleScores(
        analysis_width=analysis_width(sizes),
        analysis_depth=analysis_depth(sizes),
        information_density=information_density(sizes),
        paragraph_richness=paragraph_richness(words_per_section(report)),
    )


def analysis_width(sizes: Metrics) -> float:
    """Return equation 1: full marks from four children on, none for a chain."""
    return _clip(33.33 * (sizes.mean_children - 1))


def analysis_depth(sizes: Metrics) -> float:
    """Return equation 2: two parts the deepest node, three parts the mean depth of the leaves."""
    deepest = _clip(25 * (sizes.max_depth - 2))
    leaves = _clip(40 * (sizes.mean_leaf_depth - 1.5))
    return 0.4 * deepest + 0.6 * leaves


def information_density(sizes: Metrics) -> float:
    """Return equation 3: seven parts the number of nodes, three parts the share of evidence."""
    size = _clip(2 * (sizes.nodes - 5))
    share = sizes.evidence / sizes.nodes if sizes.nodes else 0.0
    return 0.7 * size + 0.3 * _clip(100 * share)


def paragraph_richness(words: float) -> float:
    """Return equation 4 for ``words`` per section.

    It is read as printed and clipped to [0, 100]: the steps at 100 (60 to 68) and at 200 (76 to 100) are the
    paper's, and between 500 and 1000 the printed formula would exceed 100.
    """
    if words <= 0:
        return 0.0
    if words < 100:
        return 0.6 * words
    if words < 200:
        return 60 + 0.08 * words
    if words < 500:
        return 100.0
    return _clip(max(60.0, 100 - 0.05 * (words - 1000)))


def words_per_section(report: Report) -> float:
    """Return the mean words of a heading's own text, without subsections; 0 for a report without words.

    Every heading counts, even one directly followed by another. Text before the first heading counts as a section
    of its own. Headings themselves and the reference list are left out.
    """
    plain = report.plain
    sections = report.sections
    reference = report.reference_span or Span(len(plain), len(plain))
    # The words of the body are counted already; subtracting headings is cheaper than counting each section.
    words = report.words
    parts = 1 if count_words(plain[: min(sections[0].body.end, reference.start)]) else 0
    for section in sections[1:]:
        words -= _words_outside(plain, section.title_span, reference)
        if section.is_references:
            words -= _words_outside(plain, section.body, reference)
        else:
            parts += 1
    return max(0, words) / parts if parts else 0.0


def _words_outside(plain: str, span: Span, gap: Span) -> int:
    """Count the words of ``span`` that are not inside ``gap``."""
    if span.end <= gap.start or gap.end <= span.start:
        return count_words(plain[span.start : span.end])
    return count_words(plain[span.start : gap.start]) + count_words(plain[gap.end : span.end])


def _clip(value: float) -> float:
    return min(100.0, max(0.0, value))
