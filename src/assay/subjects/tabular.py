"""Rows of tables: data frames, Arrow tables and datasets, and files of CSV and Parquet."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Final, Protocol, TypeAlias

from assay.errors import InputError, MissingExtraError

TABLE_SUFFIXES: Final = (".csv", ".tsv", ".parquet")


class PandasFrame(Protocol):
    """A data frame of pandas, by what is used of it."""

    @property
    def iterrows(self) -> Any:
        """Its rows."""


class PolarsFrame(Protocol):
    """A data frame of polars, by what is used of it."""

    @property
    def iter_rows(self) -> Any:
        """Its rows."""


class ArrowTable(Protocol):
    """An Arrow table, by what is used of it."""

    @property
    def to_pylist(self) -> Any:
        """Its rows."""


TableLike: TypeAlias = PandasFrame | PolarsFrame | ArrowTable | Iterable[Mapping[str, Any]]


def rows_of(data: Any) -> Iterator[dict[str, Any]] | None:
    """Return the rows of a data frame, an Arrow table, a dataset or a list of rows; None for anything else.

    Raises:
        InputError: It is a dataset of several splits.
    """
    kind = f"{type(data).__module__}.{type(data).__name__}"
    if kind.startswith("datasets.") and isinstance(data, Mapping):
        raise InputError(
            f"a dataset of {len(data)} splits: {', '.join(map(str, data))}",
            hint='choose one, as data["train"]',
        )
    if hasattr(data, "iter_rows"):  # polars
        return (dict(row) for row in data.iter_rows(named=True))
    if hasattr(data, "to_pylist"):  # Arrow
        return (dict(row) for row in data.to_pylist())
    if hasattr(data, "iterrows"):  # pandas
        return (
            {
                str(key): None if isinstance(value, float) and math.isnan(value) else value
                for key, value in row.items()
            }
            for row in data.to_dict("records")
        )
    if kind.startswith("datasets."):
        return (dict(row) for row in data)
    if isinstance(data, list | tuple) and data and all(isinstance(row, Mapping) for row in data):
        return (dict(row) for row in data)
    return None


def table_rows(stream: BinaryIO, suffix: str) -> Iterable[dict[str, Any]]:
    """Yield the rows of an open file of CSV, TSV or Parquet, the last in batches.

    Raises:
        InputError: It is not one.
        MissingExtraError: pyarrow is not installed.
    """
    if suffix != ".parquet":
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        csv.field_size_limit(1 << 30)
        rows = csv.DictReader(text, delimiter="\t" if suffix == ".tsv" else ",", strict=True)
        try:
            for row in rows:
                yield {
                    key: value for key, value in row.items() if key is not None and value not in (None, "")
                }
        except csv.Error as error:
            raise InputError(f"not a table: {error}") from error
        finally:
            # The file is closed where it was opened.
            text.detach()
        return
    try:
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - takes time to load
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("reading Parquet", "parquet") from error
    try:
        for batch in pq.ParquetFile(io.BytesIO(stream.read())).iter_batches(256):
            yield from batch.to_pylist()
    except pa.ArrowException as error:
        raise InputError(f"not Parquet: {error}") from error
