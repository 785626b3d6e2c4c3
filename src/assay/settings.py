"""The settings file: ``assay.toml``, or ``[tool.assay]`` in ``pyproject.toml``.

Each room decodes its own tables of the one file. What they share is here: finding the file and reading it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from assay.errors import UsageError
from assay.located import LocatedData, read_data_file

_FILES: Final = ("assay.toml", "pyproject.toml")
_TABLE: Final = "tool.assay"


def find_settings(start: Path) -> Path | None:
    """Return the nearest settings file in ``start`` or above it.

    A ``pyproject.toml`` counts if it has a table ``[tool.assay]``.
    """
    for folder in (start, *start.parents):
        for name in _FILES:
            path = folder / name
            if path.is_file() and (name == "assay.toml" or _has_table(path)):
                return path
    return None


def read_settings(path: Path) -> LocatedData:
    """Return all tables of a settings file.

    Raises:
        InputError: The file cannot be read or is not TOML.
        UsageError: It is a ``pyproject.toml`` without a table ``[tool.assay]``.
    """
    file = read_data_file(path)
    if path.name != "pyproject.toml":
        return file
    table = _assay_table(file.data)
    if table is None:
        raise UsageError(f"{path}: has no table [tool.assay]")
    lines = {
        key.removeprefix(f"{_TABLE}."): line
        for key, line in file.lines.items()
        if key.startswith(f"{_TABLE}.")
    }
    return LocatedData(table, file.name, lines)


def _has_table(path: Path) -> bool:
    # A pyproject.toml that cannot be read concerns its owner, until it is named on the command line.
    try:
        return _assay_table(tomllib.loads(path.read_text("utf-8"))) is not None
    except (OSError, ValueError, RecursionError):
        return False


def _assay_table(data: dict[str, Any]) -> dict[str, Any] | None:
    tool = data.get("tool")
    table = tool.get("assay") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None
