"""From questions to parts of a judgment: asked all at once, quotes placed in the subjects they are of."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import UsageError
from assay.judges.judgment import Quote
from assay.models.base import PendingCall
from assay.strategies.base import Answer

if TYPE_CHECKING:
    from assay.judges.questions import JudgmentQuestion


class JudgmentPart(msgspec.Struct, frozen=True):
    """One answer and what it is an answer to: which unit, which order of a pair or a ranking, which criteria.

    One without criteria is a step on the way: what was asked to get the rubric, or to read a report that is too long.
    """

    unit: str
    order: str
    criteria: tuple[str, ...]
    answer: Answer
    # Quotes as places in the subject's source rather than in the text shown.
    quotes: tuple[Quote, ...] = ()


async def all_parts(coroutines: Sequence[Coroutine[Any, Any, JudgmentPart]]) -> tuple[JudgmentPart, ...]:
    """All of them, in order."""
    if len(coroutines) == 1:
        return (await coroutines[0],)
    # All are asked even if one fails for good: batch files want every question of a round.
    results = await asyncio.gather(*coroutines, return_exceptions=True)
    errors = [item for item in results if isinstance(item, BaseException)]
    for error in sorted(errors, key=_urgency):
        raise error
    return tuple(item for item in results if isinstance(item, JudgmentPart))


def part_of(asked: JudgmentQuestion, answer: Answer, count: int) -> JudgmentPart:
    """An answer as part of a judgment of so many subjects: in their order as given, quotes as places in their sources."""
    order, shown = asked.order, asked.shown
    if order == "reverse" and answer.ranking is not None:
        answer = msgspec.structs.replace(answer, ranking=tuple(count - 1 - place for place in answer.ranking))
    quotes = []
    for quote in answer.quotes:
        start: int | None = None
        end: int | None = None
        given = 0
        if quote.start is not None and quote.end is not None and quote.document is not None:
            if quote.document < 0:
                # A true quote, of the reference: it has no place in the subject.
                continue
            start, end = shown[quote.document].place(quote.start, quote.end) or (None, None)
            turned = order in ("BA", "reverse")
            given = count - 1 - quote.document if turned else quote.document
        quotes.append(Quote(quote.text, start, end, given))
    keys = tuple(item.key for item in asked.question.criteria)
    return JudgmentPart(asked.unit, order, keys, answer, tuple(quotes))


def _urgency(error: BaseException) -> int:
    """What stops a run comes before what failed, and that before what is only pending."""
    return 0 if isinstance(error, UsageError) else 2 if isinstance(error, PendingCall) else 1
