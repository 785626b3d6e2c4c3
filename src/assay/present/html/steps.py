"""A trajectory step by step: reasoning, calls, and responses to unfold, with marks in place."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from assay.present.html.marks import Mark
from assay.present.html.prose import markdown_html, text_html
from assay.present.interface import ENGLISH, Interface

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.subjects.span import Span
    from assay.subjects.trajectory import ToolCall, Trajectory


class _StepsRenderer:
    """Renders parts of one trajectory; a mark is drawn in every part that it touches."""

    def __init__(self, trajectory: Trajectory, marks: Sequence[Mark], say: Interface) -> None:
        self.say = say
        self.source = trajectory.source
        self.marks = marks
        self.drawn: set[tuple[str, str]] = set()

    def inside(self, span: Span) -> list[Mark]:
        """Return the marks that touch a part. One that begins between two parts is drawn in the next."""
        found: list[Mark] = []
        for mark in self.marks:
            touches = mark.start < span.end and mark.end > span.start
            point = mark.start == mark.end and span.start <= mark.start <= span.end
            if touches or point:
                name = (mark.role, mark.key)
                found.append(
                    Mark(
                        max(mark.start, span.start),
                        min(mark.end, span.end),
                        mark.role,
                        mark.key,
                        mark.severity,
                        begins=name not in self.drawn,
                    )
                )
                self.drawn.add(name)
        return found

    def plain(self, span: Span) -> str:
        """Return a part as it is written."""
        return text_html(self.source, span.start, span.end, self.inside(span))

    def markdown(self, span: Span) -> str:
        """Return a part as Markdown."""
        return markdown_html(self.source, span.start, span.end, self.inside(span))

    def call(self, call: ToolCall) -> str:
        """Return a call with its response, which is unfolded if something in it is marked."""
        what = f'<div class="what">{self.plain(call.span)}</div>'
        if call.response_span is None:
            return f'<div class="call">{what}<div class="lost">{self.say("no response")}</div></div>'
        marked = any(mark.role == "finding" for mark in self.inside_quietly(call.response_span))
        size = self.say.count(len(call.response or ""), "character")
        summary = self.say("Response, {size}", size=size)
        body = self.plain(call.response_span)
        opened = " open" if marked else ""
        return (
            f'<div class="call">{what}<details{opened}><summary>{summary}</summary>'
            f'<div class="plain">{body}</div></details></div>'
        )

    def inside_quietly(self, span: Span) -> list[Mark]:
        """Do as `inside` does, without noting anything as drawn."""
        return [mark for mark in self.marks if mark.start < span.end and mark.end > span.start]


def steps_html(trajectory: Trajectory, marks: Sequence[Mark], say: Interface = ENGLISH) -> str:
    """Return query, steps, and answer."""
    page = _StepsRenderer(trajectory, marks, say)
    parts = [
        (
            f'<section class="step"><h2>{say("Query")}</h2><div '
            f'class="plain">{page.plain(trajectory.query_span)}</div></section>'
        )
    ]
    for step in trajectory.steps:
        reasoning = (
            f'<div class="plain">{page.plain(step.reasoning_span)}</div>' if step.reasoning.strip() else ""
        )
        calls = "".join(page.call(call) for call in step.tool_calls)
        title = say("Step {number}", number=step.index + 1)
        if step.agent:
            title += f" · {escape(step.agent)}"
        parts.append(f'<section class="step"><h2>{title}</h2>{reasoning}{calls}</section>')
    if trajectory.answer_span is not None:
        parts.append(
            "<section "
            f'class="step"><h2>{say("Answer")}</h2><div>{page.markdown(trajectory.answer_span)}</div></section>'
        )
    else:
        parts.append(
            f'<section class="step"><h2>{say("Answer")}</h2><p '
            f'class="quiet">{say("The run ended without an answer.")}</p></section>'
        )
    return "\n".join(parts)
