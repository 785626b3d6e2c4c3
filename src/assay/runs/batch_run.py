"""A run through batch files, in rounds: missing requests are written to files, and their responses are imported.

A round goes through the run's own plan with models that are files: replies in the ledger are recalled, replies in
response files are recorded and used, and all else becomes a request of the next round. A run may therefore switch
between batches and direct calls at any time. The ledger keeps only calls, and which requests were written to files.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from assay.errors import InputError, UsageError
from assay.judges.settings import MODEL_FREE, split_judge
from assay.models.base import Usage
from assay.models.batch_requests import CHAT_URL, MOST_BYTES, MOST_REQUESTS, BatchWriter
from assay.models.batch_responses import Responses
from assay.runs.batch_round import BatchRound, BatchState, PendingRequests, WrittenRound
from assay.runs.budget import Budget
from assay.runs.engine import Engine, RunProgress
from assay.runs.run_options import RunOptions
from assay.runs.runner import Run, opened_run
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence

    from assay.runs.experiment import Experiment
    from assay.runs.ledger import Ledger
    from assay.runs.records import JudgmentRow

_KEY: Final = re.compile(r"[0-9a-f]{32}")


class BatchOutput(msgspec.Struct, frozen=True, kw_only=True):
    """How requests are written.

    Attributes:
        path: The output file; with several models or files, the common prefix of their names.
        models: Models whose requests are written; all if empty.
        new: Whether to write only requests that no earlier round has written, or whose reply was an error.
        url: Endpoint named in every line.
        most_requests: Maximum requests per file.
        most_bytes: Maximum bytes per file.
    """

    path: Path
    models: tuple[str, ...] = ()
    new: bool = False
    url: str = CHAT_URL
    most_requests: int = MOST_REQUESTS
    most_bytes: int = MOST_BYTES


class BatchStatus(msgspec.Struct):
    """The state of a run.

    Attributes:
        run: Its id.
        planned: Judgments of the plan.
        done: Judgments that exist, or were not needed.
        ready: Judgments that need no further reply but are not made yet.
        waiting: Judgments that wait for replies.
        models: Pending requests by model.
        imports: Number of imports.
    """

    run: str
    planned: int
    done: int
    ready: int
    waiting: int
    models: list[PendingRequests]
    imports: int = 0

    @property
    def requests(self) -> int:
        """All pending requests."""
        return sum(item.requests for item in self.models)


class ImportReport(msgspec.Struct):
    """The result of importing files of responses.

    Attributes:
        run: Id of the run.
        lines: Responses in the files.
        new: Requests answered by them.
        there: Responses to requests whose reply was already in the ledger.
        failed: Requests with an error instead of a reply, by its message; they stay pending.
        given_up: Requests for which no further round is tried; their judgments failed.
        unknown: Responses to requests that the run does not make, or not yet.
        repeated: Lines that repeat another.
        contradicted: Requests with differing replies, of which the first counts.
        unreadable: Places of lines that are not responses, and why.
        planned: Judgments of the plan.
        made: Judgments made by this import.
        statuses: Their statuses.
        before: Judgments that existed before.
        skipped: Repetitions that were not needed.
        waiting: Judgments that wait for replies.
        models: Pending requests by model.
        spent: Usage of the new replies.
        interrupted: Whether the import was interrupted.
    """

    run: str
    lines: int
    new: int
    there: int
    failed: dict[str, int]
    given_up: list[str]
    unknown: list[str]
    repeated: int
    contradicted: list[str]
    unreadable: list[str]
    planned: int
    made: int
    statuses: dict[str, int]
    before: int
    skipped: int
    waiting: int
    models: list[PendingRequests]
    spent: Usage
    interrupted: bool


async def read_batch_status(experiment: Experiment, ledger: Ledger, options: RunOptions) -> BatchStatus:
    """Return the state of a run. Nothing is written, not even to the ledger."""
    return await _survey(experiment, ledger, options, BatchRound(ledger))


async def write_round(
    experiment: Experiment,
    ledger: Ledger,
    options: RunOptions,
    output: BatchOutput,
    *,
    given_up: Collection[str] = (),
) -> BatchStatus:
    """Write every pending request.

    Args:
        experiment: The experiment.
        ledger: Ledger of the run.
        options: Options of the run.
        output: Where and how requests are written.
        given_up: Keys of requests that are not sent again.

    Raises:
        UsageError: The experiment has no such model.
        InputError: A file cannot be written.
    """
    if output.path.is_dir():
        raise InputError("is a folder", where=str(output.path), hint="name a file, such as requests.jsonl")
    models = models_of(experiment)
    for name in output.models:
        if name not in models:
            raise UsageError(f"the experiment has no model {name!r}; {did_you_mean(name, models)}")
    wanted = tuple(dict.fromkeys(output.models)) or models
    writers = {
        name: BatchWriter(
            path, url=output.url, most_requests=output.most_requests, most_bytes=output.most_bytes
        )
        for name, path in paths_of(output.path, wanted).items()
    }
    round_ = BatchRound(ledger, writers=writers, new=output.new, given_up=given_up)
    with _finished(writers.values()):
        status = await _survey(experiment, ledger, options, round_)
    state = BatchState.of(ledger, status.run)
    for item in status.models:
        writer = writers.get(item.model)
        if writer is None:
            continue
        item.files = [str(path) for path in writer.paths]
        item.stale = [str(path) for path in writer.stale()]
        item.written, item.size = len(writer.keys), writer.size
        before = state.rounds.setdefault(item.model, [])
        item.again = bool(writer.keys and before and before[-1].digest == writer.digest)
        if writer.keys and not item.again:
            before.append(WrittenRound(time.time(), len(writer.keys), writer.digest, item.files))
        item.rounds = before
        state.send(item.model, writer.keys)
    await state.keep(ledger, status.run)
    return status


async def import_responses(
    experiment: Experiment,
    ledger: Ledger,
    options: RunOptions,
    responses: Responses,
    *,
    go: Callable[[Run], Awaitable[Any]] | None = None,
) -> ImportReport:
    """Record the replies in files of responses, and make the judgments that wait for nothing else.

    Args:
        experiment: The experiment.
        ledger: Ledger of the run.
        options: Options of the run.
        responses: The files.
        go: Function that executes the run; by default without a display.
    """
    round_ = BatchRound(ledger, responses=responses)
    async with opened_run(experiment, ledger, _free(options), through=round_.open) as run:
        state = BatchState.of(ledger, run.id)
        round_.begin(state)
        await (go(run) if go is not None else run.go())
    used: set[str] = set()
    failed: Counter[str] = Counter()
    fallen: set[str] = set()
    for name, model in round_.models.items():
        used |= model.used
        fallen |= model.failed.keys()
        failed.update(fault.message for key, fault in model.failed.items() if key not in model.given_up)
        state.settle(name, {*model.used, *model.failed})
    state.imports += 1
    await round_.remember()
    await state.keep(ledger, run.id)
    others = [key for key in (*responses.keys(), *responses.failed) if key not in used and key not in fallen]
    unknown = [key for key in others if not (_KEY.fullmatch(key) and key in ledger.find_call(key))]
    return ImportReport(
        run=run.id,
        lines=responses.lines,
        new=len(used),
        there=len(others) - len(unknown),
        failed=dict(failed.most_common()),
        given_up=sorted(key for model in round_.models.values() for key in model.given_up),
        unknown=unknown,
        repeated=responses.repeated,
        contradicted=list(responses.contradicted),
        unreadable=responses.unreadable,
        planned=run.survey.total,
        made=run.progress.made,
        statuses=dict(run.progress.statuses),
        before=run.progress.recalled,
        skipped=run.progress.skipped,
        waiting=run.progress.pending,
        models=round_.waiting(state),
        spent=run.session.spending.spent,
        interrupted=run.status == "interrupted",
    )


def models_of(experiment: Experiment) -> tuple[str, ...]:
    """Return the models of an experiment, in order."""
    models: dict[str, None] = {}
    for spec in experiment.judges:
        members = [split_judge(name).model for name in spec.members if name not in MODEL_FREE]
        models |= dict.fromkeys(name for name in (spec.settings.generator, spec.model, *members) if name)
    return tuple(models)


class _Untouched:
    """A ledger that is only read: what the engine would record is dropped."""

    def __init__(self, ledger: Ledger) -> None:
        self.finished = ledger.finished
        self.judgment = ledger.judgment
        self.judgments = ledger.judgments

    def join(self, run: str, keys: Sequence[str]) -> None:
        """Do nothing."""

    async def record_judgment(self, run: str | None, row: JudgmentRow, answers: Sequence[Any] = ()) -> None:
        """Do nothing."""


async def _survey(
    experiment: Experiment, ledger: Ledger, options: RunOptions, round_: BatchRound
) -> BatchStatus:
    """Go through the plan without changing anything, except the run's status if requests are written."""
    async with opened_run(experiment, ledger, _free(options), through=round_.open) as run:
        state = BatchState.of(ledger, run.id)
        round_.begin(state)
        progress = RunProgress(run.survey.total)
        # One after another, so that requests are always in the same order and those of a document are neighbours.
        engine = Engine(cast("Ledger", _Untouched(ledger)), run.id, width=0, since=run.since)
        await engine.run(run.plan.tasks(), progress)
        if progress.pending and round_.writes:
            await run.wait()
    return BatchStatus(
        run=run.id,
        planned=run.survey.total,
        done=progress.recalled + progress.skipped,
        ready=progress.made - progress.statuses["failed"],
        waiting=progress.pending,
        models=round_.waiting(state),
        imports=state.imports,
    )


def _free(options: RunOptions) -> RunOptions:
    """Return options without caps and prefix ordering, since nothing is sent and all responses are paid for already."""
    return msgspec.structs.replace(options, budget=Budget(), warming="off")


def paths_of(path: Path, models: Sequence[str]) -> dict[str, Path]:
    """Return a file for each model, because providers accept one model per batch."""
    if len(models) == 1:
        return {models[0]: path}
    paths: dict[str, Path] = {}
    for model in models:
        slug = re.sub(r"[^\w-]+", "-", model.lower()).strip("-")
        named = path.with_suffix(f".{slug}{path.suffix}")
        while named in paths.values():
            slug += "-x"
            named = path.with_suffix(f".{slug}{path.suffix}")
        paths[model] = named
    return paths


@contextlib.contextmanager
def _finished(writers: Collection[BatchWriter]) -> Iterator[None]:
    """Finish the files, or delete them after an error."""
    try:
        yield
        for writer in writers:
            writer.close()
    except OSError as error:
        _discard(writers)
        raise InputError(f"cannot be written: {error.strerror}", where=error.filename or None) from error
    except BaseException:
        _discard(writers)
        raise


def _discard(writers: Collection[BatchWriter]) -> None:
    for writer in writers:
        with contextlib.suppress(OSError):
            writer.discard()
