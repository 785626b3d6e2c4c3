"""A judgment as one number from 0 to 1, and its reasons as a text: what other libraries take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.rubrics.loader import load_rubric
from assay.rubrics.rubric import Rubric

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment


def share_of(judgment: Judgment, judge: Any) -> float | None:
    """Return the overall score as a share of what the rubric allows; as it is if the rubric is not known.

    Args:
        judgment: The judgment.
        judge: The judge that made it.
    """
    if judgment.overall is None:
        return None
    rubric = getattr(judge, "rubric", None)
    if not isinstance(rubric, Rubric):
        try:
            rubric = load_rubric(judgment.rubric or "")
        except AssayError:
            return judgment.overall
    share = rubric.share(judgment.overall)
    return judgment.overall if share is None else share


def reasons_of(judgment: Judgment) -> str:
    """Return the reasons, criterion by criterion if there is none on the whole; why there is no verdict if there is none."""
    if judgment.overall is None:
        return judgment.problem or judgment.status
    return judgment.rationale or "\n".join(item.summary_line() for item in judgment.verdicts)
