"""A page that the agent says it will read and never does.

"I should visit the museum's page to verify the date" – and then the run answers from a search preview. What the agent
itself held necessary was left out. Only firm plans count ("I will", "I should", "let me"), not possibilities ("maybe",
"if"), and only if no later call of the run opens any page at all.

Off by default: most often the previews have settled the matter by then, and the visit was not needed. Of seven findings,
two readers held two or three to be true and the others arguable.

Known problems: a later thought may settle what the page was for without saying so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Hit
from assay.checks.trj._examples import run_example
from assay.checks.wording import Wording
from assay.subjects.atoms import sentences
from assay.subjects.span import Span
from assay.subjects.tool_calls import kind
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")

_VISITS: Final = _PHRASES.pattern(
    r"\b(?:<<unkept_plan_intends.en>>)\b[^.;?\n]{0,50}\b(?:<<unkept_plan_visits.en>>)\b[^.;?\n]{0,60}"
    r"\b(?:<<unkept_plan_pages.en>>)\b|(?:<<unkept_plan_intends.zh>>)[^。；？\n]{0,12}(?:<<unkept_plan_visits.zh>>)"
    r"[^。；？\n]{0,16}(?:<<unkept_plan_pages.zh>>)",
    flags=re.IGNORECASE,
)
_OPEN: Final = _PHRASES.pattern(
    r"\b(?:<<unkept_plan_possible.en>>)\b|<<unkept_plan_possible.zh>>", flags=re.IGNORECASE
)

_UNKEPT: Final = Wording(
    en="The agent means to read a page (“{words}”), but no later call opens one",
    zh="智能体打算打开页面（“{words}”），但之后没有任何调用打开过页面",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[Hit]:
    """Yield one finding for the first firm plan to read a page after which no page is opened."""
    if not trajectory.tool_calls or not trajectory.answer:
        return
    opened = max(
        (step.index for step in trajectory.steps for call in step.tool_calls if _opens(call)), default=-1
    )
    plans: list[tuple[Span, str]] = []
    for step in trajectory.steps[opened + 1 :]:
        if _VISITS.search(step.reasoning) is None:
            continue
        for start, end in sentences(step.reasoning):
            match = _VISITS.search(step.reasoning, start, end)
            if match is not None and _OPEN.search(step.reasoning, start, end) is None:
                base = step.reasoning_span.start
                plans.append((Span(base + start, base + end), " ".join(match.group().split())))
    if plans:
        span, words = plans[0]
        yield Hit(
            span,
            _UNKEPT(words=words if len(words) <= 100 else words[:99] + "…"),
            related=tuple(other for other, _ in plans[1:6]),
            confidence=0.4,
        )


def _opens(call: ToolCall) -> bool:
    """Return whether a call may open a page: a visit, a click, a script, a tool of unknown kind."""
    return kind(call) not in ("search", "lookup")


_QUERY = "When did the Skarvberg museum open?"

CHECK = Check(
    code="TRJ015",
    name="unkept-plan",
    severity="info",
    summary="A page that the agent says it will read and never does",
    run=run,
    bad=(
        run_example(
            _QUERY,
            (
                "I search first and then I should visit the museum's website to verify the year.",
                "Skarvberg museum",
                "… opened in 19 …",
            ),
            ("The snippet suggests the 1990s.",),
            answer="1991",
        ),
        run_example(
            "滨海博物馆何时开馆？",
            ("先搜索，然后我需要访问博物馆官网核实年份。", "滨海博物馆 开馆", "……于19……"),
            answer="1991年",
        ),
    ),
    good=(
        run_example(
            _QUERY,
            (
                "I search first and then I should visit the museum's website.",
                "Skarvberg museum",
                "museum.example",
            ),
            ("Now the site.", "https://museum.example", "The museum opened in 1991."),
            answer="1991",
        ),
        run_example(
            _QUERY,
            (
                "If the results conflict, I might need to visit the website.",
                "Skarvberg museum",
                "It opened in 1991.",
            ),
            answer="1991",
        ),
    ),
    failure="wrong_tool_selection",
    subject="trajectory",
    default=False,
)
