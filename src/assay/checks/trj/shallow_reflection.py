"""A thought between two calls that adds nothing: it repeats an earlier one, or only restates the question.

After a response an agent should say what it learned, what is still open, and where to look next. A thought that repeats
an earlier one, or restates the task without naming a gap or a plan, gives the next call no direction.

Known problems: an agent may plan where the transcript does not show it. Very short thoughts are not checked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording
from assay.subjects.atoms import sentences, terms
from assay.subjects.timeline import Timeline, timeline_of
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")
_WORDS: Final = WordSets(_PHRASES)

# Words that name a gap or a direction.
_REFLECTS: Final = _PHRASES.pattern(
    r"\b(?:<<shallow_reflection_reflects.en>>)\b|<<shallow_reflection_reflects.zh>>", flags=re.IGNORECASE
)
# Words that state a plan, whatever else the sentence says.
_PLANS: Final = _PHRASES.pattern(
    r"\b(?:i|we) (?:<<shallow_reflection_plans.en>>)\b|<<shallow_reflection_plans_instead.en>>|"
    "<<shallow_reflection_plans_instead.zh>>",
    flags=re.IGNORECASE,
)

_SAME: Final = Wording(
    en="This thought says the same as the one in step {step}", zh="这段思考与第{step}步的完全相同"
)
_LITTLE_MORE: Final = Wording(
    en="This thought says hardly more than the one in step {step}",
    zh="这段思考与第{step}步的相比几乎没有新内容",
)
_RESTATES: Final = Wording(
    en="This thought restates the question and names neither a gap nor a direction, yet another call follows",
    zh="这段思考只是复述问题，既没有指出缺口，也没有给出方向，随后又发起了调用",
)
_SUMS_UP: Final = Wording(
    en="This thought sums up what was read and names neither a gap nor a direction, yet another call follows",
    zh="这段思考只是概括读到的内容，既没有指出缺口，也没有给出方向，随后又发起了调用",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each thought between two calls that repeats an earlier one or only restates the task."""
    view = timeline_of(trajectory)
    before: list[tuple[Step, set[str]]] = []
    for step in trajectory.steps:
        words = terms(step.reasoning)
        if before and step.tool_calls and len(words) >= 4:
            finding = _repeats(step, words, before[-8:]) or _restates(view, step, words)
            if finding is not None:
                yield finding
        if words:
            before.append((step, words))


def _repeats(step: Step, words: set[str], before: list[tuple[Step, set[str]]]) -> RawFinding | None:
    stated = " ".join(step.reasoning.split()).lower()
    for other, old in reversed(before):
        if not other.tool_calls:
            continue
        same = stated == " ".join(other.reasoning.split()).lower()
        # In a short thought one new name is a new plan; only a long one can be much the same with a word changed.
        if same or (len(words) >= 25 and len(words & old) >= 0.9 * len(words | old)):
            return RawFinding(
                step.reasoning_span,
                (_SAME if same else _LITTLE_MORE)(step=other.index + 1),
                related=(other.reasoning_span,),
                confidence=0.9 if same else 0.75,
            )
    return None


def _own(view: Timeline, text: str) -> Iterator[str]:
    """Yield the sentences that are the agent's own: at least a quarter of their terms do not come from the query."""
    for start, end in sentences(text):
        words = terms(text[start:end])
        if sum(word in view.query_terms for word in words) < 0.75 * len(words) or not words:
            yield text[start:end]


def _restates(view: Timeline, step: Step, words: set[str]) -> RawFinding | None:
    """Return a finding if the thought only restates the query or what was read, with no gap or direction, or None."""
    words = words - _WORDS.shallow_reflection_talk
    if (
        len(words) < 4
        or _PLANS.search(step.reasoning)
        or any(_REFLECTS.search(text) for text in _own(view, step.reasoning))
    ):
        return None
    fresh = [word for word in words if not view.given.knows(word, 3 * step.index + 1)]
    reported = sum(1 for word in words if word in view.query_terms)
    if reported >= 0.5 * len(words) and len(fresh) <= 0.35 * len(words):
        message = _RESTATES()
    elif len(fresh) <= 0.2 * len(words):
        message = _SUMS_UP()
    else:
        return None
    return RawFinding(
        step.reasoning_span,
        message,
        related=tuple(call.span for call in step.tool_calls[:1]),
        confidence=0.65,
    )


CHECK = Check(
    code="TRJ010",
    name="shallow-reflection",
    severity="info",
    summary="A thought between two calls that repeats the one before or only restates the question",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Find surveys of colour preferences in clothing among '
            'young men, with a table.", "tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I search for surveys first.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "colour preferences clothing young men"}, "response": "A study of '
            'identity and fashion among students."}]},'
            '{"index": 1, "reasoning": "The task concerns colour preferences in clothing among young men. '
            "The study is of fashion and identity among students. A table of preferences in clothing is "
            'wanted.", "tool_calls": [{"name": "search", "arguments": {"query": "favourite colour survey"}, '
            '"response": "…"}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "q", "tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "To find the movie, I can search The Guest, the American film.", '
            '"tool_calls": [{"name": "search", "arguments": {"query": "The Guest"}, "response": "Could not '
            'find it."}]},'
            '{"index": 1, "reasoning": "To find the movie, I can search The Guest, the American film.", '
            '"tool_calls": [{"name": "search", "arguments": {"query": "The Guest film"}, "response": "Could '
            'not find it."}]}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "Find surveys of colour preferences in clothing among '
            'young men, with a table.", "tools": ["search"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "I search for surveys first.", "tool_calls": [{"name": "search", '
            '"arguments": {"query": "colour preferences clothing young men"}, "response": "A study of '
            'identity and fashion among students."}]},'
            '{"index": 1, "reasoning": "The study is about identity, not about ranked colours. I should '
            'search for questionnaires on favourite colours among male students.", "tool_calls": [{"name": '
            '"search", "arguments": {"query": "favourite colour survey"}, "response": "…"}]}]}'
        ),
    ),
    failure="shallow_reflection",
    subject="trajectory",
)
