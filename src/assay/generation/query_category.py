"""Which kind of task a question is, from a list of kinds (FinResearchBench, section 3.2).

The list stands first in the prompt and the question last, so that all questions of a batch share their beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.generation.base import Assignment, AuthorReply
from assay.strategies.base import PromptMaterial
from assay.strategies.json_schema import choice, table, text
from assay.strategies.prompts import fence
from assay.text.language import detect_language

if TYPE_CHECKING:
    from assay.generation.author import Author

ASSIGNMENT: Final = Assignment(
    name="query_category",
    summary="Which of a list of kinds of task a question is.",
    template=str(Path(__file__).with_name("query_category.jinja")),
    source="FinResearchBench, section 3.2",
)
_REASON: Final = 240


class Category(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of question.

    Attributes:
        key: Key in results.
        title: Its name.
        title_zh: The same in Chinese.
        about: What belongs to it and what does not.
        about_zh: The same in Chinese.
        evaluated: Whether the benchmark has questions of this kind.
    """

    key: str
    title: str
    title_zh: str
    about: str
    about_zh: str
    evaluated: bool = False


async def classify(
    author: Author,
    query: str,
    categories: Sequence[Category],
    *,
    language: Literal["auto", "en", "zh"] = "auto",
) -> tuple[str | None, AuthorReply]:
    """Return the key of the category of a question, by a model; None if its reply is not usable.

    Args:
        author: The model.
        query: The question.
        categories: The categories to choose from; each question belongs to one.
        language: Language of the prompt; "auto" is that of the question.
    """
    if language == "auto":
        language = "zh" if detect_language(query) == "zh" else "en"
    chinese = language == "zh"
    written = await author.data(
        ASSIGNMENT,
        # The reason comes first, so that the choice follows from it.
        schema=table(
            reason=text(_REASON), category={"type": "string", **choice(item.key for item in categories)}
        ),
        material=PromptMaterial(language=language),
        categories=[
            {
                "key": item.key,
                "title": item.title_zh if chinese else item.title,
                "about": item.about_zh if chinese else item.about,
            }
            for item in categories
        ],
        question=fence("QUESTION", query),
    )
    return (written.value["category"] if written.status == "ok" else None), written
