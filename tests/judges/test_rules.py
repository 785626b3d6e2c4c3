"""The rules judge on single reports: in range, without invented values, and blind to surface."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import Report
from assay.audits.compare import measure
from assay.judges.rules import standing
from assay.rubrics.dimensions import DIMENSION_KEYS

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(folder: str, name: str) -> Report:
    query = (EXAMPLES / folder / "query.txt").read_text(encoding="utf-8")
    return Report((EXAMPLES / folder / f"{name}.md").read_text(encoding="utf-8"), query=query)


@given(st.text(max_size=300))
@settings(max_examples=80, deadline=None)
def test_any_text_has_eight_dimensions_between_0_and_1(text: str) -> None:
    measured = measure(Report(text, query="What is it?"))
    assert tuple(measured) == DIMENSION_KEYS
    for item in measured.values():
        assert item.base is None or 0.0 <= item.base <= 1.0
        assert 0.0 < item.discount <= 1.0
    assert 0.0 <= standing(measured) <= 1.0


def test_what_cannot_be_measured_has_no_base() -> None:
    measured = measure(Report("Some words.", query=None))
    assert {key: item.base for key, item in measured.items() if item.base is not None} == {
        "evidence_sufficiency": 0.3
    }
    assert measure(example("heat-pumps", "good"))["internal_consistency"].base is None


@pytest.mark.parametrize("folder", ["heat-pumps", "shanghai-reuse"])
def test_flawed_stands_lower_than_good(folder: str) -> None:
    assert standing(measure(example(folder, "flawed"))) < standing(measure(example(folder, "good"))) - 0.01


def test_findings_discount_their_dimension() -> None:
    measured = measure(example("heat-pumps", "flawed"))
    assert measured["internal_consistency"].discount < 1
    better = measure(example("heat-pumps", "good"))["internal_consistency"]
    assert better.ahead_of(measured["internal_consistency"]) > 0


def test_more_of_the_same_is_not_better() -> None:
    text = example("heat-pumps", "good").source
    head, _, references = text.partition("## References")
    twice = f"{head}\n\n{head.partition('## 1.')[2]}\n\n## References{references}"
    assert standing(measure(Report(twice))) <= standing(measure(Report(text)))


def test_an_off_topic_report_aligns_less() -> None:
    report = example("heat-pumps", "good")
    other = Report(report.source, query="How do coral reefs recover from bleaching in the Red Sea?")
    there, here = (measure(item)["task_alignment"].base for item in (other, report))
    assert there is not None
    assert here is not None
    assert there < here - 0.2
