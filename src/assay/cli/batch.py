"""``assay run batch``: an experiment run through batch files, in rounds."""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import ADVANCED, argument, option
from assay.cli.commands import command, group
from assay.cli.options import FormatArguments, LedgerArguments, painter_for
from assay.cli.outputs import OutputPath, ledger_files, refuse_overwrite
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.runs.batch_run import BatchOutput, BatchStatus, ImportReport
    from assay.runs.experiment import Experiment
    from assay.runs.run_options import RunOptions
    from assay.runs.runner import Run


class BatchStatusArguments(LedgerArguments, FormatArguments):
    """What the command line of ``assay run batch status`` says."""

    file: str = argument("EXPERIMENT")
    limit: int | None = option(
        "Judge only the first N subjects, as a cheap test.", "N", type=click.IntRange(min=1)
    )
    seed: int | None = option("Random seed of every judge, if the run was started with one.", group=ADVANCED)
    format: Literal["text", "json"]
    fresh: bool = False


class BatchImportArguments(BatchStatusArguments):
    """What the command line of ``assay run batch import`` says."""

    file: str = argument("EXPERIMENT")
    responses: tuple[str, ...] = argument("RESPONSES…")
    output: str | None = option(
        "Also write the requests of the next round to this file.",
        "FILE",
        flags="-o --output",
        type=OutputPath(),
    )
    models: tuple[str, ...] = option("Only requests to this model. Repeatable.", "MODEL", flags="--model")
    new: bool = option("Leave out requests that an earlier round wrote and that have no response yet.")
    url: str = option(
        "Endpoint that each line names; Azure wants /chat/completions.",
        default="/v1/chat/completions",
        group=ADVANCED,
    )
    max_requests: int = option(
        "Maximum number of requests per file.", default=50_000, type=click.IntRange(min=1), group=ADVANCED
    )
    max_bytes: int = option(
        "Maximum size of a file in bytes.", default=200_000_000, type=click.IntRange(min=1), group=ADVANCED
    )
    quiet: bool = option("Show no progress.", flags="-q --quiet")


class BatchExportArguments(BatchImportArguments, without=("responses", "quiet")):
    """What the command line of ``assay run batch export`` says."""

    responses: tuple[str, ...] = ()
    output: str | None = option(
        "Write the requests to this file; with several models, to a file for each, named after it.",
        "FILE",
        flags="-o --output",
        type=OutputPath(),
        required=True,
    )
    fresh: bool = option("Ask everything again; earlier replies stay in the ledger.")


@group()
def batch() -> None:
    """Run an experiment through batch files in OpenAI's format, in rounds: requests out, responses in. Nothing is sent.

    \b
    assay run batch export experiment.yaml -o requests.jsonl
    … the provider turns it into responses.jsonl …
    assay run batch import experiment.yaml responses.jsonl -o next.jsonl
    … and again, until nothing waits …
    assay run batch status experiment.yaml

    A strategy of several calls takes one round for each. Responses may come in any order and in several files, and may
    be incomplete; what failed is asked again in the next round. `assay run` may begin such a run, or finish it.
    """  # noqa: D301 - click reads the backspace as "do not wrap"


@command(BatchExportArguments)
def export(args: BatchExportArguments) -> int:
    """Write every request of EXPERIMENT whose reply is not in the ledger, one JSON object a line. No key is needed."""
    import asyncio

    from assay.cli.run import files_of, make_room
    from assay.present.batch import waiting_text
    from assay.runs.batch_run import write_round
    from assay.runs.ledger import open_ledger

    experiment, where = _opened(args)
    refuse_overwrite(args.output, [*files_of(experiment), *ledger_files(where)])
    form = _form(args, args.output or "")
    make_room(where)
    with open_ledger(where) as ledger:
        found = asyncio.run(write_round(experiment, ledger, _choices(args), form))
    _show(args, "export", found, None, waiting_text(found, painter_for(args.color), budget=experiment.budget))
    _say_stale(found)
    for item in found.models:
        if item.files and item.model.startswith("anthropic/"):
            click.echo(
                f"assay: Anthropic's own batches use another format; send {item.model} through a gateway",
                err=True,
            )
    if any(item.files for item in found.models):
        more = "" if args.format == "json" else f"; then `{_command(args, 'import')}`"
        click.echo(f"nothing was sent: give the files to the provider, or to vLLM{more}", err=True)
    elif found.ready:
        click.echo(
            f"{found.ready:,} judgments need no further reply: `{_again(args)}` completes them", err=True
        )
    return 0


@command(
    BatchImportArguments,
    name="import",
    epilog="Exit codes: 0 done, even if judgments wait for a further round; 2 bad usage or input, or no response belongs to "
    "a request of this run; 3 the files hold errors in place of replies.",
)
def import_(args: BatchImportArguments) -> int:
    """Read what the provider sent back: output files and error files, plain or gzipped, all at once or bit by bit.

    Replies are kept in the ledger, judgments that need no more of them are finished, and what is missing or failed waits
    for the next round. Reading the same file twice does no harm.
    """
    import asyncio

    from assay.cli.run import files_of, make_room, signals
    from assay.models.batch_responses import Responses
    from assay.present.batch import taken_text, waiting_text
    from assay.runs.batch_run import import_responses, write_round
    from assay.runs.ledger import open_ledger
    from assay.runs.progress_display import reporting

    experiment, where = _opened(args)
    refuse_overwrite(args.output, [*files_of(experiment), *ledger_files(where)])
    form = _form(args, args.output) if args.output is not None else None
    make_room(where)
    choices = _choices(args)

    async def go(run: Run) -> None:
        with signals(run):
            shown = False if args.quiet else None
            with reporting(
                shown, run.progress, lambda: run.session, stopping=lambda: run.stopping, logs=True
            ):
                await run.go()

    async def both() -> tuple[ImportReport, BatchStatus | None]:
        taken = await import_responses(experiment, ledger, choices, responses, go=go)
        if form is None or taken.interrupted:
            return taken, None
        return taken, await write_round(experiment, ledger, choices, form, given_up=taken.given_up)

    with Responses(args.responses) as responses, open_ledger(where) as ledger:
        taken, found = asyncio.run(both())
    paint = painter_for(args.color)
    text = taken_text(taken, paint)
    if found is not None:
        text += waiting_text(found, paint, budget=experiment.budget, standing=False)
    _show(args, "import", found, taken, text)
    if found is not None:
        _say_stale(found)
    if taken.interrupted:
        click.echo(
            "assay: interrupted; responses read so far are kept. The same command continues from there",
            err=True,
        )
        return 130
    if args.format == "text":
        _say_next(args, taken, found)
    if taken.new or taken.there:
        return 0
    return 3 if taken.failed else 2


@command(BatchStatusArguments)
def status(args: BatchStatusArguments) -> int:
    """Show where EXPERIMENT stands: rounds, judgments done and waiting, and what the waiting requests will take."""
    import asyncio

    from assay.cli.run import exists
    from assay.present.batch import look_text
    from assay.runs.batch_run import read_batch_status
    from assay.runs.ledger import open_ledger

    experiment, where = _opened(args)
    with contextlib.ExitStack() as stack:
        there = exists(where)
        ledger = stack.enter_context(open_ledger(where if there else ":memory:", read_only=there))
        found = asyncio.run(read_batch_status(experiment, ledger, _choices(args)))
    _show(args, "status", found, None, look_text(found, painter_for(args.color), budget=experiment.budget))
    return 0


def _opened(args: BatchStatusArguments) -> tuple[Experiment, str]:
    from assay.cli.run import own_ledger
    from assay.runs.experiment_file import load_experiment
    from assay.runs.ledger_location import ledger_location

    experiment = load_experiment(args.file)
    return experiment, args.ledger or own_ledger(experiment) or ledger_location()


def _choices(args: BatchStatusArguments) -> RunOptions:
    from assay.runs.run_options import RunOptions

    return RunOptions(fresh=args.fresh, limit=args.limit, seed=args.seed)


def _form(args: BatchImportArguments, output: str) -> BatchOutput:
    from assay.runs.batch_run import BatchOutput

    if output in ("", "-"):
        raise UsageError("-o names a file, such as requests.jsonl; requests are not written to the terminal")
    return BatchOutput(
        path=Path(output),
        models=args.models,
        new=args.new,
        url=args.url,
        most_requests=args.max_requests,
        most_bytes=args.max_bytes,
    )


def _show(
    args: BatchStatusArguments, what: str, found: BatchStatus | None, taken: ImportReport | None, text: str
) -> None:
    import msgspec

    if args.format == "text":
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
            click.echo(f"assay: {path} belongs to an earlier round; do not send it", err=True)


def _say_next(args: BatchImportArguments, taken: ImportReport, found: BatchStatus | None) -> None:
    if not taken.waiting:
        click.echo(f"nothing is waiting: `assay log show {taken.run}` shows the judgments", err=True)
    elif found is None:
        click.echo(f"the next round: `{_command(args, 'export')}`", err=True)
    elif any(item.files for item in found.models):
        click.echo(
            f"nothing was sent: give the files to the provider; then `{_command(args, 'import')}`", err=True
        )


def _command(args: BatchStatusArguments, verb: str) -> str:
    """Return the next command for this run."""
    words = ["assay", "run", "batch", verb, args.file, *_which(args)]
    return f"{shlex.join(words)} {'RESPONSES.jsonl -o next.jsonl' if verb == 'import' else '-o next.jsonl'}"


def _again(args: BatchStatusArguments) -> str:
    return shlex.join(["assay", "run", args.file, *_which(args)])


def _which(args: BatchStatusArguments) -> list[str]:
    given = {"--ledger": args.ledger, "--limit": args.limit, "--seed": args.seed}
    return [word for name, value in given.items() if value is not None for word in (name, str(value))]
