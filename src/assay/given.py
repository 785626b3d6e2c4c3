"""Checks of what callers give: an argument of a wrong kind is refused where it is given, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from assay.errors import UsageError

T = TypeVar("T")


def require(value: Any, kinds: type | tuple[type, ...], what: str, *, hint: str | None = None) -> None:
    """Refuse a value of another kind.

    Args:
        value: The value.
        kinds: Its type, or the types that are possible.
        what: What is expected, such as ``"the rubric is a Rubric, a name or a path"``.
        hint: What else to do.

    Raises:
        UsageError: It is of another type.
    """
    if not isinstance(value, kinds):
        raise UsageError(f"{what}, not {_kind(value)}", hint=hint)


def require_mapping(value: Any, name: str) -> dict[Any, Any]:
    """Return a mapping as a dict, an empty one for None.

    Raises:
        UsageError: It is not a mapping.
    """
    if value is None:
        return {}
    require(value, Mapping, f"{name} is a mapping such as a dict")
    return dict(value)


def each_of(
    values: Iterable[T], kinds: type | tuple[type, ...], what: str, *, hint: str | None = None
) -> Iterator[T]:
    """Yield values, each of a given type.

    Raises:
        UsageError: Something is of another type, or there is nothing to go through.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise UsageError(f"{what}, several in a list, not {_kind(values)}", hint=hint)
    for value in values:
        require(value, kinds, what, hint=hint)
        yield value


def _kind(value: Any) -> str:
    return (
        "None"
        if value is None
        else f"the class {value.__name__}"
        if isinstance(value, type)
        else type(value).__name__
    )
