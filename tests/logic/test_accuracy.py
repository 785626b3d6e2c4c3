"""Accuracy of extraction: the paper's own figures again, nodes and edges by hand, intervals, what is left out."""

import json

import msgspec
import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from assay.checks.base import LocatedSpan
from assay.errors import UsageError
from assay.logic.accuracy import BINS, extraction_accuracy, score_pair
from assay.logic.graph import Edge, LogicGraph, Metrics, Node
from assay.logic.ground_truth.pair import GroundTruthPair, PairOrigin
from assay.logic.ground_truth.synthetic import synthetic_pairs
from assay.logic.matching import Match, edge_match, match_nodes, node_match
from assay.logic.metrics import measure
from assay.logic.rule_graph import build_graph
from assay.logic.similarity import Similarity
from assay.subjects.report import Report

REPORT = "abcdefghij" * 10


def graph(spans, edges, kinds=None) -> LogicGraph:
    nodes = tuple(
        Node(name, (kinds or {}).get(name, "argument"), REPORT[a:b], LocatedSpan(a, b, 1, a + 1), None)
        for name, (a, b) in spans.items()
    )
    links = tuple(Edge(*edge) for edge in edges)
    roots = tuple(name for name in spans if not any(name == child for _, child in edges))
    return LogicGraph(nodes, links, roots, measure(nodes, links, roots))


def pair(true: LogicGraph, name="p", language="en") -> GroundTruthPair:
    return GroundTruthPair(
        id=name, topic="T", language=language, made_by=PairOrigin(kind="synthetic", version="1"), evidence="planted",
        report=REPORT, graph=true,
    )  # fmt: skip


# FinResearchBench, section 4.3.5: the three similarities of all pairs and of each bin, and the averages printed.
@pytest.mark.parametrize(
    ("nodes", "depth", "width", "average"),
    [(0.54, 0.85, 0.76, 0.72), (0.37, 0.81, 0.66, 0.61), (0.78, 0.89, 0.82, 0.83), (0.48, 0.85, 0.81, 0.71)],
)
def test_the_papers_averages_follow_from_its_similarities(nodes, depth, width, average) -> None:
    assert round(Similarity(nodes, depth, width).average, 2) == average


def sized(nodes: int, extracted: int, name: str) -> object:
    """A score of a pair of such sizes, all else alike."""
    true = Metrics(nodes, 0, 3, 3.0, 3.0)
    score = score_pair(pair(graph({"a": (0, 9)}, [])), graph({"a": (0, 9)}, []))
    found = Metrics(extracted, 0, 3, 3.0, 3.0)
    like = Similarity(1 - abs(nodes - extracted) / max(nodes, extracted), 1.0, 1.0)
    return msgspec.structs.replace(score, id=name, true=true, extracted=found, similarity=like)


def test_bins_are_those_of_the_paper_by_the_true_size() -> None:
    scores = [sized(n, 40, str(n)) for n in (24, 25, 49, 50, 400)]
    result = extraction_accuracy(scores, extractor="x")
    assert BINS == ((0, 25), (25, 50), (50, None))
    assert [part.pairs for part in result.bins] == [1, 2, 2]
    assert [part.extracted_nodes for part in result.bins] == [40, 40, 40]
    # 24/40; 25/40 and 40/49; 40/50 and 40/400.
    assert [part.nodes.value for part in result.bins] == pytest.approx([0.6, (0.625 + 40 / 49) / 2, 0.45])
    assert result.overall.average.value == pytest.approx((result.overall.nodes.value + 2) / 3)


def test_a_weighted_mean_of_the_papers_bins_gives_its_overall_figures() -> None:
    # The paper does not print how many pairs each bin holds. Some split of 100 gives all three overall figures.
    bins = np.array([[0.37, 0.78, 0.48], [0.81, 0.89, 0.85], [0.66, 0.82, 0.81]])
    overall = np.array([0.54, 0.85, 0.76])
    splits = [np.array([a, b, 100 - a - b]) / 100 for a in range(101) for b in range(101 - a)]
    assert any(np.abs(bins @ split - overall).max() < 0.01 for split in splits)


TRUE = graph(
    {"a": (0, 10), "b": (10, 30), "c": (30, 40), "d": (40, 60)},
    [("a", "b"), ("b", "c"), ("a", "d")],
    {"c": "evidence", "d": "evidence"},
)


def test_nodes_and_edges_by_hand() -> None:
    found = graph(
        # x is a; y covers 15 of the 20 of b and no more; z reaches over c by far; w is d, of the wrong kind.
        {"x": (0, 10), "y": (15, 30), "z": (20, 40), "w": (40, 61)},
        [("x", "y"), ("x", "w"), ("y", "z"), ("y", "w")],
    )
    matched = match_nodes(TRUE, found)
    # z shares 10 of 20 with c, which is just enough; of b it shares as many of 30.
    assert matched == {"x": "a", "y": "b", "z": "c", "w": "d"}
    assert node_match(TRUE, found, matched) == Match(4, 4, 4)
    # a-b, a-d and b-c are right, b-d is not.
    assert edge_match(TRUE, found, matched) == Match(3, 4, 3)
    score = score_pair(pair(TRUE), found)
    assert (score.kinds.hits, score.kinds.true) == (2, 4)
    assert (score.edges.precision, score.edges.recall) == (0.75, 1.0)


def test_what_stands_under_a_node_of_one_graph_only_stands_under_the_next_above() -> None:
    # b was missed: c, which is under it, is rightly put under a. w stands for nothing: d under it is under a too.
    found = graph(
        {"x": (0, 10), "w": (70, 80), "z": (30, 40), "v": (40, 60)}, [("x", "z"), ("x", "w"), ("w", "v")]
    )
    matched = match_nodes(TRUE, found)
    assert matched == {"x": "a", "z": "c", "v": "d"}
    assert edge_match(TRUE, found, matched) == Match(2, 2, 2)
    flat = graph({"x": (0, 10), "z": (30, 40), "v": (40, 60)}, [("x", "z"), ("z", "v")])
    assert edge_match(TRUE, flat, match_nodes(TRUE, flat)) == Match(1, 2, 2)


def test_a_node_stands_for_one_only_and_the_closest_is_taken() -> None:
    found = graph({"x": (10, 28), "y": (10, 30), "z": (70, 80)}, [])
    assert match_nodes(TRUE, found) == {"y": "b"}
    matched = match_nodes(TRUE, found)
    assert node_match(TRUE, found, matched) == Match(1, 3, 4)
    assert Match(1, 3, 4).f1 == pytest.approx(2 / 7)
    assert edge_match(TRUE, found, matched) == Match(0, 0, 0)


def test_what_has_no_value_has_none() -> None:
    empty = graph({}, [])
    score = score_pair(pair(TRUE), empty)
    assert (score.nodes.precision, score.nodes.recall, score.nodes.f1) == (None, 0.0, 0.0)
    assert (score.edges.precision, score.edges.recall, score.edges.f1) == (None, None, None)
    unplaced = LogicGraph((Node("n", "argument", "x", None, None),), (), ("n",), Metrics(1, 0, 1, 1.0, 0.0))
    assert node_match(TRUE, unplaced, match_nodes(TRUE, unplaced)) == Match(0, 1, 4)
    result = extraction_accuracy([score], extractor="x")
    assert result.overall.node_precision.n == 0
    assert result.overall.node_precision.value is None
    assert result.overall.node_recall.low is None
    assert result.spearman.value is None
    assert result.bins[1].nodes.value is None


def test_pairs_without_a_graph_are_counted_and_in_no_mean() -> None:
    good = score_pair(pair(TRUE, "good"), TRUE)
    scores = [good, score_pair(pair(TRUE, "bad"), None, status="fallback", problem="nothing usable")]
    result = extraction_accuracy(scores, extractor="m", not_made=3)
    assert (result.pairs, result.left_out, result.not_made) == (2, 1, 3)
    assert result.overall.nodes.n == 1
    assert result.overall.nodes.value == 1.0
    assert (result.overall.pairs, result.overall.left_out) == (2, 1)
    assert result.scores[1].problem == "nothing usable"
    assert result.scores[1].similarity is None
    assert result.spearman.n == 1
    assert score_pair(pair(TRUE), None).status == "failed"
    with pytest.raises(UsageError, match="could not be made"):
        score_pair(msgspec.structs.replace(pair(TRUE), graph=None, status="failed"), None)


spans = st.lists(st.tuples(st.integers(0, 95), st.integers(1, 30)), max_size=12).map(
    lambda found: {f"n{i}": (a, min(a + size, 100)) for i, (a, size) in enumerate(found)}
)


@given(spans, spans)
def test_matching_is_one_to_one_and_does_not_depend_on_who_is_asked(left, right) -> None:
    a, b = graph(left, []), graph(right, [])
    matched = match_nodes(a, b)
    assert len(set(matched.values())) == len(matched)
    assert set(matched) <= set(right)
    for name, other in matched.items():
        (low, high), (start, end) = left[other], right[name]
        assert 2 * (min(high, end) - max(low, start)) >= max(high, end) - min(low, start)
    assert len(match_nodes(a, a)) == len(left)


def test_the_interval_is_that_of_the_bootstrap_and_the_same_each_time() -> None:
    scores = [sized(n, 40, str(n)) for n in range(20, 80)]
    result = extraction_accuracy(scores, extractor="x")
    assert result == extraction_accuracy(scores, extractor="x")
    values = np.array([score.similarity.nodes for score in scores])
    usual = scipy.stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=5000, rng=1
    ).confidence_interval
    assert (result.overall.nodes.low, result.overall.nodes.high) == pytest.approx(tuple(usual), abs=0.01)
    assert result.overall.nodes.n == 60


def test_the_correlation_is_spearmans() -> None:
    scores = [sized(n, (n * 7) % 31 + 5, str(n)) for n in range(10, 40)]
    result = extraction_accuracy(scores, extractor="x")
    usual = scipy.stats.spearmanr([s.true.nodes for s in scores], [s.extracted.nodes for s in scores])
    assert result.spearman.value == pytest.approx(usual.statistic)
    assert result.spearman.p == pytest.approx(usual.pvalue)


def test_rules_on_synthetic_pairs() -> None:
    # What holds of the texts we plant, so that a change of the rules that breaks them is seen.
    pairs = synthetic_pairs(60, seed=5)
    scores = [score_pair(one, build_graph(Report(one.report, query=one.topic))) for one in pairs]
    result = extraction_accuracy(scores, extractor="rules")
    assert result.overall.average.value > 0.55
    assert result.overall.node_precision.value > 0.95
    assert result.overall.node_recall.value > 0.6
    assert result.overall.kind_accuracy.value > 0.94
    assert result.overall.edge_precision.value > 0.85
    assert result.spearman.value > 0.9
    assert set(result.by_language) == {"en", "zh"}
    row = json.loads(msgspec.json.encode(result))
    assert row["schema"] == "assay.extraction/1"
    assert row["overall"]["high"] is None
