"""What accuracy costs, as a section and as a file."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import assay
from assay.present.html.cost_front import front_svg

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def benchmark() -> assay.Benchmark:
    return assay.Benchmark.build([EXAMPLES / "heat-pumps"], types="citation_groundedness", per_type=2)


def test_a_run_of_two_conditions_has_a_front(benchmark, tmp_path) -> None:
    result = benchmark.run(["direct@scripted/random", "panel@scripted/random"])
    page = result.card()
    assert "What accuracy costs" in page
    chart = front_svg(result)
    assert chart is not None
    root = ET.fromstring(chart)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "tokens an instance" in chart
    # Rules and coins cost nothing and are not among them.
    assert "rules" not in chart


def test_one_condition_has_none(benchmark) -> None:
    assert front_svg(benchmark.run("direct@scripted/random")) is None
