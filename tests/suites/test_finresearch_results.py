"""Means by system, and systems beside a reference: pairs by question, nothing filled in."""

from __future__ import annotations

import pytest
from scipy import stats

from assay.errors import UsageError
from assay.suites.finresearch.dimensions import DIMENSION_KEYS
from assay.suites.finresearch.results import FINAL, KEYS, ScoredReport, against, by_system


def row(system, query, final=None, **rest):
    scores = {} if final is None else dict.fromkeys(DIMENSION_KEYS, final)
    return ScoredReport(
        report=f"{system}-{query}", system=system, query=query, final=final, scores=scores, **rest
    )


EXPERT = [row("expert", f"q{i}", value) for i, value in enumerate((80, 85, 90, 70))]
AGENT = [row("agent", f"Q{i} ", value) for i, value in enumerate((70, 80, 75, 72))]


def test_means_are_over_what_is_there():
    rows = [*AGENT, row("agent", "q9", status="failed", graph="fallback"), *EXPERT]
    expert, agent = by_system(rows)
    assert (expert.system, agent.system) == ("expert", "agent")
    assert agent.reports == 5
    assert (agent.means[FINAL].value, agent.means[FINAL].n) == (pytest.approx(74.25), 4)
    assert (agent.failed, agent.fallbacks) == (1, 1)
    assert set(agent.means) == set(KEYS)


def test_a_system_without_a_final_score_comes_last():
    assert [item.system for item in by_system([row("none", "q1"), *AGENT])] == ["agent", "none"]
    assert by_system([row("none", "q1")])[0].means[FINAL].value is None


def test_differences_are_paired_by_question():
    (found,) = against([*AGENT, *EXPERT], "expert")
    assert found.shared == 4
    contrast = found.contrasts[FINAL]
    oracle = stats.ttest_rel([70, 80, 75, 72], [80, 85, 90, 70])
    assert contrast.difference.value == pytest.approx(-7)
    assert contrast.p == pytest.approx(oracle.pvalue)
    low, high = oracle.confidence_interval()
    assert (contrast.difference.low, contrast.difference.high) == (pytest.approx(low), pytest.approx(high))


def test_only_shared_questions_count_and_several_reports_on_one_count_once():
    rows = [*AGENT, row("agent", "q0", 90), row("agent", "q77", 0), *EXPERT]
    (found,) = against(rows, "expert")
    assert found.shared == 4
    assert found.contrasts[FINAL].difference.value == pytest.approx(
        ((80 - 80) + (80 - 85) + (75 - 90) + (72 - 70)) / 4
    )
    assert found.contrasts[FINAL].system == pytest.approx((70 + 80 + 75 + 72 + 90 + 0) / 6)


def test_nothing_in_common_gives_a_difference_without_an_interval():
    (found,) = against([row("agent", "x", 50), row("agent", "y", 60), *EXPERT], "expert")
    contrast = found.contrasts[FINAL]
    assert found.shared == 0
    assert contrast.difference.value == pytest.approx(55 - 81.25)
    assert contrast.difference.low is None
    assert "no query in common" in contrast.difference.reason


def test_a_score_that_is_missing_is_no_difference():
    (found,) = against([row("agent", "q0"), *EXPERT], "expert")
    assert found.shared == 1  # both answered it, one without a score
    assert found.contrasts[FINAL].difference.value is None
    assert "has no score" in found.contrasts[FINAL].difference.reason


def test_an_unknown_reference_offers_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'expert'"):
        against([*AGENT, *EXPERT], "experts")
    with pytest.raises(UsageError, match="no report names its system"):
        against([ScoredReport(report="a")], "expert")
