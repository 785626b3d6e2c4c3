"""How much of what was asked was answered: the number that stands beside every score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from assay.judges.parts import JudgmentPart
from assay.rubrics.rubric import Rubric
from assay.strategies.base import Status


class CoverageGap(msgspec.Struct, frozen=True):
    """An answer without a verdict: to which criteria, about which part of the subject, in which order, and why."""

    criteria: tuple[str, ...]
    unit: str
    order: str
    status: Status
    problem: str | None

    @property
    def where(self) -> str:
        """The part of the subject or the order shown, in words; empty where there is but one."""
        orders = {"AB": "A shown first", "BA": "B shown first", "reverse": "shown in reverse"}
        kind, _, number = self.unit.partition(":")
        unit = f"{kind} {int(number) + 1}" if number.isdigit() else self.unit
        return unit or orders.get(self.order, "")


class Coverage(msgspec.Struct, frozen=True):
    """Criteria asked and answered – each counts as answered if every answer to it came – and the gaps."""

    asked: int
    answered: int
    gaps: tuple[CoverageGap, ...] = ()

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.asked + other.asked, self.answered + other.answered, self.gaps + other.gaps)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def coverage_of(rubric: Rubric, parts: Sequence[JudgmentPart]) -> Coverage:
    """The coverage of one judgment."""
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
    # Where there was no rubric to ask by, nothing was asked, and nothing is answered.
    reached = {key for part in parts for key in part.criteria}
    answered = sum(item.key in reached and item.key not in missing for item in rubric.criteria)
    return Coverage(len(rubric.criteria), answered, gaps)


def _unanswered(part: JudgmentPart) -> tuple[str, ...]:
    """Where each criterion has an entry of its own, some may be answered and others not."""
    return tuple(key for key in part.criteria if key not in part.answer.values)
