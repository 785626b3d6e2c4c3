"""Making judgments one at a time or a stream of them: recalled from the ledger, or made and written down.

A run of an experiment goes through `assay.runs.engine`, by a plan. Here is what a command or a notebook needs: the answers
come back with the judgment, trials come back together, and a stream comes back in the order it was given.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from assay.errors import UsageError
from assay.judges.identity import name_of
from assay.judges.judge import Judge
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
from assay.rubrics.rubric import Rubric
from assay.runs.engine import JudgmentTask, record_result
from assay.runs.prefix_limiter import HaltedError
from assay.runs.records import RunRow
from assay.strategies.base import Mode
from assay.subjects.subject import Subject

if TYPE_CHECKING:
    from assay.runs.records import RunStatus
    from assay.runs.session import Session

T = TypeVar("T")
# Most candidates that are shown in one prompt unless that is asked for.
LISTWISE: Final = 5


class RecordedJudgment(msgspec.Struct, frozen=True):
    """A judgment and the answers it was made of; ``recalled``: it was in the ledger."""

    key: str
    version: str
    trial: int
    judgment: Judgment
    parts: tuple[JudgmentPart, ...]
    recalled: bool = False


class RepetitionSet(msgspec.Struct, frozen=True):
    """All trials of a judgment; ``rubric`` is the one they were made by."""

    subjects: tuple[Any, ...]
    made: tuple[RecordedJudgment, ...]
    planned: int
    rubric: Rubric | None = None

    @property
    def trials(self) -> Repetitions:
        """What they say together."""
        return Repetitions(tuple(item.judgment for item in self.made), self.planned)


def new_run(name: str, plan: dict[str, Any]) -> RunRow:
    """A run of this moment. Its id says what it is and when it was, and is like no other."""
    from assay._version import __version__  # noqa: PLC0415 - for the record only

    now = time.time()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(now))
    return RunRow(
        id=f"{name}-{stamp}-{secrets.token_hex(2)}",
        name=name,
        status="running",
        created=now,
        plan=plan,
        provenance={"assay": __version__},
    )


class RecordingJudge:
    """Makes the judgments of one judge and writes them down as a part of a run.

    Args:
        session: Where the judge's model is open.
        judge: The judge.
        run: The run, which is recorded with the first judgment; None: of none.
        since: Judgments older than this (Unix time) are made again.
    """

    def __init__(
        self, session: Session, judge: Judge, *, run: RunRow | None = None, since: float = 0.0
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
        """Refuse what cannot be judged, before anything is spent.

        Raises:
            UsageError: The strategy, the rubric or the model's window does not fit.
        """
        questions = self.judge.questions(mode, subjects, query=query, reference=reference)
        self._session.check_window(self.judge, questions)

    async def make(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> RecordedJudgment:
        """One judgment: the one in the ledger, or a new one. Raises as `Judge.score`."""
        judge = self.judge
        key = judge.key(mode, subjects, query=query, reference=reference, trial=trial)
        found = await self._recalled(key)
        if found is not None:
            return found
        make = partial(judge.make, mode, subjects, query=query, reference=reference, trial=trial)
        tags = {"judge": judge.name, "subject": " | ".join(name_of(item) for item in subjects)}
        task = JudgmentTask(key=key, version=judge.version, trial=trial, make=make, tags=tags)
        outcome = await make()
        await self._begin()
        await record_result(self._session.ledger, self.run.id if self.run else None, task, outcome)
        return RecordedJudgment(key, judge.version, trial, outcome.judgment, outcome.parts)

    async def repeat(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        seen: Callable[[RecordedJudgment], None] | None = None,
    ) -> RepetitionSet:
        """As many trials as the settings say. Comparisons may end early, if the settings let them.

        Votes that are needed whatever comes are asked for together. Raises as `Judge.score`.
        """
        settings = self.judge.settings
        total = settings.trials
        if total < 1:
            raise UsageError(f"trials is {total}; it must be 1 or more")
        early = settings.early_stop and mode == "pair"
        made: list[RecordedJudgment] = []
        while len(made) < total:
            count = votes_needed([item.judgment.preference for item in made], total) if early else total
            if count == 0:
                break
            wave = range(len(made), len(made) + count)
            made += await _all(
                self._seen(seen, mode, subjects, query=query, reference=reference, trial=trial)
                for trial in wave
            )
        rubric = self.judge.rubric_for(mode, subjects, query=query)
        return RepetitionSet(tuple(subjects), tuple(made), total, rubric)

    async def rank(
        self,
        subjects: Sequence[Subject],
        *,
        method: str = "auto",
        query: str | None = None,
        reference: str | None = None,
        seen: Callable[[RecordedJudgment], None] | None = None,
    ) -> Ranking:
        """Order several, best first.

        Args:
            subjects: The candidates.
            method: ``listwise`` in one prompt, shown in both orders; ``tournament`` by pairs; ``scores``, each judged by
                itself; ``auto``: listwise where they are few and fit the model's window, else a tournament.
            query: The question they answer, where they do not carry it.
            reference: A reference answer.
            seen: Called with every judgment.

        Raises:
            UsageError: They cannot be ranked so.
        """
        asked: dict[str, Any] = {"query": query, "reference": reference}
        if method == "auto":
            method = self.way(subjects, **asked)
        if len({type(item) for item in subjects}) > 1:
            raise UsageError("some are reports and some trajectories; rank what is of a kind")
        names = names_of(subjects)
        if method == "listwise":
            self.check("rank", subjects, **asked)
            repeated = await self.repeat("rank", subjects, **asked, seen=seen)
            return ranking_of_judgments(names, repeated.trials.judgments)
        if method == "scores":
            for subject in subjects:
                self.check("score", [subject], **asked)
            scored = await _all(self.repeat("score", [subject], **asked, seen=seen) for subject in subjects)
            return ranking_of_scores(names, [item.trials.judgments for item in scored])
        # The longest two: if they fit, all pairs do.
        longest = sorted(subjects, key=lambda item: len(item.source))[-2:]
        self.check("pair", longest, **asked)

        async def compare(a: Subject, b: Subject) -> Judgment:
            return (await self.repeat("pair", [a, b], **asked, seen=seen)).trials.judgment

        return ranking_of_tournament(names, await tournament(compare, subjects))

    def way(
        self, subjects: Sequence[Subject], *, query: str | None = None, reference: str | None = None
    ) -> Method:
        """How `rank` ranks these if nothing is said: listwise where they are few and fit the model's window.

        Raises:
            UsageError: They cannot be ranked in one prompt for another reason than its length, nor then by pairs.
        """
        if len(subjects) > LISTWISE:
            return "tournament"
        questions = self.judge.questions("rank", subjects, query=query, reference=reference)
        try:
            self._session.check_window(self.judge, questions)
        except UsageError:
            return "tournament"
        return "listwise"

    async def finish(self, status: RunStatus) -> None:
        """Say how the run ended."""
        ledger = self._session.ledger
        if ledger is not None and self.run is not None and self._began is not None:
            await ledger.set_status(self.run.id, status)

    async def _seen(
        self, seen: Callable[[RecordedJudgment], None] | None, *args: Any, **asked: Any
    ) -> RecordedJudgment:
        made = await self.make(*args, **asked)
        if seen is not None:
            seen(made)
        return made

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
        return RecordedJudgment(key, row.judge_version, row.trial, row.judgment, parts, recalled=True)

    async def _begin(self) -> None:
        """Record the run, once."""
        ledger = self._session.ledger
        if ledger is None or self.run is None:
            return
        if self._began is None:
            self._began = asyncio.create_task(ledger.start_run(self.run))
        await asyncio.shield(self._began)


def names_of(subjects: Sequence[Subject]) -> list[str]:
    """Names of candidates; those without one are numbered."""
    return [name_of(item, str(i + 1)) for i, item in enumerate(subjects)]


async def in_order(makes: Iterable[Callable[[], Awaitable[T]]], *, width: int) -> AsyncIterator[T]:
    """What each makes, in the order given, up to ``width`` of them under way and no more than that held.

    An error lets those that are under way finish, and is raised after the last of them that came before or after it. Of
    several the first is raised – but not one that only says that another has ended the run.
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
                made = await window[0]
            except Exception as error:  # noqa: BLE001 - raised below
                failure = error if failure is None or isinstance(failure, HaltedError) else failure
                window.popleft()
                continue
            window.popleft()
            yield made
        if failure is not None:
            raise failure
    finally:
        for item in window:
            item.cancel()
        await asyncio.gather(*window, return_exceptions=True)


async def _all(makes: Iterable[Awaitable[T]]) -> list[T]:
    """All of them; where some fail, the others are let finish – they are paid for – and the first error is raised."""
    results = await asyncio.gather(*makes, return_exceptions=True)
    made: list[T] = []
    failures = [item for item in results if isinstance(item, BaseException)]
    if failures:
        raise next((item for item in failures if not isinstance(item, HaltedError)), failures[0])
    for item in results:
        assert not isinstance(item, BaseException)
        made.append(item)
    return made
