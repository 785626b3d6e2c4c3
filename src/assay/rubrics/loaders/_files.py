"""Files of tasks, read into rows: JSON Lines line by line, JSON and YAML whole, folders file by file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.json_values import parse_json
from assay.located import LocatedData, parse_data, read_data_file
from assay.rows import read_text, text_lines

_LINES: Final = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_WHOLE: Final = (".yaml", ".yml", ".json")
ENDINGS: Final = (*_WHOLE, *_LINES)
# A benchmark of thousands of tasks has some 60 MB.
_MOST_BYTES: Final = 512 << 20
_MOST_JSON: Final = 128 << 20


class TaskFile(msgspec.Struct, frozen=True):
    """One file: rows, each with its place, or the whole as plain data."""

    name: str
    kind: Literal["rows", "whole"]
    data: Any


def read_pieces(path: Path) -> Iterator[TaskFile]:
    """Yield the files of a folder in the order of their names, or one file.

    Raises:
        InputError: A file cannot be read, or a folder holds no files of tasks.
    """
    if not path.is_dir():
        yield _piece(path)
        return
    try:
        found = sorted(
            item
            for item in path.iterdir()
            if item.is_file() and not item.name.startswith(".") and item.name.lower().endswith(ENDINGS)
        )
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    if not found:
        raise InputError(
            f"the folder holds no rubrics; their files end in {', '.join(ENDINGS)}", where=str(path)
        )
    for item in found:
        yield _piece(item)


def _piece(path: Path) -> TaskFile:
    if path.name.lower().endswith(_LINES):
        return TaskFile(str(path), "rows", list(_lines(path)))
    if path.suffix.lower() == ".json":
        return TaskFile(str(path), "whole", _json(path))
    return TaskFile(str(path), "whole", read_data_file(path))


def _json(path: Path) -> LocatedData:
    """Read a JSON file, which holds one rubric or many tasks and may therefore be larger than a rubric file."""
    return parse_data(read_text(path, largest=_MOST_JSON), str(path), as_json=True)


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a file of JSON Lines, each with its place; empty lines hold none."""
    for where, line in text_lines(path, largest=_MOST_BYTES):
        yield where, parse_json(line, where, strict=True)
