"""Shallow reflection: a thought that named a gap or a direction now only repeats what is known.

The whole passage that names a gap, doubts, or redirects the search is replaced by a restatement of what was retrieved,
concluded or asked, of about the same length. Calls and responses stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, step_site
from assay.interventions.edit_kit import edit_runs, reordered, unknown_figure
from assay.interventions.hints import place_hint
from assay.interventions.process._reflections import (
    passages,
    units,
)
from assay.interventions.process._thoughts import (
    sentence_texts,
)
from assay.interventions.process.step_changes import changed

_SHORT: Final = 4

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Trajectory


def _retrieved(trajectory: Trajectory, index: int) -> bool:
    return any(call.response for step in trajectory.steps[:index] for call in step.tool_calls)


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 90 else flat[:89] + "…"


def edit_sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    """Yield thoughts that reflect, first those that follow a response."""
    found = [
        (reflections[0].weight + draw.random(), step.index, reflections[0])
        for step in trajectory.steps[1:]
        if 60 <= len(step.reasoning) <= 2500
        and _retrieved(trajectory, step.index)
        and (reflections := units(step) if len(sentence_texts(step.reasoning)) <= _SHORT else passages(step))
    ]
    for _, index, unit in sorted(found, key=lambda item: -item[0]):
        old = trajectory.steps[index].reasoning[unit.start : unit.end]
        yield step_site(step=index, part="reasoning", hint=place_hint("reflection", reflection=_cut(old)))


def _check(reference: Trajectory, revised: Trajectory, revision: StepRevision) -> str | None:
    """Return why a thought is not only told again, or None if it may be."""
    change = changed(reference, revised)
    if change is None or change.parts != ("reasoning",):
        return "something other than the reasoning differs"
    runs = edit_runs(change.before.lower(), change.after.lower())
    if reordered(change.before, change.after) or not any(run.kind in ("drop", "swap") for run in runs):
        return "nothing of the reflection is gone"
    earlier = reference.source[: reference.steps[revision.index].span.end]
    if figure := unknown_figure(earlier, change.after):
        return f"the figure {figure} stands nowhere before, and this type brings in no fact"
    return None


OPERATOR = Operator(
    name="shallow_reflection",
    title="Shallow Reflection",
    title_zh="反思流于表面",
    level="process",
    module="reasoning",
    category="analysis",
    definition="A thought that should weigh what was found only sums it up or tells the task again: it "
    "names no gap and does not adjust where the search goes next.",
    definition_zh="本应反思已有结果的思考只是复述任务或概括已知内容，既没有指出缺口，也没有调整下一步的搜索方向。",
    sites=edit_sites,
    ask="Find every sentence of the thought that says what is missing or doubtful, or that turns the search "
    "somewhere, and write in their place a summary of the task or of what is already known, of about "
    "the same length. Bring in no fact that is not in the trajectory. Keep the voice of the thought "
    "and everything around those sentences.",
    ask_zh="找到这段思考中所有指出欠缺、疑点或调整搜索方向的句子，把它们改写成对任务或已知内容的复述，长度相近。不要引入轨迹中没有的事实，"
    "保持原有语气，其余文字不动。",
    check=_check,
    codes=("TRJ010",),
)
