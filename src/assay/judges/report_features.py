"""Measured features of a report: one function per dimension gives a base from 0 to 1 and the features behind it.

The base is None if there is nothing to measure. Content counts: recurring terms, cited figures, explained causes.
Surface (the number of headings, words, hedges or signposts) does not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from assay.rubrics.dimensions import DimensionKey
from assay.text.generic_words import GENERIC
from assay.text.lexicon import Lexicon
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.subjects.parts import Sentence
    from assay.subjects.report import Report

CAUSAL: Final = Lexicon(
    en="because, due to, leads to, lead to, led to, results in, resulted in, causes, caused by, drives, driven by, "
    "owing to, as a result, therefore, thus, hence, consequently, enables, stems from, contributes to",
    zh="因为, 由于, 导致, 因此, 所以, 从而, 使得, 引起, 造成, 推动, 促使, 源于, 归因于, 得益于",
)
MECHANISM: Final = Lexicon(
    en="because, since, through, by, which means, via, so that, as, when, in turn, such that, mediated by, owing to, "
    "given that",
    zh="因为, 由于, 通过, 即, 意味着, 使得, 进而, 是因为, 随着, 当",
)
SCOPE: Final = Lexicon(
    en="if, unless, provided that, depends on, depending on, except, only when, only if, in cases where, under, "
    "assuming, as long as, varies with, does not apply, limited to, confined to",
    zh="如果, 若, 除非, 取决于, 前提是, 在…情况下, 仅在, 只有, 假设, 不适用, 仅限于, 视",
)
COUNTER: Final = Lexicon(
    en="however, although, though, whereas, nevertheless, nonetheless, on the other hand, in contrast, despite, "
    "critics, conversely, by contrast, while, yet, limitation*, uncertain*, caveat*, drawback*",
    zh="然而, 但是, 但, 尽管, 虽然, 不过, 相反, 另一方面, 局限, 不足, 争议, 质疑, 反对, 不确定",
)
_ANAPHORS: Final = frozenset(
    "this these that those it its they their such both he she his her former latter here there".split()
)
_SUBSTANCE: Final = 4
# Sentences that share more of the shorter one's terms than this repeat each other.
_ECHO: Final = 0.75


class ReportFacts(msgspec.Struct):
    """Facts that several measures need, computed once."""

    report: Report
    terms: set[str]
    query: set[str]
    by_section: dict[int, set[str]]
    substance: list[bool]

    @classmethod
    def of(cls, report: Report) -> ReportFacts:
        """Return the facts of a report."""
        by_section: defaultdict[int, set[str]] = defaultdict(set)
        for sentence, own in zip(report.sentences, report.sentence_terms, strict=True):
            by_section[sentence.section] |= own
        plain = report.plain
        others = [plain[b.span.start : b.span.end] for b in report.blocks if b.kind in ("table", "heading")]
        terms = content_terms("\n".join(others)).union(*by_section.values())
        substance = [len(own) - len(own & GENERIC) >= _SUBSTANCE for own in report.sentence_terms]
        return cls(report, terms, content_terms(report.query or "") - GENERIC, by_section, substance)

    def share_with(self, lexicon: Lexicon) -> float:
        """Return the share of substantial sentences that contain a cue of the lexicon."""
        substantial = sum(self.substance)
        return len(self.sentences_with(lexicon)) / substantial if substantial else 0.0

    def sentences_with(self, lexicon: Lexicon) -> list[Sentence]:
        """Return the substantial sentences that contain a cue of the lexicon, in order.

        A sentence of generic words does not count, because its caveat limits nothing and its "therefore" explains nothing.
        """
        starts, sentences = self.report.sentence_starts, self.report.sentences
        # The first cue after the start of each sentence; a cue past the sentence's end is in a heading or a table.
        hits = reversed(lexicon.find(self.report.cues))
        first = {bisect_right(starts, start) - 1: start for start, _ in hits}
        return [
            sentences[i]
            for i, start in sorted(first.items())
            if i >= 0 and self.substance[i] and start < sentences[i].span.end
        ]


Measured = tuple[float | None, dict[str, float]]


def _task_alignment(facts: ReportFacts) -> Measured:
    sentences = facts.report.sentences
    if not facts.query:
        return None, {}
    if not sentences:
        return 0.0, {"query_coverage": 0.0}
    covered = len(facts.query & facts.terms) / len(facts.query)
    terms = facts.report.sentence_terms
    edge = max(3, len(sentences) // 6)
    at_ends: set[str] = set().union(*(own & facts.query for own in (*terms[:edge], *terms[-edge:])))
    ends = len(at_ends) / len(facts.query)
    on_topic = [not own.isdisjoint(facts.query) for own in facts.by_section.values() if len(own) >= 15]
    topical = sum(on_topic) / len(on_topic) if on_topic else 1.0
    return 0.2 + 0.45 * covered + 0.15 * ends + 0.2 * topical, {
        "query_coverage": covered,
        "query_at_ends": ends,
        "sections_on_topic": topical,
    }


def _global_coherence(facts: ReportFacts) -> Measured:
    groups = [own for own in facts.by_section.values() if len(own) >= 10]
    if len(groups) < 2:
        return None, {}
    earlier: set[str] = set()
    recurring: set[str] = set()
    for own in groups:
        recurring |= own & earlier
        earlier |= own
    recurring -= GENERIC
    linked = [len(own & recurring) / max(1, len(own) - len(own & GENERIC)) for own in groups]
    thread = sum(min(1.0, share / 0.35) for share in linked) / len(linked)
    return 0.35 + 0.65 * thread, {"sections_linked": thread}


def _local_coherence(facts: ReportFacts) -> Measured:
    report = facts.report
    linked = pairs = 0
    lower = report.cues.lower
    terms = report.sentence_terms
    for one, two in pairwise(report.sentences):
        if one.section != two.section or one.block != two.block:
            continue
        pairs += 1
        both = len(terms[one.index] & terms[two.index])
        if both:
            smaller = min(len(terms[one.index]), len(terms[two.index]))
            linked += both <= _ECHO * smaller or smaller < _SUBSTANCE
            continue
        head = lower[two.span.start : two.span.start + 40].split()[:4]
        linked += any(word.strip(",.") in _ANAPHORS for word in head) or lower[
            two.span.start : two.span.start + 2
        ] in ("这", "该", "其", "此")
    if pairs < 5:
        return None, {}
    share = linked / pairs
    return 0.4 + 0.6 * min(1.0, share / 0.75), {"adjacent_sentences_linked": share}


def _evidence(facts: ReportFacts) -> Measured:
    report = facts.report
    numeric: set[int] = set()
    for quantity in report.quantities:
        if quantity.kind not in ("ordinal", "year"):
            sentence = report.sentence_at(quantity.start)
            if sentence:
                numeric.add(sentence.index)
    cited = {c.sentence for c in report.citations if c.sentence is not None}
    cited_blocks = {report.sentences[i].block for i in cited}
    grounded = sum(1 for i in numeric if i in cited or report.sentences[i].block in cited_blocks)
    if not report.sentences:
        return None, {}
    share = grounded / len(numeric) if numeric else (1.0 if cited else 0.0)
    spread = len({report.sentences[i].section for i in cited}) / max(1, len(facts.by_section))
    sources = len({ref for c in report.citations for ref in c.references if ref is not None}) or len(
        {key for c in report.citations for key in c.keys}
    )
    variety = min(1.0, sources / 8)
    return 0.3 + 0.35 * share + 0.2 * min(1.0, spread / 0.6) + 0.15 * variety, {
        "figures_cited": share,
        "sections_with_citations": spread,
        "distinct_sources": float(sources),
    }


def _warrants(facts: ReportFacts) -> Measured:
    report = facts.report
    causal = facts.sentences_with(CAUSAL)
    if len(causal) < 3:
        return None, {}
    explained = 0
    for sentence in causal:
        body = sentence.span
        if (
            report.citations_in(body)
            or report.quantities_in(body)
            or MECHANISM.any(report.cues, body.start, body.end)
        ):
            explained += 1
    share = explained / len(causal)
    return 0.45 + 0.55 * share, {"causes_explained": share}


def _qualifiers(facts: ReportFacts) -> Measured:
    if not any(facts.substance):
        return None, {}
    scope = facts.share_with(SCOPE)
    counter = facts.share_with(COUNTER)
    return 0.4 + 0.3 * min(1.0, scope / 0.05) + 0.3 * min(1.0, counter / 0.08), {
        "sentences_with_conditions": scope,
        "sentences_with_counterpoints": counter,
    }


# Internal consistency and the introduction of concepts are not measured: only findings speak of them.
MEASURES: Final[dict[DimensionKey, Callable[[ReportFacts], Measured]]] = {
    "task_alignment": _task_alignment,
    "global_coherence": _global_coherence,
    "local_coherence": _local_coherence,
    "evidence_sufficiency": _evidence,
    "warrants_causality": _warrants,
    "qualifiers_counterpoints": _qualifiers,
}
