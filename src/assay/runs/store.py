"""The interface of a ledger's database: it reads rows, and writes batches completely or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from assay.errors import AssayError
from assay.models.base import Reply

# "busy": nothing was written, try again; "soon": written, the store says when it is durable; "durable": both.
Written = Literal["busy", "soon", "durable"]


class Batch:
    """Rows of one transaction, and the callers that wait for them.

    Attributes:
        rows: Parameters by statement, of `assay.runs.ledger_tables.WRITES`.
        waiting: Futures that are done once the rows are durable, or fail.
        texts: Hashes of the texts among the rows.
        replies: Replies among the rows, by key, with their time.
        size: Approximate number of characters.
    """

    __slots__ = ("replies", "rows", "size", "texts", "waiting")

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[Any, ...]]] = {}
        self.waiting: list[asyncio.Future[None]] = []
        self.texts: set[str] = set()
        self.replies: dict[str, tuple[float, Reply]] = {}
        self.size = 0

    def add(self, statement: str, *values: Any) -> None:
        """Add a row."""
        self.rows.setdefault(statement, []).append(values)


# Called from any thread once batches are durable, or with the error.
Settled = Callable[[list[Batch], AssayError | None], None]


class Store(Protocol):
    """A database that holds a ledger, constructed with a `Settled` callback."""

    @property
    def where(self) -> str:
        """Its path or address, without a password."""
        ...

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; ``?`` stands for a parameter.

        Raises:
            EngineError: The database failed.
        """
        ...

    def write(self, batch: Batch) -> Written:
        """Write a batch, completely or not at all. Never waits for another process or a disk.

        Raises:
            EngineError: The batch cannot be written.
        """
        ...

    def close(self) -> None:
        """Make everything durable and close the database."""
        ...
