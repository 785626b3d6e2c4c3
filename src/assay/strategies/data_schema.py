"""The small part of JSON Schema that prompts for data use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from assay.errors import UsageError

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_KNOWN: Final = frozenset(
    "type properties required enum items minItems maxItems additionalProperties minimum maximum".split()
)
# Notes and lengths. Lengths keep a model from rambling if the endpoint enforces the schema; a longer text is fine too.
_IGNORED: Final = frozenset("$schema title description default examples minLength maxLength".split())


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Return whether a value fits a schema.

    Raises:
        UsageError: The schema has a keyword that is not supported; to ignore it would be to let anything pass.
    """
    unknown = set(schema) - _KNOWN - _IGNORED
    if unknown:
        raise UsageError(
            f"a schema for data cannot use {', '.join(sorted(unknown))}; use only {', '.join(sorted(_KNOWN))}"
        )
    kinds = schema.get("type")
    if kinds is not None and not any(
        _is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)
    ):
        return False
    if "enum" in schema and not any(_same(value, item) for item in schema["enum"]):
        return False
    if isinstance(value, dict):
        return _object_fits(value, schema)
    if isinstance(value, list):
        count = len(value)
        if not schema.get("minItems", 0) <= count <= schema.get("maxItems", count):
            return False
        return "items" not in schema or all(fits(item, schema["items"]) for item in value)
    if _is(value, "number"):
        # NaN must fail the bounds, which it does in this form.
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True


def _object_fits(value: dict[str, Any], schema: Mapping[str, Any]) -> bool:
    if any(key not in value for key in schema.get("required", ())):
        return False
    properties = schema.get("properties", {})
    rest = schema.get("additionalProperties", True)
    for key, item in value.items():
        if key in properties:
            if not fits(item, properties[key]):
                return False
        elif rest is False or (isinstance(rest, Mapping) and not fits(item, rest)):
            return False
    return True


def _is(value: Any, kind: str) -> bool:
    types = _TYPES.get(kind)
    if types is None:
        raise UsageError(f"a schema for data has no type {kind!r}; use one of {', '.join(_TYPES)}")
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, types)


def _same(value: Any, item: Any) -> bool:
    # To Python 1 and true are the same.
    return isinstance(value, bool) == isinstance(item, bool) and bool(value == item)
