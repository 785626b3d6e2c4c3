"""A small part of JSON Schema: what strategies ask for when they ask for data, and no more."""

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
# Notes, and lengths: those keep a model that is held to the schema from rambling; a longer text is as good an answer.
_IGNORED: Final = frozenset("$schema title description default examples minLength maxLength".split())


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value is what the schema asks for.

    Raises:
        UsageError: The schema says something that is not understood here; to pass it over would be to let anything by.
    """
    unknown = set(schema) - _KNOWN - _IGNORED
    if unknown:
        raise UsageError(
            f"schemas of data cannot say {', '.join(sorted(unknown))}; they can say {', '.join(sorted(_KNOWN))}"
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
        # Written so that NaN fits no bounds.
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
        raise UsageError(f"schemas of data know no type {kind!r}; they know {', '.join(_TYPES)}")
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, types)


def _same(value: Any, item: Any) -> bool:
    # To Python 1 and true are the same.
    return isinstance(value, bool) == isinstance(item, bool) and bool(value == item)
