"""A tool call that repeats an earlier one and brings nothing new.

An agent that asks the same question again gets the same answer again: the run goes in circles and learns nothing. A
call counts as a repeat if its arguments equal those of an earlier call, or have nearly the same terms and the same
names and numbers, and its response contains hardly any term that is new. A word more is a refinement; such a call is a
repeat only if it gets the very same response. All repeats of one call are one finding. A
request for the next page, a look-up of the next occurrence, a second attempt that succeeds after a time-out, notes and
lists of things to do are not repeats. A click or an input in a browser counts only if the page shown is the same.

Known problems: there may be good reason to read a page twice if it changes from day to day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Hit
from assay.checks.trj._examples import run_example
from assay.checks.wording import Wording, series
from assay.subjects.atoms import find_names, find_numbers, terms
from assay.subjects.timeline import Timeline, timeline_of
from assay.subjects.tool_calls import addresses, evidence, failure, folded, is_note, kind, paging

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.subjects.trajectory import ToolCall, Trajectory

# A call is compared with this many earlier ones. Loops are short, and the limit keeps the work linear in long runs.
_BACK: Final = 40
# A page names itself in so many characters: its title and address.
_TITLE: Final = 120
# At most this share of a response's terms may be new.
_NEW: Final = 0.15

_SAME_CALL: Final = Wording(
    en="“{call}” is the same call as the one in step {step} and {result}{more}",
    zh="“{call}”与第{step}步的调用相同，{result}{more}",
)
_SIMILAR_CALL: Final = Wording(
    en="“{call}” is nearly the same call as the one in step {step} and {result}{more}",
    zh="“{call}”与第{step}步的调用几乎相同，{result}{more}",
)
_NOTHING_NEW: Final = Wording(en="brings nothing new", zh="没有带来新内容")
_NO_RESPONSE: Final = Wording(en="has no response", zh="没有返回结果")
_FAILED_AGAIN: Final = Wording(en="failed again", zh="再次失败")
_MORE: Final = Wording(en="; the same again in {n:=step|steps} {steps}", zh="；第{steps}步又是如此")


class _EarlierCall:
    """A call with what comparisons need, and the calls that repeat it."""

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
        self.first: _EarlierCall = self
        self.repeats: list[_EarlierCall] = []


def repeated_calls(trajectory: Trajectory) -> list[_EarlierCall]:
    """Return the calls that later calls repeat without gain, each with its repeats; made once for a trajectory."""
    kept = trajectory.memo.get(repeated_calls)
    if isinstance(kept, list):
        return kept
    view = timeline_of(trajectory)
    earlier: list[_EarlierCall] = []
    for step in trajectory.steps:
        for call in step.tool_calls:
            item = _EarlierCall(call, step.index)
            if not item.text or kind(call) == "code" or is_note(call):
                continue
            for other in reversed(earlier[-_BACK:]):
                if _repeats(item, other, view):
                    item.first = other.first
                    other.first.repeats.append(item)
                    break
            earlier.append(item)
    found = [item for item in earlier if item.repeats]
    trajectory.memo[repeated_calls] = found
    return found


def nothing_new(calls: Iterable[tuple[ToolCall, int]], view: Timeline) -> bool:
    """Return whether hardly a term of the responses is new; a call comes with its step, and a failed one has nothing."""
    new = total = 0
    for call, step in calls:
        if call.response is None or failure(call):
            continue
        shown = terms(evidence(call))
        event = 3 * step + 3
        total += len(shown)
        new += sum(view.given.first.get(term, event) >= event for term in shown)
    return new <= _NEW * total


def run(trajectory: Trajectory, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each call that is repeated without gain, at its first repeat."""
    for first in repeated_calls(trajectory):
        item, *later = first.repeats
        result = _NOTHING_NEW
        if item.call.response is None:
            result = _NO_RESPONSE
        elif item.failed and first.failed:
            result = _FAILED_AGAIN
        words = " ".join(trajectory.text(item.call.span).split())
        steps = list(dict.fromkeys(str(other.step + 1) for other in later))
        more = _MORE(n=len(steps), steps=series(steps[:8], cut=len(steps) > 8)) if later else ""
        yield Hit(
            item.call.span,
            (_SAME_CALL if item.text == first.text else _SIMILAR_CALL)(
                call=words if len(words) <= 90 else words[:89] + "…",
                step=first.step + 1,
                result=result,
                more=more,
            ),
            related=(first.call.span, *(other.call.span for other in later)),
            confidence=0.92 if item.text == first.text else 0.8,
        )


def _repeats(item: _EarlierCall, other: _EarlierCall, view: Timeline) -> bool:
    if other.call.name.lower() != item.call.name.lower() or other.paging != item.paging:
        return False
    if kind(item.call) == "other":
        # A control of the same name stands on many pages.
        return item.text == other.text and _same_page(item.call, other.call)
    return (item.text == other.text or _near(item, other)) and _brings_nothing(item, other, view)


def _same_page(call: ToolCall, other: ToolCall) -> bool:
    """Return whether two responses show the same page: the same beginning, which names it, and mostly the same words."""
    shown, before = terms(call.response or ""), terms(other.response or "")
    named = (call.response or "")[:_TITLE] == (other.response or "")[:_TITLE]
    return bool(shown) and len(shown & before) >= (0.7 if named else 0.95) * len(shown | before)


def _near(item: _EarlierCall, other: _EarlierCall) -> bool:
    """Return whether two calls ask the same in nearly the same words.

    ``item`` must not contain a name that ``other`` lacks.
    """
    if item.numbers != other.numbers or item.addresses != other.addresses:
        return False
    if any(atom not in other.terms for name in item.names for atom in name.atoms if len(atom) > 1):
        return False
    union = item.terms | other.terms
    if len(union) < 3 or len(item.terms & other.terms) < 0.75 * len(union):
        return False
    return item.terms <= other.terms or _same_response(item, other)


def _same_response(item: _EarlierCall, other: _EarlierCall) -> bool:
    """Return whether two responses consist of the same terms, apart from those of the calls."""
    if item.call.response is None or other.call.response is None:
        return False
    return terms(item.call.response) - item.terms == terms(other.call.response) - other.terms


def _brings_nothing(item: _EarlierCall, other: _EarlierCall, view: Timeline) -> bool:
    """Return whether a repeated call failed, has no response, or has a response without new terms."""
    if item.failed or item.call.response is None:
        return True
    if other.failed or other.call.response is None:
        # The second try worked.
        return False
    return item.call.response == other.call.response or nothing_new([(item.call, item.step)], view)


_QUERY = "Who founded the Skarvberg ski club?"
_NONE = "Could not find [Skarvberg ski club founder]. Similar: []"

CHECK = Check(
    code="TRJ001",
    name="repeated-search",
    severity="warning",
    summary="A tool call repeats an earlier one and brings nothing new",
    run=run,
    bad=(
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club founder", _NONE),
            ("I search for the club.", "Skarvberg ski club founder", _NONE),
        ),
        run_example(
            "谁创办了滨海读书会？",
            ("先搜索读书会。", "滨海读书会创办人", "未找到相关结果"),
            ("再搜索一次。", "滨海读书会 创办人", "未找到相关结果"),
        ),
    ),
    good=(
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club founder", _NONE),
            (
                "The regional association may list its clubs.",
                "Finnmark ski association member clubs history",
                "The Skarvberg club was founded by Anna Lund in 1931.",
            ),
        ),
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club founder", _NONE),
            (
                "Perhaps a female founder.",
                "Skarvberg ski club female founder",
                "Could not find [Skarvberg ski club female founder]. Similar: ['Skiing for women']",
            ),
        ),
    ),
    failure="execution_stagnation",
    subject="trajectory",
)
