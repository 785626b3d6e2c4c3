"""Words for the schemas of what is written. All that is named is required, and nothing else may stand there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def table(**properties: dict[str, Any]) -> dict[str, Any]:
    """An object; its keys are written in the order given."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def text(longest: int) -> dict[str, Any]:
    """A text; the length keeps a model that is held to the schema from rambling."""
    return {"type": "string", "maxLength": longest}


def texts(most: int, longest: int) -> dict[str, Any]:
    """A list of texts."""
    return {"type": "array", "maxItems": most, "items": text(longest)}


def choice(options: Iterable[object]) -> dict[str, Any]:
    """One of these."""
    return {"enum": list(options)}


def flag() -> dict[str, Any]:
    """True or false."""
    return {"type": "boolean"}
