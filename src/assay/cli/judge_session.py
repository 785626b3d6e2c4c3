"""What the commands that ask a judge share: the run, Ctrl-C, the final summary, exit codes."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from assay.cli.batch_files import BatchArguments
from assay.errors import AssayError, EngineError, LedgerError, UsageError
from assay.judges.model_judge import ModelJudge
from assay.models.base import ModelSetupError
from assay.models.settings import ModelSettings
from assay.runs.budget import Budget
from assay.runs.in_order import all_of
from assay.runs.ledger import open_ledger
from assay.runs.ledger_location import ledger_location
from assay.runs.prefix_limiter import HaltedError
from assay.runs.run_settings import RunSettings
from assay.runs.running import OpenRun
from assay.runs.unbound_judge import UnboundJudge
from assay.strategies.prompt_folders import prompt_folders
from assay.text.amounts import plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.cli.batch_files import BatchFiles
    from assay.cli.judge_options import JudgeArguments
    from assay.judges.case_judge import CaseJudge
    from assay.judges.judgment import Judgment
    from assay.judges.settings import JudgeSettings
    from assay.rubrics.rubric import Rubric
    from assay.subjects.case import Case

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


class JudgeSession:
    """The run of one command, and what became of it."""

    def __init__(self, args: JudgeArguments, run: OpenRun) -> None:
        self.args = args
        self.run = run
        self.error: AssayError | None = None
        self.interrupted = False
        # Set if models are asked through batch files.
        self.files: BatchFiles | None = None
        # Number of cases that cannot be judged.
        self.left_out = 0
        self._warned: set[str] = set()
        self._work: asyncio.Task[Any] | None = None

    def judge(self, name: str, settings: JudgeSettings, rubric: Any = None) -> UnboundJudge:
        """Return a judge that the command line names, by the command's rubric unless another is given."""
        return UnboundJudge(name, rubric=rubric or self.args.rubric, settings=settings)

    async def bound(self, judge: UnboundJudge, case: Case) -> CaseJudge:
        """Return a judge with its model open; warn of criteria that nobody has reviewed."""
        bound = await self.run.bound(judge, case)
        if isinstance(bound, ModelJudge) and bound.rubric.name not in self._warned:
            self._warned.add(bound.rubric.name)
            warn_of_drafts(bound.rubric)
        return bound

    async def fitting(self, judge: UnboundJudge, cases: Sequence[Case]) -> list[Case]:
        """Return the cases that a judge can judge, before anything is sent; the others are named on stderr.

        Raises:
            UsageError: It can judge none.
        """
        kinds = {type(case.subjects[0]): case for case in cases}
        bound = {kind: await self.bound(judge, case) for kind, case in kinds.items()}
        found, problems = [], []
        for case in cases:
            try:
                bound[type(case.subjects[0])].check(case)
            except UsageError as error:
                problems.append(f"{case.name}: {error.cli_message}" if len(cases) > 1 else error.cli_message)
            else:
                found.append(case)
        self.leave_out(problems, none=not found)
        return found

    def leave_out(self, problems: Sequence[str], *, none: bool) -> None:
        """Name on stderr what is left out.

        Raises:
            UsageError: Nothing is left.
        """
        self.left_out += len(problems)
        if none:
            more = f" (and so are {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise UsageError(f"nothing was sent: {problems[0]}{more}")
        for problem in problems:
            click.echo(f"assay: left out: {problem}", err=True)

    async def judge_in_order(
        self,
        groups: Sequence[tuple[UnboundJudge, Mapping[int, Case]]],
        write: Callable[[int, Judgment], Any],
    ) -> None:
        """Judge cases and write each judgment once those before it are written.

        Args:
            groups: Judges, each with its cases by the places of their judgments, counted over all from 0.
            write: Writes a judgment, given its place.
        """
        ordered = _InOrder(write)

        async def one(judge: UnboundJudge, placed: Mapping[int, Case]) -> None:
            places = list(placed)

            def emit(index: int, judgment: Judgment) -> None:
                # A mean over some of the repetitions must not pass for one over all.
                whole = judgment.mode != "score" or judgment.planned == max(1, len(judgment.repetitions))
                ordered.put(places[index], judgment if whole else None)

            problem = await self.run.judge(list(placed.values()), [judge], emit)
            if problem is not None:
                raise problem

        await self.watch(all_of(one(judge, placed) for judge, placed in groups if placed))
        ordered.end()

    async def watch(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do the work with a live line and a clean end on Ctrl-C; keep the error that stops it as ``error``.

        Raises:
            UsageError: Raised by the work.
        """
        task: asyncio.Task[T] = asyncio.create_task(work)
        self._work = task
        run = self.run
        try:
            with self._signals(), run.reporting():
                return await task
        except HaltedError as error:
            # If the user did not ask for it, something else ended the run, which must not pass for its normal end.
            self.error = None if self.interrupted else error
        except asyncio.CancelledError:
            if not self.interrupted:
                raise
        except EngineError as error:
            self.error = error
        except ModelSetupError as error:
            # Judgments made before the key or the credit failed are still shown.
            self.error = error
            if not run.progress.done:
                raise
        finally:
            if self.interrupted:
                run.status = "interrupted"
            elif self.error is not None:
                run.status = "stopped" if run.session.spending.reached else "failed"
        return None

    def report_usage(self) -> None:
        """Report usage and the place of the replies on stderr."""
        run = self.run
        if self.args.quiet or not run.progress.done:
            return
        spending, ledger = run.session.spending, run.session.ledger
        before = max(0, run.calls - spending.spent.calls)
        if before and before == run.calls:
            text = "nothing was asked: every answer was in the ledger (--fresh asks again)"
        else:
            vain = spending.wasted_requests
            text = str(spending.spent) + (f"; {plural(vain, 'request')} brought no reply" if vain else "")
            text += f"; {before:,} of {run.calls:,} calls were in the ledger" if before else ""
        click.echo(text, err=True)
        if ledger is not None:
            where = "" if ledger.where == ledger_location() else f" --ledger {shlex.quote(ledger.where)}"
            click.echo(f"prompts and replies: assay log show {run.row.id}{where}", err=True)

    def exit_code(self, *, none: bool) -> int:
        """Report what went wrong and return the exit code; ``none`` says that no judgment has a verdict."""
        kept = more = ""
        if self.run.session.ledger is not None and not isinstance(self.error, LedgerError):
            raised = " once the cap is raised" if self.run.session.spending.reached else ""
            kept = f"; every answered call is kept, and the same command continues from there{raised}"
            more = "; the same command asks again what failed, and --fresh asks the rest"
        if self.interrupted:
            click.echo(f"assay: interrupted{kept}", err=True)
            return _INTERRUPTED
        if self.error is not None:
            click.echo(f"assay: {self.error}{kept}", err=True)
            return self.error.exit_code
        if none:
            click.echo(f"assay: the judge gave no verdict{more}", err=True)
            return EngineError.exit_code
        return 0

    def _interrupt(self) -> None:
        """Send nothing more and wait a while for calls in flight; the second time, do not wait."""
        if self._work is None:
            return
        if self.interrupted:
            self._work.cancel()
            return
        self.interrupted = True
        self.run.stop()
        asyncio.get_running_loop().call_later(_GRACE, self._work.cancel)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
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


class _InOrder:
    """Writes what arrives in any order by place, each as soon as those before it are there; None is skipped."""

    def __init__(self, write: Callable[[int, Judgment], Any]) -> None:
        self._write = write
        self._held: dict[int, Judgment | None] = {}
        self._next = 0

    def put(self, place: int, judgment: Judgment | None) -> None:
        """Take a judgment."""
        self._held[place] = judgment
        while self._next in self._held:
            self._take(self._next)
            self._next += 1

    def end(self) -> None:
        """Write what waits for places that stay empty."""
        for place in sorted(self._held):
            self._take(place)

    def _take(self, place: int) -> None:
        judgment = self._held.pop(place)
        if judgment is not None:
            self._write(place, judgment)


@contextlib.asynccontextmanager
async def open_judge_session(
    args: JudgeArguments, command: str, *, models: Sequence[str] = ()
) -> AsyncIterator[JudgeSession]:
    """Open run and ledger for one command.

    Args:
        args: What the command line says.
        command: Name of the command.
        models: The models that are asked, for a command that can ask them through batch files.

    Raises:
        AssayError: A folder of prompts does not exist, the ledger cannot be opened, or batch files cannot be used.
    """
    folders = prompt_folders(args.prompts)
    where = ledger_location(args.ledger)
    with contextlib.ExitStack() as stack:
        ledger = None if where == "none" else stack.enter_context(open_ledger(where))
        files = None
        if isinstance(args, BatchArguments) and args.in_rounds:
            if args.repetitions > 1 and args.early_stop:
                raise UsageError("a batch sends all repetitions at once; leave out --early-stop")
            files = stack.enter_context(args.files(ledger, models))
        settings = RunSettings(
            ledger=ledger,
            fresh=args.fresh,
            # What a file holds is paid for already.
            budget=Budget() if files else args.budget,
            progress=False if args.quiet else None,
        )
        async with OpenRun(
            settings,
            command,
            overrides=None if args.concurrency is None else ModelSettings(concurrency=args.concurrency),
            prompts=folders,
            warming="off" if files else "auto",
            through=files.round.open if files else None,
        ) as run:
            session = JudgeSession(args, run)
            session.files = files
            yield session
