"""``assay agree labels``: people's labels in many formats, converted to labels and subjects in Assay's format."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command, group
from assay.cli.options import FormatArguments, OutputArguments, field_names, json_text, painter_for
from assay.cli.outputs import OutputPath, opened

if TYPE_CHECKING:
    from assay.meta.labels.label_set import Labels


@group()
def labels() -> None:
    """Read people's labels of reports and pairs: list the formats, convert a file.

    \b
    assay agree labels list
    assay agree labels convert llmbar.json -o labels.jsonl --subjects subjects.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"


class LabelListArguments(FormatArguments):
    """What the command line of ``assay agree labels list`` says."""

    format: Literal["text", "json"]


@command(LabelListArguments, name="list")
def list_(args: LabelListArguments) -> None:
    """List the formats of labels; files are recognised by their rows."""
    from assay.meta.labels.files import ENDINGS
    from assay.meta.labels.label_set import all_label_loaders
    from assay.present.display import pad

    found = all_label_loaders()
    if args.format == "json":
        rows = [{"name": loader.name, "what": loader.what} for loader in found]
        click.echo(json_text(rows))
        return
    paint = painter_for(args.color)
    wide = max(len(loader.name) for loader in found)
    for loader in found:
        click.echo(f"{paint(pad(loader.name, wide), 'bold')}  {loader.what}")
    click.echo(paint(f"Files end in {', '.join(ENDINGS)}, packed by gzip or not.", "dim"))


class LabelConvertArguments(OutputArguments, without=("color", "format")):
    """What the command line of ``assay agree labels convert`` says."""

    files: tuple[str, ...] = argument("FILE…")
    labels_format: str | None = option("Format of the labels, if it is not recognised.", "NAME")
    field: tuple[str, ...] = option(
        "Fields of rows, such as score=rating or rater=worker. Repeatable.", "A=B"
    )
    rater: str = option("Rater of rows that name none.", "NAME", default="human")
    subjects: str | None = option(
        "Write the labelled texts to this file, for judges to read.", "PATH", type=OutputPath()
    )


@command(LabelConvertArguments)
def convert(args: LabelConvertArguments) -> int:
    """Write the labels in FILE as assay.label/1, one a line, and with --subjects the labelled texts.

    Labels then name those texts as judgments will, by file and line, so that `assay agree` can match the two.

    \b
    assay agree labels convert rewardbench.jsonl -o labels.jsonl --subjects subjects.jsonl
    assay judge subjects.jsonl --judge direct@M --format json -o judgments.jsonl
    assay agree judgments.jsonl labels.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.errors import UsageError
    from assay.meta.labels.export import label_lines, renamed, subject_lines
    from assay.meta.labels.label_set import read_labels

    if args.subjects is not None and args.output is not None and args.subjects == args.output:
        raise UsageError(f"-o and --subjects both name {args.output}; name two files")
    found = read_labels(
        args.files, format=args.labels_format, default_rater=args.rater, **field_names(args.field)
    )
    made = list(found)
    if args.subjects is not None:
        if not found.texts:
            raise UsageError(f"{', '.join(args.files)}: holds labels without the texts; leave out --subjects")
        if not args.subjects.lower().endswith(".jsonl"):
            raise UsageError(f"--subjects {args.subjects}: name a file that ends in .jsonl")
        made = renamed(made, found.texts, args.subjects)
        with opened(args.subjects) as stream:
            stream.writelines(subject_lines(found.texts))
    with opened(args.output) as stream:
        stream.writelines(label_lines(made))
    _report_labels(found, args.subjects)
    return 0


def _report_labels(found: Labels, subjects: str | None) -> None:
    """Report on stderr what was read."""
    kinds = Counter(label.kind for label in found)
    summary = ", ".join(f"{number:,} {kind}{'s' if number > 1 else ''}" for kind, number in kinds.items())
    raters = len({label.rater for label in found})
    named = ", ".join(found.formats)
    click.echo(f"assay: {summary} by {raters:,} {'rater' if raters == 1 else 'raters'} ({named})", err=True)
    if found.columns:
        taken = ", ".join(f"{what}={column}" for what, column in found.columns.items())
        click.echo(f"assay: columns: {taken} (--field changes that)", err=True)
    if found.empty:
        click.echo(f"assay: {found.empty:,} rows are empty and were skipped", err=True)
    if subjects is None:
        return
    from assay.meta.labels.export import experiment_lines

    if any(text.system == "B" for text in found.texts):
        lines = "; ".join(experiment_lines(found.texts, subjects))
        click.echo(f"assay: to compare the pairs in an experiment of `assay run`, write: {lines}", err=True)
