"""What ended a run is told, and not that it has ended."""

from __future__ import annotations

import asyncio

import pytest

from assay.errors import EngineError
from assay.models.base import ModelSetupError
from assay.runs.prefix_limiter import HaltedError
from assay.runs.recording_judge import _all, in_order


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
        asyncio.run(_all(make() for make in makes))


def test_where_nothing_else_went_wrong_it_is_raised() -> None:
    async def work() -> None:
        async for _ in in_order([fine, halted], width=2):
            pass

    with pytest.raises(EngineError, match="the run is ending"):
        asyncio.run(work())
