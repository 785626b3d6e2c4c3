"""Awaiting several requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

from assay.models.base import PendingCall

T = TypeVar("T")


async def all_of(work: Iterable[Awaitable[T]]) -> list[T]:
    """Await all, so that each request of a round is made before the round ends."""
    done = await asyncio.gather(*work, return_exceptions=True)
    results: list[T] = []
    pending: PendingCall | None = None
    for item in done:
        if isinstance(item, PendingCall):
            pending = item
        elif isinstance(item, BaseException):
            raise item
        else:
            results.append(item)
    if pending is not None:
        raise pending
    return results
