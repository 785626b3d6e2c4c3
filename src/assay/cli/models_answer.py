"""``assay models answer``: a model answers a batch file, on this machine or on Ray."""

from __future__ import annotations

from typing import Literal

import click

from assay.cli.arguments import Arguments, argument, option
from assay.cli.commands import command
from assay.cli.options import Amount
from assay.cli.outputs import OutputPath, refuse_overwrite
from assay.errors import EngineError


class AnswerArguments(Arguments):
    """What the command line of ``assay models answer`` says."""

    batch: str = argument("REQUESTS")
    model: str = option(
        "The model that answers, such as local/smollm2-135m or vllm/NAME.", "MODEL", required=True
    )
    output: str = option(
        "File of responses; if it is there, only what it does not answer is asked.",
        "FILE",
        flags="-o --output",
        type=OutputPath(),
        required=True,
    )
    engine: Literal["local", "ray"] = option(
        "This process, or workers on Ray Data, each with the model.", default="local"
    )
    workers: int = option("With --engine ray: number of workers.", "N", default=1, type=click.IntRange(min=1))
    gpus: float = option("With --engine ray: GPUs of each worker.", "N", default=0.0, type=Amount(min=0))
    quiet: bool = option("Show no progress.", flags="-q --quiet")


@command(AnswerArguments)
def answer(args: AnswerArguments) -> None:
    """Answer a batch file, in the place of a provider's batch service.

    \b
    assay run batch export experiment.yaml -o requests.jsonl
    assay models answer requests.jsonl --model vllm/my-model -o responses.jsonl
    assay run batch import experiment.yaml responses.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.runs.batch_answers import answer_file

    refuse_overwrite(args.output, [args.batch])
    done = 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        if not args.quiet:
            click.echo(f"\r{done:,} answered", nl=False, err=True)

    made, failed = answer_file(
        args.batch,
        args.output,
        args.model,
        ray=args.engine == "ray",
        workers=args.workers,
        gpus=args.gpus,
        tick=tick,
    )
    if done and not args.quiet:
        click.echo("", err=True)
    click.echo(f"{made:,} replies in {args.output}" + (f"; {failed:,} failed" if failed else ""), err=True)
    if failed and not made:
        raise EngineError("no request could be answered; the error of each is in the file")
