"""Tasks with rubrics from wherever they stand: a built-in rubric, a file, a folder, a dataset of Hugging Face.

Formats are recognised by content, row by row: each file of this package, and each entry point in the group
``assay.rubric_loaders``, brings one as its module-level ``LOADER``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import assay.rubrics.loaders as package
from assay.decoding import kind_of
from assay.errors import InputError, UsageError
from assay.hub import PREFIX, hub_rows
from assay.located import LocatedData
from assay.registry import cached_list, discover
from assay.rubrics.loader import ALIASES, is_file_name, load_rubric, rubric_names
from assay.rubrics.loaders._files import ENDINGS, TaskFile, read_pieces
from assay.rubrics.loaders._items import entry, slug_of
from assay.rubrics.loaders.base import Row, RowOrigin, RubricLoader
from assay.rubrics.loaders.points import is_point
from assay.rubrics.rubric import Rubric
from assay.rubrics.rubric_file import parse_rubric
from assay.rubrics.tasks import RubricSet, RubricTask
from assay.suggest import did_you_mean

GROUP: Final = "assay.rubric_loaders"
_MOST_LINES_SHOWN: Final = 5


@cached_list
def all_loaders() -> tuple[RubricLoader, ...]:
    """Return every loader, the specific before the general.

    Raises:
        UsageError: Two loaders share a name, or an entry point is not a loader.
    """
    found = discover(
        [package], group=GROUP, attribute="LOADER", kind=RubricLoader, names=lambda loader: (loader.name,)
    )
    return tuple(sorted(found, key=lambda loader: (loader.rank, loader.name)))


def load_rubric_set(name_or_path: str | Path) -> RubricSet:
    """Return tasks with their rubrics.

    The source is a built-in rubric by name, a file or a folder of files, or ``hf:owner/name[:split]``.

    Files are JSON, JSON Lines (also ``.gz``) or YAML and hold rows of any format that a loader knows, or one rubric,
    which then is for every question.

    Raises:
        UsageError: There is no rubric, file or dataset of that name.
        InputError: It holds what no loader reads; the message names file and line.
        EngineError: A dataset could not be fetched.
    """
    return read_rubric_set(name_or_path)[0]


def read_rubric_set(name_or_path: str | Path) -> tuple[RubricSet, dict[str, str]]:
    """`load_rubric_set`, and the place of each task by its id: ``tasks.jsonl:12``."""
    name = str(name_or_path)
    if name.startswith(PREFIX):
        title, rows = hub_rows(name)
        return _set(title, _tasks(TaskFile(name, "rows", list(rows))))
    if isinstance(name_or_path, str) and (name in rubric_names() or name in ALIASES):
        rubric = load_rubric(name)
        return RubricSet.of(rubric.name, [_general(rubric, rubric.name)]), {rubric.name: rubric.name}
    path = Path(name_or_path)
    if not path.is_dir() and isinstance(name_or_path, str) and not _is_file(name):
        raise UsageError(
            f"no rubric is called {name!r}; {did_you_mean(name, (*rubric_names(), *ALIASES))} (a file is "
            f"named with its "
            f"ending: {', '.join(ENDINGS)}; a dataset: {PREFIX}owner/name)"
        )
    return _set(path.name, (pair for piece in read_pieces(path) for pair in _tasks(piece)))


def _is_file(name: str) -> bool:
    return is_file_name(name) or name.lower().endswith(ENDINGS)


def _set(name: str, pairs: Iterable[tuple[RubricTask, str]]) -> tuple[RubricSet, dict[str, str]]:
    tasks: list[RubricTask] = []
    places: dict[str, str] = {}
    for task, where in pairs:
        if task.id in places:
            raise InputError(f"the id {task.id!r} is also that of {places[task.id]}", where=where)
        places[task.id] = where
        tasks.append(task)
    ending = next((ending for ending in sorted(ENDINGS, key=len)[::-1] if name.lower().endswith(ending)), "")
    return RubricSet.of(slug_of(name.removesuffix(name[len(name) - len(ending) :])), tasks), places


def _tasks(piece: TaskFile) -> Iterator[tuple[RubricTask, str]]:
    """Yield the tasks in a file, each with its place."""
    if piece.kind == "whole":
        assert isinstance(piece.data, LocatedData)  # for the type checker
        rows = _rows_of(piece.data)
        if rows is None:
            name = Path(piece.name).stem
            yield _general(_one(piece.data, slug_of(name)), name), piece.name
            return
    else:
        rows = piece.data
    if rows and all(is_point(row) for _, row in rows):
        name = Path(piece.name).name.partition(".")[0]
        yield _general(_points(rows, slug_of(name)), name), piece.name
        return
    yield from _read_rows(rows, piece.name)


def _read_rows(rows: list[tuple[str, Any]], name: str) -> Iterator[tuple[RubricTask, str]]:
    """Yield the task of each row; a row that no loader recognises is read by the loader of the rows before it."""
    usual = next((loader for _, row in rows if (loader := _sniffed(row))), None)
    if usual is None:
        where = rows[0][0] if rows else name
        first = rows[0][1] if rows else {}
        fields = ", ".join(map(str, first)) if isinstance(first, dict) else kind_of(first)
        expected = "; ".join(loader.what for loader in all_loaders())
        raise InputError(
            f"holds no tasks that Assay knows: {fields[:120] or 'nothing'}",
            where=where,
            hint=f"expected {expected}",
        )
    bad: list[InputError] = []
    good: list[tuple[RubricTask, str]] = []
    for number, (where, row) in enumerate(rows, start=1):
        try:
            good.append((_read_row(row, RowOrigin(where, f"row-{number}"), usual), where))
        except InputError as error:
            bad.append(error)
    if bad:
        raise _together(bad)
    yield from good


def _read_row(row: Any, place: RowOrigin, usual: RubricLoader) -> RubricTask:
    if not isinstance(row, dict):
        raise InputError(
            f"is {kind_of(row)}; a task must be an object (a mapping of fields)", where=place.where
        )
    return (_sniffed(row) or usual).load(row, place)


def _together(bad: list[InputError]) -> InputError:
    """Return the first of several errors, extended by the places of the others."""
    first = bad[0]
    if len(bad) == 1:
        return first
    places = [str(error.where).rpartition(":")[2] for error in bad[1:]]
    more = ", ".join(places[:_MOST_LINES_SHOWN]) + (" …" if len(places) > _MOST_LINES_SHOWN else "")
    rest = f"{len(places)} more malformed: {more}"
    hints = (f"{hint}; {rest}" if hint else rest for hint in (first.hint, first.cli_hint or first.hint))
    return InputError(first.problem, where=first.where, hint=next(hints), cli_hint=next(hints))


def _sniffed(row: Any) -> RubricLoader | None:
    if not isinstance(row, dict):
        return None
    return next((loader for loader in all_loaders() if loader.sniff(row)), None)


def _rows_of(source: LocatedData) -> list[tuple[str, Any]] | None:
    """Return the tasks of a whole file, or None if it is one rubric."""
    data = source.data
    if isinstance(data, dict):
        return [(source.name, data)] if _sniffed(data) and not _is_rubric(data) else None
    if isinstance(data, list) and any(_sniffed(row) for row in data):
        return [(_at(source, index), row) for index, row in enumerate(data)]
    return None


def _is_rubric(data: Row) -> bool:
    """Return whether a table is one of our rubrics: it has a list of criteria and no question."""
    schema = data.get("schema")
    return isinstance(schema, str) and schema.startswith("assay.rubric/")


def _at(source: LocatedData, index: int) -> str:
    where = source.where(f"[{index}]")
    return where if where != source.name else f"{source.name}: [{index}]"


def _one(source: LocatedData, name: str) -> Rubric:
    """Return the rubric in a whole file: one of ours, or a list of criteria in the terms of other tools."""
    data = source.data
    if isinstance(data, list) and data and all(is_point(item) for item in data) and _foreign(data):
        return _points([(source.name, item) for item in data], name)
    return parse_rubric(source, name=name)


def _foreign(items: list[Any]) -> bool:
    return any({"point", "points", "description", "criteria_description"} & set(item) for item in items)


def _points(rows: list[tuple[str, Any]], name: str) -> Rubric:
    made = [entry(row, f"[{index}]", RowOrigin(where, name)) for index, (where, row) in enumerate(rows)]
    place = rows[0][0].rpartition(":")[0] or rows[0][0]
    return parse_rubric(LocatedData(made, place), name=name)


def _general(rubric: Rubric, name: str) -> RubricTask:
    return RubricTask(id=name, rubric=rubric)
