"""Where the rubric of a judgment comes from when it is not the same for all: looked up by task, or written for the instance.

A judge with a `RubricSource` asks it before it asks its own questions. What the source asked on the way is a part of the
judgment: kept, counted, and shown with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from assay.judges.parts import JudgmentPart
from assay.rubrics.rubric import Rubric
from assay.strategies.base import Mode

if TYPE_CHECKING:
    from assay.subjects.subject import Subject


class SetupCost(msgspec.Struct, frozen=True):
    """What a judgment takes before its own questions, about: calls, tokens read by all of them, tokens written."""

    calls: int = 0
    read: int = 0
    written: int = 0


class ResolvedRubric(msgspec.Struct, frozen=True):
    """The rubric of one judgment, and what was asked to get it. None: there is none, and the parts say why."""

    rubric: Rubric | None
    parts: tuple[JudgmentPart, ...] = ()


class RubricSource(Protocol):
    """Gives each judgment its rubric."""

    @property
    def name(self) -> str:
        """What results call it."""
        ...

    @property
    def version(self) -> str:
        """Hash of all its rubrics depend on besides what is judged, 12 hex digits."""
        ...

    @property
    def typical(self) -> Rubric:
        """One of its rubrics, or one like them: for plans, estimates and tables."""
        ...

    def check(self, mode: Mode, subjects: Sequence[Subject], *, query: str | None = None) -> None:
        """Refuse what it has no rubric for.

        Raises:
            UsageError: It has none; the message says for what it has.
        """
        ...

    def known(self, mode: Mode, subjects: Sequence[Subject], *, query: str | None = None) -> Rubric | None:
        """The rubric, where no model need be asked for it."""
        ...

    async def rubric(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        language: Literal["en", "zh"] = "en",
    ) -> ResolvedRubric:
        """The rubric for these.

        Raises:
            UsageError: It has none.
        """
        ...
