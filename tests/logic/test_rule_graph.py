"""The graph of a report: what becomes a node, what stands under what, and what holds for any text."""

from __future__ import annotations

from graphlib import TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import Report
from assay.logic.graph import LogicGraph, Node
from assay.logic.metrics import metrics
from assay.logic.rule_graph import build_graph
from assay.logic.scores import rule_scores
from assay.subjects.span import Span

ENGLISH = """\
# Wind power in the north

This report examines offshore wind. It covers costs and grids.

## Summary

Offshore wind is the cheapest way to decarbonise the northern grid and should be built first. Auction prices fell to \
$62/MWh in 2023.

## Costs

Costs have fallen faster than anyone expected. Auction prices for offshore wind dropped from $160/MWh in 2015 to \
$62/MWh in 2023 [1]. Turbines grew from 6 MW to 15 MW over the same years [2]. What explains this?

**Key figures:**

- Capital costs for the northern projects declined by 48% between 2015 and 2023 [1]
- Balance of plant

Table 1. Costs by project

## Grid

The grid remains the bottleneck, because new lines take a decade to build. The operator reported 4.1 TWh of curtailment \
in 2023, which cost consumers $310 million [3].

## References

[1] Agency – Prices of offshore wind: https://a.example/1
[2] Maker – Turbines in 2023 cost $5 million: https://a.example/2
[3] Operator – Annual report: https://a.example/3
"""

CHINESE = """\
# 再生水利用方案

本报告分析再生水的利用。

## 结论

综上，河道补水成本最低，应当最先实施。

## 一、需求

需求主要集中在工业冷却和河道补水两个方面。用水调查显示，三类用途的潜力合计4.0万立方米/日[1]。

## 二、成本

（1）人工湿地的单位成本为0.50元/立方米，是三条路线中最低的[2]。

（2）反渗透成本最高，因为高压泵耗电多。反渗透的处理成本为2.80元/立方米，约为湿地的5.6倍[2]。

## 参考文献

[1] 调查报告：https://a.example/1
[2] 成本研究：https://a.example/2
"""


def node(graph: LogicGraph, words: str) -> Node:
    found = [n for n in graph.nodes if words in n.text]
    assert len(found) == 1, [n.text for n in graph.nodes]
    return found[0]


def parents(graph: LogicGraph, child: Node) -> set[str]:
    return {edge.parent for edge in graph.edges if edge.child == child.id}


def check(report: Report, graph: LogicGraph) -> None:
    """What holds for every graph."""
    ids = [n.id for n in graph.nodes]
    assert len(ids) == len(set(ids))
    edges = [(e.parent, e.child) for e in graph.edges]
    assert len(edges) == len(set(edges))
    assert {end for edge in edges for end in edge} <= set(ids)
    above: dict[str, set[str]] = {name: set() for name in ids}
    for parent, child in edges:
        above[child].add(parent)
    order = list(TopologicalSorter(above).static_order())  # raises on a cycle
    assert sorted(order) == sorted(ids)
    # Roots are the nodes without parents, and everything hangs on one.
    assert set(graph.roots) == {name for name in ids if not above[name]}
    for n in graph.nodes:
        assert n.span is not None
        assert 0 <= n.span.start < n.span.end <= len(report.source)
        assert n.text == report.plain_text(Span(n.span.start, n.span.end))
        assert n.text
        assert report.lines.place(n.span.start) == (n.span.line, n.span.column)
        assert (n.support is None) == (n.kind == "evidence")
    kinds = {n.id: n.kind for n in graph.nodes}
    assert all(kinds[parent] == "argument" for parent, _ in edges)
    assert graph.metrics == metrics(graph)
    for score in rule_scores(report, graph).__struct_fields__:
        assert 0.0 <= getattr(rule_scores(report, graph), score) <= 100.0


def test_english() -> None:
    report = Report(ENGLISH, query="Should the north build offshore wind first?")
    graph = build_graph(report)
    check(report, graph)
    thesis = node(graph, "cheapest way to decarbonise")
    assert graph.roots[0] == thesis.id
    costs = node(graph, "Costs have fallen faster")
    grid = node(graph, "The grid remains the bottleneck")
    # Neither takes up enough words of the thesis to be drawn under it.
    assert not parents(graph, costs)
    assert not parents(graph, grid)
    prices = node(graph, "dropped from $160/MWh")
    assert prices.kind == "evidence"
    assert costs.id in parents(graph, prices)
    assert node(graph, "declined by 48%").kind == "evidence"
    assert parents(graph, node(graph, "4.1 TWh")) == {grid.id}


def test_chinese() -> None:
    report = Report(CHINESE, query="再生水怎样利用？")
    graph = build_graph(report)
    check(report, graph)
    thesis = node(graph, "河道补水成本最低")
    assert graph.roots[0] == thesis.id
    dear = node(graph, "反渗透成本最高")
    assert dear.kind == "argument"
    ratio = node(graph, "约为湿地的5.6倍")
    assert ratio.kind == "evidence"
    assert parents(graph, ratio) == {dear.id}
    assert node(graph, "4.0万立方米").kind == "evidence"
    # The enumerator is no part of the statement.
    assert node(graph, "2.80元").text.startswith("反渗透")
    # What the claim of its section is not about supports nothing.
    assert not [n.text for n in graph.nodes if "0.50元" in n.text]


@pytest.mark.parametrize(
    "words",
    [
        "This report examines",
        "It covers costs",
        "What explains this",
        "Key figures",
        "Balance of plant",
        "Table 1",
        "Turbines in 2023 cost",
        "Summary",
    ],
)
def test_what_is_no_node(words: str) -> None:
    assert not [n.text for n in build_graph(Report(ENGLISH)).nodes if words in n.text]


def test_a_heading_is_a_node_only_when_it_claims_something() -> None:
    source = (
        "# Heating\n\n## Heat pumps are cheaper to run than gas boilers\n\nIn 40 homes the bill fell by 31% [1].\n\n"
        "## How are costs shared?\n\nGrants covered 45% of the cost in 2023 because the state paid [1].\n\n[1]: https://a.example/1\n"
    )
    graph = build_graph(Report(source))
    claim = node(graph, "Heat pumps are cheaper")
    assert claim.kind == "argument"
    assert parents(graph, node(graph, "fell by 31%")) == {claim.id}
    assert not [n for n in graph.nodes if "How are costs" in n.text]


def test_support() -> None:
    source = (
        "# Trains\n\n## Speed\n\nFast trains clearly win passengers from airlines on short routes. Airlines lost 62% of their "
        "passengers on routes with fast trains [1].\n\n## Noise\n\nNoise will nevertheless remain the main objection of "
        "residents.\n\n## Price\n\nPrices are the main barrier for most families [1].\n\n[1]: https://a.example/1\n"
    )
    graph = build_graph(Report(source))
    assert node(graph, "Fast trains clearly").support == "supported"
    assert node(graph, "Noise will").support == "unsupported"
    assert node(graph, "Prices are the main").support == "partial"


def test_evidence_can_carry_two_claims() -> None:
    source = (
        "# Steel\n\n## Conclusion\n\nOverall, green steel needs cheap hydrogen most of all. Therefore hydrogen at $2/kg is the "
        "decisive condition for green steel.\n\n## Hydrogen\n\nHydrogen is still far too expensive in most places. Green steel "
        "reaches parity with hydrogen at $2/kg, a study of 14 plants found [1].\n\n[1]: https://a.example/1\n"
    )
    graph = build_graph(Report(source))
    check(Report(source), graph)
    study = node(graph, "a study of 14 plants")
    assert parents(graph, study) >= {
        node(graph, "Hydrogen is still far").id,
        node(graph, "decisive condition").id,
    }


def test_a_sentence_repeated_is_one_node() -> None:
    line = "Output in the region clearly remains the most important factor for growth. It rose by 12% in 2023.\n\n"
    graph = build_graph(Report("# A\n\n" + "".join(f"## Part {i}\n\n{line}" for i in range(6))))
    texts = [n.text for n in graph.nodes]
    assert len(texts) == len(set(texts))


def test_an_empty_report_has_an_empty_graph() -> None:
    for source in ("", "  \n\n", "# Title\n", "```\ncode = 1\n```\n", "[1]: https://a.example\n"):
        graph = build_graph(Report(source))
        assert graph.nodes == graph.edges == graph.roots == ()
        assert graph.metrics == metrics(graph)


def test_plain_text_without_headings() -> None:
    source = (
        "The city should close the ring road to lorries, because they cause most of the noise. Lorries made up 9% of traffic "
        "and 64% of night noise in 2022.\n\nResidents have long been critical of the noise at night. A survey of 2,100 "
        "households found that 71% sleep with closed windows.\n"
    )
    report = Report(source, markdown=False)
    graph = build_graph(report)
    check(report, graph)
    assert "close the ring road" in graph.nodes[0].text
    assert graph.metrics.evidence == 2


def test_size_grows_slower_than_the_text() -> None:
    part = "## Part {0}\n\nFactor {0} is clearly the most important driver here. Output {0} rose by {0}.5% in 2023 [1].\n\n"
    sizes = []
    for n in (5, 50, 500):
        report = Report("# Long\n\n" + "".join(part.format(i) for i in range(1, n + 1)))
        graph = build_graph(report)
        check(report, graph)
        sizes.append(graph.metrics.nodes)
    assert sizes[0] >= 8
    assert sizes[1] <= 60
    assert sizes[2] <= 160


def test_deep_nesting_is_no_trouble() -> None:
    nested = "".join(
        "  " * i + f"- Level {i} is clearly important because it costs ${i}00 million [1]\n"
        for i in range(60)
    )
    report = Report(
        "# Deep\n\n" + nested + "\n" + "> " * 300 + "The bottom is clearly important for all of us here.\n"
    )
    check(report, build_graph(report))


PIECES = st.sampled_from(
    [
        "# Conclusion\n\n",
        "## 一、成本大幅下降\n\n",
        "### Results are better than expected by most people\n\n",
        "Therefore, costs are clearly the most important factor [1]. ",
        "Output rose by 12% in 2023, a study found [1][2]. ",
        "因此，成本是最关键的因素。",
        "2023年同比增长12%[1]。",
        "- **Label:** the plan will reduce costs by $5 million\n",
        "  - nested item with 30% of something that matters\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
        "\n\n",
        "```\ncode\n```\n",
        "[link](https://a.example) ",
        "[1]: https://a.example/1\n",
        "## References\n\n[1] A: https://a.example/1\n\n",
        "<script>alert(1)</script> ",
        "(1) ",
        "“",
        "\\[ \\frac{a}{b} \\]",
        "\x00\x1b[31m",
        "İ",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=40).map("".join))
def test_any_text_gives_a_sound_graph(source: str) -> None:
    for markdown in (True, False):
        report = Report(source, query="What does it cost?", markdown=markdown)
        graph = build_graph(report)
        check(report, graph)
        assert build_graph(Report(source, query="What does it cost?", markdown=markdown)) == graph


def test_real_reports(real_reports: list[dict]) -> None:
    nodes = evidence = 0
    for row in real_reports:
        report = Report(row["report"], query=row["query"])
        graph = build_graph(report)
        check(report, graph)
        assert graph.metrics.nodes >= 3
        nodes += graph.metrics.nodes
        evidence += graph.metrics.evidence
    assert 25 <= nodes / len(real_reports) <= 70
    assert 0.2 <= evidence / nodes <= 0.7


def test_examples(examples) -> None:
    for path in sorted(place for place in examples.glob("*/*.md") if (place.parent / "query.txt").is_file()):
        report = Report(
            path.read_text(encoding="utf-8"), query=(path.parent / "query.txt").read_text(encoding="utf-8")
        )
        graph = build_graph(report)
        check(report, graph)
        assert 10 <= graph.metrics.nodes <= 60
        assert len(graph.roots) <= 15
