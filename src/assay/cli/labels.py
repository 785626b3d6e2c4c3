"""``assay labels``: people's labels in many formats, converted to labels and subjects in Assay's format."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from assay.cli.commands import group
from assay.cli.options import color_option, field_names, format_option, output_option, painter_for
from assay.cli.outputs import OutputPath, opened

if TYPE_CHECKING:
    from assay.meta.labels.label_set import LabelSet


@group()
def labels() -> None:
    """Read what people said of reports and pairs: list the formats, convert a file.

    \b
    assay labels list
    assay labels convert llmbar.json -o labels.jsonl --subjects subjects.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"


@labels.command(name="list")
@format_option("text", "json")
@color_option
def list_(*, format: str, color: str) -> None:  # noqa: A002 - the option's name
    """List the formats of labels; files are recognised by their rows."""
    from assay.meta.labels.files import ENDINGS
    from assay.meta.labels.label_set import all_label_loaders
    from assay.present.display import pad

    found = all_label_loaders()
    if format == "json":
        import msgspec

        rows = [{"name": loader.name, "what": loader.what} for loader in found]
        click.echo(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode())
        return
    paint = painter_for(color)
    wide = max(len(loader.name) for loader in found)
    for loader in found:
        click.echo(f"{paint(pad(loader.name, wide), 'bold')}  {loader.what}")
    click.echo(paint(f"Files end in {', '.join(ENDINGS)}, packed by gzip or not.", "dim"))


@labels.command(short_help="Write labels of ours, and the texts they are of.")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--labels-format", metavar="NAME", help="Format of the labels, if it is not recognised.")
@click.option(
    "--field",
    multiple=True,
    metavar="A=B",
    help="Fields of rows, such as score=rating or rater=worker. Repeatable.",
)
@click.option(
    "--rater", default="human", show_default=True, metavar="NAME", help="Rater of rows that name none."
)
@click.option(
    "--subjects",
    type=OutputPath(),
    metavar="PATH",
    help="Write the labelled texts to this file, for judges to read.",
)
@output_option
def convert(
    files: tuple[str, ...],
    *,
    labels_format: str | None,
    field: tuple[str, ...],
    rater: str,
    subjects: str | None,
    output: str | None,
) -> int:
    """Write the labels in FILE as assay.label/1, a line each, and with --subjects the texts they are of.

    Labels then name those texts as judgments will, by file and line, so that both find each other.

    \b
    assay labels convert rewardbench.jsonl -o labels.jsonl --subjects subjects.jsonl
    assay judge subjects.jsonl --judge direct@M --format json -o judgments.jsonl
    assay agree judgments.jsonl labels.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.errors import UsageError
    from assay.meta.labels.export import label_lines, renamed, subject_lines
    from assay.meta.labels.label_set import read_labels

    if subjects is not None and output is not None and subjects == output:
        raise UsageError(f"-o and --subjects both name {output}; name two files")
    found = read_labels(files, format=labels_format, fields=field_names(field), rater=rater)
    made = list(found.labels)
    if subjects is not None:
        if not found.texts:
            raise UsageError(f"{', '.join(files)}: holds labels without the texts; leave out --subjects")
        if not subjects.lower().endswith(".jsonl"):
            raise UsageError(f"--subjects {subjects}: name a file that ends in .jsonl")
        made = renamed(made, found.texts, subjects)
        with opened(subjects) as stream:
            stream.writelines(subject_lines(found.texts))
    with opened(output) as stream:
        stream.writelines(label_lines(made))
    _told(found, subjects)
    return 0


def _told(found: LabelSet, subjects: str | None) -> None:
    """Report on stderr what was read."""
    kinds = Counter(label.kind for label in found.labels)
    told = ", ".join(f"{number:,} {kind}{'s' if number > 1 else ''}" for kind, number in kinds.items())
    raters = len({label.rater for label in found.labels})
    named = ", ".join(found.formats)
    click.echo(f"assay: {told} by {raters:,} {'rater' if raters == 1 else 'raters'} ({named})", err=True)
    if found.columns:
        taken = ", ".join(f"{what}={column}" for what, column in found.columns.items())
        click.echo(f"assay: columns: {taken} (--field changes that)", err=True)
    if found.silent:
        click.echo(f"assay: {found.silent:,} rows are empty and were skipped", err=True)
    if subjects is None:
        return
    from assay.meta.labels.export import experiment_lines

    if any(text.system == "B" for text in found.texts):
        lines = "; ".join(experiment_lines(found.texts, subjects))
        click.echo(f"assay: to compare the pairs in an experiment of `assay run`, write: {lines}", err=True)
