"""Sizes of graphs, the rule scores and the similarities, against values worked out by hand."""

from __future__ import annotations

import math
from graphlib import TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import Report
from assay.logic.graph import Edge, LogicGraph, Metrics, Node
from assay.logic.metrics import depths, measure, metrics
from assay.logic.scores import (
    RuleScores,
    analysis_depth,
    analysis_width,
    information_density,
    paragraph_richness,
    rule_scores,
    words_per_section,
)
from assay.logic.similarity import Similarity, ratio, similarity


def graph(edges: str, roots: str, evidence: str = "") -> LogicGraph:
    """``graph("ab ac bd", "a", "cd")``: one letter a node."""
    pairs = edges.split()
    names = sorted(set("".join(pairs)) | set(roots))
    nodes = tuple(
        Node(
            n,
            "evidence" if n in evidence else "argument",
            n.upper(),
            None,
            None if n in evidence else "partial",
        )
        for n in names
    )
    links = tuple(Edge(a, b) for a, b in pairs)
    return LogicGraph(nodes, links, tuple(roots), measure(nodes, links, roots))


def sizes(
    nodes: int = 0, evidence: int = 0, deepest: int = 0, leaf: float = 0.0, children: float = 0.0
) -> Metrics:
    return Metrics(nodes, evidence, deepest, leaf, children)


def test_a_tree() -> None:
    # a ─ b ─ d, e;  a ─ c          leaves d and e at 3, c at 2; a and b have two children each
    assert metrics(graph("ab ac bd be", "a", "de")) == Metrics(5, 2, 3, pytest.approx(8 / 3), 2.0)


def test_several_roots_stand_at_depth_one() -> None:
    # a alone, b ─ c: leaves a at 1 and c at 2
    assert metrics(graph("bc", "ab", "c")) == Metrics(3, 1, 2, 1.5, 1.0)


def test_a_shared_node_is_as_deep_as_its_longest_way() -> None:
    # a ─ b ─ c and a ─ c: c at 3, counted once; a has two children, b one
    assert metrics(graph("ab bc ac", "a", "c")) == Metrics(3, 1, 3, 3.0, 1.5)


def test_mean_children_leaves_childless_nodes_out() -> None:
    # a has four children, they have none: 4, not 4/5
    assert metrics(graph("ab ac ad ae", "a")).mean_children == 4.0


def test_nothing() -> None:
    assert measure((), (), ()) == Metrics(0, 0, 0, 0.0, 0.0)


def test_a_cycle_is_an_error() -> None:
    with pytest.raises(ValueError, match="cycle"):
        depths({"a": ["b"], "b": ["c"], "c": ["a"]}, ["a"])


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(1, 12)).filter(lambda e: e[0] < e[1]), max_size=30))
def test_depths_against_a_second_implementation(pairs: list[tuple[int, int]]) -> None:
    below: dict[str, list[str]] = {}
    above: dict[str, set[str]] = {"0": set()}
    for a, b in sorted(set(pairs)):
        below.setdefault(str(a), []).append(str(b))
        above.setdefault(str(a), set())
        above.setdefault(str(b), set()).add(str(a))
    found = depths(below, ["0"])
    expected = {"0": 1}
    for node in TopologicalSorter(above).static_order():
        if node != "0":
            reached = [expected[up] for up in above[node] if up in expected]
            if reached:
                expected[node] = 1 + max(reached)
    assert found == expected


@pytest.mark.parametrize(
    ("children", "score"),
    # 33.33 · (3 − 1) = 66.66; 33.33 · 1.5 = 49.995 is the paper's usual "49" to "51"; four children and a bit clip
    [(0.0, 0.0), (1.0, 0.0), (2.5, 49.995), (3.0, 66.66), (4.0, 99.99), (4.1, 100.0)],
)
def test_width(children: float, score: float) -> None:
    assert analysis_width(sizes(children=children)) == pytest.approx(score)


@pytest.mark.parametrize(
    ("deepest", "leaf", "score"),
    [
        (1, 1.0, 0.0),
        (2, 2.0, 0.6 * 20),  # the leaves alone: 40 · 0.5
        (5, 3.5, 0.4 * 75 + 0.6 * 80),  # 78
        (6, 4.0, 100.0),  # both parts full
        (9, 8.0, 100.0),
    ],
)
def test_depth(deepest: int, leaf: float, score: float) -> None:
    assert analysis_depth(sizes(deepest=deepest, leaf=leaf)) == pytest.approx(score)


@pytest.mark.parametrize(
    ("nodes", "evidence", "score"),
    [
        (0, 0, 0.0),
        (5, 5, 30.0),  # no points for size, all for evidence
        (30, 15, 0.7 * 50 + 0.3 * 50),
        (55, 0, 70.0),
        (60, 60, 100.0),
    ],
)
def test_density(nodes: int, evidence: int, score: float) -> None:
    assert information_density(sizes(nodes=nodes, evidence=evidence)) == pytest.approx(score)


@pytest.mark.parametrize(
    ("words", "score"),
    [
        (-1, 0),
        (0, 0),
        (50, 30),
        (99.5, 59.7),
        (100, 68),
        (150, 72),
        (199.5, 75.96),
        (200, 100),
        (499, 100),
        (500, 100),  # the printed formula gives 125
        (1000, 100),
        (1200, 90),
        (1800, 60),
        (9000, 60),
    ],
)
def test_richness(words: float, score: float) -> None:
    assert paragraph_richness(words) == pytest.approx(score)


def test_words_per_section() -> None:
    # 3 words before the first heading, 4 under A (its subsection apart), none under B, 2 under C: 9 in 4 parts.
    # Titles and the reference list are not counted.
    source = (
        "Three opening words.\n\n# A title\n\nOne two three four.\n\n## Empty B\n\n### C\n\nFive six.\n\n"
        "## References\n\n[1] Somebody wrote this: https://a.example/1\n[2] And this: https://a.example/2\n"
    )
    assert words_per_section(Report(source)) == pytest.approx(9 / 4)


def test_words_per_section_counts_chinese_by_character() -> None:
    assert words_per_section(Report("# 标题\n\n十个汉字在这里一二三。\n")) == 10.0


def test_no_words_no_richness() -> None:
    for source in ("", "\n\n", "# Title only\n"):
        assert words_per_section(Report(source)) == 0.0


def test_rule_scores_of_a_graph() -> None:
    g = graph("ab ac bd be", "a", "de")
    scores = rule_scores(Report("word " * 250), g)
    # two children; depth 3 with leaves at 8/3; five nodes, two of them evidence; 250 words in one part
    assert scores == RuleScores(
        pytest.approx(33.33),
        pytest.approx(0.4 * 25 + 0.6 * 40 * (8 / 3 - 1.5)),
        pytest.approx(0.3 * 40),
        100.0,
    )


finite = st.floats(0, 1e6)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 60), st.tuples(finite, finite, finite))
def test_scores_stay_between_0_and_100(
    n: int, e: int, deepest: int, floats: tuple[float, float, float]
) -> None:
    leaf, children, words = floats
    m = sizes(n, min(n, e), deepest, leaf, children)
    for score in (analysis_width(m), analysis_depth(m), information_density(m), paragraph_richness(words)):
        assert 0.0 <= score <= 100.0


# ── similarity ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("nodes", "depth", "width", "average"),
    # Section 4.3.5 of the paper: all pairs, then those with fewer than 25, 25 to 49, and 50 or more nodes.
    [(0.54, 0.85, 0.76, 0.72), (0.37, 0.81, 0.66, 0.61), (0.78, 0.89, 0.82, 0.83), (0.48, 0.85, 0.81, 0.71)],
)
def test_the_averages_of_the_paper(nodes: float, depth: float, width: float, average: float) -> None:
    assert round(Similarity(nodes, depth, width).average, 2) == average


def test_similarity_by_hand() -> None:
    left = sizes(nodes=40, leaf=3.0, children=2.0)
    right = sizes(nodes=50, leaf=4.0, children=2.0)
    # 1 − 10/50, 1 − 1/4, 1
    found = similarity(left, right)
    assert (found.nodes, found.depth, found.width) == (pytest.approx(0.8), pytest.approx(0.75), 1.0)
    assert found.average == pytest.approx(0.85)


def test_zero_against_zero_is_alike_and_against_anything_else_is_not() -> None:
    assert ratio(0, 0) == 1.0
    assert ratio(0, 7) == 0.0
    assert similarity(sizes(), sizes()).average == 1.0


def test_similarity_takes_graphs() -> None:
    one, two = graph("ab ac", "a"), graph("ab ac bd be", "a")
    assert similarity(one, one).average == 1.0
    assert similarity(one, two) == similarity(one.metrics, two.metrics)


@given(*[st.tuples(st.integers(0, 300), finite, finite)] * 2)
def test_similarity_is_symmetric_and_between_0_and_1(
    a: tuple[int, float, float], b: tuple[int, float, float]
) -> None:
    left = sizes(nodes=a[0], leaf=a[1], children=a[2])
    right = sizes(nodes=b[0], leaf=b[1], children=b[2])
    there, back = similarity(left, right), similarity(right, left)
    assert there == back
    for value in (there.nodes, there.depth, there.width, there.average):
        assert 0.0 <= value <= 1.0
        assert not math.isnan(value)
