"""Result irrelevance: a response is about another page, query or passage than the one its call asked for.

A faulty search engine returns the page it returned before, starts further down another page, or answers one query of a
batch with the results of the next. Format and length stay about the same, and so do the agent's later thoughts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.base import EditSite, Operator
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import words_of
from assay.interventions.process._call_sites import call_sites, no_open_call
from assay.interventions.process._changed_calls import changed_call
from assay.subjects.tool_calls import failure, kind, reports

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Step, ToolCall, Trajectory

# A longer response is not rewritten in one reply.
_LONGEST: Final = 6_000
# A response on something else is at most so many times as long, or as short.
_FACTOR: Final = 3


# Kinds of calls whose responses answer a request in words: not a file's text and not what a program prints.
_ASKING: Final = ("search", "lookup")


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    def hint(_: Step, call: ToolCall) -> str | None:
        if not reports(call) or len(call.response or "") > _LONGEST or kind(call) not in _ASKING:
            return None
        asked = "; ".join(words_of(call.argument_text)[:24])[:224].replace("; ", " ")
        return place_hint("asked", words=asked)

    yield from call_sites(trajectory, draw, "response", hint)


def _check(reference: Trajectory, revised: Trajectory, revision: StepRevision) -> str | None:
    """Return why a response cannot be one on something else, or None if it can."""
    pair = changed_call(reference, revised, revision)
    if pair is None or (pair[0].name, pair[0].arguments) != (pair[1].name, pair[1].arguments):
        return "not the response of one call was changed"
    before, after = (call.response or "" for call in pair)
    if (notice := failure(pair[1])) is not None and failure(pair[0]) is None:
        return f"it says that nothing came back: {notice!r}"
    if _is_json(before) and not _is_json(after):
        return "the response is no longer JSON"
    if not len(before) <= _FACTOR * len(after) <= _FACTOR**2 * len(before):
        return "its length differs from what the tool returns"
    return None


def _is_json(text: str) -> bool:
    try:
        return isinstance(msgspec.json.decode(text), dict | list)
    except msgspec.MsgspecError:
        return False


OPERATOR = Operator(
    name="result_irrelevance",
    title="Result Irrelevance",
    title_zh="返回结果不相关",
    level="process",
    module="tool",
    category="faithfulness",
    definition=(
        "What a tool returns lies outside what the arguments of its call ask for: it is on another person, "
        "place, time or matter."
    ),
    definition_zh="工具返回的内容超出了调用参数所限定的范围：说的是另一个人、另一个地点、另一个时间或另一件事。",
    sites=_sites,
    unfit=no_open_call,
    ask=(
        "Rewrite the response so that it is on something near to what the call asks for, but not on it: a "
        "namesake, a neighbouring place, another edition or year, a related matter. It must look like what "
        "the tool really returns: same format, about the same length, real-sounding text. It must not say "
        "that nothing was found, and must not contain what the call asked for."
    ),
    ask_zh=(
        "改写返回内容，使其讲的是与调用所问相近但不同的对象：同名者、邻近的地点、另一届或另一年、相关但不同的事。"
        "格式和长度要与工具真实返回的内容相仿，读来可信。不要写成“未找到”，也不要包含调用所要的内容。"
    ),
    check=_check,
)
