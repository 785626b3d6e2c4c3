"""Syncing SQLite's write-ahead log to disk, for many transactions at once, in a thread."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from assay.errors import EngineError
from assay.runs.store import Batch, Settled

# Replies come one by one: at 500 replies a second, waiting this long for the next saved two of three syncs.
_LINGER: Final = 0.005
# With this many batches waiting, sync at once.
_ENOUGH: Final = 16
# File systems without sync: nothing more can be done.
_NO_SYNC: Final = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EROFS)


class LogSyncer:
    """Calls ``settled`` with batches once the log of the database at ``path`` is on disk."""

    def __init__(self, path: str, settled: Settled) -> None:
        self.failed: EngineError | None = None
        self._path = path
        self._settled = settled
        self._queue: SimpleQueue[Batch | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._file: int | None = None

    def put(self, batch: Batch) -> None:
        """Add a batch that was written to the log."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="assay-ledger-sync", daemon=True)
            self._thread.start()
        self._queue.put(batch)

    def close(self) -> None:
        """Sync what is left, and end."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        going = True
        while going:
            batches: list[Batch] = []
            going = self._take(batches, block=True)
            if going and len(batches[0].waiting) < _ENOUGH:
                time.sleep(_LINGER)
            while going and not self._queue.empty():
                going = self._take(batches, block=False)
            if batches:
                self._sync()
                self._settled(batches, self.failed)
        if self._file is not None:
            os.close(self._file)

    def _take(self, batches: list[Batch], *, block: bool) -> bool:
        try:
            batch = self._queue.get(block)
        except Empty:
            return True
        if batch is None:
            return False
        batches.append(batch)
        return True

    def _sync(self) -> None:
        if self.failed is not None:
            return
        try:
            if self._file is None:
                self._file = self._opened()
            _to_disk(self._file)
        except OSError as error:
            if error.errno in _NO_SYNC:
                return
            # After a failed sync the state of the disk is unknown, and a retry would hide that.
            self.failed = EngineError(
                f"{self._path}: the ledger could not be synced to disk ({error.strerror}); check the disk, then run"
                " the same command again to resume"
            )

    def _opened(self) -> int:
        # SQLite's locks are on the database file, so opening the log again does not release them.
        file = os.open(f"{self._path}-wal", os.O_RDWR)
        if os.name == "posix":
            folder = os.open(Path(self._path).absolute().parent, os.O_RDONLY)
            try:
                os.fsync(folder)  # the names of new files, too
            except OSError as error:
                if error.errno not in _NO_SYNC:
                    raise
            finally:
                os.close(folder)
        return file


def _to_disk(file: int) -> None:
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415 - not everywhere

        fcntl.fcntl(file, fcntl.F_FULLFSYNC)  # fsync would leave it in the drive's cache
    elif hasattr(os, "fdatasync"):
        os.fdatasync(file)
    else:
        os.fsync(file)
