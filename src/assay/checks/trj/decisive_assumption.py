"""A figure that the agent assumes or estimates and that decides its answer.

"We can reasonably estimate a density of 1.5" – no response holds the figure, the question does not give it, and the
answer is computed from it or is the figure itself. The answer then looks found and is made up.

Known problems: the assumption may be common knowledge. Assumptions that the question itself makes do not count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Hit
from assay.checks.trj._examples import run_example
from assay.checks.wording import Wording
from assay.subjects.atoms import NumberMention, find_numbers, sentences
from assay.subjects.span import Span
from assay.subjects.timeline import timeline_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Step, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")

_ASSUMES: Final = _PHRASES.pattern(
    r"\b(?:<<decisive_assumption_assumes.en>>)\b|<<decisive_assumption_assumes.zh>>", flags=re.IGNORECASE
)

_DECIDES: Final = Wording(
    en="“{number}” is assumed, occurs in no response, and decides the answer",
    zh="“{number}”是假定的，返回结果中没有，却决定了答案",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[Hit]:
    """Yield a finding for the first assumed figure on which the answer rests."""
    answer = trajectory.answer
    if not answer or _ASSUMES.search(trajectory.query):
        return
    wanted = {number.printed for number in find_numbers(answer)}
    if not wanted:
        return
    view = timeline_of(trajectory)
    for step in trajectory.steps:
        if _ASSUMES.search(step.reasoning) is None:
            continue
        for start, end in sentences(step.reasoning):
            cue = _ASSUMES.search(step.reasoning, start, end)
            if cue is None:
                continue
            # Later numbers of the sentence may be computed from the first.
            for number in find_numbers(step.reasoning[cue.end() : end])[:1]:
                if number.year or view.given.knows_number(number, 3 * step.index + 1):
                    continue
                if number.printed in wanted or _computes(step, number, cue.end() + number.end, wanted):
                    at = step.reasoning_span.start + cue.end()
                    yield Hit(
                        Span(at + number.start, at + number.end),
                        _DECIDES(number=number.text),
                        related=() if trajectory.answer_span is None else (trajectory.answer_span,),
                        confidence=0.85,
                    )
                    return


def _computes(step: Step, number: NumberMention, after: int, wanted: set[float]) -> bool:
    """Return whether the step goes on with the number to a result that the answer gives."""
    later = find_numbers(step.reasoning[after:])
    used = next((i for i, other in enumerate(later) if other.printed == number.printed), None)
    return used is not None and any(other.printed in wanted for other in later[used + 1 :])


_QUERY = "How many households of Skarvberg heat with wood?"
_PAGE = "Skarvberg has 400 households."

CHECK = Check(
    code="TRJ014",
    name="decisive-assumption",
    severity="warning",
    summary="A figure that is assumed, not found, and decides the answer",
    run=run,
    bad=(
        run_example(
            _QUERY,
            ("I search for the village.", "Skarvberg households wood", _PAGE),
            ("We can reasonably assume a share of 35 %. Then 400 × 35 % = 140 households heat with wood.",),
            answer="140",
        ),
        run_example(
            "滨海村有多少户烧柴取暖？",
            ("先搜索。", "滨海村 户数", "滨海村共有400户居民，以渔业为主。"),
            ("假设比例为35%，则400×35%=140户。",),
            answer="140户",
        ),
    ),
    good=(
        run_example(
            _QUERY,
            (
                "I search for the village.",
                "Skarvberg households wood",
                _PAGE + " 35 % of them heat with wood.",
            ),
            ("Assuming the 35 % still holds, 400 × 35 % = 140 households.",),
            answer="140",
        ),
    ),
    failure="evidence_fabrication",
    subject="trajectory",
)
