"""A tool call that repeats an earlier one and brings nothing new.

An agent that asks the same question again gets the same answer again: the run goes in circles and learns nothing. A
call counts as a repeat if its arguments equal those of an earlier call, or have nearly the same terms and the same
names and numbers, and its response contains hardly any term that is new. A request for the next page, a look-up of the
next occurrence, and a second attempt that succeeds after a time-out are not repeats.

Known problems: there may be good reason to read a page twice if it changes from day to day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording
from assay.subjects.atoms import find_names, find_numbers, terms
from assay.subjects.timeline import Timeline, timeline_of
from assay.subjects.tool_calls import addresses, evidence, failure, folded, kind, paging

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import ToolCall, Trajectory

# A call is compared with this many earlier ones. Loops are short, and the limit keeps the work linear in long runs.
_BACK: Final = 40

_SAME_CALL: Final = Wording(
    en="“{call}” is the same call as the one in step {step} and {result}",
    zh="“{call}”与第{step}步的调用相同，{result}",
)
_SIMILAR_CALL: Final = Wording(
    en="“{call}” is nearly the same call as the one in step {step} and {result}",
    zh="“{call}”与第{step}步的调用几乎相同，{result}",
)
_NOTHING_NEW: Final = Wording(en="brings nothing new", zh="没有带来新内容")
_SAME_QUESTION: Final = Wording(en="asks for nothing else", zh="问的仍是同样的内容")
_NO_RESPONSE: Final = Wording(en="has no response", zh="没有返回结果")
_FAILED_AGAIN: Final = Wording(en="failed again", zh="再次失败")


class _SearchCall:
    """A call with its step, terms, numbers, names and addresses."""

    def __init__(self, call: ToolCall, step: int) -> None:
        self.call = call
        self.step = step
        self.text = folded(call)
        self.terms = terms(call.argument_text)
        self.numbers = {number.printed for number in find_numbers(call.argument_text)}
        self.names = [
            name for name in find_names(call.argument_text) if not name.first or len(name.atoms) > 1
        ]
        self.paging = paging(call)
        self.addresses = tuple(addresses(call))
        self.failed = failure(call)


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each call that repeats an earlier call to the same tool."""
    view = timeline_of(trajectory)
    earlier: list[_SearchCall] = []
    for step in trajectory.steps:
        for call in step.tool_calls:
            item = _SearchCall(call, step.index)
            if item.text and kind(call) != "code":
                finding = _repeat(item, earlier[-_BACK:], view)
                if finding is not None:
                    yield finding
                earlier.append(item)


def _repeat(item: _SearchCall, earlier: list[_SearchCall], view: Timeline) -> RawFinding | None:
    for other in reversed(earlier):
        if other.call.name.lower() != item.call.name.lower() or other.paging != item.paging:
            continue
        same = item.text == other.text
        if not same and not _near(item, other):
            continue
        nothing = _brings_nothing(item, other, view)
        if not nothing and (same or other is not earlier[-1] or other.failed):
            # A page read again may have changed, and a second try may work; rephrasing what just worked does not.
            continue
        result = _NOTHING_NEW if nothing else _SAME_QUESTION
        if item.call.response is None:
            result = _NO_RESPONSE
        elif item.failed and other.failed:
            result = _FAILED_AGAIN
        words = " ".join(view.text(item.call.span).split())
        shown = words if len(words) <= 90 else words[:89] + "…"
        return RawFinding(
            item.call.span,
            (_SAME_CALL if same else _SIMILAR_CALL)(call=shown, step=other.step + 1, result=result),
            related=(other.call.span,),
            confidence=0.92 if same else 0.8 if nothing else 0.6,
            severity=None if nothing else "info",
        )
    return None


def _near(item: _SearchCall, other: _SearchCall) -> bool:
    """Return whether two calls share the same numbers and addresses and three quarters of their terms.

    ``item`` must not contain a name that ``other`` lacks.
    """
    if item.numbers != other.numbers or item.addresses != other.addresses:
        return False
    if any(atom not in other.terms for name in item.names for atom in name.atoms if len(atom) > 1):
        return False
    union = item.terms | other.terms
    return len(union) >= 3 and len(item.terms & other.terms) >= 0.75 * len(union)


def _brings_nothing(item: _SearchCall, other: _SearchCall, view: Timeline) -> bool:
    if item.failed or item.call.response is None:
        return True
    if other.failed or other.call.response is None:
        # The second try worked.
        return False
    if item.call.response == other.call.response:
        return True
    response_terms = terms(evidence(item.call))
    event = 3 * item.step + 3
    return sum(view.given.first.get(term, event) >= event for term in response_terms) <= 0.15 * len(
        response_terms
    )


_HEAD = (
    '{"schema": "assay.trajectory/1", "query": "Who founded the Skarvberg ski club?", "tools": '
    '["search"], "answer": null, "steps": ['
)

CHECK = Check(
    code="TRJ001",
    name="repeated-search",
    severity="warning",
    summary="A tool call repeats an earlier one and brings nothing new",
    run=run,
    bad=(
        Example(
            _HEAD + '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "Could not find [Skarvberg '
            'ski club founder]. Similar: []"}]},'
            '{"index": 1, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "Could not find [Skarvberg '
            'ski club founder]. Similar: []"}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "谁创办了滨海读书会？", "tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "先搜索读书会。", "tool_calls": [{"name": "search", "arguments": {"query": '
            '"滨海读书会创办人"}, "response": "未找到相关结果"}]},'
            '{"index": 1, "reasoning": "再搜索一次。", "tool_calls": [{"name": "search", "arguments": {"query": '
            '"滨海读书会 创办人"}, "response": "未找到相关结果"}]}]}'
        ),
    ),
    good=(
        Example(
            _HEAD + '{"index": 0, "reasoning": "I search for the club.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "Skarvberg ski club founder"}, "response": "Could not find [Skarvberg '
            'ski club founder]. Similar: []"}]},'
            '{"index": 1, "reasoning": "The regional association may list its clubs.", "tool_calls": '
            '[{"name": "search", "arguments": {"query": "Finnmark ski association member clubs history"}, '
            '"response": "The Skarvberg club was founded by Anna Lund in 1931."}]}]}'
        ),
        Example(
            _HEAD
            + '{"index": 0, "reasoning": "I list clubs.", "tool_calls": [{"name": "search", "arguments": '
            '{"query": "Finnmark ski clubs", "page": 1}, "response": "Alta, Hammerfest"}]},'
            '{"index": 1, "reasoning": "The next page.", "tool_calls": [{"name": "search", "arguments": '
            '{"query": "Finnmark ski clubs", "page": 2}, "response": "Skarvberg, founded by Anna Lund"}]}]}'
        ),
    ),
    failure="execution_stagnation",
    subject="trajectory",
)
