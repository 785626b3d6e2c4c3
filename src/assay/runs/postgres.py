"""A ledger in PostgreSQL, for runs on several machines: ``postgresql://user@host/database``. Needs ``assay[postgres]``.

The tables are in a schema ``assay``. A thread writes all waiting batches in one transaction; a commit is durable.
Rows carry their ids, so a batch can be written again after a broken connection.
"""

from __future__ import annotations

import contextlib
import importlib
import threading
import time
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from typing import Any, Final
from urllib.parse import urlsplit

from assay.errors import AssayError, InputError, LedgerError, MissingExtraError, UsageError
from assay.runs.ledger_tables import FORMAT, WRITES, schema
from assay.runs.store import Batch, Settled, Written

_KINDS: Final = {
    "id": "BIGINT",
    "int": "BIGINT",
    "real": "DOUBLE PRECISION",
    # Sorted by code point, as everywhere else: keys are looked up by prefix, and paged through.
    "key": 'TEXT COLLATE "C"',
    "bytes": "BYTEA",
    "bare": "",
}
# Number of the lock that is held while the tables are created.
_MAKING: Final = 0x41534159
# Seconds between tries after the connection was lost.
_PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 4.0)
# The driver writes parameters as %s; our statements contain no other "?".
_SQL: Final = {statement: statement.replace("?", "%s") for statement in WRITES}


def without_password(url: str) -> str:
    """Return the address as it may be shown."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "postgresql://…"
    user = f"{parts.username}@" if parts.username else ""
    return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"


class PostgresStore:
    """A PostgreSQL database as a `Store`.

    Raises:
        MissingExtraError: The driver is not installed.
        InputError: The address is wrong, or the ledger has a newer format or is missing.
    """

    def __init__(self, url: str, settled: Settled, *, read_only: bool = False) -> None:
        try:
            self._pg: Any = importlib.import_module("psycopg")
        except ImportError as error:
            raise MissingExtraError("a ledger in PostgreSQL", "postgres") from error
        self.where = without_password(url)
        self._url = url
        self._settled = settled
        self._read_only = read_only
        self._queue: SimpleQueue[Batch | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._reader: Any = None
        self._writer: Any = None
        try:
            self._reader = self._connect()
            try:
                self._check(self._reader)
            except BaseException:
                self._reader.close()
                raise
        except self._pg.Error as error:
            raise InputError(
                f"cannot be opened: {_line(error)}",
                where=self.where,
                hint="check address, password and rights",
            ) from error

    def _connect(self) -> Any:
        con = self._pg.connect(self._url, autocommit=True, application_name="assay", connect_timeout=10)
        # Few statements, used often: prepare them the first time.
        con.prepare_threshold = 1
        con.execute("SET search_path TO assay")
        con.execute("SET client_min_messages TO warning")
        return con

    def _check(self, con: Any) -> None:
        there, whole = con.execute(
            "SELECT to_regclass('assay.ledger_format') IS NOT NULL, to_regclass('assay.claims') IS NOT NULL"
        ).fetchone()
        if not there or not (whole or self._read_only):
            if self._read_only:
                raise InputError(
                    "there is no ledger",
                    where=self.where,
                    hint="a run creates one; ledger=… names another",
                    cli_hint="a run creates one; --ledger names another file",
                )
            with con.transaction():
                con.execute("SELECT pg_advisory_xact_lock(%s)", (_MAKING,))
                con.execute("CREATE SCHEMA IF NOT EXISTS assay")
                for statement in schema(**_KINDS):
                    con.execute(statement)
                con.execute("CREATE TABLE IF NOT EXISTS ledger_format (number INTEGER PRIMARY KEY)")
                con.execute("INSERT INTO ledger_format VALUES (%s) ON CONFLICT DO NOTHING", (FORMAT,))
        version = con.execute("SELECT max(number) FROM ledger_format").fetchone()[0]
        if version > FORMAT:
            raise InputError(
                f"is a ledger of format {version}; this version of Assay reads up to {FORMAT}",
                where=self.where,
                hint="upgrade Assay",
            )

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Store`."""
        # A server that is started again is back within seconds; without an answer nothing can go on anyway.
        for pause in (*_PAUSES, None):
            try:
                if self._reader is None:
                    self._reader = self._connect()
                rows: list[tuple[Any, ...]] = self._reader.execute(sql.replace("?", "%s"), params).fetchall()
            except self._pg.Error as error:
                lost = self._reader is None or self._reader.closed or self._reader.broken
                if lost:
                    self._reader = None
                if pause is None or not lost:
                    raise self._explained(error) from error
                time.sleep(pause)
            else:
                return rows
        raise AssertionError  # the last round returns or raises

    def write(self, batch: Batch) -> Written:
        """See `Store`."""
        if self._read_only:
            raise UsageError(f"{self.where}: the ledger was opened for reading only")
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="assay-ledger-write", daemon=True)
            self._thread.start()
        self._queue.put(batch)
        return "soon"

    def _run(self) -> None:
        going = True
        while going:
            batches = [batch for batch in (self._queue.get(),) if batch is not None]
            going = bool(batches)
            with contextlib.suppress(Empty):
                while going:
                    batch = self._queue.get_nowait()
                    if batch is None:
                        going = False
                    else:
                        batches.append(batch)
            if batches:
                self._settled(batches, self._write(batches))
        if self._writer is not None:
            self._writer.close()

    def _write(self, batches: list[Batch]) -> AssayError | None:
        for pause in (*_PAUSES, None):
            try:
                if self._writer is None:
                    self._writer = self._connect()
                self._execute(self._writer, batches)
            except self._pg.Error as error:
                lost = self._writer is None or self._writer.closed or self._writer.broken
                if lost:
                    self._writer = None
                if not lost or pause is None:
                    return self._explained(error)
                time.sleep(pause)
            except Exception as error:  # noqa: BLE001 - the waiting callers must learn of any error
                return LedgerError(
                    f"{self.where}: the ledger could not write: {type(error).__name__}: {error}"
                )
            else:
                return None
        raise AssertionError  # the last round returns

    @staticmethod
    def _execute(con: Any, batches: list[Batch]) -> None:
        with con.transaction(), con.cursor() as cursor:
            for statement, sql in _SQL.items():
                rows = [row for batch in batches for row in batch.rows.get(statement, ())]
                if rows:
                    cursor.executemany(sql, rows)

    def _explained(self, error: Exception) -> LedgerError:
        return LedgerError(
            f"{self.where}: the ledger failed: {_line(error)}; what was recorded before is kept; once the database"
            " works, run the same command again to resume"
        )

    def close(self) -> None:
        """See `Store`."""
        if self._closed:
            return
        self._closed = True
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
        if self._reader is not None:
            self._reader.close()


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
