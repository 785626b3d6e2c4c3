"""``assay bench types``, ``show``, ``queue`` and ``validate``: inspecting a benchmark, and having people label it."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import Arguments, argument, option
from assay.cli.commands import command
from assay.cli.options import ColorArguments, FormatArguments, columns_for, painter_for
from assay.cli.outputs import BENCHMARK, OutputPath, opened
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.interventions.validation import QueueItem


class TypesArguments(FormatArguments):
    """What the command line of ``assay bench types`` says."""

    names: tuple[str, ...] = argument("[TYPE]...", required=False)
    format: Literal["text", "json"]


@command(TypesArguments)
def types(args: TypesArguments) -> None:
    """List the failures and attacks that `assay bench build` knows, or those named: what each is, and its source."""
    import msgspec

    from assay.interventions.registry import find_operators
    from assay.present.instances import types_text

    operators = find_operators(args.names or ("all",))
    if args.format == "json":
        for item in operators:
            row = {
                "name": item.name,
                "title": item.title,
                "kind": item.kind,
                "level": item.level,
                "module": item.module,
                "category": item.category,
                "dimension": item.dimension,
                "definition": item.definition,
                "source": item.source,
            }
            click.echo(msgspec.json.encode(row).decode())
        return
    text = types_text(operators, painter=painter_for(args.color), columns=columns_for(sys.stdout))
    click.echo(text, nl=False)


class ShowArguments(ColorArguments):
    """What the command line of ``assay bench show`` says."""

    folder: str = argument("DIR", type=BENCHMARK)
    ids: tuple[str, ...] = argument("[ID]...", required=False)
    types: str | None = option("Only these types: names or groups, as `assay bench types` lists them.", "A,B")
    limit: int | None = option("Only the first N instances of each type.", "N", type=click.IntRange(min=1))


@command(ShowArguments)
def show(args: ShowArguments) -> None:
    """Show instances of the benchmark in DIR: the changed place before and after, with the differences marked."""
    from assay.interventions.validation import annotation_queue
    from assay.meta.benchmark import Benchmark
    from assay.present.instances import queued_text

    instances = Benchmark.load(args.folder).filter(
        types=args.types, per_type=args.limit, ids=args.ids or None
    )
    painter, columns = painter_for(args.color), columns_for(sys.stdout)
    for number, item in enumerate(annotation_queue(instances)):
        click.echo(("\n" if number else "") + queued_text(item, painter=painter, columns=columns), nl=False)


class QueueArguments(Arguments):
    """What the command line of ``assay bench queue`` says."""

    folder: str = argument("DIR", type=BENCHMARK)
    types: str | None = option("Only these types: names or groups, as `assay bench types` lists them.", "A,B")
    limit: int | None = option("Only the first N instances of each type.", "N", type=click.IntRange(min=1))
    disputed: bool = option(
        "Instead, the instances that the second reader did not accept when it was built.", default=False
    )
    format: Literal["html", "csv", "jsonl"] = option("Output format.", flags="-f --format", default="html")
    output: str | None = option(
        "Write the result to this file instead of the terminal.",
        "PATH",
        flags="-o --output",
        type=OutputPath(),
    )


@command(QueueArguments)
def queue(args: QueueArguments) -> None:
    """Write the pairs of the benchmark in DIR for annotators: a page to label them on, or a table with a column to fill in.

    \b
    assay bench queue bench -o queue.html               keys 1, 2, 3; the labels are saved from the page
    assay bench queue bench --format csv -o queue.csv   column label: valid, invalid or ambiguous

    The two sides are shown as reference and revised; annotators say whether the failure is there.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    from assay.interventions.instances import DISPUTED
    from assay.interventions.validation import annotation_queue
    from assay.meta.benchmark import Benchmark

    source = Path(args.folder) / DISPUTED if args.disputed else args.folder
    found = annotation_queue(Benchmark.load(source).filter(types=args.types, per_type=args.limit))
    with opened(args.output) as stream:
        if args.format == "html":
            from assay.present.html.queue import queue_page

            stream.write(queue_page(found, title=Path(args.folder).name))
        elif args.format == "csv":
            stream.write(_csv(found))
        else:
            for item in found:
                stream.write(msgspec.json.encode(item).decode() + "\n")


class ValidateArguments(FormatArguments):
    """What the command line of ``assay bench validate`` says."""

    folder: str = argument("DIR", type=BENCHMARK)
    labels: tuple[str, ...] = argument("LABELS...")
    keep: Literal["valid", "not-invalid"] = option(
        "What -o keeps: instances that every annotator calls valid, or all but those that somebody calls invalid.",
        default="valid",
    )
    output: str | None = option(
        "Write the instances that are kept to a benchmark in this folder.",
        "DIR",
        flags="-o --output",
        type=OutputPath("instances.jsonl"),
    )
    format: Literal["text", "json"]


@command(
    ValidateArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input.",
)
def validate(args: ValidateArguments) -> None:
    """Read annotators' labels of the benchmark in DIR, one file each: how far they agree, and which instances are valid.

    \b
    assay bench validate bench anna.csv ben.csv -o bench-valid
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    from assay.interventions.validation import read_validation
    from assay.interventions.validation import validate as validate_instances
    from assay.meta.benchmark import Benchmark
    from assay.present.instances import validation_text

    instances = Benchmark.load(args.folder)
    names = [Path(path).stem for path in args.labels]
    # Two files of the same name still belong to two annotators.
    unique = [name if names.count(name) == 1 else path for name, path in zip(names, args.labels, strict=True)]
    if len(set(unique)) < len(unique):
        raise UsageError("a file of labels is named twice, and would agree with itself")
    labels = {name: read_validation(path) for name, path in zip(unique, args.labels, strict=True)}
    if not any(labels.values()):
        raise InputError("there are no labels: column label is empty", where=", ".join(args.labels))
    found = validate_instances(instances, labels)
    if args.output:
        if Path(args.output).resolve() == Path(args.folder).resolve():
            raise UsageError(f"-o {args.output} is the benchmark to read; name another folder")
        kept = set(found.valid)
        if args.keep == "not-invalid":
            kept = {item.id for item in instances} - set(found.rejected)
        if not kept:
            raise InputError(
                "nothing to keep: no annotator calls any instance valid", where=", ".join(args.labels)
            )
        instances.filter(lambda item: item.id in kept).save(args.output)
        click.echo(f"kept {len(kept):,} of {len(instances):,} instances in {args.output}", err=True)
    if args.format == "json":
        click.echo(msgspec.json.encode(found).decode())
    else:
        text = validation_text(found, painter=painter_for(args.color), columns=columns_for(sys.stdout))
        click.echo(text, nl=False)


def _csv(found: list[QueueItem]) -> str:
    import csv

    import msgspec

    from assay.interventions.validation import QueueItem

    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(QueueItem.__struct_fields__))
    writer.writeheader()
    for item in found:
        writer.writerow(msgspec.structs.asdict(item))
    return stream.getvalue()
