"""Bodies of replies: whatever a server sends, only so much of it is read, unpacked and kept."""

import asyncio
import gzip
import json
import random
import tracemalloc

import pytest

from assay.errors import InputError
from assay.models import batch_responses, response_body
from assay.models.base import CallFailedError, Message, Request
from assay.models.batch_responses import Responses
from assay.models.checkup import check_model
from assay.models.registry import open_model
from assay.models.response_body import MAX_REPLY_BYTES
from servers.fault import FaultServer, bomb

MiB = 1 << 20


@pytest.fixture
def peak():
    """Peak of the memory that Python allocated in this process, in bytes, since the test began."""
    bomb()
    tracemalloc.start()
    tracemalloc.reset_peak()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


def model_at(server, **settings):
    return open_model(f"lab/m{random.random()}", environ={"LAB_BASE_URL": server.base_url}, **settings)


def ask(server, calls=1, **settings):
    async def go():
        model = model_at(server, **settings)
        requests = [Request(model=model.id, messages=(Message("user", f"{n}?"),)) for n in range(calls)]
        try:
            return await asyncio.gather(*map(model.complete, requests), return_exceptions=True)
        finally:
            await model.close()

    return asyncio.run(go())


@pytest.mark.parametrize("behaviour", ["huge", "huge_declared", "bomb"])
def test_an_oversized_reply_is_dropped_early_and_fails_its_call_only(behaviour, peak):
    with FaultServer([behaviour]) as server:
        (failed,) = ask(server)
        (answered,) = ask(server)
    assert isinstance(failed, CallFailedError)
    assert "the response is larger than 8 MiB" in str(failed)
    assert sum(server.counts.values()) == 2, "an oversized reply is not asked for again"
    assert answered.text
    # A little more may be under way in the buffers of both sides.
    assert server.sent <= MAX_REPLY_BYTES + 8 * MiB
    assert peak() < 4 * MAX_REPLY_BYTES


def test_many_bombs_at_once(peak):
    with FaultServer(["bomb"] * 8) as server:
        failures = ask(server, calls=8)
    assert all(isinstance(failure, CallFailedError) for failure in failures)
    assert peak() < 8 * 4 * MAX_REPLY_BYTES


def test_an_oversized_error_page_is_cut_and_means_what_its_status_says(peak):
    with FaultServer(["huge_error", "ok"]) as server:
        (reply,) = ask(server)
    assert reply.attempts == 2
    assert server.sent <= 8 * MiB
    assert peak() < 8 * MiB


def test_a_checkup_of_a_server_that_sends_too_much(peak):
    async def go(server):
        model = model_at(server)
        try:
            return await check_model(model)
        finally:
            await model.close()

    with FaultServer(["bomb"], models=[{"id": "x" * (9 * MiB)}]) as server:
        checkup, error = asyncio.run(go(server))
    assert not checkup.works
    assert "larger than 8 MiB" in checkup.problem
    assert isinstance(error, CallFailedError)
    assert peak() < 80 * MiB  # most of it is the server's own list


@pytest.mark.parametrize("behaviour", ["gzip", "deflate"])
def test_compressed_replies_are_read(behaviour):
    with FaultServer([behaviour]) as server:
        (reply,) = ask(server)
    assert reply.text == FaultServer.reply_text(server.bodies[0])
    assert server.headers[0]["Accept-Encoding"] == "gzip, deflate"


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [("gzip_cut", "the gzip body is cut off"), ("zstd", "encoded as 'zstd', which was not requested")],
)
def test_replies_that_cannot_be_unpacked_are_asked_for_again(behaviour, message):
    with FaultServer([behaviour, "ok"]) as server:
        (reply,) = ask(server)
    assert reply.attempts == 2
    with FaultServer([behaviour] * 9) as server:
        (failed,) = ask(server, max_attempts=2)
    assert message in str(failed)


def row(key, text="yes"):
    body = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    return json.dumps({"custom_id": key, "response": {"status_code": 200, "body": body}}).encode() + b"\n"


@pytest.mark.parametrize("packed", [True, False])
def test_an_oversized_line_of_a_batch_is_reported_and_the_others_are_read(tmp_path, packed, peak):
    data = row("a") + row("b", "x" * (9 * MiB)) + row("c")
    path = tmp_path / "out.jsonl"
    path.write_bytes(gzip.compress(data, 1) if packed else data)
    with Responses([path]) as responses:
        assert list(responses.keys()) == ["a", "c"]
        assert responses.body("c") is not None
        assert responses.unreadable == [f"{path}:2: the line is longer than 8 MiB"]


def test_a_batch_file_that_is_a_bomb(tmp_path, peak):
    path = tmp_path / "out.jsonl.gz"
    path.write_bytes(bomb())
    with pytest.raises(InputError, match="holds no response; line 1: the line is longer than 8 MiB"):
        Responses([path])
    assert peak() < 6 * MAX_REPLY_BYTES


def test_a_batch_file_that_unpacks_to_too_many_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(batch_responses, "MOST_UNPACKED", 1 << 16)
    path = tmp_path / "out.jsonl.gz"
    path.write_bytes(gzip.compress(row("a") * 10_000))
    with pytest.raises(InputError, match="unpacks to more than"):
        Responses([path])


def test_every_size_up_to_the_bound_is_read_whole(monkeypatch):
    monkeypatch.setattr(response_body, "MAX_REPLY_BYTES", 1000)
    for size, fits in ((999, True), (1000, True), (1001, False)):
        unpacker = response_body._Unpacker("gzip", 1000)
        data = gzip.compress(random.Random(size).randbytes(size))
        try:
            for start in range(0, len(data), 7):
                unpacker.feed(data[start : start + 7])
            assert fits
            assert len(unpacker.finish()) == size
        except response_body.OversizedBodyError:
            assert not fits
