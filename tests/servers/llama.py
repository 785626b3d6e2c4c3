"""The real SmolLM2 behind HTTP, one server for all workers of a test run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from assay.models.llama_server import LlamaServer, can_serve
from assay.models.local import FetchError, find_pullable, pull

MODEL = "smollm2-135m"
# Enough for every prompt of the tests, and small enough to be allocated at once.
CONTEXT = 4096


def model_file() -> Path:
    """The model's file, fetched once; the test is skipped where that cannot be done."""
    if not can_serve():
        pytest.skip("xllamacpp is not installed: pip install -e '.[dev,local]'")
    with FileLock(_lock_folder() / "pull.lock"):
        try:
            return pull(MODEL)
        except FetchError as error:
            pytest.skip(str(error))


@contextmanager
def shared_server(folder: Path, worker: str | None) -> Iterator[str]:
    """The base URL of the one server.

    The first worker to ask starts it. It ends with the process that started the workers, for no worker knows whether
    it is the last one that needs it.

    Args:
        folder: Shared by all workers of this run.
        worker: Name of this worker, if there are several.
    """
    path = model_file()
    # One thread: with as many as there are CPUs, workers that compute make it ten times slower.
    if worker is None:
        with LlamaServer(path, alias=MODEL, context=CONTEXT, threads=1) as server:
            yield server.base_url
        return
    note = folder / "llama.json"
    with FileLock(folder / "llama.lock"):
        if not note.exists():
            server = LlamaServer(path, alias=MODEL, context=CONTEXT, threads=1, owner=os.getppid()).start()
            _KEPT.append(server)
            note.write_text(json.dumps({"base_url": server.base_url}), encoding="utf-8")
    yield json.loads(note.read_text(encoding="utf-8"))["base_url"]


# So that what was started is not thought lost while it runs.
_KEPT: list[LlamaServer] = []


def _lock_folder() -> Path:
    folder = find_pullable(MODEL).path.parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder
