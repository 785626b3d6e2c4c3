"""Parts of a judgment: one answer each, with its quotes located in the subject."""

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
    """One answer and its question: which unit, which order of showing, which criteria.

    A part without criteria is a preparatory step, such as writing the rubric or reading a part of a long report.
    """

    unit: str
    order: str
    criteria: tuple[str, ...]
    answer: Answer
    # Located in the subject's source rather than in the text shown.
    quotes: tuple[Quote, ...] = ()


async def all_parts(coroutines: Sequence[Coroutine[Any, Any, JudgmentPart]]) -> tuple[JudgmentPart, ...]:
    """Await all parts and return them in order."""
    if len(coroutines) == 1:
        return (await coroutines[0],)
    # All are asked even if one fails for good: batch files need every question of a round.
    results = await asyncio.gather(*coroutines, return_exceptions=True)
    errors = [item for item in results if isinstance(item, BaseException)]
    for error in sorted(errors, key=_urgency):
        raise error
    return tuple(item for item in results if isinstance(item, JudgmentPart))


def part_of(question: JudgmentQuestion, answer: Answer, count: int) -> JudgmentPart:
    """Return an answer as a part of a judgment of ``count`` subjects.

    A ranking is put into the order in which the subjects were given, and quotes are located in their sources.
    """
    order, shown = question.order, question.shown
    if order == "reverse" and answer.ranking is not None:
        answer = msgspec.structs.replace(answer, ranking=tuple(count - 1 - place for place in answer.ranking))
    quotes = []
    for quote in answer.quotes:
        start: int | None = None
        end: int | None = None
        given = 0
        if quote.start is not None and quote.end is not None and quote.document is not None:
            if quote.document < 0:
                # A quote from the reference has no place in the subject.
                continue
            start, end = shown[quote.document].place(quote.start, quote.end) or (None, None)
            turned = order in ("BA", "reverse")
            given = count - 1 - quote.document if turned else quote.document
        quotes.append(Quote(quote.text, start, end, given))
    keys = tuple(item.key for item in question.question.criteria)
    return JudgmentPart(question.unit, order, keys, answer, tuple(quotes))


def _urgency(error: BaseException) -> int:
    """Sort key of errors: what stops a run, then failures, then pending calls."""
    return 0 if isinstance(error, UsageError) else 2 if isinstance(error, PendingCall) else 1
