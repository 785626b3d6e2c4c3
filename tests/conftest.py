"""Shared places and real material."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast an example is made or run depends on what else the machine does, and says nothing about the code.
# In CI the same examples each time, so that a change is judged by what it changes; elsewhere they differ from run to run.
settings.register_profile(
    "any-machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("any-machine")
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def examples() -> Path:
    return ROOT / "examples"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real reports and trajectories of third parties, kept beside the checkout; the tests that want them skip without."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no shared data beside the checkout")
    return folder


@pytest.fixture(scope="session")
def real_reports(shared: Path) -> list[dict]:
    """Every sixth real report of each system, as rows."""
    rows = []
    for name in ("reports_raw/claude-3-7-sonnet", "reports/odr-gpt-5", "reports/odr-gpt-4.1"):
        text = (shared / "deepresearch_bench" / f"{name}.jsonl").read_text(encoding="utf-8")
        rows.extend([json.loads(line) for line in text.splitlines()][::6])
    return rows


@pytest.fixture(scope="session")
def llama_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Base URL of a llama.cpp server with the real SmolLM2, shared by all workers. Short prompts: 100 tokens a second."""
    from servers.llama import shared_server

    worker = os.environ.get("PYTEST_XDIST_WORKER")
    base = tmp_path_factory.getbasetemp()
    with shared_server(base.parent if worker else base, worker) as url:
        yield url
