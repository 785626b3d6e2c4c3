"""Criteria that are drafts: written by a model and looked at by nobody yet. ``draft: true`` in their notes says so."""

from __future__ import annotations

from assay.rubrics.rubric import Criterion, Rubric


def is_draft(criterion: Criterion) -> bool:
    """Return whether nobody has decided on the criterion yet."""
    return criterion.notes.get("draft") is True


def drafts(rubric: Rubric) -> tuple[Criterion, ...]:
    """Return the criteria nobody has decided on, in order."""
    return tuple(item for item in rubric.criteria if is_draft(item))
