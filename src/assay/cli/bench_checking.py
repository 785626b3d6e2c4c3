"""What the commands do that look at a benchmark."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import click
import msgspec

from assay.cli.bench_choosing import chosen_instances
from assay.cli.options import columns_for, painter_for
from assay.cli.outputs import opened
from assay.errors import InputError, UsageError
from assay.interventions.instances import INSTANCES, read_instances, write_instances
from assay.interventions.registry import find_operators
from assay.interventions.validation import QueueItem, annotation_queue, read_validation, validate
from assay.present.instances import instance_text, types_text, validation_text


class ShowAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of ``assay bench show``."""

    folder: str
    ids: tuple[str, ...] = ()
    types: str | None = None
    limit: int | None = None
    color: str = "auto"


class QueueAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of ``assay bench queue``."""

    folder: str
    types: str | None = None
    limit: int | None = None
    format: str = "html"
    output: str | None = None


class ValidateAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of ``assay bench validate``."""

    folder: str
    labels: tuple[str, ...]
    keep: str = "valid"
    output: str | None = None
    format: str = "text"
    color: str = "auto"


def show_types(names: tuple[str, ...], *, form: str, color: str) -> None:
    """List operators."""
    operators = find_operators(names or ("all",))
    if form == "json":
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
    text = types_text(operators, painter=painter_for(color), columns=columns_for(sys.stdout))
    click.echo(text, nl=False)


def show_instances(asked: ShowAsked) -> None:
    """Show instances."""
    instances = chosen_instances(asked.folder, asked.types, asked.limit)
    if asked.ids:
        known = {item.id: item for item in instances}
        missing = [name for name in asked.ids if name not in known]
        if missing:
            raise UsageError(f"{asked.folder} has no instance {missing[0]!r}")
        instances = [known[name] for name in asked.ids]
    painter, columns = painter_for(asked.color), columns_for(sys.stdout)
    for number, item in enumerate(annotation_queue(instances)):
        click.echo(("\n" if number else "") + instance_text(item, painter=painter, columns=columns), nl=False)


def write_queue(asked: QueueAsked) -> None:
    """Write the pairs out."""
    instances = chosen_instances(asked.folder, asked.types, asked.limit)
    found = annotation_queue(instances)
    with opened(asked.output) as stream:
        if asked.format == "html":
            from assay.present.html.queue import queue_page  # noqa: PLC0415 - loads the templates

            stream.write(queue_page(found, title=Path(asked.folder).name))
        elif asked.format == "csv":
            stream.write(_csv(found))
        else:
            for item in found:
                stream.write(msgspec.json.encode(item).decode() + "\n")


def run_validate(asked: ValidateAsked) -> None:
    """Read labels and tell what they say; write what is kept."""
    instances = read_instances(asked.folder)
    names = [Path(path).stem for path in asked.labels]
    # Two files of one name are two annotators all the same.
    unique = [
        name if names.count(name) == 1 else path for name, path in zip(names, asked.labels, strict=True)
    ]
    if len(set(unique)) < len(unique):
        raise UsageError("a file of labels was named twice; one would agree with itself")
    labels = {name: read_validation(path) for name, path in zip(unique, asked.labels, strict=True)}
    if not any(labels.values()):
        raise InputError(
            "nobody has labelled anything yet: column label is empty", where=", ".join(asked.labels)
        )
    found = validate(instances, labels)
    if asked.output:
        if Path(asked.output).resolve() == Path(asked.folder).resolve():
            raise UsageError(f"-o {asked.output} is the benchmark that is read; name another folder")
        kept = set(found.valid)
        if asked.keep == "not-invalid":
            kept = {item.id for item in instances} - set(found.rejected)
        if not kept:
            raise InputError(
                "nothing is kept: nobody calls any instance valid", where=", ".join(asked.labels)
            )
        folder = Path(asked.output)
        folder.mkdir(parents=True, exist_ok=True)
        write_instances(folder / INSTANCES, [item for item in instances if item.id in kept])
        click.echo(f"kept {len(kept):,} of {len(instances):,} instances in {asked.output}", err=True)
    if asked.format == "json":
        click.echo(msgspec.json.encode(found).decode())
    else:
        text = validation_text(found, painter=painter_for(asked.color), columns=columns_for(sys.stdout))
        click.echo(text, nl=False)


def _csv(found: list[QueueItem]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(QueueItem.__struct_fields__))
    writer.writeheader()
    for item in found:
        writer.writerow(msgspec.structs.asdict(item))
    return stream.getvalue()
