"""``assay rubric generate``: the rubric of one pair of reports, written by a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.authoring import author_options
from assay.cli.commands import command
from assay.cli.options import color_option, format_option, query_option
from assay.cli.outputs import OutputPath

if TYPE_CHECKING:
    from assay.cli.authoring import Authoring
    from assay.rubrics.instance import InstanceRubric


@command(short_help="Have a model write the rubric of one pair of reports.")
@click.argument("a")
@click.argument("b")
@query_option
@click.option(
    "-o",
    "--output",
    type=OutputPath(kind=Path),
    help="File to add the rubric to, a JSON line each: .jsonl.",
)
@click.option(
    "--language",
    type=click.Choice(["auto", "en", "zh"]),
    default="auto",
    show_default=True,
    help="Of the prompt and the items.",
)
@author_options
@format_option("text", "json")
@color_option
def generate(
    a: str,
    b: str,
    *,
    query: str | None,
    output: Path | None,
    language: Literal["auto", "en", "zh"],
    format: Literal["text", "json"],  # noqa: A002 - the option's name
    color: str,
    **asked: Any,
) -> int:
    """Have a model write the rubric of one pair: eight questions on the logic of reports A and B, in their own terms.

    Items that are ill-formed by rule are written again, at most --retries times; what is wrong with them still is
    flagged. The file can be edited, and judged by: among several rubrics of one pair the last one counts.

    \b
    assay rubric generate a.md b.md --model openai/gpt-5-mini -o pairs.jsonl
    assay compare a.md b.md --judge logicjudge@MODEL --rubric pairs.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.authoring import AuthorAsked, run_authoring  # noqa: PLC0415
    from assay.cli.compare import read_one  # noqa: PLC0415
    from assay.cli.options import query_text  # noqa: PLC0415
    from assay.errors import UsageError  # noqa: PLC0415
    from assay.judges.identity import language_of, query_of  # noqa: PLC0415
    from assay.subjects.report import Report  # noqa: PLC0415

    said = query_text(query)
    first, second = read_one(a, said), read_one(b, said)
    for subject, path in ((first, a), (second, b)):
        if not isinstance(subject, Report):
            raise UsageError(f"{path} is a trajectory; instance rubrics are for pairs of reports")
        if not subject.source.strip():
            raise UsageError(f"{path} is empty: there is nothing to compare")
    if output is not None and output.suffix.lower() not in (".jsonl", ".ndjson"):
        raise UsageError(
            f"--output {output}: instance rubrics are JSON lines; name a file that ends in .jsonl"
        )
    asked_of = query_of([first, second], said)
    chosen = language_of(first) if language == "auto" else language

    async def work(authoring: Authoring) -> int:
        from assay.generation.instance_rubric import write_instance_rubric  # noqa: PLC0415

        assert isinstance(first, Report)
        assert isinstance(second, Report)
        author = await authoring.author()
        instance, written = await write_instance_rubric(author, asked_of, first, second, language=chosen)
        if instance is None:
            from assay.present.display import visible  # noqa: PLC0415

            click.echo(f"assay: no rubric ({written.status}): {visible(written.problem or '')}", err=True)
            return 3
        _show(instance, format, color)
        if output is not None:
            _add(instance, output)
            click.echo(f"added to {output}", err=True)
        return 0

    return run_authoring(AuthorAsked(**asked), work)


def _show(instance: InstanceRubric, format: str, color: str) -> None:  # noqa: A002
    import sys  # noqa: PLC0415

    import msgspec  # noqa: PLC0415

    from assay.cli.options import columns_for, painter_for  # noqa: PLC0415
    from assay.present.instance_rubrics import instance_text  # noqa: PLC0415

    if format == "json":
        click.echo(msgspec.json.encode(instance.to_dict()).decode())
    else:
        text = instance_text(instance, painter=painter_for(color), columns=columns_for(sys.stdout))
        click.echo(text, nl=False)


def _add(instance: InstanceRubric, output: Path) -> None:
    """Add the record as a line; what people edited there stays.

    Raises:
        InputError: The file cannot be written.
    """
    import msgspec  # noqa: PLC0415

    from assay.errors import InputError  # noqa: PLC0415

    line = msgspec.json.encode(instance.to_dict()) + b"\n"
    try:
        # A last line without its end, as some editors leave it, would swallow the first of ours.
        broken = output.is_file() and not output.read_bytes().endswith(b"\n") and output.stat().st_size > 0
        with output.open("ab") as stream:
            stream.write(b"\n" + line if broken else line)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(output)) from error
