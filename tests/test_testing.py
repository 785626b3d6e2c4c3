"""`assay.testing`: what a judge of one's own is told about itself."""

from __future__ import annotations

import itertools

import pytest

import assay
from assay.testing import JudgeChecks, ScriptedModel, check_judge


def results(judge) -> dict[str, bool | None]:
    return {item.name: item.passed for item in check_judge(judge)}


def length(report) -> float:
    return float(report.words)


def longer(a, b) -> float:
    return (a.words - b.words) / max(a.words, b.words, 1)


@pytest.mark.parametrize("judge", [length, longer, "length", "rules", "direct@scripted/random"])
def test_sound_judges_pass(judge) -> None:
    found = check_judge(judge, strict=True)
    assert found.passed
    assert {"coverage", "repeatability", "exceptions", "empty text", "short text"} <= {
        item.name for item in found
    }


def test_a_judge_that_prefers_what_comes_first_is_found_out() -> None:
    found = results(lambda a, b: "A>B")
    assert found["swap symmetry"] is False
    assert found["identical subjects"] is False
    assert found["repeatability"] is True
    assert repr(check_judge(lambda a, b: "A>B")) == (
        "<JudgeChecks: 7 checks, failed: swap symmetry, identical subjects>"
    )


def test_a_judge_that_changes_its_mind_is_found_out() -> None:
    count = itertools.count()
    assert results(lambda report: next(count))["repeatability"] is False


def test_a_judge_that_abstains_or_breaks_is_found_out() -> None:
    def density(report):
        return len(report.citations) / report.words

    found = check_judge(density)
    # It divides by the number of words.
    assert [item.name for item in found if item.passed is False] == ["empty text"]
    assert "ZeroDivisionError" in str(found)
    assert results(lambda report: None)["coverage"] is False
    with pytest.raises(assay.UsageError, match=r"(?s)judge density fails.*FAIL empty text"):
        check_judge(density, strict=True)


def test_own_subjects_and_records(tmp_path) -> None:
    texts = [assay.Report("One two."), assay.Report("One two three.")]
    found = check_judge(length, subjects=texts)
    found.save(tmp_path / "checks.jsonl")
    assert JudgeChecks.load(tmp_path / "checks.jsonl") == found
    with pytest.raises(assay.UsageError, match="two subjects"):
        check_judge(length, subjects=texts[:1])
    assert ScriptedModel is not None
