"""A real PostgreSQL for the tests of ledgers that several processes share."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from servers.postgres import Server, program


@pytest.fixture(scope="module")
def postgres():
    pytest.importorskip("psycopg", reason="the driver of assay[postgres] is not installed")
    missing = [name for name in ("initdb", "pg_ctl", "createdb") if program(name) is None]
    if missing:
        pytest.skip(f"PostgreSQL is not installed: no {', '.join(missing)}")
    if os.geteuid() == 0 and subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode:
        pytest.skip("as root, PostgreSQL needs a user postgres to run as")
    # Not tmp_path: the path of a socket must be short, and the server's user must get there.
    folder = tempfile.mkdtemp(prefix="assay-pg-")
    Path(folder).chmod(0o777)  # for the server's user
    started = Server(folder)
    yield started
    started.stop()
    shutil.rmtree(folder, ignore_errors=True)
