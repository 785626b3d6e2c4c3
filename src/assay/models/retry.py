"""When a call is tried again, and when all calls to a model stop.

- A call that met a busy endpoint, a broken connection or a body that is no reply waits and tries again, each time longer
  and by chance less long (exponential backoff, full jitter), so that many calls do not come back all at once.
- Too many requests is said to all callers of the model: all of them pause. Such a refusal counts against a call's tries
  only while no other call gets through.
- A wrong key, an unknown model or an empty account stops the model: whoever waits or comes later fails at once.
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
    """Time, so that tests need none."""

    def time(self) -> float:
        """Seconds since some moment."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let others work for so long."""
        ...


class _SystemClock:
    def time(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


SYSTEM_CLOCK: Clock = _SystemClock()


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """How often and how long.

    Attributes:
        attempts: Tries until a call counts as failed.
        base: Seconds a first pause lasts at most; each further one twice as long.
        cap: Seconds no pause of our own choice exceeds.
        longest: Seconds an endpoint may ask to wait; more than that stops the model.
        empty: Tries until an empty reply is taken as it is.
    """

    attempts: int = 6
    base: float = 0.5
    cap: float = 60.0
    longest: float = 600.0
    empty: int = 3

    def backoff(self, tries: int, rng: random.Random) -> float:
        """Seconds to wait after so many failed tries."""
        return rng.uniform(0.0, self.bound(tries))

    def bound(self, tries: int) -> float:
        """The longest such wait."""
        return float(min(self.cap, self.base * 2.0 ** min(tries - 1, 30)))


class Pacing:
    """What all calls to one model share: whether it is stopped, and until when it pauses."""

    def __init__(
        self, policy: RetryPolicy, clock: Clock = SYSTEM_CLOCK, rng: random.Random | None = None
    ) -> None:
        self.policy = policy
        self.clock = clock
        self.successes = 0
        self.stopped: ModelSetupError | None = None
        # Jitter decides when a call is made, never what is asked or answered: it needs no seed.
        self._rng = rng or random.Random()  # noqa: S311
        self._resume = 0.0
        self._paused = 0.0
        self._streak = 0
        self._sleepers: set[asyncio.Future[None]] = set()

    def check(self) -> None:
        """Go on, unless the model is stopped.

        Raises:
            ModelSetupError: It is.
        """
        if self.stopped is not None:
            # Each caller has an error of its own: a shared one would gather everybody's traceback.
            raise type(self.stopped)(str(self.stopped))

    async def ready(self) -> None:
        """Wait until the model does not pause.

        Raises:
            ModelSetupError: It is stopped, now or while waiting.
        """
        self.check()
        while (rest := self._resume - self.clock.time()) > 0:
            # Not all at the same moment.
            await self.nap(rest + self._rng.uniform(0.0, 0.05 + 0.1 * rest))

    def succeeded(self) -> None:
        """A call got through."""
        self.successes += 1
        self._streak = 0

    def too_many(self, started: float, wait: float | None) -> float:
        """An endpoint said "too many requests" to a call begun at ``started``; pause, and say for how long.

        Of many calls refused at once only the first lengthens the pause: they all tell of the same moment.
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
        """Wait before the next try of a call that failed."""
        own = self.policy.backoff(tries, self._rng)
        await self.nap(max(own, min(fault.wait or 0.0, self.policy.longest)))

    async def nap(self, seconds: float) -> None:
        """Sleep, but no longer than the model works.

        Raises:
            ModelSetupError: It was stopped meanwhile.
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
        """Stop the model, wake whoever sleeps, and hand back the error to raise; ``later``: it will answer again."""
        if self.stopped is None:
            self.stopped = (ModelStoppedError if later or self.successes else ModelSetupError)(message)
        for alarm in self._sleepers:
            if not alarm.done():
                alarm.set_result(None)
        return type(self.stopped)(str(self.stopped))
