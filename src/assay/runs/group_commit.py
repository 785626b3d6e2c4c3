"""Group commit: everything recorded in one turn of the event loop shares a transaction.

The transaction is written at the end of that turn, on the loop's own thread: from then on a killed process loses
nothing. Callers continue once the store reports that a power cut would lose nothing either.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Final

from assay.errors import AssayError, LedgerError
from assay.runs.store import Batch, Store, Written

# Another process writes for about a millisecond at a time.
_AGAIN: Final = 0.003
_PATIENCE: Final = 60.0


class GroupCommit:
    """Fills batches and writes them.

    Args:
        after: Callback for each batch once it is durable (True) or lost (False).
    """

    def __init__(self, after: Callable[[Batch, bool], None]) -> None:
        self._after = after
        self._open = Batch()
        self._store: Store | None = None
        self._scheduled: asyncio.AbstractEventLoop | None = None
        self._busy_since: float | None = None

    def attach(self, store: Store) -> None:
        """Set the store to write to."""
        self._store = store

    @property
    def batch(self) -> Batch:
        """The batch to add rows to, before `promise`."""
        return self._open

    def promise(self) -> asyncio.Future[None]:
        """Return a future that is done when the batch is durable. The rows are written whether or not it is awaited."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        # A failure is raised where it is awaited; cancelled callers do not need it.
        future.add_done_callback(_look)
        self._open.waiting.append(future)
        self._schedule(loop)
        return future

    def soon(self) -> None:
        """Write the batch at the end of this turn, or now if no loop runs; nobody waits for it."""
        try:
            self._schedule(asyncio.get_running_loop())
        except RuntimeError:
            self.drain()

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._scheduled is not loop:
            self._scheduled = loop
            loop.call_soon(self._flush, loop)

    def _flush(self, loop: asyncio.AbstractEventLoop) -> None:
        self._scheduled = None
        if self._write() == "busy":
            self._scheduled = loop
            loop.call_later(_AGAIN, self._flush, loop)

    def _write(self) -> Written:
        batch = self._open
        if not batch.rows or self._store is None:
            return "durable"
        try:
            written = self._store.write(batch)
            if written == "busy":
                now = time.monotonic()
                self._busy_since = self._busy_since or now
                if now - self._busy_since < _PATIENCE:
                    return written
                raise LedgerError(  # noqa: TRY301 - handled below like any other failure
                    f"{self._store.where}: another process has kept the ledger locked for {_PATIENCE:.0f} s; "
                    "what was recorded before is kept; end that process, or use another ledger"
                )
        except Exception as error:  # noqa: BLE001 - the waiting callers must learn of any error
            self._open = Batch()
            self._busy_since = None
            problem = error if isinstance(error, AssayError) else _surprise(self._store, error)
            self._settle([batch], problem)
            return "durable"
        self._open = Batch()
        self._busy_since = None
        if written == "durable":
            self._settle([batch], None)
        return written

    def settled(self, batches: list[Batch], error: AssayError | None) -> None:
        """Handle batches that became durable or were lost; callable from any thread."""
        by_loop: dict[asyncio.AbstractEventLoop | None, list[Batch]] = {}
        for batch in batches:
            loop = batch.waiting[0].get_loop() if batch.waiting else None
            by_loop.setdefault(loop, []).append(batch)
        for loop, group in by_loop.items():
            if loop is not None:
                with contextlib.suppress(RuntimeError):  # a closed loop has no waiting callers
                    loop.call_soon_threadsafe(self._settle, group, error)
                    continue
            self._settle(group, error)

    def _settle(self, batches: list[Batch], error: AssayError | None) -> None:
        for batch in batches:
            self._after(batch, error is None)
            for future in batch.waiting:
                if future.done():
                    continue
                with contextlib.suppress(RuntimeError):  # its loop is closed
                    if error is None:
                        future.set_result(None)
                    else:
                        future.set_exception(error)

    def drain(self) -> None:
        """Write all waiting rows now."""
        while self._write() == "busy":
            time.sleep(_AGAIN)


def _look(future: asyncio.Future[None]) -> None:
    if not future.cancelled():
        future.exception()


def _surprise(store: Store, error: Exception) -> LedgerError:
    problem = LedgerError(
        f"{store.where}: the ledger could not write: {type(error).__name__}: {error}; what was recorded before is kept"
    )
    problem.__cause__ = error
    return problem
