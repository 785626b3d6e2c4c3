"""What ``assay batch`` does: a round written, responses taken in, and where things stand."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from assay.cli.options import painter_for
from assay.cli.outputs import ledger_files, refuse_overwrite
from assay.cli.run_progress import shown
from assay.cli.running import exists, files_of, make_room, own_ledger, signals
from assay.errors import UsageError
from assay.models.batch_files import MOST_BYTES, MOST_REQUESTS, Responses
from assay.present.batch import look_text, taken_text, waiting_text
from assay.runs.batch_run import (
    BatchOutput,
    BatchStatus,
    ImportReport,
    import_responses,
    read_batch_status,
    write_round,
)
from assay.runs.experiment_file import load_experiment
from assay.runs.ledger import open_ledger
from assay.runs.ledger_location import ledger_location
from assay.runs.runner import RunOptions

if TYPE_CHECKING:
    from assay.runs.experiment import Experiment
    from assay.runs.runner import Run


class BatchAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked on the command line."""

    file: str
    responses: tuple[str, ...] = ()
    output: str | None = None
    models: tuple[str, ...] = ()
    new: bool = False
    url: str = ""
    max_requests: int = MOST_REQUESTS
    max_bytes: int = MOST_BYTES
    fresh: bool = False
    ledger: str | None = None
    limit: int | None = None
    seed: int | None = None
    quiet: bool = False
    format: str = "text"
    color: str = "auto"


def export_batch(asked: BatchAsked) -> int:
    """Write a round, say what is in it, and give the exit code."""
    experiment, where = _opened(asked)
    refuse_overwrite(asked.output, [*files_of(experiment), *ledger_files(where)])
    form = _form(asked, asked.output or "")
    make_room(where)
    with open_ledger(where) as ledger:
        found = asyncio.run(write_round(experiment, ledger, _choices(asked), form))
    _show(
        asked, "export", found, None, waiting_text(found, painter_for(asked.color), budget=experiment.budget)
    )
    _say_stale(found)
    for item in found.models:
        if item.files and item.model.startswith("anthropic/"):
            click.echo(
                f"assay: Anthropic's own batches have another form: send {item.model} through a gateway",
                err=True,
            )
    if any(item.files for item in found.models):
        more = "" if asked.format == "json" else f"; then `{_command(asked, 'import')}`"
        click.echo(f"nothing was sent: give the files to the provider, or to vLLM{more}", err=True)
    elif found.ready:
        click.echo(f"{found.ready:,} judgments need no further reply: `{_again(asked)}` makes them", err=True)
    return 0


def import_batch(asked: BatchAsked) -> int:
    """Take responses in, say what came of them, and give the exit code."""
    experiment, where = _opened(asked)
    refuse_overwrite(asked.output, [*files_of(experiment), *ledger_files(where)])
    form = _form(asked, asked.output) if asked.output is not None else None
    make_room(where)
    choices = _choices(asked)

    async def go(run: Run) -> None:
        with signals(run):
            async with shown(run, quiet=asked.quiet):
                await run.go()

    async def both() -> tuple[ImportReport, BatchStatus | None]:
        taken = await import_responses(experiment, ledger, choices, responses, go=go)
        if form is None or taken.interrupted:
            return taken, None
        return taken, await write_round(experiment, ledger, choices, form, given_up=taken.given_up)

    with Responses(asked.responses) as responses, open_ledger(where) as ledger:
        taken, found = asyncio.run(both())
    paint = painter_for(asked.color)
    text = taken_text(taken, paint)
    if found is not None:
        text += waiting_text(found, paint, budget=experiment.budget, standing=False)
    _show(asked, "import", found, taken, text)
    if found is not None:
        _say_stale(found)
    if taken.interrupted:
        click.echo(
            "assay: interrupted; what was taken in is kept. The same command goes on from there", err=True
        )
        return 130
    if asked.format == "text":
        _say_next(asked, taken, found)
    if taken.new or taken.there:
        return 0
    return 3 if taken.failed else 2


def batch_status(asked: BatchAsked) -> int:
    """Say where things stand."""
    experiment, where = _opened(asked)
    with contextlib.ExitStack() as stack:
        there = exists(where)
        ledger = stack.enter_context(open_ledger(where if there else ":memory:", read_only=there))
        found = asyncio.run(read_batch_status(experiment, ledger, _choices(asked)))
    _show(asked, "status", found, None, look_text(found, painter_for(asked.color), budget=experiment.budget))
    return 0


def _opened(asked: BatchAsked) -> tuple[Experiment, str]:
    experiment = load_experiment(asked.file)
    return experiment, asked.ledger or own_ledger(experiment) or ledger_location()


def _choices(asked: BatchAsked) -> RunOptions:
    return RunOptions(fresh=asked.fresh, limit=asked.limit, seed=asked.seed)


def _form(asked: BatchAsked, output: str) -> BatchOutput:
    if output in ("", "-"):
        raise UsageError("-o names a file, such as requests.jsonl; requests are not written to the terminal")
    return BatchOutput(
        path=Path(output),
        models=asked.models,
        new=asked.new,
        url=asked.url,
        most_requests=asked.max_requests,
        most_bytes=asked.max_bytes,
    )


def _show(
    asked: BatchAsked, what: str, found: BatchStatus | None, taken: ImportReport | None, text: str
) -> None:
    if asked.format == "text":
        click.echo(text, nl=False)
        return
    data: dict[str, Any] = {"schema": "assay.batch/1", "command": what}
    if taken is not None:
        data |= msgspec.to_builtins(taken)
    if found is not None:
        data |= msgspec.to_builtins(found)
    click.echo(msgspec.json.encode(data).decode())


def _say_stale(found: BatchStatus) -> None:
    for item in found.models:
        for path in item.stale:
            click.echo(
                f"assay: {path} is of an earlier round, and no part of this one: do not send it", err=True
            )


def _say_next(asked: BatchAsked, taken: ImportReport, found: BatchStatus | None) -> None:
    if not taken.waiting:
        click.echo(f"nothing waits: `assay runs show {taken.run}` shows the judgments", err=True)
    elif found is None:
        click.echo(f"the next round: `{_command(asked, 'export')}`", err=True)
    elif any(item.files for item in found.models):
        click.echo(
            f"nothing was sent: give the files to the provider; then `{_command(asked, 'import')}`", err=True
        )


def _command(asked: BatchAsked, verb: str) -> str:
    """The command that comes next, for this run."""
    words = ["assay", "batch", verb, asked.file, *_which(asked)]
    return f"{shlex.join(words)} {'RESPONSES.jsonl -o next.jsonl' if verb == 'import' else '-o next.jsonl'}"


def _again(asked: BatchAsked) -> str:
    return shlex.join(["assay", "run", asked.file, *_which(asked)])


def _which(asked: BatchAsked) -> list[str]:
    given = {"--ledger": asked.ledger, "--limit": asked.limit, "--seed": asked.seed}
    return [word for name, value in given.items() if value is not None for word in (name, str(value))]
