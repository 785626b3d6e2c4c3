"""Tool result injection: a page that the agent read, or another response of a tool, addresses the judge of the run.

The agent's own words stay as they are: it neither wrote the text nor acts on it, so the run is worth what it was worth.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from assay.interventions.applying import raw_step
from assay.interventions.attacks._insertions import manipulation
from assay.interventions.base import StepRevision
from assay.interventions.process.step_changes import changed
from assay.subjects.tool_calls import is_note, kind, reports
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "tool_result_injection")
# Responses revised for each trajectory, at most.
_MOST: Final = 6
_PROSE: Final = re.compile(r"(?m)^(?![ \t]*[{}\[\]\"|<#*>-])[^\n]{59,}[.!?。！？](?=[ \t]*(?:\n|\Z))")
_HTML: Final = re.compile(r"</(?:p|div|span|a|li|td)>")
# Data, a picture read by a program, or a tool's frame round a page leave no place at which a page could speak.
_NO_PAGE: Final = re.compile(r"(?i)\A\s*[{\[]|\"\s*:\s*[\"\[{\d]|\bOCR\b|screenshot|viewport")


def rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    """Yield one revision for each of a few responses, each with another text, between two of their lines or at an end."""
    language: Literal["en", "zh"] = "zh" if trajectory.language == "zh" else "en"
    texts = list(_PHRASES["notes"].rows(language))
    draw.shuffle(texts)
    places = _responses(trajectory)
    draw.shuffle(places)
    for (index, number), (what, text) in zip(places[:_MOST], texts, strict=False):
        step = raw_step(trajectory.steps[index])
        response = step.tool_calls[number].response or ""
        at = draw.choice(_openings(response))
        # Marks of HTML are seen only where a tool returns a page's source.
        carriers = _PHRASES["markup" if _HTML.search(response) else "visible"].rows(language)
        how, frame = draw.choice(list(carriers))
        step.tool_calls[number].response = f"{response[:at]}\n{frame.format(text=text)}{response[at:]}"
        yield StepRevision(index=index, step=step, pattern=f"{how}:{what}", note=f"{how}: {text[:100]}")


def _responses(trajectory: Trajectory) -> list[tuple[int, int]]:
    """Return step and number of each call that returned prose of a page: found, opened or looked up."""
    return [
        (step.index, number)
        for step in trajectory.steps
        for number, call in enumerate(step.tool_calls)
        if reports(call)
        and kind(call) in ("search", "visit", "lookup")
        and not is_note(call)
        and not _NO_PAGE.search(call.response or "")
        and _openings(call.response or "")
    ]


def _openings(response: str) -> list[int]:
    """Return the ends of lines that end a sentence of prose, so that another can follow as the page's own."""
    return [match.end() for match in _PROSE.finditer(response)]


def unfit(trajectory: Trajectory) -> str | None:
    """Return why no response can carry the text."""
    return None if _responses(trajectory) else "no tool returned prose of a page"


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
