"""Loaders made of a function, for formats of one's own.

@assay.loader
def exam(row):
yield assay.Report(row["body"], id=row["n"])

reports = assay.read("exam.jsonl", loader=exam)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, overload

from assay.errors import AssayError, InputError, UsageError
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory

ReadFunction = Callable[[Any], Iterable[Subject]]


@overload
def loader(function: ReadFunction, /) -> SubjectLoader: ...


@overload
def loader(
    *, suffixes: str | Iterable[str] = (), sniff: Callable[[Any], bool] | None = None, name: str | None = None
) -> Callable[[ReadFunction], SubjectLoader]: ...


def loader(
    function: ReadFunction | None = None,
    /,
    *,
    suffixes: str | Iterable[str] = (),
    sniff: Callable[[Any], bool] | None = None,
    name: str | None = None,
) -> SubjectLoader | Callable[[ReadFunction], SubjectLoader]:
    """Make a loader of a function; a decorator, with or without arguments.

    The function takes one row of a JSON, JSON Lines or table file, an object, and yields the reports or trajectories
    in it. With ``suffixes`` it takes the path of a file instead. Path and query of the input are added to subjects
    that have none. Use the loader as ``assay.read(paths, loader=…)``; after ``assay.register`` also by its name, and
    for input that it recognises.

    Args:
        function: The function, when the decorator has no arguments.
        suffixes: Endings of the files it reads, ``".exam"``.
        sniff: Recognises its rows (or the first bytes of its files); without it rows are never recognised.
        name: Its name; by default that of the function, with hyphens.

    Raises:
        UsageError: A suffix does not begin with a dot.
    """
    endings = (suffixes,) if isinstance(suffixes, str) else tuple(suffixes)
    for ending in endings:
        if not ending.startswith("."):
            raise UsageError(f"a suffix begins with a dot, {ending!r} does not")

    def make(function: ReadFunction) -> SubjectLoader:
        if not callable(function):
            raise UsageError(f"a loader is made of a function, not {type(function).__name__}")
        called = name or getattr(function, "__name__", "own").replace("_", "-")
        return SubjectLoader(
            name=called,
            what=(function.__doc__ or f"what {function.__name__} of {function.__module__} reads")
            .strip()
            .split("\n")[0],
            takes="file" if endings else "row",
            sniff=sniff or _never,
            load=partial(_load, function, called, bool(endings)),
            suffixes=endings,
            rank=5,
        )

    return make if function is None else make(function)


def _never(_: Any) -> bool:
    return False


def _load(
    function: ReadFunction, name: str, whole: bool, data: Any, origin: InputContext
) -> Iterator[Subject | InputError]:
    if whole and origin.path is None:
        raise InputError(f"loader {name!r} reads files, not streams")
    try:
        for item in function(Path(str(origin.path)) if whole else data):
            yield _completed(item, origin, name)
    except AssayError:
        raise
    except Exception as error:
        # A fault of the function, or a row that it did not expect: one row, not the whole reading.
        raise InputError(
            f"loader {name!r} ({function.__name__} of {function.__module__}) failed: {type(error).__name__}: {error}"
        ) from error


def _completed(subject: Subject | InputError, origin: InputContext, name: str) -> Subject | InputError:
    if isinstance(subject, InputError):
        return subject
    if not isinstance(subject, Report | Trajectory):
        raise UsageError(
            f"loader {name!r} yields {type(subject).__name__}; it must yield Reports or Trajectories"
        )
    if subject.path is None and origin.path is not None:
        subject = subject.replace(path=origin.path)
    if isinstance(subject, Report) and subject.query is None and origin.query is not None:
        subject = subject.replace(query=origin.query)
    return subject
