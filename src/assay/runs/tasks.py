"""The judgments of a run as tasks for the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.judges.model_judge import ModelJudge
from assay.judges.repetitions import votes_needed
from assay.subjects.case import Case
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.judges.case_judge import CaseJudge
    from assay.judges.judgment import Judgment
    from assay.judges.parts import JudgmentPart

# Approximate characters of a part of a report.
_UNIT: Final = 2000


class JudgmentTask(msgspec.Struct, frozen=True, eq=False):
    """A judgment to be made.

    Attributes:
        judge: The judge, a `CaseJudge`.
        case: What it judges.
        key: Content address of the judgment.
        repetition: Number of the repetition, from 0.
        tags: Columns that join it to others: subject, system, label of the judge.
        weight: Approximate number of questions it asks at once.
        place: Place of the case and the judge in a run, for callers that put judgments in order.
    """

    judge: Any
    case: Case
    key: str
    repetition: int = 0
    tags: dict[str, str] = {}
    weight: int = 1
    place: int = 0

    async def make(self) -> tuple[Judgment, tuple[JudgmentPart, ...]]:
        """Return the judgment, and the answers that it combines if a model gave them."""
        judge = self.judge
        if not isinstance(judge, ModelJudge):
            return await judge.judge(self.case, self.repetition), ()
        rubric, parts = await judge.answer(self.case, self.repetition)
        return judge.combine(self.case, self.repetition, rubric, parts), parts


class RepetitionSeries(msgspec.Struct, frozen=True, eq=False):
    """Repetitions of a case. ``needed`` returns the number to make next, all at once; 0 ends the series."""

    tasks: tuple[JudgmentTask, ...]
    needed: Callable[[Sequence[Judgment]], int]

    @property
    def weight(self) -> int:
        """Maximum number of questions asked at once."""
        return self.tasks[0].weight * max(1, self.needed(()))


def tasks_of(
    judge: CaseJudge, case: Case, tags: dict[str, str] | None = None, place: int = 0
) -> Sequence[JudgmentTask] | RepetitionSeries:
    """Return the repetitions of one judge on one case; a series if they may end early."""
    total = judge.repetitions
    weight = weight_of(judge, case)
    if tags is None:
        rubric = judge.rubric_name or ""
        tags = {"judge": judge.name, "rubric": rubric, "mode": case.mode, "subject": case.name}
        tags |= _subject_tags(case)
    tasks = [
        JudgmentTask(judge, case, judge.key(case, number), number, tags, weight, place)
        for number in range(total)
    ]
    if total > 1 and case.mode != "score" and getattr(judge, "early_stop", False):
        return RepetitionSeries(tuple(tasks), partial(_needed, total=total))
    return tasks


def _subject_tags(case: Case) -> dict[str, str]:
    """Return ids and systems of the subjects, under the names that the plan of an experiment gives them."""
    count = len(case.subjects)
    sides = (
        [""] if case.mode == "score" else ["_a", "_b"] if count == 2 else [f"_{n + 1}" for n in range(count)]
    )
    tags: dict[str, str] = {}
    for side, subject in zip(sides, case.subjects, strict=False):
        named = (("id", subject.id), ("system", subject.system))
        tags.update({f"{name}{side}": str(value) for name, value in named if value})
    return tags


def weight_of(judge: CaseJudge, case: Case) -> int:
    """Return the approximate number of questions that a judgment asks at once, without splitting the subject."""
    if not isinstance(judge, ModelJudge):
        return sum(weight_of(member, case) for member in getattr(judge, "judges", ())) or 1
    if case.mode != "score":
        return 2 if judge.settings.swap else 1
    units = 1
    if judge.settings.granularity == "fine":
        subject = case.subjects[0]
        units = len(subject.steps) if isinstance(subject, Trajectory) else len(subject.source) // _UNIT
    return max(1, units) * len(judge.batches)


def _needed(judgments: Sequence[Judgment], *, total: int) -> int:
    """Return how many more repetitions are needed at least before the most frequent verdict can be settled."""
    votes: list[str | None] = []
    for judgment in judgments:
        choice = None if judgment.choice is None else str(judgment.choice)
        votes.append((judgment.preference or choice) if judgment.status == "ok" else None)
    return votes_needed(votes, total)
