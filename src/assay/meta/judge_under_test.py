"""A judge under one condition of an evaluation, with or without a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from assay.judges.repetitions import Repetitions
from assay.runs.model_free_backend import ModelFreeBackend
from assay.subjects.subject import Subject

if TYPE_CHECKING:
    from assay.judges.ranking import Ranking
    from assay.runs.recording_judge import RecordedJudgment, RecordingJudge
    from assay.subjects.case import Mode


class RepeatedJudgment(msgspec.Struct, frozen=True):
    """All repetitions of one judgment, and their keys in the ledger."""

    trials: Repetitions
    keys: tuple[str, ...] = ()


class JudgeUnderTest:
    """Judges single subjects, pairs and sets, as an evaluation needs.

    Args:
        judge: A judge without a model, or a function that returns the recording judge for a subject's kind.
        both_orders: Whether pairs are shown in both orders, so that a preference needs both.
        seen: Callback for every judgment of a model.
    """

    def __init__(
        self,
        judge: ModelFreeBackend | Callable[[Subject], RecordingJudge],
        *,
        both_orders: bool = False,
        seen: Callable[[RecordedJudgment], None] | None = None,
    ) -> None:
        self._judge = judge
        self._seen = seen
        self.both_orders = both_orders

    async def judge(self, *subjects: Subject) -> RepeatedJudgment:
        """Score one subject, or compare two."""
        if isinstance(self._judge, ModelFreeBackend):
            return RepeatedJudgment(await self._judge.trials(subjects))
        mode: Mode = "score" if len(subjects) == 1 else "compare"
        repeated = await self._judge(subjects[0]).repeat(mode, subjects, on_judgment=self._seen)
        return RepeatedJudgment(repeated.trials, tuple(item.key for item in repeated.judgments))

    async def rank(self, subjects: Sequence[Subject]) -> Ranking:
        """Rank subjects; without a model by scores, since a tournament would only repeat the comparisons of pairs."""
        if isinstance(self._judge, ModelFreeBackend):
            return await self._judge.rank(subjects, method="scores")
        return await self._judge(subjects[0]).rank(subjects, on_judgment=self._seen)
