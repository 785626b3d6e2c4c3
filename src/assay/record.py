"""What every result can do: become plain data or a data frame, be saved and loaded, and show itself in a notebook.

    judgments = assay.run(cases, judges)
    judgments.to_frame()                       # pandas, with the extra assay[pandas]
    judgments.save("judgments.jsonl")          # also .csv and .parquet
    again = assay.Judgments.load("judgments.jsonl")

A single result is a `Record`; many of one kind are `Records`. Both are frozen: nothing in them can be changed.
"""

from __future__ import annotations

import csv
import html
import importlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self, TypeVar, overload

import msgspec

from assay.errors import InputError, MissingExtraError, UsageError
from assay.json_values import replace_surrogates
from assay.rows import text_lines
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa  # type: ignore[import-untyped]  # it has no types

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
# Rows and characters of a cell that a notebook shows.
SHOWN_ROWS: Final = 12
_CELL: Final = 100
# Characters of a text that a notebook shows.
_EXCERPT: Final = 600
_SUFFIXES: Final = (".jsonl", ".csv", ".parquet")


class Record:
    """A mixin for one result. A struct needs nothing more; another class overrides `to_dict` and `from_dict`."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data that JSON can hold."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data} if "schema" in data else data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the result that `to_dict` wrote.

        Raises:
            InputError: The data are not such a result.
        """
        try:
            return msgspec.convert(data, cls, strict=False)
        except msgspec.ValidationError as error:
            raise InputError(f"not a {cls.__name__}: {error}") from error

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the columns of `to_frame`, which needs pandas; this needs nothing."""
        return columns_of([self.to_dict()])

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a pandas data frame.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return frame_of(self.to_columns())

    def to_arrow(self) -> pa.Table:
        """Return the result as an Arrow table; `polars.from_arrow` makes a frame of it without a copy.

        Raises:
            MissingExtraError: pyarrow is not installed.
        """
        return arrow_of(self.to_columns())

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result as JSON, or its columns as ``.csv`` or ``.parquet``.

        Raises:
            InputError: The file cannot be written.
        """
        if Path(path).suffix in (".csv", ".parquet"):
            save_columns(self.to_columns(), path)
        else:
            _write(path, msgspec.json.format(encode(self.to_dict()), indent=2) + b"\n")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the result that `save` wrote as JSON.

        Raises:
            InputError: The file cannot be read or holds something else.
        """
        try:
            data = msgspec.json.decode(Path(path).read_bytes())
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=fspath(path)) from error
        except msgspec.DecodeError as error:
            raise InputError(f"not JSON: {error}", where=fspath(path)) from error
        return cls.from_dict(data)

    def summary_line(self) -> str:
        """Return the result in at most one line of a terminal; ``repr`` shows it after the name of the class."""
        return ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{': ' if (line := self.summary_line()) else ''}{line}>"

    def _repr_html_(self) -> str:
        return html_table(self.to_columns(), caption=repr(self)[1:-1])


def require_fields(noun: str, changes: Mapping[str, Any], fields: Iterable[str]) -> None:
    """Refuse changes to fields that a record does not have.

    Raises:
        UsageError: There is no such field.
    """
    for name in changes:
        if name not in fields:
            raise UsageError(f"a {noun} has no field {name!r}; {did_you_mean(name, list(fields))}")


def path_text(path: str | None) -> str | None:
    """Return a path as a text that can be written anywhere; bytes of a file name that are not UTF-8 become U+FFFD."""
    return None if path is None else replace_surrogates(path)


def name_text(value: object) -> str | None:
    """Return an id or a system as text; collections often number them."""
    return None if value is None else str(value)


class Records(Sequence[T], Generic[T]):
    """Many results of one kind, in order; frozen.

    Args:
        items: The results.
        errors: What went wrong beside them, if anything did.
    """

    __slots__ = ("_errors", "_items")

    # The class of an item, for `load`; and the noun for one of them.
    item_type: ClassVar[type[Any]] = Record
    noun: ClassVar[str] = "record"
    # Columns of an empty table, so that programs that select one work when nothing was found.
    empty_columns: ClassVar[tuple[str, ...]] = ()

    def __init__(self, items: Iterable[T] = (), *, errors: Iterable[Exception] = ()) -> None:
        self._items = tuple(items)
        self._errors = tuple(errors)

    @property
    def errors(self) -> tuple[Exception, ...]:
        """What could not be read or made; empty if nothing went wrong."""
        return self._errors

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Self: ...

    def __getitem__(self, index: int | slice) -> T | Self:
        return self._like(self._items[index]) if isinstance(index, slice) else self._items[index]

    def _like(self, items: Iterable[T]) -> Self:
        """Return some of the results, with whatever belongs to all of them."""
        return type(self)(items)

    def __add__(self, other: Iterable[T]) -> Self:
        errors = other.errors if isinstance(other, Records) else ()
        return type(self)((*self._items, *other), errors=(*self._errors, *errors))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._items == other._items

    def __hash__(self) -> int:
        return hash(self._items)

    def filter(self, predicate: Callable[[T], bool] | None = None, **fields: Any) -> Self:
        """Return those for which a function is true and whose attributes have the values given.

        Raises:
            UsageError: They have no such attribute.
        """
        chosen = self._items
        for name, value in fields.items():
            if chosen and not hasattr(chosen[0], name):
                raise UsageError(f"a {self.noun} has no attribute {name!r}")
            chosen = tuple(item for item in chosen if getattr(item, name) == value)
        if predicate is not None:
            chosen = tuple(item for item in chosen if predicate(item))
        return self._like(chosen)

    def to_dict(self) -> dict[str, Any]:
        """Return all of them as plain data, under the key ``records``."""
        return {"records": [_plain(item) for item in self._items]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the results that `to_dict` wrote."""
        return cls(cls.item_type.from_dict(item) for item in data["records"])

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the columns of `to_frame`, which needs pandas; this needs nothing."""
        return columns_of([_plain(item) for item in self._items]) or {name: [] for name in self.empty_columns}

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas data frame with a row for each.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return frame_of(self.to_columns())

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table with a row for each; `polars.from_arrow` makes a frame of it without a copy.

        Raises:
            MissingExtraError: pyarrow is not installed.
        """
        return arrow_of(self.to_columns())

    def save(self, path: str | PathLike[str]) -> None:
        """Write them: JSON Lines (``.jsonl``, which `load` reads), or their columns as ``.csv`` or ``.parquet``.

        Raises:
            UsageError: The file has another ending.
            InputError: The file cannot be written.
        """
        if Path(path).suffix not in _SUFFIXES:
            raise UsageError(f"{fspath(path)}: a file of {self.noun}s ends in {', '.join(_SUFFIXES)}")
        if Path(path).suffix == ".jsonl":
            _write(path, b"".join(encode(_plain(item)) + b"\n" for item in self._items))
        else:
            save_columns(self.to_columns(), path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the results of a JSON Lines file.

        Raises:
            InputError: The file cannot be read, or a line is something else; the message names the line.
        """
        items = []
        for where, line in text_lines(Path(path)):
            try:
                items.append(cls.item_type.from_dict(msgspec.json.decode(line)))
            except InputError as error:
                raise error.at(where) from error
            except msgspec.DecodeError as error:
                raise InputError(f"not JSON: {error}", where=where) from error
        return cls(items)

    def summary_line(self) -> str:
        """Return how many there are, in words."""
        count = len(self._items)
        failed = f", {len(self._errors):,} failed" if self._errors else ""
        return f"{count:,} {self.noun}{'' if count == 1 else 's'}{failed}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary_line()}>"

    def _repr_html_(self) -> str:
        return html_table(self[:SHOWN_ROWS].to_columns(), caption=self.summary_line(), total=len(self._items))


def _plain(item: Any) -> dict[str, Any]:
    data: dict[str, Any] = item.to_dict()
    return data


def encode(data: Any) -> bytes:
    """Return plain data as JSON; what JSON cannot hold becomes text."""
    return msgspec.json.encode(data, enc_hook=str)


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows as columns of equal length, in order of first appearance; None where a row lacks a field."""
    names = dict.fromkeys(name for row in rows for name in row if name != "schema")
    return {name: [row.get(name) for row in rows] for name in names}


def frame_of(columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Return columns as a pandas data frame.

    Raises:
        MissingExtraError: pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415 - heavy, and an extra
    except ImportError as error:
        raise MissingExtraError("a data frame", "pandas") from error
    # Arrays and series belong to the caller, who gives them away.
    return pd.DataFrame(dict(columns), copy=False)


def arrow_of(columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Return columns as an Arrow table; nested values become JSON.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - heavy, and an extra
    except ImportError as error:
        raise MissingExtraError("an Arrow table", "parquet") from error
    return pa.table({name: [_cell(value) for value in values] for name, values in columns.items()})


def is_frame(source: object) -> bool:
    """Return whether something is a data frame, without importing pandas."""
    return hasattr(source, "columns") and hasattr(source, "dtypes")


def frame_rows(frame: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a data frame, without the cells that are empty."""
    columns = [str(name) for name in frame.columns]
    for values in zip(*(frame[name].tolist() for name in frame.columns), strict=True):
        yield {
            name: value
            for name, value in zip(columns, values, strict=True)
            if value is not None
            and not (isinstance(value, float) and math.isnan(value))
            and str(value) != "<NA>"
        }


def save_columns(columns: Mapping[str, Sequence[Any]], path: str | PathLike[str]) -> None:
    """Write columns to a ``.csv`` or ``.parquet`` file; nested values become JSON.

    Raises:
        InputError: The file cannot be written.
        MissingExtraError: The file is to be Parquet, and pyarrow is not installed.
    """
    try:
        if Path(path).suffix == ".parquet":
            table = arrow_of(columns)
            importlib.import_module("pyarrow.parquet").write_table(table, path)
            return
        flat = {name: [_cell(value) for value in values] for name, values in columns.items()}
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(flat)
            writer.writerows(zip(*flat.values(), strict=True))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=fspath(path)) from error


def _cell(value: Any) -> Any:
    return encode(value).decode() if isinstance(value, dict | list | tuple) else value


def html_table(columns: Mapping[str, Sequence[Any]], *, caption: str, total: int | None = None) -> str:
    """Return columns as an HTML table for a notebook: empty ones left out, long cells cut, all text escaped."""
    filled = {name: cells for name, cells in columns.items() if any(cell not in (None, "") for cell in cells)}
    columns = filled or columns
    rows = list(zip(*columns.values(), strict=True))[:SHOWN_ROWS]
    left = (len(rows) if total is None else total) - len(rows)
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_shown(value))}</td>" for value in row) + "</tr>" for row in rows
    )
    more = f"<p>… and {left:,} more</p>" if left > 0 else ""
    return (
        f"<div><p><b>{html.escape(caption)}</b></p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"
    )


def excerpt_html(caption: str, query: str | None, text: str) -> str:
    """Return the beginning of a text for a notebook, under a caption and the question it answers; all escaped."""
    shown = text if len(text) <= _EXCERPT else text[:_EXCERPT].rstrip() + " …"
    asked = f"<p><i>{html.escape(query)}</i></p>" if query else ""
    style = "white-space:pre-wrap;text-align:left;max-height:16em;overflow:auto"
    return f'<div><p><b>{html.escape(caption)}</b></p>{asked}<pre style="{style}">{html.escape(shown)}</pre></div>'


def _shown(value: Any) -> str:
    if value is None:
        return ""
    text = f"{value:.3g}" if isinstance(value, float) else str(_cell(value))
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"


def _write(path: str | PathLike[str], data: bytes) -> None:
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=fspath(path)) from error
