"""A limiter of calls to a model: it decides how many are in flight, and in which order they are sent.

Calls that share a document share the beginning of their prompt, which a model's prefix cache reads once if the
first call has finished before the others arrive. So the first call of a document goes ahead; the others wait for
it, and then precede the next document. If the endpoint is not known to cache, waiting calls are also sent when nothing
else is left to send, so that no slot is idle. The cached tokens that an endpoint reports show whether it caches.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Final, Literal

from assay.errors import EngineError
from assay.models.base import ModelSetupError

if TYPE_CHECKING:
    from assay.models.base import Model, Reply, Request

# "wait": followers always wait for the first call of their document. "fill": they wait while there is other work.
# "auto": "fill" until the endpoint is seen to cache, then "wait". "off": first come, first served.
Warming = Literal["auto", "wait", "fill", "off"]

# Seconds without arrivals before waiting calls fill free slots, and the maximum delay: other documents may still come.
_PATIENCE: Final = 0.02
_LONGEST: Final = 0.25
# One of this many slots is reserved for first calls of documents, so that some document has always been read.
_SCOUTS: Final = 8
# Characters of a prefix below which providers cache nothing.
_CACHEABLE: Final = 5000
# After this many calls with a known prefix and no cached tokens, the endpoint is taken not to cache.
_MISSES: Final = 32
# Documents remembered as read; providers forget them sooner.
_REMEMBERED: Final = 4096

_Waiter = asyncio.Future[None]


class HaltedError(EngineError):
    """The run is ending: a call that was not sent yet will not be sent."""


class PrefixLimiter:
    """Lets calls through to a model, at most ``slots`` at a time.

    Args:
        model: The model.
        slots: Maximum calls in flight.
        warming: What calls do while their document is read for the first time.
        caches: Whether the endpoint caches prefixes; None if unknown.
    """

    def __init__(
        self, model: Model, *, slots: int, warming: Warming = "auto", caches: bool | None = None
    ) -> None:
        self._model = model
        self._slots = slots
        self._warming = warming
        self.caches = caches
        self._active = 0
        self._leaders: deque[_Waiter] = deque()
        self._followers: deque[_Waiter] = deque()
        # Waiters by the document whose first call is in flight; and all such waiters in order of arrival.
        self._cold: dict[str, list[_Waiter]] = {}
        self._spare: deque[_Waiter] = deque()
        self._patient: asyncio.TimerHandle | None = None
        self._arrived = self._patient_since = 0.0
        self._leading = 0
        # Whether it is still unknown if the endpoint caches, and the calls that spoke against it.
        self._open = caches is None
        self._misses = 0
        self._warm: OrderedDict[str, None] = OrderedDict()
        self._halted = False

    @property
    def id(self) -> str:
        """``provider/name`` of the model."""
        return self._model.id

    @property
    def active(self) -> int:
        """Calls in flight."""
        return self._active

    def halt(self) -> None:
        """Let nothing more through. Calls in flight continue; waiting and future calls are refused."""
        self._halted = True
        groups = [self._leaders, self._followers, self._spare, *self._cold.values()]
        for waiter in [waiter for group in groups for waiter in group]:
            if not waiter.done():
                waiter.set_exception(HaltedError(f"{self.id}: the run is ending"))

    async def complete(self, request: Request) -> Reply:
        """Answer a request in its turn.

        Raises:
            HaltedError: The run ended before its turn.
        """
        messages = request.messages
        lead = messages[1].lead if len(messages) > 1 and self._warming != "off" else ""
        if not lead or lead in self._warm:
            await self._enter(self._followers)
            return await self._follow(request, lead)
        if lead in self._cold:
            await self._enter(self._cold[lead], spare=True)
            return await self._follow(request, lead)
        self._cold[lead] = []
        try:
            await self._enter(self._leaders, leads=True)
        except BaseException:
            self._release(lead, warm=False)
            raise
        return await self._call(request, lead)

    async def close(self) -> None:
        """Close the model."""
        await self._model.close()

    async def _follow(self, request: Request, lead: str) -> Reply:
        """Make a call whose document has been read, or is being read."""
        read = self._open and lead in self._warm and len(lead) >= _CACHEABLE
        reply = await self._call(request)
        if read and self._open:
            self._learn(reply)
        return reply

    async def _call(self, request: Request, leads: str | None = None) -> Reply:
        """Make a call in the slot it was given; ``leads`` is the document whose first call it is."""
        warm = False
        try:
            reply = await self._model.complete(request)
            warm = True
            if reply.reports_cache and self.caches is None:
                # An endpoint that counts cached tokens most likely has a cache.
                self.caches = True
        except ModelSetupError:
            # No call can succeed, so no other call needs to try.
            self.halt()
            raise
        else:
            return reply
        finally:
            self._active -= 1
            if leads is not None:
                self._leading -= 1
                # Before the slot is released, so that followers of this document precede the next document.
                self._release(leads, warm=warm)
            else:
                self._pump()

    async def _enter(
        self, queue: deque[_Waiter] | list[_Waiter], *, spare: bool = False, leads: bool = False
    ) -> None:
        """Wait for a slot."""
        if self._halted:
            raise HaltedError(f"{self.id}: the run is ending")
        loop = asyncio.get_running_loop()
        self._arrived = loop.time()
        if self._active < self._slots and not spare:
            # A slot is free, so only followers that leave it to others are waiting.
            self._active += 1
            self._leading += leads
            return
        waiter: _Waiter = loop.create_future()
        queue.append(waiter)
        if spare and not self._waits:
            self._spare.append(waiter)
            if self._patient is None:
                self._patient_since = self._arrived
                self._patient = loop.call_later(_PATIENCE, self._fill)
        self._pump()
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                # The slot was granted at the same moment, and is returned.
                self._active -= 1
                self._leading -= leads
                self._pump()
            raise

    @property
    def _waits(self) -> bool:
        """Whether followers wait even if a slot is free."""
        return self._warming == "wait" or (self._warming == "auto" and bool(self.caches))

    def _release(self, lead: str, *, warm: bool) -> None:
        """Release the followers of a document whose first call has ended."""
        # Also after a failure: followers may fail alike, and trying them one by one would multiply the time.
        self._followers.extend(self._cold.pop(lead))
        if warm:
            self._warm[lead] = None
            if len(self._warm) > _REMEMBERED:
                self._warm.popitem(last=False)
        self._pump()

    def _learn(self, reply: Reply) -> None:
        """Learn from a call with a known prefix whether there is a cache."""
        if reply.usage.cached_input_tokens:
            self.caches, self._open = True, False
            return
        self._misses += 1
        if self._misses >= _MISSES:
            self.caches, self._open = False, False
            for waiting in self._cold.values():
                self._spare.extend(waiter for waiter in waiting if not waiter.done())
            self._pump()

    def _fill(self) -> None:
        """Let waiting calls fill the slots, unless others are still arriving."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        quiet = self._arrived + _PATIENCE - now
        if quiet > 0.001 and now < self._patient_since + _LONGEST:
            self._patient = loop.call_later(quiet, self._fill)
            return
        self._patient = None
        self._pump()

    def _pump(self) -> None:
        while self._active < self._slots:
            waiter = self._next()
            if waiter is None:
                return
            self._active += 1
            waiter.set_result(None)

    def _next(self) -> _Waiter | None:
        if self._waits:
            # These waiters are queued with their documents as well.
            self._spare.clear()
        queues = [self._followers, self._leaders]
        if self._leading < self._slots // _SCOUTS:
            queues.reverse()
        if self._patient is None:
            queues.append(self._spare)
        for queue in queues:
            while queue:
                waiter = queue.popleft()
                # Waiters that left, or were let in from another queue, are skipped.
                if not waiter.done():
                    self._leading += queue is self._leaders
                    return waiter
        return None
