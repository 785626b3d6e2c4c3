"""Reading a part of a long report for what bears on some criteria: verbatim passages, and a note on each criterion.

Nothing is judged here: the criteria are judged later, from what was gathered from all parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.generation.base import Assignment, AuthorReply
from assay.strategies.base import PromptMaterial
from assay.strategies.json_schema import array, choice, table, text, texts
from assay.strategies.quotes import locate

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.rubrics.rubric import Criterion

GATHER: Final = Assignment(
    name="gather",
    summary="A part of a long report read for what bears on the criteria.",
    template=str(Path(__file__).with_name("gather.jinja")),
)
ASSIGNMENT: Final = GATHER
# With more criteria in a call, the passages do not fit into a reply of the usual length.
CRITERIA_PER_CALL: Final = 8
_QUOTES: Final = 3
_QUOTE: Final = 300
_NOTE: Final = 300
# Characters of an invented passage that the message to the model quotes.
_QUOTED_CHARACTERS: Final = 80


class CriterionPassages(msgspec.Struct, frozen=True):
    """What a part holds on one criterion: where its passages stand in the part, and what they show."""

    criterion: str
    places: tuple[tuple[int, int], ...]
    note: str


class GatheredPassages(msgspec.Struct, frozen=True):
    """What was gathered from a part. ``invented`` counts passages that do not stand in it; they are left out."""

    written: AuthorReply
    passages: tuple[CriterionPassages, ...] = ()
    invented: int = 0


async def gather_passages(
    author: Author, text: str, criteria: Sequence[Criterion], material: PromptMaterial, *, draw: int = 0
) -> GatheredPassages:
    """Read a part for what bears on some criteria.

    Args:
        author: The model.
        text: The part.
        criteria: At most `CRITERIA_PER_CALL` criteria.
        material: The part as a document, with the question and the outline.
        draw: Number of the draw.
    """

    def flaws(value: Any) -> list[str]:
        page = author.prompts.page
        return [
            page(
                GATHER.template, "invented", material.language, {"passage": quote[:_QUOTED_CHARACTERS]}
            ).strip()
            for entry in value["found"]
            for quote in entry["quotes"]
            if quote.strip() and locate(quote, text) is None
        ]

    chinese = material.language == "zh"
    written = await author.data(
        GATHER,
        schema=_schema([item.key for item in criteria]),
        material=material,
        check=flaws,
        draw=draw,
        criteria=[
            {"key": item.key, "asks": (item.asks_zh if chinese else "") or item.asks} for item in criteria
        ],
    )
    if written.status != "ok":
        return GatheredPassages(written)
    # The answer repeats every flaw; for invented passages their number is enough.
    invented = len(written.flaws)
    written = msgspec.structs.replace(written, flaws=())
    return GatheredPassages(
        written, tuple(_located(entry, text) for entry in written.value["found"]), invented
    )


def _located(entry: Mapping[str, Any], text: str) -> CriterionPassages:
    places = [place for quote in entry["quotes"] if (place := locate(quote, text)) is not None]
    return CriterionPassages(
        str(entry["criterion"]), tuple(dict.fromkeys(places)), " ".join(entry["note"].split())
    )


def _schema(keys: Sequence[str]) -> dict[str, Any]:
    criterion = {"type": "string", **choice(keys)}
    entry = table(criterion=criterion, quotes=texts(_QUOTES, _QUOTE), note=text(_NOTE))
    return table(found=array(entry, len(keys)))
