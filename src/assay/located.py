"""Configuration files (YAML, JSON, TOML) as plain data that knows the line of each value.

YAML here is the part of it that JSON has, with the scalars of YAML 1.2: ``yes``, ``no``, ``on`` and dates are text, keys
are text as they are written (``1: very poor``), a key may occur once, tags are refused, and the expansion of aliases is
bounded. JSON and TOML have the same limits.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from assay.errors import InputError
from assay.json_values import parse_json

_MOST_BYTES: Final = 4 << 20
# Values in one file, aliases counted each time they are used. The largest rubrics have a few thousand.
_MOST_VALUES: Final = 200_000
_DEEPEST: Final = 40

_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_TOML_HEADING: Final = re.compile(r"\s*\[\[?(?P<key>[^\[\]]+)\]")
_TOML_KEY: Final = re.compile(r"""\s*(?P<key>(?:[\w.\s-]|"[^"]*"|'[^']*')+?)\s*=""")
_WORDS: Final[dict[str, Any]] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
    ".nan": float("nan"), ".inf": float("inf"), "-.inf": float("-inf"),
}  # fmt: skip


class LocatedData(msgspec.Struct, frozen=True):
    """Plain data and its origin.

    Attributes:
        data: Tables, lists, texts, numbers, booleans and None.
        name: Name of the file, for messages.
        lines: Line of each path (``judges[0].model``); empty for JSON.
    """

    data: Any
    name: str
    lines: dict[str, int] = {}

    def where(self, path: str = "") -> str:
        """Return the file and line of a path (``rubric.yaml:12``), or the name of the file if the line is not known."""
        while path and path not in self.lines:
            path = re.sub(r"(?:^|\.)[^.\[\]]+$|\[\d+\]$", "", path)
        line = self.lines.get(path) if path else None
        return f"{self.name}:{line}" if line else self.name


def read_data_file(path: Path) -> LocatedData:
    """Read a file: JSON or TOML if its name ends so, otherwise YAML.

    Raises:
        InputError: It cannot be read, is too large, or is not valid in its format.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    if len(raw) > _MOST_BYTES:
        raise InputError(
            f"is larger than {_MOST_BYTES >> 20} MiB, the most that Assay reads here", where=str(path)
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", where=str(path), hint="save it as UTF-8") from error
    if path.suffix.lower() == ".toml":
        return parse_toml(text, str(path))
    return parse_data(text, str(path), as_json=path.suffix.lower() == ".json")


def parse_data(text: str, name: str, *, as_json: bool = False) -> LocatedData:
    """Parse YAML or JSON.

    Raises:
        InputError: The text is not valid.
    """
    if as_json:
        data = parse_json(text, name, strict=True)
        _bound_depth(data, name)
        return LocatedData(data, name)
    return _Yaml(text, name).read()


def parse_toml(text: str, name: str) -> LocatedData:
    """Parse TOML.

    Raises:
        InputError: The text is not valid.
    """
    try:
        data = tomllib.loads(text)
    except RecursionError as error:
        raise InputError(f"is nested more than {_DEEPEST} deep", where=name) from error
    except ValueError as error:  # not TOML, or an integer of thousands of digits
        raise InputError(f"is not valid TOML: {error}", where=name) from error
    _bound_depth(data, name)
    return LocatedData(data, name, _toml_lines(text, data))


def _toml_lines(text: str, data: dict[str, Any]) -> dict[str, int]:
    """The line of each path, as far as headings and keys at the beginning of lines tell it."""
    lines: dict[str, int] = {}
    known = set(_paths(data))
    table = ""
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        heading = _TOML_HEADING.match(line)
        key = heading or _TOML_KEY.match(line)
        if key is None:
            continue
        try:
            path = next(iter(_paths(tomllib.loads(f"{key['key']} = 0"))), "")
        except ValueError:
            continue  # inside a text of several lines
        if heading:
            if line.lstrip().startswith("[["):
                index = counts[path] = counts.get(path, -1) + 1
                path = f"{path}[{index}]"
            table = path
        else:
            path = join_path(table, path)
        if path in known:
            lines.setdefault(path, number)
    return lines


def _paths(value: Any, path: str = "") -> Iterator[str]:
    """All paths inside plain data, the innermost first."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _paths(item, join_path(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _paths(item, f"{path}[{index}]")
    if path:
        yield path


def _bound_depth(data: Any, name: str) -> None:
    level: list[Any] = [data]
    for _ in range(_DEEPEST):
        level = [
            item
            for value in level
            if isinstance(value, list | dict)
            for item in (value.values() if isinstance(value, dict) else value)
        ]
    if level:
        raise InputError(f"is nested more than {_DEEPEST} deep", where=name)


class _Open(NamedTuple):
    """A list or table that is still being filled; ``key`` waits for its value."""

    value: Any
    path: str
    anchor: str | None
    start: int
    key: list[str]


class _Yaml:
    """Builds plain data from the parser's events, without recursion."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._lines: dict[str, int] = {}
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._open: list[_Open] = []
        self._count = 0
        self._root: list[Any] = []

    def read(self) -> LocatedData:
        import yaml  # noqa: PLC0415 - only where a file is read

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            for event in yaml.parse(self._text, Loader=loader):
                self._take(event, type(event).__name__.removesuffix("Event"))
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise self._error(line, f"is not valid YAML: {error.problem or error.context}") from error
        except yaml.YAMLError as error:
            raise InputError(
                f"is not valid YAML: {' '.join(str(error).split())}", where=self._name
            ) from error
        if not self._root:
            raise InputError("is empty", where=self._name)
        return LocatedData(self._root[0], self._name, self._lines)

    def _take(self, event: Any, kind: str) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        if kind == "DocumentStart" and self._root:
            raise self._error(line, "a second document begins", "write one document per file")
        if kind == "Alias":
            if event.anchor not in self._anchors:
                raise self._error(line, f"*{event.anchor} refers to itself or to nothing")
            value, size = self._anchors[event.anchor]
            self._grow(size, line)
            self._put(value, line)
        elif kind == "Scalar":
            self._grow(1, line)
            parent = self._open[-1] if self._open else None
            if parent is not None and isinstance(parent.value, dict) and not parent.key:
                self._key(parent, event.value, line)
                return
            value = self._scalar(event, line)
            if event.anchor:
                self._anchors[event.anchor] = (value, 1)
            self._put(value, line)
        elif kind in ("SequenceStart", "MappingStart"):
            self._plain_tag(event, line)
            if len(self._open) >= _DEEPEST:
                raise self._error(line, f"is nested more than {_DEEPEST} deep")
            self._grow(1, line)
            value = [] if kind == "SequenceStart" else {}
            path = self._put(value, line)
            self._open.append(_Open(value, path, event.anchor, self._count - 1, []))
        elif kind in ("SequenceEnd", "MappingEnd"):
            done = self._open.pop()
            if done.anchor:
                self._anchors[done.anchor] = (done.value, self._count - done.start)

    def _key(self, parent: _Open, key: str, line: int) -> None:
        if key == "<<":
            raise self._error(line, "merge keys (<<) are not read", "write the fields out")
        if key in parent.value:
            raise self._error(line, f"{join_path(parent.path, key)} occurs twice")
        parent.key.append(key)

    def _put(self, value: Any, line: int) -> str:
        if not self._open:
            self._root.append(value)
            return ""
        parent = self._open[-1]
        if isinstance(parent.value, list):
            path = f"{parent.path}[{len(parent.value)}]"
            parent.value.append(value)
        elif parent.key:
            key = parent.key.pop()
            path = join_path(parent.path, key)
            parent.value[key] = value
        else:
            raise self._error(line, "a list, a table or an alias is used as a key")
        self._lines.setdefault(path, line)
        return path

    def _scalar(self, event: Any, line: int) -> Any:
        self._plain_tag(event, line)
        text: str = event.value
        if event.tag or event.style:  # quoted, folded, or tagged as text
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _INTEGER.fullmatch(text) and len(text) < 300:
            return int(text)
        return float(text) if _FLOAT.fullmatch(text) else text

    def _plain_tag(self, event: Any, line: int) -> None:
        if event.tag not in (None, "!", "tag:yaml.org,2002:str"):
            raise self._error(line, f"the tag {event.tag!r} is not read")

    def _grow(self, size: int, line: int) -> None:
        self._count += size
        if self._count > _MOST_VALUES:
            raise self._error(line, f"holds more than {_MOST_VALUES} values, aliases written out")

    def _error(self, line: int, problem: str, hint: str | None = None) -> InputError:
        return InputError(problem, where=f"{self._name}:{line}", hint=hint)


def join_path(path: str, key: str) -> str:
    """Return the path of a field inside the table at ``path``."""
    return f"{path}.{key}" if path else key
