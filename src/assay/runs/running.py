"""Judging from Python: cases by judges, in one run with one limit and one budget.

judgments = assay.run(assay.read("reports/"), ["brief@openai/gpt-5-mini", "length", my_function])
judgments.to_frame()
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from assay.errors import AssayError, EngineError, UsageError
from assay.given import require
from assay.judges.ensemble_judge import EnsembleJudge
from assay.judges.judgment import Judgment
from assay.judges.judgments import Judgments
from assay.models.base import PendingCall
from assay.runs.budget import BudgetReachedError
from assay.runs.engine import Engine, RunProgress
from assay.runs.event_loop_portal import run_sync
from assay.runs.ledger import open_ledger
from assay.runs.prefix_limiter import HaltedError
from assay.runs.progress_display import reporting
from assay.runs.records import new_run
from assay.runs.repetition_collector import RepetitionCollector, refusal
from assay.runs.run_settings import RunSettings, opened_ledger
from assay.runs.session import Session
from assay.runs.tasks import JudgmentTask, RepetitionSeries, tasks_of
from assay.runs.unbound_judge import UnboundJudge, bind_judge, judge_of
from assay.subjects.case import Case, cases_of

if TYPE_CHECKING:
    from os import PathLike

    from assay.judges.case_judge import CaseJudge
    from assay.runs.ledger import Ledger
    from assay.runs.unbound_judge import JudgeLike
    from assay.subjects.subject import Subject

    Cases = Iterable[Case | Subject | str | PathLike[str]]

# Functions in progress at once, if nothing says otherwise.
_FUNCTIONS: Final = 16


def run(
    cases: Cases,
    judges: JudgeLike | Sequence[JudgeLike],
    *,
    settings: RunSettings | None = None,
    **changes: Any,
) -> Judgments:
    """Judge all cases by all judges, and return the judgments: case by case, in the order of the judges.

    Works everywhere: in scripts, notebooks, threads, and within a running event loop.

    Args:
        cases: Cases, subjects or paths; a subject or a path is scored.
        judges: One judge or several: names, `Judge`s, functions of one or two subjects, objects with ``score``,
            ``compare`` or ``rank``.
        settings: Settings of the run.
        **changes: Single settings, such as ``max_concurrency=16``; see `RunSettings`.

    Raises:
        UsageError: A judge is unknown, or can judge none of the cases.
        EngineError: Something that every call depends on failed. A call that fails is a judgment of status "failed",
            unless ``on_error="raise"``; a budget that is used up ends the run with what it has, and is one of the
            ``errors`` of the result.
    """
    return run_sync(arun(cases, judges, settings=settings, **changes))


async def arun(
    cases: Cases,
    judges: JudgeLike | Sequence[JudgeLike],
    *,
    settings: RunSettings | None = None,
    **changes: Any,
) -> Judgments:
    """Await `run`."""
    async with OpenRun(_settings(settings, changes)) as opened:
        with opened.reporting():
            return await opened.judgments(cases, judges)


async def astream(
    cases: Cases,
    judges: JudgeLike | Sequence[JudgeLike],
    *,
    settings: RunSettings | None = None,
    **changes: Any,
) -> AsyncIterator[Judgment]:
    """Yield the judgments of `run` as they are made, in the order in which they finish."""
    ready: asyncio.Queue[Judgment | None] = asyncio.Queue()
    async with OpenRun(_settings(settings, changes)) as opened:

        async def work() -> None:
            try:
                with opened.reporting():
                    await opened.judge(cases, judges, lambda _place, judgment: ready.put_nowait(judgment))
            finally:
                ready.put_nowait(None)

        working = asyncio.create_task(work())
        try:
            while (judgment := await ready.get()) is not None:
                yield judgment
            await working
        finally:
            if not working.done():
                working.cancel()
                await asyncio.gather(working, return_exceptions=True)


def _settings(settings: RunSettings | None, changes: Mapping[str, Any]) -> RunSettings:
    given = RunSettings() if settings is None else settings
    require(given, RunSettings, "settings are RunSettings", hint="single ones are keywords, as in ledger=…")
    return given.replace(**changes)


class OpenRun:
    """Open models and an open ledger, by which any cases are judged; an async context manager.

    Args:
        settings: Settings of the run.
        name: Name of the run in the ledger.
        **session: More arguments of `assay.runs.session.Session`, such as ``prompts``.

    Attributes:
        row: The run in the ledger, where it is kept from its first judgment on.
        progress: How far it is.
        calls: Number of calls behind all judgments, those in the ledger included.
        status: How it ended.
    """

    def __init__(self, settings: RunSettings, name: str = "python", **session: Any) -> None:
        self.settings = settings
        self.row = new_run(name, {"judges": []})
        self.progress = RunProgress(0)
        self.calls = 0
        self.status: Literal["done", "interrupted", "stopped", "failed"] = "done"
        self._options = session
        self._since = self.row.created if settings.fresh else 0.0
        self._ledger: Ledger | None = None
        self._owned: Ledger | None = None
        self._session: Session | None = None
        self._started: asyncio.Task[None] | None = None
        self._known: Collection[str] = ()
        self._engines: set[Engine] = set()
        self._failure: BaseException | None = None
        self._stopping = False
        self._bound: dict[tuple[int, type], tuple[Any, CaseJudge]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.status = "interrupted" if issubclass(kind, asyncio.CancelledError) else "failed"
        await self.close()

    async def close(self) -> None:
        """Record how the run ended, and close models, and the ledger if it was opened here."""
        if self._started is not None and self._ledger is not None:
            with contextlib.suppress(EngineError):
                waiting = self.status == "done" and self.progress.pending
                await self._ledger.set_status(self.row.id, "waiting" if waiting else self.status)
        session, self._session = self._session, None
        if session is not None:
            await session.close()
        owned, self._owned = self._owned, None
        if owned is not None:
            owned.close()

    @property
    def session(self) -> Session:
        """The session in which models are open."""
        return self._open(())

    def reporting(self, *, logs: bool = False) -> contextlib.AbstractContextManager[None]:
        """Report the progress while the block runs; ``logs`` writes lines if stderr is not a terminal."""
        return reporting(
            self.settings.progress,
            self.progress,
            lambda: self._session,
            stopping=lambda: self._stopping,
            logs=logs,
        )

    def stop(self) -> None:
        """Begin and send nothing more; calls in flight are awaited, and what they complete is kept."""
        self._stopping = True
        self.session.halt()
        for engine in self._engines:
            engine.stop()

    async def judgments(self, cases: Cases, judges: JudgeLike | Sequence[JudgeLike]) -> Judgments:
        """Return the judgments of all cases by all judges, in their order."""
        found: dict[int, Judgment] = {}
        problem = await self.judge(cases, judges, found.__setitem__)
        return Judgments(
            (found[place] for place in sorted(found)), errors=[] if problem is None else [problem]
        )

    async def judge(
        self,
        cases: Cases,
        judges: JudgeLike | Sequence[JudgeLike],
        emit: Callable[[int, Judgment], Any],
    ) -> AssayError | None:
        """Judge all cases by all judges.

        Args:
            cases: The cases.
            judges: The judges.
            emit: Receives each judgment and its place in the order of cases and judges.

        Returns:
            What ended the run early, if it kept what it had.
        """
        raises = self.settings.on_error == "raise"
        specs = [judge_of(item, raises=raises) for item in _listed(judges)]
        wanted = cases_of([cases] if isinstance(cases, Case) else cases)
        session = self._open(specs)
        bound = [await self._bind(spec, session, wanted) for spec in specs]
        refused = _refused(specs, bound, wanted, raises=raises)
        for (i, j), error in refused.items():
            judge = bound[j][type(wanted[i].subjects[0])]
            emit(i * len(specs) + j, refusal(wanted[i], judge, error))
        self.plan(
            judge.repetitions
            for i, case in enumerate(wanted)
            for j, judge in enumerate(item[type(case.subjects[0])] for item in bound)
            if (i, j) not in refused
        )
        try:
            await self._make(_tasks(wanted, bound, refused), emit)
        except BudgetReachedError as error:
            self.status = "stopped"
            if raises:
                raise
            return error
        return None

    async def ask(self, judge: CaseJudge, case: Case) -> Judgment:
        """Return the judgment of one case by a judge that is bound to this run, all repetitions together.

        Raises:
            EngineError: The run has ended.
            PendingCall: Models are asked through batch files, and a reply is still to come.
        """
        found: list[Judgment] = []
        tasks = tasks_of(judge, case)
        await self._make(
            iter([tasks] if isinstance(tasks, RepetitionSeries) else tasks),
            lambda _, item: found.append(item),
        )
        if not found or (self._stopping and len(found[0].repetitions or found) < found[0].planned):
            # What ended the run may have been met by another case.
            failed = (self._failure, *(engine.failure for engine in self._engines))
            ended = next((error for error in failed if error is not None), None)
            if ended is None and self.progress.pending and not self._stopping:
                raise PendingCall(case.name)
            raise ended or HaltedError("the run is ending")
        return found[0]

    async def bound(self, judge: JudgeLike, case: Case) -> CaseJudge:
        """Return a judge with its model open, as it judges a case."""
        spec = judge_of(judge)
        return (await self._bind(spec, self._open([spec]), [case]))[type(case.subjects[0])]

    def keep(self, judge: CaseJudge) -> None:
        """Name a judge in the ledger as one of this run's."""
        self.row.plan["judges"].append(
            {"judge": judge.name, "rubric": judge.rubric_name, "version": judge.version}
        )

    def plan(self, judgments: Iterable[int] | None) -> None:
        """Add to the number of planned judgments; None if it is not known in advance."""
        planned = self.progress.planned
        self.progress.planned = None if planned is None or judgments is None else planned + sum(judgments)
        self.row.plan["planned"] = self.progress.planned

    async def _make(
        self, tasks: Iterator[JudgmentTask | RepetitionSeries], emit: Callable[[int, Judgment], Any]
    ) -> None:
        session, ledger = self.session, self._ledger
        if ledger is not None:
            if self._started is None:
                self._known = () if self._since else ledger.finished()
                self._started = asyncio.create_task(ledger.start_run(self.row))
            await asyncio.shield(self._started)
        width = session.slots if session.opened else self.settings.max_concurrency or _FUNCTIONS
        engine = Engine(
            ledger, self.row.id, width=width, since=self._since, halt=session.halt, known=self._known
        )
        combined = RepetitionCollector(emit, ledger, raises=self.settings.on_error == "raise")
        self._engines.add(engine)
        try:
            if self._stopping:
                engine.stop()
            await engine.run(tasks, self.progress, on_judgment=combined.add, on_recalled=combined.recall)
        finally:
            self._engines.discard(engine)
            self._failure = self._failure or engine.failure
            self.calls += combined.calls
            if not self.progress.pending:
                combined.finish()

    def _open(self, specs: Sequence[UnboundJudge | CaseJudge]) -> Session:
        if self._session is None:
            settings = self.settings
            self._ledger, own = opened_ledger(settings.ledger)
            if self._ledger is None and any(_is_ensemble(spec) for spec in specs):
                # Members of an ensemble may be judges of the run too, and nothing is asked twice.
                self._ledger, own = open_ledger(":memory:"), True
            self._owned = self._ledger if own else None
            self._session = Session(
                ledger=self._ledger,
                fresh=self._since or False,
                budget=settings.budget,
                max_calls=settings.max_concurrency,
                **self._options,
            )
        return self._session

    async def _bind(
        self, spec: UnboundJudge | CaseJudge, session: Session, cases: Sequence[Case]
    ) -> dict[type, CaseJudge]:
        """Return the judge for each kind of subject, with its models open."""
        kinds = {type(case.subjects[0]): case for case in cases}
        found = {}
        for kind, case in kinds.items():
            key = (id(spec), kind)
            if key not in self._bound:
                # The spec is kept too, so that no other one gets its id.
                judge = await bind_judge(spec, session, case)
                self._bound[key] = (spec, judge)
                self.keep(judge)
            found[kind] = self._bound[key][1]
        return found


def _tasks(
    cases: Sequence[Case],
    bound: Sequence[Mapping[type, CaseJudge]],
    refused: Container[tuple[int, int]],
) -> Iterator[JudgmentTask | RepetitionSeries]:
    for i, case in enumerate(cases):
        kind = type(case.subjects[0])
        for j, judges in enumerate(bound):
            if (i, j) in refused:
                continue
            judge = judges[kind]
            tasks = tasks_of(judge, case, place=i * len(bound) + j)
            if isinstance(tasks, RepetitionSeries):
                yield tasks
            else:
                yield from tasks


def _refused(
    specs: Sequence[UnboundJudge | CaseJudge],
    bound: Sequence[Mapping[type, CaseJudge]],
    cases: Sequence[Case],
    *,
    raises: bool,
) -> dict[tuple[int, int], AssayError]:
    """Return why a judge cannot judge a case, for each such judge and case.

    Raises:
        UsageError: A judge can judge none of them, or failures are to be raised.
    """
    refused: dict[tuple[int, int], AssayError] = {}
    counts: Counter[int] = Counter()
    for i, case in enumerate(cases):
        for j, judges in enumerate(bound):
            try:
                judges[type(case.subjects[0])].check(case)
            except AssayError as error:
                counts[j] += 1
                if raises or counts[j] == len(cases):
                    where = f"{case.name}: " if len(cases) > 1 else ""
                    where += f"{error.where}: " if error.where else ""
                    raise UsageError(
                        f"nothing was sent: {where}{error.problem}", hint=error.hint, cli_hint=error.cli_hint
                    ) from error
                refused[i, j] = error
    if not cases or not specs:
        raise UsageError("there is nothing to judge" if specs else "there is no judge")
    return refused


def _is_ensemble(spec: UnboundJudge | CaseJudge) -> bool:
    return isinstance(spec.special if isinstance(spec, UnboundJudge) else spec, EnsembleJudge)


def _listed(judges: JudgeLike | Sequence[JudgeLike]) -> list[Any]:
    return list(judges) if isinstance(judges, list | tuple) else [judges]
