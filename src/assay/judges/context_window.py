"""Whether a case fits into a model's context window, before anything is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assay.errors import UsageError
from assay.models.tokens import estimate_tokens

if TYPE_CHECKING:
    from assay.judges.model_judge import ModelJudge
    from assay.subjects.case import Case
    from assay.subjects.subject import Subject

# Minimum tokens of the task, the criteria and a short reply.
_TASK: Final = 256
# More than any template adds to the texts: cases that leave so much room are not rendered.
_AMPLE: Final = 6000


class TooLongError(UsageError):
    """A case does not fit into the model's context window."""


def check_window(judge: ModelJudge, case: Case) -> None:
    """Refuse a case of which a question exceeds the context window of the judge's model.

    Raises:
        TooLongError: A question does not fit; the message says by how much and what to do.
    """
    window = judge.window
    if window is None:
        return
    texts = sum(estimate_tokens(text) for text in (case.query, case.reference) if text)
    if sum(map(tokens_of, case.subjects)) + texts + _AMPLE <= window:
        return
    for unit, _, shown, question in judge.questions(case):
        prompt = estimate_tokens(judge.prompts.lead(question)) + _TASK
        prompt += estimate_tokens(judge.prompts.system(question.language))
        if prompt <= window:
            continue
        kind, _, number = unit.partition(":")
        what = f"{kind} {int(number) + 1} takes" if number.isdigit() else f"the {shown[0].kind} takes"
        if len(shown) > 1:
            what = f"{len(shown)} subjects together take"
        if judge.settings.granularity == "holistic" and question.mode == "score":
            mend = "judge it in parts (granularity: fine), or use a model with a larger window"
        elif judge.settings.granularity == "synthesis":
            mend = "read it in smaller parts (chunk_chars), or use a model with a larger window"
        else:
            mend = "use a model with a larger window"
        raise TooLongError(
            f"{what} about {prompt:,} tokens with the task, and {judge.model.id} reads {window:,} at most; {mend}"
        )


def tokens_of(subject: Subject) -> int:
    """Return the estimated tokens of a subject."""
    key = "assay.judges.tokens"
    memo: dict[Any, Any] = subject.memo
    if key not in memo:
        memo[key] = estimate_tokens(subject.source)
    count: int = memo[key]
    return count
