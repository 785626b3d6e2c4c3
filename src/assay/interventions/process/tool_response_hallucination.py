"""Tool response hallucination: reasoning states what no response said: a wrong year, person or detail.

The wrong fact replaces one from a response, or is added where the response states another; or a fact of a response is
attributed to somebody else. Statements of the query are not contradicted, because that would be visible without the
responses.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, StepRevision, step_site
from assay.interventions.edit_kit import edit_runs, values_kept
from assay.interventions.hints import place_hint
from assay.interventions.process._retrieved_sources import (
    claims_of,
    responses_before,
)
from assay.interventions.process.step_changes import changed
from assay.subjects.atoms import fold, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Trajectory


# Sentences of a thought that one misreport may touch, as the value may be used again.
_SENTENCES: Final = 4


def _pairs(before: str, after: str) -> list[tuple[str | None, str | None]]:
    """Return the sentences that differ, side by side."""
    old = [before[start:end] for start, end in sentences(before)]
    new = [after[start:end] for start, end in sentences(after)]
    found: list[tuple[str | None, str | None]] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            for number in range(max(b - a, d - c)):
                found.append(
                    (
                        old[a + number] if a + number < b else None,
                        new[c + number] if c + number < d else None,
                    )
                )
    return found


def _check(reference: Trajectory, perturbed: Trajectory, revision: StepRevision) -> str | None:
    """Return why a thought misreports nothing, or None if it may; whether a response says it is for a reader."""
    change = changed(reference, perturbed)
    if change is None or change.index != revision.index:
        return "the two differ in more than one place"
    if change.parts != ("reasoning",):
        return "something other than the reasoning differs"
    if not responses_before(reference, change.index):
        return "nothing had come back that could be misreported"
    pairs = _pairs(change.before, change.after)
    if len(pairs) > _SENTENCES:
        return "more than one passage differs"
    if fold(change.before) == fold(change.after):
        return "only the spelling differs"
    if all(run.kind == "drop" for run in edit_runs(change.before, change.after)):
        return "something was left out, and nothing is said that no response says"
    return values_kept(change.before, change.after)


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    sites: list[EditSite] = []
    for step in trajectory.steps:
        if not responses_before(trajectory, step.index) or not 20 <= len(step.reasoning) <= 2500:
            continue
        claims = claims_of(trajectory, step)
        if claims:
            start, end = draw.choice(claims)
            sites.append(
                step_site(
                    step=step.index, hint=place_hint("finding", finding=step.reasoning[start:end][:200])
                )
            )
    draw.shuffle(sites)
    yield from sites


OPERATOR = Operator(
    name="tool_response_hallucination",
    title="Tool Response Hallucination",
    title_zh="曲解工具返回结果",
    level="process",
    module="tool",
    category="groundedness",
    definition=(
        "The reasoning reports from the tool responses a fact, or ties a fact to somebody or something, "
        "that no response has: another number, name or date than was retrieved, or a detail that was never "
        "retrieved."
    ),
    definition_zh="推理在转述工具返回的内容时，说出了任何返回结果都没有的事实，或把事实安到了别的对象上：数字、名称或日期与检索到的不符，或出现了从未检索到的细节。",
    sites=_sites,
    ask=(
        "Misreport one thing that a response says: change a year, a number, a name or a place that the reasoning takes "
        "from it into another that no response contains, or say a retrieved fact of somebody or something else. "
        "If the thought uses the value again, change it there too. Say it as surely as the rest. Do not contradict "
        "the question itself, bring in no new source, and leave the plan and the calls as they are."
    ),
    ask_zh=(
        "误报返回结果中的一件事：把推理取自其中的年份、数字、名称或地点改成任何返回结果都没有的另一个，或把检索到的事实安到别的人或事上；"
        "这段思考若再次用到该值，也一并改动。语气要与其余部分一样肯定。不要与问题本身矛盾，不引入新的来源，计划和调用保持不变。"
    ),
    check=_check,
    against="responses",
    codes=("TRJ002", "TRJ007", "TRJ016"),
)
