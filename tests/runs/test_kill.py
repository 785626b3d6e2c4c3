"""SIGKILL at random moments, and on again: every answered call is paid once, every judgment is there.

A server counts what it has answered; the child writes down which replies have reached it. What a kill may cost are the
calls that were under way, and nothing that the ledger has.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from run_helpers import comparable, experiment, run_all, write_rows

from assay.runs.ledger import open_ledger
from servers.fault import FaultServer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")

CHILD = Path(__file__).with_name("run_child.py")
TEXT = """
name: killed
subjects: r.jsonl
judges:
  - {judge: brief@lab/m, rubric: reflect-report, per_call: 1}
  - {judge: panel@lab/m, rubric: overall}
"""


def start(folder, *more):
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    return subprocess.Popen(
        [sys.executable, str(CHILD), "arrived", "run", "test.yaml", "--ledger", "l.sqlite", *more],
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answered(server):
    return sum(server.answered.values())


def wait_for(server, count, child, seconds=60):
    """Until so many calls are answered in all, or the child has ended; True if it runs."""
    end = time.monotonic() + seconds
    while answered(server) < count and child.poll() is None:
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.002)
    return child.poll() is None


def in_ledger(folder):
    """How many calls of each content the ledger has."""
    if not (folder / "l.sqlite").exists():
        return Counter()
    with open_ledger(folder / "l.sqlite", read_only=True) as ledger:
        keys = [key for (key,) in ledger._store.rows("SELECT key FROM calls")]
    return Counter(keys)


def arrived(folder):
    path = folder / "arrived"
    return path.read_text().split() if path.exists() else []


def kill_rounds(folder, server, rounds, rng, each):
    """Run and kill, again and again, then let it end. Gives what was lost at each kill."""
    kills = lost = 0
    while kills < rounds:
        child = start(folder)
        if not wait_for(server, answered(server) + rng.randint(1, each), child):
            raise AssertionError(f"it ended too soon: {child.communicate()}")
        time.sleep(rng.uniform(0, 0.03))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        kills += 1
        # Replies that had reached the process and are not in the ledger.
        lost += len(set(arrived(folder)) - set(in_ledger(folder)))
        (folder / "arrived").unlink(missing_ok=True)
    child = start(folder)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 0, (out, err)
    return lost


def check(folder, subjects, rounds, seed, each):
    write_rows(folder / "r.jsonl", subjects)
    with FaultServer(latency=0.03) as server:
        text = (
            TEXT + "providers: " + json.dumps({"lab": {"base_url": server.base_url, "concurrency": 8}}) + "\n"
        )
        (folder / "test.yaml").write_text(text)
        _, whole = run_all(experiment(folder, text), folder / "unkilled.sqlite")
        contents = set(server.answered)
        server.answered.clear()
        lost = kill_rounds(folder, server, rounds, random.Random(seed), each)
        twice = answered(server) - len(server.answered)
        assert set(server.answered) == contents
    calls = in_ledger(folder)
    assert len(calls) == len(contents)
    # Nothing that is in the ledger was asked again.
    assert set(calls.values()) == {1}
    # Whatever was paid twice was under way when the process was killed: at most all slots, each time. Those replies that
    # had reached it came in the very turn of the event loop it died in.
    assert lost <= twice <= 8 * rounds
    with open_ledger(folder / "l.sqlite", read_only=True) as ledger:
        (head,) = ledger.runs()
        assert head.status == "done"
        assert comparable(ledger.judgments(head.id)) == comparable(whole)
    sys.stdout.write(
        f"{rounds} kills, {len(contents)} calls: {twice} paid twice, of which {lost} had reached the process\n"
    )


def run_beside_each_other(folder, subjects, pause, *, kill=False):
    """Two processes make one run on one ledger; gives the contents, and how many calls were answered twice."""
    write_rows(folder / "r.jsonl", subjects)
    with FaultServer(latency=0.1) as server:
        rows = {"lab": {"base_url": server.base_url, "concurrency": 8}}
        (folder / "test.yaml").write_text(TEXT + "providers: " + json.dumps(rows) + "\n")
        one = start(folder)
        if pause:
            assert wait_for(server, 24, one)
        two = start(folder)
        if kill:
            assert wait_for(server, 60, one)
            one.send_signal(signal.SIGKILL)
        for child in (one, two):
            out, err = child.communicate(timeout=120)
            assert child.returncode == (-signal.SIGKILL if kill and child is one else 0), (out, err)
        twice = answered(server) - len(server.answered)
        contents = len(server.answered)
    assert len(in_ledger(folder)) == contents
    with open_ledger(folder / "l.sqlite", read_only=True) as ledger:
        (head,) = ledger.runs()
        assert len(list(ledger.judgments(head.id))) == 2 * subjects
        assert ledger._store.rows("SELECT * FROM claims") == []
    return contents, twice


@pytest.mark.parametrize("pause", [False, True], ids=["together", "one after the other"])
def test_two_processes_on_one_run_pay_once(tmp_path, pause):
    contents, twice = run_beside_each_other(tmp_path, 40, pause)
    assert contents > 200
    # Those that began alone may have had calls under way which the other could not see yet.
    assert twice <= 8


def test_the_claims_of_a_killed_process_are_taken_over(tmp_path):
    _, twice = run_beside_each_other(tmp_path, 40, False, kill=True)
    assert twice <= 16


def test_a_run_survives_kills(tmp_path):
    check(tmp_path, 12, 3, seed=1, each=25)


@pytest.mark.slow
def test_a_run_survives_many_kills(tmp_path):
    check(tmp_path, 60, 40, seed=2, each=14)


@pytest.fixture
def running(tmp_path):
    write_rows(tmp_path / "r.jsonl", 40)
    with FaultServer(latency=0.1) as server:
        rows = {"lab": {"base_url": server.base_url, "concurrency": 4}}
        (tmp_path / "test.yaml").write_text(TEXT + "providers: " + json.dumps(rows) + "\n")
        child = start(tmp_path)
        assert wait_for(server, 12, child)
        yield tmp_path, server, child
        if child.poll() is None:
            child.kill()
            child.communicate()


def test_ctrl_c_awaits_what_is_under_way(running):
    folder, server, child = running
    child.send_signal(signal.SIGINT)
    before = sum(server.counts.values())
    _, err = child.communicate(timeout=20)
    assert child.returncode == 130
    assert sum(server.counts.values()) <= before + 4
    # Every call that was answered is kept, those under way at the moment too.
    assert sum(in_ledger(folder).values()) == answered(server)
    assert "interrupted" in err
    assert "assay run test.yaml --ledger l.sqlite` continues from there" in err
    assert "Traceback" not in err
    with open_ledger(folder / "l.sqlite", read_only=True) as ledger:
        assert ledger.runs()[0].status == "interrupted"
    again = start(folder, "-q")
    again.communicate(timeout=60)
    assert again.returncode == 0
    assert set(server.answered.values()) == {1}


def test_a_polite_kill_is_like_ctrl_c(running):
    _, _, child = running
    child.send_signal(signal.SIGTERM)
    _, err = child.communicate(timeout=20)
    assert child.returncode == 130
    assert "interrupted" in err


def test_ctrl_c_twice_ends_at_once(running):
    folder, server, child = running
    server.latency = 30
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=8)
    assert child.returncode == 130
    assert "Traceback" not in err
    with open_ledger(folder / "l.sqlite", read_only=True) as ledger:
        assert ledger.runs()[0].status == "interrupted"
