"""Where settings come from: ``assay.toml``, or ``[tool.assay]`` in ``pyproject.toml``.

Each room reads its own tables of the one file; what they share is finding it, reading it, and refusing what nobody knows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from assay.decoding import kind_of
from assay.errors import InputError, UsageError
from assay.suggest import did_you_mean

# Tables that belong to other rooms than the checks; who reads one room's settings leaves the others alone.
TABLES: Final = ("models", "providers", "ledger", "prompts")

_FILES: Final = ("assay.toml", "pyproject.toml")


def find_settings(start: Path) -> Path | None:
    """The nearest settings file in ``start`` or above it; a ``pyproject.toml`` counts when it has ``[tool.assay]``."""
    for folder in (start, *start.parents):
        for name in _FILES:
            path = folder / name
            if path.is_file() and (name == "assay.toml" or _has_table(path)):
                return path
    return None


def _has_table(path: Path) -> bool:
    # A pyproject that cannot be read is somebody else's business until it is named.
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False
    tool = data.get("tool")
    return isinstance(tool, dict) and "assay" in tool


def read_settings(path: Path) -> dict[str, Any]:
    """All of a settings file, as plain data.

    Raises:
        InputError: It cannot be read or is not TOML.
        UsageError: It is a ``pyproject.toml`` without ``[tool.assay]``.
    """
    try:
        data: Any = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", where=str(path), hint="save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not valid TOML: {error}", where=str(path)) from error
    if path.name == "pyproject.toml":
        data = data.get("tool", {}).get("assay")
        if not isinstance(data, dict):
            raise UsageError(f"{path}: there is no table [tool.assay] in it")
    return dict(data)


def table_of(value: Any, where: str) -> Mapping[str, Any]:
    """``value``, which must be a table.

    Raises:
        UsageError: It is not.
    """
    if not isinstance(value, dict):
        raise UsageError(f"{where} is {kind_of(value)}; it must be a table")
    return value


def refuse_unknown(data: Iterable[str], known: Iterable[str], where: str) -> None:
    """Refuse keys that are not among the known.

    Raises:
        UsageError: One is not; the message offers the nearest.
    """
    names = tuple(known)
    for key in data:
        if key not in names:
            raise UsageError(f"{where}: unknown key {key!r}; {did_you_mean(key.replace('_', '-'), names)}")
