"""Tool use that the model made up: a search that was never made, or a result that it writes itself.

Two forms: the agent says that it searched, visited or checked something although no call of the run had done so; a
message contains an ``Observation:`` that the agent wrote in place of the tool. What follows rests on nothing. A thought
that imagines a result ("suppose the search shows …") is planning and is not reported.

Known problems: an agent may have tools that the log does not show.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Hit
from assay.checks.trj._examples import run_example
from assay.checks.wording import Wording
from assay.subjects.atoms import sentences
from assay.subjects.span import Span
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")

_CLAIMS: Final = _PHRASES.pattern(
    "<<invented_tool_use_claims.en>>|<<invented_tool_use_claims.zh>>", flags=re.IGNORECASE
)
_WRITES: Final = re.compile(
    r"^[ \t*_]{0,6}Observation[ \t*_]{0,4}\d{0,3}[ \t]{0,2}[:：][ \t]{0,4}(?=\S)", re.MULTILINE
)

_CLAIMED: Final = Wording(
    en="The agent says “{words}”, but no call of the run has done so",
    zh="智能体说“{words}”，但运行中没有这样的调用",
)
_WRITTEN: Final = Wording(
    en="The agent writes the observation itself instead of waiting for the tool",
    zh="智能体没有等待工具返回，自己写出了观察结果",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[Hit]:
    """Yield at most one finding of each form."""
    looked = False
    claimed = written = False
    for step in trajectory.steps:
        # A run of one agent may call in the step whose thought it is; the call comes after the thought.
        if not looked and not claimed and (match := _claim(step)) is not None:
            claimed = True
            yield Hit(match[0], _CLAIMED(words=match[1]), confidence=0.85)
        if not written and (found := _WRITES.search(step.reasoning)) is not None:
            written = True
            start = step.reasoning_span.start
            yield Hit(Span(start + found.start(), start + found.end()), _WRITTEN(), confidence=0.9)
        looked = looked or bool(step.tool_calls)


def _claim(step: Step) -> tuple[Span, str] | None:
    """Return the first sentence that claims a search, and its words."""
    text = step.reasoning
    if _CLAIMS.search(text) is None:
        return None
    for start, end in sentences(text):
        match = _CLAIMS.search(text, start, end)
        if match is not None:
            base = step.reasoning_span.start
            words = " ".join(match.group().split())
            return Span(base + start, base + end), words if len(words) <= 80 else words[:79] + "…"
    return None


_QUERY = "Who founded the Skarvberg ski club?"
_PAGE = "The Skarvberg ski club was founded by Anna Lund in 1931."

CHECK = Check(
    code="TRJ016",
    name="invented-tool-use",
    severity="warning",
    summary="A search that was never made, or a result that the agent writes itself",
    run=run,
    bad=(
        run_example(
            _QUERY,
            ("After doing some research, we found that the club was founded by Ole Hansen.",),
            answer="Ole Hansen",
        ),
        run_example(
            _QUERY,
            ("I search.\nObservation: Ole Hansen founded it.", "Skarvberg ski club founder", _PAGE),
            answer="Ole Hansen",
        ),
        run_example("谁创办了滨海读书会？", ("经过搜索，我发现读书会由王芳创办。",), answer="王芳"),
    ),
    good=(
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club founder", _PAGE),
            ("After searching, it is clear that Anna Lund founded it.",),
            answer="Anna Lund",
        ),
        run_example(
            _QUERY,
            ("Suppose the search says that it was Ole Hansen. I look.", "Skarvberg ski club founder", _PAGE),
            answer="Anna Lund",
        ),
    ),
    failure="tool_response_hallucination",
    subject="trajectory",
)
