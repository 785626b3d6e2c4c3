import os

import pytest
from click.testing import CliRunner

from assay.cli.main import root

GOOD = "# Title\n\nThe pump is quiet. It heats the house.\n"
# The table's total is wrong: an error of NUM009 that no change of wording will move.
BAD = "# Title\n\nSites by region:\n\n| Region | Sites |\n|---|---|\n| North | 120 |\n| South | 80 |\n| Total | 230 |\n"


@pytest.fixture(autouse=True)
def _clean(monkeypatch, tmp_path):
    """No settings of whoever runs the tests; an empty folder to work in."""
    for name in list(os.environ):
        if name.startswith("ASSAY_") or name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def assay():
    """Run a command; the result has exit_code, stdout, stderr."""

    def run(*args, **rest):
        return CliRunner().invoke(root, [str(arg) for arg in args], prog_name="assay", **rest)

    return run


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.md"
    path.write_text(GOOD, "utf-8")
    return path


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "bad.md"
    path.write_text(BAD, "utf-8")
    return path
