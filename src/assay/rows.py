"""Data files row by row: JSON Lines, JSON, CSV and TSV, plain or packed by gzip, every row with its file and line.

Subjects alone are read elsewhere (`assay.subjects.reading`): reports may have other encodings, and come as streams.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
import zlib
from collections.abc import Generator, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from assay.errors import InputError
from assay.json_values import parse_json

LARGEST: Final = 1 << 30
_LINES: Final = (".jsonl", ".ndjson")
_TABLES: Final = (".csv", ".tsv")
_LONGEST_CELL: Final = 1 << 27
_DAMAGED: Final = "truncated or corrupt gzip file"


def read_text(path: str | Path, *, largest: int = LARGEST, missing: str | None = None) -> str:
    """Return the text of a UTF-8 file, plain or packed by gzip.

    Args:
        path: The file.
        largest: Most bytes, unpacked.
        missing: What to do if there is no such file, for the error.

    Raises:
        InputError: The file cannot be read, is too large, or is not UTF-8; the message names the line.
    """
    file = Path(path)
    try:
        with _open(file) as stream:
            raw = stream.read(largest + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(_DAMAGED, where=str(path)) from error
    except OSError as error:
        raise _unreadable(error, path, missing) from error
    if len(raw) > largest:
        raise _too_large(path, largest)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _not_utf8(f"{path}:{line}") from error


def _path(path: str | Path) -> Path:
    """Refuse what cannot be a path: a surrogate, a NUL."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise InputError(f"{str(path)!r} cannot be a path") from None
    if "\0" in str(path):
        raise InputError(f"{str(path)!r} cannot be a path")
    return Path(path)


def text_lines(
    path: str | Path, *, largest: int = LARGEST, missing: str | None = None
) -> Generator[tuple[str, str], None, None]:
    """Yield the lines of a file that are not blank, each with its place (``labels.jsonl:12``), in constant memory.

    Raises:
        InputError: As `read_text` does.
    """
    file, name = _path(path), str(path)
    number, left = 0, largest
    try:
        with _open(file) as stream:
            while line := stream.readline(left + 1):
                number += 1
                left -= len(line)
                if left < 0:
                    raise _too_large(path, largest)
                where = f"{name}:{number}"
                try:
                    # The codec utf-8-sig does the same, several times slower.
                    text = line.decode().removeprefix("\ufeff")
                except UnicodeDecodeError as error:
                    raise _not_utf8(where) from error
                if text.strip():
                    yield where, text.rstrip("\r\n")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(_DAMAGED, where=f"{path}:{number + 1}") from error
    except OSError as error:
        raise _unreadable(error, path, missing) from error


def read_rows(
    path: str | Path, *, largest: int = LARGEST, keep_errors: bool = False, missing: str | None = None
) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a file, each with its place: ``labels.csv:12``, or ``labels.json[3]`` in a JSON list.

    Files ending in .csv and .tsv are tables: a row is a dictionary of texts by column, with None for blank cells.
    Any other file is JSON Lines, a JSON list, or one JSON object over several lines.

    Args:
        path: The file.
        largest: Most bytes, unpacked.
        keep_errors: Yield an `InputError` in place of a malformed line, and go on.
        missing: What to do if there is no such file, for the error.

    Raises:
        InputError: The file cannot be read, or a row is malformed.
    """
    name = str(path).lower().removesuffix(".gz")
    if name.endswith(_TABLES):
        text = read_text(path, largest=largest, missing=missing)
        yield from _table_rows(text, str(path), tabs=name.endswith(".tsv"))
        return
    lines = text_lines(path, largest=largest, missing=missing)
    first = next(lines, None)
    if first is None:
        return
    if _spans_lines(first[1], name):
        lines.close()
        text = read_text(path, largest=largest, missing=missing)
        yield from rows_of_json(text, str(path), keep_errors=keep_errors)
        return
    for where, line in chain([first], lines):
        yield where, _row(line, where, keep_errors=keep_errors)


def rows_of_json(text: str, name: str, *, keep_errors: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a text: JSON Lines, a JSON list, or one JSON object over several lines; each with its place.

    Raises:
        InputError: A row is malformed.
    """
    if _spans_lines(text.lstrip().partition("\n")[0], name):
        whole = _row(text, name, keep_errors=keep_errors)
        if isinstance(whole, list):
            yield from ((f"{name}[{index}]", row) for index, row in enumerate(whole))
        else:
            yield name, whole
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{name}:{number}"
            yield where, _row(line.rstrip("\r"), where, keep_errors=keep_errors)


def _spans_lines(first: str, name: str) -> bool:
    """Whether a file with this first line is one JSON value, and not one a line."""
    first = first.strip()
    if name.lower().removesuffix(".gz").endswith(_LINES):
        return first == "[" or first.startswith("[{")  # a list under the wrong name
    return first == "{" or first.startswith("[")


def _row(line: str, where: str, *, keep_errors: bool) -> Any:
    try:
        return parse_json(line, where)
    except InputError as error:
        if keep_errors:
            return error
        raise


def _table_rows(text: str, name: str, *, tabs: bool) -> Iterator[tuple[str, dict[str, str | None]]]:
    head = text.partition("\n")[0]
    # European spreadsheets write semicolons; the header tells which.
    mark = "\t" if tabs else max((",", ";", "\t"), key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=False)
    columns: list[str] | None = None
    usual_limit = csv.field_size_limit()
    csv.field_size_limit(_LONGEST_CELL)
    try:
        line = 1
        for cells in reader:
            where, line = f"{name}:{line}", reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                columns = [cell.strip() for cell in cells]
                again = [column for column in columns if column and columns.count(column) > 1]
                if again:
                    raise InputError(f"two columns are called {again[0]!r}", where=where)
                continue
            if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
                raise InputError(f"has {len(cells)} cells in {len(columns)} columns", where=where)
            named = zip(columns, cells, strict=False)
            yield where, {column: cell if cell.strip() else None for column, cell in named if column}
    except csv.Error as error:
        raise InputError(f"is not a valid table: {error}", where=f"{name}:{reader.line_num}") from error
    finally:
        csv.field_size_limit(usual_limit)


def _open(file: Path) -> BinaryIO:
    packed = file.suffix.lower() == ".gz"
    return cast("BinaryIO", gzip.open(file, "rb")) if packed else file.open("rb")


def _unreadable(error: OSError, path: str | Path, missing: str | None) -> InputError:
    if isinstance(error, IsADirectoryError):
        return InputError("is a folder; name a file in it", where=str(path))
    hint = missing if isinstance(error, FileNotFoundError) else None
    return InputError(f"cannot be read: {error.strerror or error}", where=str(path), hint=hint)


def _too_large(path: str | Path, largest: int) -> InputError:
    return InputError(f"is larger than {largest >> 20} MiB", where=str(path))


def _not_utf8(where: str) -> InputError:
    return InputError("is not UTF-8", where=where, hint="save it as UTF-8")
