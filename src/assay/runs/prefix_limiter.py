"""The gate: how many calls are under way, and in which order they go.

Calls that share a document share the beginning of their prompt, and a model's prefix cache reads it once – if the first
call is through before the others come. So the first call of a document goes ahead; the others wait for it, and then go
before the next document begins. No slot stays idle for that where waiting cannot pay: an endpoint that is not known to
cache gets waiting calls too when nothing else is left to send. What it reports of cached tokens tells which kind it is.
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

# Seconds in which nothing arrives before waiting calls fill the slots that are left, and how long that may go on: other
# documents may be on their way.
_PATIENCE: Final = 0.02
_LONGEST: Final = 0.25
# Of so many slots one is for the first calls of documents to come, so that there is always one that has been read.
_SCOUTS: Final = 8
# Characters of a prefix below which providers cache nothing.
_CACHEABLE: Final = 5000
# Calls with a prefix that was read before, and none of it from a cache: then there is none.
_MISSES: Final = 32
# Documents remembered as read. A provider forgets them sooner.
_REMEMBERED: Final = 4096

_Waiter = asyncio.Future[None]


class HaltedError(EngineError):
    """The run is ending: a call that was not sent yet is not sent any more."""


class PrefixLimiter:
    """Lets calls through to a model, at most ``slots`` at a time.

    Args:
        model: The model.
        slots: Most calls under way.
        warming: What calls do whose document is being read for the first time.
        caches: Whether the endpoint caches prefixes; None if not known.
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
        # Documents whose first call is under way, and who waits for it; all who wait so, in the order they came.
        self._cold: dict[str, list[_Waiter]] = {}
        self._spare: deque[_Waiter] = deque()
        self._patient: asyncio.TimerHandle | None = None
        self._arrived = self._patient_since = 0.0
        self._leading = 0
        # None while the endpoint has shown neither; counted from calls whose prefix was read before.
        self._open = caches is None
        self._misses = 0
        self._warm: OrderedDict[str, None] = OrderedDict()
        self._halted = False

    @property
    def id(self) -> str:
        """The model's."""
        return self._model.id

    @property
    def active(self) -> int:
        """Calls under way."""
        return self._active

    def halt(self) -> None:
        """Let nothing more through. Calls under way go on; those that wait, and those to come, are turned away."""
        self._halted = True
        groups = [self._leaders, self._followers, self._spare, *self._cold.values()]
        for waiter in [waiter for group in groups for waiter in group]:
            if not waiter.done():
                waiter.set_exception(HaltedError(f"{self.id}: the run is ending"))

    async def complete(self, request: Request) -> Reply:
        """Answer a request in its turn.

        Raises:
            HaltedError: Its turn did not come before the end.
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
        """A call whose document is read already, or is being read."""
        read = self._open and lead in self._warm and len(lead) >= _CACHEABLE
        reply = await self._call(request)
        if read and self._open:
            self._learn(reply)
        return reply

    async def _call(self, request: Request, leads: str | None = None) -> Reply:
        """The call itself, in the slot that was given; ``leads``: the document whose first call it is."""
        warm = False
        try:
            reply = await self._model.complete(request)
            warm = True
            if reply.reports_cache and self.caches is None:
                # It counts cached tokens; most likely there are some.
                self.caches = True
        except ModelSetupError:
            # No call can succeed: nobody else needs to find out.
            self.halt()
            raise
        else:
            return reply
        finally:
            self._active -= 1
            if leads is not None:
                self._leading -= 1
                # Before the slot is given away: who waited for this document comes before the next one.
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
            # A slot is free, so nobody waits for one but those who leave it to others.
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
                # It was let in at the same moment: the slot goes back.
                self._active -= 1
                self._leading -= leads
                self._pump()
            raise

    @property
    def _waits(self) -> bool:
        """Whether followers wait even where a slot is free."""
        return self._warming == "wait" or (self._warming == "auto" and bool(self.caches))

    def _release(self, lead: str, *, warm: bool) -> None:
        """The first call of a document has ended: those who waited for it may go."""
        # After a failure too: who waits may fail alike, and waiting for each in turn would multiply the time it takes.
        self._followers.extend(self._cold.pop(lead))
        if warm:
            self._warm[lead] = None
            if len(self._warm) > _REMEMBERED:
                self._warm.popitem(last=False)
        self._pump()

    def _learn(self, reply: Reply) -> None:
        """From a call whose prefix was read before: whether there is a cache."""
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
            # They stand with their documents too.
            self._spare.clear()
        queues = [self._followers, self._leaders]
        if self._leading < self._slots // _SCOUTS:
            queues.reverse()
        if self._patient is None:
            queues.append(self._spare)
        for queue in queues:
            while queue:
                waiter = queue.popleft()
                # Whoever has left, or was let in from another queue, is passed over.
                if not waiter.done():
                    self._leading += queue is self._leaders
                    return waiter
        return None
