"""``assay batch``: the options. What they do is in `assay.cli.batching`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.commands import group
from assay.cli.options import color_option, format_option
from assay.cli.outputs import OutputPath

if TYPE_CHECKING:
    from collections.abc import Callable


def _run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What says which run it is; as for `assay run`."""
    for option in (
        click.option("--seed", type=int, help="The seed of all judges, if the run has one."),
        click.option(
            "--limit", type=click.IntRange(min=1), help="Judge only so many subjects: a cheap trial."
        ),
        click.option(
            "--ledger",
            metavar="WHERE",
            help="A file, or postgresql://…; else `ledger` of the experiment, ASSAY_LEDGER, assay.toml, "
            ".assay/ledger.sqlite.",
        ),
    ):
        function = option(function)
    return function


def _form_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """How requests are written."""
    for option in (
        click.option(
            "--max-bytes",
            type=click.IntRange(min=1),
            default=200_000_000,
            show_default=True,
            help="Most bytes of a file.",
        ),
        click.option(
            "--max-requests",
            type=click.IntRange(min=1),
            default=50_000,
            show_default=True,
            help="Most requests in a file.",
        ),
        click.option(
            "--url",
            default="/v1/chat/completions",
            show_default=True,
            help="The endpoint each line names; Azure wants /chat/completions.",
        ),
        click.option(
            "--new", is_flag=True, help="Leave out what an earlier round wrote and nothing has come back of."
        ),
        click.option(
            "--model", "models", multiple=True, metavar="MODEL", help="Only requests to this one. Repeatable."
        ),
    ):
        function = option(function)
    return function


@group(short_help="Run an experiment by batch files: requests out, responses in.")
def batch() -> None:
    """Run an experiment by batch files in OpenAI's format, in rounds: requests out, responses in. Nothing is sent.

    \b
    assay batch export experiment.yaml -o requests.jsonl
    … the provider makes responses.jsonl of it …
    assay batch import experiment.yaml responses.jsonl -o next.jsonl
    … and again, until nothing waits …
    assay batch status experiment.yaml

    A strategy of several calls takes a round for each. Responses may come in any order, in several files, and be
    incomplete; what failed is asked again in the next round. `assay run` may begin such a run, or finish it.
    """  # noqa: D301 - click reads the backspace as "do not wrap"


@batch.command(short_help="Write the requests that wait for a reply.")
@click.argument("file", metavar="EXPERIMENT")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=OutputPath(),
    help="Where to; several models get a file each, named after it.",
)
@_form_options
@click.option("--fresh", is_flag=True, help="Ask everything again; earlier replies stay in the ledger.")
@_run_options
@format_option("text", "json")
@color_option
def export(**options: Any) -> int:
    """Write every request of EXPERIMENT whose reply is not in the ledger, one JSON object a line. No key is needed."""
    from assay.cli.batching import BatchAsked, export_batch  # noqa: PLC0415 - loads what runs need

    return export_batch(BatchAsked(**options))


@batch.command(
    name="import",
    short_help="Take in responses, and finish what they answer.",
    epilog="Exit codes: 0 done, though judgments may wait for a further round; 2 bad usage or input, or no response is to a "
    "request of this run; 3 the files hold "
    "errors in place of replies.",
)
@click.argument("file", metavar="EXPERIMENT")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSES…")
@click.option(
    "-o", "--output", metavar="FILE", type=OutputPath(), help="Write the requests of the next round, too."
)
@_form_options
@_run_options
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@format_option("text", "json")
@color_option
def import_(**options: Any) -> int:
    """Take in what the provider sent back: output files and error files, plain or gzipped, all at once or bit by bit.

    Replies are kept in the ledger, judgments that need no more of them are made, and what is missing or failed waits
    for the next round. The same file twice does no harm.
    """
    from assay.cli.batching import BatchAsked, import_batch  # noqa: PLC0415

    return import_batch(BatchAsked(**options))


@batch.command(short_help="Show what is there, and what waits.")
@click.argument("file", metavar="EXPERIMENT")
@_run_options
@format_option("text", "json")
@color_option
def status(**options: Any) -> int:
    """Show where EXPERIMENT stands: rounds, judgments there and waiting, requests that wait, what they will take."""
    from assay.cli.batching import BatchAsked, batch_status  # noqa: PLC0415

    return batch_status(BatchAsked(**options))
