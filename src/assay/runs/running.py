"""Judging from Python: cases by judges, in one run with one limit and one budget.

judgments = assay.run(assay.read("reports/"), ["brief@openai/gpt-5-mini", "length", my_function])
judgments.to_frame()
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from assay.errors import AssayError, EngineError, ModelError, UsageError
from assay.judges.ensemble_judge import EnsembleJudge
from assay.judges.identity import metadata_of
from assay.judges.judgment import Judgment
from assay.judges.judgments import Judgments
from assay.judges.repetitions import combine_repetitions
from assay.runs.budget import BudgetReachedError
from assay.runs.engine import Engine, RunProgress
from assay.runs.event_loop_portal import run_sync
from assay.runs.ledger import open_ledger
from assay.runs.records import RunStatus, new_run
from assay.runs.run_bar import reporting
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
    async with OpenRun((settings or RunSettings()).replace(**changes)) as opened:
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
    async with OpenRun((settings or RunSettings()).replace(**changes)) as opened:

        async def work() -> None:
            try:
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


class OpenRun:
    """Open models and an open ledger, by which any cases are judged; an async context manager."""

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self._ledger: Ledger | None = None
        self._owned: Ledger | None = None
        self._session: Session | None = None
        self._bound: dict[tuple[int, type], tuple[Any, CaseJudge]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close models, and the ledger if it was opened here."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()
        owned, self._owned = self._owned, None
        if owned is not None:
            owned.close()

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
        planned = sum(
            judge.repetitions
            for i, case in enumerate(wanted)
            for j, judge in enumerate(item[type(case.subjects[0])] for item in bound)
            if (i, j) not in refused
        )
        combined = _Combined(emit, raises=raises)
        for (i, j), judgment in refused.items():
            emit(i * len(specs) + j, judgment)
        tasks = _tasks(wanted, bound, refused)
        return await self._run(session, tasks, RunProgress(planned), combined, [spec.name for spec in specs])

    async def bound(self, judge: JudgeLike, case: Case) -> CaseJudge:
        """Return a judge with its model open, as it judges a case."""
        spec = judge_of(judge)
        return (await self._bind(spec, self._open([spec]), [case]))[type(case.subjects[0])]

    async def _run(
        self,
        session: Session,
        tasks: Iterator[JudgmentTask | RepetitionSeries],
        progress: RunProgress,
        combined: _Combined,
        names: list[str],
    ) -> AssayError | None:
        ledger = self._ledger
        row = new_run("python", {"judges": names, "planned": progress.planned})
        since = row.created if self.settings.fresh else 0.0
        if since:
            session.ask_since(since)
        width = session.slots if session.opened else self.settings.max_concurrency or _FUNCTIONS
        engine = Engine(ledger, row.id, width=width, since=since, halt=session.halt)
        if ledger is not None:
            combined.ledger = ledger
            await ledger.start_run(row)
        status: RunStatus = "failed"
        try:
            with reporting(self.settings.progress, progress, session.spending):
                await engine.run(
                    tasks, progress, on_judgment=combined.add, on_recalled=combined.recall if ledger else None
                )
            status = "done"
        except BudgetReachedError as error:
            status = "stopped"
            if self.settings.on_error == "raise":
                raise
            return error
        except asyncio.CancelledError:
            status = "interrupted"
            raise
        finally:
            combined.finish()
            if ledger is not None:
                with contextlib.suppress(EngineError):
                    await ledger.set_status(row.id, status)
        return None

    def _open(self, specs: Sequence[UnboundJudge | CaseJudge]) -> Session:
        if self._session is None:
            settings = self.settings
            self._ledger, own = opened_ledger(settings.ledger)
            if self._ledger is None and any(_is_ensemble(spec) for spec in specs):
                # Members of an ensemble may be judges of the run too, and nothing is asked twice.
                self._ledger, own = open_ledger(":memory:"), True
            self._owned = self._ledger if own else None
            self._session = Session(
                ledger=self._ledger, budget=settings.budget, max_calls=settings.max_concurrency
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
                self._bound[key] = (spec, await bind_judge(spec, session, case))
            found[kind] = self._bound[key][1]
        return found


class _Combined:
    """Puts the repetitions of each case and judge together as they arrive."""

    def __init__(self, emit: Callable[[int, Judgment], Any], *, raises: bool) -> None:
        self.ledger: Ledger | None = None
        self._emit = emit
        self._raises = raises
        self._open: dict[int, dict[int, Judgment]] = {}
        self._planned: dict[int, int] = {}

    def add(self, task: JudgmentTask, judgment: Judgment) -> None:
        """Take a judgment that was made."""
        if self._raises and judgment.status == "failed":
            raise ModelError(
                f"{judgment.judge} on {judgment.subject}: {judgment.problem or judgment.rationale}"
            )
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
        row = None if self.ledger is None else self.ledger.judgment(task.key)
        if row is not None:
            judge, metadata = task.judge.name, metadata_of(task.case)
            self.add(task, msgspec.structs.replace(row.judgment, judge=judge, metadata=metadata))

    def finish(self) -> None:
        """Combine what has fewer repetitions than planned: its majority was settled, or the run ended."""
        for place in list(self._open):
            self._close(place)

    def _close(self, place: int) -> None:
        made = self._open.pop(place)
        judgments = [made[number] for number in sorted(made)]
        self._emit(place, combine_repetitions(judgments, self._planned.pop(place)))


def _tasks(
    cases: Sequence[Case],
    bound: Sequence[Mapping[type, CaseJudge]],
    refused: Mapping[tuple[int, int], Judgment],
) -> Iterator[JudgmentTask | RepetitionSeries]:
    for i, case in enumerate(cases):
        kind = type(case.subjects[0])
        for j, judges in enumerate(bound):
            if (i, j) in refused:
                continue
            judge = judges[kind]
            tags = {"judge": judge.name, "rubric": judge.rubric_name or "", "mode": case.mode}
            tasks = tasks_of(judge, case, tags, i * len(bound) + j)
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
) -> dict[tuple[int, int], Judgment]:
    """Return a failed judgment for each case that a judge cannot judge.

    Raises:
        UsageError: A judge can judge none of them, or failures are to be raised.
    """
    refused: dict[tuple[int, int], Judgment] = {}
    counts: Counter[int] = Counter()
    for i, case in enumerate(cases):
        for j, judges in enumerate(bound):
            judge = judges[type(case.subjects[0])]
            try:
                judge.check(case)
            except AssayError as error:
                counts[j] += 1
                if raises or counts[j] == len(cases):
                    where = f"{case.name}: " if len(cases) > 1 else ""
                    where += f"{error.where}: " if error.where else ""
                    raise UsageError(
                        f"nothing was sent: {where}{error.problem}", hint=error.hint, cli_hint=error.cli_hint
                    ) from error
                refused[i, j] = Judgment(
                    case.name,
                    judge.name,
                    rubric=judge.rubric_name,
                    status="failed",
                    mode=case.mode,
                    problem=str(error),
                    version=judge.version,
                    metadata=metadata_of(case),
                )
    if not cases or not specs:
        raise UsageError("there is nothing to judge" if specs else "there is no judge")
    return refused


def _is_ensemble(spec: UnboundJudge | CaseJudge) -> bool:
    return isinstance(spec.special if isinstance(spec, UnboundJudge) else spec, EnsembleJudge)


def _listed(judges: JudgeLike | Sequence[JudgeLike]) -> list[Any]:
    return list(judges) if isinstance(judges, list | tuple) else [judges]
