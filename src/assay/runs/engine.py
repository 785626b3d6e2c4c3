"""The engine of runs: makes planned judgments and records them, a bounded number at a time.

Judgments in the ledger are not made again, and calls in it are not paid for again. Whatever ends a run (the end of
the plan, a cap, a wrong key, Ctrl-C), finished work is in the ledger, and the same command resumes it.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.errors import AssayError
from assay.judges.judgment import Judgment
from assay.models.base import PendingCall
from assay.runs.prefix_limiter import HaltedError
from assay.runs.records import AnswerRow, JudgmentRow
from assay.runs.tasks import JudgmentTask, RepetitionSeries

if TYPE_CHECKING:
    from assay.judges.parts import JudgmentPart
    from assay.runs.ledger import Ledger

    # Receives each task with its judgment, and tasks whose judgment the ledger has.
    OnJudgment = Callable[[JudgmentTask, Judgment], Any]
    OnRecalled = Callable[[JudgmentTask], Any]

# Questions in progress per call slot: enough to have the next document's calls ready, few enough to hold in memory.
_AHEAD: Final = 3
_LEAST: Final = 8
# Start 16 questions, then yield six times, so that requests leave before more prompts are rendered.
_AT_ONCE: Final = 16
_TURNS: Final = 6
# Judgments of earlier runs that are joined to this one at a time.
_JOINED: Final = 5000


async def record_judgment(
    ledger: Ledger,
    run: str | None,
    task: JudgmentTask,
    result: tuple[Judgment, Sequence[JudgmentPart]],
    more_tags: Mapping[str, str] | None = None,
) -> None:
    """Record a judgment with its answers as part of a run; return when it is durable."""
    judgment, parts = result
    row = JudgmentRow(
        key=task.key,
        judge_version=task.judge.version or "",
        trial=task.repetition,
        judgment=judgment,
        tags={**task.tags, **more_tags} if more_tags else task.tags,
        at=time.time(),
    )
    answers = [
        AnswerRow(
            key=f"{task.key}/{index}",
            judgment=task.key,
            unit=part.unit,
            order=part.order,
            criteria=part.criteria,
            answer=part.answer,
        )
        for index, part in enumerate(parts)
    ]
    await ledger.record_judgment(run, row, answers)


class RunProgress:
    """The progress of a run, written by the engine and read by displays.

    Attributes:
        planned: Number of planned judgments, if known.
        made: Judgments made now.
        recalled: Judgments found in the ledger.
        skipped: Repetitions that were not needed.
        halted: Judgments begun but not finished because the run ended.
        pending: Judgments that wait for replies of a later round of batch files.
        statuses: Statuses of the judgments made now; those of recalled ones are in the ledger.
        began: Start time on the monotonic clock.
        problem: Why the run ended before its plan.
    """

    def __init__(self, planned: int | None = None) -> None:
        self.planned = planned
        self.made = 0
        self.recalled = 0
        self.skipped = 0
        self.halted = 0
        self.pending = 0
        self.statuses: Counter[str] = Counter()
        self.began = time.monotonic()
        self.problem: str | None = None

    @property
    def done(self) -> int:
        """Number of finished judgments: made now, made before, or not needed."""
        return self.made + self.recalled + self.skipped

    @property
    def rate(self) -> float:
        """Judgments made per second."""
        return self.made / max(1e-9, time.monotonic() - self.began)

    @property
    def seconds_left(self) -> float | None:
        """Remaining seconds at this rate, or None if unknown."""
        if self.planned is None or not self.made:
            return None
        return (self.planned - self.done - self.pending) / self.rate


class Engine:
    """Makes judgments concurrently.

    Args:
        ledger: Ledger that keeps them; None keeps nothing.
        run: Id of their run.
        width: Maximum calls in flight; 0 makes one judgment after another, in the order of the plan.
        since: Judgments older than this (Unix time) are made again.
        halt: Callback that stops further calls when the run is to end.
        known: Keys of finished judgments; by default they are looked up in the ledger.
    """

    def __init__(
        self,
        ledger: Ledger | None,
        run: str,
        *,
        width: int,
        since: float = 0.0,
        halt: Callable[[], None] | None = None,
        known: Collection[str] | None = None,
    ) -> None:
        self._ledger = ledger
        self._run = run
        self._width = width * _AHEAD + _LEAST if width else 1
        self._since = since
        self._halt = halt
        self._stopping = False
        self._ended = False
        self._weight = 0
        self._failure: BaseException | None = None
        self._wake: asyncio.Future[None] | None = None
        self._given = known
        self._known: Collection[str] = known or ()
        self._members: Collection[str] = ()
        self._to_join: list[str] = []
        self._on_judgment: OnJudgment | None = None
        self._on_recalled: OnRecalled | None = None

    @property
    def failure(self) -> BaseException | None:
        """What ended the run, if an error did."""
        return self._failure

    def stop(self) -> None:
        """Begin and send nothing more; calls in flight are awaited."""
        self._stopping = True
        if self._halt is not None:
            self._halt()
        self._rouse()

    async def run(
        self,
        tasks: Iterable[JudgmentTask | RepetitionSeries],
        progress: RunProgress,
        *,
        on_judgment: OnJudgment | None = None,
        on_recalled: OnRecalled | None = None,
    ) -> None:
        """Make all judgments of a plan that do not exist yet.

        Args:
            tasks: The plan; it is consumed gradually and never held as a whole.
            progress: Progress to update.
            on_judgment: Callback for every judgment that is made, once it is recorded.
            on_recalled: Callback for every judgment that the ledger has.

        Raises:
            AssayError: An error that every other judgment would meet too; finished work is kept.
        """
        self._recall()
        self._on_judgment, self._on_recalled = on_judgment, on_recalled
        source = iter(tasks)
        under_way: set[asyncio.Task[None]] = set()
        loop = asyncio.get_running_loop()

        def landed(item: asyncio.Task[None]) -> None:
            under_way.discard(item)
            error = None if item.cancelled() else item.exception()
            if error is not None and self._failure is None:
                self._failure = error
                self.stop()
            self._rouse()

        try:
            while True:
                self._wake = loop.create_future()
                begun = 0
                for task in self._next(source, progress):
                    item = loop.create_task(self._begin(task, progress))
                    under_way.add(item)
                    item.add_done_callback(landed)
                    begun += task.weight
                    if begun >= _AT_ONCE:
                        begun = 0
                        for _ in range(_TURNS):
                            await asyncio.sleep(0)
                self._join()
                if under_way:
                    await self._wake
                elif self._ended or self._stopping:
                    break
        finally:
            for item in under_way:
                item.cancel()
            if under_way:
                await asyncio.gather(*under_way, return_exceptions=True)
        if self._failure is not None:
            if isinstance(self._failure, AssayError):
                progress.problem = str(self._failure)
            raise self._failure

    def _recall(self) -> None:
        """Load the keys of existing judgments, of this run and of all."""
        ledger = self._ledger
        if ledger is None or self._given is not None:
            return
        self._members = ledger.finished(self._run)
        if self._since:
            # With --fresh, only what this run has made since then counts.
            rows = ledger.judgments(self._run)
            self._known = {row.key for row in rows if row.at >= self._since and row.key in self._members}
        else:
            self._known = ledger.finished()

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def _next(
        self, source: Iterator[JudgmentTask | RepetitionSeries], progress: RunProgress
    ) -> Iterator[JudgmentTask | RepetitionSeries]:
        """Yield tasks while there is capacity, skipping judgments that exist."""
        known = self._known
        while self._weight < self._width and not self._stopping:
            task = next(source, None)
            if task is None:
                self._ended = True
                break
            if type(task) is JudgmentTask and task.key in known:
                self._recalled(task, progress)
                if len(self._to_join) >= _JOINED:
                    self._join()
                continue
            self._weight += task.weight
            yield task

    def _recalled(self, task: JudgmentTask, progress: RunProgress) -> None:
        progress.recalled += 1
        if self._on_recalled is not None:
            self._on_recalled(task)
        if task.key not in self._members:
            self._to_join.append(task.key)

    def _join(self) -> None:
        """Make recalled judgments of other runs part of this one."""
        if self._to_join and self._ledger is not None:
            keys, self._to_join = self._to_join, []
            self._ledger.join(self._run, keys)

    async def _begin(self, task: JudgmentTask | RepetitionSeries, progress: RunProgress) -> None:
        try:
            if isinstance(task, JudgmentTask):
                await self._keep(task, await task.make(), progress)
            else:
                await self._make_series(task, progress)
        except HaltedError:
            progress.halted += 1
        except PendingCall:
            progress.pending += 1
        finally:
            self._weight -= task.weight

    async def _make_series(self, series: RepetitionSeries, progress: RunProgress) -> None:
        judgments: list[Judgment] = []
        total = len(series.tasks)
        while needed := series.needed(judgments):
            tasks = series.tasks[len(judgments) : len(judgments) + needed]
            rows = [self._kept(task) for task in tasks]
            results = await asyncio.gather(
                *(task.make() for task, row in zip(tasks, rows, strict=True) if row is None),
                return_exceptions=True,
            )
            lost = [result for result in results if isinstance(result, BaseException)]
            results.reverse()
            for task, row in zip(tasks, rows, strict=True):
                if row is not None:
                    self._recalled(task, progress)
                    judgments.append(row.judgment)
                    continue
                result = results.pop()
                if isinstance(result, BaseException):
                    # Repetitions are recorded in order, so that the last one can tell how many were not needed. The
                    # replies for later ones are in the ledger.
                    progress.pending += len(results)
                    raise min(lost, key=lambda error: isinstance(error, PendingCall))
                judgments.append(result[0])
                left = total - len(judgments)
                # Recorded with the repetition that made the others unnecessary.
                tags = {"trials_skipped": str(left)} if left and not series.needed(judgments) else None
                await self._keep(task, result, progress, tags)
        progress.skipped += total - len(judgments)

    def _kept(self, task: JudgmentTask) -> JudgmentRow | None:
        return self._ledger.judgment(task.key) if self._ledger and task.key in self._known else None

    async def _keep(
        self,
        task: JudgmentTask,
        result: tuple[Judgment, Sequence[JudgmentPart]],
        progress: RunProgress,
        more_tags: Mapping[str, str] | None = None,
    ) -> None:
        if self._ledger is not None:
            await record_judgment(self._ledger, self._run, task, result, more_tags)
        judgment = result[0]
        progress.made += 1
        progress.statuses[judgment.status] += 1
        if self._on_judgment is not None:
            self._on_judgment(task, judgment)
