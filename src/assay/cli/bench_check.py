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
    from assay.interventions.instances import Instance
    from assay.interventions.validation import QueueItem, Validation
    from assay.meta.benchmark import Benchmark


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

    With --disputed, people decide what the second reader did not accept; `assay bench validate` takes their labels.
    The two sides are shown as reference and revised; annotators say whether the failure is there.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    from assay.interventions.instances import read_disputed
    from assay.interventions.validation import annotation_queue
    from assay.meta.benchmark import Benchmark

    if args.disputed:
        benchmark = Benchmark(read_disputed(args.folder), folder=args.folder)
        if not benchmark:
            raise InputError("no instance is disputed", where=args.folder)
    else:
        benchmark = Benchmark.load(args.folder)
    found = annotation_queue(benchmark.filter(types=args.types, per_type=args.limit))
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
        "What -o keeps: instances that every annotator calls valid, or all but those that somebody calls invalid. A disputed "
        "one joins only if somebody calls it valid.",
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
    assay bench queue bench --disputed --format csv -o sheet.csv
    assay bench validate bench sheet.anna.csv sheet.ben.csv -o bench-2

    Disputed instances that people call valid join the benchmark, those that they call invalid are dropped, and splits
    stay disputed. If only disputed instances are labelled, the others are kept as they are.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    from assay.interventions.instances import read_disputed
    from assay.interventions.validation import read_validation
    from assay.interventions.validation import validate as validate_instances
    from assay.meta.benchmark import Benchmark
    from assay.present.instances import validation_text

    benchmark, disputed = Benchmark.load(args.folder), read_disputed(args.folder)
    names = [Path(path).stem for path in args.labels]
    # Two files of the same name still belong to two annotators.
    unique = [name if names.count(name) == 1 else path for name, path in zip(names, args.labels, strict=True)]
    if len(set(unique)) < len(unique):
        raise UsageError("a file of labels is named twice, and would agree with itself")
    labels = {name: read_validation(path) for name, path in zip(unique, args.labels, strict=True)}
    if not any(labels.values()):
        raise InputError("there are no labels: column label is empty", where=", ".join(args.labels))
    found = validate_instances(benchmark.instances, labels, disputed=disputed, keep=args.keep)
    if args.output:
        _save_validated(args, benchmark, disputed, found)
    if args.format == "json":
        click.echo(msgspec.json.encode(found).decode())
    else:
        text = validation_text(found, painter=painter_for(args.color), columns=columns_for(sys.stdout))
        click.echo(text, nl=False)


def _save_validated(
    args: ValidateArguments, benchmark: Benchmark, disputed: list[Instance], found: Validation
) -> None:
    """Write the instances that are kept to the folder of ``-o``, with the manifest brought up to date."""
    from assay.interventions.artefacts import measure_artefacts
    from assay.interventions.instances import REFUSED
    from assay.interventions.manifest import validated_manifest
    from assay.interventions.refusals import read_refusals
    from assay.interventions.settlement import settled_instances

    assert args.output is not None
    if Path(args.output).resolve() == Path(args.folder).resolve():
        raise UsageError(f"-o {args.output} is the benchmark to read; name another folder")
    settled = settled_instances(benchmark.instances, disputed, found.labels, args.keep)
    if not settled.kept:
        raise InputError(
            "nothing to keep: no annotator calls any instance valid", where=", ".join(args.labels)
        )
    manifest = benchmark.manifest
    if manifest is not None:
        artefacts = measure_artefacts(settled.kept)
        manifest = validated_manifest(manifest, settled, found, artefacts, keep=args.keep)
    type(benchmark)(
        settled.kept,
        manifest=manifest,
        disputed=settled.disputed,
        refusals=read_refusals(Path(args.folder) / REFUSED),
    ).save(args.output)
    joined = 0 if found.settlement is None else len(found.settlement.accepted)
    kept = len(benchmark) - settled.removed
    more = f", and {joined:,} that were disputed" if joined else ""
    click.echo(f"kept {kept:,} of {len(benchmark):,} instances{more} in {args.output}", err=True)


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
