"""The default location of the ledger."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import msgspec

from assay.decoding import decode
from assay.settings import find_settings, read_settings

_USUAL: Final = ".assay/ledger.sqlite"
_VARIABLE: Final = "ASSAY_LEDGER"


class _LedgerTable(msgspec.Struct):
    """What a settings file says about the ledger: a path, relative to the file, or an address."""

    ledger: Annotated[str, msgspec.Meta(min_length=1)] | None = None


def ledger_location(option: str | None = None) -> str:
    """Return ``--ledger``, ``ASSAY_LEDGER``, ``ledger`` in the settings file, or ``.assay/ledger.sqlite``.

    A path in the settings file is relative to that file, any other to the working directory. With ``none``,
    commands that can do without a ledger keep nothing, and `open_ledger` refuses it.
    """
    return option or os.environ.get(_VARIABLE) or _from_settings() or _USUAL


def _from_settings() -> str | None:
    path = find_settings(Path.cwd())
    if path is None:
        return None
    value = decode(read_settings(path), _LedgerTable).ledger
    if value is None:
        return None
    return value if "://" in value or value in (":memory:", "none") else str(path.parent / value)
