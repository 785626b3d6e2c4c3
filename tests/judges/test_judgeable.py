"""Texts with nothing to judge: recognised, without scores, and worse than any other text."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay import Report, Trajectory, audit
from assay.audits.compare import compare
from assay.judges.judgeable import why_nothing
from assay.subjects.run_ending import RunEnding
from assay.subjects.trajectory import RawCall, RawStep

GOOD = (Path(__file__).parents[2] / "examples" / "heat-pumps" / "good.md").read_text(encoding="utf-8")

NOTHING = {
    "": "empty",
    "---": "empty",
    "Yes.": "few_words",
    "# Heat pumps\n\nThey work.": "few_words",
    "可以。": "few_words",
    "https://example.org/a": "only_references",
    "[1] A survey of homes. https://example.org/a\n[2] Another survey. https://example.org/b": "only_references",
    "## References\n\n[1] A survey of homes that goes on for many years. Journal of Pumps, 12(3), 14-19.\n": "only_references",
    "I'm sorry, but I can't help with that request.": "refusal",
    "Unfortunately, I cannot access the internet, so the report you asked for is not something I can write today.":
        "refusal",
    "很抱歉，我无法完成这份报告。请稍后再试，或者换一个问题重新提问，我会尽力协助您完成其他任务。": "refusal",
    "Error: 500 Internal Server Error": "error_message",
    "# Report\n\n**Error**: the request timed out after three retries": "error_message",
    '{"error": {"message": "Rate limit reached for requests", "type": "tokens"}}': "error_message",
    "Traceback (most recent call last):\n  File \"agent.py\", line 3, in <module>\nKeyError: 'report'":
        "error_message",
    "生成失败，请稍后重试。": "error_message",
}  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), NOTHING.items())
def test_a_text_with_nothing_to_judge_says_why_and_has_no_numbers(text: str, reason: str) -> None:
    result = audit(Report(text, query="Should we install heat pumps?"))
    assert result.nothing is not None
    assert result.nothing.key == reason
    data = result.to_dict()
    assert data["status"] == "nothing_to_judge"
    assert data["counts"]["per_1000_words"] is None
    assert data["structure"] is None


@pytest.mark.parametrize("text", NOTHING)
def test_any_report_is_better_than_nothing(text: str) -> None:
    verdict = compare(Report(text), Report(GOOD))
    assert verdict.preference == "A<B"
    assert "A has nothing to judge" in verdict.rationale
    assert compare(Report(text), Report("")).preference == "tie"


SOMETHING = (
    "Error rates fell from 12% to 4% after the filter was replaced, which the vendor attributes to finer mesh and to "
    "a new schedule of maintenance in both plants.",
    "Sorry state of repair: a third of the bridges in the county fail their inspection, and the budget covers only "
    "eleven of them before 2030.",
    "抱歉，这里先说结论：这座城市的供水管网漏损率仍高于全国平均水平，主要原因是老旧管道更换缓慢，资金安排也不足。",
    GOOD,
)


@pytest.mark.parametrize("text", SOMETHING)
def test_a_short_report_is_something(text: str) -> None:
    assert why_nothing(Report(text)) is None


def test_a_run_without_a_step_has_nothing_to_judge() -> None:
    crashed = Trajectory("Who wrote it?", [RawStep()], answer=None)
    assert why_nothing(crashed) == "no_steps"
    run = Trajectory("Who wrote it?", [RawStep("I look for the author.")], answer="Ada")
    assert compare(crashed, run).preference == "A<B"


def test_a_run_that_crashed_has_nothing_to_judge_unless_something_came_back() -> None:
    ending = RunEnding("crashed", "openai.APIConnectionError")
    thought = RawStep("I search.", [RawCall("search", {"q": "author"})])
    assert why_nothing(Trajectory("Who wrote it?", [thought], ending=ending)) == "crashed"
    told = RawStep("I search.", [RawCall("search", {"q": "author"}, "Ada wrote it.")])
    assert why_nothing(Trajectory("Who wrote it?", [told], ending=ending)) is None
