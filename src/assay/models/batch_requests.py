"""Requests written to batch files in OpenAI's format.

{"custom_id": KEY, "method": "POST", "url": "/v1/chat/completions", "body": {…}}
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from assay.errors import InputError

CHAT_URL: Final = "/v1/chat/completions"
# Limits of OpenAI and Azure.
MOST_REQUESTS: Final = 50_000
MOST_BYTES: Final = 200_000_000


class BatchWriter:
    """Writes requests, each once, into one file, or into several if a provider limits their size.

    The files appear under their names once everything is written.

    Args:
        path: The file; further ones are called ``….part2…``, ``….part3…``.
        url: Endpoint named in every line.
        most_requests: Maximum requests per file.
        most_bytes: Maximum bytes per file.

    Attributes:
        paths: The finished files.
        keys: Keys of the requests written.
        size: Bytes of all files.
    """

    def __init__(
        self,
        path: Path,
        *,
        url: str = CHAT_URL,
        most_requests: int = MOST_REQUESTS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.paths: list[Path] = []
        self.keys: set[str] = set()
        self.size = 0
        self._path = path
        self._tail = b',"method":"POST","url":%s,"body":' % msgspec.json.encode(url)
        self._most_requests = most_requests
        self._most_bytes = most_bytes
        self._digest = hashlib.blake2b(digest_size=8)
        self._drafts: list[tuple[Path, Path]] = []
        self._file: BinaryIO | None = None
        self._count = self._bytes = 0

    @property
    def digest(self) -> str:
        """Hash of everything written."""
        return self._digest.hexdigest()

    def write(self, key: str, body: bytes) -> None:
        """Add a request unless it was added before."""
        if key in self.keys:
            return
        self.keys.add(key)
        line = b'{"custom_id":%s%s%s}\n' % (msgspec.json.encode(key), self._tail, body)
        self._digest.update(line)
        full = self._count >= self._most_requests or self._bytes + len(line) > self._most_bytes
        if self._file is None or full:
            self._file = self._next()
        self._file.write(line)
        self._count += 1
        self._bytes += len(line)
        self.size += len(line)

    def close(self) -> None:
        """Finish the files and give them their names."""
        if self._file is not None:
            self._file.close()
            self._file = None
        for draft, path in self._drafts:
            draft.replace(path)
            self.paths.append(path)
        self._drafts.clear()

    def discard(self) -> None:
        """Delete the unfinished files."""
        if self._file is not None:
            self._file.close()
            self._file = None
        for draft, _ in self._drafts:
            draft.unlink(missing_ok=True)
        self._drafts.clear()

    def stale(self) -> list[Path]:
        """Return files of an earlier, longer round under names that follow this round's; call it after `close`."""
        stale = [] if self.paths or not self._path.exists() else [self._path]
        number = max(2, len(self.paths) + 1)
        while (path := self._part(number)).exists():
            stale.append(path)
            number += 1
        return stale

    def _part(self, number: int) -> Path:
        return self._path if number == 1 else self._path.with_suffix(f".part{number}{self._path.suffix}")

    def _next(self) -> BinaryIO:
        if self._file is not None:
            self._file.close()
        path = self._part(len(self._drafts) + 1)
        draft = path.with_name(f".{path.name}.unfinished")
        try:
            file = draft.open("wb")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
        self._drafts.append((draft, path))
        self._count = self._bytes = 0
        return file
