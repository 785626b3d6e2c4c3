"""Tagged agent text in a file: ``<think>``, ``<tool_call>`` or ``<call_tool name=…>``, ``<tool_output>``, ``<answer>``.

Assumed: what stands before the first tag is the question (a leading ``User:`` or ``Question:`` is dropped).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.errors import InputError
from assay.subjects.loaders._steps import StepBuilder
from assay.subjects.loaders._tags import has_tags, read_tagged
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import question_of
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST: Final = re.compile(r"<(?:think|thinking|tool_call|call_tool)(?:\s[^<>]{0,1000})?>")
_LABEL: Final = re.compile(r"\s{0,20}(?:User|Question|Query|Q)\s{0,4}[:：]\s{0,20}")


def sniff(text: str) -> bool:
    """Return whether a text has a thought or a call in tags near its top; further down, a report may quote one."""
    return has_tags(text) and _FIRST.search(text, 0, 20_000) is not None


def load(text: str, origin: InputContext) -> Iterator[Trajectory]:
    """Yield the one trajectory of a file."""
    first = _FIRST.search(text)
    begin = first.start() if first else 0
    builder = StepBuilder()
    answer = read_tagged(text[begin:], builder)
    if not builder.steps and answer is None:
        raise InputError("no thought, call or answer in tags")
    question = question_of(text[:begin])
    label = _LABEL.match(question)
    question = question[label.end() :] if label else question
    yield Trajectory(question.strip() or origin.query or "", builder.steps, answer=answer, path=origin.path)


LOADER = SubjectLoader(
    name="tagged-text",
    what="text with <think>, <tool_call>/<call_tool>, <tool_response>/<tool_output>, <answer>",
    takes="text",
    sniff=sniff,
    load=load,
    rank=30,
)
