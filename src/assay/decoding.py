"""Plain data into typed structs, with errors that a person can act on.

`decode` converts what `assay.located` has read with msgspec. msgspec's message says what it expected; here it gets the
file and the line, the path in words, the value that stands there, and the remedy: the closest known field, the allowed
values, or the kind of value that is needed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn, TypeVar

import msgspec
from msgspec import inspect

from assay.errors import InputError
from assay.located import LocatedData, join_path
from assay.suggest import did_you_mean

T = TypeVar("T")

_KINDS: Final = {
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a table",
    type(None): "empty",
}
_EXPECTED: Final = {
    "str": "text",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "array": "a list",
    "object": "a table",
}
_MESSAGE: Final = re.compile(r"(?P<problem>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_PART: Final = re.compile(r"\.(?P<field>[^.\[]+)|\[(?P<index>\d+)\]|(?P<any_key>\[\.\.\.\])")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")
_WRONG_KIND: Final = re.compile(r"Expected `(?P<expected>[^`]*)`(?P<bound>.*?)(?:, got `[^`]*`)?", re.DOTALL)
_LENGTH: Final = re.compile(r" of length (<=|>=|==) (\d+)")
_BOUND: Final = re.compile(r" (<=|>=|<|>) (-?[\d.e+-]+)")
_IN_WORDS: Final = {"<=": "at most", ">=": "at least", "<": "below", ">": "above", "==": "exactly"}
_LONGEST_VALUE: Final = 60


class FieldError(ValueError):
    """A value that has the right type but is not allowed; raise it from ``__post_init__`` of a struct.

    Args:
        field: Path of the field inside the struct; ``""`` for the struct itself.
        problem: What is wrong, as the rest of a sentence that begins with the field: "is above high".
        hint: What the reader can do about it.
    """

    def __init__(self, field: str, problem: str, hint: str | None = None) -> None:
        super().__init__(problem)
        self.field = field
        self.problem = problem
        self.hint = hint


def decode(data: LocatedData, kind: type[T], path: str = "", value: Any = None, *, strict: bool = True) -> T:
    """Return the data as a struct (or any type that msgspec can convert to).

    Args:
        data: What was read from a file.
        kind: Type to convert to. Its structs should forbid unknown fields.
        path: Path of the part to convert; the whole without one.
        value: That part.
        strict: Refuse numbers that are written as text.

    Raises:
        InputError: The data does not fit; the message names the line, the path, the value and the remedy.
    """
    value = value if path else data.data
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        _explain(data, kind, path, value, error)


def kind_of(value: Any) -> str:
    """Return what kind of value it is, in words."""
    return _KINDS.get(type(value), type(value).__name__)


def shown(value: Any) -> str:
    """Return a value as an error message quotes it: shortened, lists and tables by their kind."""
    if isinstance(value, list | dict | None):
        return kind_of(value) if value else "empty"
    text = ("true" if value else "false") if isinstance(value, bool) else repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def is_number(text: str) -> bool:
    """Whether a text is a finite number in quotes."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def fail(data: LocatedData, path: str, problem: str, hint: str | None = None) -> NoReturn:
    """Raise an error about a path in a file.

    Raises:
        InputError: Always.
    """
    raise InputError(f"{path} {problem}" if path else problem, where=data.where(path), hint=hint)


def plain_text(data: LocatedData, path: str, value: Any, *, empty: bool = False) -> str:
    """Return text on one line, white space as single blanks.

    Raises:
        InputError: It is not text, or has a control character.
    """
    if not isinstance(value, str):
        hint = None if isinstance(value, list | dict | None) else "put it in quotes if text is meant"
        fail(data, path, f"is {shown(value)}; it must be text", hint)
    text = " ".join(value.split())
    if not text and not empty:
        fail(data, path, "is empty; it must be text")
    if any(char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in text):
        fail(data, path, "has a control character")
    return text


def _explain(data: LocatedData, kind: Any, path: str, value: Any, error: msgspec.ValidationError) -> NoReturn:
    match = _MESSAGE.fullmatch(str(error))
    assert match is not None  # the pattern takes any text
    problem = match["problem"]
    parts = _resolved(kind, value, match["path"] or "", str(error), is_key=bool(match["key"]))
    place = path
    for part in parts:
        place = f"{place}[{part}]" if isinstance(part, int) else join_path(place, part)
    types = list(_types_at(inspect.type_info(kind), [*parts[:-1], None] if match["key"] else parts))
    if isinstance(cause := error.__cause__, FieldError):
        fail(data, join_path(place, cause.field) if cause.field else place, cause.problem, cause.hint)
    if unknown := _UNKNOWN.fullmatch(problem):
        known = [
            field.encode_name for one in types if isinstance(one, inspect.StructType) for field in one.fields
        ]
        fail(data, join_path(place, unknown[1]), f"is not a field here; {did_you_mean(unknown[1], known)}")
    if missing := _MISSING.fullmatch(problem):
        fail(data, place, f"{'has' if place else 'there is'} no {missing[1]!r}")
    found = parts[-1] if match["key"] else _at(value, parts)
    if problem.startswith("Invalid enum value"):
        allowed = [str(item) for one in types if isinstance(one, inspect.LiteralType) for item in one.values]
        remedy = did_you_mean(str(found), allowed, otherwise=f"it may be {', '.join(allowed)}")
        fail(data, place, f"is {shown(found)}; {remedy}")
    if isinstance(found, str) and "matching regex" in problem:
        extras = [kind.extra for kind in types if isinstance(kind, inspect.Metadata) and kind.extra]
        expected = extras[0]["expected"] if extras and found.strip() else "text"
        fail(data, place, f"is {shown(found) if found.strip() else 'empty'}; it must be {expected}")
    if wrong := _WRONG_KIND.fullmatch(problem):
        length = _LENGTH.fullmatch(wrong["bound"])
        if length and isinstance(found, str | list | dict) and found:
            unit = "characters" if isinstance(found, str) else "entries"
            fail(data, place, f"has {len(found)} {unit}; it must have {_IN_WORDS[length[1]]} {length[2]}")
        hint = None
        if (
            isinstance(found, str)
            and is_number(found)
            and {"int", "float"} & set(wrong["expected"].split(" | "))
        ):
            hint = "write it without quotes"
        elif isinstance(found, bool | int | float) and "str" in wrong["expected"].split(" | "):
            hint = "put it in quotes if text is meant"
        fail(
            data, place, f"is {shown(found)}; it must be {_expected(wrong['expected'], wrong['bound'])}", hint
        )
    if problem == "Number out of range":
        fail(data, place, f"is {shown(found)}; that is too large")
    fail(data, place, problem)


def _expected(kinds: str, bound: str) -> str:
    """What msgspec expected, in words: "a whole number, at least 1"."""
    names = [_EXPECTED.get(kind, kind) for kind in kinds.split(" | ") if kind != "null"]
    text = " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    if length := _LENGTH.fullmatch(bound):
        unit = "characters" if "str" in kinds else "entries"
        if length[1] == ">=" and length[2] == "1":
            return text if "str" in kinds else f"{text} with at least one entry"
        return f"{text} with {_IN_WORDS[length[1]]} {length[2]} {unit}"
    if limit := _BOUND.fullmatch(bound):
        return f"{text}, {_IN_WORDS[limit[1]]} {limit[2].removesuffix('.0')}"
    return f"{text}{bound}"


def _at(value: Any, parts: list[str | int]) -> Any:
    for part in parts:
        value = value[part]
    return value


def _resolved(kind: Any, value: Any, path: str, message: str, *, is_key: bool) -> list[str | int]:
    """The parts of msgspec's path; it writes ``[...]`` for any key of a mapping, and the key is found by trying."""
    parts: list[str | int] = []
    for match in _PART.finditer(path):
        if match["field"]:
            parts.append(match["field"])
        elif match["index"]:
            parts.append(int(match["index"]))
        else:
            parts.append(_key_at_fault(kind, value, parts, message))
    return [*parts, _key_at_fault(kind, value, parts, message)] if is_key else parts


def _key_at_fault(kind: Any, value: Any, parts: list[str | int], message: str) -> str:
    table: dict[str, Any] = _at(value, parts)
    for key, item in table.items():
        try:
            msgspec.convert(_replaced(value, parts, {key: item}), kind)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return key
    return next(iter(table))


def _replaced(value: Any, parts: list[str | int], new: Any) -> Any:
    """A copy of ``value`` with ``new`` at the path."""
    if not parts:
        return new
    copy: Any = value.copy()
    copy[parts[0]] = _replaced(value[parts[0]], parts[1:], new)
    return copy


def _types_at(kind: inspect.Type, parts: list[Any]) -> Iterator[inspect.Type]:
    """All types that a path may have, the members of unions singly; None as a part stands for the keys of a table."""
    if isinstance(kind, inspect.Metadata):
        if not parts:
            yield kind
        yield from _types_at(kind.type, parts)
    elif isinstance(kind, inspect.UnionType):
        for member in kind.types:
            yield from _types_at(member, parts)
    elif not parts:
        yield kind
    elif isinstance(kind, inspect.StructType):
        for field in kind.fields:
            if field.encode_name == parts[0]:
                yield from _types_at(field.type, parts[1:])
    elif isinstance(kind, inspect.DictType):
        yield from _types_at(kind.key_type if parts[0] is None else kind.value_type, parts[1:])
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType):
        yield from _types_at(kind.item_type, parts[1:])
    elif isinstance(kind, inspect.TupleType) and isinstance(parts[0], int):
        yield from _types_at(kind.item_types[parts[0]], parts[1:])
