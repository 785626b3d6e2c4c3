"""A model whose every reply is kept, and which is never asked twice what it has answered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from assay.models.base import Model, Reply, Request, Usage
from assay.runs.ledger import Ledger
from assay.runs.records import CallRow

# The request, its reply, and whether it was paid for just now.
OnReply = Callable[[Request, Reply, bool], None]


class _Flight:
    """A question on its way, and how many wait for it."""

    __slots__ = ("recorded", "task", "waiting")

    def __init__(self) -> None:
        self.task: asyncio.Task[Reply]
        self.waiting = 0
        self.recorded = False


class RecordedModel:
    """A model with a ledger in front: stored replies cost nothing, new ones are durable before anybody sees them.

    Who asks what is being asked already waits for that reply. One of them leaving does not disturb the others; the last
    one leaving ends the call, unless the reply is there: then it is recorded. Failures are not replies: they are raised
    to all who wait, and asked again the next time.

    A recalled reply is what it was, its usage included, so that a judgment reads the same whoever paid for it. What this
    model paid is in ``paid``, what it had for nothing in ``recalled``, and ``on_reply`` is told of either.

    Args:
        model: Who is asked.
        ledger: Where replies are kept.
        fresh: Ask again what was answered before: True from now on, or since a Unix time, such as when the run was
            created, so that a run that is resumed keeps its own replies. Old replies stay in the ledger.
        on_reply: Called with request, reply, and whether it was paid for.
    """

    def __init__(
        self, model: Model, ledger: Ledger, *, fresh: bool | float = False, on_reply: OnReply | None = None
    ) -> None:
        self.paid = Usage()
        self.recalled = Usage()
        # Replies older than this are asked for again.
        self.since = time.time() if fresh is True else float(fresh)
        self._model = model
        self._ledger = ledger
        self._on_reply = on_reply
        self._flights: dict[str, _Flight] = {}

    @property
    def id(self) -> str:
        """The model's."""
        return self._model.id

    async def complete(self, request: Request) -> Reply:
        """The stored reply, or a new one, recorded.

        Raises:
            EngineError: The reply came and could not be recorded.
        """
        key = request.key()
        flight = self._flights.get(key)
        if flight is None:
            # A reply is used only once it is durable, hence after the look at what is on its way.
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
                task.exception()  # raised to those who wait; if nobody does any more, nobody misses it

        flight.task.add_done_callback(landed)
        return flight

    async def _ask(self, key: str, request: Request, flight: _Flight) -> Reply:
        reply = await self._model.complete(request)
        # Nothing between these two lines may wait: from here on the reply is safe.
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
        """Close the model. The ledger stays open: others may use it."""
        await self._model.close()
