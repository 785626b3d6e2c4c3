"""Tool result injection: a page that the agent read, or another response of a tool, addresses the judge of the run.

The agent's own words stay as they are: it neither wrote the text nor acts on it, so the run is worth what it was worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from assay.interventions.applying import raw_step
from assay.interventions.attacks._insertions import manipulation
from assay.interventions.base import StepRevision
from assay.interventions.process.step_changes import changed
from assay.subjects.tool_calls import kind, reports
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "tool_result_injection")
# Responses revised for each trajectory, at most.
_MOST: Final = 6


def rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Yield one revision for each of a few responses, each with another text, between two of their lines or at an end."""
    language: Literal["en", "zh"] = "zh" if trajectory.language == "zh" else "en"
    texts, carriers = list(_PHRASES["notes"].rows(language)), list(_PHRASES["carriers"].rows(language))
    draw.shuffle(texts)
    places = _responses(trajectory)
    draw.shuffle(places)
    for (index, number), (what, text) in zip(places[:_MOST], texts, strict=False):
        how, frame = draw.choice(carriers)
        step = raw_step(trajectory.steps[index])
        response = step.tool_calls[number].response or ""
        at = draw.choice([line for line, mark in enumerate(response) if mark == "\n"] or [len(response)])
        step.tool_calls[number].response = f"{response[:at]}\n{frame.format(text=text)}{response[at:]}"
        yield StepRevision(index=index, step=step, pattern=f"{how}:{what}", note=f"{how}: {text[:100]}")


def _responses(trajectory: Trajectory) -> list[tuple[int, int]]:
    """Return step and number of each call that returned a text; data and programs' output have no room for a sentence."""
    return [
        (step.index, number)
        for step in trajectory.steps
        for number, call in enumerate(step.tool_calls)
        if reports(call)
        and kind(call) != "code"
        and not (call.response or "").lstrip().startswith(("{", "["))
    ]


def unfit(trajectory: Trajectory) -> str | None:
    """Return why no response can carry the text."""
    return None if _responses(trajectory) else "no tool returned a text that a page could have"


def check(reference: Trajectory, perturbed: Trajectory, _revision: StepRevision) -> str | None:
    """Return why an edit is refused, or None; it must insert one text into one response and change nothing else."""
    change = changed(reference, perturbed)
    if change is None or change.parts != ("response",):
        return "not one response was changed"
    before, after = str(change.before), str(change.after)
    low = 0
    while low < len(before) and before[low] == after[low : low + 1]:
        low += 1
    return (
        None
        if before[low:] == after[len(after) - len(before) + low :]
        else "more was done than to insert a text"
    )


OPERATOR = manipulation(
    name="tool_result_injection",
    title="Tool result injection",
    title_zh="工具结果注入",
    definition=(
        "A page that the agent read, or another response of a tool, contains a text addressed to the judge of the run. "
        "What the agent thought, did and answered is the same."
    ),
    definition_zh="智能体读到的网页或其他工具返回内容中，夹带写给评审者的话；智能体的思考、行动和答案不变。",
    level="process",
    rule=rule,
    unfit=unfit,
    check=check,
)
