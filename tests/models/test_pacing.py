"""Limits, pauses and waits, in no time."""

import asyncio
import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.base import ModelSetupError
from assay.models.faults import Fault, fault_of, retry_after
from assay.models.rate_limiter import CallSlots, Limiter, RateWindow
from assay.models.retry import Pacing, RetryPolicy


class FakeClock:
    """Time passes when somebody sleeps: to the earliest moment anybody waits for."""

    def __init__(self):
        self.now = 0.0
        self.waiting = []

    def time(self):
        return self.now

    async def sleep(self, seconds):
        wake = self.now + seconds
        self.waiting.append(wake)
        try:
            while self.now < wake:
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                if min(self.waiting) == wake:
                    self.now = max(self.now, wake)
        finally:
            self.waiting.remove(wake)


NOW = datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({}, b"", None),
        ({"retry-after": "7"}, b"", 7.0),
        ({"retry-after": "0.5"}, b"", 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, b"", 0.25),
        ({"retry-after": "Sun, 22 Nov 2026 12:00:30 GMT"}, b"", 30.0),
        ({"retry-after": "Sun, 22 Nov 2026 11:00:00 GMT"}, b"", 0.0),
        ({"retry-after": "6m0s"}, b"", 360.0),
        ({"retry-after": "soon"}, b"", None),
        ({"retry-after": "-5"}, b"", None),
        ({"retry-after": "nan"}, b"", None),
        ({}, b'{"error": {"details": [{"@type": "RetryInfo", "retryDelay": "34.5s"}]}}', 34.5),
    ],
)
def test_retry_after(headers, body, seconds):
    assert retry_after(headers, body, now=NOW) == seconds


@given(st.text(max_size=30), st.binary(max_size=60))
def test_retry_after_never_fails(text, body):
    seconds = retry_after({"retry-after": text}, body)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, b'{"error":{"message":"Rate limit reached for requests"}}', "rate"),
        (429, b'{"error":{"message":"You exceeded your current quota, check billing","status":"RESOURCE_EXHAUSTED"}}', "rate"),
        (429, b'{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}', "money"),
        (429, b'{"error":{"message":"Request too large for m on tokens per min (TPM): Limit 30000, Requested 44323."}}', "long"),
        (402, b"", "money"),
        (400, b'{"error":{"message":"Your credit balance is too low"}}', "money"),
        (408, b"", "busy"), (409, b"", "busy"), (500, b"", "busy"), (502, b"<html>", "busy"), (529, b"", "busy"),
        (401, b"", "key"),
        (400, b'[{"error":{"message":"API key not valid. Please pass a valid API key. invalid api key"}}]', "key"),
        (403, b"<html>blocked</html>", "forbidden"),
        (404, b"", "model"),
        (400, b'{"error":{"message":"model `x` does not exist"}}', "model"),
        (400, b'{"error":{"message":"maximum context length is 4096 tokens"}}', "long"),
        (413, b"", "long"),
        (400, b'{"message":"the request exceeds the available context size"}', "long"),
        (400, b'{"error":{"code":"content_filter","message":"filtered"}}', "declined"),
        (400, b"", "field"), (422, b"", "field"),
        (405, b"", "request"), (302, b"", "request"),
    ],
)  # fmt: skip
def test_what_an_answer_means(status, body, kind):
    assert fault_of(status, {}, body).kind == kind


@given(st.integers(100, 599), st.binary(max_size=200))
def test_any_answer_means_something(status, body):
    fault = fault_of(status, {}, body)
    assert fault.message.startswith(f"HTTP {status}")
    assert "\n" not in fault.message


@given(st.integers(1, 40), st.randoms())
def test_backoff_grows_to_a_cap_and_is_jittered(tries, rng):
    policy = RetryPolicy(base=0.5, cap=60)
    assert 0 <= policy.backoff(tries, rng) <= min(60, 0.5 * 2 ** (tries - 1))
    assert policy.bound(1) == 0.5
    assert policy.bound(40) == 60


def test_many_refusals_of_one_moment_lengthen_the_pause_once():
    clock = FakeClock()
    pacing = Pacing(RetryPolicy(base=1, cap=60), clock, random.Random(1))
    first = pacing.too_many(0.0, None)
    assert 0.5 <= first <= 1
    clock.now = 0.1
    for _ in range(50):
        assert pacing.too_many(-1.0, None) == pytest.approx(first - 0.1)
    clock.now = 5.0
    assert 1 <= pacing.too_many(5.0, None) <= 2  # the next one is longer
    pacing.succeeded()
    clock.now = 10.0
    assert pacing.too_many(10.0, None) <= 1  # and after a success it is short again
    assert pacing.too_many(-1.0, 33.0) == pytest.approx(33.0)  # what the endpoint asks for is kept


def test_a_stop_wakes_whoever_sleeps():
    async def go():
        pacing = Pacing(RetryPolicy())
        sleepers = [asyncio.create_task(pacing.nap(3600)) for _ in range(5)]
        await asyncio.sleep(0)
        pacing.stop("no such model")
        found = await asyncio.wait_for(asyncio.gather(*sleepers, return_exceptions=True), 1)
        assert {str(error) for error in found} == {"no such model"}
        with pytest.raises(ModelSetupError):
            await pacing.after(Fault(kind="busy", message="x"), 1)

    asyncio.run(go())


def test_slots_go_to_who_came_first():
    async def go():
        slots, order = CallSlots(2), []

        async def one(i):
            await slots.enter()
            order.append(i)
            await asyncio.sleep(0)
            slots.leave()

        await asyncio.gather(*(one(i) for i in range(9)))
        assert order == list(range(9))

    asyncio.run(go())


def test_whoever_gives_up_waiting_takes_no_slot_along():
    async def go():
        slots = CallSlots(1)
        await slots.enter()
        gone = asyncio.create_task(slots.enter())
        given_up = asyncio.create_task(slots.enter())
        stays = asyncio.create_task(slots.enter())
        await asyncio.sleep(0)
        gone.cancel()
        slots.leave()
        given_up.cancel()  # at the moment the slot becomes its own
        await asyncio.wait_for(stays, 1)
        slots.leave()
        await asyncio.wait_for(slots.enter(), 1)

    asyncio.run(go())


steps = st.lists(st.tuples(st.floats(0, 30), st.integers(1, 120)), min_size=1, max_size=40)


@given(st.integers(50, 200), steps)
def test_no_minute_holds_more_than_the_limit(limit, asked):
    window, now, sent = RateWindow(limit), 0.0, []
    for gap, amount in asked:
        now += gap
        while (pause := window.wait(amount, now)) > 0:
            now += pause
        window.spend(amount, now)
        sent.append((now, amount))
    for start, first in sent:
        within = sum(amount for at, amount in sent if start <= at < start + 60 - 1e-6)
        assert within <= max(limit, first, *(amount for _, amount in sent))


def test_a_limit_is_used_up_and_then_waited_for():
    clock = FakeClock()

    async def go():
        limiter = Limiter(rpm=5, clock=clock.time, nap=clock.sleep)
        times = []

        async def one():
            entry = await limiter.enter()
            times.append(clock.now)
            limiter.leave(entry)

        await asyncio.gather(*(one() for _ in range(12)))
        return times

    assert asyncio.run(go()) == [0.0] * 5 + [60.0] * 5 + [120.0] * 2


def test_tokens_are_corrected_when_they_are_known():
    clock = FakeClock()

    async def go():
        limiter = Limiter(tpm=1000, clock=clock.time, nap=clock.sleep)
        entry = await limiter.enter(900)
        limiter.leave(entry, 100)
        await limiter.enter(800)
        assert clock.now == 0
        await limiter.enter(200)
        assert clock.now == 60
        await limiter.enter(5000)  # more than any minute allows goes alone
        assert clock.now == 120

    asyncio.run(go())


def test_without_limits_nothing_waits_or_counts():
    async def go():
        limiter = Limiter(clock=lambda: 0.0, nap=asyncio.sleep)
        assert not limiter.counts_tokens
        assert await limiter.enter(10**9) is None
        limiter.leave(None, 5)

    asyncio.run(go())
