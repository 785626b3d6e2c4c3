"""A report from written claims: every node found in it, word for word."""

import pytest

from assay.logic.graph import Edge
from assay.logic.ground_truth.composer import Claim, ClaimFact, NotFoundError, compose, locate
from assay.logic.metrics import metrics

PRICE = ClaimFact("Prices fell by 12 percent in 2022.", 1)
SALES = ClaimFact("Sales rose.", 2, ("1",))
TREE = Claim(
    key="1",
    text="Pumps pay.",
    title="Do pumps pay?",
    blocks=("Pumps pay. It is a long story.",),
    claims=(
        Claim(
            key="1.1",
            text="Costs are down.",
            title="Costs",
            blocks=("Prices fell by 12 percent in 2022. Sales rose. So costs are down. Costs are down.",),
            facts=(PRICE, SALES),
        ),
        Claim(key="1.2", text="They last.", blocks=("They last.",)),
    ),
)


def test_the_report_has_headings_sources_and_a_note() -> None:
    report, _ = compose(TREE, sources=["a.md", "b.md"], sources_title="Sources", note=("Note", "Made up."))
    assert report == (
        "# Do pumps pay?\n\nPumps pay. It is a long story.\n\n## Costs\n\n"
        "Prices fell by 12 percent in 2022. [1] Sales rose. [2] So costs are down. Costs are down.\n\n"
        "They last.\n\n## Sources\n\n[1] a.md\n[2] b.md\n## Note\n\nMade up.\n"
    )


def test_every_node_stands_where_its_span_says() -> None:
    report, graph = compose(TREE, sources=["a.md", "b.md"], sources_title="Sources")
    for node in graph.nodes:
        assert node.span is not None
        assert report[node.span.start : node.span.end] == node.text
        assert report.split("\n")[node.span.line - 1][node.span.column - 1 :].startswith(node.text)
    assert [node.text for node in graph.nodes] == [
        "Pumps pay.", "Costs are down.", PRICE.text, "Sales rose.", "They last.",
    ]  # fmt: skip
    assert graph.roots == ("a1",)
    # The last edge: sales carry the root too, which makes the tree a graph.
    assert graph.edges == (
        Edge("a1", "a2"), Edge("a2", "e1"), Edge("a2", "e2"), Edge("a1", "a3"), Edge("a1", "e2"),
    )  # fmt: skip
    assert graph.metrics == metrics(graph)


def test_a_sentence_inside_another_is_looked_for_elsewhere() -> None:
    assert locate(["It pays.", "Now it pays. It pays."], ["Now it pays. It pays. It pays."]) == [
        (0, 22),
        (0, 0),
    ]
    assert locate(["It pays.", "So It pays."], ["So It pays."]) == [None, (0, 0)]
    assert locate(["", "x"], ["x"]) == [None, (0, 0)]


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(NotFoundError, match=r"Pumps pay\."):
        compose(Claim(key="1", text="Pumps pay.", title="T", blocks=("Pumps do pay.",)))
