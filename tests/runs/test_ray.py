"""Runs on Ray, in processes of their own: the table of the local engine, whatever happens to the workers."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from run_helpers import write_rows

from assay.cli.main import main
from servers.fault import FaultServer

pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed"),
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL"),
]
TEXT = """
name: shared
subjects: r.jsonl
judges:
  - {judge: brief@lab/m, rubric: reflect-report, per_call: 1}
  - {judge: panel@lab/m, rubric: overall}
"""


@pytest.fixture
def folder(tmp_path):
    write_rows(tmp_path / "r.jsonl", 24)
    (tmp_path / "e.yaml").write_text(TEXT)
    return tmp_path


def command(folder, server, *more, ledger="ray.sqlite"):
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "RAY_"))}
    return subprocess.Popen(
        [sys.executable, "-m", "assay", "run", "e.yaml", "--ledger", ledger, "-f", "json", *more],
        cwd=folder,
        env=environ | {"LAB_BASE_URL": server.base_url, "LAB_API_KEY": "k"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def on_ray(folder, server, *more, workers=3, **options):
    return command(folder, server, "--engine", "ray", "--workers", str(workers), *more, **options)


def ended(process, code=0):
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, err
    assert not out.strip() or out.startswith("{"), out
    return json.loads(out) if out.strip() else None, err


def local_table(folder, server):
    ended(command(folder, server, "-o", "local.jsonl", ledger="local.sqlite"))
    return (folder / "local.jsonl").read_bytes()


def worker_pids(parent):
    """Processes of Ray's workers below a process."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if b"ray::Worker" in (entry / "cmdline").read_bytes() and _below(int(entry.name), parent):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def _below(pid, parent):
    while pid > 1 and pid != parent:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid == parent


def wait_until(condition, process, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.02)


def test_the_table_is_that_of_the_local_engine_and_each_call_is_paid_once(folder):
    with FaultServer(latency=0.01) as server:
        table = local_table(folder, server)
        calls = sum(server.answered.values())
        server.answered.clear()
        found, _ = ended(on_ray(folder, server, "-o", "ray.jsonl"))
        assert (folder / "ray.jsonl").read_bytes() == table
        assert sum(server.answered.values()) == calls == found["paid"]["calls"]
        assert set(server.answered.values()) == {1}
        assert (found["made"], found["recalled"]) == (48, 0)
        # A second run finds all of it.
        again, _ = ended(command(folder, server, ledger="ray.sqlite"))
        assert (again["made"], again["recalled"]) == (0, 48)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc to find the workers in")
def test_a_killed_worker_is_started_again_and_loses_what_was_in_flight_at_most(folder):
    rng = random.Random(1)
    with FaultServer(latency=0.15) as server:
        table = local_table(folder, server)
        server.answered.clear()
        process = on_ray(folder, server, "-j", "6", "-o", "ray.jsonl")
        kills = 0
        for share in (0.2, 0.5):
            wait_until(
                lambda share=share: sum(server.answered.values()) > share * len(table.splitlines()) * 2,
                process,
            )
            pids = worker_pids(process.pid)
            assert pids
            os.kill(rng.choice(pids), signal.SIGKILL)
            kills += 1
        found, _ = ended(process)
        assert (folder / "ray.jsonl").read_bytes() == table
        # Two of six calls are in flight in each of three workers.
        assert sum(count - 1 for count in server.answered.values()) <= 2 * kills
        assert found["status"] == "done"


@pytest.mark.slow
def test_workers_share_a_ledger_in_postgresql(folder, postgres):
    url = postgres.database("ray")
    with FaultServer(latency=0.02) as server:
        table = local_table(folder, server)
        server.answered.clear()
        found, _ = ended(on_ray(folder, server, "-o", "ray.jsonl", ledger=url))
        assert (folder / "ray.jsonl").read_bytes() == table
        assert set(server.answered.values()) == {1}
        assert found["status"] == "done"


@pytest.mark.slow
def test_the_budget_is_one_for_all_workers(folder):
    with FaultServer(latency=0.02) as server:
        found, err = ended(on_ray(folder, server, "--max-total-tokens", "60000"), code=3)
        assert found["status"] == "stopped"
        used = found["paid"]["input_tokens"] + found["paid"]["output_tokens"]
        assert 0 < used <= 60000
        assert "the cap of 60,000 tokens is reached" in err


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_another_engine_goes_on(folder):
    with FaultServer(latency=0.1) as server:
        table = local_table(folder, server)
        server.answered.clear()
        process = on_ray(folder, server, "-j", "6")
        wait_until(lambda: sum(server.answered.values()) > 20, process)
        process.send_signal(signal.SIGINT)
        found, err = ended(process, code=130)
        assert 0 < found["made"] < 48
        assert "interrupted" in err
        rest, _ = ended(command(folder, server, "-o", "rest.jsonl", ledger="ray.sqlite"))
        assert rest["made"] + rest["recalled"] == 48
        assert (folder / "rest.jsonl").read_bytes() == table
        assert set(server.answered.values()) == {1}


@pytest.mark.slow
def test_a_wrong_key_ends_all_workers(folder):
    refusal = (401, {}, json.dumps({"error": {"message": "no such key"}}))
    with FaultServer([refusal] * 1000) as server:
        _, err = ended(on_ray(folder, server), code=2)
        assert "refuses the key in LAB_API_KEY" in err
        assert len(server.bodies) <= 3


def test_a_ledger_in_memory_cannot_be_shared(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LAB_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr(sys, "argv", ["assay", "run", "e.yaml", "--engine", "ray", "--ledger", ":memory:"])
    with pytest.raises(SystemExit) as ended_with:
        main()
    assert ended_with.value.code == 2
    assert "workers cannot share a ledger in memory" in capsys.readouterr().err


def test_rules_audit_on_ray_as_here(folder, root):
    texts = [
        *sorted((root / "examples/heat-pumps").glob("*.md")),
        *sorted((root / "examples/shanghai-reuse").glob("*.md")),
    ]
    audit = [
        sys.executable,
        "-m",
        "assay",
        "audit",
        *map(str, texts),
        "-f",
        "json",
        "--fail-on",
        "never",
        "-q",
    ]
    here, there = (
        subprocess.run([*audit, *more], cwd=folder, capture_output=True, timeout=120, check=True).stdout
        for more in ((), ("--engine", "ray", "-j", "2"))
    )
    assert here == there
    assert len(here.splitlines()) == len(texts)


def test_a_batch_file_is_answered_on_ray_and_goes_on_where_it_stopped(folder):
    def assay(*words):
        done = subprocess.run(  # noqa: PLW1510 - checked below, with what it said
            [sys.executable, "-m", "assay", *words], cwd=folder, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done

    (folder / "e.yaml").write_text(
        "name: b\nsubjects: r.jsonl\njudges:\n  - {judge: brief@scripted/random, rubric: overall}\n"
    )
    assay("run", "batch", "export", "e.yaml", "-o", "requests.jsonl")
    requests = (folder / "requests.jsonl").read_text().splitlines()
    # A kill has cut off the second line.
    assay("models", "answer", "requests.jsonl", "--model", "scripted/random", "-o", "here.jsonl")
    first, second, *_ = (folder / "here.jsonl").read_text().splitlines()
    (folder / "there.jsonl").write_text(f"{first}\n{second[:40]}\n")
    done = assay(
        "models", "answer", "requests.jsonl", "--model", "scripted/random", "-o", "there.jsonl", "--engine", "ray",
        "--workers", "2",
    )  # fmt: skip
    assert f"{len(requests) - 1} replies" in done.stderr
    replies = [(folder / name).read_text().splitlines() for name in ("here.jsonl", "there.jsonl")]
    assert set(replies[0]) == {line for line in replies[1] if line != second[:40]}
    taken = assay("run", "batch", "import", "e.yaml", "there.jsonl")
    assert f"{len(requests)} judgments" in taken.stdout + taken.stderr
