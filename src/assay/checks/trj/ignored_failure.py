"""Reasoning that goes on after a failed tool call as if it had worked.

If a response is empty, an error or "could not find", the next thought should say so, try something else or leave the
question open. Here the agent instead reports results ("the results show", "according to the page") or answers, although
the call returned nothing to report. Conclusions built on such a claim have no basis.

Known problems: an agent may silently go back to an earlier response. A thought that names something from an earlier
response is therefore not reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording
from assay.subjects.atoms import find_names, find_numbers
from assay.subjects.span import Span
from assay.subjects.timeline import Timeline, timeline_of
from assay.subjects.tool_calls import failure
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Step, ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")

# Words that acknowledge the failure or announce another attempt.
_ACKNOWLEDGED: Final = _PHRASES.pattern(
    "not found|could(?: not|n't)|can(?:not|'t)|unable|fail|error|no "
    "(?:<<ignored_failure_acknowledged.en>>)|<<ignored_failure_acknowledged_does.en>>|"
    "<<ignored_failure_acknowledged_does.zh>>",
    flags=re.IGNORECASE,
)
_REPORTS: Final = _PHRASES.pattern(
    r"\b(?:<<ignored_failure_reports.en>>) (?:clearly |also |above "
    r")?(?:<<ignored_failure_reports_shows.en>>)\b|<<ignored_failure_reports_according.en>>|"
    "<<ignored_failure_reports_according.zh>>",
    flags=re.IGNORECASE,
)

_REPORTS_RESULT: Final = Wording(
    en="The call before failed ({reason}), yet the reasoning reports “{claim}”",
    zh="上一次调用失败（{reason}），推理却报告了“{claim}”",
)
_SPEAKS_OF_RESULT: Final = Wording(
    en="The call before failed ({reason}), yet the reasoning says “{words}”",
    zh="上一次调用失败（{reason}），推理却说“{words}”",
)
_GOES_ON: Final = Wording(
    en="The call before failed ({reason}), yet the reasoning goes on with “{claim}”, which nothing retrieved shows",
    zh="上一次调用失败（{reason}），推理却接着使用“{claim}”，检索所得中并无此内容",
)
_ANSWERS: Final = Wording(
    en="Every call failed (last: {reason}), yet the run gives an answer",
    zh="所有调用都失败了（最后一次：{reason}），运行却给出了答案",
)
_EMPTY: Final = Wording(en="empty response", zh="返回为空")
_QUOTED: Final = Wording(en="“{words}”", zh="“{words}”")


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each step whose calls all failed if the next thought or the answer ignores that."""
    view = timeline_of(trajectory)
    for step in trajectory.steps:
        reasons = [(call, failure(call)) for call in step.tool_calls]
        if not reasons or any(reason is None for _, reason in reasons):
            continue
        call, reason = reasons[-1]
        following = trajectory.steps[step.index + 1] if step.index + 1 < len(trajectory.steps) else None
        finding = _after(view, step, call, reason or "", following)
        if finding is not None:
            yield finding


def _after(
    view: Timeline, step: Step, call: ToolCall, reason: str, following: Step | None
) -> RawFinding | None:
    trajectory = view.trajectory
    response = call.response_span
    related = (response,) if response is not None else (call.span,)
    cause = _EMPTY if reason == "empty" else _QUOTED(words=reason)
    text = following.reasoning if following is not None else ""
    if following is not None and text.strip():
        if _ACKNOWLEDGED.search(text):
            return None
        claims = _new(view, text, 3 * step.index + 4)
        report = _REPORTS.search(text)
        if report is not None and (claims or not _had_evidence(view, step)):
            start = following.reasoning_span.start
            span = Span(start + report.start(), start + report.end())
            if claims:
                message = _REPORTS_RESULT(reason=cause, claim=claims[0])
            else:
                message = _SPEAKS_OF_RESULT(reason=cause, words=report.group())
            return RawFinding(span, message, related, 0.85)
        if claims and (not following.tool_calls):
            return RawFinding(
                following.reasoning_span,
                _GOES_ON(reason=cause, claim=claims[0]),
                related,
                0.75,
            )
        return None
    if following is None and trajectory.answer and trajectory.answer_span and not _had_evidence(view, step):
        if _ACKNOWLEDGED.search(trajectory.answer):
            return None
        return RawFinding(
            trajectory.answer_span,
            _ANSWERS(reason=cause),
            related,
            0.8,
        )
    return None


def _had_evidence(view: Timeline, upto: Step) -> bool:
    """Return whether any call up to this step returned a usable response."""
    return any(
        call.response and failure(call) is None
        for step in view.trajectory.steps[: upto.index + 1]
        for call in step.tool_calls
    )


def _new(view: Timeline, text: str, before: int) -> list[str]:
    """Return the names and numbers in ``text`` that occur neither in the query nor in an earlier response."""
    new_items: list[str] = []
    for name in find_names(text):
        telling = view.distinctive_atoms(name)
        if telling and not name.first and all(not view.given.knows(atom, before) for atom in telling):
            new_items.append(name.text)
    for number in find_numbers(text):
        if (number.year or number.value >= 100) and not view.given.knows_number(number, before):
            new_items.append(number.text)
    return new_items


CHECK = Check(
    code="TRJ002",
    name="ignored-failure",
    severity="error",
    summary="Reasoning goes on after a failed tool call as if it had worked",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
            '["search"], "answer": "Anna Lund", "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "Error: request timed out"}]},'
            '{"index": 1, "reasoning": "The results show that Anna Lund founded the club in 1931.", "tool_calls": []}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "谁创办了滨海读书会？", "tools": ["search"], "answer": "李明", "steps": ['
            '{"index": 0, "reasoning": "先搜索读书会。", "tool_calls": [{"name": "search", "arguments": {"query": '
            '"滨海读书会创办人"}, "response": "无法访问该页面"}]},'
            '{"index": 1, "reasoning": "结果显示读书会由李明于1998年创办。", "tool_calls": []}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
            '["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "Error: request timed out"}]},'
            '{"index": 1, "reasoning": "The search timed out and returned nothing. According to its name the '
            'club is local, so I try the regional association instead.", "tool_calls": []}]}'
        ),
    ),
    failure="tool_response_hallucination",
    subject="trajectory",
)
