"""What is judged, from the command line: files, folders, streams; read as a whole, so that it can be looked at first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import click

from assay.cli.judge_options import JudgeAsked
from assay.cli.options import field_names, query_text
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.subjects.subject import Subject


class SubjectsAsked(JudgeAsked, frozen=True, kw_only=True):
    """What was asked of a command that takes many subjects."""

    paths: tuple[str, ...]
    limit: int | None = None
    field: tuple[str, ...] = ()
    input_format: str | None = None


def read_all(asked: SubjectsAsked) -> tuple[list[Subject], int]:
    """The subjects, and how many could not be read; those are told.

    Raises:
        InputError: There is one, and it cannot be read.
    """
    from assay.subjects.reading import read_subjects  # noqa: PLC0415 - loads the parser

    stream = read_subjects(
        asked.paths,
        query=query_text(asked.query),
        fields=field_names(asked.field),
        format=asked.input_format,
    )
    subjects: list[Subject] = []
    errors: list[InputError] = []
    for item in islice(stream, asked.limit):
        if isinstance(item, InputError):
            errors.append(item)
        else:
            subjects.append(item)
    if not subjects and len(errors) == 1:
        raise errors[0]
    for error in errors:
        click.echo(f"assay: {error}", err=True)
    return subjects, len(errors)


def one_question(subjects: Sequence[Subject], query: str | None) -> None:
    """Refuse to compare answers to different questions, unless the one they are compared by is given.

    Raises:
        UsageError: They answer different questions.
    """
    found = list(dict.fromkeys(item.query.strip() for item in subjects if item.query and item.query.strip()))
    if query is None and len(found) > 1:
        shown = " and ".join(f"“{text[:40]}{'…' if len(text) > 40 else ''}”" for text in found[:2])
        raise UsageError(
            f"these answer {len(found)} different questions, such as {shown}; take answers to one, or say with --query which "
            "question they are judged by"
        )
