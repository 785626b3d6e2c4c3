"""Many subjects: read from files, and paired with each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, islice
from os import PathLike
from typing import Any, ClassVar, Literal, cast

from assay.errors import InputError, UsageError
from assay.given import each_of
from assay.record import Records
from assay.subjects.case import Case
from assay.subjects.loaders.base import SubjectLoader
from assay.subjects.reading import read_subjects, subjects_of_rows
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.tabular import TableLike, rows_of
from assay.subjects.trajectory import SCHEMA, Trajectory

_COLUMNS = ("path", "id", "system", "query", "words", "language")


class _AnySubject:
    """Turns plain data into the kind of subject that its schema names."""

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Subject:
        return (Trajectory if data.get("schema") == SCHEMA else Report).from_dict(data)


class Subjects(Records[Subject]):
    """Reports and trajectories, in the order in which they were read; ``errors`` has what could not be read."""

    item_type: ClassVar[type[Any]] = _AnySubject
    noun: ClassVar[str] = "subject"

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each: path, id, system, query, words and language."""
        return {name: [getattr(item, name) for item in self] for name in _COLUMNS}


def read(
    paths: Iterable[str | PathLike[str]] | str | PathLike[str] | TableLike,
    *,
    query: str | None = None,
    loader: str | SubjectLoader | None = None,
    fields: Mapping[str, str] | None = None,
    limit: int | None = None,
    on_error: Literal["raise", "keep"] = "raise",
) -> Subjects:
    """Read reports and trajectories from files, folders and globs, or from the rows of a table.

        reports = assay.read("reports/")
        runs = assay.read(["a.jsonl", "b.jsonl.gz"], fields={"report": "article"})
        reports = assay.read(frame, fields={"report": "article"})

    Args:
        paths: Files, folders (searched through), or globs; or a pandas or polars frame, an Arrow table, a dataset of Hugging
            Face, a list of rows. A text is never a report here; that is ``Report(text)``.
        query: The question, for subjects whose input names none; without it a ``query.txt`` beside the file is used.
        loader: A loader, what ``@assay.loader`` made of a function, or a format's name; by default each is recognised.
        fields: Names of row fields by what they hold: ``{"report": "article", "query": "prompt"}``.
        limit: The most subjects to read.
        on_error: ``"raise"`` stops at what cannot be read; ``"keep"`` goes on and puts it into ``errors``.

    Raises:
        InputError: Something cannot be read, or there is nothing.
        UsageError: There is no loader of that name, or an argument is wrong.
    """
    if on_error not in ("raise", "keep"):
        raise UsageError(f"on_error is {on_error!r}; it is 'raise' or 'keep'")
    if limit is not None and limit < 1:
        raise UsageError(f"limit is {limit}; it must be at least 1")
    if callable(loader):
        raise UsageError("loader is a function; decorate it with @assay.loader")
    subjects: list[Subject] = []
    errors: list[InputError] = []
    rows = None if isinstance(paths, str | PathLike) else rows_of(paths)
    found = (
        read_subjects(cast("Iterable[str] | str", paths), query=query, fields=fields, format=loader)
        if rows is None
        else subjects_of_rows(rows, query=query, fields=fields, format=loader)
    )
    for item in islice(found, limit):
        if not isinstance(item, InputError):
            subjects.append(item)
        elif on_error == "raise":
            raise item
        else:
            errors.append(item)
    if not subjects and not errors:
        raise InputError("there is nothing to read", where=str(paths) if rows is None else "rows")
    return Subjects(subjects, errors=errors)


def round_robin(subjects: Iterable[Subject], *, by: Literal["id", "query"] | None = None) -> list[Case]:
    """Return a case for every pair of subjects, to compare.

    Args:
        subjects: The subjects.
        by: Pair only those that share their ``id`` (of a task) or their ``query``; by default all with all.

    Returns:
        The pairs in order. The metadata of each has ``id_a``, ``id_b``, ``system_a`` and ``system_b`` if known, and as
        ``task`` the id or query that both share.

    Raises:
        UsageError: There is no such field, or no two subjects share it.
    """
    if by not in (None, "id", "query"):
        raise UsageError(f"by is {by!r}; subjects are paired by 'id' or 'query'")
    groups: dict[str | None, list[Subject]] = {}
    what, hint = "a subject is a Report or a Trajectory", "assay.read reads files"
    for item in each_of(subjects, (Report, Trajectory), what, hint=hint):
        # Line breaks and double spaces do not make another query.
        key = " ".join((getattr(item, by) or "").split()) if by else None
        if by is None or key:
            groups.setdefault(key, []).append(item)
    cases = [_pair(a, b, task) for task, members in groups.items() for a, b in combinations(members, 2)]
    if not cases:
        shared = f" that share their {by}" if by else ""
        raise UsageError(f"there are no two subjects{shared}")
    return cases


def _pair(a: Subject, b: Subject, task: str | None) -> Case:
    tags: dict[str, str] = {} if task is None else {"task": task}
    for side, subject in (("a", a), ("b", b)):
        tags[f"id_{side}"] = subject.id or subject.path or side
        if subject.system is not None:
            tags[f"system_{side}"] = subject.system
    return Case(a, b, metadata=tags)
