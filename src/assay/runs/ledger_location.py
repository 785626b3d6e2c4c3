"""Where the ledger is, unless a command is told."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from assay.errors import UsageError
from assay.settings import find_settings, read_settings

_USUAL: Final = ".assay/ledger.sqlite"
_VARIABLE: Final = "ASSAY_LEDGER"


def ledger_location(option: str | None = None) -> str:
    """The ledger's place: ``--ledger``, ``ASSAY_LEDGER``, ``ledger`` in the settings file, ``.assay/ledger.sqlite``.

    A path in the settings file is relative to that file, any other to the working directory. ``none`` is no place: what
    can do without a ledger keeps nothing, and `open_ledger` refuses it.
    """
    return option or os.environ.get(_VARIABLE) or _from_settings() or _USUAL


def _from_settings() -> str | None:
    path = find_settings(Path.cwd())
    if path is None:
        return None
    value = read_settings(path).get("ledger")
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise UsageError(f"{path}: ledger is {value!r}; it must be a path or an address in quotes")
    return value if "://" in value or value in (":memory:", "none") else str(path.parent / value)
