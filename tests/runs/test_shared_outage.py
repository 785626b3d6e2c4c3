"""Two processes on one ledger in PostgreSQL, which is started again under them: nothing is paid for twice, and both end well."""

import os
import subprocess
import sys
import time

import pytest
from run_helpers import write_rows

from servers.fault import FaultServer

TEXT = """
name: shared
subjects: r.jsonl
judges:
  - {judge: brief@lab/m, rubric: reflect-report, per_call: 1}
"""


def start(folder, server, url):
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    return subprocess.Popen(
        [sys.executable, "-m", "assay", "run", "e.yaml", "--ledger", url, "-j", "4", "-q"],
        cwd=folder,
        env=environ | {"LAB_BASE_URL": server.base_url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_a_database_that_is_started_again(tmp_path, postgres):
    write_rows(tmp_path / "r.jsonl", 40)
    (tmp_path / "e.yaml").write_text(TEXT)
    url = postgres.database("outage")
    with FaultServer(latency=0.15) as server:
        first = start(tmp_path, server, url)
        while sum(server.answered.values()) < 20:
            assert first.poll() is None, first.communicate()
            time.sleep(0.02)
        postgres.stop()
        time.sleep(0.5)
        postgres.start()
        second = start(tmp_path, server, url)
        for process in (first, second):
            _, err = process.communicate(timeout=120)
            assert process.returncode == 0, err
        # What was in flight when the database stopped may be asked again.
        assert sum(count - 1 for count in server.answered.values()) <= 4
