"""A run that crashed, was cut off, or just stops.

Such a run has failed whatever its steps look like, and must not pass for a clean one. If it has an answer nevertheless,
the answer was given before the work was done: by a program around the agent, or in haste at the limit.

Known problems: a log may have been cut when it was saved, not the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Hit
from assay.checks.trj._examples import run_example
from assay.checks.wording import Wording
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import Trajectory

_CRASHED: Final = Wording(en="The run crashed", zh="运行崩溃")
_CUT_OFF: Final = Wording(en="The run was cut off", zh="运行被中止")
_STOPS: Final = Wording(en="The run stops", zh="运行停在此处")
_NO_ANSWER: Final = Wording(en="{how} without an answer", zh="{how}，没有给出答案")
_HASTY: Final = Wording(
    en="{how}, so its answer was given before the work was done", zh="{how}，答案是在未完成时给出的"
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[Hit]:
    """Yield one finding if the run did not end by itself, or ended without an answer."""
    ending = trajectory.ending
    if ending.kind in ("answered", "gave_up"):
        return
    how = {"crashed": _CRASHED(), "cut_off": _CUT_OFF()}.get(ending.kind, _STOPS())
    answered = bool(trajectory.answer and trajectory.answer.strip())
    yield Hit(_place(trajectory), (_HASTY if answered else _NO_ANSWER)(how=how), (), 0.95)


def _place(trajectory: Trajectory) -> Span:
    if trajectory.answer_span is not None and trajectory.answer:
        return trajectory.answer_span
    if not trajectory.steps:
        return trajectory.query_span
    last = trajectory.steps[-1]
    return last.tool_calls[-1].span if last.tool_calls else last.reasoning_span


_QUERY = "Who founded the Skarvberg ski club?"

CHECK = Check(
    code="TRJ013",
    name="unfinished-run",
    severity="warning",
    summary="The run crashed, was cut off, or stops without an answer",
    run=run,
    bad=(
        run_example(_QUERY, ("I search for the club.", "Skarvberg ski club", "The club has 40 members.")),
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club", "The club has 40 members."),
            answer="Ole Hansen",
            ending={"kind": "cut_off", "detail": "Max rounds (30) reached."},
        ),
        run_example("谁创办了滨海读书会？", ("先搜索读书会。", "滨海读书会", "读书会有三十名成员。")),
    ),
    good=(
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club", "Anna Lund founded the club."),
            answer="Anna Lund",
        ),
        run_example(
            _QUERY,
            ("I search for the club.", "Skarvberg ski club", "The club has 40 members."),
            answer="I could not find who founded it.",
        ),
    ),
    failure="execution_stagnation",
    subject="trajectory",
)
