"""Claims: which process asks a question, where several share a ledger, so that none is paid for twice.

Alone, a process only shows its presence, and claims cost nothing. Once it sees another one, every call is claimed in
the ledger before it is sent; the one that does not get the claim waits for the reply of the other. A process that ends drops its
claims; one that was killed loses them when its sign of life stands still – at once if it ran on this machine.
Signs of life are counted, never compared with a clock, so clocks that differ between machines do no harm.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from assay.errors import EngineError

if TYPE_CHECKING:
    from assay.runs.ledger import Ledger

# Seconds between looks for other processes, and between signs of life.
_LOOK: Final = 0.25
_BEAT: Final = 1.0
# Seconds for which a newcomer waits, so that the others notice it and claim what they have in flight.
_WELCOME: Final = 0.6
# Seconds without a sign of life after which a process on another machine counts as dead.
_DEAD: Final = 10.0
# Presence is a claim on a key that no call has.
_PRESENCE: Final = "process/"


class Claims:
    """The claims of one session.

    Args:
        ledger: The ledger that is shared.
        family: Name of processes that have divided the work, so that they need no claims among themselves.
    """

    def __init__(self, ledger: Ledger, *, family: str = "") -> None:
        self._ledger = ledger
        self._family = family
        host, token = _machine(), secrets.token_hex(4)
        self._holder = f"{host}/{os.getpid()}/{token}{f'/{family}' if family else ''}"
        self._asking: set[str] = set()
        self._beat = 0
        # By process: its last sign of life, and when we saw it change.
        self._signs: dict[str, tuple[int, float]] = {}
        self._watch: asyncio.Task[None] | None = None
        self._present: asyncio.Task[None] | None = None
        self._shared = False

    @property
    def shared(self) -> bool:
        """Whether another process is at work on the ledger."""
        return self._shared

    async def take(self, key: str) -> bool:
        """Return whether this process is to ask a question; if not, another one does."""
        if self._ledger.where == ":memory:":
            return True
        if self._present is None:
            self._present = asyncio.create_task(self._appear())
        if not self._present.done():
            await asyncio.shield(self._present)
        self._asking.add(key)
        if not self._shared:
            return True
        await self._ledger.claim(key, self._holder, self._beat)
        holder = self._ledger.claimed_by(key)
        if holder is not None and holder != self._holder and not self._lives(holder):
            await self._ledger.claim(key, self._holder, self._beat, instead_of=holder)
            holder = self._ledger.claimed_by(key)
        if holder in (None, self._holder):
            return True
        self._asking.discard(key)
        return False

    def release(self, key: str) -> None:
        """Give a claim back; the question was answered, or its call failed."""
        self._asking.discard(key)
        if self._shared:
            self._ledger.drop_claim(key, self._holder)

    async def close(self) -> None:
        """Drop everything that this process has claimed."""
        present, self._present = self._present, None
        for task in (present, self._watch):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, EngineError):
                    await task
        self._watch = None
        if present is not None:
            # The others see that no sign of life comes any more, should the ledger not answer.
            with contextlib.suppress(EngineError):
                self._ledger.drop_holder(self._holder)

    async def _appear(self) -> None:
        """Show this process to the others, and give those that are there time to notice."""
        await self._ledger.claim(_PRESENCE + self._holder, self._holder, self._beat)
        self._look()
        self._watch = asyncio.create_task(self._watching())
        if self._shared:
            await asyncio.sleep(_WELCOME)

    async def _watching(self) -> None:
        beaten = time.monotonic()
        while True:
            await asyncio.sleep(_LOOK)
            # A ledger that does not answer for a while is asked again: without signs of life the others would think
            # this process dead, and pay for what it has in flight.
            with contextlib.suppress(EngineError):
                beaten = self._watch_once(beaten)

    def _watch_once(self, beaten: float) -> float:
        """See who is there, and show a sign of life if it is time; return when that was done last."""
        shared = self._shared
        self._look()
        if self._shared and not shared:
            # What is in flight was begun alone: the newcomer must know of it.
            for key in list(self._asking):
                self._ledger.claim(key, self._holder, self._beat)
        if time.monotonic() - beaten < _BEAT:
            return beaten
        self._beat += 1
        self._ledger.claim(_PRESENCE + self._holder, self._holder, self._beat)
        return time.monotonic()

    def _look(self) -> None:
        """See who else is there, and bury the dead."""
        now = time.monotonic()
        there = self._ledger.holders(_PRESENCE)
        before, self._signs = self._signs, {}
        for holder, beat in there:
            if holder == self._holder or (self._family and holder.endswith(f"/{self._family}")):
                continue
            sign = before.get(holder)
            self._signs[holder] = sign if sign is not None and sign[0] == beat else (beat, now)
            if not self._lives(holder):
                self._ledger.drop_holder(holder)
                del self._signs[holder]
        self._shared = bool(self._signs)

    def _lives(self, holder: str) -> bool:
        host, pid, *_ = holder.split("/")
        if host == _machine() and os.name == "posix":
            try:
                os.kill(int(pid), 0)
            except ProcessLookupError:
                return False
            except OSError:
                pass  # it is somebody else's, so its signs of life count
        _, seen = self._signs.setdefault(holder, (-1, time.monotonic()))
        return time.monotonic() - seen < _DEAD


@lru_cache(maxsize=1)
def _machine() -> str:
    """Return a name under which process ids mean the same: of the host, its start, and the namespace of processes.

    Containers may share a host name, and each counts its processes by itself.
    """
    parts = [socket.gethostname()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()[:8])
    with contextlib.suppress(OSError):
        parts.append(str(Path("/proc/self/ns/pid").stat().st_ino))
    return "-".join(parts).replace("/", "-")
