"""Reviews of drafted criteria: a person accepts, changes or rejects each; who decided when is recorded.

Only a decision removes the draft mark of a criterion: one that was changed but not accepted stays a draft.
Its original wording stays in its notes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

import msgspec

from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.weighted import MANDATORY

_BEFORE: Final = "before"
_REVIEW: Final = "review"


class RejectedCriterion(msgspec.Struct, frozen=True, kw_only=True):
    """A rejected criterion as it stood then; the rubric no longer contains it."""

    rubric: str
    criterion: Criterion
    by: str
    at: str


class ReviewCounts(msgspec.Struct, frozen=True):
    """Numbers of criteria by state."""

    accepted: int
    edited: int
    rejected: int
    drafts: int


class RubricReview:
    """A review in progress.

    Args:
        rubric: With the drafts.
        done: The same rubric as an earlier session left it.
        rejected: What was rejected then.
        everything: Whether to review criteria that are not drafts, too.

    Attributes:
        items: The criteria in order, each as it stands, the rejected with them.
        rejected: Rejections by key.
    """

    def __init__(
        self,
        rubric: Rubric,
        *,
        done: Rubric | None = None,
        rejected: Iterable[RejectedCriterion] = (),
        everything: bool = False,
    ) -> None:
        later = {item.key: item for item in done.criteria} if done is not None else {}
        known = {item.key for item in rubric.criteria}
        self._rubric = rubric
        self._everything = everything
        self.items: list[Criterion] = [later.get(item.key, item) for item in rubric.criteria]
        self.items += [item for key, item in later.items() if key not in known]
        keys = {item.key for item in self.items}
        # Only criteria that an earlier session left out: a file reviewed in place no longer has them, and a new one
        # knows of no rejections.
        self.rejected: dict[str, RejectedCriterion] = {
            item.criterion.key: item
            for item in rejected
            if done is not None
            and item.rubric == rubric.name
            and item.criterion.key in keys
            and item.criterion.key not in later
        }

    def waits(self, index: int) -> bool:
        """Return whether a criterion has still to be decided on."""
        item = self.items[index]
        if item.key in self.rejected:
            return False
        return item.is_draft or (self._everything and _REVIEW not in item.notes)

    def waiting(self) -> list[int]:
        """Return the criteria to decide on."""
        return [index for index in range(len(self.items)) if self.waits(index)]

    def change(
        self, index: int, *, asks: str | None = None, weight: float | None = None, axis: str | None = None
    ) -> None:
        """Change a criterion. It waits for a decision as before."""
        item = self.items[index]
        before = {"asks": item.asks, "weight": item.weight, "axis": item.notes.get("axis", "")}
        notes: dict[str, Any] = {**item.notes, _BEFORE: item.notes.get(_BEFORE, before)}
        if axis is not None:
            notes["axis"] = axis
        if weight is not None and "mandatory" in notes:
            notes["mandatory"] = abs(weight) >= MANDATORY
        changed = msgspec.structs.replace(
            item,
            asks=item.asks if asks is None else asks,
            # A title made from the text would tell the old one.
            title=item.title if asks is None else "",
            weight=item.weight if weight is None else weight,
            notes=notes,
        )
        after = {"asks": changed.asks, "weight": changed.weight, "axis": notes.get("axis", "")}
        if after == notes[_BEFORE]:
            notes.pop(_BEFORE)
            changed = msgspec.structs.replace(changed, notes=notes)
        self.items[index] = changed

    def accept(self, index: int, *, by: str, at: str) -> None:
        """Accept a criterion as it stands."""
        item = self.items[index]
        notes = {key: value for key, value in item.notes.items() if key != "draft"}
        decision: Literal["edited", "accepted"] = "edited" if _BEFORE in notes else "accepted"
        notes[_REVIEW] = {"decision": decision, "by": by, "at": at}
        self.rejected.pop(item.key, None)
        self.items[index] = msgspec.structs.replace(item, notes=notes)

    def reject(self, index: int, *, by: str, at: str) -> None:
        """Reject a criterion: the rubric goes on without it."""
        item = self.items[index]
        self.rejected[item.key] = RejectedCriterion(rubric=self._rubric.name, criterion=item, by=by, at=at)

    def reopen(self, index: int) -> None:
        """Take a decision back: the criterion is a draft again, with its changes."""
        item = self.items[index]
        self.rejected.pop(item.key, None)
        if _REVIEW in item.notes:
            notes = {key: value for key, value in item.notes.items() if key != _REVIEW}
            self.items[index] = msgspec.structs.replace(item, notes={**notes, "draft": True})

    def rubric(self) -> Rubric:
        """Return the rubric as it stands, without what was rejected."""
        kept = tuple(item for item in self.items if item.key not in self.rejected)
        return msgspec.structs.replace(self._rubric, criteria=kept)

    def tally(self) -> ReviewCounts:
        """Return the number of criteria that are accepted, changed, rejected and open."""
        decisions = [
            item.notes[_REVIEW].get("decision")
            for item in self.items
            if item.key not in self.rejected and isinstance(item.notes.get(_REVIEW), dict)
        ]
        drafted = sum(item.is_draft and item.key not in self.rejected for item in self.items)
        return ReviewCounts(
            decisions.count("accepted"), decisions.count("edited"), len(self.rejected), drafted
        )
