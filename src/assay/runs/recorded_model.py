"""A model whose replies are all recorded, so that no request is sent twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from assay.models.base import Model, Reply, Request, Usage
from assay.runs.claims import Claims
from assay.runs.ledger import Ledger
from assay.runs.records import CallRow

# Seconds between looks for a reply that another process is waiting for, at first and at most.
_SOON: Final = 0.05
_LATER: Final = 0.5
# Receives a request, its reply, and whether it was paid for just now.
OnReply = Callable[[Request, Reply, bool], None]


class _Flight:
    """A request in flight, and the number of callers that wait for it."""

    __slots__ = ("recorded", "task", "waiting")

    def __init__(self) -> None:
        self.task: asyncio.Task[Reply]
        self.waiting = 0
        self.recorded = False


class RecordedModel:
    """A model behind a ledger: stored replies cost nothing, and new ones are durable before they are used.

    Callers of a request in flight share its reply. A cancelled caller does not disturb the others; when the last
    one is cancelled, the call ends, unless the reply has arrived and is recorded. Failures are not replies: all
    waiting callers get them, and the next call tries again.

    A recalled reply is unchanged, including its usage, so that a judgment reads the same, no matter which run paid for it.
    ``paid`` is the usage of the calls that were paid for, ``recalled`` that of stored replies; ``on_reply`` receives both.

    Args:
        model: The model.
        ledger: Where replies are kept.
        fresh: Whether to ask again what was answered before: True from now on, or since a Unix time (such as the
            creation of the run, so that a resumed run keeps its own replies). Old replies stay in the ledger.
        on_reply: Callback with request, reply, and whether it was paid for.
        claims: What other processes on this ledger are asking just now; None if there are none.
    """

    def __init__(
        self,
        model: Model,
        ledger: Ledger,
        *,
        fresh: bool | float = False,
        on_reply: OnReply | None = None,
        claims: Claims | None = None,
    ) -> None:
        self.paid = Usage()
        self.recalled = Usage()
        # Older replies are ignored.
        self.since = time.time() if fresh is True else float(fresh)
        self._model = model
        self._ledger = ledger
        self._on_reply = on_reply
        self._claims = claims
        self._flights: dict[str, _Flight] = {}

    @property
    def id(self) -> str:
        """``provider/name`` of the model."""
        return self._model.id

    async def complete(self, request: Request) -> Reply:
        """Return the stored reply, or a new one once it is recorded.

        Raises:
            EngineError: The reply arrived and could not be recorded.
        """
        key = request.key()
        flight = self._flights.get(key)
        if flight is None:
            # A reply in flight may not be durable yet, so flights are checked before the ledger.
            stored = self._ledger.reply(key, self.since)
            if stored is not None:
                self._count(request, stored, paid=False)
                return stored
            flight = self._start(key, request)
            return await self._wait(key, flight)
        reply = await self._wait(key, flight)
        self._count(request, reply, paid=False)
        return reply

    def _start(self, key: str, request: Request) -> _Flight:
        flight = self._flights[key] = _Flight()
        flight.task = asyncio.create_task(self._ask(key, request, flight))

        def landed(task: asyncio.Task[Reply]) -> None:
            self._forget(key, flight)
            if not task.cancelled():
                task.exception()  # raised to waiting callers; without any, it is not needed

        flight.task.add_done_callback(landed)
        return flight

    async def _ask(self, key: str, request: Request, flight: _Flight) -> Reply:
        if self._claims is None:
            return await self._paid(key, request, flight)
        pause = _SOON
        while not await self._claims.take(key):
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, _LATER)
            stored = self._ledger.stored_reply(key, self.since)
            if stored is not None:
                self._count(request, stored, paid=False)
                return stored
        try:
            # It may have been answered just before the claim became free.
            stored = self._ledger.stored_reply(key, self.since) if self._claims.shared else None
            if stored is not None:
                self._count(request, stored, paid=False)
                return stored
            return await self._paid(key, request, flight)
        finally:
            self._claims.release(key)

    async def _paid(self, key: str, request: Request, flight: _Flight) -> Reply:
        reply = await self._model.complete(request)
        # Nothing may be awaited between these two lines: from here on the reply is safe.
        durable = self._ledger.put_call(CallRow(key=key, request=request, reply=reply, at=time.time()))
        flight.recorded = True
        self._count(request, reply, paid=True)
        await durable
        return reply

    async def _wait(self, key: str, flight: _Flight) -> Reply:
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        except asyncio.CancelledError:
            if flight.waiting == 1 and not flight.recorded:
                flight.task.cancel()
                self._forget(key, flight)
            raise
        finally:
            flight.waiting -= 1

    def _forget(self, key: str, flight: _Flight) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    def _count(self, request: Request, reply: Reply, *, paid: bool) -> None:
        if paid:
            self.paid += reply.usage
        else:
            self.recalled += reply.usage
        if self._on_reply is not None:
            self._on_reply(request, reply, paid)

    async def close(self) -> None:
        """Close the model. The ledger stays open for others."""
        await self._model.close()
