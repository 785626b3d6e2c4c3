"""The reader behind `assay.subjects.reading`: files, streams, rows and texts become subjects, errors in their place."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from assay.errors import AssayError, InputError, MissingExtraError
from assay.hub import PREFIX, hub_rows
from assay.json_values import parse_json
from assay.subjects.encodings import bom_encoding, decode_text
from assay.subjects.input_files import (
    QUERY_FILE,
    InputFile,
    expand,
    limited,
    open_place,
    query_beside,
    size_of,
)
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import is_conversation
from assay.subjects.loaders.registry import all_loaders, find_loader
from assay.subjects.subject import Subject
from assay.subjects.tabular import TABLE_SUFFIXES, table_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ROWS: Final = (".jsonl", ".ndjson")
# A few megabytes can unpack to a thousand million line breaks.
_BLANK: Final = 1_000_000
_TEXTS: Final = (".md", ".markdown", ".txt", ".text")
_RAISE_LIMIT: Final = "a larger max_bytes raises the limit"
_RAISE_LIMIT_CLI: Final = "--max-bytes raises the limit"
# What reading a damaged or hostile file may raise below our own code: the system, gzip, zip, and shapes of rows that
# a loader did not expect. Each becomes an InputError with its place; anything else is a bug and is not hidden.
_DAMAGE: Final = (OSError, EOFError, zlib.error, UnicodeError)
_SHAPE: Final = (KeyError, TypeError, AttributeError, IndexError, ValueError, RecursionError, OverflowError)


class _UnknownRowError(InputError):
    """A row that no loader knows; several of a file are told in one."""


class SubjectReader:
    """One pass over the paths. Holds what does not change from file to file."""

    def __init__(self, loader: SubjectLoader | None, origin: InputContext) -> None:
        self.origin = origin
        known = all_loaders() if loader is None else (loader,)
        self.forced = loader
        self.rows = [item for item in known if item.takes == "row"]
        self.texts = [item for item in known if item.takes == "text"]
        self.files = [item for item in known if item.takes == "file"]
        self.queries: dict[Path, str | None] = {}

    def all(self, targets: list[str]) -> Iterator[Subject | InputError]:
        """Yield the subjects under all targets, in order."""
        for target in targets:
            if target.startswith(PREFIX):
                yield from self._hub(target)
                continue
            for place in expand(target):
                if isinstance(place, InputError):
                    yield place
                else:
                    yield from self._place(place)

    def _hub(self, name: str) -> Iterator[Subject | InputError]:
        """Yield the subjects of a dataset on the Hugging Face Hub, or in a folder of its form."""
        path, rows = hub_rows(name)
        place = InputFile(f"{PREFIX}{path}", None, ".jsonl", zipped=False)
        yield from _told_once(
            (
                item
                for where, row in rows
                for item in self._row(row, self._at(place, where[len(place.name) :]))
            ),
            place,
        )

    def of_rows(self, rows: Iterable[Any], name: str) -> Iterator[Subject | InputError]:
        """Yield the subjects of rows of a table; ``name`` stands before their numbers in messages."""
        place = InputFile(name, None, ".jsonl", zipped=False)
        yield from self._table(rows, place)

    def _table(self, rows: Iterable[Any], place: InputFile) -> Iterator[Subject | InputError]:
        yield from _told_once(
            (
                item
                for number, row in enumerate(rows, 1)
                for item in self._row(row, self._at(place, f":{number}"))
            ),
            place,
        )

    def _at(self, place: InputFile, row: str = "") -> InputContext:
        base = self.origin
        query = base.query
        if query is None and place.path is not None:
            folder = place.path.parent
            if folder not in self.queries:
                self.queries[folder] = query_beside(folder)
            query = self.queries[folder] if place.path.name != QUERY_FILE else None
        return InputContext(place.name + row, place.suffix, query, base.fields, base.max_bytes)

    def _place(self, place: InputFile) -> Iterator[Subject | InputError]:
        try:
            with open_place(place) as stream:
                yield from self._stream(stream, place)
        except InputError as error:
            yield _placed(error, place.name)
        except _DAMAGE as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            yield _caused(
                InputError(f"cannot be read: {reason or type(error).__name__}", where=place.name), error
            )

    def _stream(self, stream: io.BufferedReader, place: InputFile) -> Iterator[Subject | InputError]:
        head = stream.peek(8192)[:8192]
        if not head:
            raise InputError("is empty")
        loader = next(
            (item for item in self.files if place.suffix in item.suffixes or item.sniff(head)), None
        )
        if self.forced is not None and self.forced.takes == "file":
            loader = self.forced
        if place.suffix in TABLE_SUFFIXES and self.rows:
            try:
                yield from self._table(table_rows(stream, place.suffix), place)
            except MissingExtraError as error:
                yield _caused(InputError(str(error), where=place.name), error)
        elif loader is not None:
            yield from self._file(loader, stream, place)
        elif self.texts and (not self.rows or place.suffix in _TEXTS):
            yield from self._text(self._read(stream, place), place)
        elif place.suffix in _ROWS or (self.rows and not self.texts and place.suffix != ".json"):
            yield from self._lines(_lines(stream, head, self.origin.max_bytes), place, 1)
        else:
            yield from self._document(stream, head, place)

    def _file(
        self, loader: SubjectLoader, stream: io.BufferedReader, place: InputFile
    ) -> Iterator[Subject | InputError]:
        source: BinaryIO = stream
        if loader.name == "document" or not stream.seekable():
            source = io.BytesIO(self._read(stream, place))
        try:
            yield from self._load(loader, source, self._at(place))
        except MissingExtraError as error:
            yield _caused(InputError(str(error), where=place.name), error)

    def _read(self, stream: BinaryIO, place: InputFile, begun: bytes = b"") -> bytes:
        """Return the rest of a stream; a larger one is refused."""
        limit = self.origin.max_bytes
        size = size_of(place)
        data = (
            b"" if size is not None and size > limit else begun + stream.read(max(limit + 1 - len(begun), 0))
        )
        if len(data) > limit or (size is not None and size > limit):
            have = f"{limited(size)}, more than" if size is not None else "more than"
            raise InputError(
                f"too large: {have} {limited(limit)}", hint=_RAISE_LIMIT, cli_hint=_RAISE_LIMIT_CLI
            )
        return data

    def _document(
        self, stream: io.BufferedReader, head: bytes, place: InputFile
    ) -> Iterator[Subject | InputError]:
        """Yield the subjects of a ``.json`` file or of a stream of unknown kind: JSON, JSON Lines, or text."""
        start = (
            head.decode(mark, "ignore") if (mark := bom_encoding(head)) else head.decode("latin-1")
        ).lstrip()[:1]
        if start not in ("{", "["):
            if place.suffix == ".json":
                raise InputError("no JSON: it begins with neither { nor [")
            yield from self._text(self._read(stream, place), place)
            return
        if mark in (None, "utf-8-sig"):
            first = stream.readline(self.origin.max_bytes + 1)
            if (
                start == "{"
                and first.rstrip().endswith(b"}")
                and _is_json(first.removeprefix(b"\xef\xbb\xbf"))
            ):
                # A whole object on the first line: JSON lines, or a document of one line.
                yield from self._lines(_chain(first, _lines(stream, b"", self.origin.max_bytes)), place, 1)
                return
        else:
            first = b""
        data = self._read(stream, place, first)
        text, _ = decode_text(data)
        try:
            value = parse_json(text)
        except InputError as error:
            if place.suffix == ".json" or not self.texts:
                raise InputError(
                    error.problem, hint="one JSON object per line is read too, as .jsonl"
                ) from error
            # "[Link](…)" at the top of a Markdown text.
            yield from self._text(data, place)
            return
        yield from self._value(value, place)

    def _value(self, value: Any, place: InputFile) -> Iterator[Subject | InputError]:
        if isinstance(value, list) and not is_conversation(value):
            if not value:
                raise InputError("an empty JSON array")
            rows = (item for i, row in enumerate(value) for item in self._row(row, self._at(place, f"[{i}]")))
            yield from _told_once(rows, place)
        else:
            yield from self._row(value, self._at(place))

    def _lines(
        self, lines: Iterator[bytes | str | InputError], place: InputFile, first: int
    ) -> Iterator[Subject | InputError]:
        yield from _told_once(self._each_line(lines, place, first), place)

    def _each_line(
        self, lines: Iterator[bytes | str | InputError], place: InputFile, first: int
    ) -> Iterator[Subject | InputError]:
        """Yield the subjects of JSON Lines; a line that cannot be read does not end the file."""
        seen = False
        blank = 0
        for number, line in enumerate(lines, first):
            origin = self._at(place, f":{number}")
            if isinstance(line, InputError):
                yield _placed(line, origin.path)
            elif line.strip():
                try:
                    row = _parse_line(line)
                except InputError as error:
                    yield _placed(error, origin.path)
                else:
                    yield from self._row(row, origin)
            else:
                blank += 1
                if blank > _BLANK:
                    yield InputError(
                        f"has more than {_BLANK:,} blank lines; the rest is not read", where=place.name
                    )
                    return
                continue
            seen = True
        if not seen:
            raise InputError("is empty")

    def _row(self, row: Any, origin: InputContext) -> Iterator[Subject | InputError]:
        loader = self.forced or next((item for item in self.rows if item.sniff(row)), None)
        if loader is None and "report" in origin.fields and isinstance(row, dict):
            loader = find_loader("report-rows")
        if loader is None:
            yield _unknown(row, self.rows, origin)
        elif not isinstance(row, dict | list):
            yield InputError(f"{_kind(row)} where a JSON object was expected", where=origin.path)
        else:
            yield from self._load(loader, row, origin)

    def _text(self, data: bytes, place: InputFile) -> Iterator[Subject | InputError]:
        text, encoding = decode_text(data)
        if not text.strip():
            raise InputError("is empty but for white space")
        loader = self.forced or next((item for item in self.texts if item.sniff(text)), None)
        if loader is None:
            yield InputError(
                "unknown format; tried " + ", ".join(item.name for item in self.texts), where=place.name
            )
            return
        for subject in self._load(loader, text, self._at(place)):
            if encoding not in ("utf-8", "utf-8-sig") and not isinstance(subject, InputError):
                yield subject.replace(meta={**subject.meta, "encoding": encoding})
            else:
                yield subject

    def _load(self, loader: SubjectLoader, data: Any, origin: InputContext) -> Iterator[Subject | InputError]:
        try:
            for item in loader.load(data, origin):
                yield _placed(item, origin.path) if isinstance(item, InputError) else item
        except InputError as error:
            yield _placed(error, origin.path)
        except AssayError:
            raise
        except _SHAPE as error:
            problem = f"looks like {loader.name} but cannot be read as it: {error!r}"
            failed = InputError(
                problem,
                where=origin.path,
                hint="loader=… names another format",
                cli_hint="--input-format names another",
            )
            yield _caused(failed, error)


def _lines(stream: BinaryIO, head: bytes, limit: int) -> Iterator[bytes | str | InputError]:
    """Yield lines of a stream, each bounded; a longer one becomes an error and is skipped."""
    mark = bom_encoding(head)
    if mark not in ("utf-16", "utf-32"):
        yield from _bounded(stream, b"\n", limit)
        return
    wrapped = io.TextIOWrapper(stream, encoding=mark, newline="\n")
    try:
        yield from _bounded(wrapped, "\n", limit)
    finally:
        # The caller, who opened the stream, closes it.
        wrapped.detach()


def _bounded(source: Any, newline: bytes | str, limit: int) -> Iterator[bytes | str | InputError]:
    while line := source.readline(limit + 1):
        if len(line) > limit and not line.endswith(newline):
            yield InputError(
                f"too large: a line of more than {limited(limit)}",
                hint=_RAISE_LIMIT,
                cli_hint=_RAISE_LIMIT_CLI,
            )
            while (rest := source.readline(1 << 16)) and not rest.endswith(newline):
                pass
        else:
            yield line


def _chain(first: bytes, rest: Iterator[bytes | str | InputError]) -> Iterator[bytes | str | InputError]:
    yield first
    yield from rest


def _parse_line(line: bytes | str) -> Any:
    if isinstance(line, str):
        return parse_json(line.strip().removeprefix("\ufeff"))
    # Without its end, so that an error names a column of this line and not a line of its own.
    line = line.strip().removeprefix(b"\xef\xbb\xbf")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return parse_json(decode_text(line)[0])
    return parse_json(line)


def _is_json(data: bytes) -> bool:
    try:
        return isinstance(parse_json(data), dict)
    except InputError:
        return False


def _told_once(results: Iterator[Subject | InputError], place: InputFile) -> Iterator[Subject | InputError]:
    """Yield the results; the rows that no loader knows become one error, after the others."""
    first: InputError | None = None
    number = 0
    stopped: InputError | None = None
    try:
        for item in results:
            if isinstance(item, _UnknownRowError):
                first = first or item
                number += 1
            else:
                yield item
    except InputError as error:
        stopped = error
    if first is not None and number > 1:
        row = (first.where or "").removeprefix(place.name).lstrip(":")
        first = InputError(
            f"{number:,} rows are not reports or trajectories; first: row {row.strip('[]')}: {first.problem}",
            where=place.name,
            hint=first.hint,
            cli_hint=first.cli_hint,
        )
    if first is not None:
        yield first
    if stopped is not None:
        raise stopped


def _unknown(row: Any, tried: list[SubjectLoader], origin: InputContext) -> InputError:
    names = ", ".join(loader.name for loader in tried)
    if not isinstance(row, dict):
        return _UnknownRowError(
            f"{_kind(row)} where a JSON object was expected; tried {names}", where=origin.path
        )
    keys = ", ".join(str(key)[:40] for key in list(row)[:12]) or "nothing"
    problem = f"unknown format: the row has {keys}{_lists(row)}; tried {names}"
    return _UnknownRowError(
        problem,
        where=origin.path,
        hint='fields={"report": "NAME"} names the field that holds the report',
        cli_hint="--field report=NAME names the field that holds the report",
    )


def _lists(row: dict[Any, Any]) -> str:
    """Return what the lists of a row hold, since one of them may be the messages of an unknown log."""
    held = ""
    for key, value in row.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            keys = ", ".join(str(name)[:40] for name in list(value[0])[:8]) or "nothing"
            held += f"; {str(key)[:40]}: {len(value)} object{'s' if len(value) > 1 else ''} with {keys}"
    if held:
        held += " (messages need content and a role, type, name or source)"
    return held


def _kind(value: Any) -> str:
    names = {
        str: "a string",
        int: "a number",
        float: "a number",
        bool: "a boolean",
        list: "an array",
        dict: "an object",
    }
    return names.get(type(value), "null")


def _placed(error: InputError, where: str | None) -> InputError:
    """Return the error with its place added if it names none."""
    return error.at(where) if where else error


def _caused(error: InputError, cause: BaseException) -> InputError:
    error.__cause__ = cause
    return error
