"""A folder of snapshots: what each address gave, when, and why some gave nothing.

``sources.jsonl`` has one line for each address; texts lie in files beside it, named by the hash of what came. The folder is one that
``assay audit --sources`` reads.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.errors import InputError
from assay.subjects.references import normalize_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

INDEX: Final = "sources.jsonl"
SCHEMA: Final = "assay.snapshot/1"
# Characters of a text that is kept.
_LONGEST: Final = 2_000_000

Outcome = Literal["ok", "refused", "forbidden", "robots", "too_large", "timeout", "unreachable", "no_text"]


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What one address gave.

    Attributes:
        schema: The contract.
        url: The address as cited.
        outcome: "ok", or why there is no text: "refused" by the server, "forbidden" here, "robots" (the site asks not
            to), "too_large", "timeout", "unreachable", "no_text" (nothing to read, such as a picture).
        why: The same in words.
        status: HTTP status of the last answer.
        final_url: The address after redirects.
        content_type: What the server says it is.
        fetched: When, in UTC (ISO 8601).
        size: Bytes as unpacked.
        sha256: Hash of these bytes.
        title: Title of the page.
        file: Its text, relative to the folder.
    """

    url: str
    outcome: Outcome
    schema: str = SCHEMA
    why: str = ""
    status: int | None = None
    final_url: str | None = None
    content_type: str = ""
    fetched: str = ""
    size: int = 0
    sha256: str = ""
    title: str = ""
    file: str | None = None


class SnapshotFolder:
    """A folder of snapshots, made if it does not exist.

    Args:
        path: The folder.

    Raises:
        InputError: It cannot be used, or its index is broken.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be a folder of snapshots: {error.strerror}", where=str(path)) from error
        self._found: dict[str, Snapshot] = {}
        self._index = self.path / INDEX
        if self._index.exists():
            self._read()

    def __iter__(self) -> Iterator[Snapshot]:
        return iter(self._found.values())

    def get(self, url: str) -> Snapshot | None:
        """Return the snapshot of an address in any spelling."""
        return self._found.get(normalize_url(url))

    def put(self, snapshot: Snapshot, text: str | None) -> Snapshot:
        """Keep a snapshot with its text; a later one of the same address takes its place."""
        if text is not None:
            name = f"{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:24]}.txt"
            place = self.path / name
            if not place.exists():
                part = place.with_suffix(".part")
                part.write_text(text[:_LONGEST], "utf-8", errors="replace")
                part.replace(place)
            snapshot = msgspec.structs.replace(snapshot, file=name)
        self._found[normalize_url(snapshot.url)] = snapshot
        # One line each, so that an interruption loses none that is written; when it is read, the last counts.
        with self._index.open("ab") as stream:
            stream.write(msgspec.json.encode(snapshot) + b"\n")
        return snapshot

    def tidy(self) -> None:
        """Write the index with one line for each address."""
        part = self._index.with_suffix(".part")
        part.write_bytes(b"".join(msgspec.json.encode(item) + b"\n" for item in self._found.values()))
        part.replace(self._index)

    def _read(self) -> None:
        lines = self._index.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                item = msgspec.json.decode(line, type=Snapshot)
            except msgspec.DecodeError as error:
                # The last line may have been cut off by a kill.
                if number >= len(lines) - 1:
                    continue
                raise InputError(f"is not a snapshot: {error}", where=f"{self._index}:{number}") from error
            self._found[normalize_url(item.url)] = item
