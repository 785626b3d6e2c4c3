"""Files of tasks, read into rows: JSON Lines line by line, JSON and YAML whole, folders file by file."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.located import LocatedData, parse_data, read_data_file

_LINES: Final = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_WHOLE: Final = (".yaml", ".yml", ".json")
ENDINGS: Final = (*_WHOLE, *_LINES)
# A benchmark of thousands of tasks has some 60 MB.
_MOST_BYTES: Final = 512 << 20
_MOST_JSON: Final = 128 << 20


class Piece(msgspec.Struct, frozen=True):
    """One file: rows, each with its place, or the whole as plain data."""

    name: str
    kind: Literal["rows", "whole"]
    data: Any


def read_pieces(path: Path) -> Iterator[Piece]:
    """The files of a folder in the order of their names, or one file.

    Raises:
        InputError: It cannot be read, or a folder holds no file of tasks.
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


def _piece(path: Path) -> Piece:
    if path.name.lower().endswith(_LINES):
        return Piece(str(path), "rows", list(_lines(path)))
    if path.suffix.lower() == ".json":
        return Piece(str(path), "whole", _json(path))
    return Piece(str(path), "whole", read_data_file(path))


def _json(path: Path) -> LocatedData:
    """A JSON file: of one rubric or of many tasks, and so larger than a rubric may be."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(_MOST_JSON + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    if len(raw) > _MOST_JSON:
        raise InputError(
            f"is larger than {_MOST_JSON >> 20} MiB", where=str(path), hint="JSON Lines may be larger"
        )
    try:
        return parse_data(raw.decode("utf-8-sig"), str(path), as_json=True)
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", where=str(path), hint="save it as UTF-8") from error


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    """The rows of a file of JSON Lines, each with its place; empty lines hold none."""
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    read = 0
    number = 0
    try:
        with opened(path, "rb") as stream:
            for number, line in enumerate(stream, start=1):
                read += len(line)
                if read > _MOST_BYTES:
                    raise InputError(f"is larger than {_MOST_BYTES >> 20} MiB", where=str(path))
                where = f"{path}:{number}"
                text = _decoded(line, where)
                if text.strip():
                    yield where, _parsed(text, where)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError("is no whole gzip file", where=f"{path}:{number + 1}") from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(path)) from error


def _decoded(line: bytes, where: str) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", where=where, hint="save it as UTF-8") from error


def _parsed(text: str, where: str) -> Any:
    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(found)
        if len(table) < len(found):
            keys = [key for key, _ in found]
            again = next(key for key in keys if keys.count(key) > 1)
            raise InputError(f"the key {again!r} occurs twice in one object", where=where)
        return table

    try:
        return json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise InputError(f"is not valid JSON: {error.msg} (column {error.colno})", where=where) from error
    except RecursionError as error:
        raise InputError("is nested too deep", where=where) from error
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(f"is not valid JSON: {error}", where=where) from error
