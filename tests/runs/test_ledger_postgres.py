"""The same ledger in a real PostgreSQL, started here where its programs are installed."""

import asyncio
import sys
import threading
import time

import pytest
from ledger_rows import call, judgment, request, run_row

from assay.errors import EngineError, InputError, MissingExtraError, UsageError
from assay.models.base import Message, Reply, Request
from assay.runs import postgres
from assay.runs.ledger import open_ledger
from assay.runs.postgres import without_password
from assay.runs.records import CallRow


@pytest.fixture(scope="module")
def server(postgres):
    return postgres


@pytest.fixture
def url(server, request):
    return server.database(f"t{abs(hash(request.node.name))}")


def test_everything_is_there_again(url):
    odd = Request(
        model="m", messages=(Message("user", "\0 \ud800 😀" * 40, "\ud83d\ude00" * 50), Message("user", "\0"))
    )
    row = CallRow(key=odd.key(), request=odd, reply=Reply(text="\0\ud800"), at=2.5)

    async def fill(ledger):
        await ledger.start_run(run_row())
        await ledger.record_call(row)
        await ledger.record_call(call(1, text="old", at=10.0))
        await asyncio.gather(*(ledger.record_call(call(number)) for number in range(700)))
        await ledger.record_answers(*judgment(0)[1])
        await asyncio.gather(
            *(
                ledger.record_judgment("run-first", *judgment(number, calls=[request(number).key()]))
                for number in range(700)
            )
        )
        await ledger.record_judgment("run-first", *judgment(700, status="failed"))
        await ledger.set_status("run-first", "done")
        await ledger.set_fact("caches", "yes")
        await ledger.set_fact("caches", "no")
        ledger.join("run-second", [f"{number:032x}" for number in range(701)])
        done = ledger.put_call(call(900))
        assert ledger.reply(request(900).key()) is not None  # seen before it is committed
        await done

    with open_ledger(url) as ledger:
        asyncio.run(fill(ledger))
    with open_ledger(url, read_only=True) as ledger:
        assert ledger.where.startswith("postgresql://assay@/t")
        assert next(ledger.calls([row.key])) == row
        assert [one.reply.text for one in ledger.history(request(1).key())] == ['{"score": 1}', "old"]
        keys = [f"{number:032x}" for number in range(700)]
        assert ledger.finished("run-first") == ledger.finished() == ledger.finished("run-second") == set(keys)
        assert [made.key for made in ledger.judgments("run-first")] == [*keys, f"{700:032x}"]
        assert sum(1 for _ in ledger.answers("run-first")) == 701
        assert ledger.answers_to(keys[3]) == judgment(3, calls=[request(3).key()])[1]
        assert ledger.coverage("run-first") == {"failed": 1, "ok": 700}
        assert ledger.usage_by_model("run-first")["test/m"].calls == 700
        assert (ledger.run("first").status, ledger.fact("caches")) == ("done", "no")
        assert [head.name for head in ledger.runs()] == ["first"]
        assert ledger.find_judgment("run-first", "0000") == keys[:10]
        with pytest.raises(UsageError, match="reading only"):
            asyncio.run(ledger.record_call(call(1)))


def test_two_ledgers_on_one_database(url):
    failures = []

    def work(first):
        async def fill(ledger):
            await asyncio.gather(*(ledger.record_call(call(number)) for number in range(first, first + 200)))

        try:
            with open_ledger(url) as ledger:
                asyncio.run(fill(ledger))
        except EngineError as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 100, 0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with open_ledger(url) as ledger:
        assert sum(1 for _ in ledger.calls(request(number).key() for number in range(300))) == 300


def test_the_server_goes_away_and_comes_back(server, url, monkeypatch):
    async def go(ledger):
        await ledger.record_call(call(1))
        server.stop()
        task = asyncio.create_task(ledger.record_call(call(2)))
        await asyncio.sleep(0.3)
        assert not task.done()
        await asyncio.to_thread(server.start)
        await task
        assert ledger.stored_reply(request(1).key()) is not None
        assert len(ledger.history(request(2).key())) == 1
        monkeypatch.setattr(postgres, "_PAUSES", ())
        server.stop()
        try:
            with pytest.raises(EngineError, match="run the same command again") as told:
                await ledger.record_call(call(3))
            assert "s3cret" not in str(told.value)
            with pytest.raises(EngineError):
                ledger.reply(request(1).key())
        finally:
            server.start()

    with open_ledger(url) as ledger:
        asyncio.run(go(ledger))


def test_what_cannot_be_opened(server, url):
    with pytest.raises(InputError, match="there is no ledger"):
        open_ledger(url, read_only=True)
    with pytest.raises(InputError, match="cannot be opened") as told:
        open_ledger(f"postgresql://assay:s3cret@/nowhere?host={server.folder}")
    assert "s3cret" not in str(told.value)


def test_calls_a_second(url):
    async def fill(ledger):
        numbers = iter(range(3000))

        async def caller():
            for number in numbers:
                await ledger.record_call(call(number))

        await asyncio.gather(*(caller() for _ in range(128)))

    with open_ledger(url) as ledger:
        began = time.perf_counter()
        asyncio.run(fill(ledger))
        rate = 3000 / (time.perf_counter() - began)
    assert rate > 200, rate


def test_without_the_driver(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"extra \[postgres\]"):
        open_ledger("postgresql://x/y")


def test_passwords_are_not_shown():
    assert (
        without_password("postgresql://me:s3cret@host:5433/db?sslmode=on") == "postgresql://me@host:5433/db"
    )
    assert without_password("postgresql://host/db?password=s3cret") == "postgresql://host/db"
    assert without_password("postgresql://me:s3cret@host:port/db") == "postgresql://…"
