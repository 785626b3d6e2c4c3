"""Parts of a judgment: one answer each, with its quotes located in the subject."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec

from assay.errors import UsageError
from assay.judges.judgment import Quote
from assay.models.base import PendingCall
from assay.strategies.base import Answer


class JudgmentPart(msgspec.Struct, frozen=True):
    """An answer with its question: the unit, the order of showing, and the criteria.

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


def _urgency(error: BaseException) -> int:
    """Return the sort key of an error: first errors that stop a run, then failures, then pending calls."""
    return 0 if isinstance(error, UsageError) else 2 if isinstance(error, PendingCall) else 1
