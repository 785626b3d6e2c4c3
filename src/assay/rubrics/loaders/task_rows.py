"""Our own rows, ``assay.rubric-task/1``: what `assay rubrics convert` writes.

{"schema", "id", "query", "domain", "complexity": {…}, "rubric": <assay.rubric/1>, "notes": {…}}
"""

from __future__ import annotations

import msgspec

from assay.decoding import kind_of
from assay.errors import InputError
from assay.located import LocatedData
from assay.rubrics.loaders._items import level, row_id, row_query, slug_of
from assay.rubrics.loaders.base import Row, RowOrigin, RubricLoader
from assay.rubrics.rubric_file import dump_rubric, parse_rubric
from assay.rubrics.tasks import LEVELS, SCHEMA, Complexity, RubricTask
from assay.suggest import did_you_mean

_FIELDS = ("schema", "id", "query", "domain", "complexity", "rubric", "notes")


def dump_task(task: RubricTask) -> Row:
    """Return a task as plain data; its loader reads it back to an equal one."""
    row: Row = {"schema": SCHEMA, "id": task.id}
    for name in ("query", "domain"):
        if getattr(task, name):
            row[name] = getattr(task, name)
    complexity = msgspec.to_builtins(task.complexity)
    if complexity:
        row["complexity"] = complexity
    row["rubric"] = dump_rubric(task.rubric)
    if task.notes:
        row["notes"] = task.notes
    return row


def _sniff(row: Row) -> bool:
    schema = row.get("schema")
    return isinstance(schema, str) and schema.startswith("assay.rubric-task/")


def _load(row: Row, place: RowOrigin) -> RubricTask:
    if row["schema"] != SCHEMA:
        raise InputError(
            f"schema is {row['schema']!r}; this version of Assay reads {SCHEMA}", where=place.where
        )
    for name in row:
        if name not in _FIELDS:
            raise InputError(f"{name} is not a field here; {did_you_mean(name, _FIELDS)}", where=place.where)
    if "rubric" not in row:
        raise InputError("has no 'rubric'", where=place.where)
    complexity, notes, domain = row.get("complexity", {}), row.get("notes", {}), row.get("domain", "")
    for name, value in (("complexity", complexity), ("notes", notes)):
        if not isinstance(value, dict):
            raise InputError(f"{name} is {kind_of(value)}; it must be a table", where=place.where)
    for name in complexity:
        if name not in LEVELS:
            raise InputError(
                f"complexity.{name} is not a field here; {did_you_mean(name, LEVELS)}", where=place.where
            )
    if not isinstance(domain, str):
        raise InputError(f"domain is {kind_of(domain)}; it must be text", where=place.where)
    identity = row_id(row, place)
    try:
        rubric = parse_rubric(LocatedData(row["rubric"], place.where), name=slug_of(identity))
    except InputError as error:
        raise InputError(
            f"rubric: {error.problem}", where=place.where, hint=error.hint, cli_hint=error.cli_hint
        ) from error
    return RubricTask(
        id=identity,
        rubric=rubric,
        query=row_query(row, place) if row.get("query") else "",
        domain=domain,
        complexity=Complexity(**{axis: level(complexity, axis, place) for axis in LEVELS}),
        notes=notes,
    )


LOADER = RubricLoader(
    name="task-rows",
    what=f"rows of Assay ({SCHEMA})",
    sniff=_sniff,
    load=_load,
    rank=0,
)
