"""Execution stagnation: a search step goes back over covered ground instead of advancing.

Either the call repeats an earlier call or query, or a near variant of it whose response could have been the same.
Or the thought goes back: it rereads, or plans to reread, what an earlier search already brought, before it goes on
to the call that follows. Everything else stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.interventions.base import EditSite, Operator, step_site
from assay.interventions.edit_kit import edit_runs, reordered, unknown_figure
from assay.interventions.hints import place_hint, semicolons
from assay.interventions.process._queries import brought
from assay.interventions.process._thoughts import (
    covered,
    near_query,
)
from assay.interventions.process.step_changes import changed
from assay.subjects.tool_calls import kind, questions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Trajectory


def edit_sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    """Yield thoughts that precede a later search, in random order."""
    steps = [
        step
        for step in trajectory.steps[1:]
        if step.tool_calls
        and kind(step.tool_calls[0]) == "search"
        and 20 <= len(step.reasoning) <= 2500
        and not any(
            near_query(text, covered(trajectory, step.index)) for text in questions(step.tool_calls[0])
        )
    ]
    for step in draw.sample(steps, len(steps)):
        asked = [old for old in covered(trajectory, step.index) if brought(trajectory, step.index, old)]
        if asked:
            yield step_site(
                step=step.index, part="reasoning", hint=place_hint("searched", queries=semicolons(asked[-3:]))
            )


def _check(reference: Trajectory, revised: Trajectory, revision: StepRevision) -> str | None:
    """Return why a thought plans nothing again, or None if it may."""
    change = changed(reference, revised)
    if change is None or change.parts != ("reasoning",):
        return "something other than the reasoning differs"
    runs = edit_runs(change.before.lower(), change.after.lower())
    if reordered(change.before, change.after) or all(run.kind in ("drop", "move") for run in runs):
        return "no other plan stands in the thought"
    earlier = reference.source[: reference.steps[revision.index].span.end]
    if figure := unknown_figure(earlier, change.after):
        return f"the figure {figure} stands nowhere before, so this was not asked yet"
    return None


OPERATOR = Operator(
    name="execution_stagnation",
    title="Execution Stagnation",
    title_zh="执行停滞",
    level="process",
    module="reasoning",
    category="structure",
    definition="A search step goes over ground that was covered: it asks again what was asked, or plans "
    "to, and builds nothing on what was found.",
    definition_zh="搜索步骤重复已经做过的检索，或计划再次检索相同内容，没有利用已有发现向前推进。",
    sites=edit_sites,
    ask="Let the thought plan a search that was already made, in the same or nearly the same words, where "
    "it had planned a new one. It should sound like an ordinary next step, and it may name the old "
    "search terms. Keep length and tone, and change nothing before the plan.",
    ask_zh="让这段思考计划一次已经做过的检索（相同或几乎相同的词语），而不是原来的新检索。语气自然，像平常的下一步，可以写出旧的检索词。"
    "保持长度和语气，计划之前的内容不动。",
    check=_check,
    codes=("TRJ001",),
)
