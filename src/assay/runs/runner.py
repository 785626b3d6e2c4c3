"""A run of an experiment: it is planned, recorded, made, and resumed where it stopped."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from typing import TYPE_CHECKING, Final

import msgspec

from assay.errors import LedgerError, UsageError
from assay.models.base import Usage
from assay.models.prices import price_of
from assay.runs.budget import BudgetReachedError
from assay.runs.engine import Engine, RunProgress
from assay.runs.estimate import CostEstimate, estimate_plan
from assay.runs.experiment_judges import bind_judges
from assay.runs.plan import Plan, Survey, model_judges
from assay.runs.provenance import provenance_of
from assay.runs.records import RunRow, RunStatus
from assay.runs.run_options import RunOptions, open_session

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from assay.runs.engine import OnJudgment
    from assay.runs.experiment import Experiment
    from assay.runs.ledger import Ledger
    from assay.runs.ray_engine import RayEngine
    from assay.runs.run_options import Through
    from assay.runs.session import Session

# Seconds between records of what was spent: a kill can make a cap forget this much.
_NOTED: Final = 1.0
# The same under a cap, which other processes on the run are to know soon.
_NOTED_CAPPED: Final = 0.2
# Seconds that calls in flight may take after an interrupt.
GRACE: Final = 10.0


class Run:
    """A run that is ready to go on, made by `opened_run`.

    Attributes:
        id: Its id; equal plans have equal ids.
        survey: Contents of the plan.
        progress: Its progress.
        status: How it ended.
        resumed: Whether part of it existed before.
    """

    def __init__(
        self, plan: Plan, survey: Survey, session: Session, ledger: Ledger, options: RunOptions
    ) -> None:
        self.experiment = experiment = plan.experiment
        self.plan = plan
        self.survey = survey
        self.session = session
        self.ledger = ledger
        self.id = f"{_slug(experiment.name)}-{survey.digest[:8]}"
        self.progress = RunProgress(survey.total)
        self.status: RunStatus = "running"
        self._options = options
        before = _row(ledger, self.id)
        self.resumed = before is not None
        plan_before = before.plan if before is not None else {}
        self._since: float = time.time() if options.fresh else float(plan_before.get("since", 0.0))
        if self._since:
            session.ask_since(self._since)
        # Each process on the run notes what it spends under a name of its own, and counts what the others note.
        self._note_name = f"spent/{self.id}/{secrets.token_hex(4)}"
        session.spending.spent_elsewhere(self._spent_elsewhere())
        self._engine: Engine | RayEngine
        if options.engine == "ray":
            from assay.runs.ray_engine import RayEngine  # noqa: PLC0415 - optional

            self._engine = RayEngine(
                experiment, options.ledger, self.id, options, since=self._since, spending=session.spending
            )
        else:
            self._engine = Engine(ledger, self.id, width=session.slots, since=self._since, halt=session.halt)
        self._making: asyncio.Task[None] | None = None
        self._interrupted = False

    async def go(self, on_judgment: OnJudgment | None = None) -> None:
        """Make the missing judgments. The run's status tells how it ended.

        Raises:
            AssayError: The run cannot continue; finished work is kept.
        """
        await self.ledger.start_run(self._row())
        noting = asyncio.create_task(self._note())
        if isinstance(self._engine, Engine):
            making = self._engine.run(self.plan.tasks(), self.progress, on_judgment=on_judgment)
        else:
            making = self._engine.run(self.progress)
        self._making = asyncio.create_task(making)
        try:
            await self._making
            stopped = self._interrupted and self.progress.done < self.survey.total
            self.status = "interrupted" if stopped else "waiting" if self.progress.pending else "done"
        except asyncio.CancelledError:
            self.status = "interrupted"
            if not self._interrupted:
                raise
        except BudgetReachedError:
            self.status = "stopped"
        except BaseException:
            self.status = "failed"
            raise
        finally:
            noting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await noting
            await self._note_once()
            await self.ledger.set_status(self.id, self.status)

    def interrupt(self) -> None:
        """Send nothing more and wait a while for calls in flight; when called again, do not wait."""
        if self._making is None:
            return
        if self._interrupted:
            self._making.cancel()
            return
        self._interrupted = True
        self._engine.stop()
        asyncio.get_running_loop().call_later(GRACE, self._making.cancel)

    @property
    def stopping(self) -> bool:
        """Whether the run was interrupted and waits for its last calls."""
        return self._interrupted

    async def wait(self) -> None:
        """Record that the missing requests are in batch files."""
        await self.ledger.start_run(self._row())
        self.status = "waiting"
        await self.ledger.set_status(self.id, self.status)

    @property
    def since(self) -> float:
        """Unix time before which replies are asked for again."""
        return self._since

    def _row(self) -> RunRow:
        experiment, survey = self.experiment, self.survey
        budget = self.session.spending.budget
        plan = {
            "digest": survey.digest,
            "subjects": survey.subjects,
            "targets": survey.cases,
            "modes": list(experiment.modes),
            "judgments": [
                {"judge": planned.label, "rubric": planned.judge.rubric_name, "planned": count}
                for planned, count in zip(self.plan.judges, survey.judgments, strict=True)
            ],
            "left_out": {"judgments": survey.unfit, "why": survey.problems},
            "limit": self._options.limit or experiment.limit,
            "budget": msgspec.to_builtins(budget),
            "since": self._since,
        }
        models = {
            judge.model.id: self.session.settings(judge.model.id)
            for judge in model_judges(item.judge for item in self.plan.judges)
        }
        return RunRow(
            id=self.id,
            name=experiment.name,
            status="running",
            created=time.time(),
            plan=plan,
            provenance=provenance_of(experiment, self.plan.judges, models),
        )

    async def _note(self) -> None:
        """Record regularly what was spent, so that caps survive a kill."""
        capped = self.session.spending.capped
        while True:
            await asyncio.sleep(_NOTED_CAPPED if capped else _NOTED)
            # A ledger that fails for good ends the run by its own calls; a note that is late does not.
            with contextlib.suppress(LedgerError):
                await self._note_once()
                if capped:
                    self.session.spending.spent_elsewhere(self._spent_elsewhere())

    def _spent_elsewhere(self) -> Usage:
        name = f"spent/{self.id}"
        notes = self.ledger.facts_of(f"{name}/")
        # Runs of earlier versions have one note of the run's own name.
        whole = self.ledger.fact(name)
        others = [note for key, note in notes.items() if key != self._note_name]
        others += [whole] if whole is not None else []
        return sum((msgspec.json.decode(note, type=Usage) for note in others), Usage())

    async def _note_once(self) -> None:
        spending = self.session.spending
        if spending.spent.calls:
            await self.ledger.set_fact(self._note_name, msgspec.json.encode(spending.spent).decode())


@contextlib.asynccontextmanager
async def opened_run(
    experiment: Experiment, ledger: Ledger, options: RunOptions, *, through: Through | None = None
) -> AsyncIterator[Run]:
    """Yield a run of an experiment with open models. Nothing has been sent to them yet.

    Args:
        experiment: The experiment.
        ledger: Ledger that keeps the run.
        options: Options of this run.
        through: Function that replaces the models; see `Session`.

    Raises:
        UsageError: Something is missing, or subjects cannot be judged and the experiment does not say to skip them.
    """
    async with open_session(experiment, ledger, options, through=through) as session:
        plan = Plan(
            experiment, await bind_judges(experiment, session, seed=options.seed), limit=options.limit
        )
        survey = plan.survey()
        refuse_problems(experiment, survey)
        yield Run(plan, survey, session, ledger, options)


async def estimated(
    experiment: Experiment, ledger: Ledger | None, options: RunOptions
) -> tuple[Survey, list[CostEstimate]]:
    """Return the survey and the estimated cost of a run. Nothing is sent, and problems are not refused."""
    async with open_session(experiment, None, options, connect=False) as session:
        plan = Plan(
            experiment, await bind_judges(experiment, session, seed=options.seed), limit=options.limit
        )
        survey = plan.survey()
        ids = {judge.model.id for judge in model_judges(item.judge for item in plan.judges)}
        prices = {name: price_of(name, session.settings(name).price) for name in ids}
        known = ledger.finished() if ledger is not None and not options.fresh else set()
        return survey, await estimate_plan(plan, known, prices)


def refuse_problems(experiment: Experiment, survey: Survey) -> None:
    """Stop before anything is spent, unless the experiment says to leave out what cannot be judged.

    Raises:
        UsageError: There are problems.
    """
    if not survey.problems:
        return
    if experiment.problems == "skip" and survey.total:
        return
    more = (
        f"; {survey.unfit:,} judgments in all cannot be made" if survey.unfit > len(survey.problems) else ""
    )
    mend = None if experiment.problems == "skip" else "`problems: skip` in the experiment leaves them out"
    raise UsageError(
        f"nothing was sent: {'; '.join(survey.problems[:3])}{more}",
        hint=mend,
        cli_hint=mend and "`problems: skip` in the experiment, or --skip of --suite, leaves them out",
    )


def _row(ledger: Ledger, run: str) -> RunRow | None:
    try:
        row = ledger.run(run)
    except UsageError:
        return None
    return row if row.id == run else None


def _slug(name: str) -> str:
    """Return a name that needs no quoting in a shell."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "run"
