"""What stands under what within a section, and the shortest sentences that say something."""

from assay.logic.rule_graph import build_graph
from assay.subjects.report import Report

HEAD = "# Title\n\nPumps pay and should be bought.\n\n## Costs\n\nCosts matter most of all here.\n\n"
FACTS = "- Prices fell by 12 percent in 2022.\n- Prices fell by 20 percent in 2023.\n"


def parents(text: str) -> dict[str, str]:
    """The parent of each node but the root, as words."""
    found = build_graph(Report(text))
    words = {node.id: node.text for node in found.nodes}
    return {words[edge.child]: words[edge.parent] for edge in found.edges}


def test_facts_listed_below_a_claim_stand_under_it() -> None:
    above = parents(f"{HEAD}The price of pumps is the best reason to buy.\n\n{FACTS}")
    assert above["Prices fell by 12 percent in 2022."] == "The price of pumps is the best reason to buy."
    assert above["Prices fell by 20 percent in 2023."] == "The price of pumps is the best reason to buy."
    # It takes up no word of the claim above it, and so stands beside it.
    assert "The price of pumps is the best reason to buy." not in above


def test_a_list_that_argues_or_does_not_follow_stands_by_itself() -> None:
    claim = "The price of pumps is the best reason to buy."
    facts = FACTS.replace("Prices", "Costs")
    argued = parents(f"{HEAD}{claim}\n\n- Buyers should therefore act at once.\n")
    assert "Buyers should therefore act at once." not in argued
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    apart = parents(f"{HEAD}{claim}\n\n{table}{facts}")
    assert apart.get("Costs fell by 12 percent in 2022.") != claim
    # Facts that are about something else support nothing.
    assert "Prices fell by 12 percent in 2022." not in parents(f"{HEAD}{claim}\n\n{table}{FACTS}")


def test_short_sentences_count_if_they_are_sentences() -> None:
    found = build_graph(
        Report(
            "# Title\n\nThe market is saturated.\n\nSales in the market fell by 31 percent.\n\nFurther reading here.\n"
        )
    )
    assert [node.text for node in found.nodes] == [
        "The market is saturated.",
        "Sales in the market fell by 31 percent.",
    ]
    assert [node.kind for node in found.nodes] == ["argument", "evidence"]
