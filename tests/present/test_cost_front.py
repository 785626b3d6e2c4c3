"""What accuracy costs, as a section and as a chart of its own."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import assay
from assay.meta.card import cards_of
from assay.present.html.comparison import cards_sections
from assay.present.html.tables import charts_in

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def benchmark() -> assay.Benchmark:
    return assay.Benchmark.build([EXAMPLES / "heat-pumps"], types="citation_groundedness", per_type=2)


def charts_of(result):
    return {chart.key: chart for chart in charts_in(cards_sections(cards_of(result), result))}


def test_a_run_of_two_conditions_has_a_front(benchmark) -> None:
    result = benchmark.run(["direct@scripted/random", "panel@scripted/random"])
    assert "What accuracy costs" in result.card()
    chart = charts_of(result)["front"].file()
    assert ET.fromstring(chart).tag == "{http://www.w3.org/2000/svg}svg"
    assert "tokens an instance" in chart
    # Rules and coins cost nothing and are not among them.
    assert "rules" not in chart
    # Dots have the letters of the page: the rules and the coins stand between.
    page = result.card()
    letters = dict(re.findall(r"\b([A-Z]) ((?:direct|panel)@scripted/random)", page))
    assert all(f"{letter} {name}:" in chart for letter, name in letters.items())
    assert len(letters) == 2
    # Each dot has its interval, in the picture and in words.
    assert chart.count('class="iv"') == 2
    assert len(re.findall(r"\d+ % \(\d+–\d+\) of \d+ for", chart)) >= 2


def test_one_condition_has_none(benchmark) -> None:
    assert "front" not in charts_of(benchmark.run("direct@scripted/random"))
