"""``assay rubrics for-pair``: the rubric of one pair of reports, written by a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import ADVANCED, argument, option
from assay.cli.author_session import AuthorArguments, run_author_session
from assay.cli.commands import command
from assay.cli.options import FormatArguments, QueryArguments
from assay.cli.outputs import OutputPath

if TYPE_CHECKING:
    from assay.cli.author_session import AuthorSession
    from assay.rubrics.instance import InstanceRubric


class GenerateArguments(QueryArguments, AuthorArguments, FormatArguments):
    """What the command line of ``assay rubrics for-pair`` says."""

    a: str = argument()
    b: str = argument()
    output: Path | None = option(
        "Add the rubric to this file, as one JSON line: .jsonl.",
        "FILE",
        flags="-o --output",
        type=OutputPath(kind=Path),
    )
    language: Literal["auto", "en", "zh"] = option(
        "Language of the prompt and of the items.", default="auto", group=ADVANCED
    )
    format: Literal["text", "json"]


@command(GenerateArguments)
def for_pair(args: GenerateArguments) -> int:
    """Have a model write the rubric of one pair: eight questions on the logic of reports A and B, in their own terms.

    Items that break a rule are written again, at most --retries times, and remaining faults are flagged. You can edit the
    file and use it as a rubric; of several rubrics of one pair, the last one counts.

    \b
    assay rubrics for-pair a.md b.md --model openai/gpt-5-mini -o pairs.jsonl
    assay compare a.md b.md --judge logicjudge@MODEL --rubric pairs.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.compare import read_one
    from assay.cli.options import query_text
    from assay.errors import UsageError
    from assay.judges.identity import language_of, query_of
    from assay.subjects.report import Report

    query = query_text(args.query)
    first, second = read_one(args.a, query), read_one(args.b, query)
    for subject, path in ((first, args.a), (second, args.b)):
        if not isinstance(subject, Report):
            raise UsageError(f"{path} is a trajectory; instance rubrics are for pairs of reports")
        if not subject.source.strip():
            raise UsageError(f"{path} is empty: there is nothing to compare")
    if args.output is not None and args.output.suffix.lower() not in (".jsonl", ".ndjson"):
        raise UsageError(
            f"--output {args.output}: instance rubrics are JSON lines; name a file that ends in .jsonl"
        )
    asked_of = query_of([first, second], query)
    chosen = language_of(first) if args.language == "auto" else args.language

    async def work(session: AuthorSession) -> int:
        from assay.generation.instance_rubric import write_instance_rubric

        assert isinstance(first, Report)
        assert isinstance(second, Report)
        author = await session.author()
        instance, written = await write_instance_rubric(author, asked_of, first, second, language=chosen)
        if instance is None:
            from assay.present.display import visible

            click.echo(f"assay: no rubric ({written.status}): {visible(written.problem or '')}", err=True)
            return 3
        _show(instance, args.format, args.color)
        if args.output is not None:
            _add(instance, args.output)
            click.echo(f"added to {args.output}", err=True)
        return 0

    return run_author_session(args, work)


def _show(instance: InstanceRubric, format: str, color: str) -> None:  # noqa: A002
    import sys

    import msgspec

    from assay.cli.options import columns_for, painter_for
    from assay.present.instance_rubrics import instance_rubric_text

    if format == "json":
        click.echo(msgspec.json.encode(instance.to_dict()).decode())
    else:
        text = instance_rubric_text(instance, painter=painter_for(color), columns=columns_for(sys.stdout))
        click.echo(text, nl=False)


def _add(instance: InstanceRubric, output: Path) -> None:
    """Append the record as one line, and keep what people edited.

    Raises:
        InputError: The file cannot be written.
    """
    import msgspec

    from assay.errors import InputError

    line = msgspec.json.encode(instance.to_dict()) + b"\n"
    try:
        # Some editors leave the last line without its end; the new line must not be joined to it.
        broken = output.is_file() and not output.read_bytes().endswith(b"\n") and output.stat().st_size > 0
        with output.open("ab") as stream:
            stream.write(b"\n" + line if broken else line)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(output)) from error
