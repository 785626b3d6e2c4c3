"""Killed, crowded, out of disk, damaged: what was confirmed is there, and the message says how to go on."""

import asyncio
import errno
import json
import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from ledger_rows import call, judgment, request, run_row

from assay.errors import EngineError, InputError, UsageError
from assay.runs import log_sync as syncing
from assay.runs.ledger import open_ledger

CHILD = Path(__file__).with_name("ledger_child.py")


def child(*args):
    return subprocess.Popen(
        [sys.executable, str(CHILD), *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process, seconds=120):
    out, err = process.communicate(timeout=seconds)
    assert process.returncode == 0, err
    return out


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_killed_at_random_moments_nothing_that_was_said_is_lost(tmp_path):
    written, durable, judgments = map(int, finished(child("kill", tmp_path / "x.sqlite", 24)).split())
    assert written >= durable >= judgments > 24


def test_two_processes_write_and_a_third_reads(tmp_path):
    path = tmp_path / "x.sqlite"
    # They start on an empty folder, and half of what they ask is the same.
    writers = [child("write", path, 0, 400), child("write", path, 200, 400)]
    seen = 0
    while any(process.poll() is None for process in writers):
        if path.exists() and path.stat().st_size:
            try:
                with open_ledger(path, read_only=True) as ledger:
                    now = len(ledger.finished("run"))
            except InputError:
                continue  # not made yet
            assert now >= seen
            seen = now
    for process in writers:
        finished(process)
    with open_ledger(path, read_only=True) as ledger:
        assert len(ledger.finished("run")) == 600
        assert ledger.usage_by_model("run")["test/m"].calls == 600
        assert all(ledger.reply(request(number).key()) == call(number).reply for number in range(600))
        with pytest.raises(UsageError, match="reading only"):
            asyncio.run(ledger.record_call(call(1)))


def test_a_lock_is_waited_for_without_stopping_the_loop(tmp_path):
    async def go(ledger):
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(ledger.record_call(call(1)))
        turns = 0
        for _ in range(20):
            await asyncio.sleep(0.002)
            turns += 1
        assert not task.done()
        assert ledger.reply(request(1).key()) is not None
        other.execute("COMMIT")
        other.close()
        await task
        return turns

    path = tmp_path / "x.sqlite"
    with open_ledger(path) as ledger:
        assert asyncio.run(go(ledger)) == 20
        assert ledger.reply(request(1).key()) is not None


def test_locked_for_good(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.runs.group_commit._PATIENCE", 0.05)

    async def go(ledger):
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(EngineError, match="locked"):
            await ledger.record_call(call(1))
        other.close()
        await ledger.record_call(call(2))

    path = tmp_path / "x.sqlite"
    with open_ledger(path) as ledger:
        asyncio.run(go(ledger))
        assert ledger.reply(request(1).key()) is None
        assert ledger.reply(request(2).key()) is not None


def test_the_disk_is_full(tmp_path):
    pytest.importorskip("resource")
    path = tmp_path / "x.sqlite"
    *message, count = finished(child("full", path, 400_000)).split("\n")[:-1]
    assert "what was recorded before is kept; make room and run the same command again" in message[0]
    with open_ledger(path) as ledger:  # there is room again
        assert int(count) > 10
        for number in range(int(count)):
            assert ledger.reply(request(number, lead=f"{number}" * 1000).key()) is not None
        asyncio.run(ledger.record_call(call(99_999)))
    con = sqlite3.connect(path)
    assert con.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    con.close()


def test_damaged_files_are_named_and_never_a_traceback(tmp_path):
    path = tmp_path / "x.sqlite"

    async def fill(ledger):
        await ledger.start_run(run_row())
        for number in range(300):
            await ledger.record_call(call(number))
            await ledger.record_judgment("run-first", *judgment(number, calls=[request(number).key()]))

    with open_ledger(path) as ledger:
        asyncio.run(fill(ledger))
    whole = path.read_bytes()
    chance = random.Random(3)
    told = set()
    for turn in range(40):
        data = bytearray(whole)
        if turn % 4 == 0:
            del data[chance.randrange(len(data)) :]
        else:
            at = chance.randrange(len(data) - 20_000)
            data[at : at + 20_000] = chance.randbytes(20_000)
        path.write_bytes(data)
        try:
            with open_ledger(path) as ledger:
                ledger.run("first")
                list(ledger.calls(request(number).key() for number in range(300)))
                list(ledger.judgments("run-first"))
                list(ledger.answers("run-first"))
                ledger.finished()
                asyncio.run(ledger.record_call(call(1)))
        except (EngineError, InputError, UsageError) as error:
            told.add(str(error).split(": ", 1)[1].partition(" (")[0].split(";")[0])
        for extra in tmp_path.glob("x.sqlite-*"):
            extra.unlink()
    assert any("damaged" in line for line in told), told
    assert not any("bug" in line or "Traceback" in line for line in told)


def read_all(path):
    with open_ledger(path, read_only=True) as ledger:
        ledger.run("first")
        list(ledger.calls([request(1).key()]))
        list(ledger.judgments("run-first"))
        list(ledger.answers("run-first"))


def test_one_changed_bit_of_a_row_is_told(tmp_path):
    path = tmp_path / "x.sqlite"

    async def fill(ledger):
        await ledger.start_run(run_row())
        await ledger.record_call(call(1))
        await ledger.record_judgment("run-first", *judgment(1, calls=[request(1).key()]))

    with open_ledger(path) as ledger:
        asyncio.run(fill(ledger))
    con = sqlite3.connect(path, isolation_level=None)
    chance = random.Random(5)
    for table, column in (("calls", "reply"), ("judgments", "data"), ("answers", "data"), ("runs", "plan")):
        rows = con.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        for rowid, text in rows:
            json.loads(text)  # readable with any tool
            for _ in range(40):
                data = bytearray(text.encode())
                data[chance.randrange(16, len(data))] ^= 1 << chance.randrange(7)
                con.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (data.decode(), rowid))
                with pytest.raises(EngineError, match="cannot be read"):
                    read_all(path)
            con.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (text, rowid))
    con.close()


def test_a_failed_sync_is_the_end_of_promises(tmp_path, monkeypatch):
    def fails(file):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    async def go(ledger):
        await ledger.record_call(call(1))
        monkeypatch.setattr(syncing, "_to_disk", fails)
        for number in (2, 3):
            with pytest.raises(EngineError, match="could not be synced"):
                await ledger.record_call(call(number))

    with open_ledger(tmp_path / "x.sqlite") as ledger:
        asyncio.run(go(ledger))


def test_a_file_system_without_sync_or_without_a_log(tmp_path, monkeypatch):
    def unknown(file):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(syncing, "_to_disk", unknown)
    with open_ledger(tmp_path / "x.sqlite") as ledger:
        asyncio.run(ledger.record_call(call(1)))
        assert ledger.reply(request(1).key()) is not None
    # Another process that keeps the old journal keeps the log from being turned on.
    path = tmp_path / "y.sqlite"
    open_ledger(path).close()
    con = sqlite3.connect(path, isolation_level=None)
    con.execute("PRAGMA journal_mode = DELETE")
    from assay.runs.sqlite import SqliteStore

    one = SqliteStore._one
    monkeypatch.setattr(
        SqliteStore, "_one", lambda self, sql: "delete" if "journal_mode" in sql else one(self, sql)
    )
    with open_ledger(path) as ledger:
        asyncio.run(ledger.record_call(call(1)))
        assert con.execute("SELECT count(*) FROM calls").fetchone() == (1,)
    con.close()


def test_the_log_does_not_grow_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.runs.sqlite._COPY_AT", 1 << 20)
    monkeypatch.setattr("assay.runs.sqlite._HOLD_AT", 3 << 20)

    async def go(ledger):
        for first in range(0, 6000, 50):
            await asyncio.gather(
                *(ledger.record_call(call(n, text="x" * 4000)) for n in range(first, first + 50))
            )

    path = tmp_path / "x.sqlite"
    with open_ledger(path) as ledger:
        asyncio.run(go(ledger))
        log = Path(f"{path}-wal").stat().st_size
    assert path.stat().st_size > 24e6
    assert log < 16e6


def test_one_bad_row_leaves_its_neighbours_alone():
    async def go(ledger):
        bad = call(1)
        good = ledger.put_call(call(2))
        with pytest.raises(UsageError):
            ledger.put_call(type(bad)(key="\ud800", request=bad.request, reply=bad.reply, at=0.0))
        await good

    with open_ledger(":memory:") as ledger:
        asyncio.run(go(ledger))
        assert ledger.reply(request(2).key()) is not None


def contents(path):
    """Everything that a ledger has, as its readers give it."""
    with open_ledger(path, read_only=True) as ledger:
        (run,) = ledger.runs()
        keys = ledger.call_keys(run.id)
        return (
            list(ledger.judgments(run.id)),
            list(ledger.answers(run.id)),
            sorted(ledger.calls(keys), key=lambda row: row.key),
        )


def test_a_changed_bit_on_any_page_is_told_and_never_a_traceback(tmp_path):
    path = tmp_path / "l.sqlite"

    async def fill(ledger):
        await ledger.start_run(run_row())
        await asyncio.gather(
            *(ledger.record_call(call(number, text="a reply " * 60)) for number in range(80))
        )
        for number in range(80):
            row, answers = judgment(number, calls=[request(number).key()])
            await ledger.record_judgment("run-first", row, answers)

    with open_ledger(path) as ledger:
        asyncio.run(fill(ledger))
    whole, rng = path.read_bytes(), random.Random(3)
    before, page = contents(path), 4096
    told = same = 0
    silent = []
    for start in range(page, len(whole), page):
        at = start + rng.randrange(page)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << rng.randrange(8))]) + whole[at + 1 :])
        try:
            after = contents(path)
        except (EngineError, InputError, UsageError):
            told += 1
            continue
        if after == before:
            same += 1
        else:
            silent.append(start // page)
    assert told + same + len(silent) >= 20
    # What stands in columns of its own (times, statuses, links between rows) has no checksum.
    assert len(silent) <= 0.15 * (told + same + len(silent)), silent
