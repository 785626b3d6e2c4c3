"""``assay papers``: the tables and figures of five papers, and the same from one's own judges, reports and labels."""

from __future__ import annotations

import asyncio
import re
import sys
from typing import TYPE_CHECKING, Final, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command, group
from assay.cli.options import (
    FormatArguments,
    OutputArguments,
    SpendingArguments,
    columns_for,
    json_text,
    painter_for,
    wants_color,
)
from assay.cli.outputs import opened
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.meta.papers.exhibits import Exhibit
    from assay.meta.papers.making import MadeTable

_NUMBER: Final = re.compile(r"\d+[a-z]?")


@group()
def papers() -> None:
    """List the tables and figures of the five papers, show what they print, and make them with your own material.

    \b
    assay papers list
    assay papers show reflect --table 2
    assay papers run reflect --table 2 bench --judge openai/gpt-5-mini --dry-run
    assay papers run reportlogic --table 1 judgments.jsonl --labels labels.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"


class PaperListArguments(FormatArguments):
    """What the command line of ``assay papers list`` says."""

    format: Literal["text", "json"]


@command(PaperListArguments, name="list")
def list_(args: PaperListArguments) -> None:
    """List the papers with their tables and figures, and how each is made or why it is not."""
    from assay.meta.papers.exhibits import all_papers
    from assay.present.papers import papers_text

    if args.format == "json":
        click.echo(json_text(dict(all_papers())))
        return
    click.echo(
        papers_text(all_papers(), painter=painter_for(args.color), columns=columns_for(sys.stdout)), nl=False
    )


class ExhibitArguments(FormatArguments):
    """Which table or figure is meant."""

    paper: str = argument("PAPER")
    table: str | None = option("Number of the table.", "N")
    figure: str | None = option("Number of the figure.", "N")


class PaperShowArguments(ExhibitArguments):
    """What the command line of ``assay papers show`` says."""

    format: Literal["text", "json"]


@command(PaperShowArguments)
def show(args: PaperShowArguments) -> None:
    """Show what PAPER prints: one table or figure, or all of them."""
    from assay.meta.papers.exhibits import paper_of
    from assay.present.papers import exhibit_text

    paper = paper_of(args.paper)
    wanted = _wanted(args.table, args.figure)
    items = [paper.exhibit(wanted)] if wanted else list(paper.exhibits)
    if args.format == "json":
        click.echo(json_text(items))
        return
    paint = painter_for(args.color)
    texts = [exhibit_text(args.paper, item, painter=paint, columns=columns_for(sys.stdout)) for item in items]
    click.echo("\n".join(texts), nl=False)


class PaperRunArguments(SpendingArguments, OutputArguments):
    """What the command line of ``assay papers run`` says."""

    paper: str = argument("PAPER")
    material: tuple[str, ...] = argument("MATERIAL...")
    table: str | None = option("Number of the table.", "N")
    figure: str | None = option("Number of the figure.", "N")
    judge: tuple[str, ...] = option(
        "The judge, as MODEL or STRATEGY@MODEL; or rules. Repeatable. [rules]", "JUDGE"
    )
    rubric: tuple[str, ...] = option("A rubric in place of the exhibit's. Repeatable.", "NAME|FILE")
    limit: int | None = option(
        "Only the first N instances of each type, as a cheap test.", "N", type=click.IntRange(min=1)
    )
    labels: str | None = option("People's labels, if the exhibit is about agreement.", "FILE")
    subjects: tuple[str, ...] = option(
        "The subjects that were judged: labels can then name them by id. Repeatable.", "FILE"
    )
    dry_run: bool = option("Show calls, tokens and cost, and send nothing.", flags="-n --dry-run")
    format: Literal["text", "json", "csv"]


@command(
    PaperRunArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 a model failed or a cap was reached.",
)
def run(args: PaperRunArguments) -> None:
    """Make a table or figure of PAPER from MATERIAL: a benchmark's folder, or files of judgments with --labels.

    \b
    assay bench build reports.jsonl runs.jsonl -o bench --editor openai/gpt-5-mini
    assay papers run reflect --table 2 bench --judge openai/gpt-5-mini --limit 5
    assay papers run cot-judges --table 4 judgments.jsonl --labels grades.csv

    Your values stand with their intervals above those that the paper prints, with the reason why they cannot be compared
    as they stand.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.meta.papers.exhibits import FromBenchmark, paper_of
    from assay.present.display import Painter
    from assay.present.papers import made_text

    wanted = _wanted(args.table, args.figure)
    if wanted is None:
        raise click.UsageError(
            f"name the exhibit, such as --table 1; `assay papers show {args.paper}` lists them"
        )
    exhibit = paper_of(args.paper).exhibit(wanted)
    if exhibit.make is None:
        how = f"is made by {exhibit.command}" if exhibit.command else f"is not made: {exhibit.unmade}"
        raise UsageError(f"{args.paper}, {exhibit.name} {how}")
    if args.dry_run:
        if not isinstance(exhibit.make, FromBenchmark):
            click.echo("no calls: it is computed from what you have")
            return
        _rehearse(args, exhibit.make)
        return
    made = _made(args, exhibit)
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(json_text(made) + "\n")
        elif args.format == "csv":
            import csv

            columns = made.to_columns()
            rows = csv.writer(stream, lineterminator="\n")
            rows.writerow(columns)
            rows.writerows(zip(*columns.values(), strict=True))
        else:
            painter = Painter(wants_color(args.color, stream))
            stream.write(made_text(made, painter=painter, columns=columns_for(stream)))


def _wanted(table: str | None, figure: str | None) -> str | None:
    """Return the name of the exhibit that the options name."""
    if table is not None and figure is not None:
        raise click.UsageError("name a table or a figure, not both")
    given = table or figure
    if given is None:
        return None
    if _NUMBER.fullmatch(given) is None:
        raise click.UsageError(f"{given!r} is not the number of a table or figure")
    return f"{'table' if table else 'figure'} {given}"


def _rehearse(args: PaperRunArguments, make: object) -> None:
    from assay.meta.benchmark import Benchmark
    from assay.meta.papers.exhibits import FromBenchmark
    from assay.meta.papers.rehearsal import rehearse
    from assay.present.papers import rehearsal_text

    assert isinstance(make, FromBenchmark)
    rows = asyncio.run(
        rehearse(
            make,
            Benchmark.load(_folder(args)),
            args.judge or ("rules",),
            per_type=args.limit,
            rubric=args.rubric,
        )
    )
    click.echo(rehearsal_text(rows, painter=painter_for(args.color)), nl=False)


def _made(args: PaperRunArguments, exhibit: Exhibit) -> MadeTable:
    from assay.meta.benchmark import Benchmark
    from assay.meta.papers import making
    from assay.meta.papers.exhibits import FromAgreement, FromBenchmark, FromCounts, FromPeople

    if isinstance(exhibit.make, FromCounts):
        return making.from_counts(args.paper, exhibit, Benchmark.load(_folder(args)))
    if isinstance(exhibit.make, FromBenchmark):
        from assay.runs.budget import Budget
        from assay.runs.ledger_location import ledger_location
        from assay.runs.run_settings import RunSettings

        settings = RunSettings(
            ledger=ledger_location(args.ledger),
            fresh=args.fresh,
            budget=Budget(usd=args.max_usd, tokens=args.max_total_tokens),
            max_concurrency=args.concurrency,
            progress=False if args.quiet else None,
        )
        return asyncio.run(
            making.from_benchmark(
                args.paper,
                exhibit,
                Benchmark.load(_folder(args)),
                args.judge or ("rules",),
                per_type=args.limit,
                rubric=args.rubric,
                settings=settings,
            )
        )
    if args.labels is None:
        raise click.UsageError(f"{exhibit.name} needs people's labels: --labels FILE")
    from assay.meta.judgment_files import read_judgments
    from assay.meta.labels.label_set import read_labels
    from assay.subjects.subjects import read

    make = making.from_stability
    if isinstance(exhibit.make, FromAgreement):
        make = making.from_agreement
    elif isinstance(exhibit.make, FromPeople):
        make = making.from_people
    subjects = read(list(args.subjects)) if args.subjects else ()
    return make(args.paper, exhibit, list(read_judgments(args.material)), read_labels(args.labels), subjects)


def _folder(args: PaperRunArguments) -> str:
    if len(args.material) != 1:
        raise click.UsageError("name one benchmark: the folder that `assay bench build -o` wrote")
    return args.material[0]
