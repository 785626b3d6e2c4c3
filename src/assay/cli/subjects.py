"""The subjects that a command line names, read as a whole before anything is spent."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import click

from assay.cli.arguments import SUBJECTS, argument, option
from assay.cli.options import QueryArguments, RowArguments, field_names, query_text
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.subjects.subject import Subject


class SubjectArguments(QueryArguments, RowArguments):
    """What the command line of a command that takes many subjects says."""

    paths: tuple[str, ...] = argument("FILE...")
    limit: int | None = option(
        "Take only the first N subjects.", "N", type=click.IntRange(min=1), group=SUBJECTS
    )


def read_all(args: SubjectArguments) -> tuple[list[Subject], int]:
    """Return the subjects and the number of those that could not be read, which are reported on stderr.

    Raises:
        InputError: There is only one, and it cannot be read.
    """
    from assay.subjects.reading import read_subjects

    stream = read_subjects(
        args.paths,
        query=query_text(args.query),
        fields=field_names(args.field),
        format=args.input_format,
    )
    subjects: list[Subject] = []
    errors: list[InputError] = []
    for item in islice(stream, args.limit):
        if isinstance(item, InputError):
            errors.append(item)
        else:
            subjects.append(item)
    if not subjects and len(errors) == 1:
        raise errors[0]
    for error in errors:
        click.echo(f"assay: {error.cli_message}", err=True)
    return subjects, len(errors)


def one_question(subjects: Sequence[Subject], query: str | None) -> None:
    """Refuse to compare answers to different questions unless ``--query`` names the one to judge them by.

    Raises:
        UsageError: They answer different questions.
    """
    found = list(dict.fromkeys(item.query.strip() for item in subjects if item.query and item.query.strip()))
    if query is None and len(found) > 1:
        shown = " and ".join(f"“{text[:40]}{'…' if len(text) > 40 else ''}”" for text in found[:2])
        raise UsageError(
            f"these answer {len(found)} different questions, such as {shown}; take answers to one, or name with --query the "
            "question to judge them by"
        )
