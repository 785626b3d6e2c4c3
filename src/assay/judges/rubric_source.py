"""Sources that give each case its own rubric: looked up by task, or written for the instance.

A judge with a `RubricSource` asks it before asking its own questions. The calls of the source are part of the
judgment: kept, counted, and shown with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from assay.judges.parts import JudgmentPart
from assay.rubrics.rubric import Rubric

if TYPE_CHECKING:
    from assay.subjects.case import Case


class SetupCost(msgspec.Struct, frozen=True):
    """Estimated cost of a judgment before its own questions: calls, tokens read and tokens written by all of them."""

    calls: int = 0
    read: int = 0
    written: int = 0


class ResolvedRubric(msgspec.Struct, frozen=True):
    """The rubric of one case and the calls made to get it. If the rubric is None, the parts say why."""

    rubric: Rubric | None
    parts: tuple[JudgmentPart, ...] = ()


class RubricSource(Protocol):
    """A source that gives each case its rubric."""

    @property
    def name(self) -> str:
        """Its name in results."""
        ...

    @property
    def version(self) -> str:
        """Hash of everything its rubrics depend on besides the case, 12 hex digits."""
        ...

    @property
    def typical(self) -> Rubric:
        """One of its rubrics, or a similar one, for plans, estimates and tables."""
        ...

    def check(self, case: Case) -> None:
        """Refuse cases that it has no rubric for.

        Raises:
            UsageError: It has none; the message says which cases it covers.
        """
        ...

    def known(self, case: Case) -> Rubric | None:
        """Return the rubric if no model has to be asked for it."""
        ...

    async def rubric(self, case: Case, *, language: Literal["en", "zh"] = "en") -> ResolvedRubric:
        """Return the rubric of a case.

        Raises:
            UsageError: It has none.
        """
        ...
