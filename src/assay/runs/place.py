"""Where the ledger is, unless a command is told."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from assay.errors import InputError, UsageError

__all__ = ["where_ledger"]

_USUAL: Final = ".assay/ledger.sqlite"
_VARIABLE: Final = "ASSAY_LEDGER"


def where_ledger(option: str | None = None) -> str:
    """The ledger's place: ``--ledger``, ``ASSAY_LEDGER``, ``ledger`` in the settings file, ``.assay/ledger.sqlite``.

    A path in the settings file is relative to that file, any other to the working directory.
    """
    return option or os.environ.get(_VARIABLE) or _from_settings() or _USUAL


def _from_settings() -> str | None:
    import tomllib  # noqa: PLC0415 - only where nothing else says it

    from assay.checks.config import find_settings  # noqa: PLC0415

    path = find_settings(Path.cwd())
    if path is None:
        return None
    try:
        data: Any = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from error
    if path.name == "pyproject.toml":
        data = data["tool"]["assay"]
    value = data.get("ledger") if isinstance(data, dict) else None
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise UsageError(f"{path}: ledger is {value!r}; it must be a path or an address in quotes")
    return value if "://" in value or value == ":memory:" else str(path.parent / value)
