"""``assay bench types``, ``show``, ``queue`` and ``validate``: looking at a benchmark, and having people look at it."""

from __future__ import annotations

import click

from assay.cli.commands import command
from assay.cli.options import color_option, format_option, output_option
from assay.cli.outputs import BENCHMARK, OutputPath


@command(short_help="List the failures and attacks there are.")
@click.argument("names", nargs=-1, metavar="[TYPE]...")
@format_option("text", "json")
@color_option
def types(names: tuple[str, ...], *, format: str, color: str) -> None:  # noqa: A002 - the option's name
    """List the failures and attacks that `assay bench build` knows, or those named: what each is, and where from."""
    from assay.cli.bench_checking import show_types  # noqa: PLC0415 - loads every operator

    show_types(names, form=format, color=color)


@command(short_help="Show instances: what stood there, what stands there now.")
@click.argument("folder", metavar="DIR", type=BENCHMARK)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--types", metavar="A,B", help="Only these types: names, or groups as of `assay bench types`.")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many of each type.")
@color_option
def show(**options: object) -> None:
    """Show instances of the benchmark in DIR: the place before and after, with what changed marked."""
    from assay.cli.bench_checking import ShowAsked, show_instances  # noqa: PLC0415

    show_instances(ShowAsked(**options))  # type: ignore[arg-type]


@command(
    short_help="Write the pairs out for people to look at.",
)
@click.argument("folder", metavar="DIR", type=BENCHMARK)
@click.option("--types", metavar="A,B", help="Only these types: names, or groups as of `assay bench types`.")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many of each type.")
@format_option("html", "csv", "jsonl")
@output_option
def queue(**options: object) -> None:
    """Write the pairs of the benchmark in DIR for annotators: a page to label them on, or a table with a column to fill.

    \b
    assay bench queue bench -o queue.html               keys 1, 2, 3; the labels are saved from the page
    assay bench queue bench --format csv -o queue.csv   column label: valid, invalid or ambiguous

    The two sides are shown as what they are, reference and revised: what is asked is whether the failure is there.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.bench_checking import QueueAsked, write_queue  # noqa: PLC0415

    write_queue(QueueAsked(**options))  # type: ignore[arg-type]


@command(
    short_help="Read labels of people; drop what is invalid.",
    epilog="Exit codes: 0 done; 2 bad usage or input.",
)
@click.argument("folder", metavar="DIR", type=BENCHMARK)
@click.argument("labels", nargs=-1, required=True, metavar="LABELS...")
@click.option(
    "--keep",
    type=click.Choice(["valid", "not-invalid"]),
    default="valid",
    show_default=True,
    help="What is kept with -o: what all who saw it call valid, or all but what somebody calls invalid.",
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=OutputPath("instances.jsonl"),
    help="Write a benchmark of what is kept.",
)
@format_option("text", "json")
@color_option
def validate(**options: object) -> None:
    """Read what annotators say of the benchmark in DIR, a file each: how far they agree, and what is valid.

    \b
    assay bench validate bench anna.csv ben.csv -o bench-valid
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.bench_checking import ValidateAsked, run_validate  # noqa: PLC0415

    run_validate(ValidateAsked(**options))  # type: ignore[arg-type]
