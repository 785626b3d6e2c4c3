"""Judgments as they come from the engine or the ledger, combined with their repetitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import ModelError
from assay.judges.identity import metadata_of
from assay.judges.judgment import Judgment
from assay.judges.model_judge import ModelJudge
from assay.judges.parts import JudgmentPart
from assay.judges.repetitions import combine_repetitions
from assay.judges.verdicts import with_verdicts
from assay.runs.tasks import JudgmentTask

if TYPE_CHECKING:
    from assay.errors import AssayError
    from assay.judges.case_judge import CaseJudge
    from assay.runs.ledger import Ledger
    from assay.subjects.case import Case


class RepetitionCollector:
    """Puts the repetitions of each case and judge together as they arrive.

    Args:
        emit: Receives each combined judgment and its place.
        ledger: Where earlier judgments are.
        raises: Whether failed judgments are raised.

    Attributes:
        calls: Number of calls behind the judgments.
    """

    def __init__(self, emit: Callable[[int, Judgment], Any], ledger: Ledger | None, *, raises: bool) -> None:
        self._emit = emit
        self._ledger = ledger
        self._raises = raises
        self.calls = 0
        self._open: dict[int, dict[int, Judgment]] = {}
        self._planned: dict[int, int] = {}

    def add(self, task: JudgmentTask, judgment: Judgment) -> None:
        """Take a judgment that was made."""
        if self._raises and judgment.status == "failed":
            raise ModelError(
                f"{judgment.judge} on {judgment.subject}: {judgment.problem or judgment.rationale}"
            )
        self.calls += judgment.usage.calls
        total = task.judge.repetitions
        if total == 1:
            self._emit(task.place, judgment)
            return
        made = self._open.setdefault(task.place, {})
        made[task.repetition] = judgment
        self._planned[task.place] = total
        if len(made) == total:
            self._close(task.place)

    def recall(self, task: JudgmentTask) -> None:
        """Take a judgment that the ledger has."""
        row = None if self._ledger is None else self._ledger.judgment(task.key)
        if row is None:
            return
        # The judge may have been given another name since.
        judgment = msgspec.structs.replace(
            row.judgment,
            judge=task.judge.name,
            metadata=metadata_of(task.case),
            version=task.judge.version,
            key=task.key,
            repetition=task.repetition,
        )
        if not judgment.verdicts and isinstance(task.judge, ModelJudge) and self._ledger is not None:
            answers = sorted(
                self._ledger.answers_to(task.key), key=lambda item: int(item.key.rpartition("/")[2])
            )
            parts = [JudgmentPart(item.unit, item.order, item.criteria, item.answer) for item in answers]
            judgment = with_verdicts(judgment, task.judge.rubric_for(task.case), parts)
        self.add(task, judgment)

    def finish(self) -> None:
        """Combine what has fewer repetitions than planned: its majority was settled, or the run ended."""
        for place in list(self._open):
            self._close(place)

    def _close(self, place: int) -> None:
        made = self._open.pop(place)
        judgments = [made[number] for number in sorted(made)]
        self._emit(place, combine_repetitions(judgments, self._planned.pop(place)))


def refusal(case: Case, judge: CaseJudge, error: AssayError) -> Judgment:
    """Return the failed judgment of a case that a judge cannot judge."""
    return Judgment(
        case.name,
        judge.name,
        rubric=judge.rubric_name,
        status="failed",
        mode=case.mode,
        problem=str(error),
        version=judge.version,
        metadata=metadata_of(case),
    )
