"""What ended a run is told, and not that it has ended."""

from __future__ import annotations

import asyncio

import pytest

from assay.errors import EngineError
from assay.models.base import ModelSetupError
from assay.runs.in_order import all_of, in_order
from assay.runs.prefix_limiter import HaltedError


async def halted(delay: float = 0.0) -> str:
    await asyncio.sleep(delay)
    raise HaltedError("the run is ending")


async def refused() -> str:
    await asyncio.sleep(0.01)
    raise ModelSetupError("no credit")


async def fine() -> str:
    return "fine"


@pytest.mark.parametrize("makes", [(fine, halted, refused, halted), (refused, halted), (halted, refused)])
def test_the_cause_is_raised_whoever_comes_first(makes) -> None:
    made: list[str] = []

    async def work() -> None:
        async for item in in_order(makes, width=4):
            made.append(item)

    with pytest.raises(ModelSetupError, match="no credit"):
        asyncio.run(work())
    assert made == ["fine"] * makes.count(fine)
    with pytest.raises(ModelSetupError, match="no credit"):
        asyncio.run(all_of(make() for make in makes))


def test_where_nothing_else_went_wrong_it_is_raised() -> None:
    async def work() -> None:
        async for _ in in_order([fine, halted], width=2):
            pass

    with pytest.raises(EngineError, match="the run is ending"):
        asyncio.run(work())


def test_a_stream_comes_back_in_order_and_a_failure_loses_nothing() -> None:
    under_way = 0
    most = 0

    def make(number: int):
        async def work() -> int:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.001 * (7 * number % 5))
            under_way -= 1
            if number == 13:
                raise EngineError("thirteen")
            return number

        return work

    found: list[int] = []

    async def gather() -> None:
        async for number in in_order((make(i) for i in range(40)), width=4):
            found.append(number)

    with pytest.raises(EngineError, match="thirteen"):
        asyncio.run(gather())
    # Those under way beside the one that failed are finished; nothing new is begun.
    assert found[:13] == list(range(13))
    assert set(found[13:]) <= {14, 15, 16}
    assert most == 4
