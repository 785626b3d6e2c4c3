"""Coverage: the share of criteria with a verdict, which is shown beside every score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from assay.judges.parts import JudgmentPart
from assay.rubrics.rubric import Rubric
from assay.strategies.base import Status


class CoverageGap(msgspec.Struct, frozen=True):
    """An answer without a verdict: its criteria, the part of the subject, the order of showing, and the reason."""

    criteria: tuple[str, ...]
    unit: str
    order: str
    status: Status
    problem: str | None

    @property
    def where(self) -> str:
        """Part of the subject or order of showing, in words; empty if there is only one."""
        orders = {"AB": "A shown first", "BA": "B shown first", "reverse": "shown in reverse"}
        kind, _, number = self.unit.partition(":")
        unit = f"{kind} {int(number) + 1}" if number.isdigit() else self.unit
        return unit or orders.get(self.order, "")


class Coverage(msgspec.Struct, frozen=True):
    """Number of criteria asked and answered, and the gaps. A criterion is answered if all its answers are verdicts."""

    asked: int
    answered: int
    gaps: tuple[CoverageGap, ...] = ()

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.asked + other.asked, self.answered + other.answered, self.gaps + other.gaps)

    def to_dict(self) -> dict[str, Any]:
        """Return the coverage as plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def coverage_of(rubric: Rubric, parts: Sequence[JudgmentPart]) -> Coverage:
    """Return the coverage of one judgment."""
    gaps = tuple(
        CoverageGap(_unanswered(part), part.unit, part.order, part.answer.status, part.answer.problem)
        for part in parts
        if part.answer.status != "ok"
    )
    gaps += tuple(
        CoverageGap(left, part.unit, part.order, "unparsed", "only its verdict on the whole could be read")
        for part in parts
        if part.answer.status == "ok" and part.answer.ranking is None and (left := _unanswered(part))
    )
    missing = {key for gap in gaps for key in gap.criteria}
    # Without a rubric nothing was asked, and nothing is answered.
    reached = {key for part in parts for key in part.criteria}
    answered = sum(item.key in reached and item.key not in missing for item in rubric.criteria)
    return Coverage(len(rubric.criteria), answered, gaps)


def _unanswered(part: JudgmentPart) -> tuple[str, ...]:
    """Return the criteria without a verdict: a strategy may answer some of a call and not others."""
    return tuple(key for key in part.criteria if key not in part.answer.values)
