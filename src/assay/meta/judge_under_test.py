"""Whoever is put on trial, behind one door: a judge that asks a model, or one that asks nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from assay.judges.combine import JudgmentPart
from assay.judges.repetitions import Repetitions
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.judges.ranking import Ranking
    from assay.runs.model_free_backend import ModelFreeBackend
    from assay.runs.recording_judge import RecordedJudgment, RecordingJudge

Subject: TypeAlias = Report | Trajectory


class RepeatedJudgment(msgspec.Struct, frozen=True):
    """Every trial of one judgment, and where each is in the ledger."""

    trials: Repetitions
    keys: tuple[str, ...] = ()
    parts: tuple[JudgmentPart, ...] = ()


class JudgeUnderTest(Protocol):
    """A judge under one condition."""

    @property
    def both_orders(self) -> bool:
        """Whether a pair is shown in both orders, so that a verdict holds only if both give it."""
        ...

    async def score(self, subject: Subject) -> RepeatedJudgment:
        """One subject by itself."""
        ...

    async def compare(self, a: Subject, b: Subject) -> RepeatedJudgment:
        """Two of them."""
        ...

    async def rank(self, subjects: Sequence[Subject]) -> Ranking:
        """Several."""
        ...


class ModelFreeJudge:
    """A judge that asks no model: always the same, so once is enough."""

    both_orders = False

    def __init__(self, judge: ModelFreeBackend) -> None:
        self._judge = judge

    async def score(self, subject: Subject) -> RepeatedJudgment:
        """One subject by itself."""
        return RepeatedJudgment(await self._judge.trials([subject]))

    async def compare(self, a: Subject, b: Subject) -> RepeatedJudgment:
        """Two of them."""
        return RepeatedJudgment(await self._judge.trials([a, b]))

    async def rank(self, subjects: Sequence[Subject]) -> Ranking:
        """By the score of each: a tournament of pairs would say what pairs say."""
        return await self._judge.rank(subjects, method="scores")


class ModelJudge:
    """A judge that asks a model, by makers that recall what the ledger has.

    Args:
        maker: Who judges subjects of this kind.
        swap: Whether pairs are shown in both orders.
        seen: Told of each judgment.
    """

    def __init__(
        self,
        maker: Callable[[Subject], RecordingJudge],
        *,
        swap: bool,
        seen: Callable[[RecordedJudgment], None] | None = None,
    ) -> None:
        self._maker = maker
        self._seen = seen
        self.both_orders = swap

    async def score(self, subject: Subject) -> RepeatedJudgment:
        """One subject by itself."""
        repeated = await self._maker(subject).repeat("score", [subject], seen=self._seen)
        return _heard(repeated.trials, repeated.made)

    async def compare(self, a: Subject, b: Subject) -> RepeatedJudgment:
        """Two of them."""
        repeated = await self._maker(a).repeat("pair", [a, b], seen=self._seen)
        return _heard(repeated.trials, repeated.made)

    async def rank(self, subjects: Sequence[Subject]) -> Ranking:
        """Several: in one prompt where they are few and fit, else by pairs."""
        return await self._maker(subjects[0]).rank(subjects, seen=self._seen)


def _heard(trials: Repetitions, made: Sequence[RecordedJudgment]) -> RepeatedJudgment:
    return RepeatedJudgment(
        trials, tuple(item.key for item in made), tuple(part for item in made for part in item.parts)
    )
