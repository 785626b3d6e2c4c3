"""``assay train serve``: a trained model behind an OpenAI-compatible endpoint on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from assay.cli.arguments import Arguments, argument, option
from assay.cli.commands import command


class TrainServeArguments(Arguments):
    """What the command line of ``assay train serve`` says."""

    model: str = argument("MODEL")
    name: str = option("Its name in requests: logicjudge@local/NAME.", "NAME", default="my-judge")
    port: int = option("Port of the server.", default=8080, type=click.IntRange(0, 65535))
    precision: Literal["bfloat16", "float32"] = option("Numbers of the weights.", default="float32")
    show: bool = option("Only print the commands of vLLM and llama.cpp, which serve many calls at a time.")


@command(TrainServeArguments)
def serve(args: TrainServeArguments) -> None:
    """Serve MODEL, the folder of a stage or any model, until Ctrl-C. It is then a judge like any other.

    \b
    assay train serve grpo
    LOCAL_BASE_URL=http://127.0.0.1:8080/v1 assay compare a.md b.md --judge logicjudge@local/my-judge

    It speaks the protocol of OpenAI's chat completions, on this machine only, one reply at a time.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from aiohttp import web

    from assay.training.generation import LocalGenerator
    from assay.training.serving import application, commands_for
    from assay.training.trainers import MODEL

    inside = Path(args.model) / MODEL
    folder = str(inside) if inside.is_dir() else args.model
    for server, line in commands_for(folder, args.name).items():
        click.echo(f"{server + ':':<11}{line}")
    if args.show:
        return
    app = application(LocalGenerator(folder, precision=args.precision), args.name)
    base = f"http://127.0.0.1:{args.port}/v1"
    click.echo(f"here:      LOCAL_BASE_URL={base} assay compare A B --judge logicjudge@local/{args.name}")
    click.echo(f"{base} serves {args.name}; Ctrl-C ends it.")
    web.run_app(app, host="127.0.0.1", port=args.port, print=None)
