"""Short texts in prose: which clause is a unit, which the main claim, and what speaks against what."""

from __future__ import annotations

import pytest

from assay.logic.graph import LogicGraph
from assay.logic.rule_graph import build_graph
from assay.logic.segments import segments_of
from assay.subjects.report import Report


def links(graph: LogicGraph) -> dict[str, tuple[str, str]]:
    """What each node does to which other, by the first words of both."""
    words = {node.id: node.text[:14] for node in graph.nodes}
    return {words[edge.child]: (edge.relation, words[edge.parent]) for edge in graph.edges}


def root(graph: LogicGraph) -> str:
    assert len(graph.roots) == 1
    return next(node.text for node in graph.nodes if node.id == graph.roots[0])


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Although wind is cheap, the grid cannot take it.", [("concedes", 1), ("", 0)]),
        ("The ban should stay because children suffer from noise.", [("", 0), ("grounds", -1)]),
        ("Because rents rise, families leave the city.", [("grounds", 1), ("", 0)]),
        ("The bus is slow, but it is never late.", [("", 0), ("turns", -1)]),
        ("It is not only cheap, but it is clean too.", [("", 0)]),
        ("The room is small, but bright.", [("", 0)]),
        ("He left because of the noise.", [("", 0)]),
        ("虽然风电成本下降很快，但电网消纳能力不足。", [("concedes", 1), ("", 0)]),
        ("之所以这样安排，是因为老人不会用手机。", [("", 0), ("grounds", -1)]),
        ("共享单车出行方便，但乱停放影响行人。", [("", 0), ("turns", -1)]),
        ("这不仅便宜，但凡用过的人都说好。", [("", 0)]),
    ],
)
def test_segments(sentence, parts) -> None:
    lower = sentence.lower()
    found = segments_of(lower, 0, len(lower))
    assert [(segment.hinge, segment.other) for segment in found] == parts
    assert found[0].start == 0
    assert found[-1].end == len(lower)


def test_three_sentences() -> None:
    graph = build_graph(
        Report("Tariffs raise prices. Importers pass on 12 % of them. So tariffs hurt consumers most.\n")
    )
    assert root(graph) == "So tariffs hurt consumers most."
    assert len(graph.nodes) == 3
    assert [node.kind for node in graph.nodes].count("evidence") == 1


def test_an_objection_and_its_answer() -> None:
    graph = build_graph(
        Report(
            "The square should be closed to cars. Cars take up two thirds of it. Shopkeepers worry that customers "
            "will stay away. However, most customers come on foot. In addition, the paving would last longer.\n"
        )
    )
    assert root(graph).startswith("The square should")
    found = links(graph)
    assert found["Cars take up t"] == ("supports", "The square sho")
    assert found["Shopkeepers wo"] == ("rebuts", "The square sho")
    assert found["However, most "] == ("undercuts", "Shopkeepers wo")
    assert found["In addition, t"] == ("supports", "The square sho")


def test_a_doubt_about_a_reason_and_its_answer() -> None:
    graph = build_graph(
        Report(
            "The pilot shows that later school hours help pupils. Grades at the three schools rose by 8 %. The three "
            "schools had volunteered, so the rise in grades says little about others. Even so, the grades of the "
            "three schools had been falling before.\n"
        )
    )
    found = links(graph)
    assert found["The three scho"] == ("undercuts", "Grades at the ")
    assert found["Even so, the g"] == ("rebuts", "The three scho")


def test_chinese() -> None:
    graph = build_graph(
        Report(
            "老城区应当禁止大货车通行。货车造成了六成的夜间噪声。有人担心店铺进货不便。其实早上七点以前仍可送货。\n"
        )
    )
    assert root(graph).startswith("老城区应当")
    assert {relation for relation, _ in links(graph).values()} == {"supports", "rebuts", "undercuts"}
    assert links(graph)["其实早上七点以前仍可送货。"[:14]][0] == "undercuts"


def test_because_and_although() -> None:
    graph = build_graph(
        Report(
            "Although the tunnel is expensive, the city should build it. The old bridge has to close in 2031, "
            "because its cables are rusting.\n"
        )
    )
    assert root(graph).startswith("the city should")
    found = links(graph)
    assert found["Although the t"] == ("rebuts", "the city shoul")
    assert found["because its ca"] == ("supports", "The old bridge")


def test_what_speaks_against_a_claim_holds_nothing_up() -> None:
    graph = build_graph(
        Report(
            "The fee should be dropped. Opponents point out that the fee brought in $4.2 million in 2023.\n"
        )
    )
    top = next(node for node in graph.nodes if node.id == graph.roots[0])
    assert top.support == "unsupported"


def test_a_report_is_not_an_essay() -> None:
    """Headings and lists show the argument; the sentences are then not read one by one."""
    text = "# A\n\nIntro is long enough to be a sentence here.\n\n## B\n\nCosts fell by 9 % in 2023.\n\n- One item\n"
    assert len(build_graph(Report(text)).nodes) < 4


def test_contexts_and_contrast_in_reports() -> None:
    text = (
        "# Funds\n\n## Summary\n\nOverall, large funds should publish their holdings.\n\n## Norway\n\nThe largest holder of "
        "shares is crucial for every market. However, the largest holder of shares votes late, which is a major challenge."
        "\n\n## Japan\n\nJapan's fund is the most important buyer of bonds.\n"
    )
    graph = build_graph(Report(text))
    node = next(node for node in graph.nodes if node.text.startswith("The largest"))
    assert node.context == "Norway"
    assert next(node for node in graph.nodes if node.text.startswith("Japan")).context == ""
    assert links(graph)["However, the l"][0] == "rebuts"


def test_announcements_and_slogans_are_no_claims() -> None:
    text = (
        "# 报告\n\n本文将分析三个问题。\n\n## 一、现状\n\n市场规模是最重要的问题，因为它决定投资。\n\n"
        "- 推动产业升级\n- 加强国际合作\n- 应当建立补偿机制，因为农户承担了全部损失\n"
    )
    words = [node.text for node in build_graph(Report(text)).nodes]
    assert not [text for text in words if "本文将" in text or "推动产业" in text or "加强国际" in text]
    assert [text for text in words if "补偿机制" in text]
