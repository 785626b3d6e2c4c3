"""Coherence: what the examples of the checks do not show."""

import pytest

from assay.checks.base import Check, Context, Hit
from assay.checks.coh import (
    acronym_before_definition,
    broken_pair,
    conclusion_figures_untreated,
    dangling_connective,
    ranking_out_of_order,
)
from assay.subjects.abbreviations import spelt_out
from assay.subjects.report import Report


def hits(check: Check, text: str) -> list[Hit]:
    return list(check.run(Report(text), Context()))


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
    found = Report(text).abbreviations
    assert len(found["SCOP"].uses) == 2
    assert found["SCOP"].definitions[0].words == "seasonal coefficient of performance"
    assert found["FM"].definitions[0].words == "foundation model"
    assert found["LCOE"].definitions[0].words == "levelized cost of energy"


def test_definition_in_a_heading_counts() -> None:
    text = (
        "# R\n\n## The levelized cost of oxygen (LCOX)\n\nIt fell.\n\n## A\n\nLCOX, LCOX.\n\n## B\n\n"
        "The levelized cost of oxygen (LCOX) fell.\n"
    )
    assert not hits(acronym_before_definition.CHECK, text)


def test_one_finding_for_all_late_acronyms() -> None:
    text = (
        "# R\n\n## A\n\nLCOX fell. LCOX and SCOX matter, SCOX most; LCOX and SCOX fell.\n\n## B\n\nThe levelized cost of oxygen (LCOX) fell. "
        "The seasonal cost of oxygen (SCOX) rose.\n"
    )
    (hit,) = hits(acronym_before_definition.CHECK, text)
    assert "“SCOX” likewise" in hit.message.text("en")


FIGURES = (
    "# P\n\n## Costs\n\n" + "Pumps cost $19,500 each, and 38.4% of homes had one. " * 50 + "\n\n## {}\n\n{}\n"
)


@pytest.mark.parametrize(
    ("title", "text", "found"),
    [
        ("Conclusion", "Of all homes, 46% had one.", True),
        ("Executive Summary", "Pumps cost $21,000 each.", True),
        ("Conclusion", "About 38% of homes had one.", False),
        ("Conclusion", "Pumps cost nearly $20,000.", False),
        ("Conclusion", "The share should reach 46%.", False),
        ("Conclusion", "Act within 90 days, since 2031 is near.", False),
        ("Overview", "Of all homes, 46% had one.", False),
        ("Outlook", "Of all homes, 46% had one.", False),
    ],
)
def test_figures_of_the_conclusion(title: str, text: str, found: bool) -> None:
    assert bool(hits(conclusion_figures_untreated.CHECK, FIGURES.format(title, text))) is found


def test_a_ranking_by_something_else_is_left_alone() -> None:
    rows = "".join(f"| {n} | T{n} | {value} |\n" for n, value in enumerate([12, 40, 15, 60, 10], start=1))
    assert not hits(ranking_out_of_order.CHECK, f"# T\n\n| Rank | Team | Score |\n|---|---|---|\n{rows}")


@pytest.mark.parametrize(
    "text",
    [
        "# R\n\n## A\n\nHowever cold it is, pumps heat.\n",
        "# R\n\n## A\n\n- However, small\n- And good\n",
        "# 报告\n\n## 甲\n\n不过是一例。\n",
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
