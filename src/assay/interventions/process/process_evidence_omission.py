"""Process evidence omission: the thought that weighs the findings lacks a relevant fact that was retrieved.

No rule plants it: sentences cut out of thoughts leave gaps, and a mention of pages in their place reads as put there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator, step_site
from assay.interventions.edit_kit import edit_runs, reordered, unknown_figure
from assay.interventions.hints import place_hint
from assay.interventions.process._evidence import findings
from assay.interventions.process.step_changes import changed
from assay.subjects.timeline import timeline_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Trajectory

_LONGEST_THOUGHT: Final = 2_500


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Return why an edit leaves out no evidence, or None if it may."""
    change = changed(reference, perturbed)
    if change is None or change.parts != ("reasoning",):
        return "not the reasoning of one step was changed"
    before, after = change.before, change.after
    gone = any(run.kind in ("drop", "swap") for run in edit_runs(before.lower(), after.lower()))
    if not gone or reordered(before, after):
        return "nothing was taken away"
    known = reference.source[: reference.steps[change.index].span.end]
    if figure := unknown_figure(known, after):
        return f"it brings in the figure {figure}, which nothing holds"
    return None


def edit_sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    """Yield thoughts that report retrieved facts which they state once, those with the most facts first."""
    view = timeline_of(trajectory)
    found = []
    for step in trajectory.steps[1:]:
        text = step.reasoning
        if len(text) > _LONGEST_THOUGHT or text.rstrip().endswith((":", "：")):
            continue
        reported = [
            (sum(text.count(fact.text) == 1 for fact in finding.facts), finding.start, finding.end)
            for finding in findings(view, step.index)
        ]
        once, start, end = max(reported, default=(0, 0, 0))
        if once:
            found.append((once + draw.random(), step.index, " ".join(text[start:end].split())))
    for _, index, sentence in sorted(found, reverse=True):
        yield step_site(step=index, part="reasoning", hint=place_hint("finding", finding=sentence[:200]))


OPERATOR = Operator(
    name="process_evidence_omission",
    title="Evidence Omission",
    title_zh="证据遗漏",
    level="process",
    module="reasoning",
    category="faithfulness",
    definition="Evidence that was retrieved and bears on the question does not enter the reasoning that "
    "weighs it: it is passed over, or told so vaguely that nothing of it remains.",
    definition_zh="已经检索到且与问题相关的证据没有进入推理：要么被略去，要么被说得含糊到失去内容。",
    sites=edit_sites,
    ask="Take one fact out of the thought that the tool responses gave – a finding, a figure, a date, a "
    "name – or put something vague in its place, so that it stands nowhere in the thought. The "
    "conclusion and everything else stay as they are, and the thought must still read smoothly. Add "
    "nothing new.",
    ask_zh="从这段思考中去掉一个来自工具返回结果的事实（发现、数字、日期或名称），或换成含糊的说法，使它在这段思考中不再出现。"
    "结论和其余内容保持不变，读起来仍要通顺，不要添加新内容。",
    check=check,
    against="responses",
)
