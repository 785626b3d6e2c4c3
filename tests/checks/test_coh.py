"""Coherence: what the examples of the checks do not show."""

import random

import pytest

from assay.checks.base import Check, Context, RawFinding
from assay.checks.coh import (
    acronym_before_definition,
    acronym_redefined,
    broken_pair,
    contradicting_statements,
    dangling_connective,
    reversed_comparison,
    swapped_mapping,
)
from assay.checks.coh._acronyms import acronyms, spelt_out
from assay.checks.coh._bindings import sentence_bindings
from assay.checks.coh._comparisons import find_comparisons
from assay.subjects.report import Report


def hits(check: Check, text: str) -> list[RawFinding]:
    return list(check.run(Report(text), Context()))


BODY = "# Pumps\n\n## Findings\n\n{}\n\nUnrelated remarks follow here.\n\n## Summary\n\n{}\n"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "Municipal grants improved the uptake of rooftop collectors.",
            "Municipal grants worsened the uptake of rooftop collectors.",
        ),
        (
            "Rooftop collectors are effective during Nordic winters.",
            "Rooftop collectors are not effective during Nordic winters.",
        ),
        (
            "Demand for rooftop collectors rose by 12% in 2021 across the region.",
            "Demand for rooftop collectors fell across the region.",
        ),
        ("北方地区热泵补贴金额增长明显。", "北方地区热泵补贴金额下降明显。"),
    ],
)
def test_contradictions_are_found(one: str, two: str) -> None:
    (hit,) = hits(contradicting_statements.CHECK, BODY.format(one, two))
    assert hit.related


@pytest.mark.parametrize(
    ("one", "two"),
    [
        # Another year, another name, a condition, both opposites in one sentence, a double turn.
        ("Demand for rooftop collectors rose in 2021.", "Demand for rooftop collectors fell in 2022."),
        ("Demand for rooftop collectors rose in Norway.", "Demand for rooftop collectors fell in Spain."),
        ("Demand for rooftop collectors rose.", "If grants end, demand for rooftop collectors might fall."),
        ("Demand for rooftop collectors rose.", "Demand for rooftop collectors rose, then fell."),
        (
            "Rooftop collectors are effective in cold regions.",
            "Rooftop collectors are not ineffective in cold regions.",
        ),
        ("Collectors appear more often than expected.", "Collectors appear less often than boilers."),
    ],
)
def test_differences_are_no_contradictions(one: str, two: str) -> None:
    assert not hits(contradicting_statements.CHECK, BODY.format(one, two))


@pytest.mark.parametrize(
    ("acronym", "words", "fits"),
    [
        ("LCOE", "levelized cost of energy", True),
        ("LCOX", "levelized cost of oxygen", True),
        ("COP", "coefficient of performance", True),
        ("DNA", "deoxyribonucleic acid", True),
        ("AIGC", "AI-generated content", True),
        ("LCOE", "lower prices of oil", False),
        ("COP", "the price", False),
        ("USA", "", False),
    ],
)
def test_expansions(acronym: str, words: str, fits: bool) -> None:
    assert spelt_out(acronym, words) is fits


def test_acronyms_with_their_definitions() -> None:
    text = (
        "# The SCOP of pumps\n\nThe seasonal coefficient of performance (SCOP) rose. SCOPs differ (foundation model, FM).\n\n"
        "LCOE (levelized cost of energy) fell. 平准化度电成本（LCOE）下降。\n\n## Sources\n\n[1] SCOP. https://a.example/x\n"
    )
    found = acronyms(Report(text))
    assert len(found["SCOP"].uses) == 2
    assert found["SCOP"].definitions[0].words == "seasonal coefficient of performance"
    assert found["FM"].definitions[0].words == "foundation model"
    assert found["LCOE"].definitions[0].words == "levelized cost of energy"


def test_variants_are_one_expansion() -> None:
    text = "Long short-term memory (LSTM) helps. Long-short-term memories (LSTM) help."
    assert not hits(acronym_redefined.CHECK, text)


def test_definition_in_a_heading_counts() -> None:
    text = (
        "# R\n\n## The levelized cost of oxygen (LCOX)\n\nIt fell.\n\n## A\n\nLCOX, LCOX.\n\n## B\n\n"
        "The levelized cost of oxygen (LCOX) fell.\n"
    )
    assert not hits(acronym_before_definition.CHECK, text)


@pytest.mark.parametrize(
    ("text", "left", "right", "side"),
    [
        ("Ground pumps are cheaper than air pumps.", {"ground"}, {"air"}, -1),
        ("In winter, ground pumps outperform air pumps.", {"ground"}, {"air"}, 1),
        ("Ground pumps are superior to air pumps.", {"ground"}, {"air"}, 1),
    ],
)
def test_comparisons(text: str, left: set[str], right: set[str], side: int) -> None:
    (found,) = find_comparisons(Report(text + " Other words, more than enough words here."))
    assert (found.left, found.right, found.side) == (left, right, side)


def test_comparisons_that_agree_are_left_alone() -> None:
    text = BODY.format("Ground pumps are cheaper than air pumps.", "Air pumps are pricier than ground pumps.")
    assert not hits(reversed_comparison.CHECK, text)
    text = BODY.format("Ground pumps are cheaper than air pumps.", "Ground pumps are pricier than air pumps.")
    assert len(hits(reversed_comparison.CHECK, text)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In 2023 Germany had 15% and Norway 62.5%.", [("germany", 15.0), ("norway", 62.5)]),
        ("Germany and Norway reached 15% and 62.5%, respectively.", [("germany", 15.0), ("norway", 62.5)]),
        ("德国和挪威分别为15%和62.5%。", [("德国", 15.0), ("挪威", 62.5)]),
        ("The share rose from 15% to 62.5%.", []),
    ],
)
def test_bindings(text: str, expected: list[tuple[str, float]]) -> None:
    report = Report(text)
    assert [(b.name, b.value) for b in sentence_bindings(report, report.sentences[0])] == expected


def test_table_and_text_swapped() -> None:
    text = (
        "# P\n\n| Country | Share |\n|---|---|\n| Germany | 15.2% |\n| Norway | 62.5% |\n\n"
        "## Summary\n\nBy now Norway has 15.2% and Germany 62.5%.\n"
    )
    (hit,) = hits(swapped_mapping.CHECK, text)
    assert len(hit.related) == 2


@pytest.mark.parametrize(
    "text",
    [
        "# R\n\nThe pump heats.\n\n## A\n\nHowever cold it is, pumps heat.\n",
        "# R\n\nThe pump heats.\n\n## A\n\n- However, small\n- And good\n",
        "# 报告\n\n热泵。\n\n## 甲\n\n不过是一例。\n",
    ],
)
def test_openers_that_are_no_connectives(text: str) -> None:
    assert not hits(dangling_connective.CHECK, text)


def test_latter_without_a_pair() -> None:
    assert hits(
        dangling_connective.CHECK, "# R\n\nPumps heat homes. They last long.\n\nThe latter is cheap.\n"
    )
    assert not hits(
        dangling_connective.CHECK, "# R\n\nThe former president left. The latter half was calm.\n"
    )


def test_points_spread_over_subsections_are_in_order() -> None:
    text = "# R\n\n## Why\n\n### A\n\nFirst, price.\n\n### B\n\nSecond, noise.\n\n### C\n\nThird, trust.\n"
    assert not hits(broken_pair.CHECK, text)


def test_cost_grows_with_the_text_not_with_its_square() -> None:
    """Many sentences on one matter: buckets are capped, so findings and time stay bounded."""
    rng = random.Random(7)
    verbs, things = ["rose", "fell", "grew"], ["pumps", "grants", "prices", "tariffs"]
    text = "\n\n".join(
        f"Demand for {rng.choice(things)} {rng.choice(verbs)} sharply everywhere." for _ in range(4000)
    )
    assert len(hits(contradicting_statements.CHECK, text)) < 400
