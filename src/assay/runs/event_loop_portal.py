"""A portal from synchronous to asynchronous code: an event loop in a thread of its own.

Connections and a ledger belong to one event loop, and a notebook already runs a loop. So everything a judge does
happens on the portal's loop: synchronous code waits for it, and coroutines of another loop await it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from assay.errors import UsageError

T = TypeVar("T")
# Seconds that an interrupted coroutine may take to record what is finished.
_GRACE = 10.0


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, on a loop of its own: also from within a running loop, and from any thread."""
    portal = EventLoopPortal()
    try:
        return portal.call(coroutine)
    finally:
        portal.close()


class EventLoopPortal:
    """Runs coroutines on its own loop. Its daemon thread starts with the first of them."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._closed = False

    @property
    def used(self) -> bool:
        """Whether anything was run."""
        return self._loop is not None

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and wait for it. Ctrl-C ends it."""
        loop = self._open(coroutine)
        if _running() is loop:
            coroutine.close()
            raise UsageError("a judge was called from within a judge; await its ascore, acompare or arank")
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and await it from any loop. Cancelling the caller cancels it."""
        loop = self._open(coroutine)
        if _running() is loop:
            return await coroutine
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, loop))

    def close(self) -> None:
        """Cancel what is still running, and end the thread."""
        with self._lock:
            self._closed = True
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)
            if self._thread is not None and self._thread is not threading.current_thread():
                self._thread.join(_GRACE)

    def _open(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._closed:
                coroutine.close()
                raise UsageError("the judge is closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                serve = threading.Thread(target=_serve, args=(self._loop,), name="assay-judge", daemon=True)
                self._thread = serve
                serve.start()
            return self._loop


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
