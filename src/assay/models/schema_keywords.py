"""Keywords of JSON schemas: finding and removing them.

Strict modes of hosted endpoints know only a part of JSON Schema and refuse schemas that hold more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def has_keyword(schema: Any, words: Collection[str]) -> bool:
    """Whether any of the words is a keyword anywhere in the schema."""
    return schema is not None and without_keywords(schema, words) is not schema


def without_keywords(schema: Any, words: Collection[str]) -> Any:
    """Return the schema without these keywords; the same object if it has none of them.

    Properties with such a name stay.
    """
    if not words or not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Any] = {}
    changed = False
    for key, value in schema.items():
        if key in words:
            changed = True
            continue
        if key == "properties" and isinstance(value, Mapping):
            new: Any = {name: without_keywords(part, words) for name, part in value.items()}
            same = all(new[name] is part for name, part in value.items())
        else:
            new = without_keywords(value, words) if key == "items" else value
            same = new is value
        changed = changed or not same
        kept[key] = value if same else new
    return kept if changed else schema
