"""Whether a case fits into a model's context window, before anything is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assay.errors import UsageError
from assay.models.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.judges.questions import JudgmentQuestion
    from assay.judges.units import Granularity
    from assay.strategies.prompts import Prompts
    from assay.subjects.case import Case
    from assay.subjects.subject import Subject

# Minimum tokens of the task, the criteria and a short reply.
_TASK: Final = 256
# More than any template adds to the texts: cases that leave so much room are not rendered.
_AMPLE: Final = 6000


class TooLongError(UsageError):
    """A case does not fit into the model's context window."""


def surely_fits(case: Case, window: int) -> bool:
    """Return whether a case is so short that its prompts need not be rendered to see that they fit."""
    texts = sum(estimate_tokens(text) for text in (case.query, case.reference) if text)
    return sum(map(tokens_of, case.subjects)) + texts + _AMPLE <= window


def check_window(
    questions: Iterable[JudgmentQuestion], prompts: Prompts, window: int, model: str, granularity: Granularity
) -> None:
    """Refuse questions that exceed a model's context window.

    Raises:
        TooLongError: A question does not fit; the message says by how much and what to do.
    """
    for unit, _, shown, question in questions:
        prompt = estimate_tokens(prompts.lead(question)) + _TASK
        prompt += estimate_tokens(prompts.system(question.language))
        if prompt <= window:
            continue
        kind, _, number = unit.partition(":")
        what = f"{kind} {int(number) + 1} takes" if number.isdigit() else f"the {shown[0].kind} takes"
        if len(shown) > 1:
            what = f"{len(shown)} subjects together take"
        if granularity == "holistic" and question.mode == "score":
            mend = "judge it in parts (granularity: fine), or use a model with a larger window"
        elif granularity == "synthesis":
            mend = "read it in smaller parts (chunk_chars), or use a model with a larger window"
        else:
            mend = "use a model with a larger window"
        raise TooLongError(
            f"{what} about {prompt:,} tokens with the task, and {model} reads {window:,} at most; {mend}"
        )


def tokens_of(subject: Subject) -> int:
    """Return the estimated tokens of a subject."""
    key = "assay.judges.tokens"
    memo: dict[Any, Any] = subject.memo
    if key not in memo:
        memo[key] = estimate_tokens(subject.source)
    count: int = memo[key]
    return count
