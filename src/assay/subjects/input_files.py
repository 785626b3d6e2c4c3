"""Files, folders, globs and stdin, opened so that a stream is read once and in constant memory."""

from __future__ import annotations

import glob
import gzip
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from assay.errors import InputError
from assay.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

KNOWN_SUFFIXES: Final = (
    ".md", ".markdown", ".txt", ".text", ".json", ".jsonl", ".ndjson", ".eval", ".pdf", ".docx", ".html", ".htm",
)  # fmt: skip
# A file of this name holds the question that the reports beside it answer.
QUERY_FILE: Final = "query.txt"
_STDIN: Final = "<stdin>"


class InputFile(NamedTuple):
    """One file to read: its name as the caller gave it, and its suffix without ``.gz``. A ``path`` of None is stdin."""

    name: str
    path: Path | None
    suffix: str
    zipped: bool


def expand(target: str) -> Iterator[InputFile | InputError]:
    """Yield the files that a path, folder, glob or ``-`` stands for, in a fixed order; an error if there are none."""
    if target == "-":
        yield InputFile(_STDIN, None, "", zipped=False)
        return
    path = Path(target)
    try:
        if path.is_dir():
            yield from _folder(path)
            return
        exists = path.exists()
    except (OSError, ValueError) as error:
        yield InputError(f"not a usable path: {error}", where=target[:200])
        return
    if exists:
        yield _place(path)
        return
    if any(char in target for char in "*?["):
        matches = sorted(glob.glob(target, recursive=True))  # noqa: PTH207 - Path.glob refuses absolute patterns
        if not matches:
            yield InputError("no file matches this pattern", where=target)
        for match in matches:
            inner = Path(match)
            if inner.name == QUERY_FILE:
                continue
            yield from _folder(inner) if inner.is_dir() else (_place(inner),)
        return
    yield InputError("no such file or folder", where=target, hint=_near(path))


def _folder(folder: Path) -> Iterator[InputFile | InputError]:
    found: list[Path] = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            if _is_subject(name):
                found.append(Path(root, name))
    if not found:
        yield InputError(
            "no file to read in this folder",
            where=str(folder),
            hint="known suffixes: " + " ".join(KNOWN_SUFFIXES),
        )
    for path in sorted(found):
        yield _place(path)


def _is_subject(name: str) -> bool:
    """Return whether a file in a folder holds subjects: a known suffix, and neither a README nor the query file."""
    lower = name.lower()
    if lower.startswith((".", "readme")) or lower == QUERY_FILE:
        return False
    return lower.removesuffix(".gz").endswith(KNOWN_SUFFIXES)


def query_beside(folder: Path) -> str | None:
    """Return the text of ``query.txt`` in a folder, or None if there is no such file."""
    file = folder / QUERY_FILE
    if not file.is_file():
        return None
    try:
        return file.read_text(encoding="utf-8-sig").strip() or None
    except (OSError, UnicodeError):
        return None


def _place(path: Path) -> InputFile:
    name = path.name.lower()
    zipped = name.endswith(".gz")
    return InputFile(str(path), path, Path(name.removesuffix(".gz")).suffix, zipped)


def _near(path: Path) -> str | None:
    try:
        names = [entry.name for entry in os.scandir(path.parent)][:2000]
    except OSError:
        return None
    near = closest(path.name, names, n=1)
    return f"did you mean {path.parent / near[0]}?" if near else None


def open_place(place: InputFile) -> io.BufferedReader:
    """Return an open binary stream with ``peek``; gzip is unpacked on the way."""
    if place.path is None:
        return io.BufferedReader(_Unclosed(sys.stdin.buffer))
    raw = place.path.open("rb")
    if place.zipped:
        # The reader owns the file: closing the reader closes both.
        return io.BufferedReader(_Gzip(raw))
    return raw


class _Gzip(io.RawIOBase):
    """A gzip file that closes what it reads from."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._file = gzip.GzipFile(fileobj=raw, mode="rb")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        self._raw.close()
        super().close()


class _Unclosed(io.RawIOBase):
    """Standard input, left open for the next reader."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        read = getattr(self._raw, "read1", self._raw.read)
        data = read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def size_of(place: InputFile) -> int | None:
    """Return the size of a plain file in bytes, or None for a stream or a packed file."""
    if place.path is None or place.zipped or not place.path.is_file():
        return None
    return place.path.stat().st_size


def limited(count: int) -> str:
    """Return a byte count as people read it."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.4g} {unit}"
    return f"{count} bytes"
