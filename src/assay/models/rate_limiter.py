"""Limits on calls in flight and on requests and tokens per minute; first come, first served.

The limits hold over any sixty seconds, not on average: the last minute is remembered, and a call waits until
it fits.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

_MINUTE: Final = 60.0


class CallSlots:
    """A number of slots, given out in the order of arrival."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        """Wait for a free slot and take it."""
        if self._free > 0 and not self._waiting:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()  # the slot was granted at the same moment
            else:
                self._waiting.remove(turn)
            raise

    def leave(self) -> None:
        """Give the slot to the caller that has waited longest."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class RateWindow:
    """At most ``limit`` within any minute."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._total = 0.0
        self._spent: deque[list[float]] = deque()

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until ``amount`` fits; an amount above the limit fits once nothing else counts."""
        spent = self._spent
        while spent and spent[0][0] <= now - _MINUTE:
            self._total -= spent.popleft()[1]
        over = self._total + amount - self.limit
        if over <= 0 or not spent:
            return 0.0
        for at, used in spent:
            over -= used
            if over <= 0:
                return at + _MINUTE - now
        return spent[-1][0] + _MINUTE - now

    def spend(self, amount: float, now: float) -> list[float]:
        """Count ``amount``; `correct` may change the returned entry later."""
        entry = [now, amount]
        self._spent.append(entry)
        self._total += amount
        return entry

    def correct(self, entry: list[float], amount: float) -> None:
        """Replace an estimate by the actual amount."""
        if self._spent and entry[0] >= self._spent[0][0]:
            # Older entries have already been subtracted as they were.
            self._total += amount - entry[1]
            entry[1] = amount


class Limiter:
    """All limits of one model. ``nap`` sleeps; it may raise to end a wait."""

    def __init__(
        self,
        *,
        concurrency: int | None = None,
        rpm: int | None = None,
        tpm: int | None = None,
        clock: Callable[[], float],
        nap: Callable[[float], Awaitable[None]],
    ) -> None:
        self._slots = CallSlots(concurrency) if concurrency else None
        self._requests = RateWindow(rpm) if rpm else None
        self._tokens = RateWindow(tpm) if tpm else None
        self._turn = CallSlots(1)
        self._clock = clock
        self._nap = nap

    @property
    def counts_tokens(self) -> bool:
        """Whether token estimates matter."""
        return self._tokens is not None

    async def enter(self, tokens: int = 0) -> list[float] | None:
        """Wait until a call of about this many tokens may go; pass the result to `leave`."""
        if self._slots is not None:
            await self._slots.enter()
        if self._requests is None and self._tokens is None:
            return None
        try:
            await self._turn.enter()
            try:
                return await self._fit(tokens)
            finally:
                self._turn.leave()
        except BaseException:
            self.leave(None)
            raise

    async def _fit(self, tokens: int) -> list[float] | None:
        while True:
            now = self._clock()
            pause = max(
                self._requests.wait(1, now) if self._requests is not None else 0.0,
                self._tokens.wait(tokens, now) if self._tokens is not None else 0.0,
            )
            if pause <= 0:
                break
            await self._nap(pause)
        if self._requests is not None:
            self._requests.spend(1, now)
        return self._tokens.spend(tokens, now) if self._tokens is not None else None

    def leave(self, entry: list[float] | None, tokens: int | None = None) -> None:
        """End a call, with its actual tokens if they are known."""
        if entry is not None and tokens is not None and self._tokens is not None:
            self._tokens.correct(entry, tokens)
        if self._slots is not None:
            self._slots.leave()
