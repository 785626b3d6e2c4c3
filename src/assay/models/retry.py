"""When a call is tried again, and when all calls to a model stop.

- A call that meets a busy endpoint, a broken connection or a body that is not a reply waits and tries again,
with exponential backoff and full jitter, so that many calls do not return at once.
- "Too many requests" pauses all calls to the model. Such a refusal counts against a call's attempts only
while no other call succeeds.
- A wrong key, an unknown model or an empty account stops the model: calls that wait or come later fail at
once.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import Protocol

import msgspec

from assay.models.base import ModelSetupError, ModelStoppedError
from assay.models.faults import Fault


class Clock(Protocol):
    """A source of time that tests can replace."""

    def time(self) -> float:
        """Return seconds since a fixed moment."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Suspend the caller."""
        ...


class _SystemClock:
    def time(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


SYSTEM_CLOCK: Clock = _SystemClock()


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Number and duration of retries.

    Attributes:
        attempts: Attempts until a call counts as failed.
        base: Upper bound of the first pause in seconds; it doubles with each further one.
        cap: Longest pause in seconds that is chosen here.
        longest: Longest pause in seconds that an endpoint may ask for; a longer one stops the model.
        empty: Attempts until an empty reply is accepted.
    """

    attempts: int = 6
    base: float = 0.5
    cap: float = 60.0
    longest: float = 600.0
    empty: int = 3

    def backoff(self, tries: int, rng: random.Random) -> float:
        """Return the seconds to wait after so many failed attempts."""
        return rng.uniform(0.0, self.bound(tries))

    def bound(self, tries: int) -> float:
        """Return the longest wait after so many failed attempts."""
        return float(min(self.cap, self.base * 2.0 ** min(tries - 1, 30)))


class Pacing:
    """What all calls to a model share: whether it is stopped, and until when it pauses."""

    def __init__(
        self, policy: RetryPolicy, clock: Clock = SYSTEM_CLOCK, rng: random.Random | None = None
    ) -> None:
        self.policy = policy
        self.clock = clock
        self.successes = 0
        self.stopped: ModelSetupError | None = None
        # Jitter decides when a call is made, never what is asked: it needs no seed.
        self._rng = rng or random.Random()  # noqa: S311
        self._resume = 0.0
        self._paused = 0.0
        self._streak = 0
        self._sleepers: set[asyncio.Future[None]] = set()

    def check(self) -> None:
        """Continue unless the model is stopped.

        Raises:
            ModelSetupError: The model is stopped.
        """
        if self.stopped is not None:
            # Every caller gets an error of its own; a shared one would collect all tracebacks.
            raise type(self.stopped)(str(self.stopped))

    async def ready(self) -> None:
        """Wait until the model is not paused.

        Raises:
            ModelSetupError: The model is stopped, now or during the wait.
        """
        self.check()
        while (rest := self._resume - self.clock.time()) > 0:
            # Calls should not all resume at the same moment.
            await self.nap(rest + self._rng.uniform(0.0, 0.05 + 0.1 * rest))

    def succeeded(self) -> None:
        """Record that a call succeeded."""
        self.successes += 1
        self._streak = 0

    def too_many(self, started: float, wait: float | None) -> float:
        """Pause after "too many requests" to a call begun at ``started``, and return the length of the pause.

        Of many calls refused at once, only the first lengthens the pause: they all describe the same moment.
        """
        now = self.clock.time()
        if started >= self._paused:
            self._streak += 1
            self._paused = now
            bound = self.policy.bound(self._streak)
            own = self._rng.uniform(bound / 2, bound)
            self._resume = max(self._resume, now + (own if not wait else min(wait, self.policy.longest)))
        elif wait:
            self._resume = max(self._resume, now + min(wait, self.policy.longest))
        return max(0.0, self._resume - now)

    async def after(self, fault: Fault, tries: int) -> None:
        """Wait before the next attempt of a failed call."""
        own = self.policy.backoff(tries, self._rng)
        await self.nap(max(own, min(fault.wait or 0.0, self.policy.longest)))

    async def nap(self, seconds: float) -> None:
        """Sleep until the time is over or the model is stopped.

        Raises:
            ModelSetupError: The model was stopped.
        """
        self.check()
        alarm = asyncio.get_running_loop().create_future()
        sleep = asyncio.ensure_future(self.clock.sleep(seconds))
        self._sleepers.add(alarm)
        try:
            await asyncio.wait((sleep, alarm), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._sleepers.discard(alarm)
            sleep.cancel()
            alarm.cancel()
        self.check()

    def stop(self, message: str, *, later: bool = False) -> ModelSetupError:
        """Stop the model, wake all sleepers, and return the error to raise; with ``later`` it will answer again."""
        if self.stopped is None:
            self.stopped = (ModelStoppedError if later or self.successes else ModelSetupError)(message)
        for alarm in self._sleepers:
            if not alarm.done():
                alarm.set_result(None)
        return type(self.stopped)(str(self.stopped))
