"""Building blocks of JSON schemas. All properties of an object are required, and no others are allowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def table(**properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object; its keys are written in the order given."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def text(longest: int) -> dict[str, Any]:
    """Return the schema of a text; its length keeps a model from rambling if the endpoint enforces the schema."""
    return {"type": "string", "maxLength": longest}


def array(items: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the schema of a list."""
    return {"type": "array", "items": items, "maxItems": most}


def texts(most: int, longest: int) -> dict[str, Any]:
    """Return the schema of a list of texts."""
    return array(text(longest), most)


def choice(options: Iterable[object]) -> dict[str, Any]:
    """Return the schema of one of the options."""
    return {"enum": list(options)}


def flag() -> dict[str, Any]:
    """Return the schema of true or false."""
    return {"type": "boolean"}
