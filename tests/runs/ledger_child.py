"""Processes that write to a ledger and are killed, crowded or run out of disk; started by test_ledger_hard.py.

ledger_child.py kill PATH ROUNDS    forks writers, kills each at a random moment, checks what is left
ledger_child.py write PATH START COUNT
ledger_child.py full PATH BYTES     no file may grow beyond
"""

import asyncio
import os
import random
import resource
import select
import signal
import sqlite3
import sys
import time

from ledger_rows import call, judgment, request

from assay.errors import EngineError
from assay.runs.ledger import open_ledger


def say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def writer(path, start, out):
    """Record calls and judgments; say so after each: ``c`` written to the log, ``C`` durable, ``J`` a judgment.

    A call is in the log one turn of the loop after it was put there.
    """

    async def one(ledger, number):
        row = call(number)
        done = ledger.put_call(row)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        if row.key not in ledger._commits.batch.replies:  # as it is where another had the lock
            os.write(out, f"c{number}\n".encode())
        await done
        os.write(out, f"C{number}\n".encode())
        await ledger.record_judgment("run", *judgment(number, calls=[row.key]))
        os.write(out, f"J{number}\n".encode())

    async def go(ledger):
        numbers = iter(range(start, start + 100_000))

        async def worker():
            for number in numbers:
                await one(ledger, number)
                await asyncio.sleep(random.random() * 0.01)

        await asyncio.gather(*(worker() for _ in range(16)))

    # Without this a log of less than 16 MB would never be copied, let alone be killed at it.
    import assay.runs.sqlite

    assay.runs.sqlite._COPY_AT = 200_000
    with open_ledger(path) as ledger:
        asyncio.run(go(ledger))


def kill(path, rounds):
    said = {"c": set(), "C": set(), "J": set()}
    for turn in range(rounds):
        start = turn * 1_000_000
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            try:
                writer(path, start, write)
            finally:
                os._exit(9)
        os.close(write)
        ready, _, _ = select.select([read], [], [], 30)
        assert ready, "the child says nothing"
        time.sleep(random.random() * 0.15)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), status
        data = b""
        while more := os.read(read, 1 << 16):
            data += more
        os.close(read)
        for line in data.decode().split("\n")[:-1]:
            said[line[0]].add(int(line[1:]))
    con = sqlite3.connect(path)
    assert con.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    con.close()
    with open_ledger(path) as ledger:
        for number in said["c"] | said["C"]:
            row = call(number, at=0.0)
            assert ledger.reply(row.key) == row.reply, number
        finished = ledger.finished("run")
        assert {f"{number:032x}" for number in said["J"]} <= finished
        # A judgment is there with its answers, and these with their calls, or it is not there.
        assert sum(1 for _ in ledger.answers("run")) == len(finished)
        assert sum(1 for _ in ledger.calls(ledger.call_keys("run"))) == len(finished)
    say(*(len(said[kind]) for kind in "cCJ"))


def write(path, start, count):
    async def go(ledger):
        async def one(number):
            await ledger.record_call(call(number))
            await ledger.record_judgment("run", *judgment(number, calls=[request(number).key()]))

        for first in range(start, start + count, 10):
            await asyncio.gather(*(one(number) for number in range(first, first + 10)))

    with open_ledger(path) as ledger:
        asyncio.run(go(ledger))


def full(path, size):
    done = []

    async def go(ledger):
        for number in range(10_000):
            await ledger.record_call(call(number, lead=f"{number}" * 1000))
            done.append(number)

    with open_ledger(path) as ledger:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        try:
            asyncio.run(go(ledger))
        except EngineError as error:
            say(error)
            # What could not be written is not there, not even in part, and reading goes on.
            lost = request(len(done), lead=f"{len(done)}" * 1000).key()
            assert ledger.reply(lost) is None
            assert ledger.reply(request(0, lead="0" * 1000).key()) is not None
    say(len(done))


if __name__ == "__main__":
    name, place, *numbers = sys.argv[1:]
    {"kill": kill, "write": write, "full": full}[name](place, *map(int, numbers))
