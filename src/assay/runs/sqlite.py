"""A ledger in an SQLite file.

A transaction is written to the write-ahead log on the event loop's thread, without a sync. This takes about 30 µs in
a tight loop, and several times that if replies arrive one by one; from then on a killed process loses nothing. One
thread syncs the log for all callers, and another copies the log into the file from time to time.

The alternative, a writer thread with ``synchronous=FULL``, was measured to be equally fast for the same CPU time. But
rows that arrive during its sync are written only afterwards, so that a kill would lose them.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from assay.errors import AssayError, InputError, LedgerError, UsageError
from assay.runs.ledger_tables import APPLICATION, FORMAT, WRITES, schema
from assay.runs.log_sync import LogSyncer
from assay.runs.store import Batch, Settled, Written

_KINDS: Final = {
    "id": "INTEGER",
    "int": "INTEGER",
    "real": "REAL",
    "key": "TEXT",
    "bytes": "BLOB",
    "bare": " WITHOUT ROWID",
}
_HAS_CLAIMS: Final = "SELECT count(*) FROM sqlite_master WHERE name = 'claims'"
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_CLOSED: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
_PATIENCE: Final = 30.0
# Attempts to take the lock, and the seconds between them, before the event loop continues.
_TRIES: Final = 5
_MOMENT: Final = 0.0002
# The log is copied into the file when it has grown by this much; above this size, writers wait for that.
_COPY_AT: Final = 16 << 20
_HOLD_AT: Final = 48 << 20
# Bytes of the pages that every transaction touches.
_OVERHEAD: Final = 12 << 10


class SqliteStore:
    """An SQLite database as a `Store`; ``path`` may be ``:memory:``.

    Raises:
        InputError: The file is not a ledger, has a newer format, or cannot be opened.
        LedgerError: The disk failed.
    """

    def __init__(self, path: str, settled: Settled, *, read_only: bool = False) -> None:
        self.where = path
        self._read_only = read_only
        self._syncer: LogSyncer | None = None
        self._copying: threading.Thread | None = None
        self._grown = 0
        self._closed = False
        try:
            self._con = self._connect()
            try:
                self._prepare(settled)
            except BaseException:
                self._con.close()
                raise
        except sqlite3.Error as error:
            raise _explained(error, path, opening=True) from error

    def _prepare(self, settled: Settled) -> None:
        self._check()
        con = self._con
        con.execute("PRAGMA synchronous = NORMAL")
        con.execute("PRAGMA wal_autocheckpoint = 0")
        if self.where != ":memory:" and not self._read_only:
            # Without shared memory on the file system there is no log, and every commit syncs by itself.
            if self._one("PRAGMA journal_mode = WAL") == "wal":
                self._syncer = LogSyncer(self.where, settled)
            else:
                con.execute("PRAGMA synchronous = FULL")
        # From here on a locked database is reported at once, so that the event loop never waits.
        con.execute("PRAGMA busy_timeout = 0")

    def _connect(self) -> sqlite3.Connection:
        if self.where == ":memory:":
            return sqlite3.connect(self.where, isolation_level=None, check_same_thread=False)
        path = Path(self.where)
        if path.is_dir():
            raise InputError("is a folder, not a ledger", where=self.where, hint="name a file in it")
        if not self._read_only:
            try:
                if not path.parent.is_dir():
                    path.parent.mkdir(parents=True)
                    if path.parent.name == ".assay":
                        # The ledger holds prompts and reports, which should not be committed by accident.
                        (path.parent / ".gitignore").write_text("*\n", "utf-8")
            except OSError as error:
                raise InputError(
                    f"cannot make the folder {path.parent}: {error.strerror}", where=self.where
                ) from error
            return sqlite3.connect(
                self.where, isolation_level=None, check_same_thread=False, timeout=_PATIENCE
            )
        if not path.exists():
            raise InputError(
                "there is no ledger",
                where=self.where,
                hint="a run creates one; ledger=… names another",
                cli_hint="a run creates one; --ledger names another file",
            )
        address = path.absolute().as_uri()
        # First mode=rw, because mode=ro would leave the log's files behind. Immutable, for a read-only folder without a
        # log.
        modes = ["mode=rw", "mode=ro", *([] if Path(f"{path}-wal").exists() else ["mode=ro&immutable=1"])]
        for mode in modes:
            con = sqlite3.connect(
                f"{address}?{mode}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
                timeout=_PATIENCE,
            )
            try:
                con.execute("SELECT 1 FROM sqlite_master")
                con.execute("PRAGMA query_only = ON")
            except sqlite3.Error as error:
                con.close()
                if mode is modes[-1] or error.sqlite_errorcode & 0xFF not in _CLOSED:
                    raise
            else:
                break
        return con

    def _check(self) -> None:
        """Check that the file is a ledger; turn an empty file into one."""
        # One transaction, so that a process which makes the ledger at this moment is seen before or after, not halfway.
        self._con.execute("BEGIN")
        try:
            tables = self._one("SELECT count(*) FROM sqlite_master")
            application, version = self._one("PRAGMA application_id"), self._one("PRAGMA user_version")
        finally:
            self._con.execute("ROLLBACK")
        if application == APPLICATION:
            if version > FORMAT:
                raise InputError(
                    f"is a ledger of format {version}; this version of Assay reads up to {FORMAT}",
                    where=self.where,
                    hint="upgrade Assay",
                )
            if not self._read_only and not self._one(_HAS_CLAIMS):
                self._create()  # it was made by an earlier version
            return
        if application or version or tables:
            raise InputError(
                "is an SQLite file, but not a ledger of Assay", where=self.where, hint="name another file"
            )
        if self._read_only:
            raise InputError("is empty, not a ledger", where=self.where)
        self._create()

    def _create(self) -> None:
        self._con.execute("BEGIN IMMEDIATE")
        for statement in schema(**_KINDS):  # IF NOT EXISTS: another process may have been faster
            self._con.execute(statement)
        self._con.execute(f"PRAGMA application_id = {APPLICATION}")
        self._con.execute(f"PRAGMA user_version = {FORMAT}")
        self._con.execute("COMMIT")

    def _one(self, sql: str) -> Any:
        return self._con.execute(sql).fetchone()[0]

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """See `Store`."""
        since = 0.0
        while True:
            try:
                return self._con.execute(sql, params).fetchall()
            except sqlite3.Error as error:
                # Readers only wait for a process that is opening or closing the ledger.
                since = since or time.monotonic()
                if not _is_busy(error) or time.monotonic() - since > _PATIENCE:
                    raise _explained(error, self.where) from error
                time.sleep(0.002)

    def write(self, batch: Batch) -> Written:
        """See `Store`."""
        if self._read_only:
            raise UsageError(f"{self.where}: the ledger was opened for reading only")
        if self._syncer is not None and self._syncer.failed is not None:
            raise self._syncer.failed
        con = self._con
        try:
            self._begin()
            rows = batch.rows
            for statement in WRITES:
                if statement in rows:
                    con.executemany(statement, rows[statement])
            con.execute("COMMIT")
        except BaseException as error:
            if con.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    con.execute("ROLLBACK")
            if _is_busy(error):
                return "busy"
            if isinstance(error, sqlite3.Error):
                raise _explained(error, self.where) from error
            raise
        if self._syncer is None:
            return "durable"
        self._syncer.put(batch)
        self._grown += batch.size + _OVERHEAD
        if self._grown > _COPY_AT and (self._copying is None or not self._copying.is_alive()):
            self._copying = threading.Thread(target=self._copy, name="assay-ledger-copy", daemon=True)
            self._copying.start()
        return "soon"

    def _begin(self) -> None:
        """Take the write lock; wait briefly for processes that are opening or reading the file."""
        for _ in range(_TRIES):
            try:
                self._con.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not _is_busy(error):
                    raise
                time.sleep(_MOMENT)  # lets other threads of this process continue
            else:
                return
        self._con.execute("BEGIN IMMEDIATE")

    def _copy(self) -> None:
        """Copy the log into the file, so that the log starts over; runs in a thread of its own while others write."""
        self._grown = 0
        try:
            with contextlib.closing(sqlite3.connect(self.where, isolation_level=None, timeout=2.0)) as con:
                page: int = con.execute("PRAGMA page_size").fetchone()[0]
                _, pages, _ = con.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                # New rows keep the log from starting over. If it has grown large, writers (which retry every few
                # milliseconds) are blocked while the small rest is copied.
                if pages * page > _HOLD_AT:
                    con.execute("PRAGMA wal_checkpoint(RESTART)")
        except sqlite3.Error:
            pass  # the log still has everything; the next copy, or closing, will succeed

    def close(self) -> None:
        """See `Store`."""
        if self._closed:
            return
        self._closed = True
        if self._syncer is not None:
            self._syncer.close()
        if self._copying is not None:
            self._copying.join()
        try:
            self._con.close()
        except sqlite3.Error as error:
            raise _explained(error, self.where) from error


def _is_busy(error: BaseException) -> bool:
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


def _explained(error: sqlite3.Error, where: str, *, opening: bool = False) -> AssayError:
    """Return an error that says what happened, what is kept, and how to resume."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    kept = "what was recorded before is kept"
    if code == sqlite3.SQLITE_NOTADB:
        return InputError("is not a ledger, nor any SQLite file", where=where, hint="name another file")
    if code == sqlite3.SQLITE_CANTOPEN:
        return InputError(
            "cannot be opened", where=where, hint="check that the folder exists and is writable"
        )
    if code == sqlite3.SQLITE_READONLY:
        kind: type[AssayError] = InputError if opening else LedgerError
        return _made(
            kind,
            where,
            f"the ledger cannot be written to; {kept}; make it writable or name another",
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return LedgerError(
            f"{where}: the ledger cannot be written, the disk is full or failed ({error}); {kept}; make room and run"
            " the same command again to resume"
        )
    if code == sqlite3.SQLITE_CORRUPT:
        return LedgerError(
            f"{where}: the ledger is damaged ({error}); keep the file, since `sqlite3 {where} .recover` saves what can"
            " be read, and continue with a new one"
        )
    if code in _BUSY:
        return LedgerError(
            f"{where}: another process keeps the ledger locked; {kept}; wait for it, or end it"
        )
    return LedgerError(f"{where}: the ledger failed: {error}; {kept}")


def _made(kind: type[AssayError], where: str, problem: str) -> AssayError:
    return InputError(problem, where=where) if kind is InputError else LedgerError(f"{where}: {problem}")
