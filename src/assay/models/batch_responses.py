"""Responses of batch files in OpenAI's format, found by their request.

    {"custom_id": KEY, "response": {"status_code": 200, "body": {…}}, "error": null}

``custom_id`` is the key of the request, so responses may come in any order, in several files, and incomplete.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, Self, cast

import msgspec

from assay.errors import InputError
from assay.models.faults import Fault, fault_of
from assay.models.response_body import MAX_REPLY_BYTES
from assay.models.wire import brief

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Disk space that a gzipped file of responses may take unpacked: room for as many long replies as a file has requests.
MOST_UNPACKED: Final = 4 << 30

_NULL: Final = msgspec.Raw(b"null")
_BATCH: Final = msgspec.Raw(b'"batch"')
_GZIP: Final = b"\x1f\x8b"
_MARK: Final = b"\xef\xbb\xbf"
_OK: Final = 200


class _ResponseLine(msgspec.Struct):
    """A line of responses, or of what is taken for them. Bodies stay encoded until they are needed."""

    custom_id: str | None = None
    response: msgspec.Raw = _NULL
    error: msgspec.Raw = _NULL
    method: msgspec.Raw = _NULL
    body: msgspec.Raw = _NULL
    object: msgspec.Raw = _NULL
    output_file_id: msgspec.Raw = _NULL


class _Response(msgspec.Struct):
    status_code: int = _OK
    body: msgspec.Raw = _NULL
    choices: msgspec.Raw = _NULL


class _CompletionBody(msgspec.Struct):
    choices: msgspec.Raw = _NULL


_LINE: Final = msgspec.json.Decoder(_ResponseLine)
_RESPONSE: Final = msgspec.json.Decoder(_Response | None)


class _ReplyLocation(NamedTuple):
    """Location of a reply (file, first byte, length) and a hash of its content."""

    file: int
    start: int
    length: int
    content_hash: int


class Responses:
    """Files of responses, plain or gzipped. Only locations are held in memory, never the replies.

    A reply wins over an error, and the first of several replies to a request wins over the others.

    Attributes:
        lines: Number of lines that are responses.
        failed: Requests with an error instead of a reply, and the fault.
        unreadable: Places of lines that are not responses, and why.
        repeated: Number of lines that repeat another.
        contradicted: Requests with differing replies, and how many of those were ignored.

    Args:
        paths: The files.

    Raises:
        InputError: A file cannot be read, or holds no response at all.
    """

    def __init__(self, paths: Iterable[str | Path]) -> None:
        self.lines = 0
        self.failed: dict[str, Fault] = {}
        self.unreadable: list[str] = []
        self.repeated = 0
        self.contradicted: dict[str, int] = {}
        self._files: list[BinaryIO] = []
        self._places: dict[str, _ReplyLocation] = {}
        try:
            for path in paths:
                self._read(Path(path))
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def keys(self) -> Iterator[str]:
        """Yield the keys of requests that have a reply."""
        yield from self._places

    def body(self, key: str) -> bytes | None:
        """Return the body of the reply to a request, or None."""
        place = self._places.get(key)
        if place is None:
            return None
        file = self._files[place.file]
        file.seek(place.start)
        line = _decoded(file.read(place.length))
        return _body(line.response, cast("_Response", _RESPONSE.decode(line.response)))

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()

    def _read(self, path: Path) -> None:
        try:
            file: BinaryIO = path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
        if file.read(2) == _GZIP:
            file = self._unpacked(file, path)
        file.seek(0)
        index, before, refused = len(self._files), self.lines, len(self.unreadable)
        self._files.append(file)
        start = 0
        for number, (line, length) in enumerate(_lines(file), 1):
            skip = len(_MARK) if start == 0 and line.startswith(_MARK) else 0
            if length > MAX_REPLY_BYTES:
                self.unreadable.append(
                    f"{path}:{number}: the line is longer than {MAX_REPLY_BYTES >> 20} MiB"
                )
            elif line[skip:].strip():
                self._take(
                    line[skip:], _ReplyLocation(index, start + skip, length - skip, 0), f"{path}:{number}"
                )
            start += length
        if self.lines == before:
            why = self.unreadable[refused].removeprefix(f"{path}:") if len(self.unreadable) > refused else ""
            hint = "one JSON object a line, as the provider sent it back"
            raise InputError(
                f"holds no response{f'; line {why}' if why else ': it is empty'}", where=str(path), hint=hint
            )

    def _unpacked(self, packed: BinaryIO, path: Path) -> BinaryIO:
        """Return the contents of a gzip file as a temporary file, in which locations can be sought."""
        file = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - closed with the others
        with packed:
            packed.seek(0)
            try:
                with gzip.GzipFile(fileobj=packed) as stream:
                    for line, length in _lines(stream):
                        # The start of a line that is too long suffices to report it.
                        file.write(line if length == len(line) else line + b"\n")
                        if file.tell() > MOST_UNPACKED:
                            file.close()
                            raise InputError(
                                f"unpacks to more than {MOST_UNPACKED >> 30} GiB",
                                where=str(path),
                                hint="split it into several files",
                            )
            except (EOFError, OSError, zlib.error) as error:
                # Lines before the damage are intact.
                self.unreadable.append(f"{path}: the gzip file is cut or damaged ({error})")
        return file

    def _take(self, line: bytes, location: _ReplyLocation, where: str) -> None:
        try:
            row = _decoded(line)
            if row.custom_id is None:
                self._no_response(row, where)
                return
            if row.response == _NULL and row.error == _NULL and row.body != _NULL:
                raise InputError(
                    "is a request, not a response",
                    where=where,
                    hint="give the file that the provider sent back",
                )
            response = _RESPONSE.decode(row.response)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            # The last line of a download that broke off; the rest is as good as before.
            end = "" if line.endswith(b"\n") else "; the file ends in the middle of it"
            self.unreadable.append(f"{where}: {brief(str(error), 120)}{end}")
            return
        self.lines += 1
        key = row.custom_id
        fault = _fault(response, row)
        if fault is None:
            self._keep(
                key,
                location._replace(
                    content_hash=_content_hash(_body(row.response, cast("_Response", response)))
                ),
            )
        elif key not in self._places:
            self.failed.setdefault(key, fault)

    def _keep(self, key: str, place: _ReplyLocation) -> None:
        first = self._places.setdefault(key, place)
        if first is place:
            self.failed.pop(key, None)
        elif first.content_hash == place.content_hash:
            self.repeated += 1
        else:
            self.contradicted[key] = self.contradicted.get(key, 0) + 1

    def _no_response(self, row: _ResponseLine, where: str) -> None:
        if row.object == _BATCH:
            file_id = (
                f" (its output_file_id is {_plain(row.output_file_id)})"
                if row.output_file_id != _NULL
                else ""
            )
            raise InputError(
                f"is the batch's description, not its responses{file_id}",
                where=where,
                hint="download the content of its output file and of its error file",
            )
        if row.error != _NULL:
            self.unreadable.append(f"{where}: the provider's error: {brief(_plain(row.error))}")
        else:
            self.unreadable.append(f"{where}: has no custom_id")


def _decoded(line: bytes) -> _ResponseLine:
    try:
        return _LINE.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # Lone surrogates and invalid UTF-8 are replaced; the rest of the line is intact.
        try:
            plain = json.dumps(json.loads(line.decode("utf-8", "replace")), ensure_ascii=False)
        except (ValueError, RecursionError):
            plain = None
        if plain is None:
            raise
        return _LINE.decode(plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _body(whole: msgspec.Raw, response: _Response) -> bytes:
    """Return the completion: inside a response's body, or the response itself with some providers."""
    return bytes(response.body if response.body != _NULL or response.choices == _NULL else whole)


def _lines(file: BinaryIO | gzip.GzipFile) -> Iterator[tuple[bytes, int]]:
    """Yield each line with its length; of a line longer than a reply may be, only the start is kept."""
    while line := file.readline(MAX_REPLY_BYTES + 1):
        length = len(line)
        piece = line
        while len(piece) > MAX_REPLY_BYTES and not piece.endswith(b"\n"):
            piece = file.readline(MAX_REPLY_BYTES + 1)
            length += len(piece)
        yield line, length


def _content_hash(body: bytes) -> int:
    """Return a hash of a reply's content; id and time do not count."""
    with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
        choices = msgspec.json.decode(body, type=_CompletionBody).choices
        if choices != _NULL:
            return hash(bytes(choices))
    return hash(body)


def _fault(response: _Response | None, row: _ResponseLine) -> Fault | None:
    """Return why a line has no reply, or None."""
    if response is None and row.error == _NULL:
        return Fault(kind="broken", message="neither a response nor an error")
    if response is not None and response.status_code != _OK:
        # vLLM puts the error beside the response, OpenAI inside it.
        inside = bytes(response.body) if response.body != _NULL else b'{"error":%s}' % bytes(row.error)
        return fault_of(response.status_code, {}, inside)
    if row.error != _NULL:
        # Not sent, or not answered in time: the next batch may succeed.
        return Fault(kind="busy", message=brief(_plain(row.error)))
    return None


def _plain(raw: msgspec.Raw) -> str:
    """Return code and message of an error, or the whole of it."""
    try:
        data: Any = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return bytes(raw).decode("utf-8", "replace")
    if not isinstance(data, dict):
        return str(data)
    parts = [str(data[name]) for name in ("code", "message") if data.get(name)]
    return ": ".join(parts) or bytes(raw).decode("utf-8", "replace")
