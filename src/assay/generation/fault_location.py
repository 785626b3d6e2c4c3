"""Having a judge point at the weakest place: a step of a trajectory, or a passage of a report in its own words.

The place is compared with where a failure was planted (REFLECT, section 2.1: the step exactly, the passage by
overlap).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.generation.base import Assignment
from assay.strategies.base import Document, PromptMaterial
from assay.strategies.json_schema import table

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.generation.base import AuthorReply

ASSIGNMENT: Final = Assignment(
    name="localisation",
    summary="Where the most serious fault of a report or a trajectory is.",
    template=str(Path(__file__).with_name("localisation.jinja")),
    source="reflect, section 2.1",
)
_TOKENS: Final = 400


class FaultLocation(msgspec.Struct, frozen=True, kw_only=True):
    """The place that a model names.

    Attributes:
        step: Number of the step as shown, from 1; None for a report.
        quote: Words of the passage; None for a trajectory.
        why: What the model says is wrong there.
    """

    step: int | None = None
    quote: str | None = None
    why: str = ""


async def locate_fault(
    author: Author, text: str, *, query: str | None, language: str, steps: int | None
) -> tuple[FaultLocation | None, AuthorReply]:
    """Return the place that a model names, or None, and what it wrote.

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
    schema = table(why={"type": "string"}, **place)
    kind: Literal["report", "trajectory"] = "report" if steps is None else "trajectory"
    written = await author.data(
        ASSIGNMENT,
        schema=schema,
        material=PromptMaterial(
            documents=(Document("", text, kind),), query=query, language="zh" if language == "zh" else "en"
        ),
        max_tokens=_TOKENS,
        steps=steps,
    )
    if written.status != "ok":
        return None, written
    value = written.value
    return FaultLocation(step=value.get("step"), quote=value.get("quote"), why=value["why"]), written
