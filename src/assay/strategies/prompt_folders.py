"""Folders of a user's own prompts: those named in the call, then those of the settings file.

    prompts = "prompts"                  # in assay.toml: a folder or a list of them, relative to the file

A template in the first folder that has one of its name replaces the package's.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from assay.decoding import decode
from assay.errors import InputError
from assay.settings import find_settings, read_settings


class _PromptsTable(msgspec.Struct):
    """The setting of a settings file: a folder or a list of folders, relative to the file."""

    prompts: str | list[str] = []


def prompt_folders(given: Iterable[str | Path] = (), *, start: Path | None = None) -> tuple[Path, ...]:
    """Return the folders of prompts; the first has priority.

    Args:
        given: Folders of the call; they come before those of the settings file.
        start: Folder from which the settings file is looked for, upwards; the working directory if None.

    Raises:
        InputError: A folder does not exist, or the setting does not name folders.
    """
    folders = [Path(folder) for folder in given]
    for folder in folders:
        if not folder.is_dir():
            raise InputError("is not a folder of prompts", where=str(folder))
    settings = find_settings((start or Path.cwd()).absolute())
    if settings is None:
        return tuple(folders)
    named = decode(read_settings(settings), _PromptsTable).prompts
    names = [named] if isinstance(named, str) else named
    for name in names:
        folder = settings.parent / name
        if not folder.is_dir():
            raise InputError("is not a folder of prompts", where=str(folder), hint=f"named in {settings}")
        folders.append(folder)
    return tuple(folders)
