"""Answers to single criteria, put together with the answer to all of them that left these out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from assay.strategies.base import Answer, Detail, Question, Status

_WORST: Final[tuple[Status, ...]] = ("failed", "refused", "unparsed", "ok")


def combine_answers(question: Question, first: Answer, rest: Sequence[Answer]) -> Answer:
    """One answer of several.

    Args:
        question: What was asked.
        first: The answer to all its criteria, in which some were not answered.
        rest: Answers to those, each asked alone, in the question's order.
    """
    left = [item.key for item in question.criteria if item.key not in first.values]
    values = dict(first.values)
    # What was said on a criterion that came to no verdict gives way to what was said when it was asked alone.
    details: dict[str, Detail] = {key: item for key, item in first.details.items() if key in first.values}
    lines = [first.rationale] if first.rationale else []
    problems = []
    for key, answer in zip(left, rest, strict=True):
        values |= answer.values
        details |= answer.details
        said = answer.details[key].rationale if key in answer.details else answer.rationale
        if said:
            lines.append(f"{key}: {said}")
        if answer.status != "ok":
            problems.append(f'"{key}", asked alone: {answer.problem}')
    found = {answer.status for answer in rest}
    return msgspec.structs.replace(
        first,
        status=next(status for status in _WORST if status in found),
        values={item.key: values[item.key] for item in question.criteria if item.key in values},
        details={item.key: details[item.key] for item in question.criteria if item.key in details},
        rationale="\n".join(lines),
        quotes=(*first.quotes, *(quote for answer in rest for quote in answer.quotes)),
        problem="; ".join(problems) or None,
        reply="\n\n".join(text for text in (first.reply, *(answer.reply for answer in rest)) if text),
    )
