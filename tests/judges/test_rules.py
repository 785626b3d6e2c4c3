"""The rules judge pointwise: scores in range, traceable, and blind to surface."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import Report, audit
from assay.rubrics.dimensions import DIMENSION_KEYS

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(folder: str, name: str) -> Report:
    query = (EXAMPLES / folder / "query.txt").read_text(encoding="utf-8")
    return Report((EXAMPLES / folder / f"{name}.md").read_text(encoding="utf-8"), query=query)


@given(st.text(max_size=300))
@settings(max_examples=80, deadline=None)
def test_any_text_has_eight_scores_between_0_and_1(text: str) -> None:
    result = audit(Report(text, query="What is it?"))
    assert tuple(result.dimensions) == DIMENSION_KEYS
    for dimension in result.dimensions.values():
        assert 0.0 <= dimension.score <= 1.0


@pytest.mark.parametrize("folder", ["heat-pumps", "shanghai-reuse"])
def test_flawed_scores_lower_and_says_why(folder: str) -> None:
    good, flawed = audit(example(folder, "good")), audit(example(folder, "flawed"))
    assert flawed.overall < good.overall - 0.03
    for key, dimension in flawed.dimensions.items():
        for index in dimension.findings:
            assert flawed.findings[index].dimension == key


def test_score_is_features_times_findings() -> None:
    result = audit(example("heat-pumps", "flawed"))
    consistency = result.dimensions["internal_consistency"]
    assert consistency.findings
    assert consistency.score == pytest.approx(consistency.features["finding_discount"])


def test_more_of_the_same_is_not_better() -> None:
    text = example("heat-pumps", "good").source
    once = audit(Report(text)).overall
    head, _, references = text.partition("## References")
    twice = audit(Report(f"{head}\n\n{head.partition('## 1.')[2]}\n\n## References{references}")).overall
    assert twice <= once


def test_an_off_topic_report_aligns_less() -> None:
    report = example("heat-pumps", "good")
    other = Report(report.source, query="How do coral reefs recover from bleaching in the Red Sea?")
    assert (
        audit(other).dimensions["task_alignment"].score
        < audit(report).dimensions["task_alignment"].score - 0.2
    )
