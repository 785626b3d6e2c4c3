"""A run through batch files, in rounds: what waits for replies is written out, and what came back is taken in.

A round is the run's own plan gone through with models that are files: what the ledger has is recalled, what the files of
responses have is recorded and used, and all else is a request of the next round. So a run may change between batches and
direct calls at any time, and only calls are ever kept of a round – beside what was written out, to tell what is on its
way.
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
from assay.models.base import Usage
from assay.models.batch_files import CHAT_URL, MOST_BYTES, MOST_REQUESTS, BatchWriter, Responses
from assay.runs.batch_round import BatchRound, BatchState, PendingRequests, WrittenRound
from assay.runs.budget import Budget
from assay.runs.engine import Engine, RunProgress
from assay.runs.runner import Run, RunOptions, opened_run
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
        path: The file; where there are several models or too much for one, its name is the start of theirs.
        models: Only requests to these; all where empty.
        new: Only requests that no earlier round has written, or whose reply was an error.
        url: The endpoint each line names.
        most_requests: Most requests in a file.
        most_bytes: Most bytes of a file.
    """

    path: Path
    models: tuple[str, ...] = ()
    new: bool = False
    url: str = CHAT_URL
    most_requests: int = MOST_REQUESTS
    most_bytes: int = MOST_BYTES


class BatchStatus(msgspec.Struct):
    """Where a run stands.

    Attributes:
        run: Its id.
        planned: Judgments of the plan.
        done: Those that are there, or were not needed.
        ready: Those that need no further reply, and are not made yet.
        waiting: Those that wait for replies.
        models: What they wait for.
        imports: How often responses were taken in.
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
        """All that wait."""
        return sum(item.requests for item in self.models)


class ImportReport(msgspec.Struct):
    """What came of files of responses.

    Attributes:
        run: The run's id.
        lines: Responses in the files.
        new: Requests answered by them.
        there: Responses to requests whose reply was in the ledger.
        failed: Requests with an error in place of a reply, by what it says; they wait on.
        given_up: Requests that no further round can mend; their judgments failed.
        unknown: Responses to requests the run does not make, or does not make yet.
        repeated: Lines that say again what another said.
        contradicted: Requests with replies that differ; the first one counts.
        unreadable: Lines that are no response: where, and why.
        planned: Judgments of the plan.
        made: Judgments made by this.
        statuses: How those came out.
        before: Judgments that were there.
        skipped: Trials that were not needed.
        waiting: Judgments that wait for replies.
        models: What they wait for.
        spent: What the new replies took.
        interrupted: Whether it was stopped before its end.
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


async def read_batch_status(experiment: Experiment, ledger: Ledger, choices: RunOptions) -> BatchStatus:
    """Where a run stands. Nothing is written, not even to the ledger."""
    return await _survey(experiment, ledger, choices, BatchRound(ledger))


async def write_round(
    experiment: Experiment,
    ledger: Ledger,
    choices: RunOptions,
    form: BatchOutput,
    *,
    given_up: Collection[str] = (),
) -> BatchStatus:
    """Write every request that waits for a reply.

    Args:
        experiment: What the run's file says.
        ledger: Where the run is kept.
        choices: What is chosen beside it.
        form: Where the requests go.
        given_up: Keys of requests that are not asked again.

    Raises:
        UsageError: The experiment has no such model.
        InputError: A file cannot be written.
    """
    if form.path.is_dir():
        raise InputError("is a folder", where=str(form.path), hint="name a file, such as requests.jsonl")
    models = models_of(experiment)
    for name in form.models:
        if name not in models:
            raise UsageError(f"the experiment asks no model {name!r}; {did_you_mean(name, models)}")
    wanted = tuple(dict.fromkeys(form.models)) or models
    writers = {
        name: BatchWriter(path, url=form.url, most_requests=form.most_requests, most_bytes=form.most_bytes)
        for name, path in paths_of(form.path, wanted).items()
    }
    round_ = BatchRound(ledger, writers=writers, new=form.new, given_up=given_up)
    with _finished(writers.values()):
        found = await _survey(experiment, ledger, choices, round_)
    state = BatchState.of(ledger, found.run)
    for item in found.models:
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
    await state.keep(ledger, found.run)
    return found


async def import_responses(
    experiment: Experiment,
    ledger: Ledger,
    choices: RunOptions,
    responses: Responses,
    *,
    go: Callable[[Run], Awaitable[Any]] | None = None,
) -> ImportReport:
    """Record the replies that files of responses hold, and finish the judgments that wait for nothing else.

    Args:
        experiment: What the run's file says.
        ledger: Where the run is kept.
        choices: What is chosen beside it.
        responses: The files.
        go: Runs the run; by default without a display.
    """
    round_ = BatchRound(ledger, responses=responses)
    async with opened_run(experiment, ledger, _free(choices), through=round_.open) as run:
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
    """The models an experiment asks, in its order."""
    asked = (name for spec in experiment.judges for name in (spec.settings.generator, spec.model) if name)
    return tuple(dict.fromkeys(asked))


class _Untouched:
    """A ledger that is only looked at: what the engine would write down is let go."""

    def __init__(self, ledger: Ledger) -> None:
        self.finished = ledger.finished
        self.judgment = ledger.judgment
        self.judgments = ledger.judgments

    def join(self, run: str, keys: Sequence[str]) -> None:
        """Not now."""

    async def record_judgment(self, run: str | None, row: JudgmentRow, answers: Sequence[Any] = ()) -> None:
        """Not now."""


async def _survey(
    experiment: Experiment, ledger: Ledger, choices: RunOptions, round_: BatchRound
) -> BatchStatus:
    """Go through the plan and leave everything as it is – but the run, where requests are written out."""
    async with opened_run(experiment, ledger, _free(choices), through=round_.open) as run:
        state = BatchState.of(ledger, run.id)
        round_.begin(state)
        progress = RunProgress(run.survey.total)
        # One after another: the requests of a document are neighbours, and the same ones are always in the same order.
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


def _free(choices: RunOptions) -> RunOptions:
    """Nothing is sent here, so there is nothing to cap and nobody to wait for; and what came back is paid for."""
    return msgspec.structs.replace(choices, budget=Budget(), warming="off")


def paths_of(path: Path, models: Sequence[str]) -> dict[str, Path]:
    """A file for each model: providers take one model a batch."""
    if len(models) == 1:
        return {models[0]: path}
    found: dict[str, Path] = {}
    for model in models:
        slug = re.sub(r"[^\w-]+", "-", model.lower()).strip("-")
        named = path.with_suffix(f".{slug}{path.suffix}")
        while named in found.values():
            slug += "-x"
            named = path.with_suffix(f".{slug}{path.suffix}")
        found[model] = named
    return found


@contextlib.contextmanager
def _finished(writers: Collection[BatchWriter]) -> Iterator[None]:
    """Files are whole, or not there."""
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
