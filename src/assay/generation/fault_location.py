"""Having a judge point at the weakest places: steps of a trajectory, or passages of a report in its own words.

The places are compared with where a failure was planted (REFLECT, section 2.1: the step exactly, the passage by
overlap). Real work has faults of its own, so a second look says whether another place that was named is one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.generation.base import Assignment
from assay.strategies.base import Document, PromptMaterial
from assay.strategies.json_schema import array, choice, table

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.generation.base import AuthorReply

ASSIGNMENT: Final = Assignment(
    name="localisation",
    summary="Where the most serious faults of a report or a trajectory are.",
    template=str(Path(__file__).with_name("localisation.jinja")),
    source="reflect, section 2.1",
)
# Tokens of a reply; hidden reasoning counts on hosted endpoints.
_TOKENS: Final = 2_048
_MOST: Final = 3


class FaultLocation(msgspec.Struct, frozen=True, kw_only=True):
    """A place that a model names.

    Attributes:
        step: Number of the step as shown, from 1; None for a report.
        quote: Words of the passage; None for a trajectory.
        why: What the model says is wrong there.
    """

    step: int | None = None
    quote: str | None = None
    why: str = ""


async def locate_faults(
    author: Author, text: str, *, query: str | None, language: str, steps: int | None
) -> tuple[list[FaultLocation], AuthorReply]:
    """Return up to three places that a model names, the worst first, and what it wrote.

    Args:
        author: The model.
        text: The report, or the trajectory as judges are shown it.
        query: The question that is answered.
        language: Language of the prompt.
        steps: How many steps a trajectory has; None for a report.
    """
    place: dict[str, Any] = (
        {"quote": {"type": "string"}}
        if steps is None
        else {"step": {"type": "integer", "minimum": 1, "maximum": max(1, steps)}}
    )
    written = await author.data(
        ASSIGNMENT,
        schema=table(faults=array(table(why={"type": "string"}, **place), _MOST)),
        material=_material(text, query, language, steps),
        max_tokens=_TOKENS,
        steps=steps,
    )
    if written.status != "ok":
        return [], written
    return [
        FaultLocation(step=item.get("step"), quote=item.get("quote"), why=item["why"])
        for item in written.value["faults"]
    ], written


async def confirm_fault(
    author: Author, text: str, fault: FaultLocation, *, query: str | None, language: str, steps: int | None
) -> tuple[bool | None, AuthorReply]:
    """Return whether a model holds a fault that was named to be real and serious, or None, and what it wrote.

    Args:
        author: The model.
        text: The work that is said to have the fault.
        fault: The fault.
        query: The question that is answered.
        language: Language of the prompt.
        steps: How many steps a trajectory has; None for a report.
    """
    written = await author.data(
        ASSIGNMENT,
        "confirm",
        schema=table(reason={"type": "string"}, verdict=choice(("serious", "minor", "none"))),
        material=_material(text, query, language, steps),
        max_tokens=_TOKENS,
        quote=fault.quote,
        step=fault.step,
        why=fault.why,
    )
    return (None if written.status != "ok" else written.value["verdict"] == "serious"), written


def _material(text: str, query: str | None, language: str, steps: int | None) -> PromptMaterial:
    kind: Literal["report", "trajectory"] = "report" if steps is None else "trajectory"
    return PromptMaterial(
        documents=(Document("", text, kind),), query=query, language="zh" if language == "zh" else "en"
    )
