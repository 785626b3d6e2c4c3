"""Runs on Ray: workers on one machine or many make shares of a plan, with the ledger as the truth.

A worker is a Ray actor. It opens the same ledger, walks the same plan, and makes the cases that fall to its share by their
content, so that all calls about a case come from one process. Each has its part of the limits of every model; the
budget is one, kept by an actor that every call asks. A worker that dies is started again by Ray, on another
machine if need be, and finds in the ledger what its earlier life has finished.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import AssayError, EngineError, UsageError
from assay.runs.budget import BudgetReachedError, Spending
from assay.runs.engine import Engine, RunProgress
from assay.runs.ray_budget import Purse, SharedSpending
from assay.runs.ray_library import connected, ray_library
from assay.runs.ray_progress import ShareReport, Tally

if TYPE_CHECKING:
    from assay.runs.experiment import Experiment

# Seconds between reports of a worker.
_LOOK: Final = 0.5
# How often a worker is started again that died.
_RESTARTS: Final = 20


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is to do.

    Attributes:
        experiment: The experiment.
        ledger: Where its ledger is.
        run: Id of the run.
        index: Number of the share, from 0.
        total: Number of shares.
        since: Judgments older than this (Unix time) are made again.
        folder: Working folder, to which the experiment's paths are relative.
        options: The options of the run.
    """

    experiment: Any
    ledger: str
    run: str
    index: int
    total: int
    since: float
    folder: str
    options: Any


class Worker:
    """Makes one share of a run; a Ray actor."""

    def __init__(self, share: Share, purse: Any) -> None:
        self._share = share
        self._purse = purse
        self._life = f"{os.getpid()}-{time.time_ns()}"
        self._progress = RunProgress()
        self._engine: Engine | None = None
        self._spending: Spending | None = None
        self._stopped = False

    async def make(self) -> ShareReport:
        """Make what is missing of the share; return how it went, with the error that ended it, if one did."""
        from assay.runs.ledger import open_ledger  # noqa: PLC0415 - in the worker
        from assay.runs.plan import Plan  # noqa: PLC0415
        from assay.runs.run_options import open_session  # noqa: PLC0415

        share = self._share
        problem: AssayError | None = None
        try:
            os.chdir(share.folder)
            options = share.options
            budget = options.budget or share.experiment.budget
            self._spending = (
                Spending(budget) if self._purse is None else SharedSpending(budget, self._purse, self._life)
            )
            with open_ledger(share.ledger) as ledger:
                async with open_session(
                    share.experiment,
                    ledger,
                    options,
                    spending=self._spending,
                    workers=share.total,
                    family=share.run,
                ) as session:
                    from assay.runs.experiment_judges import bind_judges  # noqa: PLC0415

                    judges = await bind_judges(share.experiment, session, seed=options.seed)
                    plan = Plan(share.experiment, judges, limit=options.limit)
                    if share.since:
                        session.ask_since(share.since)
                    self._engine = Engine(
                        ledger, share.run, width=session.slots, since=share.since, halt=session.halt
                    )
                    if self._stopped:
                        self._engine.stop()
                    await self._engine.run(plan.tasks((share.index, share.total)), self._progress)
        except AssayError as error:
            problem = error
        except OSError as error:
            problem = EngineError(f"a worker cannot use {share.folder}: {error.strerror}")
        return self.report(problem)

    def report(self, problem: AssayError | None = None) -> ShareReport:
        """Return how far the share is."""
        progress, spending = self._progress, self._spending
        found = ShareReport(
            life=self._life,
            made=progress.made,
            recalled=progress.recalled,
            skipped=progress.skipped,
            halted=progress.halted,
            statuses=dict(progress.statuses),
            problem=problem,
        )
        if spending is None:
            return found
        return msgspec.structs.replace(
            found,
            spent=spending.spent,
            retries=spending.retries,
            wasted_requests=spending.wasted_requests,
            reached=spending.reached,
        )

    async def look(self) -> ShareReport:
        """Return how far the share is, while it is made."""
        return self.report()

    async def stop(self) -> None:
        """Send nothing more; calls in flight are awaited."""
        self._stopped = True
        if self._engine is not None:
            self._engine.stop()


class RayEngine:
    """Makes the judgments of a run on Ray; in place of `assay.runs.engine.Engine`.

    Args:
        experiment: The experiment.
        ledger: Where its ledger is.
        run: Id of the run.
        options: Options of the run, of which ``workers`` is the number of workers; 0 for one for each CPU of the cluster.
        since: Judgments older than this (Unix time) are made again.
        spending: Where the spending of all workers is counted.

    Raises:
        MissingExtraError: Ray is not installed.
        UsageError: The ledger cannot be shared.
    """

    def __init__(
        self, experiment: Experiment, ledger: str, run: str, options: Any, *, since: float, spending: Spending
    ) -> None:
        self._ray = ray_library()
        if ledger == ":memory:":
            raise UsageError("workers cannot share a ledger in memory; name a file or postgresql://…")
        self._arguments: dict[str, Any] = {
            "experiment": experiment,
            "ledger": ledger if "://" in ledger else os.path.abspath(ledger),  # noqa: PTH100 - it may be no path
            "run": run,
            "since": since,
            "folder": os.getcwd(),  # noqa: PTH109
            "options": options,
        }
        self._workers_wanted: int = options.workers
        self._spending = spending
        self._workers: list[Any] = []
        self._purse: Any = None
        self._stopping = False

    def stop(self) -> None:
        """Begin and send nothing more; calls in flight are awaited."""
        self._stopping = True
        for worker in self._workers:
            worker.stop.remote()

    async def run(self, progress: RunProgress) -> None:
        """Make all judgments that do not exist yet.

        Raises:
            AssayError: An error that every other judgment would meet too; finished work is kept.
            BudgetReachedError: A cap was reached.
        """
        ray = self._ray
        own = await asyncio.to_thread(connected, ray)
        try:
            total = self._workers_wanted or max(1, int(ray.cluster_resources().get("CPU", 1)))
            _check_ledger(ray, self._arguments["ledger"])
            if self._spending.capped:
                self._purse = ray.remote(Purse).remote(self._spending.budget, self._spending.before)
            actor = ray.remote(Worker).options(max_restarts=_RESTARTS, max_concurrency=8, num_cpus=0)
            self._workers = [
                actor.remote(Share(index=index, total=total, **self._arguments), self._purse)
                for index in range(total)
            ]
            if self._stopping:
                self.stop()
            await self._watch(progress)
        finally:
            for worker in self._workers:
                with contextlib.suppress(Exception):
                    ray.kill(worker)
            if own:
                await asyncio.to_thread(ray.shutdown)

    def _make(self, index: int) -> asyncio.Future[ShareReport]:
        future: asyncio.Future[ShareReport] = asyncio.ensure_future(self._workers[index].make.remote())
        return future

    async def _watch(self, progress: RunProgress) -> None:
        """Follow the workers to their ends."""
        making = {self._make(index): index for index in range(len(self._workers))}
        starts = [0] * len(self._workers)
        tally = Tally(len(self._workers))
        failure: AssayError | None = None
        last: dict[int, asyncio.Future[ShareReport]] = {}
        while making:
            done, _ = await asyncio.wait(making, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED)
            for item in done:
                index = making.pop(item)
                try:
                    report = item.result()
                except self._ray.exceptions.RayError as error:
                    died = isinstance(error, self._ray.exceptions.RayActorError)
                    if died and starts[index] < _RESTARTS and not self._stopping:
                        starts[index] += 1
                        making[self._make(index)] = index
                        continue
                    failure = failure or EngineError(f"a worker cannot go on: {str(error).splitlines()[0]}")
                    self.stop()
                    continue
                self._take(tally, index, report, progress)
                if report.problem is not None and failure is None:
                    failure = report.problem
                    self.stop()
            for index in making.values():
                asked = last.get(index)
                if asked is not None and asked.done():
                    # A worker that is being started again answers nothing.
                    with contextlib.suppress(self._ray.exceptions.RayError):
                        self._take(tally, index, asked.result(), progress)
                if asked is None or asked.done():
                    last[index] = asyncio.ensure_future(self._workers[index].look.remote())
        for asked in last.values():
            asked.cancel()
        if isinstance(failure, BudgetReachedError):
            self._spending.reached = next((r for r in tally.reached if r), str(failure))
        if failure is not None:
            progress.problem = str(failure)
            raise failure

    def _take(self, tally: Tally, index: int, report: ShareReport, progress: RunProgress) -> None:
        died = tally.add(index, report)
        if died is not None and self._purse is not None:
            self._purse.forget.remote(died)
        tally.write(progress, self._spending)


def _check_ledger(ray: Any, ledger: str) -> None:
    machines = [node for node in ray.nodes() if node.get("Alive")]
    if len({node.get("NodeManagerHostname") for node in machines}) > 1 and not ledger.startswith("postgres"):
        raise UsageError(
            f"{len(machines)} machines cannot share a ledger in a file; name one with postgresql://…",
            cli_hint="--ledger postgresql://user@host/database",
        )
