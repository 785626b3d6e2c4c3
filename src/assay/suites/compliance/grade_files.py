"""Grades (``assay.judgment/2``, ``assay.grade/1``) read from JSON Lines, JSON files and folders, plain or packed by gzip."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from assay.errors import InputError
from assay.judges.judgment import Judgment
from assay.judges.judgment_format import GRADE, SCHEMA, SCHEMAS
from assay.rows import read_rows

_SUFFIXES: Final = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz")


class SourcedJudgment(msgspec.Struct, frozen=True, eq=False):
    """A judgment with its place; ``file`` is the name of its file without endings."""

    judgment: Judgment
    where: str
    file: str


def read_grades(targets: Iterable[str | Path]) -> Iterator[SourcedJudgment | InputError]:
    """Yield every grade in files and folders, in order, and an error for every line that is not a grade.

    Raises:
        InputError: A file or folder is missing or cannot be read.
    """
    for target in targets:
        for path in _files(Path(target)):
            yield from _grades(path)


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        files = sorted(
            item
            for item in path.rglob("*")
            if item.is_file() and item.name.lower().endswith(_SUFFIXES) and not item.name.startswith(".")
        )
        if not files:
            raise InputError(
                "no grades in this folder",
                where=str(path),
                hint=f"grades are in files ending in {', '.join(_SUFFIXES[:3])}",
            )
        yield from files
    elif path.exists():
        yield path
    else:
        raise InputError(
            "no such file or folder",
            where=str(path),
            hint="Judgments.save writes grades",
            cli_hint="`assay grade -o` writes grades",
        )


def _grades(path: Path) -> Iterator[SourcedJudgment | InputError]:
    name = path.name
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
            break
    for where, row in read_rows(path, keep_errors=True):
        if isinstance(row, InputError):
            yield row
            continue
        try:
            yield SourcedJudgment(_grade(row), where, name)
        except ValueError as error:
            yield InputError(str(error), where=where)


def _grade(row: Any) -> Judgment:
    """Convert a row to a grade.

    Raises:
        ValueError: The row is not a valid grade.
    """
    if not isinstance(row, dict):
        raise ValueError(f"is not a grade, but a JSON {_kind(row)}")  # noqa: TRY004 - about its content
    schema = row.get("schema")
    if schema not in (GRADE, *SCHEMAS):
        given = f"its schema is {schema!r}" if isinstance(schema, str) else "it has no schema"
        raise ValueError(f"is not a grade: {given}; the schema must be {SCHEMA!r} or {GRADE!r}")
    try:
        judgment = Judgment.from_dict(row)
    except InputError as error:
        raise ValueError(f"is not a grade: {error.problem}") from error
    grading = judgment.metadata.get("grading", "ternary")
    if grading not in ("ternary", "binary"):
        raise ValueError(f"is not a grade: its grading is {grading!r}; it must be ternary or binary")
    if judgment.mode != "score":
        raise ValueError("is not a grade: it compares or ranks reports")
    for item in judgment.verdicts:
        if item.score is not None and not 0 <= item.score <= 1:
            raise ValueError(
                f"criterion {item.criterion!r} has the score {item.score}; it must be from 0 to 1"
            )
        if item.weight == 0 or not math.isfinite(item.weight):
            raise ValueError(
                f"criterion {item.criterion!r} has the weight {item.weight:g}; it must be finite and not 0"
            )
    return judgment


def _kind(value: Any) -> str:
    return {list: "list", str: "string", type(None): "null", bool: "boolean"}.get(type(value), "number")
