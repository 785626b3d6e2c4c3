"""Datasets of Hugging Face by name, ``hf:owner/name[:split]``: their rows, read by the library ``datasets``."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, Final

from assay.errors import EngineError, MissingExtraError, UsageError

PREFIX: Final = "hf:"


def hub_rows(name: str) -> tuple[str, Iterator[tuple[str, dict[str, Any]]]]:
    """Return the name of a dataset, and its rows, each with its place. The first split where none is named.

    Raises:
        MissingExtraError: ``datasets`` is not installed.
        UsageError: The name is malformed, or there is no such dataset or split.
        EngineError: It could not be fetched.
    """
    path, split = _split(name.removeprefix(PREFIX))
    try:
        # An extra, and slow to import.
        datasets: Any = importlib.import_module("datasets")
    except ImportError as error:
        raise MissingExtraError(f"reading {name}", "hf") from error
    # Its bars would draw over whatever is on the terminal.
    datasets.disable_progress_bars()
    try:
        found = datasets.load_dataset(path, split=split) if split else datasets.load_dataset(path)
    except (FileNotFoundError, ValueError) as error:
        # The library says so of an unknown dataset as of an unknown split.
        raise UsageError(f"{name}: {_line(error)}") from error
    except (OSError, RuntimeError) as error:
        raise EngineError(f"{name} could not be fetched: {_line(error)}") from error
    if not split:
        split = next(iter(found))
        found = found[split]
    return path, (
        (f"{PREFIX}{path}:{split}:{number}", dict(row)) for number, row in enumerate(found, start=1)
    )


def _split(text: str) -> tuple[str, str]:
    path, _, split = text.partition(":")
    if not path.strip("/") or ":" in split:
        raise UsageError(
            f"{PREFIX}{text} names no dataset; write {PREFIX}owner/name or {PREFIX}owner/name:split"
        )
    return path, split


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
