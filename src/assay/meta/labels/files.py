"""Rows of files of labels: JSON Lines, a JSON list, CSV, TSV, each also packed by gzip; every row with its place."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from assay.decoding import kind_of
from assay.errors import InputError

ENDINGS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
_MOST_BYTES: Final = 1 << 30


def read_rows(path: str | Path) -> Iterator[tuple[str, Any]]:
    """Each row of a file and where it stands, ``labels.csv:12``.

    Raises:
        InputError: It cannot be read, or a line is malformed.
    """
    file = Path(path)
    if not file.exists():
        raise InputError("cannot be read: no such file", where=str(path))
    if file.is_dir():
        raise InputError("is a folder; name a file in it", where=str(path))
    name = file.name.lower().removesuffix(".gz")
    ending = next((ending for ending in ENDINGS if name.endswith(ending)), None)
    if ending is None:
        raise InputError(
            f"is no file of labels that Assay knows; they end in {', '.join(ENDINGS)}", where=str(path)
        )
    if ending in (".csv", ".tsv"):
        yield from _table(_text(file), str(path), tabs=ending == ".tsv")
    elif ending == ".json":
        yield from _list(_text(file), str(path))
    else:
        yield from _lines(file)


def _lines(file: Path) -> Iterator[tuple[str, Any]]:
    opened = gzip.open if file.suffix.lower() == ".gz" else open
    number = 0
    try:
        with opened(file, "rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip(b" \t\r\n\xef\xbb\xbf"):
                    where = f"{file}:{number}"
                    yield where, _parsed(line, where)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError("is no whole gzip file", where=f"{file}:{number + 1}") from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(file)) from error


def _parsed(line: bytes, where: str) -> Any:
    try:
        return json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", where=where, hint="save it as UTF-8") from error
    except json.JSONDecodeError as error:
        raise InputError(f"is not valid JSON: {error.msg} (column {error.colno})", where=where) from error
    except RecursionError as error:
        raise InputError("is nested too deep", where=where) from error
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(f"is not valid JSON: {error}", where=where) from error


def _text(file: Path) -> str:
    opened = gzip.open if file.suffix.lower() == ".gz" else open
    try:
        with opened(file, "rb") as stream:
            raw: bytes = stream.read(_MOST_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError("is no whole gzip file", where=str(file)) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(file)) from error
    if len(raw) > _MOST_BYTES:
        raise InputError(f"is larger than {_MOST_BYTES >> 20} MiB", where=str(file))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError("is not UTF-8", where=f"{file}:{line}", hint="save it as UTF-8") from error


def _list(text: str, name: str) -> Iterator[tuple[str, Any]]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"is not valid JSON: {error.msg}", where=f"{name}:{error.lineno}") from error
    except (RecursionError, ValueError) as error:
        raise InputError("is not valid JSON", where=name) from error
    if isinstance(data, dict):
        # A table around the list, as many dumps have it.
        lists = [value for value in data.values() if isinstance(value, list) and value]
        data = lists[0] if len(lists) == 1 and isinstance(lists[0][0], dict) else [data]
    if not isinstance(data, list):
        raise InputError(f"holds {kind_of(data)}; it must hold a list of labels", where=name)
    for index, row in enumerate(data):
        yield f"{name}: [{index}]", row


def _table(text: str, name: str, *, tabs: bool) -> Iterator[tuple[str, Any]]:
    head = text.partition("\n")[0]
    # European spreadsheets write semicolons; the header says which.
    mark = "\t" if tabs else max((",", ";", "\t"), key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=False)
    columns: list[str] | None = None
    before = csv.field_size_limit()
    csv.field_size_limit(1 << 27)
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
            yield (
                where,
                {
                    column: cell if cell.strip() else None
                    for column, cell in zip(columns, cells, strict=False)
                    if column
                },
            )
    except csv.Error as error:
        raise InputError(f"is no table: {error}", where=f"{name}:{reader.line_num}") from error
    finally:
        csv.field_size_limit(before)
