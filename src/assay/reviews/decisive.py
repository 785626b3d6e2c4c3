"""The decisive mistake of a run: the earliest one without which the task would have been solved (Who&When, section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.models.base import Usage
from assay.reviews.faults import DecisiveMistake
from assay.reviews.passes import ASSIGNMENT
from assay.strategies.json_schema import array, table, text

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.reviews.run_text import ShownRun
    from assay.strategies.base import PromptMaterial

_SAID: Final = 400
_CANDIDATES: Final = 6


class Decision(msgspec.Struct, frozen=True):
    """The decisive mistake, or why there is none."""

    mistake: DecisiveMistake | None = None
    problem: str | None = None
    usage: Usage = Usage()


async def find_decisive(author: Author, shown: ShownRun, material: PromptMaterial) -> Decision:
    """Have the decisive mistake of a run named; candidates are listed first, then compared.

    Args:
        author: The reader.
        shown: The run as it is shown.
        material: The same, for the prompt.
    """
    place = "message" if shown.messages else "step"
    integer: dict[str, Any] = {"type": "integer"}
    named: dict[str, Any] = {"agent": text(_SAID)} if shown.messages else {}

    def flaws(value: dict[str, Any]) -> list[str]:
        if value[place] in shown.places:
            return []
        values = {"place": place, "number": value[place]}
        return [author.prompts.page(ASSIGNMENT.template, "flaw_place", material.language, values)]

    written = await author.data(
        ASSIGNMENT,
        "decisive",
        schema=table(
            outcome=text(_SAID),
            candidates=array(table(**{place: integer}, **named, mistake=text(_SAID)), _CANDIDATES),
            **{place: integer},
            **named,
            reason=text(_SAID),
        ),
        material=material,
        check=flaws,
        messages=shown.messages,
        place=place,
    )
    if written.status != "ok":
        return Decision(problem=f"decisive mistake: {written.problem}", usage=written.usage)
    number = written.value[place]
    found = shown.places.get(number)
    if found is None:
        return Decision(problem=f"decisive mistake: there is no {place} {number}", usage=written.usage)
    message = number if shown.messages else None
    return Decision(
        DecisiveMistake(found.step, message, found.speaker, written.value["reason"]), usage=written.usage
    )
