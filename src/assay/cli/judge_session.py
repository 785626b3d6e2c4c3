"""Code shared by the commands that ask a judge: session and ledger, the live progress line, Ctrl-C, the final summary."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import signal
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from assay.cli.progress import show_progress
from assay.errors import AssayError, EngineError
from assay.judges.default_rubrics import default_rubric
from assay.models.base import ModelSetupError
from assay.models.settings import ModelSettings
from assay.present.numbers import plural, usage_text
from assay.runs.engine import RunProgress
from assay.runs.ledger import Ledger, open_ledger
from assay.runs.ledger_location import ledger_location
from assay.runs.prefix_limiter import HaltedError
from assay.runs.recording_judge import RecordedJudgment, RecordingJudge
from assay.runs.records import new_run
from assay.runs.session import Session
from assay.strategies.prompt_folders import prompt_folders

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.batch_files import BatchFiles
    from assay.cli.judge_options import JudgeArguments
    from assay.judges.model_judge import ModelJudge
    from assay.judges.settings import JudgeSettings
    from assay.rubrics.rubric import Rubric
    from assay.runs.records import RunRow, RunStatus
    from assay.subjects.subject import Subject


T = TypeVar("T")
# Seconds for calls in flight after Ctrl-C.
_GRACE: Final = 10.0
_INTERRUPTED: Final = 130


def warn_of_drafts(rubric: Rubric) -> None:
    """Warn on stderr if criteria are a model's drafts that nobody has reviewed."""
    unseen = len(rubric.drafts)
    if unseen:
        click.echo(
            f"assay: {unseen} of {len(rubric.criteria)} criteria of rubric {rubric.name} are a model's drafts"
            " that nobody has reviewed (assay rubrics review)",
            err=True,
        )


class SessionProgress(RunProgress):
    """How far a command is, and the calls behind its judgments, those in the ledger included."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def seen(self, made: RecordedJudgment) -> None:
        """Count a judgment."""
        self.made += not made.recalled
        self.recalled += made.recalled
        self.statuses[made.judgment.status] += 1
        self.calls += made.judgment.usage.calls


class JudgeSession:
    """A session of one command: its judge's recorders, one a rubric, and what became of it."""

    def __init__(
        self, args: JudgeArguments, settings: JudgeSettings, session: Session, run: RunRow, since: float
    ) -> None:
        self.args = args
        self.settings = settings
        self.backend = session
        self.run = run
        self.progress = SessionProgress()
        self.error: AssayError | None = None
        self.interrupted = False
        # Set if models are asked through batch files.
        self.files: BatchFiles | None = None
        self._since = since
        self._judges: dict[str, RecordingJudge] = {}
        self._work: asyncio.Task[Any] | None = None

    async def judge_for(self, subjects: Sequence[Subject], *, judge: str | None = None) -> RecordingJudge:
        """Return the judge for these subjects: the command's, or another one that it names.

        Raises:
            AssayError: The model or the rubric does not exist.
        """
        rubric = self.args.rubric or default_rubric(subjects, self.settings.granularity)
        named = judge or self.args.judge
        name = rubric if named == self.args.judge else f"{rubric} by {named}"
        if name not in self._judges:
            self.add(await self.backend.judge(named, rubric=rubric, settings=self.settings), name)
        return self._judges[name]

    def add(self, judge: ModelJudge, name: str) -> RecordingJudge:
        """Make a judge record its judgments, and keep it under a name that the command chooses."""
        self.run.plan.setdefault("judges", []).append(
            {"judge": judge.name, "rubric": judge.rubric_name, "version": judge.version}
        )
        self._judges[name] = RecordingJudge(self.backend, judge, run=self.run, since=self._since)
        warn_of_drafts(judge.rubric)
        return self._judges[name]

    def get(self, name: str) -> RecordingJudge | None:
        """Return the judge of this name, or None."""
        return self._judges.get(name)

    async def watch(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do the work with a live line and a clean end on Ctrl-C; keep the error that stops it as ``error``.

        Raises:
            UsageError: Raised by the work.
        """
        task: asyncio.Task[T] = asyncio.create_task(work)
        self._work = task
        status: RunStatus = "done"
        try:
            with self._signals():
                async with show_progress(
                    self.progress,
                    self.backend,
                    stopping=lambda: self.interrupted,
                    quiet=self.args.quiet,
                    logs=False,
                ):
                    return await task
        except HaltedError as error:
            status = "interrupted"
            if not self.interrupted:
                # The user did not ask for it: something else ended the run, which must not pass for its normal end.
                status, self.error = "failed", error
        except asyncio.CancelledError:
            status = "interrupted"
            if not self.interrupted:
                raise
        except EngineError as error:
            status, self.error = "stopped" if self.backend.spending.reached else "failed", error
        except ModelSetupError as error:
            # Judgments made before the key or the credit failed are still shown.
            status, self.error = "failed", error
            if not self.progress.done:
                raise
        except AssayError:
            status = "failed"
            raise
        finally:
            for recorder in self._judges.values():
                await recorder.finish(status)
        return None

    def report_usage(self) -> None:
        """Report usage and the place of the replies on stderr."""
        if self.args.quiet:
            return
        progress, spent, ledger = self.progress, self.backend.spending.spent, self.backend.ledger
        if progress.done:
            before = max(0, progress.calls - spent.calls)
            there = f"; {before:,} of {progress.calls:,} calls were in the ledger" if before else ""
            vain = self.backend.spending.wasted_requests
            text = (
                usage_text(spent) + (f"; {plural(vain, 'request')} brought no reply" if vain else "") + there
            )
            if before and before == progress.calls:
                text = "nothing was asked: every answer was in the ledger (--fresh asks again)"
            click.echo(text, err=True)
        if ledger is not None and progress.done:
            where = "" if ledger.where == ledger_location() else f" --ledger {shlex.quote(ledger.where)}"
            click.echo(f"prompts and replies: assay log show {self.run.id}{where}", err=True)

    def exit_code(self, *, none: bool) -> int:
        """Report what went wrong and return the exit code; ``none`` says that no judgment has a verdict."""
        raised = " once the cap is raised" if self.backend.spending.reached else ""
        again = f"; every answered call is kept, and the same command continues from there{raised}"
        kept = again if self._keeps else ""
        if self.interrupted:
            click.echo(f"assay: interrupted{kept}", err=True)
            return _INTERRUPTED
        if self.error is not None:
            click.echo(f"assay: {self.error}{kept}", err=True)
            return self.error.exit_code
        if none:
            more = (
                "; the same command asks again what failed, and --fresh asks the rest" if self._keeps else ""
            )
            click.echo(f"assay: the judge gave no verdict{more}", err=True)
            return EngineError.exit_code
        return 0

    @property
    def _keeps(self) -> bool:
        return self.backend.ledger is not None

    def _interrupt(self) -> None:
        """Send nothing more and wait a while for calls in flight; the second time, do not wait."""
        if self._work is None:
            return
        if self.interrupted:
            self._work.cancel()
            return
        self.interrupted = True
        self.backend.halt()
        asyncio.get_running_loop().call_later(_GRACE, self._work.cancel)

    @contextlib.contextmanager
    def _signals(self) -> Any:
        loop = asyncio.get_running_loop()
        caught = False
        # Not every system lets a loop handle signals, and only the main thread may.
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(signal.SIGINT, self._interrupt)
            caught = True
        try:
            yield
        finally:
            if caught:
                loop.remove_signal_handler(signal.SIGINT)


@contextlib.asynccontextmanager
async def open_judge_session(
    args: JudgeArguments,
    settings: JudgeSettings,
    command: str,
    *,
    in_rounds: Callable[[Ledger], BatchFiles] | None = None,
) -> AsyncIterator[JudgeSession]:
    """Open session and ledger for one command.

    Args:
        args: What the command line says.
        settings: Settings of the judge.
        command: Name of the command.
        in_rounds: Makes the batch files through which models are asked; None asks them directly.

    Raises:
        AssayError: A folder of prompts does not exist, or the ledger cannot be opened.
    """
    folders = prompt_folders(args.prompts)
    overrides = None if args.concurrency is None else ModelSettings(concurrency=args.concurrency)
    ledger: Ledger | None = None
    where = ledger_location(args.ledger)
    if where != "none":
        ledger = open_ledger(where)
    with contextlib.ExitStack() as stack:
        if ledger is not None:
            stack.callback(ledger.close)
        files = (
            stack.enter_context(in_rounds(ledger)) if in_rounds is not None and ledger is not None else None
        )
        async with Session(
            ledger=ledger,
            fresh=args.fresh,
            budget=args.budget,
            overrides=overrides,
            prompts=folders,
            warming="off" if files else "auto",
            through=files.round.open if files else None,
        ) as backend:
            since = time.time() if args.fresh else 0.0
            session = JudgeSession(args, settings, backend, new_run(command, {}), since)
            session.files = files
            yield session
