"""Several pieces of work at once: their results in order, and of their errors the one that matters."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

from assay.models.base import PendingCall
from assay.runs.prefix_limiter import HaltedError

T = TypeVar("T")
U = TypeVar("U")


async def in_order(makes: Iterable[Callable[[], Awaitable[T]]], *, width: int) -> AsyncIterator[T]:
    """Yield the results in the order given, with at most ``width`` of them in progress or held.

    An error lets those in progress finish, and is raised after their results. Of several errors the first is
    raised, unless it only says that another one has ended the run.
    """
    source = iter(makes)
    window: deque[asyncio.Task[T]] = deque()
    failure: BaseException | None = None
    ended = False
    try:
        while True:
            while not ended and failure is None and len(window) < width:
                make = next(source, None)
                if make is None:
                    ended = True
                else:
                    window.append(asyncio.ensure_future(make()))
            if not window:
                break
            try:
                result = await window[0]
            except Exception as error:  # noqa: BLE001 - raised below
                failure = error if failure is None or isinstance(failure, HaltedError) else failure
                window.popleft()
                continue
            window.popleft()
            yield result
        if failure is not None:
            raise failure
    finally:
        for item in window:
            item.cancel()
        await asyncio.gather(*window, return_exceptions=True)


async def all_of(makes: Iterable[Awaitable[T]]) -> list[T]:
    """Return all results. If some fail, the others finish first, and the first error is raised."""
    results = await asyncio.gather(*makes, return_exceptions=True)
    values: list[T] = []
    failures = [item for item in results if isinstance(item, BaseException)]
    if failures:
        raise next((item for item in failures if not isinstance(item, HaltedError)), failures[0])
    for item in results:
        assert not isinstance(item, BaseException)
        values.append(item)
    return values


async def one_by_one(first: Callable[[], Awaitable[T]], second: Callable[[], Awaitable[U]]) -> tuple[T, U]:
    """Return both results. The second is asked for even if the reply to the first is to come in a batch file.

    Raises:
        PendingCall: A reply is still to come.
    """
    try:
        one = await first()
    except PendingCall:
        await second()
        raise
    return one, await second()
