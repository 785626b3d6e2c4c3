"""Judgments of one judge, one at a time or as a stream: recalled from the ledger, or made and recorded.

Runs of experiments use `assay.runs.engine` and a plan. This is for commands and notebooks: answers come with their
judgment, repetitions come together, and a stream keeps its order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from assay.errors import UsageError
from assay.judges.context_window import TooLongError
from assay.judges.identity import name_of
from assay.judges.judgment import Judgment
from assay.judges.parts import JudgmentPart
from assay.judges.ranking import (
    Method,
    Ranking,
    ranking_of_judgments,
    ranking_of_scores,
    ranking_of_tournament,
)
from assay.judges.repetitions import Repetitions, votes_needed
from assay.judges.tournament import tournament
from assay.judges.verdicts import with_verdicts
from assay.rubrics.rubric import Rubric
from assay.runs.engine import record_judgment
from assay.runs.prefix_limiter import HaltedError
from assay.runs.records import RunRow
from assay.runs.tasks import JudgmentTask
from assay.subjects.case import Case, Mode
from assay.subjects.subject import Subject

if TYPE_CHECKING:
    from assay.judges.model_judge import ModelJudge
    from assay.runs.records import RunStatus
    from assay.runs.session import Session

T = TypeVar("T")
# Maximum candidates shown in one prompt by default.
LISTWISE: Final = 5


class RecordedJudgment(msgspec.Struct, frozen=True):
    """A judgment and the answers it combines; ``recalled`` if the ledger had it."""

    key: str
    version: str
    trial: int
    judgment: Judgment
    parts: tuple[JudgmentPart, ...]
    recalled: bool = False


class RepetitionSet(msgspec.Struct, frozen=True):
    """All repetitions of a judgment, and the rubric they were made by."""

    subjects: tuple[Any, ...]
    judgments: tuple[RecordedJudgment, ...]
    planned: int
    rubric: Rubric | None = None

    @property
    def trials(self) -> Repetitions:
        """The combined repetitions."""
        return Repetitions(tuple(item.judgment for item in self.judgments), self.planned)


class RecordingJudge:
    """Makes the judgments of one judge and records them as part of a run.

    Args:
        session: Session in which the judge's model is open.
        judge: The judge.
        run: Run to record, from its first judgment on; None records no run.
        since: Judgments older than this (Unix time) are made again.
    """

    def __init__(
        self, session: Session, judge: ModelJudge, *, run: RunRow | None = None, since: float = 0.0
    ) -> None:
        self.judge = judge
        self.run = run
        self._session = session
        self._since = since
        self._began: asyncio.Task[None] | None = None

    def check(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
    ) -> None:
        """Refuse a case that cannot be judged, before anything is spent.

        Raises:
            UsageError: The strategy, the rubric or the model's window does not fit.
        """
        self.judge.check(Case(*subjects, query=query, reference=reference, mode=mode))

    async def make(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> RecordedJudgment:
        """Return one judgment, from the ledger or a new one. Raises the same errors as `ModelJudge.judge`."""
        judge = self.judge
        case = Case(*subjects, query=query, reference=reference, mode=mode)
        key = judge.key(case, trial)
        recalled = await self._recalled(key)
        if recalled is not None:
            return recalled
        tags = {"judge": judge.name, "subject": " | ".join(name_of(item) for item in subjects)}
        task = JudgmentTask(judge, case, key, trial, tags)
        judgment, parts = result = await task.make()
        await self._begin()
        if self._session.ledger is not None:
            run = self.run.id if self.run else None
            await record_judgment(self._session.ledger, run, task, result)
        return RecordedJudgment(key, judge.version, trial, judgment, parts)

    async def repeat(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        on_judgment: Callable[[RecordedJudgment], None] | None = None,
    ) -> RepetitionSet:
        """Return as many repetitions as the settings say; those of comparisons may end early.

        Repetitions that are needed in any case are made together. Raises the same errors as `ModelJudge.judge`.
        """
        settings = self.judge.settings
        total = settings.trials
        if total < 1:
            raise UsageError(f"trials is {total}; it must be 1 or more")
        early = settings.early_stop and mode == "compare"
        repetitions: list[RecordedJudgment] = []
        while len(repetitions) < total:
            count = (
                votes_needed([item.judgment.preference for item in repetitions], total) if early else total
            )
            if count == 0:
                break
            wave = range(len(repetitions), len(repetitions) + count)
            repetitions += await _all(
                self._report(on_judgment, mode, subjects, query=query, reference=reference, trial=trial)
                for trial in wave
            )
        rubric = self.judge.rubric_for(Case(*subjects, query=query, reference=reference, mode=mode))
        made = (
            msgspec.structs.replace(item, judgment=with_verdicts(item.judgment, rubric, item.parts))
            for item in repetitions
        )
        return RepetitionSet(tuple(subjects), tuple(made), total, rubric)

    async def rank(
        self,
        subjects: Sequence[Subject],
        *,
        method: str = "auto",
        query: str | None = None,
        reference: str | None = None,
        on_judgment: Callable[[RecordedJudgment], None] | None = None,
    ) -> Ranking:
        """Order several subjects, best first.

        Args:
            subjects: The candidates.
            method: ``listwise`` in one prompt, shown in both orders; ``tournament`` by pairs; ``scores``, each
                judged by itself; ``auto``: listwise if they are few and fit the model's window, otherwise a
                tournament.
            query: Question that they answer, unless they carry it.
            reference: Reference answer.
            on_judgment: Callback for every judgment.

        Raises:
            UsageError: They cannot be ranked in this way.
        """
        inputs: dict[str, Any] = {"query": query, "reference": reference}
        if method == "auto":
            method = self.way(subjects, **inputs)
        if len({type(item) for item in subjects}) > 1:
            raise UsageError("some subjects are reports and some trajectories; rank subjects of one kind")
        names = names_of(subjects)
        if method == "listwise":
            self.check("rank", subjects, **inputs)
            repeated = await self.repeat("rank", subjects, **inputs, on_judgment=on_judgment)
            return ranking_of_judgments(names, repeated.trials.judgments)
        if method == "scores":
            for subject in subjects:
                self.check("score", [subject], **inputs)
            scored = await _all(
                self.repeat("score", [subject], **inputs, on_judgment=on_judgment) for subject in subjects
            )
            return ranking_of_scores(names, [item.trials.judgments for item in scored])
        # If the longest two fit, all pairs do.
        longest = sorted(subjects, key=lambda item: len(item.source))[-2:]
        self.check("compare", longest, **inputs)

        async def compare(a: Subject, b: Subject) -> Judgment:
            return (await self.repeat("compare", [a, b], **inputs, on_judgment=on_judgment)).trials.judgment

        return ranking_of_tournament(names, await tournament(compare, subjects))

    def way(
        self, subjects: Sequence[Subject], *, query: str | None = None, reference: str | None = None
    ) -> Method:
        """Return the method that `rank` uses by default: listwise if they are few and fit the model's window.

        Raises:
            UsageError: They can be ranked neither in one prompt nor by pairs, for another reason than their length.
        """
        if len(subjects) > LISTWISE:
            return "tournament"
        case = Case(*subjects, query=query, reference=reference, mode="rank")
        self.judge.questions(case)
        try:
            self.judge.check_window(case)
        except TooLongError:
            return "tournament"
        return "listwise"

    async def finish(self, status: RunStatus) -> None:
        """Record how the run ended."""
        ledger = self._session.ledger
        if ledger is not None and self.run is not None and self._began is not None:
            await ledger.set_status(self.run.id, status)

    async def _report(
        self, on_judgment: Callable[[RecordedJudgment], None] | None, *args: Any, **inputs: Any
    ) -> RecordedJudgment:
        judgment = await self.make(*args, **inputs)
        if on_judgment is not None:
            on_judgment(judgment)
        return judgment

    async def _recalled(self, key: str) -> RecordedJudgment | None:
        ledger = self._session.ledger
        if ledger is None:
            return None
        row = ledger.judgment(key)
        if row is None or row.judgment.status == "failed" or row.at < self._since:
            return None
        answers = sorted(ledger.answers_to(key), key=lambda item: int(item.key.rpartition("/")[2]))
        parts = tuple(JudgmentPart(item.unit, item.order, item.criteria, item.answer) for item in answers)
        await self._begin()
        if self.run is not None:
            ledger.join(self.run.id, [key])
        # The judge may have been given another name since.
        judgment = msgspec.structs.replace(row.judgment, judge=self.judge.name)
        return RecordedJudgment(key, row.judge_version, row.trial, judgment, parts, recalled=True)

    async def _begin(self) -> None:
        """Record the run, once."""
        ledger = self._session.ledger
        if ledger is None or self.run is None:
            return
        if self._began is None:
            self._began = asyncio.create_task(ledger.start_run(self.run))
        await asyncio.shield(self._began)


def names_of(subjects: Sequence[Subject]) -> list[str]:
    """Return the names of candidates; those without one are numbered."""
    return [name_of(item, str(i + 1)) for i, item in enumerate(subjects)]


async def in_order(makes: Iterable[Callable[[], Awaitable[T]]], *, width: int) -> AsyncIterator[T]:
    """Yield the results in the order given, with at most ``width`` of them in progress or held.

    An error lets those in progress finish, and is raised after their results. Of several errors the first is
    raised, unless it only says that another one has ended the run.
    """
    source = iter(makes)
    window: deque[asyncio.Task[T]] = deque()
    failure: BaseException | None = None
    ended = False
    try:
        while True:
            while not ended and failure is None and len(window) < width:
                make = next(source, None)
                if make is None:
                    ended = True
                else:
                    window.append(asyncio.ensure_future(make()))
            if not window:
                break
            try:
                result = await window[0]
            except Exception as error:  # noqa: BLE001 - raised below
                failure = error if failure is None or isinstance(failure, HaltedError) else failure
                window.popleft()
                continue
            window.popleft()
            yield result
        if failure is not None:
            raise failure
    finally:
        for item in window:
            item.cancel()
        await asyncio.gather(*window, return_exceptions=True)


async def _all(makes: Iterable[Awaitable[T]]) -> list[T]:
    """Return all results. If some fail, the others finish first, and the first error is raised."""
    results = await asyncio.gather(*makes, return_exceptions=True)
    values: list[T] = []
    failures = [item for item in results if isinstance(item, BaseException)]
    if failures:
        raise next((item for item in failures if not isinstance(item, HaltedError)), failures[0])
    for item in results:
        assert not isinstance(item, BaseException)
        values.append(item)
    return values
