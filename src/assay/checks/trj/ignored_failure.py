"""Results of a failed tool call that the reasoning reports, or an answer after nothing but failures.

If a response is empty, an error or "could not find", the next thought should say so, try something else or leave the
question open. Here the agent reports results ("the results show", "according to the page") although the call returned
nothing to report; or every call of the run failed, and it answers all the same. Such an answer has no basis.

Known problems: an agent may silently go back to an earlier response. A thought that names nothing new is therefore
reported only if nothing had been retrieved before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Hit
from assay.checks.trj._examples import run_example
from assay.checks.wording import FilledWording, Wording
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
_ANSWERS: Final = Wording(
    en="Every call failed (last: {reason}), yet the run gives an answer",
    zh="所有调用都失败了（最后一次：{reason}），运行却给出了答案",
)
_EMPTY: Final = Wording(en="empty response", zh="返回为空")
_QUOTED: Final = Wording(en="“{words}”", zh="“{words}”")


def run(trajectory: Trajectory, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each thought that reports results of a failed call, and for an answer after failures only."""
    view = timeline_of(trajectory)
    reasons: list[str | None] = []
    for step, following in zip(trajectory.steps, [*trajectory.steps[1:], None], strict=False):
        own = [(call, failure(call)) for call in step.tool_calls]
        reasons.extend(reason for _, reason in own)
        if following is None or not own or any(reason is None for _, reason in own):
            continue
        finding = _report(view, step, own[-1][0], own[-1][1] or "", following)
        if finding is not None:
            yield finding
    answer = trajectory.answer
    if not answer or trajectory.answer_span is None or trajectory.ending.kind != "answered":
        return
    if reasons and all(reasons) and not _ACKNOWLEDGED.search(answer):
        related = tuple(call.response_span or call.span for call in trajectory.tool_calls[-3:])
        yield Hit(trajectory.answer_span, _ANSWERS(reason=_cause(reasons[-1] or "")), related, 0.85)


def _cause(reason: str) -> FilledWording:
    return _EMPTY() if reason == "empty" else _QUOTED(words=reason)


def _report(view: Timeline, step: Step, call: ToolCall, reason: str, following: Step) -> Hit | None:
    """Return a finding if the next thought reports results although the call failed, or None."""
    text = following.reasoning
    report = _REPORTS.search(text)
    if report is None or _ACKNOWLEDGED.search(text):
        return None
    claims = _new(view, text, 3 * step.index + 4)
    if not claims and _had_evidence(view, step):
        return None
    start = following.reasoning_span.start
    if claims:
        message = _REPORTS_RESULT(reason=_cause(reason), claim=claims[0])
    else:
        message = _SPEAKS_OF_RESULT(reason=_cause(reason), words=report.group())
    span = Span(start + report.start(), start + report.end())
    return Hit(span, message, (call.response_span or call.span,), 0.85)


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
        if (
            telling
            and not name.first
            and not view.agent_atoms.issuperset(telling)
            and all(not view.given.knows(atom, before) for atom in telling)
        ):
            new_items.append(name.text)
    for number in find_numbers(text):
        if (number.year or number.value >= 100) and not view.given.knows_number(number, before):
            new_items.append(number.text)
    return new_items


_QUERY = "Who founded the Skarvberg ski club?"
_NONE = "Could not find [Skarvberg ski club]. Similar: []"

CHECK = Check(
    code="TRJ002",
    name="ignored-failure",
    severity="error",
    summary="Results of a failed call are reported, or an answer follows failed calls only",
    run=run,
    bad=(
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club", _NONE),
            ("The search results show that Ole Hansen founded the club in 1938.",),
            answer="I do not know.",
        ),
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club", "Error: 503 service unavailable"),
            answer="Ole Hansen",
        ),
        run_example(
            "谁创办了滨海读书会？",
            ("先搜索读书会。", "滨海读书会 创办人", "未找到相关结果"),
            ("搜索结果显示，创办人是1998年的李明。",),
            answer="不知道。",
        ),
    ),
    good=(
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club", _NONE),
            (
                "That brought nothing. I try the yearbook.",
                "Skarvberg yearbook",
                "Anna Lund founded the club.",
            ),
            answer="Anna Lund",
        ),
    ),
    failure="tool_response_hallucination",
    subject="trajectory",
)
