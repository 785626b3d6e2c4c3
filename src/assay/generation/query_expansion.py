"""Variants of a question, written by a model to widen a training set.

ReportLogic (appendix B.1) rewrites training questions in a controlled way and filters near-duplicates; its prompt is
not published. Here each variant changes one named thing, and variants that repeat the original or each other are left
out by rule, after the model was told.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

import msgspec

from assay.generation.author import Author
from assay.generation.base import Assignment, flaw
from assay.generation.query_sets import near_duplicates
from assay.models.base import Usage
from assay.strategies.base import PromptMaterial, Status
from assay.strategies.json_schema import choice, table, text
from assay.text.bilingual import Bilingual
from assay.text.words import has_cjk

Change = Literal["narrower", "broader", "setting", "perspective", "comparison", "purpose"]
VARIANTS: Final = 4
_LONGEST: Final = 600

ASSIGNMENT: Final = Assignment(
    name="query_expansion",
    summary="Variants of a question, each with one named change, to widen a training set.",
    template=str(Path(__file__).with_name("query_expansion.jinja")),
    source="reportlogic, appendix B.1",
)


class QueryVariant(msgspec.Struct, frozen=True):
    """A variant of a question, and what was changed."""

    query: str
    change: Change


class QueryExpansion(msgspec.Struct, frozen=True, kw_only=True):
    """The variants of a question.

    Attributes:
        query: The original question.
        status: "ok", or why there are no variants.
        variants: The variants that repeat neither the original nor each other.
        dropped: Variants that were left out because they do.
        flaws: Flaws that the reply still has.
        problem: Why there are no variants.
        usage: Tokens and cost of all calls.
        calls: Keys of the calls in the ledger.
    """

    query: str
    status: Status
    variants: tuple[QueryVariant, ...] = ()
    dropped: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()
    problem: str | None = None
    usage: Usage = Usage()
    calls: tuple[str, ...] = ()


async def expand_query(
    author: Author, query: str, *, count: int = VARIANTS, language: Literal["en", "zh"] = "en"
) -> QueryExpansion:
    """Have variants of a question written.

    Args:
        author: The model.
        query: The question.
        count: Number of variants.
        language: Language of the prompt and the variants.
    """
    row = table(change={"type": "string", **choice(get_args(Change))}, query=text(_LONGEST))
    written = await author.data(
        ASSIGNMENT,
        schema=table(variants={"type": "array", "minItems": 1, "maxItems": count, "items": row}),
        material=PromptMaterial(query=query, language=language),
        check=lambda value: expansion_flaws(query, _queries(value), count),
        count=count,
    )
    shared: dict[str, Any] = {"usage": written.usage, "calls": written.calls}
    if written.status != "ok":
        return QueryExpansion(query=query, status=written.status, problem=written.problem, **shared)
    texts = _queries(written.value)
    same = {item.index for item in near_duplicates(texts, against=[query])}
    out = same | {i for i, item in enumerate(texts) if not item or has_cjk(item) != has_cjk(query)}
    variants = [
        QueryVariant(item, row["change"])
        for i, (item, row) in enumerate(zip(texts, written.value["variants"], strict=True))
        if i not in out
    ]
    return QueryExpansion(
        query=query,
        status="ok",
        variants=tuple(variants),
        dropped=tuple(texts[i] for i in sorted(out)),
        flaws=written.flaws,
        **shared,
    )


def expansion_flaws(query: str, variants: Sequence[str], count: int) -> list[Bilingual]:
    """List the flaws of variants, by rule.

    Args:
        query: The original question.
        variants: The variants.
        count: Number that was asked for.
    """
    flaws = [flaw("few_variants", count=len(variants), asked=count)] if len(variants) < count else []
    if any(not item or has_cjk(item) != has_cjk(query) for item in variants):
        flaws.append(flaw("variant_language"))
    flaws += [
        flaw("same_question", variant=variants[item.index], other=item.of)
        for item in near_duplicates(variants, against=[query])
    ]
    return flaws


def _queries(value: Any) -> list[str]:
    return [" ".join(row["query"].split()) for row in value["variants"]]
