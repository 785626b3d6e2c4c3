"""An event loop whose time jumps to the next thing that happens: seconds of waiting take none."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Selector(selectors.SelectSelector):
    """Never waits; moves the loop's clock instead."""

    loop: ClockworkLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise AssertionError("nothing will ever happen: a deadlock")
        if timeout > 0:
            self.loop.now += timeout
        return super().select(0)


class ClockworkLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.now = 0.0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now


def run(main: Coroutine[Any, Any, Any]) -> Any:
    """Run to the end in virtual time; a deadlock is an error."""
    loop = ClockworkLoop()
    try:
        return loop.run_until_complete(main)
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
