"""Accuracy of argument extraction, measured on pairs of a report and the argument from which it was written.

    scores = [score_pair(pair, build_graph(Report(pair.report))) for pair in pairs]
    result = extraction_accuracy(scores, extractor="rules")

The paper compares sizes (FinResearchBench, section 4.3.4): but two graphs about different things can have
the same size. So precision and recall of nodes, and of the edges between them, are reported beside its similarities (`assay.logic.matching`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.errors import UsageError
from assay.logic.baselines import BASELINES, star
from assay.logic.content_accuracy import (
    RESAMPLES,
    SEED,
    ContentAccuracy,
    ContentScore,
    content_accuracy,
    score_content,
)
from assay.logic.graph import LogicGraph, Metrics
from assay.logic.matching import Match, edge_match, kind_match, match_nodes, node_match
from assay.logic.similarity import Similarity, similarity
from assay.measures.correlation import Correlation, spearman
from assay.measures.intervals import Estimate, mean_interval
from assay.subjects.report import Report
from assay.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.logic.ground_truth.pair import GroundTruthPair

SCHEMA: Final = "assay.extraction/1"
# Nodes of the true graph: the paper's bins, the last without an end.
BINS: Final[tuple[tuple[int, int | None], ...]] = ((0, 25), (25, 50), (50, None))


class PairScore(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison of one pair; sizes are None if nothing was extracted.

    Attributes:
        id: Id of the pair.
        language: Language of its report.
        words: Words of its report.
        status: "ok", or why the pair is left out of all means: "fallback" if the extractor under test gave way to
            another one, "failed" if it gave nothing.
        true: Sizes of the true graph.
        extracted: Sizes of the extracted graph.
        similarity: The paper's three similarities.
        nodes: Match of the nodes, by the words they cover.
        kinds: Match of the kinds of the nodes found.
        edges: Match of the edges between nodes that were found.
        content: What the graphs have in common, attacks and all edges included.
        baselines: The same for the graphs of the baselines, by name.
        problem: Why the pair is left out.
    """

    id: str
    language: str
    words: int
    true: Metrics
    status: str = "ok"
    extracted: Metrics | None = None
    similarity: Similarity | None = None
    nodes: Match | None = None
    kinds: Match | None = None
    edges: Match | None = None
    content: ContentScore | None = None
    baselines: dict[str, ContentScore] = {}
    problem: str | None = None


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """Means over the pairs of one bin.

    Attributes:
        low: Fewest nodes of the true graph.
        high: Upper bound of its nodes, exclusive; None for no bound.
        pairs: Pairs in the bin; ``n`` of a mean is smaller if pairs were left out or a share is undefined.
        left_out: Pairs without a graph of the extractor under test.
        nodes: Similarity of the total nodes.
        depth: Similarity of the depth.
        width: Similarity of the width.
        average: Mean of the three similarities.
        true_nodes: Mean size of the true graphs.
        extracted_nodes: Mean size of the extracted graphs.
        min_words: Words of the shortest report.
        max_words: Words of the longest report.
        node_precision: Share of extracted nodes that cover the words of a true one.
        node_recall: Share of true nodes that were found.
        node_f1: F1 of the nodes.
        kind_accuracy: Share of the nodes found that are of the right kind.
        edge_precision: Share of the extracted edges between nodes found that are true (see `edge_match`).
        edge_recall: Share of the true edges between nodes found that were extracted.
    """

    low: int
    high: int | None
    pairs: int
    left_out: int
    nodes: Estimate
    depth: Estimate
    width: Estimate
    average: Estimate
    true_nodes: float | None
    extracted_nodes: float | None
    min_words: int | None
    max_words: int | None
    node_precision: Estimate
    node_recall: Estimate
    node_f1: Estimate
    kind_accuracy: Estimate
    edge_precision: Estimate
    edge_recall: Estimate


class ExtractionAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """The contract ``assay.extraction/1``.

    Attributes:
        extractor: "rules", or the version of a model's extraction.
        pairs: Number of pairs.
        left_out: Pairs without a graph of the extractor under test; they are in no mean.
        not_made: Pairs of the set that could not be made at all; they are counted nowhere else.
        overall: Means over all pairs.
        bins: Means over the paper's three bins.
        by_language: Means by language.
        content: How much of the arguments was found, by the extractor (under its name) and by each baseline.
        content_by_language: The same by language.
        spearman: Rank correlation of the node counts.
        resamples: Resamples of the intervals (bootstrap over pairs, percentiles).
        seed: Seed of the resampling.
        scores: Every pair.
    """

    extractor: str
    pairs: int
    left_out: int
    not_made: int
    overall: Accuracy
    bins: tuple[Accuracy, ...]
    by_language: dict[str, Accuracy]
    content: dict[str, ContentAccuracy]
    content_by_language: dict[str, dict[str, ContentAccuracy]]
    spearman: Correlation
    resamples: int
    seed: int
    scores: tuple[PairScore, ...]
    schema: str = SCHEMA


def score_pair(
    pair: GroundTruthPair, graph: LogicGraph | None, *, status: str = "ok", problem: str | None = None
) -> PairScore:
    """Compare the graph extracted from a pair's report with its true graph, and so those of the baselines.

    Args:
        pair: A pair with a graph.
        graph: The extracted graph; None if there is none, which ``status`` and ``problem`` then explain.
        status: Status of the score.
        problem: Problem of the score.

    Raises:
        UsageError: The pair has no graph.
    """
    true = pair.graph
    if true is None:
        raise UsageError(f"pair {pair.id} could not be made and cannot be measured: {pair.problem}")
    words = count_words(pair.report)
    if graph is None or status != "ok":
        return PairScore(
            id=pair.id,
            language=pair.language,
            words=words,
            true=true.metrics,
            status="failed" if status == "ok" else status,
            problem=problem,
        )
    matched = match_nodes(true, graph)
    report = Report(pair.report)
    return PairScore(
        id=pair.id,
        language=pair.language,
        words=words,
        true=true.metrics,
        extracted=graph.metrics,
        similarity=similarity(graph, true),
        nodes=node_match(true, graph, matched),
        kinds=kind_match(true, graph, matched),
        edges=edge_match(true, graph, matched),
        content=score_content(true, graph),
        baselines={name: score_content(true, star(report, root(report))) for name, root in BASELINES.items()},
    )


def extraction_accuracy(
    scores: Sequence[PairScore],
    *,
    extractor: str,
    not_made: int = 0,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ExtractionAccuracy:
    """Return means with bootstrap intervals: overall, by the paper's bins, by language (FinResearchBench 4.3.5–6).

    The pair is the unit of resampling. Pairs without a graph of the extractor are counted and left out of every mean.

    Args:
        scores: Score of every pair.
        extractor: Name of the extractor.
        not_made: Pairs that could not be made.
        resamples: Resamples of each interval.
        seed: Seed of the resampling.
    """
    languages = sorted({score.language for score in scores})
    counts = [(s.true.nodes, s.extracted.nodes) for s in scores if s.extracted is not None]

    def over(low: int, high: int | None, some: Sequence[PairScore]) -> Accuracy:
        return _accuracy(low, high, some, resamples, seed)

    return ExtractionAccuracy(
        extractor=extractor,
        pairs=len(scores),
        left_out=sum(score.status != "ok" for score in scores),
        not_made=not_made,
        overall=over(0, None, scores),
        bins=tuple(
            over(
                low,
                high,
                [s for s in scores if low <= s.true.nodes and (high is None or s.true.nodes < high)],
            )
            for low, high in BINS
        ),
        by_language={
            language: over(0, None, [s for s in scores if s.language == language]) for language in languages
        },
        content=_content(scores, extractor, resamples, seed),
        content_by_language={
            language: _content([s for s in scores if s.language == language], extractor, resamples, seed)
            for language in languages
        },
        spearman=spearman([true for true, _ in counts], [found for _, found in counts]),
        resamples=resamples,
        seed=seed,
        scores=tuple(scores),
    )


def _content(
    scores: Sequence[PairScore], extractor: str, resamples: int, seed: int
) -> dict[str, ContentAccuracy]:
    """Return what the extractor found, and the baselines on the same texts."""
    ok = [score for score in scores if score.content is not None]
    columns = {extractor: [score.content for score in ok if score.content is not None]}
    for name in BASELINES:
        columns[name] = [score.baselines[name] for score in ok if name in score.baselines]
    return {
        name: content_accuracy(column, resamples=resamples, seed=seed) for name, column in columns.items()
    }


def _accuracy(low: int, high: int | None, scores: Sequence[PairScore], resamples: int, seed: int) -> Accuracy:
    ok = [score for score in scores if score.similarity is not None and score.extracted is not None]

    def mean(value: Callable[[PairScore], float | None]) -> Estimate:
        return _interval([v for v in map(value, ok) if v is not None], resamples, seed)

    def similar(value: Callable[[Similarity], float]) -> Estimate:
        return mean(lambda s: value(s.similarity) if s.similarity is not None else None)

    def shared(
        match: Callable[[PairScore], Match | None], value: Callable[[Match], float | None]
    ) -> Estimate:
        return mean(lambda s: value(found) if (found := match(s)) is not None else None)

    return Accuracy(
        low=low,
        high=high,
        pairs=len(scores),
        left_out=len(scores) - len(ok),
        nodes=similar(lambda s: s.nodes),
        depth=similar(lambda s: s.depth),
        width=similar(lambda s: s.width),
        average=similar(lambda s: s.average),
        true_nodes=_mean([score.true.nodes for score in ok]),
        extracted_nodes=_mean([score.extracted.nodes for score in ok if score.extracted is not None]),
        min_words=min((score.words for score in scores), default=None),
        max_words=max((score.words for score in scores), default=None),
        node_precision=shared(lambda s: s.nodes, lambda m: m.precision),
        node_recall=shared(lambda s: s.nodes, lambda m: m.recall),
        node_f1=shared(lambda s: s.nodes, lambda m: m.f1),
        kind_accuracy=shared(lambda s: s.kinds, lambda m: m.precision),
        edge_precision=shared(lambda s: s.edges, lambda m: m.precision),
        edge_recall=shared(lambda s: s.edges, lambda m: m.recall),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _interval(values: Sequence[float], resamples: int, seed: int) -> Estimate:
    """Return the mean and the percentile interval of the means of resamples."""
    return mean_interval(values, method="bootstrap", draws=resamples, seed=seed)
