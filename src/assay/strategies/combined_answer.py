"""The answer to several criteria, completed by answers to the criteria that it left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from assay.strategies.base import Answer, Detail, Question, Status

_WORST: Final[tuple[Status, ...]] = ("failed", "refused", "unparsed", "ok")


def combine_answers(question: Question, first: Answer, rest: Sequence[Answer]) -> Answer:
    """Combine answers into one.

    Args:
        question: The question.
        first: The answer to all its criteria, which left some out.
        rest: Answers to those that it left out, each asked alone, in the order of the question.
    """
    left = [item.key for item in question.criteria if item.key not in first.values]
    values = dict(first.values)
    # What a criterion without a verdict was given gives way to what it was given when asked alone.
    details: dict[str, Detail] = {key: item for key, item in first.details.items() if key in first.values}
    lines = [first.rationale] if first.rationale else []
    problems = []
    for key, answer in zip(left, rest, strict=True):
        values |= answer.values
        details |= answer.details
        rationale = answer.details[key].rationale if key in answer.details else answer.rationale
        if rationale:
            lines.append(f"{key}: {rationale}")
        if answer.status != "ok":
            problems.append(f'"{key}", asked alone: {answer.problem}')
    statuses = {answer.status for answer in rest}
    return msgspec.structs.replace(
        first,
        status=next(status for status in _WORST if status in statuses),
        values={item.key: values[item.key] for item in question.criteria if item.key in values},
        details={item.key: details[item.key] for item in question.criteria if item.key in details},
        rationale="\n".join(lines),
        quotes=(*first.quotes, *(quote for answer in rest for quote in answer.quotes)),
        problem="; ".join(problems) or None,
        reply="\n\n".join(text for text in (first.reply, *(answer.reply for answer in rest)) if text),
    )
