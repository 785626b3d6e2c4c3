"""No request is sent twice, no reply is used before it is durable, and a cancelled caller disturbs no other."""

import asyncio
import gc
import time

import pytest
from ledger_rows import Counting, request

from assay.models.base import CallFailedError, Reply, Usage
from assay.runs.ledger import open_ledger
from assay.runs.recorded_model import RecordedModel


def run(go, where=":memory:", **rest):
    with open_ledger(where) as ledger:
        model = Counting(**{key: rest.pop(key) for key in ("seconds", "fail") if key in rest})
        recorded = RecordedModel(model, ledger, **rest)
        asyncio.run(go(recorded, model, ledger))
    gc.collect()  # an exception nobody fetched would be complained about here


async def until(items):
    """Wait until a list has an item; a thread may take its time."""
    async with asyncio.timeout(30):
        while not items:  # noqa: ASYNC110 - the list is filled by a callback of the ledger
            await asyncio.sleep(0.005)


def test_the_second_time_is_free(tmp_path):
    told = []

    async def first(recorded, model, ledger):
        reply = await recorded.complete(request(1))
        assert await recorded.complete(request(1)) is not None
        assert await recorded.complete(request(1)) == reply
        assert (model.asked, recorded.paid.calls, recorded.recalled.calls) == (1, 1, 2)

    async def second(recorded, model, ledger):
        assert recorded.id == "test/m"
        reply = await recorded.complete(request(1))
        assert reply.usage.cost_usd == 0.5  # what it took, whoever paid
        assert (model.asked, recorded.paid, recorded.recalled) == (0, Usage(), Usage(1, 50, 0, 5, 0.5))
        await recorded.complete(request(2))
        assert told == [(request(1), False), (request(2), True)]
        await recorded.close()
        assert model.closed

    path = tmp_path / "x.sqlite"
    run(first, path)
    run(second, path, on_reply=lambda asked, reply, paid: told.append((asked, paid)))


def test_the_same_question_at_once_is_one_call():
    async def go(recorded, model, ledger):
        replies = await asyncio.gather(*(recorded.complete(request(number % 3)) for number in range(30)))
        assert len({reply.text for reply in replies}) == 3
        assert (model.asked, recorded.paid.calls, recorded.recalled.calls) == (3, 3, 27)

    run(go)


def test_a_reply_is_durable_before_it_is_used(tmp_path):
    async def go(recorded, model, ledger):
        held = []
        settle = ledger._commits._settle
        ledger._commits._settle = lambda batches, error: held.append((batches, error))
        first = asyncio.create_task(recorded.complete(request(1)))
        await until(held)
        # Recorded and not yet durable: a second caller waits as well.
        second = asyncio.create_task(recorded.complete(request(1)))
        await asyncio.sleep(0.02)
        assert not first.done()
        assert not second.done()
        settle(*held[0])
        assert await first == await second
        assert model.asked == 1
        ledger._commits._settle = settle

    run(go, tmp_path / "x.sqlite")


def test_fresh_asks_again_once_and_a_resumed_run_keeps_its_own():
    async def go(recorded, model, ledger):
        old = await recorded.complete(request(1))
        began = time.time()
        again = RecordedModel(model, ledger, fresh=True)
        new = await again.complete(request(1))
        assert new != old
        assert await again.complete(request(1)) == new
        assert [row.reply for row in ledger.history(request(1).key())] == [new, old]
        resumed = RecordedModel(model, ledger, fresh=began)
        assert await resumed.complete(request(1)) == new
        assert await recorded.complete(request(1)) == new
        assert model.asked == 2

    run(go)


def test_failures_are_raised_to_all_and_not_kept():
    async def go(recorded, model, ledger):
        told = await asyncio.gather(
            *(recorded.complete(request(1)) for _ in range(3)), return_exceptions=True
        )
        assert [str(error) for error in told] == ["gave up"] * 3
        assert model.asked == 1
        model.fail = None
        assert isinstance(await recorded.complete(request(1)), Reply)
        assert model.asked == 2
        assert recorded.paid.calls == 1

    run(go, fail=CallFailedError("gave up", attempts=5))


def test_one_who_leaves_does_not_disturb_the_others():
    async def go(recorded, model, ledger):
        first = asyncio.create_task(recorded.complete(request(1)))
        await asyncio.sleep(0.01)
        second = asyncio.create_task(recorded.complete(request(1)))
        await asyncio.sleep(0.01)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert (await second).text.startswith("reply 1")
        assert (model.asked, model.cancelled) == (1, 0)

    run(go, seconds=0.05)


def test_the_last_one_who_leaves_ends_the_call():
    async def go(recorded, model, ledger):
        tasks = [asyncio.create_task(recorded.complete(request(1))) for _ in range(2)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # Who asks now gets a call of its own, not the one that is ending.
        assert await recorded.complete(request(1)) is not None
        assert (model.asked, model.cancelled) == (2, 1)

    run(go, seconds=0.05)


def test_who_leaves_while_it_is_recorded_loses_nothing(tmp_path):
    async def go(recorded, model, ledger):
        commits = ledger._commits
        settle, held = commits._settle, []
        commits._settle = lambda *settled: held.append(settled)
        task = asyncio.create_task(recorded.complete(request(1)))
        await until(held)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        commits._settle = settle
        settle(*held[0])

    path = tmp_path / "x.sqlite"
    run(go, path)
    with open_ledger(path) as ledger:
        assert ledger.reply(request(1).key()) is not None


def test_a_loop_that_ends_keeps_what_was_answered(tmp_path):
    async def go(recorded, model, ledger):
        asyncio.create_task(recorded.complete(request(1)))  # noqa: RUF006 - left alone on purpose
        for _ in range(100):
            await asyncio.sleep(0)
            if ledger._fresh:
                break

    path = tmp_path / "x.sqlite"
    run(go, path, seconds=0)
    with open_ledger(path) as ledger:
        assert ledger.reply(request(1).key()) is not None
