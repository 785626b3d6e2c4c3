import asyncio

import pytest
from event_clock import run
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.models.base import CallFailedError, Message, Reply, Request, Usage
from assay.runs.prefix_limiter import HaltedError, PrefixLimiter


class Timed:
    """Takes as long as told, and writes down when what was under way."""

    id = "test/timed"

    def __init__(self, seconds=1.0, *, caches=None, fail=()):
        self.seconds = seconds
        self.caches = caches
        self.fail = set(fail)
        self.log = []
        self.active = 0
        self.most = 0
        self.read = set()
        self.cold = 0

    async def complete(self, request):
        lead, text = request.messages[1].lead, request.messages[1].text
        loop = asyncio.get_running_loop()
        self.active += 1
        self.most = max(self.most, self.active)
        self.log.append((loop.time(), lead, text))
        if lead not in self.read:
            self.cold += 1
        try:
            await asyncio.sleep(self.seconds(lead, text) if callable(self.seconds) else self.seconds)
        finally:
            self.active -= 1
        if text in self.fail:
            raise CallFailedError(f"{text} failed")
        cached = 100 if self.caches is True and lead in self.read else 0
        self.read.add(lead)
        return Reply(text=text, usage=Usage(1, 120, cached), reports_cache=self.caches is not None)

    async def close(self):
        pass


def ask(lead, text):
    return Request(model="test/timed", messages=(Message("system", "", "s"), Message("user", text, lead)))


async def all_of(gate, pairs):
    return await asyncio.gather(*(gate.complete(ask(*pair)) for pair in pairs), return_exceptions=True)


def grid(documents, each):
    return [(f"d{i}", f"{i}.{j}") for i in range(documents) for j in range(each)]


def test_first_of_a_document_goes_first_and_alone():
    model = Timed()

    async def main():
        await all_of(PrefixLimiter(model, slots=4, warming="wait"), grid(3, 5))

    run(main())
    first = {}
    for at, lead, text in model.log:
        if lead in first:
            # Nobody else of the document before its first call is through.
            assert at >= first[lead] + 1.0
        else:
            first[lead] = at
            assert text.endswith(".0")
    assert model.cold == 3
    # The leaders go at once, the followers fill the slots: 1 + 12/4 seconds.
    assert max(at for at, _, _ in model.log) + 1 == 4.0


def test_followers_go_before_the_next_document():
    model = Timed()

    async def main():
        await all_of(PrefixLimiter(model, slots=1, warming="wait"), grid(3, 3))

    run(main())
    assert [text for _, _, text in model.log] == [
        "0.0", "0.1", "0.2", "1.0", "1.1", "1.2", "2.0", "2.1", "2.2"
    ]  # fmt: skip


@pytest.mark.parametrize("warming", ["fill", "off", "auto"])
def test_no_slot_is_idle_while_there_is_work(warming):
    model = Timed()

    async def main():
        await all_of(PrefixLimiter(model, slots=8, warming=warming), grid(4, 10))
        return asyncio.get_running_loop().time()

    assert run(main()) == pytest.approx(5.0, abs=0.05)
    assert model.most == 8


def test_fill_prefers_other_documents_to_cold_followers():
    model = Timed()

    async def main():
        await all_of(PrefixLimiter(model, slots=4, warming="fill"), grid(4, 3))

    run(main())
    assert [text for at, _, text in model.log if at == 0] == ["0.0", "1.0", "2.0", "3.0"]
    assert model.cold == 4


def test_auto_waits_once_the_endpoint_is_seen_to_cache():
    model = Timed(caches=True)

    async def main():
        gate = PrefixLimiter(model, slots=4)
        await all_of(gate, grid(1, 4))
        assert gate.caches
        cold = model.cold
        await all_of(gate, [("other", str(i)) for i in range(4)])
        return cold

    assert run(main()) == 4  # before it was known
    assert model.cold == 5


def test_auto_stops_waiting_for_a_cache_that_is_none():
    model = Timed(caches=False)  # it reports cached tokens, and always none

    async def main():
        gate = PrefixLimiter(model, slots=4)
        await all_of(gate, grid(1, 4))
        assert gate.caches
        short = grid(1, 40)
        await all_of(gate, short)
        # What is too short to be cached tells nothing.
        assert gate.caches
        await all_of(gate, [("long" * 2000, text) for _, text in short])
        assert gate.caches is False
        start = asyncio.get_running_loop().time()
        await all_of(gate, [("other", str(i)) for i in range(4)])
        return asyncio.get_running_loop().time() - start

    assert run(main()) == pytest.approx(1.0, abs=0.05)


def test_when_the_first_fails_the_others_go_at_once():
    model = Timed(fail={"0.0"})

    async def main():
        results = await all_of(PrefixLimiter(model, slots=8, warming="wait"), grid(1, 5))
        return results, asyncio.get_running_loop().time()

    results, seconds = run(main())
    assert isinstance(results[0], CallFailedError)
    assert all(isinstance(item, Reply) for item in results[1:])
    assert seconds == 2.0


def test_a_cancelled_first_call_lets_the_others_go():
    model = Timed()

    async def main():
        gate = PrefixLimiter(model, slots=1, warming="wait")
        busy = asyncio.create_task(gate.complete(ask("other", "busy")))
        await asyncio.sleep(0)
        leader = asyncio.create_task(gate.complete(ask("d", "leader")))
        follower = asyncio.create_task(gate.complete(ask("d", "follower")))
        await asyncio.sleep(0.5)
        leader.cancel()
        await asyncio.gather(busy, follower)
        assert gate.active == 0
        # The slot is free, and the gate as good as new.
        await gate.complete(ask("e", "after"))

    run(main())
    assert [text for _, _, text in model.log] == ["busy", "follower", "after"]


def test_cancelling_one_that_was_just_let_in_gives_the_slot_back():
    model = Timed()

    async def main():
        gate = PrefixLimiter(model, slots=1, warming="off")
        first = asyncio.create_task(gate.complete(ask("", "first")))
        second = asyncio.create_task(gate.complete(ask("", "second")))
        third = asyncio.create_task(gate.complete(ask("", "third")))
        first.add_done_callback(lambda _: second.cancel())
        await asyncio.gather(first, second, third, return_exceptions=True)
        assert gate.active == 0
        assert third.result().text == "third"

    run(main())


def test_halt_turns_away_who_waits_and_lets_who_is_through_finish():
    model = Timed()

    async def main():
        gate = PrefixLimiter(model, slots=2, warming="wait")
        tasks = [asyncio.create_task(gate.complete(ask(*pair))) for pair in grid(3, 3)]
        await asyncio.sleep(0.5)
        gate.halt()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        with pytest.raises(HaltedError):
            await gate.complete(ask("late", "late"))
        assert gate.active == 0
        return results

    results = run(main())
    assert [isinstance(item, Reply) for item in results].count(True) == 2
    assert all(isinstance(item, Reply | HaltedError) for item in results)


CALLS = st.lists(
    st.tuples(
        st.integers(0, 4),  # document; 0: none
        st.floats(0, 10),  # arrival
        st.floats(0.01, 5),  # latency
        st.sampled_from(["ok", "ok", "ok", "fail", "cancel"]),
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=120, deadline=None)
@given(
    CALLS,
    st.integers(1, 5),
    st.sampled_from(["auto", "wait", "fill", "off"]),
    st.sampled_from([None, False, True]),
)
def test_nobody_waits_for_ever_and_slots_are_kept(calls, slots, warming, caches):
    latency = {str(i): item[2] for i, item in enumerate(calls)}
    model = Timed(
        lambda lead, text: latency[text],
        caches=caches,
        fail={str(i) for i, item in enumerate(calls) if item[3] == "fail"},
    )

    async def one(gate, index):
        document, arrival, _, fate = calls[index]
        await asyncio.sleep(arrival)
        request = ask(f"d{document}" if document else "", str(index))
        if fate == "cancel":
            return await asyncio.wait_for(gate.complete(request), 0.5)
        return await gate.complete(request)

    async def main():
        gate = PrefixLimiter(model, slots=slots, warming=warming)
        results = await asyncio.gather(*(one(gate, i) for i in range(len(calls))), return_exceptions=True)
        assert gate.active == 0
        assert not gate._cold
        return results, asyncio.get_running_loop().time()

    results, seconds = run(main())
    assert model.most <= slots
    # In turn they would take this long, and no wait is longer than all of them together.
    assert seconds <= 10 + sum(item[2] for item in calls) + 1
    for (_, _, _, fate), result in zip(calls, results, strict=True):
        assert isinstance(result, Reply | CallFailedError) or (
            fate == "cancel" and isinstance(result, TimeoutError)
        )


@settings(max_examples=60, deadline=None)
@given(CALLS, st.integers(1, 5))
def test_fill_is_work_conserving(calls, slots):
    """At no moment does a call wait while a slot is free."""
    latency = {str(i): item[2] for i, item in enumerate(calls)}
    waiting = set()

    class Watched(Timed):
        async def complete(self, request):
            waiting.discard(request.messages[1].text)
            return await super().complete(request)

    model = Watched(lambda lead, text: latency[text])
    idle = []

    async def main():
        gate = PrefixLimiter(model, slots=slots, warming="fill")

        async def one(index):
            document, arrival, _, _ = calls[index]
            await asyncio.sleep(arrival)
            waiting.add(str(index))
            await gate.complete(ask(f"d{document}", str(index)))

        async def watch():
            while True:
                await asyncio.sleep(0.1)
                for _ in range(5):
                    await asyncio.sleep(0)  # let those that were let in begin
                if waiting and gate.active < slots and gate._patient is None:
                    idle.append(asyncio.get_running_loop().time())

        watcher = asyncio.create_task(watch())
        await asyncio.gather(*(one(i) for i in range(len(calls))))
        watcher.cancel()

    run(main())
    assert not idle
