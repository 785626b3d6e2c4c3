"""Reading subjects: reports and trajectories from files, folders, globs, JSONL streams and stdin.

    for subject in read_subjects(["runs/", "more.jsonl.gz"]):
        if isinstance(subject, InputError): ...

What cannot be read is yielded as an `InputError` that names the file and the row, and the rest goes on. A JSONL file
is read line by line, so its length does not matter.
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, MissingExtraError
from assay.subjects.input_files import expand
from assay.subjects.loaders.base import DEFAULT_MAX_BYTES, InputContext, SubjectLoader
from assay.subjects.loaders.registry import find_loader
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.subject_reader import SubjectReader
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def read_subjects(
    paths: Iterable[str | PathLike[str]] | str | PathLike[str],
    *,
    query: str | None = None,
    fields: Mapping[str, str] | None = None,
    format: str | SubjectLoader | None = None,  # noqa: A002 - the option's own name
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> Iterator[Subject | InputError]:
    """Return every subject under ``paths``, in order; errors in their place.

    Args:
        paths: Files, folders (searched through, known suffixes only), globs, or ``-`` for stdin. ``.gz`` is unpacked.
        query: The question, for subjects whose input names none; without it a ``query.txt`` beside the file is used.
        fields: Names of row fields by what they hold: ``{"report": "article", "query": "prompt"}``.
        format: A loader or its name; by default each piece of input is recognised.
        max_bytes: The most bytes one report, row or JSON document may have.

    Raises:
        UsageError: ``format`` names no loader.
    """
    loader = None if format is None else find_loader(format)
    targets = [paths] if isinstance(paths, str | PathLike) else list(paths)
    origin = InputContext(query=query, fields=dict(fields or {}), max_bytes=max_bytes)
    return SubjectReader(loader, origin).all([fspath(target) for target in targets])


def subjects_of_rows(
    rows: Iterable[Any],
    *,
    query: str | None = None,
    fields: Mapping[str, str] | None = None,
    format: str | SubjectLoader | None = None,  # noqa: A002 - the option's own name
    name: str = "rows",
) -> Iterator[Subject | InputError]:
    """Return the subjects of the rows of a table, in order; errors in their place."""
    loader = None if format is None else find_loader(format)
    origin = InputContext(query=query, fields=dict(fields or {}))
    return SubjectReader(loader, origin).of_rows(rows, name)


def places(paths: Iterable[str | PathLike[str]]) -> Iterator[Path]:
    """Yield the files that `read_subjects` would open, in order; nothing for stdin and for what is not there."""
    for target in paths:
        for place in expand(fspath(target)):
            if not isinstance(place, InputError) and place.path is not None:
                yield place.path


def read_report(path: str | PathLike[str], query: str | None = None) -> Report:
    """Read the one report in a file.

    Raises:
        InputError: It cannot be read, or holds something else than one report.
        MissingExtraError: It is a PDF, DOCX or HTML file and ``assay[docs]`` is not installed.
    """
    subject = read_one(path, query)
    if not isinstance(subject, Report):
        raise InputError("a trajectory, not a report", where=fspath(path), hint="Trajectory.read reads it")
    return subject


def read_trajectory(path: str | PathLike[str]) -> Trajectory:
    """Read the one trajectory in a file of any known format.

    Raises:
        InputError: It cannot be read, or holds something else than one trajectory.
    """
    subject = read_one(path)
    if not isinstance(subject, Trajectory):
        raise InputError("a report, not a trajectory", where=fspath(path), hint="Report.read reads it")
    return subject


def read_one(path: str | PathLike[str], query: str | None = None) -> Subject:
    """Read the one subject in a file.

    Raises:
        InputError: It cannot be read, or holds none or several.
    """
    found: Subject | None = None
    for subject in read_subjects(path, query=query):
        if isinstance(subject, InputError):
            if isinstance(subject.__cause__, MissingExtraError):
                raise subject.__cause__
            raise subject
        if found is not None:
            raise InputError("more than one subject", where=fspath(path), hint="assay.read reads them all")
        found = subject
    if found is None:
        raise InputError("nothing to read", where=fspath(path))
    return found
