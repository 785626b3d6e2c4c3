"""Rows of label files: JSON Lines, a JSON list, CSV or TSV, plain or packed by gzip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from assay.errors import InputError
from assay.hub import PREFIX, hub_rows
from assay.rows import read_rows

ENDINGS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")


def label_rows(path: str | Path) -> Iterator[tuple[str, Any]]:
    """Yield each row of a file, or of a dataset ``hf:owner/name``, with its place, ``labels.csv:12``.

    Raises:
        InputError: The file cannot be read, or a line is malformed.
    """
    if str(path).startswith(PREFIX):
        yield from hub_rows(str(path))[1]
        return
    file = Path(path)
    if not file.exists():
        raise InputError("cannot be read: no such file", where=str(path))
    name = file.name.lower().removesuffix(".gz")
    if not name.endswith(ENDINGS) and not file.is_dir():
        raise InputError(f"is not a label file; label files end in {', '.join(ENDINGS)}", where=str(path))
    rows = read_rows(file)
    yield from rows if not name.endswith(".json") else _unwrapped(rows, path)


def _unwrapped(rows: Iterable[tuple[str, Any]], path: str | Path) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a list that a table wraps, as in many dumps, in place of the table."""
    for where, row in rows:
        lists = (
            [item for item in row.values() if _is_list_of_tables(item)]
            if isinstance(row, dict) and "schema" not in row
            else []
        )
        if len(lists) == 1:
            yield from ((f"{path}[{index}]", item) for index, item in enumerate(lists[0]))
        else:
            yield where, row


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)
